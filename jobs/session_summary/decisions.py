"""The decisions of a summary, by id and words."""

from collections.abc import Sequence
from datetime import datetime

from jobs.session_summary.archived import ArchivedSession
from pipeline.agents.journal import parse_change, session_word
from pipeline.agents.standing import stand
from pipeline.drafts import ItemDraft
from pipeline.job import Run
from schemas.memory_change import ChangeWord, MemoryChange, Operation

MOST = 10
NAME = "decision-"
"""What the name of a decision's item begins with."""
_AGREED = (Operation.DECISION, Operation.PREFERENCE)
"""What counts as decided: also how the agent is to work from then on."""
_TAKEN_BACK = {Operation.DELETE, Operation.WITHDRAW}


def decided(run: Run, sessions: Sequence[ArchivedSession]) -> list[ItemDraft]:
    """The decisions that the owner made in these sessions and did not take back, the most important first."""
    changes = list(filter(None, (parse_change(item.name, item.text) for item in run.items)))
    gone = {replaced.line.id for replaced in stand(changes).replaced if replaced.by.operation in _TAKEN_BACK}
    mine = [one for one in changes if _is_sound(one) and one.id not in gone and any(_is_of(one, s) for s in sessions)]
    return [
        ItemDraft(f"{NAME}{one.id}", f"- {one.text} ({one.id}, {one.at.date().isoformat()})")
        for one in sorted(mine, key=lambda one: (-one.importance, _AGREED.index(one.operation), one.at))
    ]


def listed(items: Sequence[ItemDraft], heading: str, more: str) -> list[ItemDraft]:
    """At most ten of them under a heading, and how many more there are; nothing without one."""
    rest = [ItemDraft("more", f"- {more.format(len(items) - MOST)}")] if len(items) > MOST else []
    return [ItemDraft("decisions", f"## {heading}"), *items[:MOST], *rest] if items else []


def _is_sound(change: MemoryChange) -> bool:
    return change.operation in _AGREED and change.word is not ChangeWord.NOT_CONFIRMED


def _is_of(change: MemoryChange, archived: ArchivedSession) -> bool:
    """Whether it was said in the session; the journal has minutes."""
    if change.session_id != session_word(archived.session.session_id):
        return False
    return _minute(archived.window.start) <= change.at <= archived.window.end


def _minute(moment: datetime) -> datetime:
    return moment.replace(second=0, microsecond=0)
