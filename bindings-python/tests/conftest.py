"""What the tests share."""
from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import pytest

pytest_plugins = ["pytester"]
SERVERS = Path(__file__).parent / "servers"
SMALL: dict[str, Any] = {"max_calls": 150, "time_limit": 30, "seed": 7, "failure_dir": ""}


@pytest.fixture(autouse=True)
def empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Every test runs in a folder of its own."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def server(faults: str = "", **env: str) -> dict[str, Any]:
    """The stdio server with these faults, as an entry of a client configuration."""
    return {"command": sys.executable, "args": [str(SERVERS / "tasks_server.py")], "env": {"FAULTS": faults, **env}}


def alive(pid: int) -> bool:
    """Whether a process is there and no zombie."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False
