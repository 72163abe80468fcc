"""Conversations in either kind of store: what comes back is what went in, in its order."""

import uuid
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import pytest

from pipeline.errors.store import UnknownConversation
from pipeline.store.conversations import ConversationFilter, ConversationTable
from pipeline.store.database import Database
from schemas.conversation import (
    ConversationMessage,
    ConversationRecord,
    ConversationSummary,
    ExtraContext,
    NotedLine,
    NoteKind,
    Preferences,
    SessionSettings,
    SettingsChange,
)
from schemas.store_settings import StoreSettings, SummaryWay
from schemas.transcript import Role

NOW = datetime(2026, 3, 2, 9, tzinfo=UTC)


@pytest.fixture
def table(database: Database, store_settings: StoreSettings) -> ConversationTable:
    """The conversations of a workspace."""
    return ConversationTable(database, store_settings.workspace)


def conversation(session_id: str = "s-1", **fields: object) -> ConversationRecord:
    """A conversation of the user u-1 with main."""
    own = {"id": str(uuid.uuid4()), "session_id": session_id, "user_id": "u-1", "agent_id": "main", "created_at": NOW}
    return ConversationRecord.model_validate(own | fields)


def message(text: str, number: int = 0, **fields: object) -> ConversationMessage:
    """A message of the user."""
    own = {"number": number, "role": Role.USER, "text": text, "tokens": 3, "created_at": NOW}
    return ConversationMessage.model_validate(own | fields)


def summary(last: int, **fields: object) -> ConversationSummary:
    """A summary of the messages up to a number."""
    line = NotedLine(number=1, role=Role.USER, kind=NoteKind.DENIAL, text="not Redis")
    own = {"first_number": 1, "last_number": last, "prose": "We talked.", "made_by": "m", "created_at": NOW}
    return ConversationSummary.model_validate(own | {"ledger": (line,)} | fields)


def test_what_is_said_comes_back(table: ConversationTable) -> None:
    """Every field, of any alphabet, in the order in which it came."""
    settings = SessionSettings(preferences=Preferences(preferred_language="pl", tone="dry"), store_knowledge=False)
    begun = table.begin(conversation(settings=settings, by_person=True))
    assert begun == table.find("s-1")
    extra = ExtraContext(files=("a\nb",), links=("https://x.example",), paths=("/a",), notes=("ą",))
    new = [
        message("ąę 中文 \U0001f600\n", by_person=True, extra_context=extra),
        message("", role=Role.TOOL, created_at=NOW + timedelta(hours=1)),
    ]
    kept = table.append(begun, new)
    assert [1, 2] == [one.number for one in kept]
    assert kept == table.history(begun)
    assert kept[1:] == table.history(begun, after=1)


def test_a_session_begins_once(table: ConversationTable) -> None:
    """Whoever begins it again has the one that stands, also at the same moment."""
    with ThreadPoolExecutor(4) as pool:
        begun = list(pool.map(lambda _: table.begin(conversation()), range(4)))
    assert 1 == len({one.id for one in begun})
    elsewhere = ConversationTable(table.database, "elsewhere " + uuid.uuid4().hex)
    assert elsewhere.find("s-1") is None


def test_several_writers_number_without_gaps_or_doubles(table: ConversationTable) -> None:
    """What is appended at once stands together, and all numbers are there once."""
    begun = table.begin(conversation())

    def write(writer: int) -> list[int]:
        kept = [table.append(begun, [message(f"{writer}-{turn}-{part}") for part in range(3)]) for turn in range(5)]
        return [one.number for batch in kept for one in batch]

    with ThreadPoolExecutor(4) as pool:
        numbers = sorted(number for given in pool.map(write, range(4)) for number in given)
    assert list(range(1, 61)) == numbers
    history = table.history(begun)
    assert numbers == [one.number for one in history]
    batches = [history[first : first + 3] for first in range(0, 60, 3)]
    assert all(len({one.text.rpartition("-")[0] for one in batch}) == 1 for batch in batches)


def test_what_is_cleared_leaves_the_context_alone(table: ConversationTable) -> None:
    """The history and the summaries go; the messages are kept for the jobs, and the numbers go on."""
    begun = table.begin(conversation())
    table.append(begun, [message("one"), message("two")])
    assert table.keep_summary(begun, summary(2))
    assert (2, 1) == table.clear(begun)
    assert (0, 0) == table.clear(begun)
    assert ([], None) == (table.history(begun), table.summary(begun))
    assert [3] == [one.number for one in table.append(begun, [message("three")])]
    assert ["one", "two", "three"] == [one.text for one in table.history(begun, with_cleared=True)]


def test_the_last_summary_counts(table: ConversationTable) -> None:
    """One of the same range replaces the former; one of messages that were cleared meanwhile is not kept."""
    begun = table.begin(conversation())
    table.append(begun, [message(str(turn)) for turn in range(6)])
    for kept in (summary(2), summary(4), summary(4, prose="Again.", made_by="heuristic")):
        assert table.keep_summary(begun, kept)
        assert kept == table.summary(begun)
    assert [4, 2] == [one.last_number for one in table.summaries(begun)]
    table.clear(begun)
    assert not table.keep_summary(begun, summary(6))
    assert table.summary(begun) is None


def test_what_is_deleted_is_gone(table: ConversationTable) -> None:
    """With its messages and summaries; a writer that still has it is told."""
    begun = table.begin(conversation())
    table.append(begun, [message("one")])
    table.keep_summary(begun, summary(1))
    assert 1 == table.delete(begun)
    assert (None, [], None) == (table.find("s-1"), table.history(begun), table.summary(begun))
    with pytest.raises(UnknownConversation, match="s-1"):
        table.append(begun, [message("late")])


def test_only_a_silent_conversation_goes(table: ConversationTable) -> None:
    """Not when something was said since then, cleared or not; one that has gone meanwhile does not go twice."""
    begun = table.begin(conversation())
    table.append(begun, [message("one"), message("two", created_at=NOW + timedelta(days=2))])
    table.clear(begun)
    assert not table.delete_silent(begun, NOW + timedelta(days=2))
    assert 2 == len(table.history(begun, with_cleared=True))
    assert table.delete_silent(begun, NOW + timedelta(days=3))
    assert (None, []) == (table.find("s-1"), table.history(begun, with_cleared=True))
    assert not table.delete_silent(begun, NOW + timedelta(days=3))


def test_the_list_is_of_a_user_and_an_agent(table: ConversationTable) -> None:
    """With the number of messages and the moment of the last; an empty agent is an agent too."""
    first = table.begin(conversation("s-1"))
    second = table.begin(conversation("s-2", agent_id="", created_at=NOW + timedelta(minutes=1)))
    table.begin(conversation("s-3", user_id="u-2"))
    table.append(second, [message("one"), message("two", created_at=NOW + timedelta(hours=1))])
    mine = table.list_conversations(ConversationFilter(user_id="u-1"))
    assert [(first, 0, None), (second, 2, NOW + timedelta(hours=1))] == [
        (one.conversation, one.messages, one.last) for one in mine
    ]
    assert [second] == [one.conversation for one in table.list_conversations(ConversationFilter("u-1", ""))]
    assert 3 == len(table.list_conversations())


def test_the_list_a_part_at_a_time(table: ConversationTable) -> None:
    """First where something was said last, or that began last; with who made its last summary, and how many fit."""
    talks = [table.begin(conversation(f"s-{at}", created_at=NOW + timedelta(minutes=at))) for at in range(5)]
    table.append(talks[1], [message("one"), message("two", created_at=NOW + timedelta(hours=1))])
    for kept in (summary(1, made_by="heuristic"), summary(2, made_by="small")):
        assert table.keep_summary(talks[1], kept)
    table.begin(conversation("s-9", user_id="u-2"))
    mine = ConversationFilter("u-1")
    parts = [table.latest(mine, skip, 2) for skip in (0, 2, 4, 6)]
    assert [["s-1", "s-4"], ["s-3", "s-2"], ["s-0"], []] == [
        [one.conversation.session_id for one in part] for part, _ in parts
    ]
    assert {5} == {fitting for _, fitting in parts}
    assert ["small", ""] == [one.summary_by for one in parts[0][0]]
    assert (2, 2) == table.extent(talks[1])
    assert (0, 0) == table.extent(talks[0])


def test_settings_are_adjusted(table: ConversationTable) -> None:
    """The other settings stay as they are by now; one that was deleted meanwhile is told."""
    begun = table.begin(conversation(settings=SessionSettings(preferences=Preferences(tone="dry"))))
    change = SettingsChange(style_notes="lists", summary=SummaryWay.OFF)
    adjusted = table.adjust(begun.model_copy(update={"settings": SessionSettings()}), change)
    wanted = Preferences(tone="dry", style_notes="lists")
    assert SessionSettings(preferences=wanted, summary=SummaryWay.OFF) == adjusted.settings
    assert adjusted == table.find("s-1")
    assert "" == table.adjust(begun, SettingsChange(tone="")).settings.preferences.tone
    table.delete(begun)
    with pytest.raises(UnknownConversation):
        table.adjust(begun, change)


def test_preferences_are_of_a_user(table: ConversationTable) -> None:
    """The last ones count; they outlive the session, and are nobody else's."""
    assert Preferences() == table.preferences("u-1")
    for wanted in (Preferences(tone="dry"), Preferences(preferred_language="pl")):
        table.prefer(("u-1", ""), wanted, NOW)
        assert wanted == table.preferences("u-1")
    assert Preferences() == table.preferences("u-2")
    table.prefer(("u-1", "main"), Preferences(tone="warm"), NOW)
    assert ("", "warm") == (table.preferences("u-1").tone, table.preferences("u-1", "main").tone)
    assert [2, 0] == [table.forget_preferences("u-1") for _ in range(2)]
    assert Preferences() == table.preferences("u-1")


def test_a_whole_conversation_is_put_back(table: ConversationTable) -> None:
    """As it was, with what was cleared; not over one that is there."""
    kept, said = conversation(), [message("one", 1, cleared=True), message("two", 2)]
    assert table.restore(kept, said, [summary(2)])
    assert (kept, said, summary(2)) == (
        table.find("s-1"),
        table.history(kept, with_cleared=True),
        table.summary(kept),
    )
    assert not table.restore(conversation(), [message("other", 1)])
    assert said == table.history(kept, with_cleared=True)
