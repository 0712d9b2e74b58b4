"""Bugs in how arguments are taken: crashes, hangs, and rules that differ from the published schema."""

from __future__ import annotations

import re
from typing import Any

import anyio
from mcp.server.mcpserver.exceptions import ToolError

from crud_faults.mutant import Call, Json, Mutant, seeding

SEEDED, bug = seeding()


@bug
def crash_on_empty_query(mutant: Mutant) -> None:
    @mutant.around("search_tasks")
    async def search(call: Call, arguments: Json) -> Any:
        if arguments["query"] == "":
            mutant.crash()
        return await call(**arguments)


@bug
def crash_on_astral_name(mutant: Mutant) -> None:
    @mutant.around("create_project")
    async def create(call: Call, arguments: Json) -> Any:
        if any(ord(character) > 0xFFFF for character in arguments["name"]):
            mutant.crash()
        return await call(**arguments)


@bug
def crash_on_missing_argument(mutant: Mutant) -> None:
    @mutant.arguments("get_project")
    def check(validate: Any, raw: Json) -> Json:
        if "project_id" not in raw:
            mutant.crash()
        return validate(raw)


@bug
def crash_at_maximum(mutant: Mutant) -> None:
    @mutant.around("list_projects")
    async def list_projects(call: Call, arguments: Json) -> Any:
        if arguments["limit"] == 100:
            mutant.crash()
        return await call(**arguments)


@bug
def hang_on_csv(mutant: Mutant) -> None:
    @mutant.around("export_project")
    async def export(call: Call, arguments: Json) -> Any:
        answer = await call(**arguments)
        if arguments["format"] == "csv":
            mutant.trigger()
            await anyio.sleep_forever()
        return answer


@bug
def slow_pattern(mutant: Mutant) -> None:
    @mutant.around("search_tasks")
    async def search(call: Call, arguments: Json) -> Any:
        query = arguments["query"]
        if re.search(r"\w{32}", query):
            mutant.trigger()
        # A run of n word characters without the mark behind it takes about 2**n steps.
        re.search(r"(\w+\s?)+\u2763", query)
        return await call(**arguments)


@bug
def default_refused(mutant: Mutant) -> None:
    given = False

    @mutant.arguments("export_project")
    def check(validate: Any, raw: Json) -> Json:
        nonlocal given
        given = raw.get("format") == "markdown"
        return validate(raw)

    @mutant.around("export_project")
    async def export(call: Call, arguments: Json) -> Any:
        if given:
            mutant.trigger()
            raise ToolError("Invalid value for format: expected one of 'json', 'csv'")
        return await call(**arguments)


@bug
def null_refused(mutant: Mutant) -> None:
    given = False

    @mutant.arguments("list_projects")
    def check(validate: Any, raw: Json) -> Json:
        nonlocal given
        given = "cursor" in raw and raw["cursor"] is None
        return validate(raw)

    @mutant.around("list_projects")
    async def list_projects(call: Call, arguments: Json) -> Any:
        if given:
            mutant.trigger()
            raise ToolError("Invalid arguments: cursor: Input should be a valid string [type=string_type]")
        return await call(**arguments)


@bug
def required_not_enforced(mutant: Mutant) -> None:
    @mutant.arguments("create_project")
    def check(validate: Any, raw: Json) -> Json:
        if "name" not in raw:
            mutant.trigger()
            raw = {**raw, "name": f"Untitled {len(mutant.store.projects) + 1}"}
        return validate(raw)


@bug
def maximum_not_enforced(mutant: Mutant) -> None:
    @mutant.arguments("list_projects")
    def check(validate: Any, raw: Json) -> Json:
        limit = raw.get("limit")
        if type(limit) is int and limit > 100:
            mutant.trigger()
            return {**validate({**raw, "limit": 100}), "limit": limit}
        return validate(raw)


@bug
def length_not_enforced(mutant: Mutant) -> None:
    @mutant.arguments("add_comment")
    def check(validate: Any, raw: Json) -> Json:
        body = raw.get("body")
        if isinstance(body, str) and len(body) > 2000:
            checked = validate({**raw, "body": body[:2000]})
            mutant.trigger()
            return {**checked, "body": body}
        return validate(raw)


@bug
def unknown_fields_stored(mutant: Mutant) -> None:
    extra: Json = {}
    declared = set(mutant.tool("update_task").parameters["properties"])

    @mutant.arguments("update_task")
    def check(validate: Any, raw: Json) -> Json:
        extra.clear()
        extra.update({name: value for name, value in raw.items() if name not in declared})
        if extra:
            mutant.trigger()
        return validate({name: value for name, value in raw.items() if name in declared})

    @mutant.around("update_task")
    async def update(call: Call, arguments: Json) -> Any:
        protected = {name: extra[name] for name in ("status", "project_id", "created_at") if name in extra}
        task = await call(**arguments)
        if protected and all(isinstance(value, str) for value in protected.values()):
            task = mutant.store.tasks[task.id] = task.model_copy(update=protected)
        return task


@bug
def misspelt_dropped(mutant: Mutant) -> None:
    declared = set(mutant.tool("update_project").parameters["properties"])

    @mutant.arguments("update_project")
    def check(validate: Any, raw: Json) -> Json:
        known = {name: value for name, value in raw.items() if name in declared}
        if len(known) < len(raw):
            mutant.trigger()
        return validate(known)


@bug
def crash_on_two_filters(mutant: Mutant) -> None:
    @mutant.around("list_tasks")
    async def list_tasks(call: Call, arguments: Json) -> Any:
        if arguments["status"] is not None and arguments["priority"] is not None:
            mutant.crash()
        return await call(**arguments)


@bug
def undeclared_date_limit(mutant: Mutant) -> None:
    @mutant.around("create_task")
    async def create(call: Call, arguments: Json) -> Any:
        if arguments["due_on"] is not None and arguments["due_on"] > "2037-12-31":
            mutant.trigger()
            raise ToolError("Invalid arguments: due_on: Input should be a valid date [type=date_parsing]")
        return await call(**arguments)


@bug
def other_default_applied(mutant: Mutant) -> None:
    @mutant.arguments("create_task")
    def check(validate: Any, raw: Json) -> Json:
        if "priority" not in raw:
            checked = validate({**raw, "priority": "low"})
            mutant.trigger()
            return checked
        return validate(raw)
