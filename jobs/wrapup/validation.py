"""The validation of a point: its words were said, by that speaker, and that day."""

from collections.abc import Iterable
from enum import StrEnum

from jobs.reading.pieces import PieceQuestion
from jobs.wrapup.points import CheckedPoint
from pipeline.drafts import Skip
from pipeline.entries.values.check import values_of
from pipeline.markdown.entries import one_line
from schemas.outcome import Rejection
from schemas.summary import Part, Point
from schemas.transcript import MASK
from schemas.window import Window

DETAIL = 80
"""Characters of a text that a rejection shows."""


class PointRejection(StrEnum):
    """Why a point is rejected."""

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
        result = _checked(piece, point, window)
        if isinstance(result, CheckedPoint):
            result = _with_values_said(result)
        if isinstance(result, Rejection):
            rest.append(result)
        elif (key := (result.part, result.text)) in said:
            said[key] = said[key].resting_also_on(result.messages)
            rest.append(Skip("repeated"))
        else:
            said[key] = result
    return [*said.values(), *rest]


def unfit(text: str) -> PointRejection | None:
    """Why a text cannot stand on a line; `None` when it can."""
    if not any(character.isalnum() for character in text):
        return PointRejection.EMPTY
    # One mask character alone is a typed bullet; no secret is a single character long.
    return PointRejection.SECRET if MASK * 2 in text else None


def rejection(reason: StrEnum, text: str, session_id: str, number: int) -> Rejection:
    """A rejection that shows the beginning of the text, unless it rests on a secret."""
    shown = "" if reason is PointRejection.SECRET else one_line(text)
    shown = shown if len(shown) <= DETAIL else shown[: DETAIL - 1] + "…"
    return Rejection(reason=reason.value, session_id=session_id, number=number, detail=shown)


def _checked(piece: PieceQuestion, point: Point, window: Window) -> CheckedPoint | Rejection:
    """The point on those of its messages that it may rest on; with one at least, a number outside costs only itself."""
    numbers = sorted(set(point.numbers))
    faults = {number: _objection(piece, number, window) for number in numbers}
    sound = [number for number in numbers if faults[number] is None]
    reason = unfit(point.text) or (None if sound else faults[numbers[0]])
    if sound and sound[-1] < piece.first:  # what rests on context alone was for the piece before to find
        reason = reason or PointRejection.OUTSIDE_PIECE
    if reason is not None:
        return rejection(reason, point.text, piece.session.session_id, numbers[0])
    messages = tuple(message for message in piece.session.messages if message.number in sound)
    return CheckedPoint(piece.session, point.part, one_line(point.text), messages)


def _with_values_said(point: CheckedPoint) -> CheckedPoint | Rejection:
    """The point, unless a value of it stands neither in its messages nor in what they answer."""
    if values_of(point.session, point.messages).unsaid([point.text]) is None:
        return point
    session_id, number = point.session.session_id, point.messages[0].number
    return rejection(PointRejection.UNSAID_VALUE, point.text, session_id, number)


def _objection(piece: PieceQuestion, number: int, window: Window) -> PointRejection | None:
    """The fault in a message that a point names."""
    message = next((message for message in piece.session.messages if message.number == number), None)
    if message is None:
        return PointRejection.OUTSIDE_SESSION
    if not message.conversational:
        return PointRejection.NOT_CONVERSATION
    if message.time not in window:
        return PointRejection.OUTSIDE_WINDOW
    shown = any(one.number == number for one in piece.shown.messages)
    return None if shown else PointRejection.OUTSIDE_PIECE
