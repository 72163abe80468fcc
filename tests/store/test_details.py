"""Details in either kind of store: what comes back is what went in."""

import hashlib
import uuid
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pipeline.store.database import Database
from pipeline.store.details import SIZE, DetailTable
from schemas.detail import Detail, DetailFilter, DetailReader, DetailScope, DetailType, Placement
from schemas.store_settings import StoreSettings
from tests.support.marks import examples

NOW = datetime(2026, 3, 2, 9, tzinfo=UTC)


@pytest.fixture
def table(database: Database, store_settings: StoreSettings) -> DetailTable:
    """The details of a workspace."""
    return DetailTable(database, store_settings.workspace)


def detail(key: str = "log_build_0123456789", **fields: object) -> Detail:
    """A detail with this key; its numbers are of no text."""
    given_fields = {
        "type": DetailType.LOG,
        "summary": "two errors",
        "description": "build: 512 lines",
        "created_at": NOW,
        "tokens": 5,
        "size": 9,
        "lines": 2,
        "sha256": "0" * 64,
        **fields,
    }
    return Detail.model_validate({"id": str(uuid.uuid4()), "key": key, **given_fields})


def text_of(table: DetailTable, kept: Detail, line: int = 1) -> bytes:
    """The text from the chunk of a line."""
    return b"".join(chunk.content for chunk in table.read(kept, line))


def test_what_is_kept_comes_back(table: DetailTable) -> None:
    """Every field and every byte, of any alphabet, with zeros and with bytes that are no text."""
    content = "ąę 中文 \U0001f600\n".encode() + bytes(range(256)) + b"\r\nend"
    kept = detail(
        metadata={"exit": 1, "command": "npm install"},
        placement=Placement(agent_id="main", thread_id="t1", user_id="u1"),
        expires_at=NOW + timedelta(days=30),
    )
    assert kept == table.add(kept, [content])
    assert kept == table.find(kept.key)
    assert content == text_of(table, kept)


@settings(max_examples=examples(15), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.binary(max_size=200_000) | st.just(b"x" * 70_000) | st.just(b"line\n" * 20_000), max_size=5))
def test_any_bytes_in_any_blocks(table: DetailTable, blocks: list[bytes]) -> None:
    """The hash of what is read is the hash of what was written, however it came."""
    kept = detail(f"text_{uuid.uuid4().hex[:10]}")
    table.add(kept, blocks)
    assert hashlib.sha256(b"".join(blocks)).digest() == hashlib.sha256(text_of(table, kept)).digest()


def test_a_line_is_read_without_what_stands_before(table: DetailTable) -> None:
    """From the chunk in which the line begins, also behind a line that takes many chunks."""
    lines = [f"line {number}\n".encode() for number in range(1, 20_001)]
    lines[9_999] = b"y" * (5 * SIZE) + b"\n"
    kept = detail(lines=20_000)
    table.add(kept, [b"".join(lines)])
    for wanted in (1, 9_999, 10_000, 10_001, 20_000):
        first = next(table.read(kept, wanted))
        assert first.first_line <= wanted
        text = text_of(table, kept, wanted)
        assert lines[wanted - 1] == text.splitlines(keepends=True)[wanted - first.first_line]
        assert first.ordinal <= 1 or len(text) < sum(map(len, lines))


def test_a_key_is_taken_once(table: DetailTable) -> None:
    """The second one of a key is the first; of another workspace it is another one."""
    first, second = detail(), detail(description="other")
    table.add(first, [b"one"])
    assert first == table.add(second, [b"two"])
    assert b"one" == text_of(table, first)
    elsewhere = DetailTable(table.database, "elsewhere " + uuid.uuid4().hex)
    assert elsewhere.find(first.key) is None
    assert second.key == elsewhere.add(second, [b"two"]).key
    elsewhere.erase([second.key])


def test_all_or_nothing(table: DetailTable) -> None:
    """A text that breaks off in the middle leaves nothing."""

    def broken() -> Iterator[bytes]:
        yield b"x" * (40 * SIZE)
        message = "gone"
        raise OSError(message)

    with pytest.raises(OSError, match="gone"):
        table.add(detail(), broken())
    assert table.find(detail().key) is None


def test_what_is_listed(table: DetailTable) -> None:
    """By thread, type, pin and words, the newest first."""
    old = detail("log_a_0000000000", placement=Placement(thread_id="t1"), created_at=NOW - timedelta(days=1))
    place = Placement(thread_id="t1")
    new = detail("json_b_0000000000", type=DetailType.JSON, placement=place, description="50% _done")
    other = detail("log_c_0000000000", placement=Placement(thread_id="t2"), created_at=NOW - timedelta(days=2))
    for one in (old, new, other):
        table.add(one, [b"text"])
    table.pin([other.key], pinned=True)

    def keys(wanted: DetailFilter, limit: int = 0) -> list[str]:
        return [one.key[:5] for one in table.list_details(wanted, limit)]

    assert ["json_", "log_a", "log_c"] == keys(DetailFilter())
    assert ["json_", "log_a"] == keys(DetailFilter(thread_id="t1"))
    assert ["json_"] == keys(DetailFilter(type=DetailType.JSON))
    assert ["log_c"] == keys(DetailFilter(pinned=True))
    assert ["json_"] == keys(DetailFilter(words="50% _D"))
    assert ["json_"] == keys(DetailFilter(), limit=1)


def test_what_expires(table: DetailTable) -> None:
    """Past its time and not pinned; its text goes, and what answers a placeholder stays until it is erased."""
    late = detail("log_a_0000000000", expires_at=NOW)
    kept = detail("log_b_0000000000", expires_at=NOW, pinned=True)
    for one in (late, kept):
        table.add(one, [b"text"])
    assert [] == table.find_expired(NOW - timedelta(seconds=1))
    assert [late.key] == [one.key for one in table.find_expired(NOW)]
    assert 1 == table.retire([late.key])
    assert 0 == table.retire([late.key])
    gone = table.find(late.key)
    assert gone
    assert (False, "", late.description) == (gone.active, gone.summary, gone.description)
    assert b"" == text_of(table, gone)
    assert [kept.key] == [one.key for one in table.list_details(DetailFilter())]
    again = detail(late.key)
    assert again == table.add(again, [b"again"])
    assert b"again" == text_of(table, again)
    assert 2 == table.erase([late.key, kept.key])
    assert table.find(late.key) is None


def test_the_list_a_part_at_a_time(table: DetailTable) -> None:
    """The newest first, and how many fit; the threads have their numbers."""
    places = ("a", "b", "a", "")
    for at, thread in enumerate(places):
        one = detail(f"log_a_{at:010x}", created_at=NOW + timedelta(minutes=at), placement=Placement(thread_id=thread))
        table.add(one, [b"x"])
    parts = [[int(one.key[-1]) for one in table.list_details(DetailFilter(), 2, skip)] for skip in (0, 2, 4)]
    assert [[3, 2], [1, 0], []] == parts
    assert [4, 2] == [table.count(wanted) for wanted in (DetailFilter(), DetailFilter(thread_id="a"))]
    assert [("", 1), ("a", 2), ("b", 1)] == table.threads(9)
    assert [("", 1)] == table.threads(1)
    table.retire(["log_a_0000000001"])
    assert (3, [("", 1), ("a", 2)]) == (table.count(DetailFilter()), table.threads(9))


PLACES = [
    Placement(agent_id=agent, user_id=user, scope=scope, by_person=by_person)
    for agent in ("", "ann", "zoe")
    for user in ("", "u")
    for scope in DetailScope
    for by_person in (False, True)
]
READERS = [
    DetailReader(users, agents)
    for users in (None, frozenset({""}), frozenset({"u"}), frozenset({"v"}))
    for agents in (None, frozenset({"ann"}), frozenset[str]())
]


def test_the_database_knows_who_may_read(table: DetailTable) -> None:
    """Of every placement and for every reader it says what `DetailReader` says."""
    kept = [
        table.add(detail(f"log_a_{number:010x}", placement=place), [b"text"]) for number, place in enumerate(PLACES)
    ]
    for reader in READERS:
        expected = {one.key for one in kept if reader.may_read(one)}
        wanted = DetailFilter(reader=reader)
        assert expected == {one.key for one in table.list_details(wanted)}, reader
        assert len(expected) == table.count(wanted)
    assert len(kept) == table.count(DetailFilter())
