"""A file's front matter: the YAML it begins with, where it really is some."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime

from pipeline.index.chunking.dates import day_in

_FENCE = "---"
_KEY = re.compile(r"""["']?[\w.-]+["']?[ \t]*:""")
_YAML = re.compile(rf"{_KEY.pattern}|[ \t]+\S|- |#|[\]}}]")
_CHECK = re.compile(r"check:[ \t]*[0-9a-f]{6}[ \t]*$")
_MOST = 200
"""Lines of the longest front matter."""

_LONGEST = 10_000
"""Characters of it: YAML takes a call for each level, and levels take two characters each."""

_TITLES = ("title", "aliases", "tags", "keywords")
_WORD = 200


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """`lines` is how many it takes, its fences included; `titles` what it says of the whole file."""

    lines: int = 0
    titles: tuple[str, ...] = ()
    day: date | None = None


def front_matter(lines: Sequence[str]) -> FrontMatter:
    """The front matter of a file; an empty one where a first `---` is only a rule, or what follows it is no YAML.

    What looks like a page is one: front matter begins with a key and has no empty line, though YAML would allow both.
    """
    if len(lines) < 3 or lines[0].rstrip() != _FENCE or not _KEY.match(lines[1]):  # noqa: PLR2004 - two fences, a key
        return FrontMatter()
    end = next((at for at in range(1, min(len(lines), _MOST)) if lines[at].rstrip() == _FENCE), 0)
    text = "\n".join(lines[1:end])
    if not end or len(text) > _LONGEST or not all(map(_YAML.match, lines[1:end])):
        return FrontMatter()
    if _CHECK.match(lines[end - 1]):  # ours: it names nothing but counts
        return FrontMatter(end + 1)
    header = _read(text)
    return FrontMatter(end + 1, _titles(header), _day(header)) if header is not None else FrontMatter()


def _read(text: str) -> dict[object, object] | None:
    import yaml  # type: ignore[import-untyped]  # noqa: PLC0415 - few files have any; python-frontmatter brings it
    from frontmatter.default_handlers import YAMLHandler  # noqa: PLC0415 - the same

    try:
        header = YAMLHandler().load(text)
    except (yaml.YAMLError, ValueError, TypeError, RecursionError):  # a date that is none; a key that cannot be one
        return None
    return header if isinstance(header, dict) else None


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
