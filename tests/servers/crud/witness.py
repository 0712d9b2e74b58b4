"""Runs witnesses: short scripts, written as data, that show a seeded bug on its mutant and not on the clean server.

README.md describes the format. A witness is shown when every one of its expectations holds.
"""

from __future__ import annotations

import json
import re
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack, suppress
from typing import Any, Protocol

import anyio

Json = dict[str, Any]
ABSENT = object()
QUIET = 6.0
"""Seconds without an answer after which a step that expects none has its way."""
PATIENCE = 120.0
"""Seconds to wait for any other answer."""


class Connection(Protocol):
    """One connection to a server: what a step needs of a client."""

    async def perform(self, step: Json, wait: float) -> Json:
        """Do one step and describe what came back; see `view`."""
        ...


Connect = Callable[[AsyncExitStack], Awaitable[Connection]]


def view(message: Json | None, **more: Any) -> Json:
    """Describe a JSON-RPC response (None: there was none) in the terms that expectations use."""
    if message is None:
        return {"outcome": "none", **more}
    if "error" in message:
        return {"outcome": "rpc_error", "error": message["error"], **more}
    result = message["result"]
    seen: Json = {"outcome": "tool_error" if result.get("isError") else "ok", "result": result, **more}
    if "structuredContent" in result:
        seen["structured"] = result["structuredContent"]
    text = "\n".join(block.get("text", "") for block in result.get("content", []))
    if text:
        seen["text"] = text
        with suppress(ValueError):
            seen["json"] = json.loads(text)
    return seen


def look_up(value: Any, path: str) -> Any:
    """The part of a value at `a.b.0.c`, or the first match of the regular expression behind a `~`."""
    path, tilde, pattern = path.partition("~")
    for part in path.split("."):
        try:
            value = value[int(part)] if isinstance(value, list) else value[part]
        except (KeyError, IndexError, TypeError, ValueError):
            return ABSENT
    if tilde:
        match = re.search(pattern, str(value))
        return match[0] if match else ABSENT
    return value


def resolve(value: Any, results: list[Json]) -> Any:
    """Replace every `$N.path` by that part of result N."""
    if isinstance(value, dict):
        return {name: resolve(item, results) for name, item in value.items()}
    if isinstance(value, list):
        return [resolve(item, results) for item in value]
    if isinstance(value, str) and (reference := re.match(r"\$(\d+)\.(.*)", value)):
        found = look_up(results[int(reference[1])], reference[2])
        # A reference to nothing must not equal anything.
        return f"<no {value}>" if found is ABSENT else found
    return value


def holds(seen: Any, wanted: Any) -> bool:
    """Whether a value is as expected: equal, or as an operator such as `{"contains": ...}` says."""
    operators: dict[str, Callable[[Any, Any], bool]] = {
        "absent": lambda value, yes: (value is ABSENT) == yes,
        "not": lambda value, other: value is not ABSENT and value != other,
        "matches": lambda value, pattern: isinstance(value, str) and re.search(pattern, value) is not None,
        "contains": lambda value, part: value is not ABSENT and part in value,
        "length": lambda value, length: value is not ABSENT and len(value) == length,
        "above": lambda value, least: value is not ABSENT and value > least,
    }
    if isinstance(wanted, dict) and len(wanted) == 1 and next(iter(wanted)) in operators:
        (name, operand) = next(iter(wanted.items()))
        return operators[name](seen, operand)
    return type(seen) is type(wanted) and seen == wanted


class Witness:
    """One run of a witness against one server."""

    def __init__(self, steps: list[Json], connect: Connect) -> None:
        self.steps = steps
        self.results: list[Json] = []
        self._connect = connect
        self._connections: dict[str, Connection] = {}

    async def shown(self) -> str | None:
        """None when every expectation holds, else the first one that does not."""
        async with AsyncExitStack() as stack:
            for step in self.steps:
                group = step.get("parallel", [step])
                first = len(self.results)
                self.results += [{}] * len(group)
                for member in group:
                    await self._open(member, stack)
                async with anyio.create_task_group() as tasks:
                    for number, member in enumerate(group, first):
                        tasks.start_soon(self._perform, number, resolve(member, self.results))
                for number, member in enumerate(group, first):
                    for path, wanted in member.get("expect", {}).items():
                        seen = look_up(self.results[number], path)
                        if not holds(seen, resolve(wanted, self.results)):
                            return f"step {number}: {path} is {seen!r}, not {wanted!r}; {self.results[number]}"
        return None

    async def _open(self, step: Json, stack: AsyncExitStack) -> None:
        name = step.get("session", "a")
        if name not in self._connections:
            self._connections[name] = await self._connect(stack)

    async def _perform(self, number: int, step: Json) -> None:
        silent = step.get("expect", {}).get("outcome") == "none"
        connection = self._connections[step.get("session", "a")]
        self.results[number] = await connection.perform(step, QUIET if silent else PATIENCE)
