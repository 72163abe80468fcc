"""What a test or a benchmark of wrap-ups reads on their pages, and when it takes a labelled line for found there.

A line is found when one bullet that names its session holds at least `ENOUGH` of its content words, and two of them if
it has two. Labels tell in a person's words what the pages tell in the speakers', so all of them is too much to ask for.
"""

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

ENOUGH = 0.5
SECTIONS = (
    "Decisions made today",
    "Action items",
    "Important conversations",
    "Technical notes / debugging lessons",
    "Open loops",
    "Tomorrow next steps",
)
"""The headings of a page, in order."""

OWN_SECTIONS = {
    "decisions": (SECTIONS[0],),
    "actions": (SECTIONS[1], SECTIONS[5]),
    "open_loops": (SECTIONS[4],),
    "technical": (SECTIONS[3],),
}
"""The parts of a label, and the sections in which each belongs."""

_STEM = 5
_WORD = re.compile(r"\d+|[^\W\d_]+")
_HAN = re.compile(r"[\u3400-\u9fff]+")
_HEADING = re.compile(r"## (?P<title>.*?)\s*(?:<!--.*)?")
_BULLET = re.compile(r"- (?P<text>.*) \((?P<sources>(?:\[[^\]]*\]\([^)]*\); )?session .*)\)\s*<!-- memory:.*-->")
_SOURCE = re.compile(r"\bsession (?P<session>[^,;]+), messages? \d[\d, -]*")


@dataclass(frozen=True)
class Bullet:
    """One bullet of a page: its section, its text, and the ids of the sessions it names."""

    page: str
    section: str
    text: str
    sessions: tuple[str, ...]

    def rests_on(self, session_id: str) -> bool:
        """Whether it names the session."""
        return session_id in self.sessions


@dataclass(frozen=True)
class Line:
    """A line of a label. `wordings` are the ways to say it, any of which may be found; `slot` names its session."""

    slot: str
    session_id: str
    language: str
    part: str
    wordings: tuple[str, ...]


@cache
def content(text: str) -> frozenset[str]:
    """What a text is about: numbers, stems of its longer words without diacritics, pairs of Han characters."""
    plain = "".join(
        base for base in unicodedata.normalize("NFD", text.lower().replace("ł", "l")) if not unicodedata.combining(base)
    )
    names: set[str] = set()
    for word in _WORD.findall(plain):
        for run in _HAN.findall(word):
            names.update(run[place : place + 2] for place in range(len(run) - 1))
        rest = _HAN.sub("", word)
        if rest.isdecimal():
            names.add(rest.lstrip("0") or "0")
        elif len(rest) >= _STEM - 1:
            names.add(rest[:_STEM])
    return frozenset(names)


def holds(text: str, wording: str) -> bool:
    """Whether enough of the content of `wording` stands in `text`."""
    wanted = content(wording)
    both = len(wanted & content(text))
    return both >= max(ENOUGH * len(wanted), min(2, len(wanted)), 1)


def held_by(line: Line, bullets: Iterable[Bullet]) -> bool:
    """Whether one of the bullets holds enough of the line."""
    return any(holds(bullet.text, wording) for bullet in bullets for wording in line.wordings)


def bullets_of(name: str, page: str) -> tuple[list[Bullet], list[str]]:
    """The bullets of a page, and what is wrong with it."""
    section, bullets, wrong, headings = "", list[Bullet](), list[str](), list[str]()
    for row in page.splitlines():
        if heading := _HEADING.fullmatch(row):
            section = heading["title"]
            headings.append(section)
        elif row.startswith("- ") and section:
            match = _BULLET.fullmatch(row)
            sessions = tuple(source.strip("`") for source in _SOURCE.findall(match["sources"])) if match else ()
            if not sessions:
                wrong.append(f"{name}: names no session and messages: {row}")
            bullets.append(Bullet(name, section, match["text"] if match else row, sessions))
    if tuple(headings) != SECTIONS:
        wrong.append(f"{name}: its sections are {headings}")
    return bullets, wrong
