"""A file's front matter: the YAML it begins with, where it really is some."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime

from pipeline.index.chunking.dates import day_in
from pipeline.markdown.yaml_front import front_lines, yaml_fields

_CHECK = re.compile(r"check:[ \t]*[0-9a-f]{6}[ \t]*$")
_TITLES = ("title", "aliases", "tags", "keywords")
_WORD = 200


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """`lines` is how many it takes, its fences included; `titles` what it says of the whole file."""

    lines: int = 0
    titles: tuple[str, ...] = ()
    day: date | None = None


def front_matter(lines: Sequence[str]) -> FrontMatter:
    """The front matter of a file; an empty one where there is none."""
    inner = front_lines(lines)
    if not inner:
        return FrontMatter()
    size = len(inner) + 2  # and the fences
    if _CHECK.match(inner[-1]):  # ours: it names nothing but counts
        return FrontMatter(size)
    header = yaml_fields("\n".join(inner))
    return FrontMatter(size, _titles(header), _day(header)) if header is not None else FrontMatter()


def _titles(header: dict[object, object]) -> tuple[str, ...]:
    titles = [_texts(header.get(key)) for key in _TITLES]
    return tuple(" ".join(texts)[:_WORD] for texts in titles if texts)


def _texts(value: object) -> list[str]:
    values = value if isinstance(value, list) else [value]
    return [" ".join(title.split()) for title in values if isinstance(title, str) and title.strip()]


def _day(header: dict[object, object]) -> date | None:
    value = header.get("date")
    if isinstance(value, datetime):
        return value.date()
    return value if isinstance(value, date) else day_in(value) if isinstance(value, str) else None
