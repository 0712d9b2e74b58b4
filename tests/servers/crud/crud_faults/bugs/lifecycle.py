"""Bugs in the life of a record: deletes that do not delete, wrong parents, states and limits."""

from __future__ import annotations

from typing import Any

from mcp.server.mcpserver.exceptions import ToolError

from crud_faults.mutant import Call, Json, Mutant, seeding
from crud_server.models import Project, Task

SEEDED, bug = seeding()


# Deleting


@bug
def read_after_hard_delete(mutant: Mutant) -> None:
    cache: dict[str, Task] = {}

    @mutant.around("delete_task")
    async def delete(call: Call, arguments: Json) -> Any:
        task = mutant.store.tasks.get(arguments["task_id"])
        answer = await call(**arguments)
        if task is not None and arguments["hard"]:
            cache[task.id] = task
        return answer

    @mutant.around("get_task")
    async def get_task(call: Call, arguments: Json) -> Any:
        if arguments["task_id"] in cache:
            mutant.trigger()
            return cache[arguments["task_id"]]
        return await call(**arguments)


@bug
def crash_after_delete(mutant: Mutant) -> None:
    @mutant.around("get_task")
    async def get_task(call: Call, arguments: Json) -> Any:
        if arguments["task_id"] in mutant.store.trash:
            mutant.crash()
        return await call(**arguments)


@bug
def still_listed(mutant: Mutant) -> None:
    gone: list[Project] = []

    @mutant.around("delete_project")
    async def delete(call: Call, arguments: Json) -> Any:
        project = mutant.store.projects.get(arguments["project_id"])
        answer = await call(**arguments)
        if project is not None:
            gone.append(project)
        return answer

    @mutant.around("list_projects")
    async def list_projects(call: Call, arguments: Json) -> Any:
        page = await call(**arguments)
        shown = gone[: arguments["limit"] - len(page.items)]
        if shown and page.next_cursor is None:
            mutant.trigger()
            return page.model_copy(update={"items": [*page.items, *shown], "total": page.total + len(gone)})
        return page


@bug
def crash_on_second_delete(mutant: Mutant) -> None:
    deleted: set[str] = set()

    @mutant.around("delete_project")
    async def delete(call: Call, arguments: Json) -> Any:
        if arguments["project_id"] in deleted:
            mutant.crash()
        answer = await call(**arguments)
        deleted.add(arguments["project_id"])
        return answer


@bug
def orphans_reachable(mutant: Mutant) -> None:
    orphans: dict[str, Task] = {}

    @mutant.around("delete_project")
    async def delete(call: Call, arguments: Json) -> Any:
        owned = mutant.store.live_tasks(arguments["project_id"])
        answer = await call(**arguments)
        orphans.update({task.id: task for task in owned})
        return answer

    @mutant.around("get_task")
    async def get_task(call: Call, arguments: Json) -> Any:
        try:
            return await call(**arguments)
        except ToolError:
            if arguments["task_id"] in orphans:
                mutant.trigger()
                return orphans[arguments["task_id"]]
            raise


@bug
def restore_forgets(mutant: Mutant) -> None:
    @mutant.around("restore")
    async def restore(call: Call, arguments: Json) -> Any:
        answer = await call(**arguments)
        mutant.trigger()
        mutant.store.trash.add(arguments["id"])
        return answer


@bug
def reused_id(mutant: Mutant) -> None:
    free: list[str] = []
    fresh = mutant.store.fresh_id

    @mutant.around("delete_task")
    async def delete(call: Call, arguments: Json) -> Any:
        answer = await call(**arguments)
        if arguments["hard"]:
            free.append(arguments["task_id"])
        return answer

    def reuse(prefix: str, taken: Any) -> str:
        if prefix == "tsk" and free:
            mutant.trigger()
            return free.pop()
        return fresh(prefix, taken)

    mutant.store.fresh_id = reuse  # type: ignore[method-assign]


# Parents, states, limits


@bug
def wrong_parent_accepted(mutant: Mutant) -> None:
    @mutant.around("get_comment")
    async def get_comment(call: Call, arguments: Json) -> Any:
        comment = mutant.store.comments.get(arguments["comment_id"])
        task = mutant.store.tasks.get(arguments["task_id"])
        if comment is not None and task is not None and comment.task_id != task.id:
            mutant.trigger()
            return comment.model_dump_json()
        return await call(**arguments)


@bug
def completed_twice(mutant: Mutant) -> None:
    extra = 0

    @mutant.around("complete_task")
    async def complete(call: Call, arguments: Json) -> Any:
        nonlocal extra
        task = mutant.store.tasks.get(arguments["task_id"])
        if task is not None and task.status == "done" and task in mutant.store.live_tasks():
            mutant.trigger()
            extra += 1
            return task
        return await call(**arguments)

    @mutant.around("project_stats")
    async def stats(call: Call, arguments: Json) -> Any:
        counted = await call(**arguments)
        return counted.model_copy(update={"done_tasks": counted.done_tasks + extra})


@bug
def sixth_project_crashes(mutant: Mutant) -> None:
    @mutant.around("create_project")
    async def create(call: Call, arguments: Json) -> Any:
        if len(mutant.store.projects) >= 5:
            mutant.crash()
        return await call(**arguments)


@bug
def name_overwrites(mutant: Mutant) -> None:
    @mutant.around("create_project")
    async def create(call: Call, arguments: Json) -> Any:
        for project in mutant.store.live_projects():
            if project.name == arguments["name"]:
                mutant.trigger()
                del mutant.store.projects[project.id]
        return await call(**arguments)


@bug
def recreate_crashes(mutant: Mutant) -> None:
    finished: set[str] = set()

    @mutant.around("delete_task")
    async def delete(call: Call, arguments: Json) -> Any:
        task = mutant.store.tasks.get(arguments["task_id"])
        answer = await call(**arguments)
        if task is not None and task.status == "done":
            finished.add(task.project_id)
        return answer

    @mutant.around("create_task")
    async def create(call: Call, arguments: Json) -> Any:
        if arguments["project_id"] in finished:
            mutant.crash()
        return await call(**arguments)


@bug
def crash_on_comment_delete(mutant: Mutant) -> None:
    @mutant.around("delete_comment")
    async def delete(call: Call, arguments: Json) -> Any:
        if arguments["comment_id"] in mutant.store.comments:
            mutant.crash()
        return await call(**arguments)
