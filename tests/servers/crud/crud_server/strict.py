"""Tools whose input schema says exactly what they accept.

The SDK validates arguments in pydantic's lax mode: it drops unknown arguments and turns `"10"` into 10, though the
schema it publishes does not say so. The tools of this server publish `additionalProperties: false` and accept what
their schema accepts, nothing else.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Awaitable, Callable
from typing import Any

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.mcpserver.tools import Tool
from mcp.server.mcpserver.utilities.func_metadata import FuncMetadata
from mcp_types import ToolAnnotations
from pydantic import BeforeValidator, ConfigDict, create_model

from crud_server.store import StoreError


def _whole_number(value: Any) -> Any:
    """JSON Schema counts 3.0 as an integer."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


WHOLE = BeforeValidator(_whole_number)
"""Last in the annotation of an integer, so that bounds before it stay JSON Schema keywords."""


class StrictMetadata(FuncMetadata):
    """Takes the arguments as they come."""

    def pre_parse_json(self, data: dict[str, Any]) -> dict[str, Any]:
        """The SDK would parse strings that look like JSON; here a string is a string."""
        return data


def add_tool(
    server: MCPServer, function: Callable[..., Awaitable[Any]], *, structured: bool, annotations: ToolAnnotations
) -> None:
    """Register an async method as a tool: its name, docstring and signature make the definition."""

    @functools.wraps(function)
    async def call(**arguments: Any) -> Any:
        try:
            return await function(**arguments)
        except StoreError as error:
            raise ToolError(str(error)) from error

    description = inspect.cleandoc(function.__doc__ or "")
    server.add_tool(call, description=description, structured_output=structured, annotations=annotations)
    tool = server._tool_manager.get_tool(call.__name__)  # the SDK has no public way to reach a registered tool
    assert tool is not None
    make_strict(tool)


def make_strict(tool: Tool) -> None:
    """Make a registered tool refuse unknown arguments and values of another type."""
    loose = tool.fn_metadata
    name = loose.arg_model.__name__
    base = type(name, (loose.arg_model,), {"model_config": ConfigDict(extra="forbid", strict=True)})
    model = create_model(name, __base__=base)
    tool.fn_metadata = StrictMetadata(arg_model=model, output_model=loose.output_model, wrap_output=loose.wrap_output)
    tool.parameters = model.model_json_schema(by_alias=True)
