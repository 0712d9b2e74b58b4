"""The connections that witnesses run over: the official client, and raw JSON-RPC where that client hides a fault."""

from __future__ import annotations

import asyncio
import itertools
import json
import sys
import time
from contextlib import AsyncExitStack, suppress
from pathlib import Path
from typing import Any

import anyio
import httpx2
from mcp import Client, MCPError

from conftest import SERVER, environment
from witness import Json, view

CONNECTION_CLOSED, REQUEST_TIMEOUT = -32000, -32001
META = "io.modelcontextprotocol/"


class SdkConnection:
    """The official client."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._notifications: list[Json] = []

    async def perform(self, step: Json, wait: float) -> Json:
        """Do one step; a closed connection and silence both count as no answer."""
        result: Any = None
        for _ in range(step.get("repeat", 1)):
            self._notifications.clear()
            try:
                with anyio.move_on_after(0.1 if step.get("cancel") else wait) as scope:
                    result = await self._send(step)
            except MCPError as error:
                if error.code in (CONNECTION_CLOSED, REQUEST_TIMEOUT):
                    return view(None)
                return view({"error": error.error.model_dump(exclude_none=True)})
            if scope.cancelled_caught:
                return view(None)
        message = {"result": result.model_dump(mode="json", by_alias=True, exclude_none=True)}
        return view(message, notifications=list(self._notifications))

    async def _send(self, step: Json) -> Any:
        if step.get("method") == "tools/list":
            return await self._client.list_tools()
        return await self._client.call_tool(step["tool"], step["arguments"], progress_callback=self._note)

    async def _note(self, progress: float, total: float | None, message: str | None) -> None:
        self._notifications.append({"params": {"progress": progress, "total": total, "message": message}})


def request_of(step: Json, era: str) -> tuple[str, Json]:
    """Method and params of a step, with the envelope of its era."""
    if "tool" in step:
        method, params = "tools/call", {"name": step["tool"], "arguments": step["arguments"]}
    else:
        method, params = step["method"], dict(step.get("params", {}))
    if era == "modern":
        meta = {META + "protocolVersion": "2026-07-28", META + "clientCapabilities": {}, **step.get("meta", {})}
        params["_meta"] = {name: value for name, value in meta.items() if value is not None}
    return method, params


INITIALIZE = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "raw", "version": "1"}}


class RawStdio:
    """JSON-RPC over the pipes of an own server process; keeps everything that arrives."""

    def __init__(self, era: str) -> None:
        self._era = era
        self._ids = itertools.count(1)
        self._process: asyncio.subprocess.Process
        self._lines: asyncio.Queue[bytes] = asyncio.Queue()

    async def start(self, stack: AsyncExitStack, switches: dict[str, str]) -> None:
        """Start the server and, in the handshake era, shake hands."""
        self._process = await asyncio.create_subprocess_exec(
            sys.executable,
            str(SERVER),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            env=environment(**switches),
            limit=2**22,
        )
        stack.push_async_callback(self._stop)
        if self._era == "legacy":
            await self._exchange("initialize", INITIALIZE, 120)
            self._write({"method": "notifications/initialized"})

    async def perform(self, step: Json, wait: float) -> Json:
        """Do one step, as often as it says, and describe the last answer and all that came with it."""
        method, params = request_of(step, self._era)
        memory, start, seen = self._memory(), time.monotonic(), {}
        for _ in range(step.get("repeat", 1)):
            seen = await self._exchange(method, params, wait)
        return {**seen, "memory_grown_kb": self._memory() - memory, "seconds": time.monotonic() - start}

    async def _exchange(self, method: str, params: Json, wait: float) -> Json:
        request_id, fence = next(self._ids), next(self._ids)
        self._write({"id": request_id, "method": method, "params": params})
        # All that belongs to the request has arrived when a second request is answered after it. The fence goes out
        # first where no answer may come.
        junk: list[str] = []
        strays: list[Json] = []
        answers: list[Json] = []
        notifications: list[Json] = []
        fenced = False
        with anyio.move_on_after(wait):
            while line := await self._line():
                try:
                    message = json.loads(line)
                except ValueError:
                    junk.append(line.decode(errors="replace"))
                    continue
                if "id" not in message:
                    notifications.append(message)
                elif message["id"] == fence:
                    break
                elif message["id"] == request_id:
                    answers.append(message)
                else:
                    strays.append(message)
                if not fenced and "id" in message:
                    fenced = True
                    self._write_fence(fence)
        more = {"junk": "".join(junk), "strays": strays, "responses": len(answers), "notifications": notifications}
        return view(answers[0] if answers else None, **more)

    def _write_fence(self, request_id: int) -> None:
        if self._era == "legacy":
            self._write({"id": request_id, "method": "ping"})
        else:
            method, params = request_of({"method": "server/discover"}, self._era)
            self._write({"id": request_id, "method": method, "params": params})

    def _write(self, message: Json) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")

    async def _line(self) -> bytes:
        assert self._process.stdout is not None
        return await self._process.stdout.readline()

    def _memory(self) -> int:
        """Resident memory of the server in kB, 0 where the system does not tell."""
        try:
            status = Path(f"/proc/{self._process.pid}/status").read_text()
        except OSError:
            return 0
        return int(next(line.split()[1] for line in status.splitlines() if line.startswith("VmRSS")))

    async def _stop(self) -> None:
        with suppress(ProcessLookupError):
            self._process.kill()
        await self._process.wait()


class RawHttp:
    """One session of Streamable HTTP, request by request."""

    def __init__(self, era: str, url: str) -> None:
        self._era = era
        self._url = url
        self._ids = itertools.count(1)
        self._http: httpx2.AsyncClient
        self._session: Json = {}

    async def start(self, stack: AsyncExitStack) -> None:
        """Open the client and, in the handshake era, a session."""
        self._http = await stack.enter_async_context(httpx2.AsyncClient(timeout=None))
        if self._era == "legacy":
            body = {"jsonrpc": "2.0", "id": next(self._ids), "method": "initialize", "params": INITIALIZE}
            answer = await self._http.post(self._url, json=body, headers=self._headers())
            self._session = {"mcp-session-id": answer.headers["mcp-session-id"]}
            await self.perform({"notify": "notifications/initialized"}, 120)

    async def perform(self, step: Json, wait: float) -> Json:
        """Do one step: a bare HTTP method, a notification or a request."""
        if "http" in step:
            answer = await self._http.request(step["http"], self._url, headers=self._headers())
            return {"http": {"status": answer.status_code}}
        if "notify" in step:
            body: Json = {"jsonrpc": "2.0", "method": step["notify"]}
            answer = await self._http.post(self._url, json=body, headers=self._headers())
            return {"http": {"status": answer.status_code}}
        method, params = request_of(step, self._era)
        body = {"jsonrpc": "2.0", "id": next(self._ids), "method": method, "params": params}
        headers = {**self._headers(method, params), **step.get("headers", {})}
        return await self._post(body, headers, wait)

    async def _post(self, body: Json, headers: Json, wait: float) -> Json:
        seen: Json = {}
        text = ""
        with anyio.move_on_after(wait), suppress(httpx2.TransportError):
            async with self._http.stream("POST", self._url, json=body, headers=headers) as answer:
                seen = {"status": answer.status_code, "content_type": answer.headers.get("content-type")}
                async for part in answer.aiter_text():
                    text += part
        data = [line.removeprefix("data:") for line in text.splitlines() if line.startswith("data:")]
        messages = []
        for candidate in data or [text]:
            with suppress(ValueError):
                messages.append(json.loads(candidate))
        response = next((message for message in messages if message.get("id") == body["id"]), None)
        return view(response, http=seen, session_id=self._session.get("mcp-session-id"))

    def _headers(self, method: str | None = None, params: Json | None = None) -> Json:
        version = "2025-11-25" if self._era == "legacy" else "2026-07-28"
        headers = {"accept": "application/json, text/event-stream", "mcp-protocol-version": version, **self._session}
        if self._era == "modern" and method is not None:
            headers["mcp-method"] = method
            name = (params or {}).get("name", (params or {}).get("uri"))
            if name is not None:
                headers["mcp-name"] = name
        return headers
