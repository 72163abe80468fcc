"""The gate in the write path: each change of an agent's memory is written, waits for a person, or is refused."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import timedelta

from pipeline.agents.gate import Case, GateVerdict, decide
from pipeline.agents.journal import render_change
from pipeline.drafts import BlockDraft, ChangeDraft, Draft
from pipeline.engine.context import Engine
from pipeline.engine.forgotten_topics import without_forgotten
from pipeline.job import Job, WaitingProposal
from pipeline.ledger.suggestions import KeptSuggestion
from schemas.agent_settings import AgentSettings
from schemas.memory_change import EntryProposal
from schemas.outcome import Rejection
from schemas.suggestion import ProposedChange
from schemas.transcript import Session
from schemas.window import Window

BUSY = timedelta(minutes=30)
"""The time by which the last record of a session may precede the agent's proposal: a command may take its time."""

REACH = timedelta(days=1)
"""The time by which the owner's words may precede a proposal: the window that they stand in may run long after."""

_INSTANT = timedelta(microseconds=1)


def waiting_proposals(engine: Engine, window: Window) -> Iterator[WaitingProposal]:
    """The proposals that may be about words of a window or of an earlier one, and have not been judged."""
    for proposal in engine.ledger.entry_proposals.waiting(window.end + REACH):
        yield WaitingProposal(proposal, _sessions_going_on(engine, proposal))


def _sessions_going_on(engine: Engine, proposal: EntryProposal) -> tuple[Session, ...]:
    """The sessions with records shortly before a proposal, whole; never those of another agent.

    Where some are of the agent that asked, only they count.
    """
    around = Window(start=proposal.at - BUSY, end=proposal.at + _INSTANT)
    names = sorted({record.session for record in engine.catalog.files(around) if record.session})
    known = filter(None, map(engine.catalog.session, names))
    busy = [session for session in known if any(message.time in around for message in session.messages)]
    sessions = without_forgotten(engine.workspace, busy)
    owners = {
        session.session_id: engine.settings.agents.of_session(session.source, session.agent) for session in sessions
    }
    meant = proposal.asked_by if proposal.asked_by in owners.values() else ""
    return tuple(session for session in sessions if owners[session.session_id] == meant)


@dataclass(frozen=True)
class Gated:
    """The changes of a run by the decision of the gate."""

    written: list[BlockDraft] = field(default_factory=list)
    staged: list[KeptSuggestion] = field(default_factory=list)
    refused: list[Rejection] = field(default_factory=list)


def pass_gate(engine: Engine, job: Job, agent: str, run_id: str, drafts: Sequence[Draft]) -> Gated:
    """Decide about the changes among the drafts of a run that is about `agent`. What waits stands in no file."""
    gated, named = Gated(), engine.settings.agents.by_name
    for draft in (draft for draft in drafts if isinstance(draft, ChangeDraft)):
        change = draft.change
        settings, rights = named.get(agent, AgentSettings(autonomy=0)), named.get(change.asked_by)
        decision = decide(
            Case(change, agent, settings, rights, by_person=draft.by_person, unconfirmed=draft.unconfirmed)
        )
        match decision.verdict:
            case GateVerdict.COMMIT:
                gated.written.append(BlockDraft(change.id, render_change(change), draft.identity))
            case GateVerdict.STAGE:
                about = ProposedChange(agent=agent, change=change)
                gated.staged.append(KeptSuggestion(job.name, about, draft.identity, decision.rule, run_id))
            case GateVerdict.REFUSE:
                where = change.session_id or change.asked_by
                rejection = Rejection(reason=decision.rule, session_id=where, number=change.number, detail=change.id)
                gated.refused.append(rejection)
    return gated
