"""The command line, stdio framing and Streamable HTTP of the clean server."""

from __future__ import annotations

import json
import subprocess
import sys

import anyio
import pytest
from mcp import Client

from conftest import HERE, SERVER, Caller, environment

INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}},
}


@pytest.mark.parametrize("command", [[str(SERVER)], ["-m", "crud_server"]])
def test_stdio_ends_with_its_input(command: list[str]) -> None:
    lines = "not json\n" + json.dumps(INITIALIZE) + "\n"
    done = subprocess.run(
        [sys.executable, *command], input=lines, capture_output=True, text=True, cwd=HERE, env=environment()
    )
    assert done.returncode == 0
    messages = [json.loads(line) for line in done.stdout.splitlines()]
    assert [message["id"] for message in messages] == [1]
    assert messages[0]["result"]["protocolVersion"] == "2025-06-18"


@pytest.mark.anyio
@pytest.mark.parametrize("mode", ["legacy", "2026-07-28"])
async def test_http_sessions_share_the_store(http_url: str, mode: str) -> None:
    async with Client(http_url, mode=mode) as first, Client(http_url, mode=mode) as second:
        made = await Caller(first).structured("create_project", name=f"Shared {mode}")
        assert await Caller(second).structured("get_project", project_id=made["id"]) == made


@pytest.mark.anyio
async def test_concurrent_changes_are_all_kept(http_url: str) -> None:
    async with Client(http_url) as client:
        call = Caller(client)
        project = (await call.structured("create_project", name="Busy"))["id"]
        async with anyio.create_task_group() as group:
            for number in range(20):
                group.start_soon(lambda n=number: call.text("create_task", project_id=project, title=str(n)))
        page = await call.structured("list_tasks", project_id=project, limit=100)
        assert sorted(int(task["title"]) for task in page["items"]) == list(range(20))
        assert len({task["id"] for task in page["items"]}) == 20
