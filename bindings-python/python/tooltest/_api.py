"""The functions of the package: JSON to the engine, documents back."""
from __future__ import annotations

import atexit
import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, Union, cast

from . import _native
from ._document import Document
from .types import Event, Finding, RunResult

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable, Mapping, Sequence

    from typing_extensions import Unpack

    from ._in_process import InProcess
    from .types import Options

    OnEvent = Callable[[Event], object]

Target = Union[str, "Sequence[str]", "Mapping[str, Any]", object]
"""A command line, its words, a URL, an entry of a client configuration, a target document, a server object, or a function that makes one."""

atexit.register(_native.end_all)


def run(target: Target, *, on_event: OnEvent | None = None, **options: Unpack[Options]) -> RunResult:
    """Tests a server and waits for the result. The GIL is released meanwhile; Ctrl-C ends the run and its server.

    ``on_event`` is called in this thread with each event; an exception it raises ends the run and is passed on.
    A server object is run on a thread with an event loop of its own; a function without parameters is called for
    every fresh session and returns the server object.

    Raises:
        TooltestError: tooltest could not do its work. A failing server is a result: see ``result.outcome``.
    """
    return RunResult(_carry_out("run", target, options, on_event))


async def run_async(target: Target, *, on_event: OnEvent | None = None, **options: Unpack[Options]) -> RunResult:
    """As :func:`run`, for asyncio. Cancelling the task ends the run and its server before ``CancelledError`` is raised.

    ``on_event`` is called in the event loop's thread. A server object runs in this event loop, so that it may use
    what was made in it.
    """
    import asyncio
    import threading

    loop = asyncio.get_running_loop()
    document, server = _read(target, loop)
    try:
        started = _start("run", document, options, on_event is not None, server)
    except BaseException:
        await _last(server.end_here() if server else None)
        raise
    done: asyncio.Future[str] = loop.create_future()

    def tell(text: str) -> None:
        loop.call_soon_threadsafe(_call, cast("OnEvent", on_event), text, started, done)

    def work() -> None:
        try:
            text, error = started.wait(None if on_event is None else tell), None
        except BaseException as raised:
            text, error = "", raised
        if not loop.is_closed():
            loop.call_soon_threadsafe(_settle, done, text, error)

    thread = threading.Thread(target=work, name="tooltest")
    thread.start()
    try:
        return RunResult(json.loads(await done))
    except BaseException:
        started.cancel()
        raise
    finally:
        await _last(_gone(thread), server.end_here() if server else None)


async def _last(*steps: Any) -> None:
    """Takes the last steps of a run, whatever is cancelled meanwhile."""
    import asyncio

    for step in steps:
        if step is None:
            continue
        task = asyncio.ensure_future(step)
        while not task.done():
            try:
                await asyncio.wait([task])
            except asyncio.CancelledError:
                continue


async def _gone(thread: Any) -> None:
    """Waits for a thread without blocking the loop."""
    import asyncio

    while thread.is_alive():
        await asyncio.sleep(0.002)


def _call(on_event: OnEvent, text: str, started: _native.Run, done: asyncio.Future[str]) -> None:
    if done.done():
        return
    try:
        on_event(_event(text))
    except BaseException as raised:
        started.cancel()
        done.set_exception(raised)


def _settle(done: asyncio.Future[str], text: str, error: BaseException | None) -> None:
    if done.done():
        return
    if error is None:
        done.set_result(text)
    else:
        done.set_exception(error)


def lint(target: Target, *, on_event: OnEvent | None = None, **options: Unpack[Options]) -> RunResult:
    """Judges what a server lists and how it speaks, without calling a tool."""
    return RunResult(_carry_out("lint", target, options, on_event))


def replay(
    files: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
    target: Target | None = None,
    *,
    on_event: OnEvent | None = None,
    **options: Unpack[Options],
) -> RunResult:
    """Runs saved failures again: files, or folders of them. ``result.replayed`` says which are still there.

    ``target`` is another server than the one that failed, for example its fixed version.
    """
    paths = [files] if isinstance(files, (str, os.PathLike)) else list(files)
    found = [file for path in paths for file in _native.failure_files(path)]
    if target is None:
        target = json.loads(_native.common_target(found))
    options = cast("Options", {**options, "phases": ["replay"], "keep_going": True})
    return RunResult(_carry_out("run", target, options, on_event, found))


def list_tools(target: Target, **options: Unpack[Options]) -> list[dict[str, Any]]:
    """The tools of a server as it lists them; none is called."""
    return cast("list[dict[str, Any]]", _carry_out("list_tools", target, options, None))


def from_config(path: str | os.PathLike[str], server: str | None = None) -> dict[str, Any]:
    """A server of a client configuration file (``.mcp.json`` and the like), as a target; ``${VAR}`` is expanded."""
    text = Path(path).read_text(encoding="utf-8")
    return cast("dict[str, Any]", json.loads(_native.client_target(text, server)))


def read_target(target: str | Sequence[str] | Mapping[str, Any], server: str | None = None) -> dict[str, Any]:
    """The target document that a command line, its words, a URL or a client configuration stands for."""
    return cast("dict[str, Any]", json.loads(_native.read_target(json.dumps(target), server)))


def render(result: RunResult | Mapping[str, Any], format: str = "human", *, width: int = 100, colour: bool = False, verbose: bool = False) -> str:
    """A result as a report: ``human``, ``json``, ``junit``, ``sarif``, ``html``, ``markdown``, ``github`` or ``ndjson``."""
    return _native.render(json.dumps(plain(result)), format, width, colour, verbose)


def plain(document: Document | Mapping[str, Any]) -> dict[str, Any]:
    """The JSON data of a document."""
    return document.to_dict() if isinstance(document, Document) else dict(document)


def render_finding(finding: Finding | Mapping[str, Any], *, width: int = 100, colour: bool = False) -> str:
    """One finding as the terminal report shows it: what, why, what to do, the smallest case, how to run it again."""
    return _native.render_finding(json.dumps(plain(finding)), width, colour)


def _event(text: str) -> Event:
    return cast("Event", Document._classes["Event"](json.loads(text)))


def _carry_out(job: str, target: Target, options: Mapping[str, Any], on_event: OnEvent | None, files: Sequence[Any] = ()) -> Any:
    document, server = _read(target, None)
    try:
        started = _start(job, document, options, on_event is not None, server, files)
        return json.loads(started.wait(None if on_event is None else lambda text: on_event(_event(text))))
    finally:
        if server is not None:
            server.close()


def _start(job: str, document: Any, options: Mapping[str, Any], events: bool, server: InProcess | None, files: Sequence[Any] = ()) -> _native.Run:
    settings = {
        "job": job,
        "working_dir": os.getcwd(),
        "user_config_dir": _user_config_dir(),
        "random_seed": int.from_bytes(os.urandom(8), "little") >> 11,
        "replay": [os.fspath(file) for file in files],
    }
    connect = None if server is None else server.connect
    return _native.Run(json.dumps({"target": document, **options}), json.dumps(settings), events, connect)


def _read(target: Target, loop: asyncio.AbstractEventLoop | None) -> tuple[Any, InProcess | None]:
    """The target document, and the sessions of a server object of this process."""
    if isinstance(target, os.PathLike):
        target = os.fspath(target)
    if isinstance(target, (str, list, tuple, dict)):
        return read_target(target), None
    from ._in_process import InProcess

    server = InProcess(target, loop)
    return {"in_process": {"name": server.name}}, server


def _user_config_dir() -> str | None:
    if folder := os.environ.get("XDG_CONFIG_HOME"):
        return folder if os.path.isabs(folder) else None
    home = os.environ.get("HOME")
    return os.path.join(home, ".config") if home else os.environ.get("APPDATA")
