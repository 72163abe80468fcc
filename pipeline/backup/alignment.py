"""The alignment of two sequences: which items of both are the same, in the order of both.

difflib finds the longest runs, but takes quadratic time on thousands of equal lines. So it sees small stretches alone,
between items that stand once on each side; in a long stretch without such items equal ones are paired by their number.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

SMALL = 65_536
"""Pairs of items of a stretch that difflib sees."""

_Pair = tuple[int, int]
_Fill = Callable[[range, range], Iterator[_Pair]]


def match_sequences(
    before: Sequence[Hashable],
    after: Sequence[Hashable],
    is_weak: Callable[..., bool],
    is_firm: Callable[..., bool],
    small: int = SMALL,
) -> dict[int, int]:
    """The places of items of `before`, each with that of its equal in `after`, in the order of both.

    Weak items alone match nothing: they do beside others that match. Firm items match before all others.
    """
    return dict(_Alignment(before, after, is_weak, is_firm, small).pairs())


@dataclass(frozen=True)
class _Alignment:
    before: Sequence[Hashable]
    after: Sequence[Hashable]
    is_weak: Callable[..., bool]
    is_firm: Callable[..., bool]
    small: int

    def pairs(self) -> Iterator[_Pair]:
        """The places that match, in their order."""
        return self._split_at_anchors(self.is_firm, self._between_firm)(range(len(self.before)), range(len(self.after)))

    def _between_firm(self, ours: range, theirs: range) -> Iterator[_Pair]:
        if len(ours) * len(theirs) <= self.small:
            return self._longest_runs(ours, theirs)
        once = self._once(ours, self.before) & self._once(theirs, self.after)
        return self._split_at_anchors(once.__contains__, self._between_single)(ours, theirs)

    def _between_single(self, ours: range, theirs: range) -> Iterator[_Pair]:
        if len(ours) * len(theirs) <= self.small:
            return self._longest_runs(ours, theirs)
        return self._split_at_anchors(lambda item: not self.is_weak(item), lambda _, __: iter(()))(ours, theirs)

    def _split_at_anchors(self, is_anchor: Callable[..., bool], fill: _Fill) -> _Fill:
        """Match anchors, and between them what begins and ends alike; `fill` matches the rest of each stretch."""

        def match(ours: range, theirs: range) -> Iterator[_Pair]:
            numbered = (
                self._number_anchors(ours, self.before, is_anchor),
                self._number_anchors(theirs, self.after, is_anchor),
            )
            at, to = ours.start, theirs.start
            for place, other in [*_in_one_order(*numbered), (ours.stop, theirs.stop)]:
                ahead = self._count_equal(range(at, place), range(to, other))
                behind = self._count_equal(range(place - 1, at + ahead - 1, -1), range(other - 1, to + ahead - 1, -1))
                yield from zip(range(at, at + ahead), range(to, to + ahead), strict=True)
                yield from fill(range(at + ahead, place - behind), range(to + ahead, other - behind))
                yield from zip(range(place - behind, place), range(other - behind, other), strict=True)
                if place < ours.stop:
                    yield place, other
                at, to = place + 1, other + 1

        return match

    def _count_equal(self, ours: range, theirs: range) -> int:
        """Count the equal items from the first on; those at an end of all do not count, where all are weak."""
        same = next(
            (n for n, (at, to) in enumerate(zip(ours, theirs, strict=False)) if self.before[at] != self.after[to]), None
        )
        count = min(len(ours), len(theirs)) if same is None else same
        at_end = bool(count) and {0, len(self.before) - 1} & {ours[0]} and {0, len(self.after) - 1} & {theirs[0]}
        return 0 if at_end and all(self.is_weak(self.before[at]) for at in ours[:count]) else count

    def _longest_runs(self, ours: range, theirs: range) -> Iterator[_Pair]:
        before, after = self.before[ours.start : ours.stop], self.after[theirs.start : theirs.stop]
        for match in SequenceMatcher(self.is_weak, before, after, autojunk=False).get_matching_blocks():
            # At the beginning of a stretch difflib also gives weak items that are beside no others.
            if not all(map(self.is_weak, before[match.a : match.a + match.size])):
                for step in range(match.size):
                    yield ours.start + match.a + step, theirs.start + match.b + step

    def _once(self, places: range, items: Sequence[Hashable]) -> set[Hashable]:
        """The items that stand there once, without the weak."""
        times = Counter(items[place] for place in places)
        return {item for item, number in times.items() if number == 1 and not self.is_weak(item)}

    def _number_anchors(
        self, places: range, items: Sequence[Hashable], is_anchor: Callable[..., bool]
    ) -> dict[tuple[Hashable, int], int]:
        """The places of anchors by the item and its number among its equals."""
        times, numbered = Counter[Hashable](), dict[tuple[Hashable, int], int]()
        for place in places:
            if is_anchor(items[place]):
                times[items[place]] += 1
                numbered[items[place], times[items[place]]] = place
        return numbered


def _in_one_order(ours: Mapping[tuple[Hashable, int], int], theirs: Mapping[tuple[Hashable, int], int]) -> list[_Pair]:
    """The most places of equal items that stand in the same order on both sides."""
    common = [(place, theirs[key]) for key, place in ours.items() if key in theirs]
    ends, chain, came = list[int](), list[int](), list[int]()  # of the rows of each length: the last place, its index
    for index, (_, other) in enumerate(common):
        length = bisect_left(ends, other)
        came.append(chain[length - 1] if length else -1)
        ends[length : length + 1], chain[length : length + 1] = [other], [index]
    index, row = chain[-1] if chain else -1, list[_Pair]()
    while index >= 0:
        row.append(common[index])
        index = came[index]
    return row[::-1]
