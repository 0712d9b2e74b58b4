"""Shared fixtures: the server as a real process, driven by the official client."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters

HERE = Path(__file__).resolve().parent
SERVER = HERE / "server.py"
SWITCHES = ("TOOLTEST_BUG", "TOOLTEST_DECOY", "TOOLTEST_TRIGGER_FILE")


def environment(**switches: str) -> dict[str, str]:
    """The environment of this process, with only the given switches set."""
    inherited = {name: value for name, value in os.environ.items() if name not in SWITCHES}
    return {**inherited, **switches}


def stdio_client(mode: str = "legacy", **switches: str) -> Client:
    """A client that starts its own server on stdio; `mode` is `legacy` or `2026-07-28`."""
    parameters = StdioServerParameters(command=sys.executable, args=[str(SERVER)], env=environment(**switches))
    return Client(parameters, mode=mode, cache=None)


def start_http(**switches: str) -> tuple[subprocess.Popen[str], str]:
    """Start the server on a free loopback port; returns the process and the URL it serves."""
    process = subprocess.Popen(
        [sys.executable, str(SERVER), "--http", "0"], stderr=subprocess.PIPE, text=True, env=environment(**switches)
    )
    assert process.stderr is not None
    for line in process.stderr:
        if line.startswith("Serving MCP on "):
            return process, line.removeprefix("Serving MCP on ").strip()
    raise RuntimeError(f"the server ended with exit code {process.wait()}")


def stop(process: subprocess.Popen[str]) -> None:
    """Stop a server of `start_http` and collect its exit code."""
    process.terminate()
    process.communicate()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--both-eras", action="store_true", help="run the witnesses of bugs that any era shows in both")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "second_era: a witness that also runs in another era")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if not config.getoption("--both-eras"):
        skipped = [item for item in items if item.get_closest_marker("second_era")]
        config.hook.pytest_deselected(items=skipped)
        items[:] = [item for item in items if item not in skipped]


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="module")
def http_url() -> Iterator[str]:
    process, url = start_http()
    yield url
    stop(process)


@pytest.fixture(scope="module", params=["legacy", "2026-07-28"])
async def client(request: pytest.FixtureRequest, anyio_backend: str) -> AsyncIterator[Client]:
    """One stdio server for all tests of a module, in each era."""
    async with stdio_client(request.param) as connected:
        yield connected


class Caller:
    """Calls tools and hands back what a test wants to see of the answer."""

    def __init__(self, client: Client) -> None:
        self.client = client

    async def structured(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """The structured answer of a call that succeeds."""
        result = await self.client.call_tool(tool, arguments)
        assert not result.is_error, result.content
        assert result.structured_content is not None
        return result.structured_content

    async def text(self, tool: str, **arguments: Any) -> str:
        """The text of a call that succeeds and has no structured answer."""
        result = await self.client.call_tool(tool, arguments)
        assert not result.is_error, result.content
        assert result.structured_content is None
        return result.content[0].text  # type: ignore[union-attr]

    async def refused(self, tool: str, **arguments: Any) -> str:
        """The text of a call that is refused."""
        result = await self.client.call_tool(tool, arguments)
        assert result.is_error
        return result.content[0].text  # type: ignore[union-attr]


@pytest.fixture
def call(client: Client) -> Caller:
    return Caller(client)
