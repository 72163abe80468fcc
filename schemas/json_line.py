"""A value as JSON, the same for every surface. Light to import: a search that a service answers needs no more."""

import json
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from datetime import date
from typing import Any


def as_object(value: object) -> object:
    """A value as JSON has it: an object for a dataclass or a `schemas.base.Value`, with its fields in their order.

    Moments stay moments. A field that is called as a keyword of Python, with `_` at its end, has its name without it.
    """
    if dump := getattr(value, "model_dump", None):
        return dump()
    if is_dataclass(value):
        return {field.name.removesuffix("_"): as_object(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, Mapping):
        return {name: as_object(inner) for name, inner in value.items()}
    return [as_object(item) for item in value] if isinstance(value, list | tuple) else value


def json_line(value: object) -> str:
    """A value as one line of JSON: moments are ISO 8601, in UTC with `+00:00`."""
    return json.dumps(as_object(value), ensure_ascii=False, separators=(",", ":"), default=_in_words)


def to_plain_json(value: object) -> Any:  # noqa: ANN401 - JSON
    """The value that reading its `json_line` gives."""
    return json.loads(json_line(value))


def _in_words(value: object) -> str:
    """A moment or a day as ISO 8601 has it.

    Raises:
        TypeError: it is neither.
    """
    if isinstance(value, date):  # also a moment
        return value.isoformat()
    message = f"{value!r} has no form in JSON"
    raise TypeError(message)
