"""Tools for projects: create, read, page, change, delete, restore, count, export."""

from __future__ import annotations

import csv
import io
import json
from typing import Annotated, Any, Literal, Optional

from mcp.server.mcpserver import MCPServer
from pydantic import Field

from crud_server.models import Color, Project, ProjectPage, Stats, Task
from crud_server.store import Store, StoreError
from crud_server.strict import add_tool
from crud_server.tools.arguments import (
    CREATE,
    DELETE,
    READ,
    UPDATE,
    Description,
    ExpectedVersion,
    Hard,
    Keep,
    Limit,
    ProjectColor,
    ProjectId,
    ProjectName,
)


class ProjectTools:
    """The project tools over one store."""

    def __init__(self, store: Store) -> None:
        self.store = store

    def register(self, server: MCPServer) -> None:
        """Add the tools to the server."""
        add_tool(server, self.create_project, structured=True, annotations=CREATE)
        add_tool(server, self.get_project, structured=True, annotations=READ)
        add_tool(server, self.list_projects, structured=True, annotations=READ)
        add_tool(server, self.update_project, structured=True, annotations=UPDATE)
        add_tool(server, self.delete_project, structured=False, annotations=DELETE)
        add_tool(server, self.restore, structured=False, annotations=CREATE)
        add_tool(server, self.project_stats, structured=True, annotations=READ)
        add_tool(server, self.export_project, structured=False, annotations=READ)

    async def create_project(
        self, name: ProjectName, description: Description = "", color: ProjectColor = "gray"
    ) -> Project:
        """Create a project and return it with its new id. Refused when another project has the name."""
        return self.store.create_project(name, description, color)

    async def get_project(self, project_id: ProjectId) -> Project:
        """Read one project."""
        return self.store.project(project_id)

    async def list_projects(
        self,
        limit: Limit = 20,
        cursor: Annotated[
            Optional[str], Field(description="next_cursor of the page before; null for the first page")
        ] = None,
    ) -> ProjectPage:
        """List all projects that are not in the trash, oldest first, one page at a time."""
        projects = self.store.live_projects()
        start = 0 if cursor is None else read_cursor(cursor)
        end = start + limit
        return ProjectPage(
            items=projects[start:end],
            total=len(projects),
            next_cursor=f"after-{end}" if end < len(projects) else None,
        )

    async def update_project(
        self,
        project_id: ProjectId,
        name: Annotated[Optional[ProjectName], Keep] = None,
        description: Annotated[Optional[Description], Keep] = None,
        color: Annotated[Optional[Color], Keep] = None,
        expected_version: ExpectedVersion = None,
    ) -> Project:
        """Change fields of a project and return it; fields left out or null keep their values.

        Each change adds one to the version. Setting the values that are there already changes nothing.
        """
        changes = {"name": name, "description": description, "color": color}
        given = {field: value for field, value in changes.items() if value is not None}
        return self.store.update_project(project_id, given, expected_version)

    async def delete_project(self, project_id: ProjectId, hard: Hard = False) -> str:
        """Delete a project with all its tasks: to the trash, or for good with hard=true."""
        tasks = self.store.delete_project(project_id, hard)
        if hard:
            return f"Deleted project {project_id} with {tasks} tasks for good"
        return f"Moved project {project_id} with {tasks} tasks to the trash"

    async def restore(self, id: Annotated[str, Field(description="Id of a project or task in the trash")]) -> str:
        """Take a project or a task out of the trash, as it was."""
        return f"Restored {self.store.restore(id)} {id}"

    async def project_stats(
        self,
        project_id: Annotated[Optional[str], Field(description="Count in this project only; null for all")] = None,
    ) -> Stats:
        """Count projects, tasks, comments and what lies in the trash."""
        return self.store.stats(project_id)

    async def export_project(
        self,
        project_id: ProjectId,
        format: Annotated[
            Literal["markdown", "json", "csv"], Field(description="Format of the returned text")
        ] = "markdown",
    ) -> str:
        """Return a project with all its tasks as text."""
        project = self.store.project(project_id)
        return export(project, self.store.live_tasks(project_id), format)


def read_cursor(cursor: str) -> int:
    """The number of items before the page that a cursor points to."""
    prefix, _, digits = cursor.partition("-")
    if prefix != "after" or not digits.isascii() or not digits.isdigit() or len(digits) > 9:
        raise StoreError(f"{cursor!r} is not a cursor; pass next_cursor of the page before")
    return int(digits)


def export(project: Project, tasks: list[Task], format: str) -> str:
    """A project and its tasks as Markdown, JSON or CSV."""
    if format == "json":
        document: dict[str, Any] = project.model_dump()
        document["tasks"] = [task.model_dump() for task in tasks]
        return json.dumps(document, ensure_ascii=False)
    if format == "csv":
        return _csv(tasks)
    boxes = {"open": "[ ]", "done": "[x]"}
    lines = [f"# {project.name}", "", f"Project {project.id}, {len(tasks)} tasks", ""]
    lines += [f"- {boxes[task.status]} {task.title} ({task.id}, {task.priority})" for task in tasks]
    return "\n".join(lines)


def _csv(tasks: list[Task]) -> str:
    columns = ["id", "title", "status", "priority", "due_on"]
    table = io.StringIO()
    writer = csv.writer(table)
    writer.writerow(columns)
    writer.writerows([getattr(task, column) or "" for column in columns] for task in tasks)
    return table.getvalue()
