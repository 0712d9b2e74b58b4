"""Bugs that only the 2026-07-28 revision knows: result types, cache hints, discovery, statelessness."""

from __future__ import annotations

import secrets
from typing import Any

from mcp.server import _streamable_http_modern, runner
from mcp.server.context import CallNext
from mcp.shared.exceptions import MCPError
from mcp.shared.inbound import InboundLadderRejection, classify_inbound_request
from mcp_types import (
    CLIENT_CAPABILITIES_META_KEY,
    INVALID_PARAMS,
    LOG_LEVEL_META_KEY,
    UNSUPPORTED_PROTOCOL_VERSION,
)

from crud_faults.mutant import Context, Json, Mutant, is_modern, seeding

SEEDED, bug = seeding()


def _edit(mutant: Mutant, method: str, tool: str | None, **members: Any) -> None:
    """Set members of the results of a method (of one tool) in the modern era; None removes a member."""

    @mutant.request(method)
    async def edit(context: Context, call_next: CallNext) -> Any:
        result = await call_next(context)
        if not is_modern(context) or tool not in (None, (context.params or {}).get("name")):
            return result
        mutant.trigger()
        edited = {**result, **members}  # type: ignore[dict-item]
        return {name: value for name, value in edited.items() if value is not None}


@bug
def result_type_missing(mutant: Mutant) -> None:
    _edit(mutant, "tools/call", "list_projects", resultType=None)


@bug
def result_type_unknown(mutant: Mutant) -> None:
    _edit(mutant, "tools/call", "project_stats", resultType="done")


@bug
def ttl_negative(mutant: Mutant) -> None:
    _edit(mutant, "tools/list", None, ttlMs=-1)


@bug
def cache_scope_unknown(mutant: Mutant) -> None:
    _edit(mutant, "resources/list", None, cacheScope="shared")


@bug
def cache_hints_missing(mutant: Mutant) -> None:
    _edit(mutant, "resources/read", None, ttlMs=None, cacheScope=None)


@bug
def discover_other_versions(mutant: Mutant) -> None:
    _edit(mutant, "server/discover", None, supportedVersions=["2025-11-25"])


def _on_unknown_resource(mutant: Mutant, answer: Any) -> None:
    @mutant.request("resources/read")
    async def read(context: Context, call_next: CallNext) -> Any:
        try:
            return await call_next(context)
        except MCPError as error:
            if is_modern(context):
                mutant.trigger()
                return answer(context, error)
            raise


@bug
def resource_error_retired(mutant: Mutant) -> None:
    def answer(context: Context, error: MCPError) -> Json:
        raise MCPError(code=-32002, message=error.error.message, data=error.error.data)

    _on_unknown_resource(mutant, answer)


@bug
def resource_empty(mutant: Mutant) -> None:
    def answer(context: Context, error: MCPError) -> Json:
        return {"resultType": "complete", "contents": [], "ttlMs": 0, "cacheScope": "private"}

    _on_unknown_resource(mutant, answer)


@bug
def tools_vary(mutant: Mutant) -> None:
    node = secrets.token_hex(4)

    @mutant.request("tools/list")
    async def list_tools(context: Context, call_next: CallNext) -> Any:
        result: Any = await call_next(context)
        if is_modern(context):
            mutant.trigger()
            for tool in result["tools"]:
                if tool["name"] == "search_tasks":
                    tool["description"] += f" Served by node {node}."
        return result


@bug
def needs_discover(mutant: Mutant) -> None:
    discovered = False

    @mutant.request("server/discover")
    async def discover(context: Context, call_next: CallNext) -> Any:
        nonlocal discovered
        discovered = True
        return await call_next(context)

    @mutant.request("tools/list")
    async def list_tools(context: Context, call_next: CallNext) -> Any:
        if is_modern(context) and not discovered:
            mutant.trigger()
            raise MCPError(code=INVALID_PARAMS, message="Call server/discover first")
        return await call_next(context)


def _patch_classifier(change: Any) -> None:
    def classify(body: Any, **more: Any) -> Any:
        return change(lambda body: classify_inbound_request(body, **more), body)

    for module in (runner, _streamable_http_modern):
        module.classify_inbound_request = classify  # type: ignore[assignment]


@bug
def version_error_code(mutant: Mutant) -> None:
    def change(classify: Any, body: Json) -> Any:
        route = classify(body)
        if isinstance(route, InboundLadderRejection) and route.code == UNSUPPORTED_PROTOCOL_VERSION:
            mutant.trigger()
            return InboundLadderRejection(code=INVALID_PARAMS, message=route.message, data=None)
        return route

    _patch_classifier(change)


@bug
def capabilities_not_required(mutant: Mutant) -> None:
    def change(classify: Any, body: Json) -> Any:
        params = body.get("params")
        meta = params.get("_meta") if isinstance(params, dict) else None
        if isinstance(meta, dict) and CLIENT_CAPABILITIES_META_KEY not in meta:
            mutant.trigger()
            meta[CLIENT_CAPABILITIES_META_KEY] = {}
        return classify(body)

    _patch_classifier(change)


@bug
def unasked_log(mutant: Mutant) -> None:
    pending = 0

    @mutant.request("tools/call")
    async def note(context: Context, call_next: CallNext) -> Any:
        nonlocal pending
        meta = (context.params or {}).get("_meta", {})
        if is_modern(context) and LOG_LEVEL_META_KEY not in meta:
            pending += 1
        return await call_next(context)

    def write(message: Json) -> list[Json | str]:
        nonlocal pending
        if pending and "id" in message:
            pending -= 1
            mutant.trigger()
            params = {"level": "info", "logger": "crud", "data": "tool called"}
            return [{"jsonrpc": "2.0", "method": "notifications/message", "params": params}, message]
        return [message]

    mutant.stdout(write)
