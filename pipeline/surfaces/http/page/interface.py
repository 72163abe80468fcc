"""The description of the interface for programs, in the shape in which a person reads it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

_Object = Mapping[str, Any]


@dataclass(frozen=True)
class InterfaceField:
    """What a route takes: where (`path`, `query` or `body`), its name, its type, and whether it has to be given."""

    place: str
    name: str
    kind: str
    required: bool


@dataclass(frozen=True)
class InterfaceOperation:
    """A route: its method and path, what it does, and what it takes."""

    method: str
    path: str
    tag: str
    purpose: str
    fields: tuple[InterfaceField, ...]


def operations(description: _Object) -> list[tuple[str, list[InterfaceOperation]]]:
    """The routes of an OpenAPI description, by their tags in the order in which these come."""
    made = [
        _operation(method, path, operation, description)
        for path, methods in description["paths"].items()
        for method, operation in methods.items()
    ]
    return [(tag, list(group)) for tag, group in groupby(made, key=lambda one: one.tag)]


def _operation(
    method: str, path: str, operation: Mapping[str, Any], description: Mapping[str, Any]
) -> InterfaceOperation:
    given = [
        InterfaceField(one["in"], one["name"], _kind(one.get("schema", {}), description), bool(one.get("required")))
        for one in operation.get("parameters", ())
    ]
    purpose = " ".join(str(operation.get("description", "")).split())
    tag = next(iter(operation.get("tags", ())), "")
    return InterfaceOperation(method.upper(), path, tag, purpose, (*given, *_body(operation, description)))


def _body(operation: _Object, description: _Object) -> Iterator[InterfaceField]:
    """The fields of a body that is an object; what a list has in it is not shown."""
    content = operation.get("requestBody", {}).get("content", {})
    for media in content.values():
        shape = _resolved(media.get("schema", {}), description)
        required: Sequence[str] = shape.get("required", ())
        for name, schema in shape.get("properties", {}).items():
            yield InterfaceField("body", name, _kind(schema, description), name in required)


def _kind(schema: _Object, description: _Object) -> str:
    """The type of a field in a few words: `string`, `integer`, the words that are allowed, or what of these."""
    shape = _resolved(schema, description)
    if words := shape.get("enum"):
        return " | ".join(map(str, words))
    if parts := shape.get("anyOf") or shape.get("oneOf"):
        kinds = dict.fromkeys(_kind(part, description) for part in parts)
        return " | ".join(kind for kind in kinds if kind != "null")
    kind = str(shape.get("format") or shape.get("const") or shape.get("type") or "")
    return f"{kind}[]" if schema.get("type") == "array" else kind


def _resolved(schema: _Object, description: _Object) -> _Object:
    schema = schema.get("items", schema)
    name = str(schema.get("$ref", "")).rpartition("/")[2]
    shape: _Object = description.get("components", {}).get("schemas", {}).get(name, schema)
    return shape
