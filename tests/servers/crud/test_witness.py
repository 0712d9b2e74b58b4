"""Every seeded bug and decoy shows with its switch, leaves its mark in the side file, and does not show without."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client

from clients import RawHttp, RawStdio, SdkConnection
from conftest import HERE, SERVER, SWITCHES, environment, start_http, stdio_client, stop
from crud_server.app import Crud
from witness import Connect, Json, Witness

BUGS: list[Json] = json.loads((HERE / "bugs.json").read_text(encoding="utf-8"))
DECOYS: list[Json] = json.loads((HERE / "decoys.json").read_text(encoding="utf-8"))
MODES = {"legacy": "legacy", "modern": "2026-07-28"}


def eras(entry: Json) -> list[str]:
    """The eras a witness runs in; the second one only with `--both-eras`."""
    era = entry.get("era", "any")
    return ["legacy", "modern"] if era == "any" else [era]


def cases(entries: list[Json]) -> list[Any]:
    """One test case for each entry and era."""
    return [
        pytest.param(entry, era, id=f"{entry['id']}-{era}", marks=[pytest.mark.second_era] if number else [])
        for entry in entries
        for number, era in enumerate(eras(entry))
    ]


async def run(entry: Json, era: str, switches: dict[str, str]) -> str | None:
    """Run a witness on a fresh server; None when it is shown, else why not."""
    raw = entry.get("client") == "raw"
    async with AsyncExitStack() as stack:
        url = ""
        if entry.get("transport") == "http":
            process, url = await anyio.to_thread.run_sync(lambda: start_http(**switches))
            stack.push_async_callback(anyio.to_thread.run_sync, stop, process)

        async def connect(stack: AsyncExitStack) -> Any:
            if not raw:
                return SdkConnection(await stack.enter_async_context(official_client(url, MODES[era], switches)))
            if url:
                http = RawHttp(era, url)
                await http.start(stack)
                return http
            stdio = RawStdio(era)
            await stdio.start(stack, switches)
            return stdio

        made: Connect = connect
        return await Witness(entry["witness"], made).shown()


def official_client(url: str, mode: str, switches: dict[str, str]) -> Client:
    """A client of the server at the URL, or of a new server: in this process when it is clean, for speed."""
    if url:
        return Client(url, mode=mode, cache=None)
    return (
        stdio_client(mode, **switches) if switches.keys() & SWITCHES else Client(Crud().server, mode=mode, cache=None)
    )


async def compare(entry: Json, era: str, switch: str, side: Path) -> None:
    """The witness must be shown with the switch, with a trigger in the side file, and not be shown without it."""
    outcome: dict[str, str | None] = {}

    async def note(name: str, switches: dict[str, str]) -> None:
        outcome[name] = await run(entry, era, {**switches, **entry.get("env", {})})

    async with anyio.create_task_group() as group:
        group.start_soon(note, "changed", {switch: entry["id"], "TOOLTEST_TRIGGER_FILE": str(side)})
        group.start_soon(note, "clean", {})
    assert outcome["changed"] is None
    assert outcome["clean"] is not None
    assert set(side.read_text().split()) == {entry["id"]}


@pytest.mark.anyio
@pytest.mark.parametrize(("entry", "era"), cases(BUGS))
async def test_bug(entry: Json, era: str, tmp_path: Path) -> None:
    await compare(entry, era, "TOOLTEST_BUG", tmp_path / "triggered")


@pytest.mark.anyio
@pytest.mark.parametrize(("entry", "era"), cases(DECOYS))
async def test_decoy(entry: Json, era: str, tmp_path: Path) -> None:
    await compare(entry, era, "TOOLTEST_DECOY", tmp_path / "triggered")


def test_catalogue() -> None:
    from crud_faults import decoys
    from crud_faults.bugs import answers, era, inputs, lifecycle, races, state, web, wire

    seeded = [name for module in (answers, era, inputs, lifecycle, races, state, web, wire) for name in module.SEEDED]
    assert sorted(seeded) == sorted(bug["id"] for bug in BUGS)
    assert sorted(decoys.SEEDED) == sorted(decoy["id"] for decoy in DECOYS)
    for bug in BUGS:
        assert {"id", "depth", "lint", "tool", "concurrency", "transport", "era", "description"} <= bug.keys()
        calls = sum(
            member.get("repeat", 1)
            for step in bug["witness"]
            for member in step.get("parallel", [step])
            if "tool" in member
        )
        assert bug["depth"] == max(1, calls), bug["id"]
        assert bug["transport"] in ("stdio", "http") and bug["era"] in ("legacy", "modern", "any")


def test_unknown_switch_is_refused() -> None:
    done = subprocess.run(
        [sys.executable, str(SERVER)], env=environment(TOOLTEST_BUG="nothing"), capture_output=True, text=True
    )
    assert done.returncode == 1
    assert "TOOLTEST_BUG=nothing" in done.stderr and "lost_update" in done.stderr


def test_the_clean_server_loads_no_faults() -> None:
    code = """if True:
        import sys
        from crud_server.__main__ import main
        sys.argv = ["crud_server"]
        main()
        sys.exit("crud_faults" in sys.modules)
    """
    subprocess.run([sys.executable, "-c", code], env=environment(), cwd=HERE, stdin=subprocess.DEVNULL, check=True)


def test_readme_names_every_bug_and_decoy() -> None:
    named = set(re.findall(r"`(\w+)`", (HERE / "README.md").read_text(encoding="utf-8")))
    assert not {entry["id"] for entry in [*BUGS, *DECOYS]} - named
