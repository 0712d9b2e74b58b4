"""Tools for tasks: create, read, page, change, complete, reopen, delete, search."""

from __future__ import annotations

from typing import Annotated, Any, Optional

from mcp.server.mcpserver import MCPServer
from pydantic import Field

from crud_server.models import Priority, SearchResult, Status, Task, TaskPage
from crud_server.store import Store
from crud_server.strict import add_tool
from crud_server.tools.arguments import (
    CREATE,
    DELETE,
    READ,
    SWITCH,
    UPDATE,
    Date,
    DueOn,
    ExpectedVersion,
    Hard,
    Keep,
    Labels,
    Limit,
    Notes,
    Offset,
    ProjectId,
    TaskId,
    TaskPriority,
    Title,
)


class TaskTools:
    """The task tools over one store."""

    def __init__(self, store: Store) -> None:
        self.store = store

    def register(self, server: MCPServer) -> None:
        """Add the tools to the server."""
        add_tool(server, self.create_task, structured=False, annotations=CREATE)
        add_tool(server, self.get_task, structured=True, annotations=READ)
        add_tool(server, self.list_tasks, structured=True, annotations=READ)
        add_tool(server, self.update_task, structured=True, annotations=UPDATE)
        add_tool(server, self.complete_task, structured=True, annotations=SWITCH)
        add_tool(server, self.reopen_task, structured=True, annotations=SWITCH)
        add_tool(server, self.delete_task, structured=False, annotations=DELETE)
        add_tool(server, self.search_tasks, structured=False, annotations=READ)

    async def create_task(
        self,
        project_id: ProjectId,
        title: Title,
        notes: Notes = "",
        priority: TaskPriority = "normal",
        due_on: DueOn = None,
        labels: Labels = [],  # noqa: B006  # never changed, and the schema shows it
    ) -> str:
        """Create an open task in a project. The answer is a sentence that names the new id."""
        fields: dict[str, Any] = {
            "title": title,
            "notes": notes,
            "priority": priority,
            "due_on": due_on,
            "labels": list(labels),
        }
        task = self.store.create_task(project_id, fields)
        return f"Created task {task.id} in project {project_id}"

    async def get_task(self, task_id: TaskId) -> Task:
        """Read one task."""
        return self.store.task(task_id)

    async def list_tasks(
        self,
        project_id: ProjectId,
        status: Annotated[Optional[Status], Field(description="Only tasks with this status; null for all")] = None,
        priority: Annotated[
            Optional[Priority], Field(description="Only tasks with this priority; null for all")
        ] = None,
        limit: Limit = 20,
        offset: Offset = 0,
    ) -> TaskPage:
        """List the tasks of a project, oldest first, one page at a time."""
        self.store.project(project_id)
        tasks = [
            task
            for task in self.store.live_tasks(project_id)
            if status in (None, task.status) and priority in (None, task.priority)
        ]
        end = offset + limit
        return TaskPage(items=tasks[offset:end], total=len(tasks), next_offset=end if end < len(tasks) else None)

    async def update_task(
        self,
        task_id: TaskId,
        title: Annotated[Optional[Title], Keep] = None,
        notes: Annotated[Optional[Notes], Keep] = None,
        priority: Annotated[Optional[Priority], Keep] = None,
        due_on: Annotated[Optional[Date], Keep] = None,
        labels: Annotated[Optional[Labels], Keep] = None,
        expected_version: ExpectedVersion = None,
    ) -> Task:
        """Change fields of a task and return it; fields left out or null keep their values.

        Each change adds one to the version. Setting the values that are there already changes nothing.
        """
        changes = {"title": title, "notes": notes, "priority": priority, "due_on": due_on, "labels": labels}
        given = {field: value for field, value in changes.items() if value is not None}
        return self.store.update_task(task_id, given, expected_version)

    async def complete_task(self, task_id: TaskId) -> Task:
        """Mark an open task as done and return it. Refused when it is done already."""
        return self.store.set_status(task_id, "done")

    async def reopen_task(self, task_id: TaskId) -> Task:
        """Mark a done task as open again and return it. Refused when it is open already."""
        return self.store.set_status(task_id, "open")

    async def delete_task(self, task_id: TaskId, hard: Hard = False) -> str:
        """Delete a task with all its comments: to the trash, or for good with hard=true."""
        self.store.delete_task(task_id, hard)
        return f"Deleted task {task_id} for good" if hard else f"Moved task {task_id} to the trash"

    async def search_tasks(
        self,
        query: Annotated[str, Field(max_length=200, description="Text to look for; empty finds every task")],
        project_id: Annotated[Optional[str], Field(description="Search this project only; null for all")] = None,
        limit: Limit = 20,
    ) -> str:
        """Find tasks whose title or notes contain a text, upper and lower case alike.

        The answer is JSON text: {"items": [task, ...], "total": number of hits}.
        """
        found = self.store.search(query, project_id)
        return SearchResult(items=found[:limit], total=len(found)).model_dump_json()
