"""Conversations go after their retention, and none that a job has still to read."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from pipeline.app.conversation_deletion import ExpiredConversations, expire_conversations
from pipeline.app.engine import open_engine
from pipeline.app.requester import Requester
from pipeline.app.runs import run_due
from pipeline.process.context import ProcessContext
from pipeline.reports.entries import list_entries
from schemas.conversation import NewConversation, NewMessage, SessionSettings
from schemas.detail import Placement
from schemas.run_options import RunOptions
from schemas.transcript import Role
from tests.support.builders.details import detail_of, with_store
from tests.support.ports.clock import FixedClock
from tests.support.workspaces.conversing import open_conversations

SAID = datetime(2026, 2, 2, 9, 5, tzinfo=UTC)
SETTINGS = 'timezone = "UTC"\nstart = "2026-02-02T00:00:00Z"\n[store]\nconversation_retention = "P7D"\n'
SOURCE = '[[sources]]\nkind = "store"\npath = "store"\n'
OWNER = Requester("", "main", by_person=True)
OTHER = Requester("bob", "main", by_person=True)


def at(days: float) -> ProcessContext:
    """So many days after it was said."""
    return ProcessContext({}, FixedClock(SAID + timedelta(days=days)))


def say(root: Path, who: Requester = OWNER, *, knowledge: bool = True, session: str = "s-1", days: float = 0) -> None:
    """A rule in a conversation."""
    with open_conversations(root, at(days)) as talks:
        talks.begin(who, NewConversation(session_id=session, settings=SessionSettings(store_knowledge=knowledge)))
        rule = f"remember that the septic truck of {session} comes every second tuesday"
        talks.append(who, session, [NewMessage(role=Role.USER, text=rule)])


def expired(root: Path, days: float, *, dry_run: bool = False) -> ExpiredConversations:
    """What goes so many days after it was said, without a run."""
    engine = open_engine(root, at(days))
    try:
        assert engine.store
        return expire_conversations(engine, engine.store, dry_run=dry_run)
    finally:
        engine.ledger.store.close()


def sessions(root: Path) -> list[str]:
    """The conversations that are there."""
    with open_conversations(root, at(0)) as talks:
        return sorted(one.conversation.session_id for one in talks.table.list_conversations())


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A workspace whose jobs read its conversations, which are kept for a week."""
    (tmp_path / "memory.toml").write_text(SETTINGS + SOURCE)
    return tmp_path


def test_none_goes_before_it_was_read(root: Path) -> None:
    """The service stood still for a month: its first run reads it, the first of the next day lets it go."""
    say(root)
    assert ExpiredConversations(unread=("s-1",)) == expired(root, 30)
    list(run_due(root, at(30), RunOptions()))
    assert ["s-1"] == sessions(root)
    list(run_due(root, at(31), RunOptions()))
    assert [] == sessions(root)
    engine = open_engine(root, at(31))
    assert 1 == len(list_entries(engine))
    engine.ledger.store.close()


def test_it_counts_from_the_last_message(root: Path) -> None:
    """One in which something is said goes on; a dry run changes nothing."""
    say(root, OTHER)
    say(root, OTHER, session="s-2")
    say(root, OTHER, session="s-2", days=5)
    assert ExpiredConversations() == expired(root, 6.9)
    assert ("s-1",) == expired(root, 8, dry_run=True).gone
    assert ["s-1", "s-2"] == sessions(root)
    assert ("s-1",) == expired(root, 8).gone
    assert ["s-2"] == sessions(root)


@pytest.mark.parametrize(("who", "knowledge"), [(OTHER, True), (OWNER, False)])
def test_what_no_job_reads_waits_for_none(root: Path, who: Requester, *, knowledge: bool) -> None:
    """Those of other users, and those that no job may read."""
    say(root, who, knowledge=knowledge)
    assert ("s-1",) == expired(root, 8).gone


def test_where_conversations_are_no_source(root: Path) -> None:
    """No job has to read them."""
    (root / "memory.toml").write_text(SETTINGS)
    say(root)
    assert ("s-1",) == expired(root, 8).gone


def test_without_a_start_only_a_person_lets_jobs_read(root: Path) -> None:
    """Nothing says what they have still to read, so it stays."""
    (root / "memory.toml").write_text(SETTINGS.replace("start", "#start") + SOURCE)
    say(root)
    assert ("s-1",) == expired(root, 100).unread


def test_its_details_go_with_it_and_a_pin_keeps_it(root: Path) -> None:
    """As with a deletion: whoever pinned a text of it wants it."""
    say(root, OTHER)
    placement = Placement(thread_id="s-1", agent_id="main", user_id="bob")
    key = with_store(root, lambda store: detail_of(store, placement=placement)).key
    with_store(root, lambda store: store.details.pin([key], pinned=True))
    assert ExpiredConversations() == expired(root, 30)
    with_store(root, lambda store: store.details.pin([key], pinned=False))
    assert ExpiredConversations(("s-1",), (key,)) == expired(root, 30)
    assert with_store(root, lambda store: store.details.find(key)) is None


def test_they_stay_for_ever_unless_somebody_says_so(root: Path) -> None:
    """That is the default."""
    (root / "memory.toml").write_text(SETTINGS.replace("P7D", "PT0S"))
    say(root)
    assert ExpiredConversations() == expired(root, 10_000)
