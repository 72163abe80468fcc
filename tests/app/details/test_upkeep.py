"""Listing, pinning and pruning: nothing goes that is pinned or that a transcript still cites."""

import uuid
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from pipeline.app.details.expiry import DetailCitations, citations_of
from pipeline.app.details.retrieve import show
from pipeline.app.details.upkeep import list_details, pin, prune
from pipeline.errors.store import DetailGone
from pipeline.ledger import open_ledger
from pipeline.ledger.transcripts import FileRecord
from pipeline.scheduling.registry import discover
from pipeline.store.opening import FOLDER, WorkspaceStore
from schemas.conversation import ConversationMessage, ConversationRecord, ExtraContext
from schemas.detail import DetailFilter, DetailType, Placement
from schemas.settings import Settings, SourceSettings
from schemas.transcript import Role, TranscriptFile
from tests.support.builders.details import LOG, NOW, detail_of
from tests.support.workspaces.workbench import Workbench

LATER = NOW + timedelta(days=31)


@pytest.fixture
def citations(tmp_path: Path, store: WorkspaceStore) -> DetailCitations:
    """The session `t-known` is known; another one is a file that nobody has read."""
    ledger = open_ledger(tmp_path / "state.db", NOW)
    file = TranscriptFile(path="one.jsonl", size=1, mtime_ns=1)
    ledger.files.note([FileRecord("source", file, "t-known", NOW, NOW)])
    folder = tmp_path / "transcripts"
    folder.mkdir()
    return DetailCitations(ledger.files, [folder, tmp_path / "gone"], store)


def test_what_is_listed(store: WorkspaceStore, tmp_path: Path) -> None:
    """What fits; listing makes no store."""
    assert [] == list_details(store)
    assert 0 == pin(store, ["log_a_0123456789"])
    assert not (tmp_path / FOLDER).exists()
    log = detail_of(store, type=DetailType.LOG, description="the build")
    detail_of(store, LOG + "2", placement=Placement(thread_id="t2"))
    assert 2 == len(list_details(store))
    assert 1 == len(list_details(store, limit=1))
    for choice in (DetailFilter(type=DetailType.LOG), DetailFilter(thread_id="t1"), DetailFilter(words="the BUILD:")):
        assert [log.key] == [one.key for one in list_details(store, choice)], choice
    assert 1 == pin(store, [log.key])
    assert [log.key] == [one.key for one in list_details(store, DetailFilter(pinned=True))]


def test_what_is_pruned(store: WorkspaceStore, citations: DetailCitations) -> None:
    """What has expired and is neither pinned nor cited: by its session, or by its key in a file that was not read."""
    gone = detail_of(store, LOG + "1", placement=Placement(thread_id="t-gone"))
    pinned = detail_of(store, LOG + "2", placement=Placement(thread_id="t-gone"), pinned=True)
    session = detail_of(store, LOG + "3", placement=Placement(thread_id="t-known"))
    named = detail_of(store, LOG + "4", placement=Placement())
    (citations.folders[0] / "two.jsonl").write_text(
        "x" * 4_194_300 + f"[MemoryRef: {named.key} - a]\n", encoding="utf-8"
    )
    assert () == prune(store, NOW, citations).gone
    assert (gone.key,) == prune(store, LATER, citations, dry_run=True).gone
    pruned = prune(store, LATER, citations)
    assert ((gone.key,), {session.key, named.key}, gone.size) == (pruned.gone, set(pruned.cited), pruned.size)
    with pytest.raises(DetailGone):
        show(store, gone.key)
    assert {pinned.key, session.key, named.key} == {one.key for one in list_details(store)}


def test_what_a_conversation_cites_stays(store: WorkspaceStore, citations: DetailCitations) -> None:
    """Of its session, or named in it: said, come along, cleared or summed up; the store itself is no transcript."""
    table = store.conversations
    talk = table.begin(ConversationRecord(id=str(uuid.uuid4()), session_id="t-talk", agent_id="main", created_at=NOW))
    own, gone, said, along = (
        detail_of(store, f"{LOG}{number}", placement=Placement(thread_id=thread))
        for number, thread in enumerate(("t-talk", "t-1", "t-2", "t-3"))
    )
    extra = ExtraContext(notes=(f"see {along.key}",))
    message = ConversationMessage(number=0, role=Role.USER, text=f"read {said.key}.", tokens=3, created_at=NOW)
    table.append(talk, [message, message.model_copy(update={"text": "ok", "extra_context": extra})])
    table.clear(talk)
    citations = replace(citations, folders=[store.root / FOLDER, *citations.folders])
    pruned = prune(store, LATER, citations)
    assert ((gone.key,), {own.key, said.key, along.key}) == (pruned.gone, set(pruned.cited))


def test_the_transcripts_of_a_workspace(
    new_bench: Callable[..., Workbench], store: WorkspaceStore, tmp_path: Path
) -> None:
    """Those that the settings name, below the workspace or elsewhere."""
    sources = (SourceSettings(kind="codex", path="sessions"), SourceSettings(kind="pi", path=str(tmp_path / "away")))
    bench = new_bench(jobs=discover(), settings=Settings(sources=sources))
    citations = citations_of(bench.engine, store)
    assert [bench.root / "sessions", tmp_path / "away"] == list(citations.folders)
    assert frozenset() == citations.of([])


def test_a_text_that_comes_again_stays_longer(store: WorkspaceStore) -> None:
    """From the last time on."""
    detail = detail_of(store)
    table = store.details
    assert LATER == table.renew(detail, LATER).expires_at
    assert LATER == table.renew(table.find(detail.key) or detail, NOW).expires_at
    assert [] == table.find_expired(datetime(2026, 4, 1, tzinfo=UTC))


def test_what_cannot_be_listed_may_cite_all(store: WorkspaceStore, citations: DetailCitations) -> None:
    """So nothing goes because of it."""
    detail = detail_of(store, placement=Placement(thread_id="t-gone"))
    refused = replace(citations, folders=[Path(f"/{'x' * 300}")])
    assert (detail.key,) == prune(store, LATER, refused).cited
    assert (detail.key,) == prune(store, LATER, citations).gone
