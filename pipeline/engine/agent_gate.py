"""The gate in the write path: each change of an agent's memory is written, waits for a person, or is refused."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from pipeline.agents.gate import Case, GateVerdict, decide
from pipeline.agents.journal import render_change
from pipeline.drafts import BlockDraft, ChangeDraft, Draft
from pipeline.engine.context import Engine
from pipeline.job import Job
from pipeline.ledger.suggestions import KeptSuggestion
from schemas.agent_settings import AgentSettings
from schemas.outcome import Rejection
from schemas.suggestion import ProposedChange


@dataclass(frozen=True)
class Gated:
    """What became of the changes of a run."""

    written: list[BlockDraft] = field(default_factory=list)
    staged: list[KeptSuggestion] = field(default_factory=list)
    refused: list[Rejection] = field(default_factory=list)


def pass_gate(engine: Engine, job: Job, agent: str, run_id: str, drafts: Sequence[Draft]) -> Gated:
    """Decide about the changes among the drafts of a run that is about `agent`. What waits stands in no file."""
    gated, named = Gated(), engine.settings.agents.named
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
