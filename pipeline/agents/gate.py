"""The gate: it alone decides about a change of an agent's memory, and names the rule that it follows."""

from dataclasses import dataclass
from enum import StrEnum

from schemas.agent_settings import AgentSettings
from schemas.memory_change import ChangeWord, MemoryChange

READ_ONLY, SUGGESTING, ALL = 0, 1, 3
"""The levels of autonomy; at 2 additions are written."""


class GateVerdict(StrEnum):
    """The outcome for a change: it is written, waits for a person, or is refused."""

    COMMIT = "commit"
    STAGE = "stage"
    REFUSE = "refuse"


@dataclass(frozen=True)
class GateDecision:
    """A verdict with the name of the rule that it follows."""

    verdict: GateVerdict
    rule: str


@dataclass(frozen=True)
class Case:
    """A change, as far as the gate looks at it.

    `target` is the agent whose memory it is, with its `settings`; `rights` are those of the agent that asks, `None`
    when no agent does. `by_person` says of the line that is replaced or removed whether a person wrote, accepted or
    pinned it. `unconfirmed` is what was asked for in a session that has ended without the owner's word for it.
    """

    change: MemoryChange
    target: str
    settings: AgentSettings
    rights: AgentSettings | None = None
    by_person: bool = False
    unconfirmed: bool = False


def decide(case: Case) -> GateDecision:
    """The decision about a change. A person's own is always written; a tool never decides."""
    change, level = case.change, case.settings.autonomy
    asker = change.asked_by if change.word is ChangeWord.NOT_CONFIRMED else ""
    if change.word.is_decision:
        return GateDecision(GateVerdict.COMMIT, "a_person")
    if change.operation.pins or level == READ_ONLY:
        return GateDecision(GateVerdict.REFUSE, "only_a_person" if change.operation.pins else "read_only")
    if asker and asker != case.target:
        return _decide_for_another(case)
    if why := _reason_to_stage(case):
        return GateDecision(GateVerdict.STAGE, why)
    if level == ALL or not change.operation.rewrites:
        return GateDecision(GateVerdict.COMMIT, "level")
    return _decide_rewrite(case)


def _reason_to_stage(case: Case) -> str:
    """The rule by which a change waits for a person, whatever it does; empty when it need not."""
    reasons = {
        "suggests_only": case.settings.autonomy == SUGGESTING,
        "a_command": case.change.over == "shell",
        "not_confirmed": case.unconfirmed,
    }
    return next((rule for rule, holds in reasons.items() if holds), "")


def _decide_rewrite(case: Case) -> GateDecision:
    """The decision about the replacement or the removal of a line at the level that only adds by itself."""
    if case.by_person:
        return GateDecision(GateVerdict.STAGE, "written_by_a_person")
    owner = case.change.word is ChangeWord.OWNER
    return GateDecision(GateVerdict.COMMIT, "owner_asked") if owner else GateDecision(GateVerdict.STAGE, "rewrites")


def _decide_for_another(case: Case) -> GateDecision:
    """The decision about the request of another agent."""
    if case.rights is None or not case.rights.writes(case.target):
        return GateDecision(GateVerdict.REFUSE, "no_right")
    if case.settings.autonomy == ALL:
        return GateDecision(GateVerdict.COMMIT, "level")
    return GateDecision(GateVerdict.STAGE, "another_agent")
