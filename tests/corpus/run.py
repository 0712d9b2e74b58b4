#!/usr/bin/env python3
"""Runs tooltest over a collection of real MCP servers and prints how each fared.

The collection is not part of this repository. It is reached through a command: `SERVE NAME` starts the server NAME on standard input and
output and says nothing itself, and `SERVE --reset NAME`, where there is such a thing (--reset), brings its files back to where they began.

    python3 tests/corpus/run.py --serve ~/servers/serve --reset --markdown corpus.md memory filesystem

Some tools cannot work without a network, an account or a program; offline.json names them with the reasons. The figures are given with and
without them.

The exit status is 0 unless tooltest itself failed or a server left processes behind.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

# tooltest ends by itself at its time limit; shrinking and slow starts may take this much longer, in seconds.
GRACE = 60
# Processes that end with their server get this long, in seconds.
SETTLE = 2.0
# Processes of one run are told from others by this variable.
MARK = "TOOLTEST_CORPUS_RUN"


@dataclass
class Fared:
    """How one server fared."""

    name: str
    outcome: str
    seconds: float
    tools: int = 0
    working: int = 0
    able: int = 0
    calls: int = 0
    errors: Counter[str] = field(default_factory=Counter)
    warnings: Counter[str] = field(default_factory=Counter)
    orphans: list[str] = field(default_factory=list)

    def cells(self) -> list[str]:
        """The row of a table."""
        counts = [" ".join(f"{lint}×{n}" if n > 1 else lint for lint, n in sorted(found.items())) for found in (self.errors, self.warnings)]
        return [self.name, str(self.tools), str(self.working), str(self.able), share(self.working, self.able), self.outcome, *counts, str(self.calls), f"{self.seconds:.1f}", str(len(self.orphans))]


HEAD = ["server", "tools", "with a success", "able offline", "share of these", "outcome", "errors", "warnings", "calls", "seconds", "orphans"]


def share(part: int, whole: int) -> str:
    """A part of a whole in percent."""
    return f"{100 * part / whole:.0f} %" if whole else "-"


def unable(file: Path) -> dict[str, dict[str, str]]:
    """By server, the tools that cannot work offline, with the reasons."""
    servers = json.loads(file.read_text())["servers"]
    return {name: {tool: group["why"] for group in groups for tool in group["tools"]} for name, groups in servers.items()}


def marked(mark: str) -> dict[int, str]:
    """The processes whose environment holds the mark, with their command lines."""
    found = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if f"{MARK}={mark}".encode() not in (folder / "environ").read_bytes().split(b"\0"):
                continue
            state = (folder / "stat").read_text().rsplit(")", 1)[1].split()[0]
            command = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace").strip()
        except OSError:
            continue  # it ended meanwhile, or belongs to somebody else
        if state != "Z":
            found[int(folder.name)] = command
    return found


def orphans(mark: str) -> list[str]:
    """The processes that outlive the run; they are ended."""
    until = time.monotonic() + SETTLE
    while (left := marked(mark)) and time.monotonic() < until:
        time.sleep(0.1)
    for process in left:
        try:
            os.kill(process, signal.SIGKILL)
        except OSError:
            pass  # it ended meanwhile
    return list(left.values())


def summarize(name: str, result: dict[str, Any], seconds: float, without: dict[str, str]) -> Fared:
    """What a result document says of a server, where the tools of `without` are not expected to work."""
    coverage = result.get("coverage", [])
    unknown = set(without) - {tool["tool"] for tool in coverage}
    if coverage and unknown:
        print(f"  {name} has no such tools: {', '.join(sorted(unknown))}", file=sys.stderr)
    return Fared(
        name,
        result["outcome"],
        seconds,
        tools=len(coverage),
        working=sum(tool["ok"] > 0 for tool in coverage),
        able=sum(tool["ok"] > 0 or tool["tool"] not in without for tool in coverage),
        calls=result["budget"]["calls"],
        errors=Counter(finding["lint"] for finding in result["findings"]),
        warnings=Counter(finding["lint"] for finding in result["warnings"]),
    )


def run(name: str, options: argparse.Namespace) -> Fared:
    """Runs tooltest on one server."""
    if options.reset:
        subprocess.run([options.serve, "--reset", name], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, check=True)
    mark = f"{os.getpid()}-{name}"
    command = [options.tooltest, "run", "--json", "--failure-dir", "", "--keep-going", "--seed", str(options.seed)]
    if options.calls is not None:
        command += ["--max-calls", str(options.calls)]
    command += ["--time-limit", str(options.time), *options.extra, "--", options.serve, name]
    started = time.monotonic()
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**os.environ, MARK: mark})
    try:
        output, complaint = process.communicate(timeout=options.time + GRACE)
    except subprocess.TimeoutExpired:
        process.kill()
        output, complaint = process.communicate()
        complaint = "did not end in time"
    seconds = time.monotonic() - started
    try:
        result = json.loads(output)
        fared = summarize(name, result, seconds, options.without.get(name, {}))
        if options.results:
            options.results.mkdir(parents=True, exist_ok=True)
            (options.results / f"{name}.json").write_text(output)
    except (ValueError, KeyError):
        last = complaint.strip().splitlines()[-1:] or ["no result"]
        fared = Fared(name, f"tooltest failed: {last[0][:120]}", seconds)
    fared.orphans = orphans(mark)
    return fared


def table(rows: list[Fared]) -> str:
    """The rows as a Markdown table with a line of totals."""
    lines = ["| " + " | ".join(HEAD) + " |", "| --- | ---: | ---: | ---: | ---: | --- | --- | --- | ---: | ---: | ---: |"]
    lines += ["| " + " | ".join(row.cells()) + " |" for row in rows]
    tools, working, able = (sum(getattr(row, field) for row in rows) for field in ("tools", "working", "able"))
    lines += ["", f"{len(rows)} servers; {working} of {tools} tools had a real success ({share(working, tools)}),"]
    lines += [f"{working} of the {able} that can work offline ({share(working, able)})."]
    return "\n".join(lines) + "\n"


def arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="+", metavar="NAME", help="the servers to run")
    parser.add_argument("--serve", default=os.environ.get("TOOLTEST_CORPUS_SERVE"), help="the command that starts a server by its name (or TOOLTEST_CORPUS_SERVE)")
    parser.add_argument("--reset", action="store_true", help="bring a server's files back to where they began before its run: SERVE --reset NAME")
    parser.add_argument("--tooltest", default="tooltest", help="the built command (default: the one on the path)")
    parser.add_argument("--calls", type=int, help="calls on each server (default: tooltest's own)")
    parser.add_argument("--jobs", type=int, default=1, help="servers tested at the same time (default: 1)")
    parser.add_argument("--time", type=float, default=60.0, help="seconds for each server (default: 60)")
    parser.add_argument("--seed", type=int, default=1, help="the seed (default: 1)")
    parser.add_argument("--extra", action="append", default=[], metavar="FLAG", help="one more flag for tooltest, as in --extra=--isolate; may be repeated")
    parser.add_argument("--results", type=Path, metavar="FOLDER", help="keep each result document")
    parser.add_argument("--offline", type=Path, default=Path(__file__).with_name("offline.json"), metavar="FILE", help="the tools that cannot work offline")
    parser.add_argument("--markdown", type=Path, metavar="FILE", help="write the table to a file")
    options = parser.parse_args()
    if not options.serve:
        parser.error("--serve is needed: the command that starts a server by its name")
    options.without = unable(options.offline)
    return options


def main() -> int:
    """Runs all servers."""
    options = arguments()
    rows = []
    with ThreadPoolExecutor(options.jobs) as pool:
        for row in pool.map(lambda name: run(name, options), options.names):
            rows.append(row)
            print("  ".join(row.cells()), flush=True)
            for orphan in row.orphans:
                print(f"  left behind: {orphan}", flush=True)
    text = table(rows)
    print("\n" + text, end="")
    if options.markdown:
        options.markdown.write_text(text)
    return int(any(row.orphans or row.outcome.startswith("tooltest failed") for row in rows))


if __name__ == "__main__":
    sys.exit(main())
