"""Property-based testing and linting for MCP servers: point it at a server and it finds real bugs."""
from __future__ import annotations

from ._api import Target, from_config, lint, list_tools, render, render_finding, replay, run, run_async
from ._many import ManyResults, merge, run_many
from ._native import VERSION as __version__
from ._native import TooltestError
from .types import Event, Finding, Options, RunResult, ToolCoverage

__all__ = [
    "Event",
    "Finding",
    "ManyResults",
    "Options",
    "RunResult",
    "Target",
    "ToolCoverage",
    "TooltestError",
    "__version__",
    "from_config",
    "lint",
    "list_tools",
    "merge",
    "render",
    "render_finding",
    "replay",
    "run",
    "run_async",
    "run_many",
]
