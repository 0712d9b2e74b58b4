"""Resources and the prompt: the same records for clients that read rather than call."""

from __future__ import annotations

import json
from typing import Annotated

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ResourceNotFoundError
from mcp.shared.exceptions import MCPError
from mcp_types import INVALID_PARAMS
from pydantic import Field

from crud_server.store import NotFoundError, Store
from crud_server.tools.projects import export


def register(server: MCPServer, store: Store) -> None:
    """Add the resources and the prompt to the server."""

    @server.resource("crud://projects", mime_type="application/json")
    async def projects() -> str:
        """All projects that are not in the trash, as a JSON array."""
        return json.dumps([project.model_dump() for project in store.live_projects()], ensure_ascii=False)

    @server.resource("crud://projects/{project_id}", mime_type="text/markdown")
    async def project(project_id: str) -> str:
        """One project with its tasks, as Markdown."""
        try:
            return export(store.project(project_id), store.live_tasks(project_id), "markdown")
        except NotFoundError as error:
            raise ResourceNotFoundError(str(error)) from error

    @server.prompt()
    async def review_project(
        project_id: Annotated[str, Field(description="Id of the project to review")],
    ) -> str:
        """Review the open tasks of a project and propose what to do next."""
        try:
            found = store.project(project_id)
        except NotFoundError as error:
            raise MCPError(code=INVALID_PARAMS, message=str(error)) from error
        listing = export(found, store.live_tasks(project_id), "markdown")
        return f"Review this project and propose the three tasks to do next, with one reason for each.\n\n{listing}\n"
