"""The entries that agents proposed, with the sessions in which they may have done so."""

from collections.abc import Iterator
from datetime import timedelta

from pipeline.engine.context import Engine
from pipeline.engine.forgotten_topics import without_forgotten
from pipeline.job import WaitingProposal
from schemas.entry_proposal import EntryProposal
from schemas.transcript import Session
from schemas.window import Window

BUSY = timedelta(minutes=30)
"""How long before an agent proposes something the last record of its session may be: a command may take its time."""

_INSTANT = timedelta(microseconds=1)


def waiting_proposals(engine: Engine, window: Window) -> Iterator[WaitingProposal]:
    """The proposals that were made before the end of a window, and have not been judged."""
    for proposal in engine.ledger.entry_proposals.waiting(window.end):
        yield WaitingProposal(proposal, _going_on(engine, proposal, window))


def _going_on(engine: Engine, proposal: EntryProposal, window: Window) -> tuple[Session, ...]:
    """The sessions with records shortly before a proposal, up to the window's end; never those of another agent.

    Where some are of the agent that asked, only they count.
    """
    around = Window(start=proposal.at - BUSY, end=proposal.at + _INSTANT)
    until_now = Window(start=around.start, end=max(around.end, window.end))
    known = without_forgotten(engine.workspace, engine.catalog.sessions(until_now))
    sessions = [one for one in known if any(message.time in around for message in one.messages)]
    owners = {one.session_id: engine.settings.agents.of_session(one.source, one.agent) for one in sessions}
    meant = proposal.asked_by if proposal.asked_by in owners.values() else ""
    return tuple(one for one in sessions if owners[one.session_id] == meant)
