"""The store: projects, tasks and comments in memory, and every rule about them.

No method awaits, so each one is atomic between concurrent requests. Methods either finish or raise `StoreError` and
leave the store as it was.

Deleting has two steps. A soft delete moves a project or a task to the trash, where only `restore` and a hard delete
reach it; what belongs to a trashed project is hidden with it. A hard delete removes a record and all that belongs
to it for good.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable
from datetime import datetime, timezone
from typing import Any, TypeVar

from crud_server.models import Comment, Project, Stats, Task

MAX_PROJECTS = 1000
MAX_TASKS_PER_PROJECT = 1000
MAX_COMMENTS_PER_TASK = 200

Versioned = TypeVar("Versioned", Project, Task)


class StoreError(Exception):
    """A refusal that the caller can understand and act on; the text says what is wrong."""


class NotFoundError(StoreError):
    """No such record, or it cannot be reached because it lies in the trash."""


class ConflictError(StoreError):
    """The record is not in the state that the caller expects."""


def utc_now() -> str:
    """The current time in UTC as RFC 3339 text with milliseconds."""
    return datetime.now(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def random_id(prefix: str) -> str:
    """A new id such as `tsk_1f9a03bc`, not guessable from earlier ones."""
    return f"{prefix}_{secrets.token_hex(4)}"


class Store:
    """All records of one process, in order of creation."""

    def __init__(self, now: Callable[[], str] = utc_now, new_id: Callable[[str], str] = random_id) -> None:
        self.projects: dict[str, Project] = {}
        self.tasks: dict[str, Task] = {}
        self.comments: dict[str, Comment] = {}
        self.trash: set[str] = set()
        self._now = now
        self._new_id = new_id

    # Projects

    def create_project(self, name: str, description: str, color: str) -> Project:
        """Add a project; the name must be free among the projects that are not in the trash."""
        self._require_free_name(name)
        if len(self.projects) >= MAX_PROJECTS:
            raise ConflictError(f"The limit of {MAX_PROJECTS} projects is reached; delete one with hard=true first")
        project = Project(
            id=self.fresh_id("prj", self.projects),
            name=name,
            description=description,
            color=color,  # type: ignore[arg-type]  # the model validates it
            version=1,
            **self._created(),
        )
        self.projects[project.id] = project
        return project

    def project(self, project_id: str) -> Project:
        """The project with this id, unless it is in the trash."""
        project = self.projects.get(project_id)
        if project is None:
            raise NotFoundError(f"No project has the id {project_id!r}")
        if project_id in self.trash:
            raise NotFoundError(f"Project {project_id} is in the trash; restore it first")
        return project

    def live_projects(self) -> list[Project]:
        """All projects that are not in the trash, oldest first."""
        return [project for project in self.projects.values() if project.id not in self.trash]

    def update_project(self, project_id: str, changes: dict[str, Any], expected_version: int | None) -> Project:
        """Set fields of a project. Values that are there already change nothing, not even the version."""
        project = self.project(project_id)
        changed = self._changed(project, changes, expected_version)
        if changed.name != project.name:
            self._require_free_name(changed.name)
        self.projects[project_id] = changed
        return changed

    def delete_project(self, project_id: str, hard: bool) -> int:
        """Delete a project; returns how many tasks went with it."""
        if project_id not in self.projects:
            raise NotFoundError(f"No project has the id {project_id!r}")
        owned = [task.id for task in self.tasks.values() if task.project_id == project_id]
        if not hard:
            self._move_to_trash(project_id)
            return sum(task_id not in self.trash for task_id in owned)
        for task_id in owned:
            self._remove_task(task_id)
        del self.projects[project_id]
        self.trash.discard(project_id)
        return len(owned)

    # Tasks

    def create_task(self, project_id: str, fields: dict[str, Any]) -> Task:
        """Add an open task to a project. `fields`: title, notes, priority, due_on, labels."""
        self.project(project_id)
        if sum(task.project_id == project_id for task in self.tasks.values()) >= MAX_TASKS_PER_PROJECT:
            raise ConflictError(f"Project {project_id} has reached its limit of {MAX_TASKS_PER_PROJECT} tasks")
        task = Task(
            id=self.fresh_id("tsk", self.tasks),
            project_id=project_id,
            status="open",
            version=1,
            **fields,
            **self._created(),
        )
        self.tasks[task.id] = task
        return task

    def task(self, task_id: str) -> Task:
        """The task with this id, unless it or its project is in the trash."""
        task = self.tasks.get(task_id)
        if task is None:
            raise NotFoundError(f"No task has the id {task_id!r}")
        if task_id in self.trash:
            raise NotFoundError(f"Task {task_id} is in the trash; restore it first")
        if task.project_id in self.trash:
            raise NotFoundError(f"Project {task.project_id} of task {task_id} is in the trash; restore it first")
        return task

    def live_tasks(self, project_id: str | None = None) -> list[Task]:
        """All tasks that can be reached, of one project or of all, oldest first."""
        return [
            task
            for task in self.tasks.values()
            if task.id not in self.trash
            and task.project_id not in self.trash
            and (project_id is None or task.project_id == project_id)
        ]

    def update_task(self, task_id: str, changes: dict[str, Any], expected_version: int | None) -> Task:
        """Set fields of a task. Values that are there already change nothing, not even the version."""
        changed = self._changed(self.task(task_id), changes, expected_version)
        self.tasks[task_id] = changed
        return changed

    def set_status(self, task_id: str, status: str) -> Task:
        """Complete or reopen a task; refused when it has that status already."""
        task = self.task(task_id)
        if task.status == status:
            raise ConflictError(f"Task {task_id} is {status} already")
        return self.update_task(task_id, {"status": status}, None)

    def delete_task(self, task_id: str, hard: bool) -> None:
        """Delete a task, with its comments when the delete is hard."""
        task = self.tasks.get(task_id)
        if task is None:
            raise NotFoundError(f"No task has the id {task_id!r}")
        if task.project_id in self.trash:
            raise NotFoundError(f"Project {task.project_id} of task {task_id} is in the trash; restore it first")
        if hard:
            self._remove_task(task_id)
        else:
            self._move_to_trash(task_id)

    def search(self, query: str, project_id: str | None) -> list[Task]:
        """Tasks whose title or notes contain the query, upper and lower case alike; an empty query finds all."""
        if project_id is not None:
            self.project(project_id)
        needle = query.casefold()
        return [
            task
            for task in self.live_tasks(project_id)
            if needle in task.title.casefold() or needle in task.notes.casefold()
        ]

    # Comments

    def add_comment(self, task_id: str, author: str, body: str) -> Comment:
        """Add a comment to a task."""
        if len(self.comments_of(task_id)) >= MAX_COMMENTS_PER_TASK:
            raise ConflictError(f"Task {task_id} has reached its limit of {MAX_COMMENTS_PER_TASK} comments")
        comment = Comment(
            id=self.fresh_id("cmt", self.comments),
            task_id=task_id,
            author=author,
            body=body,
            created_at=self._now(),
        )
        self.comments[comment.id] = comment
        return comment

    def comment(self, task_id: str, comment_id: str) -> Comment:
        """The comment with this id, which must belong to the task."""
        self.task(task_id)
        comment = self.comments.get(comment_id)
        if comment is None or comment.task_id != task_id:
            raise NotFoundError(f"Task {task_id} has no comment with the id {comment_id!r}")
        return comment

    def comments_of(self, task_id: str) -> list[Comment]:
        """All comments of a task, oldest first."""
        self.task(task_id)
        return [comment for comment in self.comments.values() if comment.task_id == task_id]

    def delete_comment(self, task_id: str, comment_id: str) -> None:
        """Delete a comment of a task for good."""
        del self.comments[self.comment(task_id, comment_id).id]

    # Trash and counts

    def restore(self, record_id: str) -> str:
        """Take a project or a task out of the trash; returns `project` or `task`."""
        if record_id not in self.trash:
            raise NotFoundError(f"Nothing in the trash has the id {record_id!r}")
        if record_id in self.projects:
            self._require_free_name(self.projects[record_id].name)
            kind = "project"
        else:
            self.project(self.tasks[record_id].project_id)
            kind = "task"
        self.trash.discard(record_id)
        return kind

    def stats(self, project_id: str | None) -> Stats:
        """Counts over one project or over all."""
        projects = self.live_projects() if project_id is None else [self.project(project_id)]
        tasks = self.live_tasks(project_id)
        task_ids = {task.id for task in tasks}
        done = sum(task.status == "done" for task in tasks)
        return Stats(
            projects=len(projects),
            tasks=len(tasks),
            open_tasks=len(tasks) - done,
            done_tasks=done,
            comments=sum(comment.task_id in task_ids for comment in self.comments.values()),
            trashed=self._count_trash(project_id),
        )

    # Helpers

    def fresh_id(self, prefix: str, taken: Iterable[str]) -> str:
        """A random id that no record in `taken` has."""
        while (candidate := self._new_id(prefix)) in taken:
            pass
        return candidate

    def _changed(self, record: Versioned, changes: dict[str, Any], expected_version: int | None) -> Versioned:
        """The record with the changes applied, or the record itself when they change nothing."""
        if all(getattr(record, field) == value for field, value in changes.items()):
            return record
        if expected_version is not None and expected_version != record.version:
            raise ConflictError(
                f"{record.id} has version {record.version}, not {expected_version}; read it again before changing it"
            )
        return record.model_copy(update={**changes, "version": record.version + 1, "updated_at": self._now()})

    def _created(self) -> dict[str, Any]:
        now = self._now()
        return {"created_at": now, "updated_at": now}

    def _require_free_name(self, name: str) -> None:
        for project in self.live_projects():
            if project.name == name:
                raise ConflictError(f"Project {project.id} has the name {name!r} already")

    def _move_to_trash(self, record_id: str) -> None:
        if record_id in self.trash:
            raise ConflictError(f"{record_id} is in the trash already")
        self.trash.add(record_id)

    def _remove_task(self, task_id: str) -> None:
        for comment in [comment for comment in self.comments.values() if comment.task_id == task_id]:
            del self.comments[comment.id]
        del self.tasks[task_id]
        self.trash.discard(task_id)

    def _count_trash(self, project_id: str | None) -> int:
        if project_id is None:
            return len(self.trash)
        return sum(self.tasks[record].project_id == project_id for record in self.trash if record in self.tasks)
