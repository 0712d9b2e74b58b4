"""Writes python/tooltest/types.py from the JSON Schemas of the Rust types.

    python scripts/generate_types.py            rewrite the file
    python scripts/generate_types.py --check    fail where it is not fresh

Inputs become TypedDicts, results and events become Document classes. Constructs that our types do not use are errors.
"""
from __future__ import annotations

import importlib.util
import json
import keyword
import sys
import textwrap
from pathlib import Path
from typing import Any

Schema = dict[str, Any]
FILE = Path(__file__).resolve().parent.parent / "python" / "tooltest" / "types.py"
HEAD = '''"""Types of inputs, results and events. Written by scripts/generate_types.py from the Rust types; do not edit."""
from __future__ import annotations

from typing import Any, ClassVar, Literal, TypedDict, Union

from ._document import Document, Field
'''


def main() -> None:
    text = generate(json.loads(native().schemas()))
    if "--check" not in sys.argv[1:]:
        FILE.write_text(text, encoding="utf-8")
    elif FILE.read_text(encoding="utf-8") != text:
        sys.exit(f"{FILE} is stale; run python {sys.argv[0]}")


def native() -> Any:
    """The extension module by itself: the package around it needs the file that is written here."""
    path = next(place for place in importlib.util.find_spec("tooltest").submodule_search_locations)
    file = next(Path(path).glob("_native*.so"), None) or next(Path(path).glob("_native*.pyd"))
    spec = importlib.util.spec_from_file_location("_native", file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def generate(schemas: dict[str, Schema]) -> str:
    """The whole text of types.py."""
    writer = Writer()
    options = {key: value for key, value in schemas["input"].items() if key != "$defs"}
    options["properties"] = {name: shape for name, shape in options["properties"].items() if name != "target"}
    options["required"] = []
    options["description"] = "Every option of a run; each has a default."
    for name, shape in schemas["input"]["$defs"].items():
        writer.add(name, shape, writes=True)
    writer.add("Options", options, writes=True)
    for name, shape in {**schemas["result"]["$defs"], **schemas["event"]["$defs"]}.items():
        writer.add(name, shape, writes=False)
    writer.add("RunResult", schemas["result"], writes=False)
    writer.add("Event", {key: value for key, value in schemas["event"].items() if key != "$defs"}, writes=False)
    return writer.text()


class Writer:
    """Collects definitions; each name is written once."""

    def __init__(self) -> None:
        self.parts: dict[str, str] = {}
        self.documents: list[str] = []
        self.unions: dict[str, str] = {}

    def add(self, name: str, shape: Schema, writes: bool) -> None:
        """Adds a type; `writes` says that callers write it (TypedDict) rather than read it (Document)."""
        if name in self.parts:
            return
        variants = shape.get("oneOf")
        if variants is None and "enum" in shape:
            self.parts[name] = f"{name} = Literal[{', '.join(map(repr, shape['enum']))}]\n{docstring(shape)}"
        elif variants is None:
            self.parts[name] = self.typed_dict(name, shape) if writes else self.document(name, shape)
        elif all("const" in variant or "enum" in variant for variant in variants):
            values = [value for variant in variants for value in variant.get("enum", [variant.get("const")])]
            self.parts[name] = f"{name} = Literal[{', '.join(map(repr, values))}]\n{docstring(shape)}"
        else:
            self.union(name, shape, writes)

    def union(self, name: str, shape: Schema, writes: bool) -> None:
        members: dict[str, str] = {}
        tag = ""
        for variant in shape["oneOf"]:
            marks = [(key, value["const"]) for key, value in variant["properties"].items() if isinstance(value, dict) and "const" in value]
            tag, value = marks[0] if marks else ("", next(iter(variant["properties"])))
            member = name + pascal(value) if writes else pascal(value) + name
            members[value] = member
            self.parts[member] = self.typed_dict(member, variant) if writes else self.document(member, variant)
        if not writes:
            self.unions[name] = f"lambda raw: {{{', '.join(f'{value!r}: {member}' for value, member in members.items())}}}.get(raw[{tag!r}], Document)(raw)"
        self.parts[name] = f"{name} = Union[{', '.join(members.values())}]\n{docstring(shape)}"

    def typed_dict(self, name: str, shape: Schema) -> str:
        required = set(shape.get("required", []))
        properties = shape.get("properties", {})
        must = {key: value for key, value in properties.items() if key in required}
        may = {key: value for key, value in properties.items() if key not in required}
        if must and may:
            base = f"class _{name}(TypedDict):\n{fields(must)}\n\n"
            return f"{base}class {name}(_{name}, total=False):\n{indent(docstring(shape))}{fields(may)}"
        total = "" if must else ", total=False"
        return f"class {name}(TypedDict{total}):\n{indent(docstring(shape))}{fields(must or may)}"

    def document(self, name: str, shape: Schema) -> str:
        self.documents.append(name)
        required = set(shape.get("required", []))
        lines, shapes = [], []
        for key, value in shape.get("properties", {}).items():
            attribute = f"{key}_" if keyword.iskeyword(key) else key
            annotation = python(value)
            default: Any = value.get("default") if key not in required and isinstance(value, dict) else None
            kind = "map" if annotation.startswith("dict[") else "list" if annotation.startswith("list[") else "one"
            if key not in required:
                default = kind if kind != "one" else {"str": ""}.get(annotation, default)
                if default is None and "None" not in annotation and annotation != "Any":
                    annotation += " | None"
            lines.append(f"{attribute}: {annotation}\n{docstring(value)}")
            of = reference(value)
            field = f"Field({key!r}, {of!r}, {kind!r}, {default!r})"
            shapes.append(f"    {attribute!r}: {field},\n")
        body = indent(docstring(shape) + "".join(lines))
        return f"class {name}(Document):\n{body}    _fields: ClassVar[dict[str, Field]] = {{\n{indent(''.join(shapes))}    }}\n"

    def text(self) -> str:
        names = [name for name in self.parts if not name.startswith("_")]
        everything = "".join(f"    {name!r},\n" for name in sorted(names))
        classes = "".join(f"    {name!r}: {name},\n" for name in self.documents)
        classes += "".join(f"    {name!r}: {make},\n" for name, make in self.unions.items())
        plain = [name for name, part in self.parts.items() if part.startswith(f"{name} = Literal")]
        classes += "".join(f"    {name!r}: str,\n" for name in plain)
        body = "\n\n".join(self.parts.values())
        return f"{HEAD}\n__all__ = [\n{everything}]\n\n\n{body}\n\nDocument._classes.update({{\n{classes}}})\n"


def reference(shape: Any) -> str:
    """The type that a value, its items or its members refer to."""
    if not isinstance(shape, dict):
        return ""
    if "$ref" in shape:
        return str(shape["$ref"]).rsplit("/", 1)[1]
    for inner in [*shape.get("anyOf", []), shape.get("items"), shape.get("additionalProperties")]:
        if isinstance(inner, dict) and (found := reference(inner)):
            return found
    return ""


def python(shape: Any) -> str:
    """The annotation for a schema."""
    if shape is True or shape == {} or not isinstance(shape, dict):
        return "Any"
    if "$ref" in shape:
        return reference(shape)
    if "const" in shape:
        return f"Literal[{shape['const']!r}]"
    if "anyOf" in shape:
        return " | ".join(python(inner) for inner in shape["anyOf"])
    kind = shape.get("type")
    if isinstance(kind, list):
        return " | ".join(python({**shape, "type": one}) for one in kind)
    if kind == "array":
        return f"list[{python(shape.get('items', True))}]"
    if kind == "object":
        return f"dict[str, {python(shape.get('additionalProperties', True))}]"
    names = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "None", None: "Any"}
    return names[kind]


def fields(properties: dict[str, Schema]) -> str:
    return indent("".join(f"{key}: {python(value)}\n{docstring(value)}" for key, value in properties.items()) or "pass\n")


def docstring(shape: Any) -> str:
    if not isinstance(shape, dict):
        return ""
    text = " ".join(shape.get("description", "").split())
    return f'"""{textwrap.fill(text, 116)}"""\n' if text else ""


def indent(text: str) -> str:
    return textwrap.indent(text, "    ")


def pascal(name: str) -> str:
    return "".join(word.capitalize() for word in name.split("_"))


if __name__ == "__main__":
    main()
