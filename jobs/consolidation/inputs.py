"""What a week is planned from: entries said before its end, what holds, earlier plans, and the lines of wrap-ups."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import cached_property

from jobs.consolidation.plan_page import bare_name, is_nameable, read_plans
from jobs.consolidation.verdicts import Ruling, Verdict, hot, item_name, last_verdicts
from jobs.consolidation.versions import counting
from pipeline.entries.reference import ids_by_reference, reference
from pipeline.entries.standing import Fold, fold
from pipeline.job import Document, Noted, Run
from schemas.entry import Entry, Status, Trust
from schemas.hot_page import PATH

UNJUDGED = 0.0
"""The score of an entry that could not be judged because it did not verify."""

ARCHIVED = "a person archived it"
TAKEN_OUT = f"a person took it out of {PATH}"
"""Why an entry is not on the page that a person does not want there; when they allow it again, it is judged again."""

_WRAPUP = re.compile(r"second-brain/summaries/([0-9]{4}-[0-9]{2}-[0-9]{2})-wrapup(?:-[0-9]+)?\.md")
_BULLET = re.compile(r"- (.*\S)")
_MARK = re.compile(r"<!--.*?-->")


@dataclass(frozen=True)
class WrapUpLine:
    """A line of the wrap-up of a day."""

    day: date
    text: str


@dataclass(frozen=True)
class Material:
    """All that a plan rests on. `noted` are the entries in the version that counts, in the order of their messages.

    `last` is the last word of earlier plans on every entry, `hot` those of them that belong on the page, in its order.
    `removed` are names of items that a person took off the page, and `page` the lines there that are a person's.
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

    @cached_property
    def fresh(self) -> tuple[str, ...]:
        """The entries that are to be judged for the first time, or anew: what was in the way of them is gone."""
        return tuple(entry_id for entry_id in self.noted if entry_id not in self.last or self._open_again(entry_id))

    @cached_property
    def entries(self) -> dict[str, Entry]:
        """The entries as far as they are believed."""
        return {entry_id: noted.entry for entry_id, noted in self.noted.items()}

    @cached_property
    def doubted(self) -> frozenset[str]:
        """The entries of which only the quote counts, and not their kind."""
        return doubtful(self.noted.values(), _last_promoted(self.last))

    @property
    def last_day(self) -> date:
        """The last day of the week."""
        return date.fromisoformat(self.week) + timedelta(days=6)

    def words(self, entry_id: str) -> str:
        """The words of an entry that say what holds."""
        entry = self.entries[entry_id]
        return f"{entry.title}\n{entry.quote}\n{entry.conclusion}"

    def reference(self, entry_id: str) -> str:
        """The name under which an entry is spoken of: without words that nobody vouches for."""
        noted = self.noted.get(entry_id)
        return reference(noted.entry) if noted else bare_name(entry_id)

    def verified(self, entry_id: str) -> bool:
        """Whether the entry is there and its words are the owner's."""
        return entry_id in self.noted and self.noted[entry_id].entry.trust is not Trust.UNVERIFIED

    def active(self, entry_id: str) -> bool:
        """Whether the entry verifies and holds, by what the entries say of each other."""
        return self.verified(entry_id) and self.fold.states[entry_id].status is Status.ACTIVE

    def as_written(self, entry_id: str) -> bool:
        """Whether the entry is word for word what was written."""
        return self.noted[entry_id].as_written

    def taken_out(self, entry_id: str) -> bool:
        """Whether a person took the entry off the page."""
        return item_name(entry_id) in self.removed

    def _open_again(self, entry_id: str) -> bool:
        last = self.last[entry_id]
        if last.ruling in {Ruling.KEPT, Ruling.DEMOTED}:
            if last.reason in {ARCHIVED, TAKEN_OUT}:
                return self.active(entry_id) and not self.taken_out(entry_id)
            return last.score == UNJUDGED and self.verified(entry_id)
        lost = last.ruling in {Ruling.MERGED, Ruling.OVERRIDDEN}
        return lost and not self.verified(last.into) and self.active(entry_id)


def gather(run: Run) -> Material:
    """The material of the run's week; nothing in it was said after the week."""
    week = f"{run.day:%G-W%V}"
    names = ids_by_reference(version.entry.id for version in run.noted)
    plans = [plan for plan in read_plans(run.documents, names) if plan.week < week]
    noted = [version for version in run.noted if version.entry.date < run.window.end and is_nameable(version.entry.id)]
    folded = fold(version.entry for version in noted)
    return Material(
        week=week,
        end=run.window.end,
        noted=counting(noted, folded),
        fold=folded,
        last=last_verdicts(plans),
        hot=hot(plans),
        removed=frozenset(name.removeprefix(f"{PATH}#") for name in run.removed if name.startswith(f"{PATH}#")),
        bullets=tuple(_bullets(run.documents, date.fromisoformat(week) + timedelta(weeks=1))),
        page="".join(document.text for document in run.by_people if document.path == PATH),
    )


def doubtful(noted: Iterable[Noted], known: Collection[str] = frozenset()) -> frozenset[str]:
    """The entries that are not as they were written, beside others that are, unless they are `known` to be worth it.

    Where nothing is as it was written, because the ledger was lost, all are alike and none is doubtful.
    """
    given = list(noted)
    written = {version.entry.id for version in given if version.as_written}
    return frozenset(version.entry.id for version in given if written) - written - frozenset(known)


def _last_promoted(last: Mapping[str, Verdict]) -> frozenset[str]:
    """What the last plan that judged it put on the page; of what was merged nobody knows what it is worth by itself."""
    return frozenset(entry_id for entry_id, verdict in last.items() if verdict.ruling is Ruling.PROMOTED)


def _bullets(documents: Iterable[Document], before: date) -> Iterator[WrapUpLine]:
    """The lines of the wrap-ups of all days up to `before`, that day not included."""
    for document in documents:
        match = _WRAPUP.fullmatch(document.path)
        day = _day(match.group(1)) if match else None
        if day is not None and day < before:
            lines = filter(None, map(_BULLET.match, _MARK.sub("", document.text).split("\n")))
            yield from (WrapUpLine(day, line.group(1)) for line in lines)


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None
