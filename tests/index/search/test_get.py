"""Reading a place by its name."""

from datetime import date
from pathlib import Path

import pytest

from pipeline.errors import Held, PathRefused, SeveralNames, UnknownPlace
from pipeline.index.schema import LAYOUT
from pipeline.index.search.get import read_place
from schemas.index_settings import ExtraPath, IndexSettings
from schemas.tier import Tier
from tests.support.builders.facts import stated
from tests.support.ports.memory_index import MemoryIndex
from tests.support.tables import table
from tests.support.workspaces.indexed import Indexed, said

FIRST, SECOND = "DECISION-20260206-price", "DECISION-20260220-price"
NOTE = "memory/projects/lamp.md"


@pytest.fixture
def shop(tmp_path: Path) -> Indexed:
    """Two entries, one in place of the other, a note, and a folder beside the workspace."""
    (tmp_path / "notes" / "sub").mkdir(parents=True)
    (tmp_path / "notes" / "sub" / "a.md").write_text("outside\nsecond\n", encoding="utf-8")
    (tmp_path / "notes" / "key.pem").write_text("secret\n", encoding="utf-8")
    made = Indexed(tmp_path / "ws")
    made.settings = IndexSettings(extra_paths=(ExtraPath(path="../notes", name="notes", tier=Tier.RESEARCH),))
    made.remember(
        said(FIRST, "2026-02-06", "The brass lamp costs ten zloty"),
        said(SECOND, "2026-02-20", "The brass lamp costs twenty zloty", supersedes=(FIRST,)),
    )
    return made.write(NOTE, "# Lamp\n\nIt has a dent.\n- one\n- two\n").write("memory.toml", "api_key = 1\n")


LINES = {
    NOTE: (1, 5, "# Lamp\n\nIt has a dent.\n- one\n- two"),
    f"{NOTE}#L3": (3, 3, "It has a dent."),
    f"{NOTE}#L3-L4": (3, 4, "It has a dent.\n- one"),
    f"{NOTE}#L4-5": (4, 5, "- one\n- two"),
    "notes:sub/a.md#L2": (2, 2, "second"),
}


def test_exactly_the_lines_that_are_named_are_read(shop: Indexed) -> None:
    """Of files of the workspace and of folders beside it, with an index or without."""
    for _ in range(2):
        hits = {place: read_place(shop.searching, place) for place in LINES}
        assert {place: (hit.start_line, hit.end_line, hit.text) for place, hit in hits.items()} == LINES
        shop.index()


def test_a_place_tells_what_its_file_tells(shop: Indexed) -> None:
    """Tier, kind and trust, as a search would."""
    hit = read_place(shop.searching, "notes:sub/a.md")
    assert (Tier.RESEARCH, "note", "person") == (hit.tier, hit.kind, hit.trust)


@pytest.mark.parametrize("indexed", [False, True])
@table(
    "place",
    [
        f"{NOTE}#L6",
        f"{NOTE}#L0",
        f"{NOTE}#L4-L3",
        f"{NOTE}#Lx",
        "memory/missing.md",
        "memory/missing.md#L1",
        "memory",
        "DECISION-20990101-unknown",
        "notes:sub/missing.md",
        "memory.toml",
        "memory.toml#L1",
        "notes:key.pem",
        "",
        "#L1",
        "a\x00b",
    ],
)
def test_what_is_not_there_or_not_to_be_shown_is_said(shop: Indexed, place: str, *, indexed: bool) -> None:
    """In a sentence, with an index or without; settings hold keys and are never shown."""
    if indexed:
        shop.index()
    with pytest.raises(UnknownPlace):
        read_place(shop.searching, place)


@table("place", ["/etc/hosts", "../notes/sub/a.md", "notes:../ws/memory.toml", "notes:/etc/hosts", ".memory/x.md"])
def test_paths_that_lead_out_are_refused(shop: Indexed, place: str) -> None:
    """Whether or not there is such a file."""
    with pytest.raises(PathRefused):
        read_place(shop.searching, place)


def test_an_entry_is_retrieved_by_its_id(shop: Indexed) -> None:
    """With what all entries together say of it."""
    shop.index()
    hit = read_place(shop.searching, FIRST)
    assert ("memory/2026-02-06.md", date(2026, 2, 6)) == (hit.path, hit.date)
    assert hit.text.startswith("## Decision: ")
    assert (FIRST, "superseded", (SECOND,)) == (hit.entry_id, hit.status, hit.superseded_by)
    assert f"superseded by {SECOND}" == hit.uncertain


def test_an_entry_tells_its_other_places(shop: Indexed) -> None:
    """Such as the line of a page."""
    shop.write("MEMORY.md", f"# Memory\n\n- lamp ([{SECOND}](memory/2026-02-20.md))\n").index()
    assert ["memory/2026-02-20.md", "MEMORY.md"] == [place.path for place in read_place(shop.searching, SECOND).places]


def test_without_an_index_an_entry_is_read_from_the_files(shop: Indexed) -> None:
    """As written there; nothing vouches for it. The same when others hold the index."""
    for store in (MemoryIndex(LAYOUT), MemoryIndex(LAYOUT, failing=Held("the index", "pid 1"))):
        shop.store = store
        hit = read_place(shop.searching, FIRST)
        assert (FIRST, "active", 0.9) == (hit.entry_id, hit.status, hit.confidence)
        assert "not in the index, so nothing vouches for it" == hit.uncertain


def test_the_beginning_of_an_id_is_enough_when_it_is_unmistakable(shop: Indexed) -> None:
    """People need not type all of it; of several they are told which."""
    assert FIRST == read_place(shop.searching, "DECISION-20260206").entry_id
    with pytest.raises(SeveralNames, match=FIRST):
        read_place(shop.searching, "DECISION-2026")


def test_an_entry_that_moved_is_read_where_it_is_now(shop: Indexed) -> None:
    """The index may be older than the file."""
    shop.index()
    text = (shop.root / "memory/2026-02-06.md").read_text(encoding="utf-8")
    shop.write("memory/2026-02-06.md", "A line.\n\n" + text)
    hit = read_place(shop.searching, FIRST)
    assert hit.text.startswith("## Decision: ")
    assert 5 == hit.start_line


def test_lines_of_an_entry_tell_of_it(shop: Indexed) -> None:
    """Though only they are shown."""
    shop.index()
    hit = read_place(shop.searching, "memory/2026-02-06.md#L4")
    assert (FIRST, f"- id: {FIRST}") == (hit.entry_id, hit.text)


GDANSK = stated("Lives in Gdansk.", "Kuba", day=date(2026, 3, 1))
GDYNIA = stated("Lives in Gdynia.", "Kuba", day=date(2026, 3, 2), replaces=(GDANSK.id,))


def test_a_fact_is_read_by_its_id_and_by_its_place(tmp_path: Path) -> None:
    """With its kind, how sure it is, and what took its place."""
    made = Indexed(tmp_path)
    made.retain(GDANSK, GDYNIA).index()
    old, new = (read_place(made.searching, fact.id) for fact in (GDANSK, GDYNIA))
    assert ("world", "owner", 0.7, "active") == (new.kind, new.trust, new.confidence, new.status)
    assert (("Kuba",), GDYNIA.id) == (new.entities, new.fact_id)
    assert ("superseded", (GDYNIA.id,)) == (old.status, old.superseded_by)
    assert new == read_place(made.searching, f"{new.path}#L{new.start_line}-L{new.end_line}")


def test_a_fact_that_nobody_vouches_for_is_read_as_such(tmp_path: Path) -> None:
    """It has no id to be read by."""
    made = Indexed(tmp_path, doubted={GDANSK.id})
    made.retain(GDANSK).index()
    hit = read_place(made.searching, "memory/retain/2026-03-01.md#L2-L3")
    assert ("unverified", "", "unverified, confidence 0.5") == (hit.trust, hit.fact_id, hit.uncertain)
    with pytest.raises(UnknownPlace):
        read_place(made.searching, GDANSK.id)
