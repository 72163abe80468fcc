"""Pieces: the stretches of a session that are asked about once each. They are cut by the times of messages alone."""

from bisect import bisect_right
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from pipeline.ledger.transcripts import KeptPieces
from pipeline.ports.engine import Clock
from schemas.transcript import Session
from schemas.window import Window

NEVER = datetime.max.replace(tzinfo=UTC)

_MOMENT = timedelta(microseconds=1)


@dataclass(frozen=True)
class PieceCut:
    """Messages of a session that belong together, from `first` to `last`. From `over` on no other can join them."""

    first: datetime
    last: datetime
    over: datetime

    @property
    def window(self) -> Window:
        """The time from the first message to the last one, both inside."""
        return Window(start=self.first, end=self.last + _MOMENT)


def cut_pieces(
    times: Sequence[datetime],
    silence: timedelta,
    taken: Sequence[Window] = (),
    latest: Callable[[datetime], datetime] = lambda _: NEVER,
) -> Iterator[PieceCut]:
    """The cuts of messages outside of the windows that are `taken`, which are sorted, by their times, also sorted.

    A cut ends before a longer `silence`, before the next window that is taken, and before the moment that `latest`
    gives for its first message.
    """
    starts = [window.start for window in taken]
    free = [time for time in times if not _is_inside(time, taken, starts)]
    place = 0
    while place < len(free):
        first = last = free[place]
        following = bisect_right(starts, first)
        bound = min(latest(first), starts[following]) if following < len(starts) else latest(first)
        place += 1
        while place < len(free) and free[place] < bound and free[place] - last <= silence:
            last = free[place]
            place += 1
        yield PieceCut(first, last, min(bound, last + silence) if last < NEVER - silence else bound)


def _is_inside(moment: datetime, windows: Sequence[Window], starts: Sequence[datetime]) -> bool:
    place = bisect_right(starts, moment) - 1
    return place >= 0 and moment in windows[place]


@dataclass(frozen=True)
class Pieces:
    """The rule by which sessions are cut, and the pieces that were asked about, which are never cut anew.

    `silence` gives the length of the silence that ends a piece of a session. `latest` gives the moment before which a
    piece ends that begins then, so that what is said all day is written on the way. `readers` are the jobs that ask
    about pieces: those that are over make the time stale that they have covered.
    """

    kept: KeptPieces
    clock: Clock
    readers: Collection[str] = ()
    silence: Callable[[Session], timedelta] = lambda _: timedelta(hours=1)
    latest: Callable[[datetime], datetime] = lambda _: NEVER

    def closed_pieces(self, session: Session, horizon: datetime | None = None) -> list[Window]:
        """The pieces of a session that are over, in order.

        Nothing from `horizon` on is seen, and what was said before it is cut there.
        """
        end = horizon or NEVER
        kept = [
            Window(start=piece.start, end=min(piece.end, end))
            for piece in self.kept.of(session.session_id)
            if piece.start < end
        ]
        new = [piece.window for piece in self._cut_session(session, end) if piece.over <= (horizon or self.clock.now())]
        return sorted([*kept, *new], key=lambda window: window.start)

    def next_over(self, session: Session) -> datetime | None:
        """When the next piece of a session will be over that is open now; `None` without one."""
        now = self.clock.now()
        # Of most sessions the last word was said long ago: then no moment of a schedule has to be computed.
        last = max((message.time for message in session.conversation), default=None)
        if last is None or last + self.silence(session) <= now:
            return None
        return next((piece.over for piece in self._cut_session(session, NEVER) if piece.over > now), None)

    def _cut_session(self, session: Session, end: datetime) -> Iterator[PieceCut]:
        times = sorted(message.time for message in session.conversation if message.time < end)
        return cut_pieces(
            times, self.silence(session), self.kept.of(session.session_id), lambda first: min(self.latest(first), end)
        )
