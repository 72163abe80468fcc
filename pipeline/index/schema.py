"""The schema of the index: its points, their payload, and the fields that are filtered by.

There are four sorts of points, distinguished by `SORT`: passages; sections, which are never hits themselves and add
their score to that of their passages; one record for each file, with the file's digest and the places of its passages;
and one stamp, with the identity of the index. Everything is in the one store, so that no crash leaves two stores that
disagree.

The place of a passage is in its file's record and not in its own point: text that moves within its file keeps its point
and its vector. A passage that its file's record does not name is a left-over of a crash and is not shown.
"""

from uuid import UUID, uuid5

from pipeline.ports.index import IndexLayout

NAMESPACE = UUID("6d1f3c1e-5b0c-4d7a-9b57-0f2f2a4c6e11")
"""Of our point ids; drawn at random once."""

SORT = "sort"
PASSAGE, SECTION_POINT, FILE, STAMP = "passage", "section", "file", "stamp"

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
ABOUT = "about"  # names of entries, its own first
CONTENT = "content"  # hash of what was embedded: the same content has the same vector
VECTOR = "vector"  # "yes" once it has its dense vector, "no" until then
EMBEDDED = "embedded"  # the texts that its vector is to be made of, its own first; none once it is made
# Of a passage that is an entry:
ENTRY = "entry"
CONFIDENCE = "confidence"
SUPERSEDES, SUPERSEDED_BY = "supersedes", "superseded_by"  # as written
STATUS = "status"  # as folded from all entries
SUCCESSORS = "successors"  # as folded: list of [id, ordinal day of the successor]
WRITTEN_STATUS = "written_status"  # as it stands in the file
MOMENT = "moment"  # the message's time, ISO 8601 with offset
# Of a file:
DIGEST = "digest"  # of its bytes; empty while it is being changed
SIGNATURE = "signature"  # [size, mtime_ns, ctime_ns, inode] when it was read, and when that was
PASSAGES = "passages"  # list of [point id, start line, end line], in the order of the file
SECTIONS = "sections"  # list of point ids
UNREADABLE = "unreadable"  # why it is passed over; empty when it is not
DOUBTED = "unverified"  # whether it holds an entry that is not verified word for word as ours
# Of the stamp:
IDENTITY = "identity"
FOLDED = "folded"  # whether the standing of the entries is that of the passages
UNSETTLED = "unsettled"  # how many points came and went since the store settled

WORDS, CONTEXT, HEADING, SECTION_GRAMS = "words", "context", "heading", "section_grams"
"""The sparse vectors.

A passage's own terms, its label's among them; its own and those of the two passages before and after it in its section;
those of its headings and its day; and, of a section's point, the grams of its words.
"""

STAMP_ID = str(uuid5(NAMESPACE, STAMP))


def layout(dimension: int) -> IndexLayout:
    """The layout of an index whose dense vectors have `dimension` numbers; 0 is an index of words alone."""
    return IndexLayout(
        dimension=dimension,
        sparse=(WORDS, CONTEXT, HEADING, SECTION_GRAMS),
        keywords=(SORT, PATH, KIND, TIER, AGENT, STATUS, ABOUT, CONTENT, VECTOR, ENTRY),
        integers=(DAY,),
    )


def file_id(path: str) -> str:
    """The id of a file's record."""
    return str(uuid5(NAMESPACE, f"{FILE}\n{path}"))
