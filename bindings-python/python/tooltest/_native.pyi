from collections.abc import Callable
from os import PathLike
from typing import Any, final

__all__ = [
    "VERSION",
    "Outbox",
    "Run",
    "TooltestError",
    "client_target",
    "common_target",
    "end_all",
    "failure_files",
    "main",
    "merge",
    "read_target",
    "render",
    "render_finding",
    "schemas",
]

VERSION: str

class TooltestError(Exception):
    """tooltest itself could not do its work; a failing server is a result, never an exception."""

    kind: str

@final
class Outbox:
    def send(self, message: bytes) -> bool: ...
    def close(self) -> None: ...

@final
class Run:
    def __new__(
        cls,
        input: str,
        settings: str,
        events: bool = False,
        connect: Callable[[Outbox], Callable[[list[bytes] | None], object]] | None = None,
    ) -> Run: ...
    def cancel(self) -> None: ...
    def wait(self, on_event: Callable[[str], object] | None = None) -> str: ...

def read_target(written: str, name: str | None = None) -> str: ...
def client_target(text: str, name: str | None = None) -> str: ...
def failure_files(path: str | PathLike[str]) -> list[Any]: ...
def common_target(files: list[Any]) -> str: ...
def render(result: str, format: str, width: int = 100, colour: bool = False, verbose: bool = False) -> str: ...
def render_finding(finding: str, width: int = 100, colour: bool = False) -> str: ...
def merge(results: list[str]) -> str: ...
def main(args: list[str]) -> int: ...
def schemas() -> str: ...
def end_all() -> None: ...
