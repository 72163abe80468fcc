"""Proposals of agents for entries: kept through the gate until the session is read, and not too many."""

from datetime import datetime, timedelta

from pydantic import ValidationError

from pipeline.agents.gate import Case, GateVerdict, decide
from pipeline.app.redaction import open_redactor
from pipeline.engine.context import Engine
from schemas.agent_settings import AgentSettings
from schemas.memory_change import (
    LONGEST,
    LONGEST_QUOTE,
    ChangeWord,
    EntryProposal,
    MemoryChange,
    Operation,
    ProposedWords,
)

PER_CONVERSATION, PER_DAY = 20, 50
"""The most proposals of one conversation, and of all, in a day: an agent that goes astray must not fill the memory."""

_DAY = timedelta(days=1)
_HALF = "For an entry give both: its kind, and the owner's words as quote."
_WAITS = "As an entry ({kind}) it waits until this session is read: it is written if the owner said the quote."
_BY_PERSON = "As an entry ({kind}) it waits until this session is read, and then for a person."
_TOO_MANY = "It is not proposed as an entry: {most} were in {time} already. The session itself is read anyway."


def propose_entry(engine: Engine, agent: str, text: str, words: ProposedWords, at: datetime | None) -> str:
    """Keep the proposal of an agent for an entry; what became of it, in a sentence, empty where it proposes none.

    It writes nothing but the ledger: the run that reads the session judges it. It was asked for `at` a moment, or now.
    """
    if not words.kind or not words.quote.strip():
        return half_of(words)
    now, settings = at or engine.clock.now(), engine.settings.agents.by_name.get(agent, AgentSettings(autonomy=0))
    about = {"id": "", "operation": Operation.DECISION, "text": "", "at": now, "word": ChangeWord.NOT_CONFIRMED}
    change = MemoryChange.model_validate({**about, "asked_by": agent, "over": words.over})
    decision = decide(Case(change, agent, settings, settings))
    if decision.verdict is GateVerdict.REFUSE:
        return ""  # the answer to the change of the agent's memory says so
    redact = open_redactor(engine.settings).redact
    try:
        proposal = EntryProposal.model_validate(
            {
                "id": f"proposed-{engine.new_run_id(now)}",
                "kind": words.kind,
                "quote": redact(words.quote.strip()),
                "text": " ".join(redact(text).split()),
                "at": now,
                "asked_by": agent,
                "over": words.over,
                "conversation": words.conversation,
                "waits": decision.rule if decision.verdict is GateVerdict.STAGE else "",
            }
        )
    except ValidationError:
        return f"It is too long for an entry: at most {LONGEST_QUOTE:,} characters of quote, and {LONGEST} of text."
    return _keep_proposal(engine, proposal)


def half_of(words: ProposedWords) -> str:
    """The sentence to an agent that has given half of a proposal; empty for any other."""
    return _HALF if bool(words.kind) != bool(words.quote.strip()) else ""


def _keep_proposal(engine: Engine, proposal: EntryProposal) -> str:
    table, since = engine.ledger.entry_proposals, proposal.at - _DAY
    with engine.ledger.store.transaction():
        same = [other for other in table.waiting(proposal.at + _DAY) if _words(other) == _words(proposal)]
        if not same and table.count(since, proposal.conversation) >= PER_CONVERSATION and proposal.conversation:
            return _TOO_MANY.format(most=PER_CONVERSATION, time="this conversation")
        if not same and table.count(since) >= PER_DAY:
            return _TOO_MANY.format(most=PER_DAY, time="a day")
        if not same:
            table.keep(proposal)
    return (_BY_PERSON if proposal.waits else _WAITS).format(kind=proposal.kind.value)


def _words(proposal: EntryProposal) -> tuple[str, ...]:
    return proposal.asked_by, proposal.kind.value, " ".join(proposal.quote.split())
