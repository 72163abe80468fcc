"""The interface for programs as a document, made of its own description."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from fastapi import Request, Response

from pipeline.surfaces.http.page.rendering import PageThere, page_router

router = page_router()
_Object = Mapping[str, Any]


@dataclass(frozen=True)
class InterfaceField:
    """A field that a route takes: its place (`path`, `query` or `body`), name, type, and meaning.

    In a body that is a list, names begin with `[].`; a body that is a text has no name. `default` is as JSON, and
    empty where there is none to tell.
    """

    place: str
    name: str
    kind: str
    required: bool
    meaning: str = ""
    default: str = ""


@dataclass(frozen=True)
class InterfaceOperation:
    """A route: its method, path, purpose and fields."""

    method: str
    path: str
    tag: str
    purpose: str
    fields: tuple[InterfaceField, ...]


@router.get("/docs")
def interface(page: PageThere, request: Request) -> Response:
    """Every route with what it takes."""
    values = {"groups": operations(request.app.openapi()), "address": str(request.base_url).rstrip("/") + page.below}
    return page.show("interface.html", values)


def operations(description: _Object) -> list[tuple[str, list[InterfaceOperation]]]:
    """The routes of an OpenAPI description, by their tags in the order in which these come."""
    made = [
        _operation(method, path, operation, description)
        for path, methods in description["paths"].items()
        for method, operation in methods.items()
    ]
    return [(tag, list(group)) for tag, group in groupby(made, key=lambda operation: operation.tag)]


def _operation(method: str, path: str, operation: _Object, description: _Object) -> InterfaceOperation:
    given = [
        _field(parameter["in"], parameter["name"], {**parameter.get("schema", {}), **parameter}, description)
        for parameter in operation.get("parameters", ())
    ]
    purpose = " ".join(str(operation.get("description", "")).split())
    tag = next(iter(operation.get("tags", ())), "")
    return InterfaceOperation(method.upper(), path, tag, purpose, (*given, *_body(operation, description)))


def _body(operation: _Object, description: _Object) -> Iterator[InterfaceField]:
    """The fields of a body; a text is one field."""
    body = operation.get("requestBody", {})
    for kind, media in body.get("content", {}).items():
        schema = media.get("schema", {})
        if schema.get("type") == "string":
            yield InterfaceField("body", "", kind, required=True, meaning=body.get("description", ""))
        yield from _fields(schema, "[]." if schema.get("type") == "array" else "", description)


def _fields(schema: _Object, before: str, description: _Object) -> Iterator[InterfaceField]:
    """The fields of an object, and of the objects in it; `before` stands before their names."""
    shape = _resolve_reference(schema, description)
    required: Sequence[str] = shape.get("required", ())
    for name, field in shape.get("properties", {}).items():
        yield _field("body", f"{before}{name}", {**field, "required": name in required}, description)
        if _resolve_reference(field, description) is not field and field.get("type") != "array":
            yield from _fields(field, f"{before}{name}.", description)


def _field(place: str, name: str, schema: _Object, description: _Object) -> InterfaceField:
    default = schema.get("default")
    shown = "" if default in (None, "") or isinstance(default, dict | list) else json.dumps(default)
    meaning = str(schema.get("description", ""))
    return InterfaceField(place, name, _kind(schema, description), bool(schema.get("required")), meaning, shown)


def _kind(schema: _Object, description: _Object) -> str:
    """The type of a field in a few words: `string`, `integer`, the words that are allowed, or what of these."""
    shape = _resolve_reference(schema, description)
    if words := shape.get("enum"):
        return " | ".join(map(str, words))
    if parts := shape.get("anyOf") or shape.get("oneOf"):
        kinds = dict.fromkeys(_kind(part, description) for part in parts)
        return " | ".join(kind for kind in kinds if kind != "null")
    kind = str(shape.get("format") or shape.get("const") or shape.get("type") or "")
    return f"{kind}[]" if schema.get("type") == "array" else kind


def _resolve_reference(schema: _Object, description: _Object) -> _Object:
    schema = schema.get("items", schema)
    name = str(schema.get("$ref", "")).rpartition("/")[2]
    shape: _Object = description.get("components", {}).get("schemas", {}).get(name, schema)
    return shape
