"""The schema of the word index: its points, their payload, and the fields that are filtered by.

There are seven sorts of points, distinguished by `SORT`: passages, of which those that begin a stretch of text with one
vector are of the sort `STRETCH` too; sections, which are never hits themselves and add
their score to that of their passages; of each file a record, with its digest, and an outline, with the places of its
passages; the standing of each entry that is not plainly active; one of the names of entities; and one stamp, with the
identity of the index.

The place of a passage is in its file's outline and not in its own point: text that moves within its file keeps its
point. The key of a vector depends on the words of its stretch alone, so that text which moves between files keeps it.
"""

import json
from dataclasses import replace
from typing import Final

from pipeline.ports.index import IndexLayout

SORT = "sort"
PASSAGE, STRETCH, SECTION_POINT = "passage", "stretch", "section"
FILE, OUTLINE, STANDING, NAMES, STAMP = "file", "outline", "standing", "names", "stamp"

# Of every passage, section and file:
PATH = "path"
# Of a passage:
TEXT = "text"  # exactly its lines
HEADINGS = "headings"  # list of texts
LABEL = "label"
SECTION = "section"  # the id of its section's point
ORDINAL = "ordinal"  # its place among the passages of its file when it was indexed; only orders equals
KIND = "kind"
TIER = "tier"
DAY = "day"  # proleptic ordinal, as date.toordinal(); left out when the day is not known
AGENT = "agent"
TRUST = "trust"
ENTITIES = "entities"  # the names of entities in it, in the form of `facts.names.same_name`
THREAD = "thread"  # the conversation that a detail belongs to
READERS = "readers"  # of a detail: by `reader_name` those who may read it, or `ANYBODY`
PROJECT = "project"  # the names that its project goes by, the whole one first; left out when none is known
REPLACED = "replaced"  # of a line of an agent that another took the place of; left out of all others
ABOUT = "about"  # names of entries, its own first; of a standing, the entry's id
CONTENT = "content"  # the key of the vector of its stretch: a hash of what is embedded
# Of a passage that is an entry or a fact of ours:
SAID = "said"  # the messages that it rests on, as SESSION#NUMBER
# Of a passage that is a fact:
FACT = "fact"  # its fields that are not empty, without its day and its place
REFERS = "refers"  # ids of the facts that it speaks for or against, or replaces
# Of a passage that is an entry:
ENTRY = "entry"  # its id; of a standing too
CONFIDENCE = "confidence"
SUPERSEDES, SUPERSEDED_BY = "supersedes", "superseded_by"  # as written
SUPERSEDES_PART = "supersedes_part"  # as written; left out of most
WRITTEN_STATUS = "written_status"  # as it stands in the file
CORRECTS, GROUNDS = "corrects", "grounds"  # of a correction alone: the id of what it corrects, and when that was
MOMENT = "moment"  # the message's time, ISO 8601 with offset
# Of a standing, as folded from all entries:
STATUS = "status"
SUCCESSORS = "successors"  # list of [id, ordinal day of the successor]
# Of a file:
DIGEST = "digest"  # of its bytes
SIGNATURE = "signature"  # [size, mtime_ns, ctime_ns, inode] when it was read, and when that was
UNREADABLE = "unreadable"  # why it is passed over; empty when it is not
STATE = "state"  # a number of its path and signature; left out where these do not show a change for sure
NOTED = "noted"  # list of what keeps its record from being passed over when nothing has changed: see `changes`
DOUBTED = "unverified"  # whether it holds an entry, or the item of a fact, that is not verified as ours
# Of an outline:
PASSAGES = "passages"  # list of [point id, start line, end line], in the order of the file
SECTIONS = "sections"  # list of [point id, content]
ENTRIES = "entries"  # the ids of those passages that are entries
# Of the names:
ALIASES, WRITTEN = "aliases", "written"  # see `facts.names.EntityNames`
# Of the stamp:
IDENTITY = "identity"
SPACE = "space"  # [embedder, dimension] of its vectors; empty without any
FOLDED = "folded"  # whether the standings are those of the entries
EMBEDDED = "embedded"  # whether each stretch has its vector, as far as is known
PAST = "past"  # the length of the vectors before the embedder changed it, and the moment of that
UNSETTLED = "unsettled"  # how many vectors came and went since their store settled
MARK = "mark"  # what no stamp before had: a note of the progress of vectors names the stamp by it

WORDS, CONTEXT, HEADING, SECTION_GRAMS = "words", "context", "heading", "section_grams"
"""The fields of terms.

A passage's own terms, its label's among them; its own and those of the two passages before and after it in its section;
those of its headings and its day; and, of a section's point, the grams of its words.
"""

ANYBODY: Final = "*"
"""Stands among the readers of what everybody may read; no reader has this name."""

STAMP_ID: Final = STAMP
NAMES_ID: Final = NAMES

LAYOUT: Final = IndexLayout(
    texts=(WORDS, CONTEXT, HEADING, SECTION_GRAMS),
    keywords=(
        *(SORT, PATH, KIND, TIER, AGENT, STATUS, WRITTEN_STATUS, ABOUT, CONTENT, ENTRY, ENTITIES, THREAD),
        *(SAID, REFERS, PROJECT, NOTED),
    ),
    integers=(DAY, STATE),
)
DETAIL_LAYOUT: Final = replace(LAYOUT, keywords=(*LAYOUT.keywords, READERS))
"""The layout of the index of details. It has a folder of its own: how rare a word of the memory is must not depend on
what logs were stored."""


def reader_name(user: str, *agent: str | None) -> str:
    """A reader of details: a person who asks as a user, an agent that does, or with `None` any agent that does."""
    return json.dumps([user, *agent])


def file_id(path: str) -> str:
    """The id of a file's record."""
    return f"{FILE} {path}"


def outline_id(path: str) -> str:
    """The id of a file's outline."""
    return f"{OUTLINE} {path}"


def standing_id(entry_id: str) -> str:
    """The id of an entry's standing."""
    return f"{STANDING} {entry_id}"
