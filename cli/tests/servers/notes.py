"""A small MCP server over HTTP or pipes, for tests of the command. Needs nothing but Python.

    notes.py --http          serves http://127.0.0.1:PORT/mcp and writes the URL to standard error
    notes.py                 serves on standard input and output

With --buggy, reading a deleted note ends without an answer. With --leaky, answers, errors and standard error hold every secret that
the server was given: its headers and query, and the variable NOTES_TOKEN.
"""

import json
import os
import secrets
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

BUGGY = "--buggy" in sys.argv
LEAKY = "--leaky" in sys.argv
VERSION = "2025-06-18"
TEXT = {"type": "string", "minLength": 1}


def tool(name, description, properties):
    schema = {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}
    return {"name": name, "description": description, "inputSchema": schema}


TOOLS = [
    tool("create_note", "Makes a note.", {"title": TEXT}),
    tool("read_note", "Reads a note.", {"id": TEXT}),
    tool("delete_note", "Deletes a note.", {"id": TEXT}),
]
if LEAKY:
    TOOLS.append(tool("connect_store", "Connects to the store.", {}))
    TOOLS.append(tool("show_settings", "Shows the settings.", {}))

notes = {}
deleted = set()


def answer(structured):
    return {"content": [{"type": "text", "text": json.dumps(structured)}], "structuredContent": structured}


def refusal(text):
    return {"content": [{"type": "text", "text": text}], "isError": True}


class NoAnswer(Exception):
    """The bug."""


class Failed(Exception):
    """An internal error."""


def call(name, arguments, known):
    wanted = next((t for t in TOOLS if t["name"] == name), None)
    if wanted is None:
        raise LookupError(name)
    schema = wanted["inputSchema"]
    strings = all(isinstance(value, str) and value for value in arguments.values())
    if set(arguments) != set(schema["required"]) or not strings:
        return refusal("the arguments do not fit the schema")
    if name == "create_note":
        made = {"id": "nt_" + secrets.token_hex(4), "title": arguments["title"]}
        notes[made["id"]] = made
        return answer(made)
    if name == "connect_store":
        raise Failed(f"no store for {known}")
    if name == "show_settings":
        return answer({"settings": known, known: True})
    note = arguments["id"]
    if name == "delete_note" and notes.pop(note, None):
        deleted.add(note)
        return answer({"deleted": True})
    if BUGGY and name == "read_note" and note in deleted:
        raise NoAnswer
    if name == "read_note" and note in notes:
        return answer(notes[note])
    return refusal(f"there is no note {note}")


def respond(message, known):
    """The response to a message, or None for a notification."""
    if LEAKY:
        print(f"serving with {known}", file=sys.stderr, flush=True)
    if "id" not in message:
        return None
    method, params = message.get("method"), message.get("params") or {}
    response = {"jsonrpc": "2.0", "id": message["id"]}
    if method == "initialize":
        info = {"name": "notes", "version": "1.0.0"}
        response["result"] = {"protocolVersion": VERSION, "capabilities": {"tools": {}}, "serverInfo": info}
    elif method == "ping":
        response["result"] = {}
    elif method == "tools/list":
        response["result"] = {"tools": TOOLS}
    elif method == "tools/call":
        try:
            response["result"] = call(params.get("name"), params.get("arguments") or {}, known)
        except Failed as failure:
            response["error"] = {"code": -32603, "message": str(failure)}
        except LookupError:
            response["error"] = {"code": -32602, "message": "unknown tool"}
    else:
        response["error"] = {"code": -32601, "message": "Method not found"}
    return response


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def reply(self, status, body=b"", headers=()):
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        self.reply(405, headers=[("Allow", "POST")])

    do_DELETE = do_GET

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        known = "; ".join([self.path, *(f"{name}: {value}" for name, value in self.headers.items())])
        try:
            response = respond(json.loads(body), known)
        except NoAnswer:
            self.close_connection = True
            return
        except (ValueError, AttributeError):
            response = {"jsonrpc": "2.0", "id": None, "error": {"code": -32700, "message": "Parse error"}}
        if response is None:
            return self.reply(202)
        self.reply(200, json.dumps(response).encode(), [("Content-Type", "application/json")])


def serve_pipes():
    known = os.environ.get("NOTES_TOKEN", "")
    for line in sys.stdin:
        try:
            response = respond(json.loads(line), known)
        except NoAnswer:
            sys.exit(f"panic: a deleted note was read ({known})")
        except (ValueError, AttributeError):
            response = {"jsonrpc": "2.0", "id": None, "error": {"code": -32700, "message": "Parse error"}}
        if response is not None:
            print(json.dumps(response), flush=True)


if "--http" in sys.argv:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    print(f"http://127.0.0.1:{server.server_address[1]}/mcp", file=sys.stderr, flush=True)
    server.serve_forever()
else:
    serve_pipes()
