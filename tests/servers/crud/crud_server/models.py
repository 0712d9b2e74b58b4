"""The records of the server: what the store keeps is what the structured tools answer.

Every record is frozen. A change makes a new record (`model_copy`), so an answer that was already handed out never
changes under its reader.
"""

from __future__ import annotations

from typing import Annotated, Literal, Optional

from pydantic import BaseModel, ConfigDict, Field

Color = Literal["gray", "blue", "green", "red"]
Priority = Literal["low", "normal", "high", "urgent"]
Status = Literal["open", "done"]

DateTime = Annotated[str, Field(json_schema_extra={"format": "date-time"}, description="UTC, RFC 3339")]


class Record(BaseModel):
    """Base of everything that is stored or answered: frozen, and no field beyond those declared."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Project(Record):
    """A project, as stored and as answered."""

    id: str
    name: str
    description: str
    color: Color
    version: int = Field(ge=1, description="Grows by one with every change of the project")
    created_at: DateTime
    updated_at: DateTime


class Task(Record):
    """A task of one project, as stored and as answered."""

    id: str
    project_id: str
    title: str
    notes: str
    status: Status
    priority: Priority
    due_on: Optional[str] = Field(json_schema_extra={"format": "date"}, description="Calendar date, or null")
    labels: list[str]
    version: int = Field(ge=1, description="Grows by one with every change of the task")
    created_at: DateTime
    updated_at: DateTime


class Comment(Record):
    """A comment on one task, as stored and as answered (in JSON text)."""

    id: str
    task_id: str
    author: str
    body: str
    created_at: DateTime


class ProjectPage(Record):
    """One page of projects; `next_cursor` is null on the last page."""

    items: list[Project]
    total: int = Field(ge=0, description="Number of projects over all pages")
    next_cursor: Optional[str]


class TaskPage(Record):
    """One page of tasks; `next_offset` is null on the last page."""

    items: list[Task]
    total: int = Field(ge=0, description="Number of matching tasks over all pages")
    next_offset: Optional[int]


class CommentPage(Record):
    """One page of comments; `next_offset` is null on the last page."""

    items: list[Comment]
    total: int
    next_offset: Optional[int]


class SearchResult(Record):
    """Tasks found by a search; `total` counts all hits, also those beyond the limit."""

    items: list[Task]
    total: int


class Stats(Record):
    """Counts of what can be reached, and of what lies in the trash."""

    projects: int = Field(ge=0)
    tasks: int = Field(ge=0)
    open_tasks: int = Field(ge=0)
    done_tasks: int = Field(ge=0)
    comments: int = Field(ge=0)
    trashed: int = Field(ge=0, description="Projects and tasks in the trash")
