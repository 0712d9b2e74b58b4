"""An MCP server for projects, tasks and comments, kept in memory."""

__version__ = "1.0.0"
