"""A notes server on the official Python SDK 2.x with questions, prompts and resources. --http serves HTTP, --protected those who have a token."""
import socket
import sys
import time
import uuid
from typing import Annotated

import uvicorn
from mcp.server.auth.provider import AccessToken
from mcp.server.auth.settings import AuthSettings
from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.resolve import Elicit, Resolve
from pydantic import BaseModel, Field

NOTES = {"welcome": "Hello."}
listener = socket.create_server(("127.0.0.1", 0)) if "--http" in sys.argv else None
own = f"http://127.0.0.1:{listener.getsockname()[1]}" if listener else ""


class Sure(BaseModel):
    sure: bool


class Added(BaseModel):
    id: str


class Verifier:
    async def verify_token(self, token):
        scopes = {"wide": ["notes"], "narrow": []}.get(token)
        if scopes is None:
            return None
        return AccessToken(token=token, client_id="tester", scopes=scopes, expires_at=int(time.time()) + 3600, resource=f"{own}/mcp")


protection = {}
if "--protected" in sys.argv:
    settings = AuthSettings(issuer_url=own, resource_server_url=f"{own}/mcp", required_scopes=["notes"], validate_token_resource=True)
    protection = {"auth": settings, "token_verifier": Verifier()}
server = MCPServer("notes", version="1.0.0", **protection)


@server.tool()
async def add_note(text: Annotated[str, Field(max_length=200)], context: Context) -> Added:
    """Adds a note and returns its id."""
    identity = str(uuid.uuid4())
    NOTES[identity] = text
    await context.notify_resources_changed()
    return Added(id=identity)


@server.tool()
def list_notes() -> list[str]:
    """Lists the ids of all notes."""
    return list(NOTES)


async def agreed(id: str) -> Elicit[Sure]:
    return Elicit(f"Delete {id}?", Sure)


@server.tool()
async def delete_note(id: str, answer: Annotated[Sure, Resolve(agreed)], context: Context) -> str:
    """Deletes a note, once the user has agreed."""
    if not answer.sure:
        return "Kept."
    if NOTES.pop(id, None) is None:
        return "There is no such note."
    await context.notify_resources_changed()
    return "Deleted."


@server.resource("note://all", mime_type="text/plain")
def all_notes() -> str:
    """The ids of all notes."""
    return "\n".join(NOTES)


@server.prompt()
def summarise(style: str = "short") -> str:
    """Asks for a summary."""
    return f"A {style} summary, please."


if listener:
    print(f"{own}/mcp", flush=True)
    uvicorn.Server(uvicorn.Config(server.streamable_http_app(), log_level="error")).run(sockets=[listener])
else:
    server.run()
