"""Changes of single fields of a person's front matter: every other byte stays."""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from pipeline.markdown.blocks import FRONT_MATTER, find_blocks, split_lines
from pipeline.markdown.splice import newline_of

_FENCE = "---"
_KEY = re.compile(r"""["']?[\w.-]+["']?[ \t]*:""")
_YAML = re.compile(rf"{_KEY.pattern}|[ \t]+\S|- |#|[\]}}]")
_MOST = 200
"""Lines of the longest front matter."""

_LONGEST = 10_000
"""Characters of it: YAML takes a call for each level, and levels take two characters each."""


def front_lines(lines: Sequence[str]) -> Sequence[str]:
    """The lines between the fences; empty if the first `---` is only a rule, or no YAML follows.

    What looks like a page is one: front matter begins with a key and has no empty line, though YAML would allow both.
    """
    if len(lines) < 3 or lines[0].rstrip() != _FENCE or not _KEY.match(lines[1]):  # noqa: PLR2004 - two fences, a key
        return ()
    end = next((at for at in range(1, min(len(lines), _MOST)) if lines[at].rstrip() == _FENCE), 0)
    inner = lines[1:end]
    return inner if end and sum(map(len, inner)) <= _LONGEST and all(map(_YAML.match, inner)) else ()


def yaml_fields(text: str) -> dict[object, object] | None:
    """The fields of front matter; `None` when it is no YAML, or no fields."""
    import yaml  # type: ignore[import-untyped]  # noqa: PLC0415 - few files have any; python-frontmatter brings it
    from frontmatter.default_handlers import YAMLHandler  # noqa: PLC0415 - the same

    try:
        header = YAMLHandler().load(text)
    except (yaml.YAMLError, ValueError, TypeError, RecursionError):  # a date that is none; a key that cannot be one
        return None
    return header if isinstance(header, dict) else None


def front_fields(page: bytes) -> dict[str, Any]:
    """The values of a page's front matter, by field; empty if a person changed it, or if it is not ours."""
    blocks = find_blocks(page)
    front = next((block.text for block in blocks if block.name == FRONT_MATTER and block.intact), "")
    fields = dict[str, Any]()
    for name, _, value in (line.partition(": ") for line in front.split("\n") if ": " in line):
        try:
            fields[name] = json.loads(value)
        except (ValueError, RecursionError):
            return {}
    return fields


_FENCE_LINE = b"---"
_KEY_LINE = re.compile(r"""["']?([\w.-]+)["']?[ \t]*:""")
_BELONGS = re.compile(r"[ \t]+\S|- |[\]}]")
"""A line that goes on with the field above it."""

FieldValue = str | Sequence[str] | None
"""A text, a list of texts, or nothing, which takes the field out."""


def front_matter(data: bytes) -> bytes:
    """The front matter of a page with its fences and the line end behind them; empty without front matter."""
    lines = split_lines(data)[:_MOST]
    inner = front_lines([line.body.decode(errors="replace") for line in lines])
    return data[: lines[len(inner) + 1].end] if inner else b""


def with_fields(data: bytes, fields: Mapping[str, FieldValue]) -> bytes | None:
    """The page with other values in its front matter; `None` when that cannot be done without a guess.

    A field without a value goes. Front matter without a field goes too, and a page without one gets one.
    """
    head, newline = front_matter(data), newline_of(data)
    if not head and data.lstrip(b"\xef\xbb\xbf").startswith(_FENCE_LINE):
        return None
    try:
        inner = [line.body.decode() for line in split_lines(head)[1:-1]]
    except UnicodeDecodeError:  # the bytes of its values would be lost
        return None
    before = yaml_fields("\n".join(inner)) if inner else {}
    if before is None:
        return None
    after = _replace_lines(inner, fields)
    wanted: dict[object, object] = dict(before) | {name: _json_value(value) for name, value in fields.items()}
    read = yaml_fields("\n".join(after)) if after else {}
    if read != {name: value for name, value in wanted.items() if value is not None}:
        return None
    lines = [_FENCE_LINE, *(line.encode() for line in after), _FENCE_LINE] if after else []
    return b"".join(line + newline for line in lines) + data[len(head) :]


def _replace_lines(lines: Sequence[str], fields: Mapping[str, FieldValue]) -> list[str]:
    """Replace the lines of the fields; new fields come at the end."""
    after, missing, within = list[str](), dict(fields), False
    for line in lines:
        match = _KEY_LINE.match(line)
        if match:
            within = match[1] in fields
            if match[1] in missing:
                after += _field_line(match[1], missing.pop(match[1]))
        if not within or not (match or _BELONGS.match(line)):
            after.append(line)
    return [*after, *(line for name, value in missing.items() for line in _field_line(name, value))]


def _field_line(name: str, value: FieldValue) -> list[str]:
    return [] if value is None else [f"{name}: {json.dumps(_json_value(value), ensure_ascii=False)}"]


def _json_value(value: FieldValue) -> FieldValue:
    return value if value is None or isinstance(value, str) else list(value)
