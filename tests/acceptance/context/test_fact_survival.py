"""What was said early is still in the context after 48 turns of other talk, without a model."""

from datetime import UTC, datetime

from pipeline.context.assembly import assemble
from pipeline.context.sections import ContextSections
from pipeline.context.summary import covered_messages, offline_summary
from pipeline.language.tokens import count_tokens
from schemas.conversation import ConversationMessage, ConversationSummary
from schemas.transcript import Role
from tests.support.builders.long_talks import LongTalk, long_talk
from tests.support.tables import table

NOW = datetime(2026, 3, 2, 9, tzinfo=UTC)
BUDGET = 4_000
TALKS = 10
CASES = [(language, seed) for language in ("en", "pl", "zh") for seed in range(TALKS)]


def messages_of(talk: LongTalk) -> list[ConversationMessage]:
    """The messages of a talk."""
    return [
        ConversationMessage(number=number, role=Role(role), text=text, tokens=count_tokens(text), created_at=NOW)
        for number, (role, text) in enumerate(talk.said, 1)
    ]


def summed_up(history: list[ConversationMessage]) -> ConversationSummary:
    """A summary by code, as the first of several times when one was due."""
    return offline_summary(covered_messages(history[:24]), NOW)


@table(("language", "seed"), CASES)
def test_all_eight_facts_are_in_the_context(language: str, seed: int) -> None:
    """With a summary of the whole talk, with one of its beginning alone, and before there is any."""
    talk = long_talk(language, seed)
    history = messages_of(talk)
    assert (8, 16 + 2 * 48) == (len(talk.facts), len(history))
    for summary in (None, summed_up(history), offline_summary(covered_messages(history), NOW)):
        context = assemble(ContextSections(history=history, summary=summary), "What was the order number?", BUDGET)
        text = "\n".join(one.content for one in context.messages)
        assert [] == [fact for fact in talk.facts if fact not in text]
        assert context.receipt.tokens <= BUDGET


@table(("language", "seed"), CASES)
def test_denials_stay_denials(language: str, seed: int) -> None:
    """Wherever the context names what was refused, the refusal stands in the same line."""
    talk = long_talk(language, seed)
    history = messages_of(talk)
    context = assemble(
        ContextSections(history=history, summary=offline_summary(covered_messages(history), NOW)), "?", BUDGET
    )
    lines = [line for one in context.messages for line in one.content.splitlines() if talk.denied in line]
    assert lines
    assert [] == [line for line in lines if talk.denial not in line]
