"""A notes server on the official Python SDK 1.x with tasks, elicitation, sampling, prompts and resources; --http serves HTTP."""
import contextlib
import functools
import sys
import uuid

import anyio
import mcp.types as types
from mcp.server.lowlevel import Server

NOTES = {"welcome": "Hello."}
server = Server("notes", version="1.0.0")
server.experimental.enable_tasks()
TEXT = {"type": "object", "properties": {"text": {"type": "string", "maxLength": 200}}, "required": ["text"], "additionalProperties": False}
NOTHING = {"type": "object", "additionalProperties": False}
SURE = {"type": "object", "properties": {"sure": {"type": "boolean"}}, "required": ["sure"]}


def tool(name, description, schema, support="forbidden"):
    return types.Tool(name=name, description=description, inputSchema=schema, execution=types.ToolExecution(taskSupport=support))


@server.list_tools()
async def list_tools():
    return [
        tool("add_note", "Adds a note and returns its id.", TEXT),
        tool("list_notes", "Lists the ids of all notes.", NOTHING),
        tool("count_notes", "Counts the notes, in its own time.", NOTHING, "optional"),
        tool("clear_notes", "Deletes all notes, once the user has agreed.", NOTHING, "optional"),
        tool("sum_up", "Has the client's model sum up the notes.", NOTHING),
    ]


def said(text):
    return types.CallToolResult(content=[types.TextContent(type="text", text=text)])


async def sure(ask):
    answer = await ask("Delete all notes?", SURE)
    if answer.action != "accept" or not (answer.content or {}).get("sure"):
        return said("Kept.")
    NOTES.clear()
    return said("Deleted.")


@server.call_tool()
async def call_tool(name, arguments):
    context = server.request_context
    if name == "add_note":
        identity = str(uuid.uuid4())
        NOTES[identity] = arguments["text"]
        return said(identity)
    if name == "list_notes":
        return said("\n".join(NOTES))
    if name == "count_notes":
        async def count(task):
            await task.update_status("counting")
            await anyio.sleep(0.05)
            return said(str(len(NOTES)))
        if context.experimental.is_task:
            return await context.experimental.run_task(count)
        return said(str(len(NOTES)))
    if name == "clear_notes":
        async def clear(task):
            return await sure(task.elicit)
        if context.experimental.is_task:
            return await context.experimental.run_task(clear)
        # The question belongs to the call, so that it comes on the call's own stream.
        return await sure(functools.partial(context.session.elicit, related_request_id=context.request_id))
    if name == "sum_up":
        content = types.TextContent(type="text", text="\n".join(NOTES.values()))
        answer = await context.session.create_message([types.SamplingMessage(role="user", content=content)], max_tokens=100, related_request_id=context.request_id)
        return said(answer.content.text)
    raise ValueError(f"There is no tool {name}.")


@server.list_resources()
async def list_resources():
    return [types.Resource(uri="note://all", name="all", mimeType="text/plain")]


@server.read_resource()
async def read_resource(uri):
    from mcp.server.lowlevel.helper_types import ReadResourceContents
    from mcp.shared.exceptions import McpError

    if str(uri) != "note://all":
        raise McpError(types.ErrorData(code=-32002, message=f"There is no resource {uri}."))
    return [ReadResourceContents(content="\n".join(NOTES), mime_type="text/plain")]


@server.subscribe_resource()
async def subscribe(uri):
    pass


@server.unsubscribe_resource()
async def unsubscribe(uri):
    pass


@server.list_prompts()
async def list_prompts():
    return [types.Prompt(name="summarise", description="Asks for a summary.", arguments=[types.PromptArgument(name="style", required=False)])]


@server.get_prompt()
async def get_prompt(name, arguments):
    from mcp.shared.exceptions import McpError

    if name != "summarise":
        raise McpError(types.ErrorData(code=types.INVALID_PARAMS, message=f"There is no prompt {name}."))
    text = f"A {(arguments or {}).get('style', 'short')} summary, please."
    return types.GetPromptResult(messages=[types.PromptMessage(role="user", content=types.TextContent(type="text", text=text))])


@server.completion()
async def complete(ref, argument, context):
    return types.Completion(values=["short", "long"], hasMore=False)


async def stdio():
    from mcp.server.stdio import stdio_server

    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())


def http():
    import socket

    import uvicorn
    from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
    from starlette.applications import Starlette
    from starlette.routing import Route

    manager = StreamableHTTPSessionManager(server)

    class Endpoint:
        async def __call__(self, scope, receive, send):
            await manager.handle_request(scope, receive, send)

    @contextlib.asynccontextmanager
    async def lifespan(_):
        async with manager.run():
            yield

    listener = socket.create_server(("127.0.0.1", 0))
    print(f"http://127.0.0.1:{listener.getsockname()[1]}/mcp", flush=True)
    app = Starlette(routes=[Route("/mcp", Endpoint())], lifespan=lifespan)
    uvicorn.Server(uvicorn.Config(app, log_level="error")).run(sockets=[listener])


if "--http" in sys.argv:
    http()
else:
    anyio.run(stdio)
