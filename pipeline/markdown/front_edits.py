"""Changes of single fields of a person's front matter: every other byte stays."""

import json
import re
from collections.abc import Mapping, Sequence

from pipeline.markdown.blocks import split_lines
from pipeline.markdown.splice import newline_of
from pipeline.markdown.yaml_front import front_lines, yaml_fields

_FENCE = b"---"
_KEY = re.compile(r"""["']?([\w.-]+)["']?[ \t]*:""")
_BELONGS = re.compile(r"[ \t]+\S|- |[\]}]")
"""A line that goes on with the field above it."""

FieldValue = str | Sequence[str] | None
"""A text, a list of texts, or nothing, which takes the field out."""


def front_matter(data: bytes) -> bytes:
    """The front matter of a page with its fences and the line end behind them; empty without one."""
    lines = split_lines(data)
    inner = front_lines(data.decode(errors="replace").splitlines())
    return data[: lines[len(inner) + 1].end] if inner else b""


def with_fields(data: bytes, fields: Mapping[str, FieldValue]) -> bytes | None:
    """The page with other values in its front matter; `None` when that cannot be done without a guess.

    A field without a value goes. Front matter without a field goes too, and a page without one gets one.
    """
    head, newline = front_matter(data), newline_of(data)
    if not head and data.lstrip(b"\xef\xbb\xbf").startswith(_FENCE):
        return None
    inner = head.decode(errors="replace").splitlines()[1:-1]
    before = yaml_fields("\n".join(inner)) if inner else {}
    if before is None:
        return None
    after = _replaced(inner, fields)
    wanted: dict[object, object] = dict(before) | {name: _plain(value) for name, value in fields.items()}
    read = yaml_fields("\n".join(after)) if after else {}
    if read != {name: value for name, value in wanted.items() if value is not None}:
        return None
    lines = [_FENCE, *(line.encode() for line in after), _FENCE] if after else []
    return b"".join(line + newline for line in lines) + data[len(head) :]


def _replaced(lines: Sequence[str], fields: Mapping[str, FieldValue]) -> list[str]:
    """The lines with new ones in place of those of the fields; what was not there comes at the end."""
    after, missing, within = list[str](), dict(fields), False
    for line in lines:
        match = _KEY.match(line)
        if match:
            within = match[1] in fields
            if match[1] in missing:
                after += _line(match[1], missing.pop(match[1]))
        if not within or not (match or _BELONGS.match(line)):
            after.append(line)
    return [*after, *(line for name, value in missing.items() for line in _line(name, value))]


def _line(name: str, value: FieldValue) -> list[str]:
    return [] if value is None else [f"{name}: {json.dumps(_plain(value), ensure_ascii=False)}"]


def _plain(value: FieldValue) -> FieldValue:
    return value if value is None or isinstance(value, str) else list(value)
