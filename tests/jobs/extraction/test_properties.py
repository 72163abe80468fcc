"""What holds of any conversation at all."""

# ruff: noqa: RUF001 - full-width marks are what Chinese is written with

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from jobs.extraction import extract
from schemas.extraction import Conversation
from schemas.transcript import MASK, Message, Origin, Role

START = datetime(2026, 3, 2, 9, tzinfo=UTC)
SCRAPS = (
    "from now on never",
    "remember that",
    "we decided to use",
    "yes, do that",
    "2",
    "b.",
    "no wait",
    "1. one\n2. two\n3. three",
    "I'd suggest 30?",
    "od teraz zawsze",
    "zapamiętaj",
    "tak",
    "albo nie",
    "以后一律不许",
    "記住",
    "好，就这样",
    "算了",
    "scrap the 30",
    "cofam te 30",
    "30 天作废",
    "Noted.",
    "```",
    "> ",
    "from the mail:\n",
    "because",
    "if",
    ",",
    "，",
    ".",
    "。",
    "\n",
    " ",
    MASK,
    MASK * 8,
    "“",
    "”",
)
texts = st.one_of(st.text(max_size=60), st.lists(st.sampled_from(SCRAPS), max_size=8).map(" ".join))


@st.composite
def conversations(draw: st.DrawFn) -> Conversation:
    """Any conversation, often made of words that matter to the extractor."""
    turns = draw(st.lists(st.tuples(st.booleans(), texts), max_size=10))
    messages = tuple(
        Message(
            number=3 * place + 1,
            entry_ids=(f"m{place}",),
            role=Role.USER if owner else Role.ASSISTANT,
            origin=Origin.OWNER if owner else Origin.ASSISTANT,
            time=START + timedelta(minutes=place),
            text=text,
        )
        for place, (owner, text) in enumerate(turns)
    )
    return Conversation(session_id="s1", first_new=draw(st.integers(0, 30)), messages=messages)


@given(conversations())
def test_every_quote_can_be_checked(conversation: Conversation) -> None:
    """Nothing raises; a quote stands in one new message of the owner and holds no masked secret."""
    owners = {one.number: one.text for one in conversation.messages if one.origin is Origin.OWNER}
    for candidate in extract(conversation).candidates:
        assert candidate.quote in owners[candidate.quote_number]
        assert candidate.quote_number >= conversation.first_new
        assert MASK not in candidate.quote + candidate.title + candidate.conclusion + candidate.why


@given(conversations())
def test_the_same_conversation_gives_the_same_answer(conversation: Conversation) -> None:
    """The extractor is a function of what it is given."""
    assert extract(conversation) == extract(conversation.model_copy(deep=True))


@given(conversations())
def test_one_message_gives_one_candidate_at_most(conversation: Conversation) -> None:
    """Candidates come in the order of their messages, never two from one."""
    numbers = [candidate.quote_number for candidate in extract(conversation).candidates]
    assert numbers == sorted(set(numbers))


@given(conversations())
def test_supports_are_messages_that_were_given(conversation: Conversation) -> None:
    """What a candidate rests on stands in the conversation."""
    known = {message.number for message in conversation.messages}
    for candidate in extract(conversation).candidates:
        assert known >= set(candidate.support_numbers)
