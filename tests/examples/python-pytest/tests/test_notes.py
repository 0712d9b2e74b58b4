"""One line tests the whole server, as a program or as an object."""
import sys
from pathlib import Path

import notes_fixed

SERVER = Path(notes_fixed.__file__)


def test_the_program(tooltest):
    tooltest([sys.executable, str(SERVER)])


def test_the_object(tooltest):
    tooltest(notes_fixed.server)


def test_notes_can_be_read_back(tooltest):
    result = tooltest(notes_fixed.server, tool_allowlist=["add_note", "read_note"])
    read = next(tool for tool in result.coverage if tool.tool == "read_note")
    assert read.ok > 0
