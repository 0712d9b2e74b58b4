"""Benign oddities: a tester that reports one of these as an error is wrong. `decoys.json` describes each one."""

from __future__ import annotations

import json
import secrets
import tempfile
import time
from pathlib import Path
from typing import Annotated, Any, Optional

import anyio
from mcp.server.context import CallNext
from mcp.server.mcpserver.tools import Tool
from mcp.server.mcpserver.utilities.func_metadata import FuncMetadata
from pydantic import ConfigDict, Field, create_model

from crud_faults.mutant import Call, Context, Json, Mutant, seeding
from crud_server.models import Task
from crud_server.store import utc_now
from crud_server.strict import StrictMetadata, add_tool
from crud_server.tools.arguments import CREATE, READ, ProjectId, TaskId
from crud_server.tools.projects import export

SEEDED, decoy = seeding()


def _describe(tool: Tool, more: str) -> None:
    tool.description = f"{tool.description} {more}"


@decoy
def timestamps(mutant: Mutant) -> None:
    _describe(mutant.tool("list_comments"), 'The answer also has "served_at", the time of the answer.')

    @mutant.around("list_comments")
    async def list_comments(call: Call, arguments: Json) -> Any:
        mutant.trigger()
        return json.dumps({**json.loads(await call(**arguments)), "served_at": utc_now()}, ensure_ascii=False)


@decoy
def random_ids(mutant: Mutant) -> None:
    _describe(mutant.tool("search_tasks"), 'The answer also has "search_id", new for every search.')

    @mutant.around("search_tasks")
    async def search(call: Call, arguments: Json) -> Any:
        mutant.trigger()
        found = {**json.loads(await call(**arguments)), "search_id": secrets.token_hex(8)}
        return json.dumps(found, ensure_ascii=False)


class TaskOrTrashed(Task):
    """A task, also when it is in the trash."""

    deleted: bool = Field(description="true while the task is in the trash")


@decoy
def soft_delete(mutant: Mutant) -> None:
    tool = mutant.tool("get_task")
    tool.description = "Read one task, also from the trash: deleted tells."
    tool.fn_metadata = StrictMetadata(arg_model=tool.fn_metadata.arg_model, output_model=TaskOrTrashed)

    @mutant.around("get_task")
    async def get_task(call: Call, arguments: Json) -> Any:
        task = mutant.store.tasks.get(arguments["task_id"])
        if task is None or task.project_id in mutant.store.trash:
            task = await call(**arguments)
        deleted = task.id in mutant.store.trash
        if deleted:
            mutant.trigger()
        return TaskOrTrashed(**task.model_dump(), deleted=deleted)


def _reconfigure(tool: Tool, metadata: type[FuncMetadata], config: ConfigDict) -> None:
    name = tool.fn_metadata.arg_model.__name__
    base = type(name, (tool.fn_metadata.arg_model,), {"model_config": config})
    model = create_model(name, __base__=base)
    tool.fn_metadata = metadata(arg_model=model, output_model=tool.fn_metadata.output_model)
    tool.parameters = model.model_json_schema(by_alias=True)


@decoy
def coercion(mutant: Mutant) -> None:
    for tool in mutant.server._tool_manager.list_tools():
        _reconfigure(tool, FuncMetadata, ConfigDict(strict=False))

    @mutant.arguments("list_projects")
    def note(validate: Any, raw: Json) -> Json:
        if isinstance(raw.get("limit"), str):
            mutant.trigger()
        return validate(raw)


@decoy
def extra_ignored(mutant: Mutant) -> None:
    for tool in mutant.server._tool_manager.list_tools():
        _reconfigure(tool, StrictMetadata, ConfigDict(extra="ignore"))

        @mutant.arguments(tool.name)
        def note(validate: Any, raw: Json, known: Any = frozenset(tool.parameters["properties"])) -> Json:
            if not known.issuperset(raw):
                mutant.trigger()
            return validate(raw)


@decoy
def slow_with_progress(mutant: Mutant) -> None:
    _describe(mutant.tool("export_project"), "Takes a second or two and reports progress.")

    @mutant.request("tools/call")
    async def call_tool(context: Context, call_next: CallNext) -> Any:
        if (context.params or {}).get("name") == "export_project":
            mutant.trigger()
            for step in range(1, 4):
                await anyio.sleep(0.4)
                await context.session.report_progress(step, 4, f"part {step} of 4")
        return await call_next(context)


@decoy
def view_counter(mutant: Mutant) -> None:
    views: dict[str, int] = {}

    async def open_task(task_id: TaskId) -> str:
        """Show a task to its reader and count the view. The answer is JSON text: {"title": text, "views": count}."""
        task = mutant.store.task(task_id)
        mutant.trigger()
        views[task_id] = views.get(task_id, 0) + 1
        return json.dumps({"title": task.title, "views": views[task_id]}, ensure_ascii=False)

    add_tool(mutant.server, open_task, structured=False, annotations=CREATE)


@decoy
def eventual_consistency(mutant: Mutant) -> None:
    visible_at: dict[str, float] = {}
    live_tasks = mutant.store.live_tasks
    for name in ("list_tasks", "search_tasks", "project_stats", "export_project"):
        _describe(mutant.tool(name), "A new task shows here within a quarter of a second.")

    @mutant.around("create_task")
    async def create(call: Call, arguments: Json) -> Any:
        known = set(mutant.store.tasks)
        answer = await call(**arguments)
        for task_id in mutant.store.tasks.keys() - known:
            visible_at[task_id] = time.monotonic() + 0.2
        return answer

    def later(project_id: Optional[str] = None) -> list[Task]:
        tasks = live_tasks(project_id)
        seen = [task for task in tasks if visible_at.get(task.id, 0.0) <= time.monotonic()]
        if len(seen) < len(tasks):
            mutant.trigger()
        return seen

    mutant.store.live_tasks = later  # type: ignore[method-assign]


@decoy
def error_text(mutant: Mutant) -> None:
    async def sample_log(
        lines: Annotated[bool, Field(description="true numbers the lines")] = False,
    ) -> str:
        """Return a made-up log of a failing program, for trying out log viewers."""
        mutant.trigger()
        log = ["Error: disk full", "retrying in 5 s", "Error: disk full", "giving up"]
        return "\n".join(f"{number} {line}" if lines else line for number, line in enumerate(log, 1))

    add_tool(mutant.server, sample_log, structured=False, annotations=READ)


@decoy
def absolute_path(mutant: Mutant) -> None:
    folder = tempfile.TemporaryDirectory(prefix="crud-")  # removed when the process ends

    async def save_export(project_id: ProjectId) -> str:
        """Save a project with all its tasks as a Markdown file and return the path of the file."""
        project = mutant.store.project(project_id)
        mutant.trigger()
        path = Path(folder.name) / f"{project_id}.md"
        path.write_text(export(project, mutant.store.live_tasks(project_id), "markdown"), encoding="utf-8")
        return f"Saved project {project_id} to {path}"

    add_tool(mutant.server, save_export, structured=False, annotations=CREATE)
