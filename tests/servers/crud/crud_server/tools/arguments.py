"""Argument types shared by the tools, and their annotations."""

from __future__ import annotations

import calendar
import re
from typing import Annotated, Optional

from mcp_types import ToolAnnotations
from pydantic import AfterValidator, Field

from crud_server.models import Color, Priority
from crud_server.strict import WHOLE

_DATE = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})", re.ASCII)


def _calendar_date(value: str) -> str:
    match = _DATE.fullmatch(value)
    if match is None:
        raise ValueError("a date looks like 2026-03-31")
    year, month, day = (int(part) for part in match.groups())
    if not 1 <= month <= 12 or not 1 <= day <= calendar.monthrange(year, month)[1]:
        raise ValueError("there is no such day in the calendar")
    return value


ProjectId = Annotated[str, Field(description="Id of a project, such as prj_1f9a03bc")]
TaskId = Annotated[str, Field(description="Id of a task, such as tsk_1f9a03bc")]
CommentId = Annotated[str, Field(description="Id of a comment, such as cmt_1f9a03bc")]
ProjectName = Annotated[str, Field(min_length=1, max_length=80, description="Name, unique among all projects")]
Description = Annotated[str, Field(max_length=1000, description="What the project is about")]
ProjectColor = Annotated[Color, Field(description="Color of the project")]
Title = Annotated[str, Field(min_length=1, max_length=120, description="What is to be done, in one line")]
Notes = Annotated[str, Field(max_length=2000, description="Details of the task")]
TaskPriority = Annotated[Priority, Field(description="How urgent the task is")]
Date = Annotated[str, AfterValidator(_calendar_date), Field(json_schema_extra={"format": "date"})]
DueOn = Annotated[Optional[Date], Field(description="Calendar date such as 2026-03-31; null for none")]
Label = Annotated[str, Field(min_length=1, max_length=30)]
Labels = Annotated[list[Label], Field(max_length=5, description="Up to five labels")]
ExpectedVersion = Annotated[
    Optional[Annotated[int, Field(ge=1, le=1_000_000_000), WHOLE]],
    Field(description="Refuse the change unless the record still has this version; null for any version"),
]
Limit = Annotated[int, Field(ge=1, le=100, description="Most items to return"), WHOLE]
Offset = Annotated[int, Field(ge=0, le=1_000_000_000, description="Number of items to skip"), WHOLE]
Hard = Annotated[bool, Field(description="true deletes for good, false moves to the trash")]
Keep = Field(description="New value; null keeps the old one")

READ = ToolAnnotations(read_only_hint=True, open_world_hint=False)
CREATE = ToolAnnotations(read_only_hint=False, destructive_hint=False, idempotent_hint=False, open_world_hint=False)
UPDATE = ToolAnnotations(read_only_hint=False, destructive_hint=True, idempotent_hint=True, open_world_hint=False)
SWITCH = CREATE
DELETE = ToolAnnotations(read_only_hint=False, destructive_hint=True, idempotent_hint=False, open_world_hint=False)
