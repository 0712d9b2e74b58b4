"""Serving Streamable HTTP with uvicorn, on a port that may be chosen by the system."""

from __future__ import annotations

import socket
import sys

import uvicorn
from starlette.types import ASGIApp

from crud_server.app import PATH


async def serve(app: ASGIApp, host: str, port: int) -> None:
    """Serve until the process is told to stop; writes the URL to stderr once the port is bound."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.create_server((host, port), family=family) as listener:
        shown = f"[{host}]" if ":" in host else host
        print(f"Serving MCP on http://{shown}:{listener.getsockname()[1]}{PATH}", file=sys.stderr, flush=True)
        config = uvicorn.Config(app, log_level="warning", access_log=False)
        await uvicorn.Server(config).serve(sockets=[listener])
