"""Displacement: the weakest entries give way when the page cannot hold all that are worth it."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter

from jobs.consolidation.page import ABOUT, TITLE, cost, cost_of, heading_cost
from jobs.consolidation.verdicts import Verdict
from pipeline.entries.reference import item_name
from pipeline.job import Noted
from pipeline.markdown.blocks import marked_names
from schemas.hot_page import CHARACTERS, LINES

Size = tuple[int, int]
"""Lines and characters."""

MARGIN = 0.10
"""The score that a newcomer needs above that of the entry it displaces, so that small differences change nothing."""

MOST = 200
"""The most entries promoted at one time: about as many as fit, and as many again that wait for room."""


@dataclass(frozen=True)
class Displacement:
    """The promoted entries in their order, and the displaced ones: by id, with the id of the stronger entry."""

    staying: tuple[Verdict, ...]
    gone: Mapping[str, str]


def admit(standing: Sequence[Verdict], newcomers: Sequence[Verdict]) -> Displacement:
    """The promoted entries: the best newcomers get free places, or the places of entries that are clearly weaker.

    A newcomer without a place stands among the displaced, with an empty id.
    """
    places = {verdict.entry_id: verdict for verdict in standing}
    gone: dict[str, str] = {}
    for verdict in sorted(newcomers, key=lambda newcomer: (-newcomer.score, newcomer.entry_id)):
        if len(places) >= MOST and (weakest := _weakest(places.values(), verdict)):
            gone[weakest.entry_id] = verdict.entry_id
            del places[weakest.entry_id]
        if len(places) >= MOST:
            break
        places[verdict.entry_id] = verdict
    gone |= {verdict.entry_id: "" for verdict in newcomers if verdict.entry_id not in places | gone}
    return Displacement(tuple(sorted(places.values(), key=attrgetter("rank"))), gone)


def _weakest(places: Iterable[Verdict], stronger: Verdict) -> Verdict | None:
    """The entry with the lowest score, of equals the last, if it is clearly weaker."""
    lowest = min(sorted(places, key=attrgetter("rank"), reverse=True), key=attrgetter("score"))
    return lowest if lowest.score + MARGIN <= stronger.score else None


def make_room(promoted: Sequence[Verdict], noted: Mapping[str, Noted], page: str) -> Displacement:
    """The entries that stay when they are placed in order on a page; `page` is a person's part of it.

    A waiting entry displaces a placed one that is clearly weaker.
    """
    theirs = frozenset(marked_names(page))
    costs = {verdict.entry_id: _cost(verdict, noted[verdict.entry_id], theirs) for verdict in promoted}
    staying, gone = sorted(promoted, key=attrgetter("rank")), dict[str, str]()
    while displaced := _displaced(staying, costs, _waiting(staying, costs, _room(page))):
        weakest, stronger = displaced
        gone[weakest.entry_id] = stronger.entry_id
        staying = [verdict for verdict in staying if verdict.entry_id != weakest.entry_id]
    return Displacement(tuple(staying), gone)


def _displaced(
    staying: Sequence[Verdict], costs: Mapping[str, Size], waiting: frozenset[str]
) -> tuple[Verdict, Verdict] | None:
    """The weakest entry with room before a waiting one that is clearly stronger; and the latter."""
    weakest: Verdict | None = None
    for verdict in staying:
        if verdict.entry_id not in waiting and any(costs[verdict.entry_id]):
            weakest = verdict if weakest is None or verdict.score <= weakest.score else weakest
        elif verdict.entry_id in waiting and weakest and weakest.score + MARGIN <= verdict.score:
            return weakest, verdict
    return None


def _waiting(staying: Sequence[Verdict], costs: Mapping[str, Size], room: Size) -> frozenset[str]:
    """The entries without room when all are placed in turn, under their headings."""
    waiting, opened = set[str](), set[str]()
    for verdict in staying:
        head = (0, 0) if verdict.subject in opened else heading_cost(verdict.subject)
        left = _less(room, costs[verdict.entry_id], head)
        if min(left) < 0:
            waiting.add(verdict.entry_id)
        else:
            room = left
            opened.add(verdict.subject)
    return frozenset(waiting)


def _room(page: str) -> Size:
    """The lines and characters that a person's part of the page leaves to ours."""
    return _less((LINES, CHARACTERS), (page.count("\n") + 1, len(page)), cost_of(TITLE), cost_of(ABOUT))


def _cost(verdict: Verdict, noted: Noted, theirs: Collection[str]) -> Size:
    """The lines and characters of an entry; none where a person has changed its line."""
    return (0, 0) if item_name(verdict.entry_id) in theirs else cost(verdict, noted)


def _less(room: Size, *taken: Size) -> Size:
    return room[0] - sum(lines for lines, _ in taken), room[1] - sum(characters for _, characters in taken)
