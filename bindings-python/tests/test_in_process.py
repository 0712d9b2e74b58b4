"""Server objects of the SDKs that are installed, run in this process."""
from __future__ import annotations

import asyncio
import logging
import threading
import time
from typing import Any

import pytest
from conftest import SMALL

import tooltest


def makers() -> list[Any]:
    """A class for each high-level server that is installed: official SDK 1.x, 2.x, and the package fastmcp."""
    found = []
    for module, name in [("mcp.server.fastmcp", "FastMCP"), ("mcp.server.mcpserver", "MCPServer"), ("fastmcp", "FastMCP")]:
        try:
            found.append(pytest.param(getattr(__import__(module, fromlist=[name]), name), id=f"{module}.{name}"))
        except (ImportError, AttributeError):
            continue
    return found or [pytest.param(None, marks=pytest.mark.skip("no SDK is installed"))]


pytestmark = pytest.mark.parametrize("make", makers())


def sound(make: Any) -> Any:
    server = make("calculator")

    @server.tool()
    def add(a: int, b: int) -> int:
        """Adds two numbers."""
        return a + b

    @server.tool()
    async def shout(text: str) -> str:
        """Says it loudly."""
        await asyncio.sleep(0)
        return text.upper()

    return server


def test_a_server_object_passes(make: Any) -> None:
    result = tooltest.run(sound(make), **SMALL)
    assert (result.outcome, result.server.name, result.server.transport) == ("passed", "calculator", "in-process"), tooltest.render(result)
    assert {tool.tool for tool in result.coverage if tool.ok} == {"add", "shout"}


def test_a_function_makes_a_server_for_every_session(make: Any) -> None:
    made = []

    def fresh() -> Any:
        made.append(threading.current_thread())
        return sound(make)

    result = tooltest.run(fresh, **SMALL)
    assert result.outcome == "passed"
    assert len(made) >= result.budget.sessions > 1
    assert threading.main_thread() not in made


def test_the_low_level_server_is_a_target_itself(make: Any) -> None:
    from tooltest._in_process import low_level

    result = tooltest.run(low_level(sound(make)), **SMALL)
    assert result.outcome == "passed"


def test_run_async_uses_the_loop_of_the_caller(make: Any) -> None:
    async def scenario() -> tooltest.RunResult:
        home, server = asyncio.get_running_loop(), make("home")

        @server.tool()
        async def where() -> bool:
            """Whether this is the caller's loop."""
            assert asyncio.get_running_loop() is home
            return True

        return await tooltest.run_async(server, **SMALL)

    result = asyncio.run(scenario())
    where = result.coverage[0]
    # What the schema forbids may be refused.
    assert (result.outcome, where.ok) == ("passed", where.valid)


def test_a_server_that_ends_is_found(make: Any) -> None:
    server = sound(make)

    @server.tool()
    def leave(code: int) -> int:
        """Ends the program."""
        raise SystemExit(code)

    result = tooltest.run(server, **SMALL)
    assert [(finding.lint, finding.tool) for finding in result.findings] == [("no_crash", "leave")]


def test_code_that_blocks_the_loop_does_not_block_the_run(make: Any) -> None:
    server, over = sound(make), threading.Event()

    @server.tool()
    async def stall() -> str:
        """Blocks the event loop."""
        over.wait()
        return "late"

    try:
        result = tooltest.run(server, **{**SMALL, "max_calls": 40, "request_timeout": 0.5, "fail_fast": True})
    finally:
        over.set()
    assert any(finding.tool == "stall" for finding in result.findings), tooltest.render(result)


def test_interrupting_leaves_no_thread(make: Any) -> None:
    def stop(event: tooltest.Event) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        tooltest.run(sound(make), on_event=stop, **SMALL)
    while any(thread.name == "tooltest-server" for thread in threading.enumerate()):
        time.sleep(0.01)


def test_functions_that_fail_are_told(make: Any) -> None:
    def broken() -> Any:
        raise ValueError("no database")

    with pytest.raises(tooltest.TooltestError, match="ValueError: no database") as caught:
        tooltest.run(broken, **SMALL)
    assert caught.value.kind == "open"
    with pytest.raises(tooltest.TooltestError, match="returned int"):
        tooltest.run(lambda: 3, **SMALL)


def test_the_logs_of_the_sdk_are_silent_only_meanwhile(make: Any, caplog: pytest.LogCaptureFixture) -> None:
    before = logging.getLogger("mcp").level
    tooltest.run(sound(make), **SMALL)
    assert logging.getLogger("mcp").level == before
    assert not [record for record in caplog.records if record.name.startswith("mcp.")]
