"""From a conversation to what lasts: its owner's words become entries, which a deletion leaves and lists."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from pipeline.app.conversations import Conversations
from pipeline.app.engine import open_engine
from pipeline.app.requester import Requester
from pipeline.app.runs import run_due
from pipeline.process.context import ProcessContext
from pipeline.reports.entries import list_entries
from schemas.conversation import NewConversation, NewMessage, SessionSettings
from schemas.run_options import RunOptions
from schemas.transcript import Role
from tests.support.ports.clock import FixedClock
from tests.support.tables import table
from tests.support.workspaces.conversing import open_conversations

SAID = datetime(2026, 2, 2, 9, 5, tzinfo=UTC)
NOON = datetime(2026, 2, 2, 12, tzinfo=UTC)
LATER = datetime(2026, 2, 2, 15, tzinfo=UTC)
MORNING = datetime(2026, 2, 3, 5, tzinfo=UTC)
SETTINGS = 'timezone = "UTC"\nstart = "2026-02-02T00:00:00Z"\n[[sources]]\nkind = "store"\npath = "store"\n'
OWNER = Requester("", "main", by_person=True)
RULE = "remember that the septic truck comes every second tuesday"


@contextmanager
def talking(root: Path) -> Iterator[Conversations]:
    """The conversations of a workspace that reads them."""
    (root / "memory.toml").write_text(SETTINGS)
    with open_conversations(root, ProcessContext({}, FixedClock(SAID))) as talks:
        yield talks


def entries_after_a_run(root: Path) -> list[str]:
    """The ids of all entries, once the time in which it was said has been read."""
    list(run_due(root, ProcessContext({}, FixedClock(LATER)), RunOptions(), "micro_sync", NOON))
    return entries_of(root)


def entries_of(root: Path) -> list[str]:
    """The ids of all entries."""
    context = ProcessContext({}, FixedClock(LATER))
    engine = open_engine(root, context)
    try:
        return [place.entry.id for place in list_entries(engine)]
    finally:
        engine.ledger.store.close()


def say(talks: Conversations, who: Requester, settings: SessionSettings | None = None) -> None:
    """A rule, and an answer."""
    talks.begin(who, NewConversation(session_id="s-1", settings=settings or SessionSettings()))
    said = [NewMessage(role=Role.USER, text=RULE), NewMessage(role=Role.ASSISTANT, text="Noted.")]
    talks.append(who, "s-1", said)


def test_the_owners_words_become_an_entry(tmp_path: Path) -> None:
    """It cites the conversation; once that is deleted it stays, and the receipt lists it."""
    with talking(tmp_path) as talks:
        say(talks, OWNER)
        entries = entries_after_a_run(tmp_path)
        assert 1 == len(entries)
        assert tuple(entries) == talks.deletion(OWNER, "s-1").entries
        assert tuple(entries) == talks.delete_session(OWNER, "s-1").entries
    assert entries == entries_of(tmp_path)


def test_facts_stay_as_entries_do(tmp_path: Path) -> None:
    """The receipt lists them too."""
    with talking(tmp_path) as talks:
        talks.begin(OWNER, NewConversation(session_id="s-1"))
        talks.append(OWNER, "s-1", [NewMessage(role=Role.USER, text="I live in Porto.")])
        list(run_due(tmp_path, ProcessContext({}, FixedClock(MORNING)), RunOptions(), "retain"))
        receipt = talks.delete_session(OWNER, "s-1")
    written = (tmp_path / "bank" / "world.md").read_text()
    assert 1 == len(receipt.facts)
    assert f"[{receipt.facts[0]}]" in written


@table(
    ("who", "settings"),
    [
        (Requester("", "main"), SessionSettings()),
        (Requester("bob", "main", by_person=True), SessionSettings()),
        (OWNER, SessionSettings(store_knowledge=False)),
    ],
)
def test_what_becomes_none(tmp_path: Path, who: Requester, settings: SessionSettings) -> None:
    """The words of an agent that speaks as the user, of another user, and of a conversation that no job may read."""
    with talking(tmp_path) as talks:
        say(talks, who, settings)
    assert [] == entries_after_a_run(tmp_path)
