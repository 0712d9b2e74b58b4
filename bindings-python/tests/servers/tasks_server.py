"""A stdio server without any library, with faults that the environment turns on: FAULTS=crash,schema,hang."""
import json
import os
import sys
import time

FAULTS = set(os.environ.get("FAULTS", "").split(","))
TOOLS = [
    {
        "name": "add",
        "description": "Adds two numbers.",
        "inputSchema": {
            "type": "object",
            "properties": {"a": {"type": "integer", "minimum": -1000, "maximum": 1000}, "b": {"type": "integer", "minimum": -1000, "maximum": 1000}},
            "required": ["a", "b"],
            "additionalProperties": False,
        },
        "outputSchema": {"type": "object", "properties": {"sum": {"type": "integer"}}, "required": ["sum"]},
        "annotations": {"readOnlyHint": True},
    },
    {
        "name": "repeat",
        "description": "Repeats a text.",
        "inputSchema": {
            "type": "object",
            "properties": {"text": {"type": "string", "maxLength": 50}, "times": {"type": "integer", "minimum": 0, "maximum": 20}},
            "required": ["text", "times"],
            "additionalProperties": False,
        },
        "annotations": {"readOnlyHint": True},
    },
]


class Invalid(Exception):
    pass


def checked(arguments, names):
    if not isinstance(arguments, dict) or set(arguments) != set(names):
        raise Invalid(f"expected {sorted(names)}")
    for name, (kind, low, high) in names.items():
        value = arguments[name]
        if kind is int and isinstance(value, float) and value.is_integer():
            value = int(value)
        if not isinstance(value, kind) or isinstance(value, bool):
            raise Invalid(f"{name} must be of type {kind.__name__}")
        size = len(value) if kind is str else value
        if not low <= size <= high:
            raise Invalid(f"{name} is out of range")
        arguments[name] = value
    return arguments


def call(name, arguments):
    if name == "add":
        arguments = checked(arguments, {"a": (int, -1000, 1000), "b": (int, -1000, 1000)})
        if "hang" in FAULTS:
            time.sleep(3600)
        if "crash" in FAULTS and arguments["a"] > 500:
            os._exit(7)
        total = arguments["a"] + arguments["b"]
        return {"sum": str(total) if "schema" in FAULTS and total < 0 else total}
    if name == "repeat":
        arguments = checked(arguments, {"text": (str, 0, 50), "times": (int, 0, 20)})
        return arguments["text"] * arguments["times"]
    raise KeyError(name)


def answer(message):
    method, params = message["method"], message.get("params") or {}
    if method == "initialize":
        return {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": {"name": "tasks", "version": "1.0"}}
    if method == "ping":
        return {}
    if method == "tools/list":
        return {"tools": TOOLS}
    if method == "tools/call":
        try:
            made = call(params.get("name"), params.get("arguments"))
        except Invalid as fault:
            return {"content": [{"type": "text", "text": f"Invalid arguments: {fault}"}], "isError": True}
        if isinstance(made, dict):
            return {"content": [{"type": "text", "text": json.dumps(made)}], "structuredContent": made}
        return {"content": [{"type": "text", "text": made}]}
    raise LookupError(method)


def main():
    if marker := os.environ.get("PID_FILE"):
        with open(marker, "a", encoding="utf-8") as file:
            file.write(f"{os.getpid()}\n")
    for line in sys.stdin:
        reply = {"jsonrpc": "2.0"}
        try:
            message = json.loads(line)
        except ValueError:
            reply.update(id=None, error={"code": -32700, "message": "Parse error"})
            print(json.dumps(reply), flush=True)
            continue
        if not isinstance(message, dict) or message.get("jsonrpc") != "2.0" or not isinstance(message.get("method"), str):
            if isinstance(message, dict) and "method" not in message and ("result" in message or "error" in message):
                continue
            reply.update(id=None, error={"code": -32600, "message": "Invalid Request"})
        elif "id" not in message:
            continue
        else:
            reply["id"] = message["id"]
            try:
                reply["result"] = answer(message)
            except LookupError as fault:
                unknown_tool = message["method"] == "tools/call"
                reply["error"] = {"code": -32602 if unknown_tool else -32601, "message": f"Unknown {'tool' if unknown_tool else 'method'}: {fault}"}
        print(json.dumps(reply), flush=True)


if __name__ == "__main__":
    main()
