"""The inputs of a weekly plan: entries from before its end, their standing, earlier plans, and lines of wrap-ups."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from functools import cached_property

from jobs.consolidation.plan_page import bare_name, is_nameable, read_plans
from jobs.consolidation.verdicts import Ruling, Verdict, hot_verdicts, last_verdicts
from jobs.resolution.relinking import drop_unsound_links
from jobs.wrapup.recorded import AGENT
from pipeline.entries.reference import ITEM_DIGITS, MORE_DIGITS, ids_by_reference, item_name, reference
from pipeline.entries.standing import Fold, LinkBars, fold
from pipeline.facts.sections import day_of
from pipeline.job import Document, Noted, Run
from schemas.entry import Entry, Status, Trust
from schemas.hot_page import PATH


def soundly_linked(noted: Sequence[Noted]) -> list[Noted]:
    """The versions without the links that today's judgement would not make: nothing is overridden because of them."""
    entries = drop_unsound_links([version.entry for version in noted])
    return [
        version if version.entry is entry else replace(version, entry=entry)
        for version, entry in zip(noted, entries, strict=True)
    ]


UNJUDGED = 0.0
"""The score of an entry that could not be judged because it did not verify."""

ARCHIVED = "a person archived it"
TAKEN_OUT = f"a person took it out of {PATH}"
IN_REVIEW = "it waits for a person's decision: `memory suggestions`"
GOAL = "it is a goal, and no fact"
ENDED = "its last day is over"
"""Reasons for entries that stay off the page until a person changes something; then they are judged again."""

_WRAPUP = re.compile(r"second-brain/summaries/[0-9]{4}-[0-9]{2}-[0-9]{2}-wrapup(?:-[0-9]+)?\.md")
_BULLET = re.compile(r"- (.*\S)")
_MARK = re.compile(r"<!--.*?-->")


@dataclass(frozen=True)
class WrapUpLine:
    """A line of the wrap-up of a day."""

    day: date
    text: str


@dataclass(frozen=True)
class Material:
    """The inputs of a plan. `noted` are the entries in the version that counts, in the order of their messages.

    `last` are the latest verdicts of earlier plans, `hot` those on entries that belong on the page, in its order.
    `removed` are names of items that a person took off the page, and `page` is the person's part of it. `bars` are the
    pairs that a person took apart.
    """

    week: str
    end: datetime
    noted: Mapping[str, Noted]
    fold: Fold
    last: Mapping[str, Verdict]
    hot: Mapping[str, Verdict]
    removed: frozenset[str]
    bullets: tuple[WrapUpLine, ...]
    page: str
    bars: LinkBars

    @cached_property
    def fresh(self) -> tuple[str, ...]:
        """The ids of entries to judge for the first time, or anew, for their obstacle is gone."""
        return tuple(entry_id for entry_id in self.noted if entry_id not in self.last or self._open_again(entry_id))

    @cached_property
    def entries(self) -> dict[str, Entry]:
        """The entries, each as far as it is trusted, by id."""
        return {entry_id: noted.entry for entry_id, noted in self.noted.items()}

    @cached_property
    def doubtful_ids(self) -> frozenset[str]:
        """The ids of entries of which the quote counts, but not the kind: changed ones beside unchanged ones.

        Where all entries count as changed, because the ledger was lost, none is doubtful.
        """
        written = {entry_id for entry_id, version in self.noted.items() if version.as_written}
        # Those known to be worth the page are not among them; the worth of a merged entry by itself is not known.
        promoted = {entry_id for entry_id, verdict in self.last.items() if verdict.ruling is Ruling.PROMOTED}
        return frozenset(self.noted) - written - promoted if written else frozenset()

    @property
    def last_day(self) -> date:
        """The last day of the week."""
        return date.fromisoformat(self.week) + timedelta(days=6)

    def words(self, entry_id: str) -> str:
        """The words of an entry that hold its meaning."""
        entry = self.entries[entry_id]
        return f"{entry.title}\n{entry.quote}\n{entry.conclusion}"

    def reference(self, entry_id: str) -> str:
        """The name of an entry on a page: without words of an id that is not verified."""
        noted = self.noted.get(entry_id)
        return reference(noted.entry) if noted else bare_name(entry_id)

    def is_verified(self, entry_id: str) -> bool:
        """Whether the entry exists and its words are the owner's."""
        return entry_id in self.noted and self.noted[entry_id].entry.trust is not Trust.UNVERIFIED

    def is_active(self, entry_id: str) -> bool:
        """Whether the entry verifies and is active, by the links between entries."""
        return self.is_verified(entry_id) and self.fold.states[entry_id].status is Status.ACTIVE

    def is_in_review(self, entry_id: str) -> bool:
        """Whether the entry waits for a person, because today's reading would not write it."""
        return entry_id in self.fold.states and self.fold.states[entry_id].status is Status.IN_REVIEW

    def obstacle_of(self, entry_id: str) -> str:
        """The reason for which an entry cannot stand on the page, whatever its score; empty when it can."""
        if entry_id not in self.noted:
            return "it is gone from the daily files"
        if not self.is_verified(entry_id):
            return "it does not verify"
        until = self.entries[entry_id].until
        reasons = {
            IN_REVIEW: self.is_in_review(entry_id),
            ENDED: until is not None and until <= self.last_day,
            ARCHIVED: not self.is_active(entry_id),
            GOAL: self.entries[entry_id].goal,
            TAKEN_OUT: self.is_taken_out(entry_id),
        }
        return next((reason for reason, holds in reasons.items() if holds), "")

    def as_written(self, entry_id: str) -> bool:
        """Whether the entry is unchanged, word for word."""
        return self.noted[entry_id].as_written

    def is_taken_out(self, entry_id: str) -> bool:
        """Whether a person took the entry off the page, in its words or in those that it corrects."""
        names = (item_name(one, digits) for one in self.fold.chain(entry_id) for digits in (ITEM_DIGITS, MORE_DIGITS))
        return not self.removed.isdisjoint(names)

    def _open_again(self, entry_id: str) -> bool:
        last = self.last[entry_id]
        if last.ruling in {Ruling.KEPT, Ruling.DEMOTED}:
            if last.reason in {ARCHIVED, TAKEN_OUT, IN_REVIEW, GOAL, ENDED}:
                return not self.obstacle_of(entry_id)
            return last.score == UNJUDGED and self.is_verified(entry_id)
        lost = last.ruling in {Ruling.MERGED, Ruling.OVERRIDDEN}
        return lost and not self.stands_for(last.into, entry_id) and self.is_active(entry_id)

    def stands_for(self, other: str, entry_id: str) -> bool:
        """Whether an earlier plan's verdict that another entry stands for this one still counts."""
        if not self.is_verified(other) or self.is_in_review(other):
            return False
        return entry_id not in self.entries or not self.bars.hold(self.entries[entry_id], self.entries[other])


def gather(run: Run) -> Material:
    """The material of the run's week, without entries from after the week."""
    week = f"{run.day:%G-W%V}"
    before = (version for version in run.inputs.entries if version.entry.date < run.window.end)
    seen = [version for version in before if is_nameable(version.entry.id)]
    noted = soundly_linked(seen)
    folded = fold((version.entry for version in noted), date.fromisoformat(week) + timedelta(weeks=1))
    names = names_in_force((version.entry.id for version in run.inputs.entries), folded)
    plans = [plan for plan in read_plans(run.inputs.documents, names) if plan.week < week]
    return Material(
        week=week,
        end=run.window.end,
        noted=select_counting(noted, folded),
        fold=folded,
        last=last_verdicts(plans),
        hot=hot_verdicts(plans),
        removed=frozenset(
            name.removeprefix(f"{PATH}#") for name in run.refusals.removed if name.startswith(f"{PATH}#")
        ),
        bullets=tuple(_bullets(run.inputs.documents, date.fromisoformat(week) + timedelta(weeks=1))),
        page="".join(document.text for document in run.inputs.by_people if document.path == PATH),
        bars=LinkBars(run.refusals.unlinked),
    )


def _bullets(documents: Iterable[Document], before: date) -> Iterator[WrapUpLine]:
    """The lines of the wrap-ups of all days before `before`, but for those that rest on an agent's records alone."""
    for document in documents:
        day = day_of(document.path) if _WRAPUP.fullmatch(document.path) else None
        if day is not None and day < before:
            lines = filter(None, map(_BULLET.match, _MARK.sub("", document.text).split("\n")))
            yield from (WrapUpLine(day, line.group(1)) for line in lines if not line.group(1).startswith(AGENT))


def select_counting(noted: Iterable[Noted], folded: Fold) -> dict[str, Noted]:
    """The version of each id that counts, by the order of the messages; of equal ones the first by its path.

    Words that a person corrected are not among them.
    """
    counted: dict[str, Noted] = {}
    for version in sorted(noted, key=lambda version: version.path):
        if folded.counts(version.entry):
            counted.setdefault(version.entry.id, version)
    return {entry_id: counted[entry_id] for entry_id in folded.states if entry_id not in folded.corrected}


def names_in_force(entry_ids: Iterable[str], folded: Fold) -> dict[str, str]:
    """The ids of entries by all their names: a corrected entry is called by the id of its correction."""
    return {name: folded.in_force(entry_id) for name, entry_id in ids_by_reference(entry_ids).items()}
