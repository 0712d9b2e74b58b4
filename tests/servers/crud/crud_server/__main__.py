"""The command: serve on stdio, or on Streamable HTTP with `--http PORT`."""

from __future__ import annotations

import argparse
import os

import anyio

from crud_server.app import Crud


def main() -> None:
    """Parse the command line and serve until the client leaves or the process is stopped."""
    parser = argparse.ArgumentParser(prog="crud_server", description="MCP server for projects, tasks and comments")
    parser.add_argument("--http", metavar="PORT", type=int, help="serve Streamable HTTP at /mcp (0: any free port)")
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on with --http (default: loopback)")
    options = parser.parse_args()

    crud = Crud()
    if os.environ.get("TOOLTEST_BUG") or os.environ.get("TOOLTEST_DECOY"):
        import crud_faults  # never loaded by the clean server

        crud_faults.install(crud, os.environ)
    if options.http is None:
        anyio.run(crud.serve_stdio)
    else:
        from crud_server import http  # uvicorn costs start-up time that stdio need not pay

        anyio.run(http.serve, crud.http_app(options.host), options.host, options.http)


if __name__ == "__main__":
    main()
