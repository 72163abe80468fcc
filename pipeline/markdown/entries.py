"""An entry as a block of Markdown, and back.

Values stand on one line. Free text that could break a line or forge a field is written as a JSON string; a quote
always is.
"""

import json
import re
from collections.abc import Sequence
from contextlib import suppress
from datetime import date
from functools import lru_cache
from unicodedata import category

from pydantic import ValidationError

from pipeline.markdown.blocks import Block, find_blocks, seal_entry
from schemas.entry import NOT_STATED, Entry, Source, Status

_HEADING = re.compile(r"#{1,6}\s+(?:(?:Decision|Rule|Architecture|Remember)\s*[:：]\s*)?(.*?)\s*$")  # noqa: RUF001 - people type the full-width colon
_KEY = re.compile(r"[a-z_]+")
_WRAPPED = re.compile(r"\s*(?![-*+>#]\s|#|```|<!--)\S")
_WIDE = re.compile(r"(?<=[\u3000-\u9fff\uff00-\uffef]) (?=[\u3000-\u9fff\uff00-\uffef])")
_FIELDS = frozenset(Entry.model_fields)
_OURS = _FIELDS | frozenset(Source.model_fields) | {"source", "check"}
_LABEL = re.compile(r"\s*-\s*(?P<key>[a-z_]+)\s*[:：]|\s*#")  # noqa: RUF001 - as above
_LISTS = ("supersedes", "superseded_by", "reinforces", "refs", "supersedes_part")
_TEXTS = ("why", "finding", "conclusion", "impact")
_READ_TEXTS = (*_TEXTS, "quote", "grounds", "project")
_FIELD_NAMES = dict[frozenset[str], set[str]]()
_YES = "yes"
_BREAKS = frozenset({"Cc", "Cs", "Zl", "Zp"})
_PLAIN_ITEM = re.compile(r"[^\s,\"\[\]]+")


def added_lines(text: str) -> str:
    """The lines of an entry's block that begin no field of ours, such as a note that a person added."""
    labels = ((line, _LABEL.match(line)) for line in text.splitlines())
    return "\n".join(line for line, label in labels if label is None or (label["key"] and label["key"] not in _OURS))


def render_entry(entry: Entry) -> str:
    """The sealed block of an entry, with a final newline.

    Raises:
        ValueError: the id is not one word, so the block would not be found again.
    """
    if not entry.id or " " in entry.id or one_line(entry.id) != entry.id:
        message = f"{entry.id!r} cannot be the id of an entry: it is not one word"
        raise ValueError(message)
    source = entry.source
    lines = [
        f"## {entry.kind.value.capitalize()}: {one_line(entry.title)}",
        f"- id: {entry.id}",
        f"- kind: {entry.kind.value}",
        f"- date: {entry.date.isoformat()}",
        "- source:",
        f"  - session_id: {_text(source.session_id)}",
        f"  - session_path: {_text(source.session_path)}",
        f"  - message_range: {source.message_range[0]}-{source.message_range[1]}",
        f"  - entry_ids: {_list(source.entry_ids)}",
        f"- quote: {_json(entry.quote)}",
        *(f"- {key}: {_text(getattr(entry, key))}" for key in _TEXTS),
        f"- confidence: {entry.confidence:.2f}",
        f"- trust: {entry.trust.value}",
        f"- status: {entry.status.value}",
        f"- supersedes: {_list(entry.supersedes)}",
        *([f"- superseded_by: {_list(entry.superseded_by)}"] if entry.superseded_by else []),
        f"- reinforces: {_list(entry.reinforces)}",
        *([f"- grounds: {_text(entry.grounds)}"] if entry.grounds else []),
        f"- refs: {_list(entry.refs)}",
        *([f"- corrects: {entry.corrects}"] if entry.corrects else []),
        *([f"- supersedes_part: {_list(entry.supersedes_part)}"] if entry.supersedes_part else []),
        *([f"- until: {entry.until}"] if entry.until else []),
        *([f"- goal: {_YES}"] if entry.goal else []),
        *([f"- project: {_text(entry.project)}"] if entry.project else []),
    ]
    return seal_entry("\n".join(line.rstrip() for line in lines))


def parse_entry(block: Block) -> Entry | None:
    """The entry in a block, as a person may have edited it; `None` when a field is missing or cannot be read."""
    lines = block.text.split("\n")
    fields, heading = _fields(lines), _HEADING.match(lines[0])
    with suppress(ValidationError, ValueError, TypeError, KeyError, RecursionError):
        title = heading.group(1) if heading and heading.group(1) else fields["id"]
        first, _, last = fields["message_range"].partition("-")
        values: dict[str, object] = {key: value for key, value in fields.items() if value and key in _FIELDS}
        values |= {key: _read_list(fields[key]) for key in _LISTS if key in fields}
        texts = {NOT_STATED: NOT_STATED}  # a service holds thousands of entries, most of which say the same thrice
        said = {key: _read_text(fields[key]) for key in _READ_TEXTS if fields.get(key)}
        values |= {key: texts.setdefault(text, text) for key, text in said.items()}
        source = {
            "session_id": _same(_read_text(fields["session_id"])),
            "session_path": _same(_read_text(fields["session_path"])),
            "message_range": (int(first), int(last or first)),
            "entry_ids": _read_list(fields["entry_ids"]),
        }
        # A person may write anything here, and the entry stays readable.
        added = {
            "status": fields.get("status", "").lower() or Status.ACTIVE,
            "until": _read_day(fields.get("until", "")),
            "goal": fields.get("goal") == _YES,
        }
        entry = Entry.model_validate(values | added | {"title": texts.get(title, title), "source": source})
        for value in (entry, entry.source):
            # Values that state the same fields share one set of the names: it is larger than the texts of an entry.
            names = value.model_fields_set
            shared = _FIELD_NAMES.setdefault(frozenset(names), names)
            object.__setattr__(value, "__pydantic_fields_set__", shared)  # frozen; a copy has a set of its own
        return entry
    return None


def parse_entries(data: bytes) -> list[tuple[Block, Entry | None]]:
    """The entry blocks of a file, each with its entry."""
    return [(block, parse_entry(block)) for block in find_blocks(data) if not block.item]


def one_line(text: str) -> str:
    """`text` on one line: every run of white space or control characters is one space."""
    if text.isprintable():  # nearly all are, and there are thousands
        return " ".join(text.split())
    return " ".join("".join(" " if category(char) in _BREAKS else char for char in text).split())


def _fields(lines: Sequence[str]) -> dict[str, str]:
    """The fields by their keys. A text that an editor wrapped goes on in the lines below it, up to an empty one."""
    fields, last = dict[str, str](), ""
    for line in lines:
        key, colon, value = line.lstrip().partition(":")
        if colon and key.startswith("- ") and _KEY.fullmatch(key, 2):
            last = key[2:]
            fields[last] = value.strip()
        elif last in _READ_TEXTS and _WRAPPED.match(line) and not _is_closed(fields[last]):
            fields[last] = _WIDE.sub("", f"{fields[last]} {line.strip()}".strip())
        else:
            last = ""
    return fields


def _is_closed(value: str) -> bool:
    """Whether a value is complete: the line below it is another text."""
    return value == NOT_STATED or (len(value) > 1 and value.startswith('"') and value.endswith('"'))


@lru_cache(maxsize=4096)
def _same(text: str) -> str:
    """One string for all that are equal: many entries name few sessions."""
    return text


def _read_day(value: str) -> date | None:
    with suppress(ValueError):
        return date.fromisoformat(value)
    return None


def _json(value: str | Sequence[str]) -> str:
    """JSON on one line; the separators that some editors take for line ends are escaped as well."""
    encoded = json.dumps(value, ensure_ascii=False)
    return "".join(char if char.isprintable() else json.dumps(char)[1:-1] for char in encoded)


def _text(text: str) -> str:
    plain = text and text == text.strip() and text.isprintable() and not text.startswith('"')
    return text if plain else _json(text)


def _read_text(value: str) -> str:
    """Read a text; a text that lost the quotation mark at its end is taken as it is."""
    if not value.startswith('"'):
        return value
    try:
        return str(json.loads(value))
    except ValueError:
        return value.strip('"')


def _list(items: Sequence[str]) -> str:
    if all(_PLAIN_ITEM.fullmatch(item) and item.isprintable() for item in items):
        return ", ".join(items)
    return _json(items)


def _read_list(value: str) -> tuple[str, ...]:
    if value.startswith("["):
        return tuple(str(item) for item in json.loads(value))
    return tuple(item for item in (part.strip() for part in value.split(",")) if item) if value else ()
