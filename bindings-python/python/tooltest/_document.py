"""Documents of the engine: attributes for people and type checkers, plain JSON data underneath."""
from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple


class Field(NamedTuple):
    """How a field is read from the JSON object."""

    key: str
    """The JSON member."""
    of: str = ""
    """The class, or the tagged union, of the value or of its items; empty for plain data."""
    kind: str = "one"
    """`one`, `list` or `map`."""
    default: Any = None
    """Stands for a member that is not there: `None`, `"list"` or `"map"` (a new one each time), or a constant."""


class Document:
    """A JSON object of the engine.

    Members are attributes (``result.findings[0].tool``), nested objects are documents themselves. ``to_dict()`` gives
    the plain data, and so does an index (``result["findings"][0]["tool"]``).
    """

    _fields: ClassVar[dict[str, Field]] = {}
    _classes: ClassVar[dict[str, Any]] = {}
    __slots__ = ("_read", "_raw")

    def __init__(self, raw: Mapping[str, Any]) -> None:
        self._raw = dict(raw)
        self._read: dict[str, Any] = {}

    def to_dict(self) -> dict[str, Any]:
        """The plain JSON data; a copy of the outermost object."""
        return dict(self._raw)

    if not TYPE_CHECKING:  # type checkers take the annotations of the generated classes

        def __getattr__(self, name: str) -> Any:
            if name.startswith("_"):
                raise AttributeError(name)
            if name in self._read:
                return self._read[name]
            field = self._fields.get(name)
            if field is None and name not in self._raw:
                raise AttributeError(f"{type(self).__name__} has no field {name!r}", name=name, obj=self)
            field = field or Field(name)
            value = self._raw.get(field.key)
            if value is None:
                value = [] if field.default == "list" else {} if field.default == "map" else field.default
            elif field.of:
                value = self._convert(field, value)
            self._read[name] = value
            return value

    def _convert(self, field: Field, value: Any) -> Any:
        made = self._classes[field.of]
        if field.kind == "list":
            return [made(item) for item in value]
        if field.kind == "map":
            return {key: made(item) for key, item in value.items()}
        return made(value)

    def __getitem__(self, key: str) -> Any:
        return self._raw[key]

    def __contains__(self, key: object) -> bool:
        return key in self._raw

    def __iter__(self) -> Iterator[str]:
        return iter(self._raw)

    def __len__(self) -> int:
        return len(self._raw)

    def __eq__(self, other: object) -> bool:
        return self._raw == other._raw if isinstance(other, Document) else NotImplemented

    def __hash__(self) -> int:
        return id(self)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self._raw,)

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *self._fields, *(key for key in self._raw if key.isidentifier())})

    def __repr__(self) -> str:
        shown = ", ".join(f"{key}={_short(value)}" for key, value in self._raw.items())
        return f"{type(self).__name__}({shown})"


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:56]}…{text[-1]}"
