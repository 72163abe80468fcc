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

REACH = timedelta(days=1)
"""How long before a proposal the owner may have said the words: the window that they stand in may run long after."""

_INSTANT = timedelta(microseconds=1)


def waiting_proposals(engine: Engine, window: Window) -> Iterator[WaitingProposal]:
    """The proposals that may be about words of a window or of an earlier one, and have not been judged."""
    for proposal in engine.ledger.entry_proposals.waiting(window.end + REACH):
        yield WaitingProposal(proposal, _going_on(engine, proposal))


def _going_on(engine: Engine, proposal: EntryProposal) -> tuple[Session, ...]:
    """The sessions with records shortly before a proposal, whole; never those of another agent.

    Where some are of the agent that asked, only they count.
    """
    around = Window(start=proposal.at - BUSY, end=proposal.at + _INSTANT)
    names = sorted({record.session for record in engine.catalog.files(around) if record.session})
    known = (one for name in names if (one := engine.catalog.session(name)))
    busy = [one for one in known if any(message.time in around for message in one.messages)]
    sessions = without_forgotten(engine.workspace, busy)
    owners = {one.session_id: engine.settings.agents.of_session(one.source, one.agent) for one in sessions}
    meant = proposal.asked_by if proposal.asked_by in owners.values() else ""
    return tuple(one for one in sessions if owners[one.session_id] == meant)
