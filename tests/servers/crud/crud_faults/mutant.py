"""The seams through which a seeded bug changes the server: a tool, its arguments, its answers, the wire."""

from __future__ import annotations

import json
import os
import sys
import traceback
from collections.abc import Awaitable, Callable
from typing import Any, NoReturn

import anyio
from mcp.server.context import CallNext, ServerRequestContext
from mcp.server.mcpserver.tools import Tool
from mcp.server.stdio import stdio_server
from mcp_types.version import MODERN_PROTOCOL_VERSIONS
from pydantic import PrivateAttr
from starlette.types import ASGIApp

from crud_server.app import Crud
from crud_server.strict import StrictMetadata

Json = dict[str, Any]
Context = ServerRequestContext[Any, Any]
Call = Callable[..., Awaitable[Any]]
Installer = Callable[["Mutant"], None]


def seeding() -> tuple[dict[str, Installer], Callable[[Installer], Installer]]:
    """A registry of seeded faults and the decorator that enters a function under its own name."""
    registry: dict[str, Installer] = {}

    def seed(installer: Installer) -> Installer:
        registry[installer.__name__] = installer
        return installer

    return registry, seed


class Mutant:
    """One server with one fault, and the means to put it there."""

    def __init__(self, fault: str, crud: Crud, trigger_file: str | None) -> None:
        self.fault = fault
        self.crud = crud
        self.store = crud.store
        self.server = crud.server
        self._trigger_file = trigger_file

    def trigger(self) -> None:
        """Note in the side file that the faulty path ran."""
        if self._trigger_file:
            with open(self._trigger_file, "a", encoding="utf-8") as side:
                side.write(self.fault + "\n")

    def crash(self) -> NoReturn:
        """End the process as an unhandled exception in native code would."""
        self.trigger()
        traceback.print_stack()
        sys.stderr.flush()
        os._exit(70)

    def tool(self, name: str) -> Tool:
        """A registered tool; its fields may be assigned."""
        tool = self.server._tool_manager.get_tool(name)
        assert tool is not None, name
        return tool

    def around(self, *names: str) -> Callable[[Callable[[Call, Json], Awaitable[Any]]], None]:
        """Put `async replacement(call, arguments)` around tools; the arguments are validated, with defaults."""

        def install(replacement: Callable[[Call, Json], Awaitable[Any]]) -> None:
            for name in names:
                self._wrap(self.tool(name), replacement)

        return install

    @staticmethod
    def _wrap(tool: Tool, replacement: Callable[[Call, Json], Awaitable[Any]]) -> None:
        original = tool.fn

        async def call(**arguments: Any) -> Any:
            return await replacement(original, arguments)

        tool.fn = call

    def arguments(self, name: str) -> Callable[[Callable[[Callable[[Json], Json], Json], Json]], None]:
        """Put `replacement(validate, raw)` in place of the argument check of a tool; it returns keyword arguments."""

        def install(replacement: Callable[[Callable[[Json], Json], Json], Json]) -> None:
            tool = self.tool(name)
            loosened = Loosened(**dict(tool.fn_metadata))
            loosened._replacement = replacement
            tool.fn_metadata = loosened

        return install

    def request(self, method: str) -> Callable[[Callable[[Context, CallNext], Awaitable[Any]]], None]:
        """Put `async replacement(context, call_next)` around a method; `call_next` returns the result for the wire."""

        def install(replacement: Callable[[Context, CallNext], Awaitable[Any]]) -> None:
            async def middleware(ctx: Context, call_next: CallNext) -> Any:
                return await (replacement(ctx, call_next) if ctx.method == method else call_next(ctx))

            self.server.middleware.append(middleware)

        return install

    def answer(self, name: str) -> Callable[[Callable[[Json, Json], Json | None]], None]:
        """Let `change(arguments, result)` edit the result of a tool just before it goes to the wire."""

        def install(change: Callable[[Json, Json], Json | None]) -> None:
            @self.request("tools/call")
            async def changed(context: Context, call_next: CallNext) -> Any:
                result = await call_next(context)
                params = context.params or {}
                if params.get("name") != name:
                    return result
                edited = change(dict(params.get("arguments") or {}), result)  # type: ignore[arg-type]
                return result if edited is None else edited

        return install

    def stdout(self, change: Callable[[Json], list[Json | str]]) -> None:
        """Let `change(message)` say which lines go to stdout for each outgoing message."""

        async def serve_stdio() -> None:
            server = self.server._lowlevel_server
            async with stdio_server(stdout=TamperedStdout(change)) as (read, write):  # type: ignore[arg-type]
                await server.run(read, write, server.create_initialization_options())

        self.crud.serve_stdio = serve_stdio  # type: ignore[method-assign]

    def web(self, wrap: Callable[[ASGIApp], ASGIApp]) -> None:
        """Put an ASGI middleware around the HTTP application."""
        build = self.crud.http_app
        self.crud.http_app = lambda host: wrap(build(host))  # type: ignore[method-assign]


class Loosened(StrictMetadata):
    """Tool metadata with a replaced argument check."""

    _replacement: Callable[[Callable[[Json], Json], Json], Json] = PrivateAttr()

    def validate_arguments(self, arguments_to_validate: Json) -> Json:
        """The arguments as the replacement wants them."""
        return self._replacement(super().validate_arguments, arguments_to_validate)


class TamperedStdout:
    """The part of an async text file that the stdio transport uses, with a hook on every message."""

    def __init__(self, change: Callable[[Json], list[Json | str]]) -> None:
        self._change = change
        self._file = anyio.wrap_file(sys.stdout)

    async def write(self, line: str) -> None:
        """Write the lines that the hook makes of one message."""
        for item in self._change(json.loads(line)):
            text = item if isinstance(item, str) else json.dumps(item, ensure_ascii=False)
            await self._file.write(text + "\n")

    async def flush(self) -> None:
        """Flush stdout."""
        await self._file.flush()


def text_of(result: Json) -> str:
    """The text of the first content block."""
    return result["content"][0]["text"]


def set_text(result: Json, text: str) -> None:
    """Replace the content by one block of text."""
    result["content"] = [{"type": "text", "text": text}]


def is_modern(context: Context) -> bool:
    """Whether the request is served at 2026-07-28 or later."""
    return context.protocol_version in MODERN_PROTOCOL_VERSIONS


def session_of(context: Context) -> str | None:
    """The HTTP session of a request, or None on stdio and in the stateless era."""
    return None if context.request is None else context.request.headers.get("mcp-session-id")
