"""The command: serve on stdio, or on Streamable HTTP with `--http PORT`."""

from __future__ import annotations

import argparse

import anyio

from crud_server.app import Crud


def main() -> None:
    """Parse the command line and serve until the client leaves or the process is stopped."""
    parser = argparse.ArgumentParser(prog="crud_server", description="MCP server for projects, tasks and comments")
    parser.add_argument("--http", metavar="PORT", type=int, help="serve Streamable HTTP at /mcp (0: any free port)")
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on with --http (default: loopback)")
    options = parser.parse_args()

    crud = Crud()
    if options.http is None:
        anyio.run(crud.server.run_stdio_async)
    else:
        from crud_server import http  # uvicorn costs start-up time that stdio need not pay

        app = crud.server.streamable_http_app(streamable_http_path=http.PATH, host=options.host)
        anyio.run(http.serve, app, options.host, options.http)


if __name__ == "__main__":
    main()
