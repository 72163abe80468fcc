"""Several points with one content become one line, which keeps the sources of all of them.

A line replaces its points whole or not at all, and only if no fact is lost: it has every number of theirs and no other,
it denies what they deny, and it has the subject of each of them. All other points stay as they are.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache, partial
from importlib.resources import files

from jobs.resolution.change_words import denies, digits
from jobs.resolution.similarity import features
from jobs.wrapup.points import Bullet, in_order, joined
from jobs.wrapup.validation import rejection, unfit
from pipeline.drafts import Skip
from pipeline.entries.values.check import Said, ValuesSaid
from pipeline.job import Run, Task
from pipeline.language.folding import flat
from pipeline.language.tokens import count_tokens
from pipeline.markdown.entries import one_line
from schemas.outcome import Rejection
from schemas.summary import Gathered, Gathering, Merged, MergedPoint

MOST = 30_000
"""Tokens of points in the question; those beyond stay as they are."""

_ALIKE = 0.25  # of what a point is about has to be in the line that takes its place
_SHORT = 3  # things a point is about, from which on it may be taken for part of a longer one
_SHARE = 0.6  # of the longer one's subject; below, it has much more content


class LineRejection(StrEnum):
    """Why a line of the merge is rejected."""

    UNKNOWN_REF = "unknown_ref"
    REPEATED_REF = "repeated_ref"
    CHANGED_NUMBERS = "changed_numbers"
    UNSAID_VALUE = "unsaid_value"
    UNLIKE_ITS_POINTS = "unlike_its_points"
    OTHER_PART = "other_part"
    OPPOSITE = "opposite"


def merged(run: Run, bullets: Sequence[Bullet]) -> tuple[list[Bullet], list[Rejection | Skip]]:
    """The day's bullets without repetition, in the order of the page, and what was not done.

    Code merges what no model may see, and points of which different models see each a part.
    """
    known = {f"p{number}": bullet for number, bullet in enumerate(bullets, start=1)}
    gathered = {
        ref: Gathered(ref=ref, session_id=bullet.places[0].session_id, part=bullet.part, text=bullet.text)
        for ref, bullet in known.items()
    }
    sources = {ref: _sources(run, bullet) for ref, bullet in known.items()}
    parts = [[gathered[ref] for ref in refs] for _, refs in run.by_reader(sources)]
    asked = [_within(part) for part in parts]
    tasks = [_task(points, frozenset().union(*(sources[one.ref] for one in points))) for points in asked]
    lines, rejected = list[tuple[tuple[str, ...], Bullet]](), list[Rejection | Skip]()
    for points, answer in zip(asked, run.ask(tasks) if tasks else (), strict=True):
        held, others = _believed(answer, {one.ref: known[one.ref] for one in points})
        lines, rejected = [*lines, *held], [*rejected, *others]
    by_code, others = _believed(_across(gathered, parts, lines), known)
    lines, rejected = [*lines, *by_code], [*rejected, *others]
    taken = {ref for refs, _ in lines for ref in refs}
    left = [bullet for ref, bullet in known.items() if ref not in taken]
    skips = [Skip("not_merged")] * (sum(map(len, parts)) - sum(map(len, asked)))
    return in_order([*left, *(line for _, line in lines)]), [*rejected, *skips]


def _sources(run: Run, bullet: Bullet) -> frozenset[str]:
    return frozenset().union(*(run.sources_of(place.session_id) for place in bullet.places))


def _task(points: Sequence[Gathered], sources: frozenset[str]) -> Task[Merged]:
    gathering, offline = Gathering(points=tuple(points)), partial(_alike, points)
    return Task("daily_wrapup_merge", _prompt(), gathering, Merged, offline, sources, background=True)


def _across(
    gathered: Mapping[str, Gathered], parts: Sequence[Sequence[Gathered]], lines: Sequence[tuple[Sequence[str], Bullet]]
) -> Merged:
    """What code merges of the points that are left, where no model has seen all of these together."""
    taken = {ref for refs, _ in lines for ref in refs}
    alike = _alike([point for ref, point in gathered.items() if ref not in taken])
    seen = [{point.ref for point in part} for part in parts]
    return Merged(points=tuple(line for line in alike.points if not any(part >= set(line.refs) for part in seen)))


def _within(gathered: Sequence[Gathered]) -> list[Gathered]:
    kept: list[Gathered] = []
    size = 0
    for point in gathered:
        size += count_tokens(point.model_dump_json())
        if size > MOST:
            break
        kept.append(point)
    return kept


def _believed(
    answer: Merged, known: Mapping[str, Bullet]
) -> tuple[list[tuple[tuple[str, ...], Bullet]], list[Rejection]]:
    """The lines that hold, each with the points it takes the place of, and why the others do not."""
    lines: list[tuple[tuple[str, ...], Bullet]] = []
    rejected: list[Rejection] = []
    taken: set[str] = set()
    for point in answer.points:
        refs = tuple(ref for ref in known if ref in point.refs)
        reason = _objection(point, known, taken)
        if reason is None:
            lines.append((refs, _line(point, [known[ref] for ref in refs])))
            taken.update(refs)
        else:
            place = known[refs[0]].places[0] if refs else None
            session_id, number = (place.session_id, place.numbers[0]) if place else ("", 0)
            rejected.append(rejection(reason, point.text, session_id, number))
    return lines, rejected


def _objection(point: MergedPoint, known: Mapping[str, Bullet], taken: set[str]) -> StrEnum | None:
    if not known.keys() >= set(point.refs):
        return LineRejection.UNKNOWN_REF
    if taken & set(point.refs):
        return LineRejection.REPEATED_REF
    return _unfaithful(point, [known[ref] for ref in point.refs]) or unfit(point.text)


def _unfaithful(point: MergedPoint, merged: Sequence[Bullet]) -> LineRejection | None:
    """How the line differs from its points; `None` when it is faithful."""
    texts = [bullet.text for bullet in merged]
    if point.part not in {bullet.part for bullet in merged}:
        return LineRejection.OTHER_PART
    if any(denies(text) != denies(point.text) for text in texts):
        return LineRejection.OPPOSITE
    if digits(point.text) != frozenset().union(*map(digits, texts)):
        return LineRejection.CHANGED_NUMBERS
    if ValuesSaid(Said(bullet.text, bullet.time.date()) for bullet in merged).unsaid([point.text]):
        return LineRejection.UNSAID_VALUE
    about = features(point.text)
    if any(len(features(text) & about) < _ALIKE * len(features(text)) for text in texts):
        return LineRejection.UNLIKE_ITS_POINTS
    return None


def _line(point: MergedPoint, merged: Sequence[Bullet]) -> Bullet:
    """The line in place of these; it bears the name of the first."""
    first = min(merged, key=lambda bullet: bullet.time)
    others = [bullet for bullet in merged if bullet is not first]
    places = joined([place for bullet in (first, *others) for place in bullet.places])
    return replace(first, part=point.part, text=one_line(point.text), places=places)


@dataclass(frozen=True)
class _ComparedPoint:
    """A point as it is compared with others."""

    point: Gathered
    folded: str
    about: frozenset[str]
    digits: frozenset[str]
    denies: bool

    def holds(self, shorter: "_ComparedPoint") -> bool:
        """Whether the content of `shorter` is in it, with little else."""
        if self.point.part is not shorter.point.part or self.denies != shorter.denies:
            return False
        if self.folded == shorter.folded:
            return True
        contained = shorter.about <= self.about and shorter.digits <= self.digits
        return contained and len(shorter.about) >= max(_SHORT, _SHARE * len(self.about))


def _reading(point: Gathered) -> _ComparedPoint:
    return _ComparedPoint(point, flat(point.text), features(point.text), digits(point.text), denies(point.text))


def _alike(gathered: Sequence[Gathered]) -> Merged:
    """Without a model: of points of one part that hold one another, the longest stands for all."""
    groups: list[list[_ComparedPoint]] = []
    for reading in map(_reading, gathered):
        group = next((group for group in groups if group[0].holds(reading) or reading.holds(group[0])), None)
        if group is None:
            groups.append([reading])
        else:
            group.insert(0 if not group[0].holds(reading) else len(group), reading)
    return Merged(points=tuple(_line_of(group) for group in groups if len(group) > 1))


def _line_of(group: Sequence[_ComparedPoint]) -> MergedPoint:
    longest = group[0].point
    return MergedPoint(refs=tuple(compared.point.ref for compared in group), part=longest.part, text=longest.text)


@cache
def _prompt() -> str:
    return files("jobs").joinpath("daily_wrapup_merge.md").read_text(encoding="utf-8")
