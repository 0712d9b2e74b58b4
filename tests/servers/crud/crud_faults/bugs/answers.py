"""Bugs in what is answered: leaks, errors dressed as success, structured content that breaks its schema."""

from __future__ import annotations

import json
import os
import traceback
from typing import Any

from mcp.server.mcpserver.exceptions import ToolError
from mcp.shared.exceptions import MCPError
from mcp_types import INTERNAL_ERROR

from crud_faults.mutant import Call, Json, Mutant, seeding, set_text, text_of

SEEDED, bug = seeding()


@bug
def trace_in_error(mutant: Mutant) -> None:
    @mutant.around("get_task")
    async def get_task(call: Call, arguments: Json) -> Any:
        try:
            return await call(**arguments)
        except ToolError:
            mutant.trigger()
            raise ToolError(traceback.format_exc()) from None


@bug
def secret_in_error(mutant: Mutant) -> None:
    password = os.environ.get("CRUD_DB_PASSWORD", "not-set")

    @mutant.around("get_comment")
    async def get_comment(call: Call, arguments: Json) -> Any:
        try:
            return await call(**arguments)
        except ToolError as error:
            mutant.trigger()
            source = f"postgresql://crud_admin:{password}@db.internal:5432/crud"
            raise ToolError(f"{error} (no row in {source})") from None


@bug
def error_as_success(mutant: Mutant) -> None:
    @mutant.around("delete_task")
    async def delete_task(call: Call, arguments: Json) -> Any:
        try:
            return await call(**arguments)
        except ToolError as error:
            mutant.trigger()
            return f"Error: {error}"


@bug
def internal_error(mutant: Mutant) -> None:
    @mutant.around("restore")
    async def restore(call: Call, arguments: Json) -> Any:
        try:
            return await call(**arguments)
        except ToolError:
            mutant.trigger()
            raise MCPError(code=INTERNAL_ERROR, message="Internal error") from None


@bug
def enum_breaks_schema(mutant: Mutant) -> None:
    @mutant.answer("update_task")
    def rename(arguments: Json, result: Json) -> None:
        answer = result.get("structuredContent")
        if answer and answer["priority"] == "urgent":
            mutant.trigger()
            answer["priority"] = "critical"
            set_text(result, json.dumps(answer))


@bug
def null_breaks_schema(mutant: Mutant) -> None:
    @mutant.answer("get_project")
    def drop(arguments: Json, result: Json) -> None:
        answer = result.get("structuredContent")
        if answer and answer["description"] == "":
            mutant.trigger()
            answer["description"] = None
            set_text(result, json.dumps(answer))


@bug
def structured_missing(mutant: Mutant) -> None:
    @mutant.answer("list_tasks")
    def drop(arguments: Json, result: Json) -> None:
        answer = result.get("structuredContent")
        if answer and not answer["items"]:
            mutant.trigger()
            del result["structuredContent"]


@bug
def text_differs(mutant: Mutant) -> None:
    @mutant.answer("project_stats")
    def change(arguments: Json, result: Json) -> None:
        if result.get("structuredContent", {}).get("projects"):
            mutant.trigger()
            shown = json.loads(text_of(result))
            set_text(result, json.dumps({**shown, "projects": 0}))


@bug
def malformed_block(mutant: Mutant) -> None:
    @mutant.answer("search_tasks")
    def change(arguments: Json, result: Json) -> None:
        if not result.get("isError") and json.loads(text_of(result))["total"] == 0:
            mutant.trigger()
            result["content"] = [{"type": "text"}]


@bug
def poisoned_list(mutant: Mutant) -> None:
    @mutant.around("list_projects")
    async def list_projects(call: Call, arguments: Json) -> Any:
        page = await call(**arguments)
        try:
            "".join(project.description for project in page.items).encode("ascii")
        except UnicodeEncodeError as error:
            mutant.trigger()
            raise ToolError(f"could not render the list: {error.reason}") from None
        return page


@bug
def wrong_counts(mutant: Mutant) -> None:
    @mutant.around("list_tasks")
    async def list_tasks(call: Call, arguments: Json) -> Any:
        page = await call(**arguments)
        trashed = sum(
            task.id in mutant.store.trash and task.project_id == arguments["project_id"]
            for task in mutant.store.tasks.values()
        )
        if trashed and arguments["status"] is None and arguments["priority"] is None:
            mutant.trigger()
            return page.model_copy(update={"total": page.total + trashed})
        return page
