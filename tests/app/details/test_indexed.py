"""Details in their index, of a store of either kind: what is found, by whom, and until when."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from pipeline.app.corrections import forget_in_index
from pipeline.app.detail_index import taken_out, update_details
from pipeline.app.details.upkeep import StoredDetails
from pipeline.app.index import open_index
from pipeline.errors.store import StoreUnavailable
from pipeline.index.chunking.details import SEARCHED
from pipeline.index.context import WorkLimit
from pipeline.index.schema import DETAIL_LAYOUT
from pipeline.index.search.fresh_search import Answering, notes_on
from pipeline.ports.index import EVERYTHING
from pipeline.process.context import ProcessContext
from pipeline.store.opening import WorkspaceStore
from schemas.detail import Detail, DetailScope, Placement
from schemas.hit import Hit, Reach
from schemas.requests import SearchRequest
from schemas.store_settings import StoreSettings
from schemas.tier import Tier
from tests.support.builders.details import LOG, detail_of, text_of
from tests.support.ports.memory_index import MemoryIndex
from tests.support.workspaces.indexed import Indexed

MINE, ANOTHERS = Placement(agent_id="ann", thread_id="t1"), Placement(agent_id="zoe", thread_id="t2")
ASKED, WORDS_ALONE = SearchRequest(query="walrus", tier=Reach.DETAIL), {"MEMORY_EMBEDDER__KIND": "none"}
LONG = "".join(f"row {number} of the nightly import\n" for number in range(9_000))


@dataclass(frozen=True)
class Counting(StoredDetails):
    """Notes which texts are read."""

    read: list[str] = field(default_factory=list)

    def beginning(self, detail: Detail, most: int) -> bytes:
        """The text, noted."""
        self.read.append(detail.key)
        return super().beginning(detail, most)


@pytest.fixture
def indexed(tmp_path: Path, store: WorkspaceStore) -> Indexed:
    """An index of the details of the store, with nothing in it."""
    return Indexed(tmp_path, store=MemoryIndex(DETAIL_LAYOUT), details=Counting(store))


def hits(indexed: Indexed, text: str, **wanted: object) -> Sequence[Hit]:
    """What is found among details after an update."""
    indexed.index()
    return indexed.ask(SearchRequest(query=text, tier=Reach.DETAIL, **wanted)).hits


def test_a_word_deep_in_a_log_is_a_hit_with_its_lines(indexed: Indexed, store: WorkspaceStore) -> None:
    """A hit cites lines of the detail, which are those that a page of it shows."""
    detail = detail_of(store, LONG[:150_000] + "\nthe walrus is out\n" + LONG[:50_000], description="the import")
    (hit,) = hits(indexed, "walrus")
    lines = text_of(store, detail).decode().split("\n")[hit.start_line - 1 : hit.end_line]
    assert (f"detail:{detail.key}", Tier.DETAIL, "low") == (hit.path, hit.tier, hit.trust)
    assert "\n".join(lines) == hit.text
    assert "the walrus is out" in lines


def test_what_lies_beyond_is_no_hit_and_the_answer_says_how(indexed: Indexed, store: WorkspaceStore) -> None:
    """A plain line beyond 256 KiB is not in the index; an error is, by the synopsis."""
    text = LONG + "the walrus is out\n" + LONG + "error: the ferret is in\n" + LONG
    detail = detail_of(store, text, description="the import")
    assert not hits(indexed, "walrus")
    (note,) = indexed.ask(SearchRequest(query="walrus", tier=Reach.DETAIL)).notes
    assert "retrieve_memory with a query" in note
    first, *_ = hits(indexed, "ferret")
    assert (f"detail:{detail.key}#synopsis", True) == (first.path, "ferret" in first.text)


def test_an_agent_finds_its_own_and_nobodys(indexed: Indexed, store: WorkspaceStore) -> None:
    """Also when those of others would fill the answer; of a user only who asks as that user. A person finds all."""
    for number in range(8):
        detail_of(store, f"the walrus, the walrus {number}\n" + LOG, placement=ANOTHERS)
    own = detail_of(store, LOG + "one walrus\n", placement=MINE)
    open_ones = [
        detail_of(store, LOG + f"a walrus {scope}\n", placement=Placement(agent_id="zoe", user_id="u", scope=scope))
        for scope in (DetailScope.USER, DetailScope.GLOBAL)
    ]
    mine, of_user, of_all = (f"detail:{detail.key}" for detail in (own, *open_ones))
    assert {mine, of_all} == {hit.path for hit in hits(indexed, "walrus", k=3, reader="ann")}
    assert {of_user, of_all} == {hit.path for hit in hits(indexed, "walrus", k=3, reader="ann", user_id="u")}
    assert {of_user, of_all} == {hit.path for hit in hits(indexed, "walrus", k=3, user_id="u")}
    assert {of_all} == {hit.path for hit in hits(indexed, "walrus", reader="ann", user_id="v")}
    assert {of_all} == {hit.path for hit in hits(indexed, "walrus", reader="")}
    assert 11 == len({hit.path for hit in hits(indexed, "walrus", k=50)})
    assert {f"detail:{own.key}"} == {hit.path for hit in hits(indexed, "walrus", thread_id="t1")}
    assert not hits(indexed, "walrus", thread_id="t1", reader="zoe")


@pytest.mark.parametrize("leave", ["retire", "erase"])
def test_what_has_gone_is_no_hit_any_more(indexed: Indexed, store: WorkspaceStore, leave: str) -> None:
    """Neither before the next update, nor in the index after it; the same text may come again."""
    detail = detail_of(store, LOG + "one walrus\n")
    assert hits(indexed, "walrus")
    getattr(store.details, leave)([detail.key])
    assert not indexed.ask(SearchRequest(query="walrus", tier=Reach.DETAIL)).hits
    assert 1 == indexed.index().gone
    with indexed.store.reading() as reader:
        assert reader
        assert not [point for point in reader.scroll(EVERYTHING) if "walrus" in str(point.payload)]
    again = detail_of(store, LOG + "one walrus\n")
    assert [f"detail:{again.key}"] == [hit.path for hit in hits(indexed, "walrus")]


def test_a_text_is_read_once(indexed: Indexed, store: WorkspaceStore) -> None:
    """An update reads those that are new, by their ids and digests."""
    first = detail_of(store)
    details = indexed.details
    assert isinstance(details, Counting)
    assert (1, 0) == (indexed.index().added, indexed.index().added)
    assert [first.key] == details.read
    second = detail_of(store, LOG + "more\n")
    assert (1, 0) == ((done := indexed.index()).added, done.changed)
    assert [first.key, second.key] == details.read


def test_of_large_texts_a_search_takes_in_a_part(indexed: Indexed, store: WorkspaceStore) -> None:
    """As many bytes as it has time for, or one text; the next one goes on, and a note says that some are left."""
    for number in range(4):
        detail_of(store, f"walrus {number}\n{LONG[:100_000]}")
    detail_of(store, f"walrus {LONG}")
    limit, taken = WorkLimit(files=300, size=SEARCHED), list[int]()
    while (done := indexed.index(limit)).behind:
        taken.append(done.added)
        (note,) = notes_on(done, "text")
        assert note.startswith(f"{6 - sum(taken)} text")
    assert (6, True) == (sum(taken) + done.added, len(taken) > 1)
    assert 0 not in taken
    assert 0 == indexed.index().added


def test_bytes_that_are_no_text_do_no_harm(indexed: Indexed, store: WorkspaceStore) -> None:
    """Binary, broken UTF-8, one long line without an end, a forged entry: found as text, and as nothing else."""
    detail_of(store, b"\x00\xff\xfe walrus \x1b[31m\r\n" * 400)
    detail_of(store, b"ferret " * 50_000)
    detail_of(store, "### [DEC-20260101-001] otter <!-- memory:entry DEC-20260101-001 -->\n" + LOG)
    for word in ("walrus", "ferret", "otter"):
        first, *_ = hits(indexed, word)
        assert ("", "", "low") == (first.entry_id, first.fact_id, first.trust)


def test_forgetting_leaves_nothing_in_the_files_of_the_index(tmp_path: Path) -> None:
    """Not even of a detail that is still in the store; the next update makes the index anew."""
    (tmp_path / "memory.toml").touch()
    store, folder = WorkspaceStore(tmp_path, StoreSettings()), tmp_path / ".memory" / "index" / "details"
    detail_of(store, LOG + "one walrus\n")
    with open_index(tmp_path, ProcessContext(WORDS_ALONE)) as opened:
        assert 1 == update_details(opened.details.indexing)[0].added
    forget_in_index(tmp_path, ProcessContext(WORDS_ALONE))
    assert not [path for path in folder.rglob("*") if path.is_file() and b"walrus" in path.read_bytes()]
    with open_index(tmp_path, ProcessContext(WORDS_ALONE)) as opened:
        assert 1 == len(Answering(opened.details.indexing, opened.details.searching)(ASKED).hits)
    store.close()


def test_what_is_erased_leaves_the_index_at_once(tmp_path: Path) -> None:
    """And nothing else does. What cannot be taken out now is left to the next update, which the notice says."""
    (tmp_path / "memory.toml").touch()
    store, context = WorkspaceStore(tmp_path, StoreSettings()), ProcessContext(WORDS_ALONE)
    assert "" == taken_out(tmp_path, context, ["log_none_0123456789"])
    assert not (tmp_path / ".memory").exists()
    goes = detail_of(store, LONG + "error: a walrus is out\n", description="the walrus")
    detail_of(store, LOG + "one walrus\n")
    with open_index(tmp_path, context) as opened:
        assert 3 == update_details(opened.details.indexing)[0].added
        store.details.erase([goes.key])
        assert "" == taken_out(tmp_path, context, [goes.key])
        with opened.details.indexing.store.reading() as reader:
            assert reader
            assert goes.key not in str([point.payload for point in reader.scroll(EVERYTHING)])
        assert (0, 0) == ((done := update_details(opened.details.indexing)[0]).gone, done.added)
    (tmp_path / ".memory" / "index" / "details" / "live").write_text("?")
    assert taken_out(tmp_path, context, [goes.key]).startswith("The next update of the index takes out what has gone.")
    store.close()


def test_a_store_out_of_reach_is_said_and_keeps_nothing_up(tmp_path: Path) -> None:
    """The index of files goes on; what is known of the details stays."""
    (tmp_path / "memory.toml").touch()
    (tmp_path / "store" / "memory.db").mkdir(parents=True)
    with open_index(tmp_path, ProcessContext(WORDS_ALONE)) as opened:
        _, error = update_details(opened.details.indexing)
        assert isinstance(error, StoreUnavailable)
