"""Bugs that take a sequence of calls: values that are not kept, refusals and reads that write, pages."""

from __future__ import annotations

from typing import Any

from mcp.server.mcpserver.exceptions import ToolError

from crud_faults.mutant import Call, Json, Mutant, seeding

SEEDED, bug = seeding()


# Stored values


@bug
def longest_name_lost(mutant: Mutant) -> None:
    @mutant.around("create_project")
    async def create(call: Call, arguments: Json) -> Any:
        project = await call(**arguments)
        if len(project.name) == 80:
            mutant.trigger()
            del mutant.store.projects[project.id]
        return project


@bug
def description_truncated(mutant: Mutant) -> None:
    @mutant.around("update_project")
    async def update(call: Call, arguments: Json) -> Any:
        project = await call(**arguments)
        if len(project.description) > 255:
            mutant.trigger()
            kept = project.model_copy(update={"description": project.description[:255]})
            mutant.store.projects[project.id] = kept
        return project


@bug
def encoding_damaged(mutant: Mutant) -> None:
    @mutant.around("add_comment")
    async def add(call: Call, arguments: Json) -> Any:
        if not arguments["body"].isascii():
            mutant.trigger()
            arguments["body"] = arguments["body"].encode("ascii", "replace").decode()
        return await call(**arguments)


@bug
def fields_wiped(mutant: Mutant) -> None:
    @mutant.around("update_task")
    async def update(call: Call, arguments: Json) -> Any:
        task = await call(**arguments)
        if arguments["notes"] is None and task.notes:
            mutant.trigger()
            task = mutant.store.tasks[task.id] = task.model_copy(update={"notes": ""})
        return task


@bug
def frozen_when_done(mutant: Mutant) -> None:
    @mutant.around("update_task")
    async def update(call: Call, arguments: Json) -> Any:
        before = mutant.store.tasks.get(arguments["task_id"])
        task = await call(**arguments)
        if before is not None and before.status == "done" and task != before:
            mutant.trigger()
            task = mutant.store.tasks[before.id] = before
        return task


@bug
def wrong_record_updated(mutant: Mutant) -> None:
    @mutant.around("update_task")
    async def update(call: Call, arguments: Json) -> Any:
        before = mutant.store.tasks.get(arguments["task_id"])
        task = await call(**arguments)
        first = mutant.store.live_tasks(task.project_id)[0]
        if before is not None and task != before and first.id != task.id:
            mutant.trigger()
            mutant.store.tasks[before.id] = before
            kept = {"id": first.id, "status": first.status, "created_at": first.created_at}
            mutant.store.tasks[first.id] = task.model_copy(update=kept)
        return task


@bug
def same_update_bumps(mutant: Mutant) -> None:
    @mutant.around("update_project")
    async def update(call: Call, arguments: Json) -> Any:
        before = mutant.store.projects.get(arguments["project_id"])
        project = await call(**arguments)
        if before == project:
            mutant.trigger()
            project = project.model_copy(update={"version": project.version + 1})
            mutant.store.projects[project.id] = project
        return project


# Refusals that change something


@bug
def ghost_after_refusal(mutant: Mutant) -> None:
    @mutant.around("create_project")
    async def create(call: Call, arguments: Json) -> Any:
        try:
            return await call(**arguments)
        except ToolError:
            mutant.trigger()
            twin = next(item for item in mutant.store.live_projects() if item.name == arguments["name"])
            ghost = twin.model_copy(update={"id": mutant.store.fresh_id("prj", mutant.store.projects)})
            mutant.store.projects[ghost.id] = ghost
            raise


@bug
def refused_update_applied(mutant: Mutant) -> None:
    @mutant.around("update_project")
    async def update(call: Call, arguments: Json) -> Any:
        try:
            return await call(**arguments)
        except ToolError:
            project = mutant.store.projects.get(arguments["project_id"])
            if project is not None and arguments["description"] is not None:
                mutant.trigger()
                half = project.model_copy(update={"description": arguments["description"]})
                mutant.store.projects[project.id] = half
            raise


@bug
def refused_delete_counts(mutant: Mutant) -> None:
    missing = 0

    @mutant.around("delete_comment")
    async def delete(call: Call, arguments: Json) -> Any:
        nonlocal missing
        try:
            return await call(**arguments)
        except ToolError:
            missing += 1
            raise

    @mutant.around("project_stats")
    async def stats(call: Call, arguments: Json) -> Any:
        counted = await call(**arguments)
        if missing and counted.comments:
            mutant.trigger()
            return counted.model_copy(update={"comments": max(0, counted.comments - missing)})
        return counted


# Reads that write


@bug
def read_reopens(mutant: Mutant) -> None:
    @mutant.around("get_task")
    async def get_task(call: Call, arguments: Json) -> Any:
        task = await call(**arguments)
        if task.status == "done":
            mutant.trigger()
            mutant.store.tasks[task.id] = task.model_copy(update={"status": "open"})
        return task


@bug
def list_reorders(mutant: Mutant) -> None:
    @mutant.around("list_projects")
    async def list_projects(call: Call, arguments: Json) -> Any:
        page = await call(**arguments)
        projects = mutant.store.projects
        if len(projects) > 1:
            mutant.trigger()
            turned = list(reversed(projects.items()))
            projects.clear()
            projects.update(turned)
        return page


# Pages and search


@bug
def last_item_lost(mutant: Mutant) -> None:
    @mutant.around("list_tasks")
    async def list_tasks(call: Call, arguments: Json) -> Any:
        page = await call(**arguments)
        if page.items and page.next_offset is None and page.total % arguments["limit"] == 0:
            mutant.trigger()
            return page.model_copy(update={"items": page.items[:-1]})
        return page


@bug
def pages_overlap(mutant: Mutant) -> None:
    @mutant.around("list_projects")
    async def list_projects(call: Call, arguments: Json) -> Any:
        page = await call(**arguments)
        start = 0 if arguments["cursor"] is None else int(arguments["cursor"].removeprefix("after-"))
        if page.items and start > 0:
            mutant.trigger()
            projects = mutant.store.live_projects()
            return page.model_copy(update={"items": projects[start - 1 : start - 1 + len(page.items)]})
        return page


@bug
def search_misses_capitals(mutant: Mutant) -> None:
    @mutant.around("search_tasks")
    async def search(call: Call, arguments: Json) -> Any:
        query = arguments["query"]
        if query != query.lower() and mutant.store.search(query, None):
            mutant.trigger()
            arguments["query"] = f"\0{query}"
        return await call(**arguments)
