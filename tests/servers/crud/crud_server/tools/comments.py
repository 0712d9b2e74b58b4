"""Tools for the comments of a task; they answer with text only."""

from __future__ import annotations

from typing import Annotated

from mcp.server.mcpserver import MCPServer
from pydantic import Field

from crud_server.models import CommentPage
from crud_server.store import Store
from crud_server.strict import add_tool
from crud_server.tools.arguments import CREATE, DELETE, READ, CommentId, Limit, Offset, TaskId

Author = Annotated[str, Field(min_length=1, max_length=60, description="Who writes the comment")]
Body = Annotated[str, Field(min_length=1, max_length=2000, description="Text of the comment")]


class CommentTools:
    """The comment tools over one store."""

    def __init__(self, store: Store) -> None:
        self.store = store

    def register(self, server: MCPServer) -> None:
        """Add the tools to the server."""
        add_tool(server, self.add_comment, structured=False, annotations=CREATE)
        add_tool(server, self.get_comment, structured=False, annotations=READ)
        add_tool(server, self.list_comments, structured=False, annotations=READ)
        add_tool(server, self.delete_comment, structured=False, annotations=DELETE)

    async def add_comment(self, task_id: TaskId, author: Author, body: Body) -> str:
        """Add a comment to a task. The answer is a sentence that names the new id."""
        comment = self.store.add_comment(task_id, author, body)
        return f"Added comment {comment.id} to task {task_id}"

    async def get_comment(self, task_id: TaskId, comment_id: CommentId) -> str:
        """Read one comment of a task. The answer is the comment as JSON text."""
        return self.store.comment(task_id, comment_id).model_dump_json()

    async def list_comments(self, task_id: TaskId, limit: Limit = 20, offset: Offset = 0) -> str:
        """List the comments of a task, oldest first, one page at a time.

        The answer is JSON text: {"items": [comment, ...], "total": count, "next_offset": number or null}.
        """
        comments = self.store.comments_of(task_id)
        end = offset + limit
        page = CommentPage(
            items=comments[offset:end], total=len(comments), next_offset=end if end < len(comments) else None
        )
        return page.model_dump_json()

    async def delete_comment(self, task_id: TaskId, comment_id: CommentId) -> str:
        """Delete a comment of a task for good."""
        self.store.delete_comment(task_id, comment_id)
        return f"Deleted comment {comment_id} of task {task_id}"
