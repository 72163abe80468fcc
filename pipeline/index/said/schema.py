"""The schema of the index of what was said. It holds terms and places, and no text.

Its points are passages (a message, or a part of a long one), of each session a record, shelves that name the sessions,
and one stamp. A passage has an id of eight letters: four for the number of its session, and four for its own number in
the session. So a ranking tells the session and the neighbours of a passage without reading it.
"""

import string
from functools import lru_cache
from typing import Final

from pipeline.ports.index import IndexLayout
from schemas.said import Speaker

VERSION: Final = 4
"""Raised when the points of any session change, so that the index is built anew."""

SORT: Final = "sort"
PASSAGE, SESSION, SHELF, STAMP = "p", "s", "d", "stamp"
WORDS: Final = "words"

# Of a passage; the names are short, for they are stored with each:
IN_SESSION: Final = "s"  # the four letters of its session
READER: Final = "r"  # the source, and the source and agent: who may be asked for
PROJECT: Final = "j"
DAY: Final = "d"  # proleptic ordinal of its local day
NUMBER: Final = "n"  # of its message
SPEAKER: Final = "o"  # the place of its speaker in `SPEAKERS`
TIME: Final = "t"  # seconds since 1970
PART: Final = "c"  # [first character, end] in its message; left out when it is all of it
BYTES: Final = "b"  # [number of the file in its session's record, first byte, size]; left out where it is not known
DIGEST: Final = "h"  # of its masked text
# Of a session's record:
NAME: Final = "name"  # its id
SOURCE, AGENT, ZONE, PATHS = "source", "agent", "zone", "paths"
DIGESTS: Final = "digests"  # of its passages in order, without a mark between two
SCREENED: Final = "screened"  # as `ScreenedWords`: [count, digest, [numbers]]
# Of a shelf:
SESSIONS: Final = "sessions"  # by id [number, stamp, messages]
# Of the stamp:
IDENTITY, RULES, NEXT = "identity", "rules", "next"
OWED: Final = "owed"  # whether words that were taken out may stand in its files yet

SPEAKERS: Final[tuple[Speaker, ...]] = ("assistant", "owner", "summary")
SHELVES: Final = 64
DIGEST_LETTERS: Final = 10

LAYOUT: Final = IndexLayout(texts=(WORDS,), keywords=(SORT, IN_SESSION, READER, PROJECT), integers=(DAY,))

_LETTERS: Final = "".join(sorted(f"-_{string.digits}{string.ascii_letters}"))
_WIDTH: Final = 4
MOST: Final = len(_LETTERS) ** _WIDTH
"""The most sessions, and passages of one session, that have an id."""


@lru_cache(maxsize=1 << 16)  # a question names some thousands of passages, most of them low in their session
def letters(number: int) -> str:
    """A number below `MOST` as four letters, whose order is that of the numbers."""
    return "".join(_LETTERS[number // len(_LETTERS) ** place % len(_LETTERS)] for place in reversed(range(_WIDTH)))


@lru_cache(maxsize=1 << 16)
def number_of(text: str) -> int:
    """The number of four letters."""
    value = 0
    for letter in text:
        value = value * len(_LETTERS) + _LETTERS.index(letter)
    return value


def passage_id(session: str, ordinal: int) -> str:
    """The id of a passage; `session` are the letters of its session."""
    return session + letters(ordinal)


def record_id(session: str) -> str:
    """The id of a session's record."""
    return f"{SESSION}{session}"
