"""The server put together: one store, its tools, resources and prompt."""

from __future__ import annotations

from dataclasses import dataclass, field

from mcp.server.caching import CacheHint
from mcp.server.mcpserver import MCPServer
from starlette.types import ASGIApp

from crud_server import __version__, resources
from crud_server.store import Store
from crud_server.tools.comments import CommentTools
from crud_server.tools.projects import ProjectTools
from crud_server.tools.tasks import TaskTools

PATH = "/mcp"
INSTRUCTIONS = (
    "Projects hold tasks, tasks hold comments. Create a project first and keep its id: every other record hangs on "
    "it. Deleting moves to the trash unless hard is true. All records are gone when the process ends."
)


def _new_server() -> MCPServer:
    # The definitions never change while the process lives, the records do.
    fixed = CacheHint(ttl_ms=60_000, scope="public")
    return MCPServer(
        "crud",
        title="Projects, tasks and comments",
        version=__version__,
        instructions=INSTRUCTIONS,
        log_level="WARNING",
        cache_hints={
            "server/discover": fixed,
            "tools/list": fixed,
            "prompts/list": fixed,
            "resources/list": fixed,
            "resources/templates/list": fixed,
        },
    )


@dataclass
class Crud:
    """The server and the store behind it."""

    store: Store = field(default_factory=Store)
    server: MCPServer = field(default_factory=_new_server)

    def __post_init__(self) -> None:
        ProjectTools(self.store).register(self.server)
        TaskTools(self.store).register(self.server)
        CommentTools(self.store).register(self.server)
        resources.register(self.server, self.store)

    async def serve_stdio(self) -> None:
        """Serve one client on stdin and stdout until stdin is closed."""
        await self.server.run_stdio_async()

    def http_app(self, host: str) -> ASGIApp:
        """The Streamable HTTP application at `PATH`, for a listener on this address."""
        return self.server.streamable_http_app(streamable_http_path=PATH, host=host)
