"""Bugs that show over Streamable HTTP: statuses, headers, cut streams, sessions that mix."""

from __future__ import annotations

import itertools
import json
from collections.abc import Awaitable, Callable
from contextvars import ContextVar
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

from mcp.server import streamable_http_manager
from mcp.server.context import CallNext
from mcp.server.transport_security import TransportSecuritySettings
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from crud_faults.bugs.races import swap_answers
from crud_faults.mutant import Call, Context, Json, Mutant, seeding, session_of
from crud_server.app import PATH
from crud_server.store import Store

SEEDED, bug = seeding()

Handler = Callable[[ASGIApp, Scope, bytes, Receive, Send], Awaitable[None]]


def _intercept(mutant: Mutant, handler: Handler) -> None:
    """Hand every HTTP request with its whole body to a handler, which may pass it on to the application."""

    def wrap(app: ASGIApp) -> ASGIApp:
        async def intercepted(scope: Scope, receive: Receive, send: Send) -> None:
            if scope["type"] != "http":
                await app(scope, receive, send)
                return
            body, more = b"", scope["method"] == "POST"
            while more:
                message = await receive()
                body += message.get("body", b"")
                more = message.get("more_body", False)
            await handler(app, scope, body, _replay(body, receive), send)

        return intercepted

    mutant.web(wrap)


def _replay(body: bytes, receive: Receive) -> Receive:
    pending = [{"type": "http.request", "body": body, "more_body": False}]

    async def replayed() -> Message:
        return pending.pop() if pending else await receive()

    return replayed


def _calls(body: bytes, tool: str) -> bool:
    """Whether an HTTP body is a call of this tool."""
    try:
        message = json.loads(body)
        return message["method"] == "tools/call" and message["params"]["name"] == tool
    except (ValueError, TypeError, KeyError):
        return False


async def _respond(send: Send, status: int, content_type: bytes, body: bytes) -> None:
    headers = [(b"content-type", content_type), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


def _set_header(message: Message, name: bytes, value: bytes) -> None:
    kept = [(key, old) for key, old in message["headers"] if key.lower() != name]
    message["headers"] = [*kept, (name, value)]


@bug
def http_500_on_unicode(mutant: Mutant) -> None:
    async def handle(app: ASGIApp, scope: Scope, body: bytes, receive: Receive, send: Send) -> None:
        if not body.isascii() or b"\\u" in body:
            mutant.trigger()
            await _respond(send, 500, b"text/plain", b"Internal Server Error")
        else:
            await app(scope, receive, send)

    _intercept(mutant, handle)


@bug
def http_answer_cut(mutant: Mutant) -> None:
    async def handle(app: ASGIApp, scope: Scope, body: bytes, receive: Receive, send: Send) -> None:
        async def cut(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [pair for pair in message["headers"] if pair[0].lower() != b"content-length"]
            elif b'"result"' in message.get("body", b""):
                mutant.trigger()
                half = message["body"][: len(message["body"]) // 2]
                await send({"type": "http.response.body", "body": half, "more_body": True})
                raise ConnectionAbortedError("the worker died")
            await send(message)

        await app(scope, receive, cut if _calls(body, "export_project") else send)

    _intercept(mutant, handle)


@bug
def http_plain_text(mutant: Mutant) -> None:
    async def handle(app: ASGIApp, scope: Scope, body: bytes, receive: Receive, send: Send) -> None:
        async def relabel(message: Message) -> None:
            if message["type"] == "http.response.start":
                mutant.trigger()
                _set_header(message, b"content-type", b"text/plain; charset=utf-8")
            await send(message)

        await app(scope, receive, relabel if _calls(body, "project_stats") else send)

    _intercept(mutant, handle)


@bug
def http_notification_answered(mutant: Mutant) -> None:
    async def handle(app: ASGIApp, scope: Scope, body: bytes, receive: Receive, send: Send) -> None:
        status = 0

        async def watch(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            if status != 202:
                await send(message)

        await app(scope, receive, watch)
        if status == 202:
            mutant.trigger()
            await _respond(send, 200, b"application/json", b'{"jsonrpc":"2.0","result":{}}')

    _intercept(mutant, handle)


@bug
def http_unknown_method_ok(mutant: Mutant) -> None:
    async def handle(app: ASGIApp, scope: Scope, body: bytes, receive: Receive, send: Send) -> None:
        modern = dict(scope["headers"]).get(b"mcp-protocol-version") == b"2026-07-28"

        async def relabel(message: Message) -> None:
            if modern and message["type"] == "http.response.start" and message["status"] == 404:
                mutant.trigger()
                message["status"] = 200
            await send(message)

        await app(scope, receive, relabel)

    _intercept(mutant, handle)


@bug
def http_foreign_origin(mutant: Mutant) -> None:
    security = TransportSecuritySettings(enable_dns_rebinding_protection=False)
    mutant.crud.http_app = lambda host: mutant.server.streamable_http_app(  # type: ignore[method-assign]
        streamable_http_path=PATH, host=host, transport_security=security
    )

    async def handle(app: ASGIApp, scope: Scope, body: bytes, receive: Receive, send: Send) -> None:
        origin = dict(scope["headers"]).get(b"origin", b"")
        if origin and b"127.0.0.1" not in origin and b"localhost" not in origin:
            mutant.trigger()
        await app(scope, receive, send)

    _intercept(mutant, handle)


@bug
def http_deleted_session_lives(mutant: Mutant) -> None:
    async def handle(app: ASGIApp, scope: Scope, body: bytes, receive: Receive, send: Send) -> None:
        if scope["method"] == "DELETE":
            mutant.trigger()
            await _respond(send, 200, b"application/json", b"")
        else:
            await app(scope, receive, send)

    _intercept(mutant, handle)


@bug
def http_session_ids_counted(mutant: Mutant) -> None:
    count = itertools.count(1)

    def next_id() -> Any:
        mutant.trigger()
        return SimpleNamespace(hex=f"session-{next(count):08}")

    streamable_http_manager.uuid4 = next_id  # type: ignore[assignment]


@bug
def http_filter_leaks(mutant: Mutant) -> None:
    last: tuple[str | None, Any] = (None, None)

    @mutant.request("tools/call")
    async def call_tool(context: Context, call_next: CallNext) -> Any:
        nonlocal last
        params = dict(context.params or {})
        if params.get("name") != "list_tasks":
            return await call_next(context)
        arguments = dict(params.get("arguments") or {})
        session, status = last
        if "status" in arguments:
            last = (session_of(context), arguments["status"])
        elif status is not None and session != session_of(context):
            mutant.trigger()
            params["arguments"] = {**arguments, "status": status}
            return await call_next(replace(context, params=params))
        return await call_next(context)


@bug
def http_sessions_swapped(mutant: Mutant) -> None:
    swap_answers(mutant, "get_project", between_sessions=True)


@bug
def http_state_per_connection(mutant: Mutant) -> None:
    stores: dict[Any, Store] = {}
    connection: ContextVar[Any] = ContextVar("connection", default=None)

    @mutant.request("tools/call")
    async def note(context: Context, call_next: CallNext) -> Any:
        connection.set(None if context.request is None else context.request.client)
        return await call_next(context)

    @mutant.around(*(tool.name for tool in mutant.server._tool_manager.list_tools()))
    async def call_tool(call: Call, arguments: Json) -> Any:
        # A tool never awaits, so no other call sees the exchanged records.
        own = stores.setdefault(connection.get(), Store())
        mutant.store.__dict__.update({name: vars(own)[name] for name in ("projects", "tasks", "comments", "trash")})
        if len(stores) > 1:
            mutant.trigger()
        return await call(**arguments)

    async def handle(app: ASGIApp, scope: Scope, body: bytes, receive: Receive, send: Send) -> None:
        async def close(message: Message) -> None:
            if message["type"] == "http.response.start":
                _set_header(message, b"connection", b"close")
            await send(message)

        await app(scope, receive, close)

    _intercept(mutant, handle)
