"""The way from a day's sessions to its page."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from functools import partial

from jobs.reading.asking import PieceQuestion, ask_pieces, read_prompt
from jobs.resolution.same_thing import denies, digits, features
from jobs.wrapup.kept_lines import keep_lines
from jobs.wrapup.page import DayLines, decisions, page
from jobs.wrapup.points import Bullet, CheckedPoint, bullets, in_order, join_places
from jobs.wrapup.recorded import recorded_lines
from pipeline.drafts import Draft, Skip
from pipeline.entries.values.check import Said, ValuesSaid, values_of
from pipeline.job import Run, Task
from pipeline.language.folding import flat
from pipeline.language.tokens import count_tokens
from pipeline.markdown.blocks import find_blocks
from pipeline.markdown.entries import one_line
from schemas.outcome import Rejection
from schemas.summary import Gathered, Gathering, Merged, MergedPoint, Part, Point
from schemas.transcript import MASK, Origin, Session
from schemas.window import Window

DETAIL = 80
"""Characters of a text that a rejection shows."""


class PointRejection(StrEnum):
    """The reason for which a point is rejected."""

    EMPTY = "empty"
    SECRET = "secret"  # noqa: S105 - the name of a reason, no secret
    OUTSIDE_SESSION = "outside_session"
    NOT_CONVERSATION = "not_conversation"
    OUTSIDE_WINDOW = "outside_window"
    OUTSIDE_PIECE = "outside_piece"
    UNSAID_VALUE = "unsaid_value"


def claims(piece: PieceQuestion, points: Iterable[Point], window: Window) -> list[CheckedPoint | Rejection | Skip]:
    """The results for the points read out of a piece, one by one; a repeated point adds its messages to the first."""
    said: dict[tuple[Part, str], CheckedPoint] = {}
    rest: list[Rejection | Skip] = []
    for point in points:
        result = _check_point(piece, point, window)
        if isinstance(result, Rejection):
            rest.append(result)
        elif (key := (result.part, result.text)) in said:
            said[key] = said[key].resting_also_on(result.messages)
            rest.append(Skip("repeated"))
        else:
            said[key] = result
    return [*said.values(), *rest]


def text_fault(text: str) -> PointRejection | None:
    """The reason for which a text cannot stand on a line; `None` when it can."""
    if not any(character.isalnum() for character in text):
        return PointRejection.EMPTY
    # One mask character alone is a typed bullet; no secret is a single character long.
    return PointRejection.SECRET if MASK * 2 in text else None


def rejection(reason: StrEnum, text: str, session_id: str, number: int) -> Rejection:
    """A rejection that shows the beginning of the text, unless it rests on a secret."""
    shown = "" if reason is PointRejection.SECRET else one_line(text)
    shown = shown if len(shown) <= DETAIL else shown[: DETAIL - 1] + "…"
    return Rejection(reason=reason.value, session_id=session_id, number=number, detail=shown)


def _check_point(piece: PieceQuestion, point: Point, window: Window) -> CheckedPoint | Rejection:
    """The point on those of its messages that it may rest on; with one at least, a number outside costs only itself.

    A value of it has to stand in its messages, or in what they answer.
    """
    numbers = sorted(set(point.numbers))
    faults = {number: _objection(piece, number, window) for number in numbers}
    sound = [number for number in numbers if faults[number] is None]
    reason = text_fault(point.text) or (None if sound else faults[numbers[0]])
    if sound and sound[-1] < piece.first:  # what rests on context alone was for the piece before to find
        reason = reason or PointRejection.OUTSIDE_PIECE
    if reason is not None:
        return rejection(reason, point.text, piece.session.session_id, numbers[0])
    messages = tuple(message for message in piece.session.messages if message.number in sound)
    text = one_line(point.text)
    if values_of(piece.session, messages).unsaid([text]) is not None:
        return rejection(PointRejection.UNSAID_VALUE, text, piece.session.session_id, messages[0].number)
    return CheckedPoint(piece.session, point.part, text, messages)


def _objection(piece: PieceQuestion, number: int, window: Window) -> PointRejection | None:
    """The fault in a message that a point names."""
    message = next((message for message in piece.session.messages if message.number == number), None)
    if message is None:
        return PointRejection.OUTSIDE_SESSION
    if not message.conversational:
        return PointRejection.NOT_CONVERSATION
    if message.time not in window:
        return PointRejection.OUTSIDE_WINDOW
    shown = any(message.number == number for message in piece.shown.messages)
    return None if shown else PointRejection.OUTSIDE_PIECE


MOST = 30_000
"""Tokens of points in the question; those beyond stay as they are."""

_ALIKE = 0.25  # of what a point is about has to be in the line that takes its place
_SHORT = 3  # things a point is about, from which on it may be taken for part of a longer one
_SHARE = 0.6  # of the longer one's subject; below, it has much more content


class LineRejection(StrEnum):
    """The reason for which a line of the merge is rejected."""

    UNKNOWN_REF = "unknown_ref"
    REPEATED_REF = "repeated_ref"
    CHANGED_NUMBERS = "changed_numbers"
    UNSAID_VALUE = "unsaid_value"
    UNLIKE_ITS_POINTS = "unlike_its_points"
    OTHER_PART = "other_part"
    OPPOSITE = "opposite"


def merge_points(run: Run, bullets: Sequence[Bullet]) -> tuple[list[Bullet], list[Rejection | Skip]]:
    """The day's bullets without repetition, in the order of the page, and the refused lines."""
    known = {f"p{number}": bullet for number, bullet in enumerate(bullets, start=1)}
    gathered = {
        ref: Gathered(ref=ref, session_id=bullet.places[0].session_id, part=bullet.part, text=bullet.text)
        for ref, bullet in known.items()
    }
    sources = {
        ref: frozenset[str]().union(*(run.models.sources_of(place.session_id) for place in bullet.places))
        for ref, bullet in known.items()
    }
    parts = [[gathered[ref] for ref in refs] for _, refs in run.models.by_reader(sources)]
    asked = [_first_points(part) for part in parts]
    tasks = [
        Task(
            "daily_wrapup_merge",
            read_prompt("daily_wrapup_merge"),
            Gathering(points=tuple(points)),
            Merged,
            partial(_merge_alike, points),
            frozenset[str]().union(*(sources[point.ref] for point in points)),
            background=True,
        )
        for points in asked
    ]
    lines, rejected = list[tuple[tuple[str, ...], Bullet]](), list[Rejection | Skip]()
    for points, answer in zip(asked, run.models.ask(tasks) if tasks else (), strict=True):
        held, others = _believed_lines(answer, {point.ref: known[point.ref] for point in points})
        lines, rejected = [*lines, *held], [*rejected, *others]
    by_code, others = _believed_lines(_merge_across(gathered, parts, lines), known)
    lines, rejected = [*lines, *by_code], [*rejected, *others]
    taken = {ref for refs, _ in lines for ref in refs}
    left = [bullet for ref, bullet in known.items() if ref not in taken]
    skips = [Skip("not_merged")] * (sum(map(len, parts)) - sum(map(len, asked)))
    return in_order([*left, *(line for _, line in lines)]), [*rejected, *skips]


def _merge_across(
    gathered: Mapping[str, Gathered], parts: Sequence[Sequence[Gathered]], lines: Sequence[tuple[Sequence[str], Bullet]]
) -> Merged:
    """Merge by code the points that are left, where no model has seen all of these together."""
    taken = {ref for refs, _ in lines for ref in refs}
    alike = _merge_alike([point for ref, point in gathered.items() if ref not in taken])
    seen = [{point.ref for point in part} for part in parts]
    return Merged(points=tuple(line for line in alike.points if not any(part >= set(line.refs) for part in seen)))


def _first_points(gathered: Sequence[Gathered]) -> list[Gathered]:
    """The first points, as many as a question may hold."""
    kept: list[Gathered] = []
    size = 0
    for point in gathered:
        size += count_tokens(point.model_dump_json())
        if size > MOST:
            break
        kept.append(point)
    return kept


def _believed_lines(
    answer: Merged, known: Mapping[str, Bullet]
) -> tuple[list[tuple[tuple[str, ...], Bullet]], list[Rejection]]:
    """The believed lines, each with the points that it replaces, and the reasons against the others."""
    lines: list[tuple[tuple[str, ...], Bullet]] = []
    rejected: list[Rejection] = []
    taken: set[str] = set()
    for point in answer.points:
        refs = tuple(ref for ref in known if ref in point.refs)
        reason = _merge_objection(point, known, taken)
        if reason is None:
            lines.append((refs, _join_bullets(point, [known[ref] for ref in refs])))
            taken.update(refs)
        else:
            place = known[refs[0]].places[0] if refs else None
            session_id, number = (place.session_id, place.numbers[0]) if place else ("", 0)
            rejected.append(rejection(reason, point.text, session_id, number))
    return lines, rejected


def _merge_objection(point: MergedPoint, known: Mapping[str, Bullet], taken: set[str]) -> StrEnum | None:
    if not known.keys() >= set(point.refs):
        return LineRejection.UNKNOWN_REF
    if taken & set(point.refs):
        return LineRejection.REPEATED_REF
    return _line_fault(point, [known[ref] for ref in point.refs]) or text_fault(point.text)


def _line_fault(point: MergedPoint, merged: Sequence[Bullet]) -> LineRejection | None:
    """The difference of a line from its points; `None` when it is faithful."""
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


def _join_bullets(point: MergedPoint, merged: Sequence[Bullet]) -> Bullet:
    """The line in place of these bullets; it bears the name of the first."""
    first = min(merged, key=lambda bullet: bullet.time)
    others = [bullet for bullet in merged if bullet is not first]
    places = join_places([place for bullet in (first, *others) for place in bullet.places])
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


def _merge_alike(gathered: Sequence[Gathered]) -> Merged:
    """Merge without a model: of points of one part that hold one another, the longest stands for all."""
    groups: list[list[_ComparedPoint]] = []  # the longest point is the first of its group
    for point in gathered:
        text = point.text
        compared = _ComparedPoint(point, flat(text), features(text), digits(text), denies(text))
        group = next((group for group in groups if group[0].holds(compared) or compared.holds(group[0])), None)
        if group is None:
            groups.append([compared])
        else:
            group.insert(0 if not group[0].holds(compared) else len(group), compared)
    merged = list[MergedPoint]()
    for longest, *others in groups:
        if others:
            refs = tuple(member.point.ref for member in (longest, *others))
            merged.append(MergedPoint(refs=refs, part=longest.point.part, text=longest.point.text))
    return Merged(points=tuple(merged))


def wrap_up(run: Run) -> list[Draft]:
    """The items of the day's page and what was rejected.

    Nothing when no person took part, no entry tells that somebody did, and there is no page. Without a model the page
    has what the records prove, and nothing else.
    """
    sessions, decided = _with_people(run), decisions(run)
    blocks = find_blocks(run.written.current.encode(errors="replace"))
    if not sessions and not decided and not any(block.item for block in blocks):
        return []
    lists = [claims(question, answer.points, run.window) for question, answer in ask_pieces(run, sessions)]
    stays = keep_lines(run)
    lines = stays.beyond(bullets(result for results in lists for result in results if isinstance(result, CheckedPoint)))
    dropped: list[Rejection | Skip] = [
        result for results in lists for result in results if not isinstance(result, CheckedPoint)
    ]
    if len(lines) > 1 and sum(any(isinstance(result, CheckedPoint) for result in results) for results in lists) > 1:
        lines, lost = merge_points(run, lines)
        dropped += lost
    proven = [line for line in recorded_lines(sessions, run.window) if not line.is_in(lines)]
    return [*page(run, sessions, decided, DayLines(lines, proven, stays)), *dropped]


def _with_people(run: Run) -> list[Session]:
    """The sessions in which the owner spoke that day, up to its end, in the order in which they were taken up."""
    sessions = [session.before(run.window.end) for session in run.inputs.transcripts if not session.machine]
    spoken = list[tuple[datetime, str, Session]]()
    for session in sessions:
        said = [message for message in session.conversation if message.time in run.window]
        if any(message.origin is Origin.OWNER for message in said):
            spoken.append((min(message.time for message in said), session.session_id, session))
    return [session for *_, session in sorted(spoken, key=lambda begun: begun[:2])]
