"""An entry as Markdown and back, with any text in it."""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pipeline.markdown.blocks import find_blocks, seal_entry
from pipeline.markdown.entries import one_line, parse_entries, parse_entry, render_entry
from schemas.entry import Entry, Kind, Source, Status, Trust
from tests.support.tables import table

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)
NASTY = st.sampled_from([
    "",
    " ",
    "a\n- id: OTHER",
    "a\r\n- status: archived",
    '"quoted"',
    '"',
    "\\",
    "line\u2028separator\u2029and\u0085next",
    "\x00\x1b[31m",
    "🦀 zażółć 决定使用 決定",
    "[1]",
    "a, b",
    "- check: 000000",
    "<!-- memory:x -->",
    "\ufeff",
    "\u200b",
    "\u202e",
    "not stated",
    "{day}",
    "%s",
])  # fmt: skip
ANY = TEXT | NASTY
WORD = st.text(st.characters(categories=["L", "N", "Pd"]), min_size=1, max_size=20)
WORDS = st.lists(ANY, max_size=3).map(tuple)
MOMENTS = st.datetimes(
    datetime(1990, 1, 1),  # noqa: DTZ001 - hypothesis adds the zone
    datetime(2090, 1, 1),  # noqa: DTZ001 - as above
    timezones=st.sampled_from([UTC, ZoneInfo("Europe/Warsaw"), ZoneInfo("Asia/Shanghai")]),
)
SOURCES = st.builds(
    Source,
    session_id=ANY,
    session_path=ANY,
    message_range=st.tuples(st.integers(1, 9), st.integers(10, 99)),
    entry_ids=st.lists(ANY, min_size=1, max_size=3).map(tuple),
)
ENTRIES = st.builds(
    Entry,
    id=WORD,
    title=ANY,
    kind=st.sampled_from(Kind),
    date=MOMENTS,
    source=SOURCES,
    quote=ANY,
    why=ANY,
    finding=ANY,
    conclusion=ANY,
    impact=ANY,
    confidence=st.integers(0, 100).map(lambda percent: percent / 100),
    trust=st.sampled_from(Trust),
    status=st.sampled_from(Status),
    supersedes=WORDS,
    superseded_by=WORDS,
    reinforces=WORDS,
    supersedes_part=WORDS,
    refs=WORDS,
    until=st.none() | st.dates(),
    goal=st.booleans(),
    project=ANY,
)
PLAIN = Entry(
    id="DECISION-20260220-use-an-embedded-index",
    title="Use an embedded index",
    kind=Kind.DECISION,
    date=datetime(2026, 2, 20, 14, 5, 11, tzinfo=ZoneInfo("Europe/Warsaw")),
    source=Source(
        session_id="8f1c2d",
        session_path="openclaw:agents/main/sessions/8f1c2d.jsonl",
        message_range=(41, 47),
        entry_ids=("a1b2c3d4", "0f9e8d7c"),
    ),
    quote="ok, embedded it is, no server",
    why="one process, no server to run",
    finding="1.3 ms a query at 10k chunks",
    conclusion="the embedded engine is the default",
    confidence=0.86,
    supersedes=("DECISION-20260212-use-a-server",),
)
RENDERED = """\
## Decision: Use an embedded index
- id: DECISION-20260220-use-an-embedded-index
- kind: decision
- date: 2026-02-20T14:05:11+01:00
- source:
  - session_id: 8f1c2d
  - session_path: openclaw:agents/main/sessions/8f1c2d.jsonl
  - message_range: 41-47
  - entry_ids: a1b2c3d4, 0f9e8d7c
- quote: "ok, embedded it is, no server"
- why: one process, no server to run
- finding: 1.3 ms a query at 10k chunks
- conclusion: the embedded engine is the default
- impact: not stated
- confidence: 0.86
- trust: owner
- status: active
- supersedes: DECISION-20260212-use-a-server
- reinforces:
- refs:
"""


def read(text: str) -> Entry | None:
    """The first entry of a file."""
    return parse_entries(text.encode())[0][1]


def test_the_format_on_disk() -> None:
    """The block that people and other tools read, key by key."""
    assert RENDERED == render_entry(PLAIN).rsplit("- check:", 1)[0]


@given(ENTRIES)
def test_an_entry_comes_back(entry: Entry) -> None:
    """One intact block whatever the texts, holding the entry that was written; only its title is put on one line."""
    sealed = render_entry(entry)
    ((block, back),) = parse_entries(sealed.encode())
    assert block.intact
    assert entry.id == block.name
    assert back is not None
    # Python calls no time of an hour that comes twice equal to one of another zone, also when both are one moment.
    assert entry.date.isoformat() == back.date.isoformat()
    expected = entry.model_copy(update={"title": one_line(entry.title) or entry.id, "date": back.date})
    assert expected == back


@table(
    ("lines", "until", "goal"),
    [
        ("- until: 2026-05-07\n- goal: yes\n", date(2026, 5, 7), True),
        ("- until: soon\n- goal: no\n", None, False),
        ("- until:\n- goal:\n", None, False),
        ("", None, False),
    ],
)
def test_the_end_of_a_thing_and_a_goal(lines: str, until: date | None, goal: bool) -> None:  # noqa: FBT001 - a table of cases
    """Each is written where it says something; a word that cannot be read leaves the entry readable."""
    entry = read(RENDERED + lines)
    assert PLAIN.model_copy(update={"until": until, "goal": goal}) == entry


@table(
    ("line", "project"),
    [("- project: ~/code/shop\n", "~/code/shop"), ('- project: "a\\nb"\n', "a\nb"), ("- project:\n", ""), ("", "")],
)
def test_the_project_of_an_entry(line: str, project: str) -> None:
    """The last key; it is there where a project is known, and an entry without it keeps its bytes."""
    entry = PLAIN.model_copy(update={"project": project})
    assert entry == read(RENDERED + line)
    assert RENDERED + line * bool(project) == render_entry(entry).rsplit("- check:", 1)[0]


@given(ENTRIES)
def test_every_value_stands_on_its_line(entry: Entry) -> None:
    """Free text adds no line and no field: each key stands once, in any reading of where lines end."""
    sealed = render_entry(entry)
    keys = [line.split(":")[0] for line in sealed.splitlines()[1:]]
    assert sorted(set(keys)) == sorted(keys)
    assert len(sealed.split("\n")) == len(sealed.splitlines()) + 1


@table("id_", ["", "a b", "a\nb", " a", "a\u2028b", "a\ud800", "a\x00"])
def test_an_id_that_is_not_one_word_is_refused(id_: str) -> None:
    """Such a block would not be found again under its id."""
    with pytest.raises(ValueError, match="not one word"):
        render_entry(PLAIN.model_copy(update={"id": id_}))


def test_a_lone_surrogate_can_be_written() -> None:
    """Ids and texts from broken transcripts never make a file that cannot be encoded."""
    source = PLAIN.source.model_copy(update={"session_id": "s\ud83d", "entry_ids": ("\udc80",)})
    entry = PLAIN.model_copy(update={"title": "a\ud800b", "quote": "\udfff", "why": "\ud800", "source": source})
    back = read(render_entry(entry))
    assert back is None or entry.source == back.source


@given(st.data())
def test_a_mutated_block_is_read_or_not(data: st.DataObject) -> None:
    """Whatever a person makes of a block, reading it gives an entry or nothing, never an error."""
    sealed = render_entry(data.draw(ENTRIES)).encode()
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(sealed)))
        width = data.draw(st.integers(0, 30))
        sealed = sealed[:place] + data.draw(st.binary(max_size=8)) + sealed[place + width :]
    for block, entry in parse_entries(sealed):
        assert entry is None or entry.id == block.name or not block.intact


@given(
    ANY, st.sampled_from(["id", "kind", "date", "quote", "confidence", "message_range", "entry_ids", "refs", "status"])
)
@example("[" * 100_000, "refs")
@example("9" * 5_000, "message_range")
@example("1e999", "confidence")
@example("nan", "confidence")
@example('"\\ud800"', "quote")
def test_any_value_of_any_field_is_read_or_not(value: str, key: str) -> None:
    """A value that makes no sense makes the entry unreadable, and nothing else happens."""
    lines = RENDERED.splitlines()
    changed = [f"{line.split(':')[0]}: {value}" if line.strip().startswith(f"- {key}:") else line for line in lines]
    for block in find_blocks("\n".join(changed).encode()):
        parse_entry(block)


@table("key", ["why", "finding", "conclusion", "impact"])
def test_a_person_may_write_plain_text(key: str) -> None:
    """An edited value is read as it stands, quotes inside it included."""
    lines = [f'- {key}: so "we" said' if line.startswith(f"- {key}:") else line for line in RENDERED.splitlines()]
    entry = read("\n".join(lines))
    assert entry is not None
    assert 'so "we" said' == getattr(entry, key)


def test_a_person_may_archive_by_hand() -> None:
    """The status line of an adopted block counts."""
    entry = read(render_entry(PLAIN).replace("- status: active", "- status:   archived "))
    assert entry is not None
    assert Status.ARCHIVED is entry.status


def test_a_full_width_colon_and_other_levels_are_headings_too() -> None:
    """What people type in a heading does not change the title."""
    entry = read(render_entry(PLAIN).replace("## Decision: ", "#### Decision\uff1a"))
    assert entry is not None
    assert PLAIN.title == entry.title


@table("missing", ["kind", "date", "quote", "conclusion", "confidence"])
def test_a_missing_field_makes_it_unreadable(missing: str) -> None:
    """It stays a block, and counts as such, but is no entry."""
    lines = [line for line in RENDERED.splitlines() if not line.startswith(f"- {missing}:")]
    ((block, entry),) = parse_entries(seal_entry("\n".join(lines)).encode())
    assert (PLAIN.id, None) == (block.name, entry)


def test_times_keep_their_zone() -> None:
    """The local time that people see is the one that was written."""
    entry = read(render_entry(PLAIN))
    assert entry is not None
    assert timedelta(hours=1) == entry.date.utcoffset()


def test_entries_share_what_is_the_same() -> None:
    """A service holds thousands: they have one set of the names of fields, and a copy has its own."""
    one, other = (
        entry for _, entry in parse_entries(f"{render_entry(PLAIN)}\n{render_entry(PLAIN)}".encode()) if entry
    )
    assert one.model_fields_set is other.model_fields_set
    assert one.source.model_fields_set is other.source.model_fields_set
    assert "corrects" in one.model_copy(update={"corrects": one.id}).model_fields_set
    assert "corrects" not in one.model_fields_set
