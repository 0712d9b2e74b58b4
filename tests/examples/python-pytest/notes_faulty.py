"""Keeps notes. Its author made sure that the program ends where it should not go on."""
import os
from itertools import count

from mcp.server.fastmcp import FastMCP
from mcp.server.fastmcp.exceptions import ToolError
from pydantic import BaseModel

server = FastMCP("notes", log_level="CRITICAL")
numbers = count(1)
notes: dict[int, str | None] = {}


class Note(BaseModel):
    id: int
    text: str


@server.tool()
def add_note(text: str) -> Note:
    """Keeps a note and gives it a number."""
    note = Note(id=next(numbers), text=text)
    notes[note.id] = text
    return note


@server.tool()
def read_note(id: int) -> Note:
    """Returns a note."""
    if id not in notes:
        raise ToolError(f"there is no note {id}")
    text = notes[id]
    if text is None:
        os._exit(1)
    return Note(id=id, text=text)


@server.tool()
def delete_note(id: int) -> str:
    """Deletes a note; its number is not used again."""
    if notes.get(id) is None:
        raise ToolError(f"there is no note {id}")
    notes[id] = None
    return f"note {id} is deleted"


if __name__ == "__main__":
    server.run()
