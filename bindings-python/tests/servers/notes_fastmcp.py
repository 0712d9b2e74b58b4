"""A notes server on FastMCP with the tasks extension; --http serves HTTP."""
import asyncio
import sys
import uuid

from fastmcp import FastMCP
from fastmcp_tasks import TasksExtension

NOTES = {"welcome": "Hello."}
server = FastMCP("notes", version="1.0.0")
server.add_extension(TasksExtension())


@server.tool
def add_note(text: str) -> dict[str, str]:
    """Adds a note and returns its id."""
    identity = str(uuid.uuid4())
    NOTES[identity] = text
    return {"id": identity}


@server.tool(task=True, annotations={"readOnlyHint": True})
async def count_notes() -> int:
    """Counts the notes, in its own time."""
    await asyncio.sleep(0.05)
    return len(NOTES)


@server.resource("note://all", mime_type="text/plain")
def all_notes() -> str:
    """The ids of all notes."""
    return "\n".join(NOTES)


@server.prompt
def summarise(style: str = "short") -> str:
    """Asks for a summary."""
    return f"A {style} summary, please."


if "--http" in sys.argv:
    import socket

    import uvicorn

    listener = socket.create_server(("127.0.0.1", 0))
    print(f"http://127.0.0.1:{listener.getsockname()[1]}/mcp", flush=True)
    uvicorn.Server(uvicorn.Config(server.http_app(), log_level="error")).run(sockets=[listener])
else:
    server.run(show_banner=False)
