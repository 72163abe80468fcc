"""The verdicts of a week: on all entries without a verdict, and again on the hot ones."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter

from jobs.consolidation.headings import Subjects
from jobs.consolidation.inputs import UNJUDGED, Material
from jobs.consolidation.model_opinion import Opinion
from jobs.consolidation.page import ABOUT, HEADINGS, TITLE, PageCandidate, cost_of, heading, subject_of
from jobs.consolidation.plan_page import PlannedVerdict
from jobs.consolidation.relations import WeekStanding, quote_reason
from jobs.consolidation.scorer import Scorer
from jobs.consolidation.scoring import KEEP, PROMOTE
from jobs.consolidation.verdicts import Ruling, Verdict
from jobs.resolution.same_thing import features
from pipeline.drafts import Notice
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
    theirs = frozenset(marked_names(page))  # a line that a person has changed takes no room of ours
    names = [verdict.entry_id for verdict in promoted]
    costs = {name: (0, 0) if item_name(name) in theirs else cost_of(PageCandidate(noted[name]).item) for name in names}
    room = _subtract((LINES, CHARACTERS), (page.count("\n") + 1, len(page)), cost_of(TITLE), cost_of(ABOUT))
    staying, gone = sorted(promoted, key=attrgetter("rank")), dict[str, str]()
    while displaced := _find_displaced(staying, costs, _find_waiting(staying, costs, room)):
        weakest, stronger = displaced
        gone[weakest.entry_id] = stronger.entry_id
        staying = [verdict for verdict in staying if verdict.entry_id != weakest.entry_id]
    return Displacement(tuple(staying), gone)


def _find_displaced(
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


def _find_waiting(staying: Sequence[Verdict], costs: Mapping[str, Size], room: Size) -> frozenset[str]:
    """The entries without room when all are placed in turn, under their headings."""
    waiting, opened = set[str](), set[str]()
    for verdict in staying:
        head = (0, 0) if verdict.subject in opened else cost_of(heading(verdict.subject))
        left = _subtract(room, costs[verdict.entry_id], head)
        if min(left) < 0:
            waiting.add(verdict.entry_id)
        else:
            room = left
            opened.add(verdict.subject)
    return frozenset(waiting)


def _subtract(room: Size, *taken: Size) -> Size:
    return room[0] - sum(lines for lines, _ in taken), room[1] - sum(characters for _, characters in taken)


def plan(material: Material, opinion: Opinion) -> list[PlannedVerdict]:
    """The verdicts: first on hot entries, in their order, then on the others, in the order of their messages."""
    planner = _Planner(material, opinion)
    planner.judge_all()
    planner.share_out()
    hot = [entry_id for entry_id in material.hot if entry_id in planner.verdicts]
    rest = [entry_id for entry_id in material.noted if entry_id in planner.verdicts and entry_id not in material.hot]
    return [planner.planned_verdict(entry_id) for entry_id in (*hot, *rest)]


def override_notices(material: Material, planned: Sequence[PlannedVerdict]) -> list[Notice]:
    """Notices for the owner: entries judged before that another entry overrides now, by ids alone."""
    notices = list[Notice]()
    for verdict, was_hot in ((plan.verdict, plan.was_hot) for plan in planned):
        if verdict.ruling is Ruling.OVERRIDDEN and verdict.entry_id in material.last:
            by = f"{material.reference(verdict.into)} holds instead" if verdict.into else "a person marked it"
            left = "; it leaves MEMORY.md" if was_hot else ""
            notices.append(Notice(f"overrode {material.reference(verdict.entry_id)}: {by}{left}"))
    return notices


class _Planner:
    """The state of the planning of one week."""

    def __init__(self, material: Material, opinion: Opinion) -> None:
        self._material, self._opinion = material, opinion
        self._standing = WeekStanding(material, opinion.ties)
        self._scorer = Scorer(material, opinion, self._standing)
        # The successor of a hot entry needs no more than that to stay: else the page would lose the matter.
        self._successors = {
            loss.by: material.hot[entry_id]
            for entry_id, loss in self._standing.lost.items()
            if entry_id in material.hot
        }
        self._fresh = frozenset(material.fresh)
        self._called = dict.fromkeys((*material.hot, *material.fresh))
        self.verdicts: dict[str, Verdict] = {}

    def judge_all(self) -> None:
        """Judge all hot and fresh entries, the ones with the same meaning, and the ones that they replace."""
        for entry_id in self._called:
            if entry_id not in self.verdicts:
                obstacle = self._obstacle(entry_id)
                verdicts = [obstacle] if obstacle else self._group_verdicts(entry_id)
                self.verdicts |= {verdict.entry_id: verdict for verdict in verdicts}
        for entry_id in self._standing.lost.keys() - self.verdicts.keys():
            last = self._material.last.get(entry_id)
            if last and last.ruling is not Ruling.OVERRIDDEN and self._material.is_active(entry_id):
                self.verdicts[entry_id] = self._override_verdict(entry_id)

    def share_out(self) -> None:
        """Give promoted entries their headings, and displace the weaker ones where there is no room for all."""
        promoted = [verdict for verdict in self.verdicts.values() if verdict.ruling is Ruling.PROMOTED]
        standing = [verdict for verdict in promoted if verdict.entry_id in self._material.hot]
        displacement = admit(standing, [verdict for verdict in promoted if verdict.entry_id not in self._material.hot])
        self._send_away(displacement.gone)
        headed = self._with_headings(displacement.staying)
        self.verdicts |= {verdict.entry_id: verdict for verdict in headed}
        self._send_away(make_room(headed, self._material.noted, self._material.page).gone)

    def planned_verdict(self, entry_id: str) -> PlannedVerdict:
        """The verdict on an entry with its grounds."""
        verified = self._material.is_verified(entry_id)
        return PlannedVerdict(
            verdict=self.verdicts[entry_id],
            noted=self._material.noted.get(entry_id),
            signals=self._scorer.signals(entry_id) if verified else None,
            was_hot=entry_id in self._material.hot,
            into=self._material.noted.get(self.verdicts[entry_id].into),
        )

    def _obstacle(self, entry_id: str) -> Verdict | None:
        """The verdict on an entry that cannot stand on the page, whatever its score; else `None`."""
        if self._material.is_verified(entry_id) and entry_id in self._standing.lost:
            return self._override_verdict(entry_id)
        reason = self._material.obstacle_of(entry_id)
        return self._refuse_verdict(entry_id, reason) if reason else None

    def _group_verdicts(self, entry_id: str) -> list[Verdict]:
        """The verdicts on all entries of one meaning: one stands for all, the others are merged into it."""
        group = [member for member in self._standing.together(entry_id) if not self._material.obstacle_of(member)]
        first = self._representative(group)
        head = self._rule_by_score(first, group)
        counts = first in self._called or head.ruling is Ruling.PROMOTED
        merged = list[Verdict]()
        for member in (member for member in group if member != first and member in self._called):
            reason = f"it says the same{quote_reason(self._standing.why.get(frozenset({first, member}), ''))}"
            merged.append(Verdict(member, Ruling.MERGED, reason, self._scorer.score(member), first))
        return [head, *merged] if counts else merged

    def _representative(self, group: Sequence[str]) -> str:
        """The entry that stands for its group: a hot one, else the richest unchanged one, of equals the first."""
        hot = self._material.hot.keys() & set(group)
        if hot:
            return next(hot_id for hot_id in self._material.hot if hot_id in hot)
        entries = self._material.entries
        said = {member: len(features(entries[member].quote)) for member in group}
        return max(group, key=lambda member: (self._material.as_written(member), said[member]))

    def _rule_by_score(self, entry_id: str, group: Sequence[str]) -> Verdict:
        """The verdict on an entry without an obstacle, by its score."""
        worth, hot = self._scorer.score(entry_id), self._material.hot.get(entry_id)
        replaced = next((member for member in group if member in self._successors), "")
        if hot and worth < KEEP:
            return self._refuse_verdict(entry_id, f"it has aged: less than {KEEP:.2f} is left of its score")
        if not hot and worth < (KEEP if replaced else PROMOTE):
            return self._refuse_verdict(entry_id, f"its score is below {KEEP if replaced else PROMOTE:.2f}")
        subject = hot.subject if hot else self._successors[replaced].subject if replaced else ""
        if not hot and subject in HEADINGS.values():
            subject = ""  # the heading of a kind is not inherited
        since = hot.since if hot else self._material.week
        return Verdict(entry_id, Ruling.PROMOTED, self._promotion_reason(entry_id, group), worth, "", subject, since)

    def _promotion_reason(self, entry_id: str, group: Sequence[str]) -> str:
        """The reason of a promotion."""
        successors = [member for member in group if member in self._successors]
        again = [member for member in group if member in self._fresh and member != entry_id]
        if again and entry_id not in self._fresh:
            return f"{self._material.reference(again[-1])} says it again"
        if entry_id in self._material.hot:
            return f"its score is still {KEEP:.2f} or more"
        if successors:
            return f"it takes the place of {self._material.reference(self._successors[successors[0]].entry_id)}"
        return f"its score is {PROMOTE:.2f} or more"

    def _override_verdict(self, entry_id: str) -> Verdict:
        lost = self._standing.lost[entry_id]
        return Verdict(entry_id, Ruling.OVERRIDDEN, lost.reason, self._scorer.score(entry_id), lost.by)

    def _refuse_verdict(self, entry_id: str, reason: str) -> Verdict:
        worth = self._scorer.score(entry_id) if self._material.is_verified(entry_id) else UNJUDGED
        return Verdict(entry_id, Ruling.DEMOTED if entry_id in self._material.hot else Ruling.KEPT, reason, worth)

    def _with_headings(self, promoted: Sequence[Verdict]) -> list[Verdict]:
        """Promoted entries, each with a heading of words of its entries; a present heading stays."""
        material = self._material
        wanted = {verdict.entry_id: verdict.subject for verdict in promoted if verdict.subject}
        new = [verdict.entry_id for verdict in promoted if not verdict.subject]
        placed = [(material.entries[entry_id], subject) for entry_id, subject in wanted.items()]
        mute = [material.entries[entry_id] for entry_id in new if entry_id not in self._opinion.subject]
        wanted |= {entry_id: self._opinion.subject.get(entry_id, "") for entry_id in new}
        wanted |= Subjects(placed, mute).assign(mute)
        together: dict[str, list[Noted]] = defaultdict(list)
        for entry_id, subject in wanted.items():
            together[subject].append(material.noted[entry_id])
        said = {new_id: subject_of(wanted[new_id], material.noted[new_id], together[wanted[new_id]]) for new_id in new}
        return [
            verdict if verdict.subject else replace(verdict, subject=said[verdict.entry_id]) for verdict in promoted
        ]

    def _send_away(self, gone: Mapping[str, str]) -> None:
        for entry_id, stronger in gone.items():
            way = f"it gave way to {self._material.reference(stronger)}, which is worth more"
            reason = way if stronger else "there is no place for it"
            self.verdicts[entry_id] = self._refuse_verdict(entry_id, reason)
