"""Forgetting reaches the conversations of the store: their messages are masked, and summaries of them go."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from pipeline.app.conversations import Conversations, ExportForm
from pipeline.app.engine import open_engine
from pipeline.app.requester import Requester
from pipeline.app.runs import run_due
from pipeline.corrections.forget import forget, forgetting_traces
from pipeline.corrections.forget_fact import fact_items, fact_topic
from pipeline.corrections.forget_topic import forget_topic, forget_words, line_traces, topic, traces
from pipeline.engine.context import Engine
from pipeline.entries.provenance import identity_of
from pipeline.errors.corrections import TopicUnknown
from pipeline.language.tokens import count_tokens
from pipeline.process.context import ProcessContext
from pipeline.reports.entries import list_entries
from pipeline.store.opening import FOLDER
from schemas.conversation import (
    ConversationSummary,
    ExtraContext,
    NewConversation,
    NewMessage,
    Preferences,
    PreferenceScope,
    SessionSettings,
)
from schemas.prompt_context import ContextRequest
from schemas.run_options import RunOptions
from schemas.store_settings import StoreSettings
from schemas.transcript import MASK, Role
from tests.app.test_conversation_knowledge import LATER, MORNING, NOON, SAID, SETTINGS
from tests.store.conftest import store_settings
from tests.support.ports.clock import FixedClock
from tests.support.workspaces.conversing import open_conversations

__all__ = ["store_settings"]

OWNER = Requester("", "main", by_person=True)
TRUCK = "Remember that the septic truck comes every second tuesday."
LAKE = "Remember that the lake road is closed in april."
AGAIN = "Noted: The septic truck comes every second tuesday, so you wait."
MARKED = "The SEPTIC truck, then: it comes? The septic truck\ncomes EVERY second *tuesday*."


@contextmanager
def talking(root: Path, store: StoreSettings) -> Iterator[Conversations]:
    """The conversations of a workspace that reads them, in a store of either kind."""
    url = f'[store]\nurl = "{store.url.get_secret_value()}"\nworkspace = "{store.workspace}"\n'
    (root / "memory.toml").write_text(SETTINGS + (url if store.workspace else ""))
    with open_conversations(root, ProcessContext({}, FixedClock(SAID))) as talks:
        yield talks


def say(talks: Conversations, *said: str, notes: str = "") -> None:
    """A conversation in which the owner and the assistant speak in turn, and its summary."""
    talks.begin(OWNER, NewConversation(session_id="s-1"))
    roles = (Role.USER, Role.ASSISTANT)
    more = [ExtraContext(notes=(notes,)) if notes and not at else ExtraContext() for at in range(len(said))]
    new = [NewMessage(role=roles[at % 2], text=text, extra_context=more[at]) for at, text in enumerate(said)]
    talks.append(OWNER, "s-1", new)
    made = ConversationSummary(first_number=1, last_number=2, prose="About waste.", made_by="small", created_at=SAID)
    assert talks.table.keep_summary(talks.view(OWNER, "s-1").conversation, made)


@contextmanager
def engine_of(root: Path) -> Iterator[Engine]:
    """The engine of a workspace, once what was said has been read."""
    list(run_due(root, ProcessContext({}, FixedClock(LATER)), RunOptions(), "micro_sync", NOON))
    engine = open_engine(root, ProcessContext({}, FixedClock(LATER)))
    try:
        yield engine
    finally:
        if engine.store:
            engine.store.close()
        engine.ledger.store.close()


def everything(talks: Conversations) -> str:
    """All that anybody can read of the conversation."""
    exported = [talks.export(OWNER, "s-1", form).decode() for form in ExportForm]
    context = talks.context(OWNER, "s-1", ContextRequest(question="what now?")).model_dump_json()
    return "\n".join((*exported, context, talks.view(OWNER, "s-1").model_dump_json()))


def test_an_entry_leaves_its_conversation(tmp_path: Path, store_settings: StoreSettings) -> None:
    """Its words are masked wherever they were said, in whatever marks; numbers and lengths stay, the summary goes."""
    with talking(tmp_path, store_settings) as talks:
        say(talks, f"Morning! {TRUCK} Bye.", AGAIN, LAKE, "Fine.", MARKED, notes=f"a note: {TRUCK}")
        before = talks.view(OWNER, "s-1").messages
        with engine_of(tmp_path) as engine:
            truck, lake = (place.entry for place in list_entries(engine))
            assert ("s-1#1", "s-1#2", "s-1#5") == forgetting_traces(engine, truck.id).messages
            receipt = forget(engine, truck.id)
            assert (("s-1#1", "s-1#2", "s-1#5"), 1) == (receipt.messages, receipt.summaries)
            session = engine.catalog.cited_session(lake.source)
            assert session
            assert identity_of(lake, session)
        read = everything(talks)
        assert "every second" not in read.lower()
        assert "About waste" not in read
        after = talks.view(OWNER, "s-1").messages
    assert [(one.number, len(one.text)) for one in before] == [(one.number, len(one.text)) for one in after]
    assert after[0].text == f"Morning! {MASK * len(TRUCK[:-1])}. Bye."
    assert after[0].tokens == count_tokens(after[0].text)
    assert after[4].text == f"The SEPTIC truck, then: it comes? {MASK * 16}\n{MASK * 27}*."
    assert before[2:4] == after[2:4]
    files = [path.name for path in (tmp_path / FOLDER).glob("*") if b"every second" in path.read_bytes().lower()]
    assert [] == files


def test_what_was_masked_writes_nothing_anew(tmp_path: Path, store_settings: StoreSettings) -> None:
    """With the ledger lost, runs over the same time neither bring the entry back nor double the one that stayed."""
    with talking(tmp_path, store_settings) as talks:
        say(talks, TRUCK, AGAIN, LAKE)
    with engine_of(tmp_path) as engine:
        truck, lake = (place.entry.id for place in list_entries(engine))
        forget(engine, truck)
        ledger = engine.ledger.store.path
    ledger.unlink()
    with engine_of(tmp_path) as engine:
        assert [lake] == [place.entry.id for place in list_entries(engine)]


def test_what_something_else_quotes_is_not_masked(tmp_path: Path) -> None:
    """A message that names a topic goes as a whole, but for the words of a fact that does not name it."""
    porto = "I live in Porto"
    with talking(tmp_path, StoreSettings()) as talks:
        say(talks, f"{porto}.\n\nThe Falcon costs five million.\nIt is late.", "Noted.", notes="a falcon, too")
        list(run_due(tmp_path, ProcessContext({}, FixedClock(MORNING)), RunOptions(), "retain"))
        with engine_of(tmp_path) as engine:
            assert ("s-1#1",) == traces(engine, topic(["Falcon"])).messages
            forget_topic(engine, topic(["Falcon"]))
        first, second = talks.view(OWNER, "s-1").messages
    assert [f"{porto}{MASK}", ""] == first.text.split("\n")[:2]
    assert {MASK} == {*"".join(first.text.split("\n")[2:]), *first.extra_context.notes[0]}
    assert "Noted." == second.text


def test_a_topic_leaves_the_conversations(tmp_path: Path, store_settings: StoreSettings) -> None:
    """A message with its name goes as a whole; one of another word stays. Then nothing is known of the topic."""
    with talking(tmp_path, store_settings) as talks:
        say(talks, "The FALCON is late. It costs five million.", "Noted, falcons are birds.")
        with engine_of(tmp_path) as engine:
            assert ("s-1#1",) == traces(engine, topic(["Falcon"])).messages
            receipt = forget_topic(engine, topic(["Falcon"]))
            assert (("s-1#1",), 1) == (receipt.messages, receipt.summaries)
            with pytest.raises(TopicUnknown):
                traces(engine, topic(["Falcon"]))
        first, second = talks.view(OWNER, "s-1").messages
    assert {MASK} == {*first.text}
    assert "Noted, falcons are birds." == second.text


def test_a_topic_leaves_the_preferences(tmp_path: Path, store_settings: StoreSettings) -> None:
    """Of a session, and of all sessions, also by an agent's word; what has not the words stays. No byte has them."""
    wanted = Preferences(tone="dry", style_notes="never mention the septic truck")
    everywhere = SessionSettings(preferences=wanted, preference_scope=PreferenceScope.GLOBAL)
    with talking(tmp_path, store_settings) as talks:
        talks.begin(OWNER, NewConversation(session_id="s-1", settings=SessionSettings(preferences=wanted)))
        talks.begin(Requester("bob", "main"), NewConversation(session_id="s-2", settings=everywhere))
        with engine_of(tmp_path) as engine:
            places = ["bob, all sessions#preferences", "s-1#preferences", "s-2#preferences"]
            assert places == sorted(traces(engine, topic(["septic truck"])).messages)
            assert places == sorted(forget_topic(engine, topic(["septic truck"])).messages)
            with pytest.raises(TopicUnknown):
                traces(engine, topic(["septic truck"]))
        kept = talks.view(OWNER, "s-1").conversation.settings.preferences
        assert [Preferences(tone="dry")] * 2 == [kept, talks.table.preferences("bob", "main")]
    stored = [path.read_bytes().lower() for path in (tmp_path / FOLDER).rglob("*") if path.is_file()]
    assert not [content for content in stored if b"septic" in content]


def test_the_words_of_a_fact_leave_their_sentence(tmp_path: Path) -> None:
    """Of a fact the sentence goes that says it, and nothing else of the message."""
    with talking(tmp_path, StoreSettings()) as talks:
        say(talks, "Hello. I live in Porto. What is new?", "Nothing.")
        list(run_due(tmp_path, ProcessContext({}, FixedClock(MORNING)), RunOptions(), "retain"))
        with engine_of(tmp_path) as engine:
            (fact,) = fact_items(engine)
            subject = fact_topic(engine, fact)
            assert ("s-1#1",) == line_traces(engine, subject).messages
            assert ("s-1#1",) == forget_words(engine, subject).messages
        first, _ = talks.view(OWNER, "s-1").messages
    assert first.text == f"Hello. {MASK * len('I live in Porto.')} What is new?"


def test_a_summary_of_what_was_masked_meanwhile_is_not_kept(tmp_path: Path) -> None:
    """Who sums up what was said before it was forgotten comes too late."""
    with talking(tmp_path, StoreSettings()) as talks:
        say(talks, TRUCK, AGAIN)
        conversation = talks.view(OWNER, "s-1").conversation
        said = talks.table.history(conversation)
        with engine_of(tmp_path) as engine:
            forget(engine, list_entries(engine)[0].entry.id)
        late = ConversationSummary(first_number=1, last_number=2, prose="Waste.", made_by="small", created_at=SAID)
        assert not talks.table.keep_summary(conversation, late, said)
        assert talks.table.keep_summary(conversation, late, talks.table.history(conversation))
