"""Servers in this process: objects of the MCP SDKs, run on an event loop, connected by messages in memory."""
from __future__ import annotations

import asyncio
import concurrent.futures
import functools
import inspect
import logging
import threading
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING, Any, ClassVar

from ._native import TooltestError

if TYPE_CHECKING:
    from collections.abc import Callable

    from ._native import Outbox

log = logging.getLogger("tooltest")

BLOCKED_AFTER = 1.0
"""Seconds without a sign of life after which a loop counts as blocked by the server's code."""
START_WITHIN = 30.0
"""Seconds that a function that makes a server may take."""
END_WITHIN = 2.0
"""Seconds that sessions may take to end once their input has ended; then they are cancelled."""


def low_level(server: Any) -> Any:
    """The SDK's low-level server inside an object, or ``None``.

    FastMCP (official SDK 1.x and the package of that name) keeps it as ``_mcp_server``, the official SDK 2.x as ``_lowlevel_server``.
    """
    for part in (server, getattr(server, "_mcp_server", None), getattr(server, "_lowlevel_server", None)):
        if part is not None and hasattr(part, "create_initialization_options") and inspect.iscoroutinefunction(getattr(part, "run", None)):
            return part
    return None


SDK_LOGGERS = ("mcp", "fastmcp", "FastMCP")
"""Loggers of the SDKs, which tell of every invalid request in many lines; a run makes thousands."""


class Quiet:
    """Silences the SDKs' own logs while runs go on; those of the server's code are left alone."""

    _lock = threading.Lock()
    _runs = 0
    _levels: ClassVar[dict[str, int]] = {}

    @classmethod
    def begin(cls) -> None:
        """One more run goes on."""
        with cls._lock:
            cls._runs += 1
            if cls._runs == 1:
                cls._levels = {name: logging.getLogger(name).level for name in SDK_LOGGERS}
                for name in SDK_LOGGERS:
                    logging.getLogger(name).setLevel(logging.CRITICAL + 1)

    @classmethod
    def end(cls) -> None:
        """One run less goes on."""
        with cls._lock:
            cls._runs -= 1
            if cls._runs == 0:
                for name, level in cls._levels.items():
                    logging.getLogger(name).setLevel(level)


class InProcess:
    """The sessions of one run with a server object, or with what a function makes."""

    def __init__(self, target: Any, loop: asyncio.AbstractEventLoop | None) -> None:
        if inspect.isclass(target) or (low_level(target) is None and not callable(target)):
            error = TooltestError(
                f"target: must be a command, a URL, an entry of a client configuration, a server object of an MCP SDK, "
                f"or a function that makes one, not {type(target).__name__}"
            )
            error.kind = "input"
            raise error
        self._target = target
        self._lent = loop
        self._own: asyncio.AbstractEventLoop | None = None
        self._sessions: set[Session] = set()
        name = getattr(target, "name", None) or getattr(target, "__name__", "")
        self.name = name if isinstance(name, str) and (low_level(target) or name.isidentifier()) else ""
        Quiet.begin()

    def connect(self, outbox: Outbox) -> Callable[[list[bytes] | None], None]:
        """Starts a session; called by the engine on a thread of its own. Returns what takes the messages for the server."""
        loop = self._loop()
        made = asyncio.run_coroutine_threadsafe(self._begin(outbox, loop), loop)
        try:
            session = made.result(START_WITHIN)
        except concurrent.futures.TimeoutError:
            made.cancel()
            raise TimeoutError(f"nothing happened for {START_WITHIN:.0f} seconds") from None
        return functools.partial(session.feed_from_outside, loop)

    async def _begin(self, outbox: Outbox, loop: asyncio.AbstractEventLoop) -> Session:
        server = self._target
        if low_level(server) is None:
            server = server()
            if inspect.isawaitable(server):
                server = await server
        if low_level(server) is None:
            raise TypeError(f"the function returned {type(server).__name__}, which is no server object of an MCP SDK")
        session = Session(server, outbox)
        self._sessions.add(session)
        session.task.add_done_callback(lambda _: self._sessions.discard(session))
        return session

    def _loop(self) -> asyncio.AbstractEventLoop:
        """The loop to run on: the one lent, or one on its own thread, which is replaced where server code blocks it."""
        if self._lent is not None:
            return self._lent
        if self._own is not None:
            alive = threading.Event()
            self._own.call_soon_threadsafe(alive.set)
            if alive.wait(BLOCKED_AFTER):
                return self._own
            self._abandon(self._own)
        loop = asyncio.new_event_loop()
        threading.Thread(target=_run_loop, args=(loop,), name="tooltest-server", daemon=True).start()
        self._own = loop
        return loop

    def _abandon(self, loop: asyncio.AbstractEventLoop) -> None:
        """A blocked loop ends as soon as the code that blocks it comes back, if ever."""
        self._sessions = set()
        loop.call_soon_threadsafe(loop.stop)

    def close(self) -> None:
        """Ends all sessions and the thread; for runs that had one."""
        Quiet.end()
        loop, self._own = self._own, None
        if loop is None:
            return
        ended = asyncio.run_coroutine_threadsafe(self._end(), loop)
        try:
            ended.result(2 * END_WITHIN)
        except (concurrent.futures.TimeoutError, concurrent.futures.CancelledError):
            log.debug("an in-process server did not end")
        loop.call_soon_threadsafe(loop.stop)

    async def end_here(self) -> None:
        """Ends all sessions on the loop that was lent."""
        await self._end()
        Quiet.end()

    async def _end(self) -> None:
        sessions = list(self._sessions)
        tasks = [session.task for session in sessions]
        for session in sessions:
            session.feed(None)
        if not tasks:
            return
        _, pending = await asyncio.wait(tasks, timeout=END_WITHIN)
        for task in pending:
            task.cancel()
        if pending:
            await asyncio.wait(pending, timeout=END_WITHIN)


def _run_loop(loop: asyncio.AbstractEventLoop) -> None:
    asyncio.set_event_loop(loop)
    loop.set_exception_handler(lambda _, context: log.debug("in the in-process server: %s", context.get("message")))
    try:
        _forever(loop)
        loop.run_until_complete(loop.shutdown_asyncgens())
    finally:
        loop.close()


def _forever(loop: asyncio.AbstractEventLoop) -> None:
    """Runs a loop until it is stopped; a tool that calls ``sys.exit`` ends its session, not the loop."""
    while True:
        try:
            return loop.run_forever()
        except (SystemExit, KeyboardInterrupt):
            log.debug("the in-process server asked for the end of the process")


class Session:
    """One session: the streams that the SDK's stdio transport reads and writes, without a pipe behind them."""

    def __init__(self, server: Any, outbox: Outbox) -> None:
        self._outbox = outbox
        self._lines: asyncio.Queue[bytes | None] = asyncio.Queue()
        self.task = asyncio.get_running_loop().create_task(self._serve(server))

    def feed_from_outside(self, loop: asyncio.AbstractEventLoop, messages: list[bytes] | None) -> None:
        """Takes messages on any thread; none means that there will be no more."""
        try:
            loop.call_soon_threadsafe(self.feed, messages)
        except RuntimeError:  # the loop is closed, and with it the session
            self._outbox.close()

    def feed(self, messages: list[bytes] | None) -> None:
        """Takes messages on the loop's thread."""
        for message in [None] if messages is None else messages:
            self._lines.put_nowait(message)

    async def _serve(self, server: Any) -> None:
        from mcp.server.stdio import stdio_server

        serving = low_level(server)
        try:
            async with AsyncExitStack() as stack:
                if lifespan := getattr(server, "_lifespan_manager", None):
                    await stack.enter_async_context(lifespan())
                streams: Any = self
                read, write = await stack.enter_async_context(stdio_server(stdin=streams, stdout=streams))
                await serving.run(read, write, serving.create_initialization_options())
        except Exception:
            log.exception("the in-process server ended with an exception")
        except (SystemExit, KeyboardInterrupt):
            log.debug("the in-process server asked for the end of the process")
        finally:
            self._outbox.close()

    def __aiter__(self) -> Session:
        return self

    async def __anext__(self) -> str:
        message = await self._lines.get()
        if message is None:
            raise StopAsyncIteration
        return message.decode("utf-8", errors="replace") + "\n"

    async def write(self, text: str) -> None:
        """Sends what the SDK writes: one message and a line feed."""
        self._outbox.send(text.rstrip("\n").encode("utf-8"))

    async def flush(self) -> None:
        """Nothing is kept back."""
