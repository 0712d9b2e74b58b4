"""The official Python client lists and calls everything that `tooltest mcp` offers.

Arguments: the program, the URL of a running `tooltest mcp --http`, and the URL of another one to test.
"""

from __future__ import annotations

import json
import sys
from typing import Any

import anyio
from mcp import Client, StdioServerParameters

TOOLS = ["tooltest", "lint", "replay", "explain_lint", "list_lints"]
MODES = {"legacy": "2025-11-25", "auto": "2026-07-28"}


async def document(client: Client, tool: str, arguments: dict[str, Any], **options: Any) -> dict[str, Any]:
    """The structured answer of a call; its text says the same. The client checks it against the output schema."""
    result = await client.call_tool(tool, arguments, **options)
    assert not result.is_error, result
    assert result.structured_content is not None
    assert json.loads(result.content[0].text) == result.structured_content
    return result.structured_content


async def everything(client: Client, target: dict[str, Any], outcome: str) -> None:
    """Lists, reads and calls everything; a run of `target` must end with `outcome`."""
    assert client.server_info.name == "tooltest"
    tools = (await client.list_tools()).tools
    assert [tool.name for tool in tools] == TOOLS, tools
    assert all(tool.output_schema and tool.annotations and tool.description for tool in tools)

    assert [prompt.name for prompt in (await client.list_prompts()).prompts] == ["tooltest-fix-loop"]
    prompt = await client.get_prompt("tooltest-fix-loop")
    assert [resource.uri for resource in (await client.list_resources()).resources] == ["tooltest://guides/fix-loop"]
    guide = await client.read_resource("tooltest://guides/fix-loop")
    assert guide.contents[0].text == prompt.messages[0].content.text

    lints = (await document(client, "list_lints", {}))["lints"]
    assert "no_crash" in [lint["id"] for lint in lints]
    assert (await document(client, "explain_lint", {"id": "no_crash"}))["level"] == "error"
    assert (await document(client, "lint", {"target": target}))["outcome"] == "passed"

    told: list[float] = []

    async def note(progress: float, total: float | None, message: str | None) -> None:
        assert total is not None and message
        told.append(progress)

    wanted = {
        "target": target, "tool_blocklist": ["tooltest", "lint", "replay"], "seed": 1, "max_calls": 120, "time_limit": 60
    }
    result = await document(client, "tooltest", wanted, progress_callback=note)
    assert result["outcome"] == outcome, result["findings"]
    assert told == sorted(told)
    if outcome == "failed":
        files = [finding["failure_file"] for finding in result["findings"]]
        replayed = (await document(client, "replay", {"files": files}))["replayed"]
        assert {one["status"] for one in replayed} == {"failing"}, replayed
    refused = await client.call_tool("replay", {"files": []})
    assert refused.is_error and "files" in refused.content[0].text


async def main(program: str, url: str, other: str) -> None:
    """Both transports in both eras."""
    command = StdioServerParameters(command=program, args=["mcp"])
    demo = {"stdio": {"command": program, "args": ["demo", "--serve"]}}
    for mode, version in MODES.items():
        async with Client(command, mode=mode, cache=None) as client:
            assert client.protocol_version == version
            await everything(client, demo, "failed")
        async with Client(url, mode=mode, cache=None) as client:
            assert client.protocol_version == version
            await everything(client, {"http": {"url": other}}, "passed")


if __name__ == "__main__":
    anyio.run(main, *sys.argv[1:])
