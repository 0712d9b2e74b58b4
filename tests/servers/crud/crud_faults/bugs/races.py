"""Bugs that need two calls at once, a cancelled call, or very many calls."""

from __future__ import annotations

from typing import Any

import anyio
from mcp.server.context import CallNext

from crud_faults.mutant import Call, Context, Json, Mutant, seeding, session_of

SEEDED, bug = seeding()

PAUSE = 0.03
"""Seconds that a faulty path waits between reading and writing, as for a back end."""


@bug
def lost_update(mutant: Mutant) -> None:
    @mutant.around("update_project")
    async def update(call: Call, arguments: Json) -> Any:
        read = mutant.store.projects.get(arguments["project_id"])
        await anyio.sleep(PAUSE)
        if read is not None and mutant.store.projects.get(read.id) not in (read, None):
            mutant.trigger()
            mutant.store.projects[read.id] = read
        return await call(**arguments)


@bug
def duplicate_ids(mutant: Mutant) -> None:
    waiting: list[str] = []
    fresh = mutant.store.fresh_id
    mutant.store.fresh_id = lambda prefix, taken: (  # type: ignore[method-assign]
        waiting[0] if prefix == "prj" and waiting else fresh(prefix, taken)
    )

    @mutant.around("create_project")
    async def create(call: Call, arguments: Json) -> Any:
        if waiting:
            mutant.trigger()
        waiting.append(waiting[0] if waiting else fresh("prj", mutant.store.projects))
        try:
            await anyio.sleep(PAUSE)
            return await call(**arguments)
        finally:
            waiting.pop()


@bug
def both_names_taken(mutant: Mutant) -> None:
    @mutant.around("create_project")
    async def create(call: Call, arguments: Json) -> Any:
        name = arguments["name"]
        free = all(project.name != name for project in mutant.store.live_projects())
        await anyio.sleep(PAUSE)
        taken = [project for project in mutant.store.live_projects() if project.name == name]
        if not free or not taken:
            return await call(**arguments)
        mutant.trigger()
        made = mutant.store.fresh_id("prj", mutant.store.projects)
        project = mutant.store.projects[made] = taken[0].model_copy(update={**arguments, "id": made, "version": 1})
        return project


@bug
def lost_comment(mutant: Mutant) -> None:
    @mutant.around("add_comment")
    async def add(call: Call, arguments: Json) -> Any:
        before = dict(mutant.store.comments)
        await anyio.sleep(PAUSE)
        concurrent = mutant.store.comments.keys() - before.keys()
        for comment_id in concurrent:
            mutant.trigger()
            del mutant.store.comments[comment_id]
        return await call(**arguments)


class Waiting:
    """An answer that waits for another one to be swapped with."""

    def __init__(self, answer: Any, session: str | None) -> None:
        self.answer = answer
        self.session = session


def swap_answers(mutant: Mutant, tool: str, between_sessions: bool) -> None:
    """Swap the answers of two calls of a tool that run at the same time, in one session or in two."""
    waiting: list[Waiting] = []

    @mutant.request("tools/call")
    async def swap(context: Context, call_next: CallNext) -> Any:
        answer = await call_next(context)
        if (context.params or {}).get("name") != tool:
            return answer
        mine = Waiting(answer, session_of(context))
        for other in waiting:
            if (other.session != mine.session) == between_sessions:
                mutant.trigger()
                waiting.remove(other)
                mine.answer, other.answer = other.answer, mine.answer
                return mine.answer
        waiting.append(mine)
        try:
            await anyio.sleep(PAUSE)
            return mine.answer
        finally:
            if mine in waiting:
                waiting.remove(mine)


@bug
def swapped_answers(mutant: Mutant) -> None:
    swap_answers(mutant, "get_project", between_sessions=False)


@bug
def lock_left_on_cancel(mutant: Mutant) -> None:
    lock = anyio.Semaphore(1)

    @mutant.around("export_project")
    async def export(call: Call, arguments: Json) -> Any:
        await lock.acquire()
        try:
            await anyio.sleep(10 * PAUSE)
        except anyio.get_cancelled_exc_class():
            mutant.trigger()
            raise
        lock.release()
        return await call(**arguments)


@bug
def cancelled_task_stays_locked(mutant: Mutant) -> None:
    locked: set[str] = set()

    @mutant.around("complete_task")
    async def complete(call: Call, arguments: Json) -> Any:
        task_id = arguments["task_id"]
        while task_id in locked:
            await anyio.sleep(PAUSE)
        locked.add(task_id)
        try:
            await anyio.sleep(10 * PAUSE)
        except anyio.get_cancelled_exc_class():
            mutant.trigger()
            raise
        locked.discard(task_id)
        return await call(**arguments)


# Growth


@bug
def memory_growth(mutant: Mutant) -> None:
    kept: list[bytearray] = []

    @mutant.around("list_projects")
    async def list_projects(call: Call, arguments: Json) -> Any:
        mutant.trigger()
        kept.append(bytearray(b"x" * 200_000))
        return await call(**arguments)


@bug
def latency_growth(mutant: Mutant) -> None:
    calls = 0

    @mutant.around("search_tasks")
    async def search(call: Call, arguments: Json) -> Any:
        nonlocal calls
        calls += 1
        mutant.trigger()
        await anyio.sleep(0.001 * calls)
        return await call(**arguments)


@bug
def handles_exhausted(mutant: Mutant) -> None:
    handles = 0

    @mutant.around("get_project", "list_projects", "project_stats", "export_project", "get_task", "list_tasks")
    async def read(call: Call, arguments: Json) -> Any:
        nonlocal handles
        handles += 1
        if handles > 50:
            mutant.crash()
        return await call(**arguments)
