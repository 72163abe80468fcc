"""The order of what was found, for engines that have none among equals."""

from collections.abc import Callable, Sequence

from hypothesis import given
from hypothesis import strategies as st

from pipeline.adapters.index.tantivy.index import best

SCORES = st.lists(st.tuples(st.integers(0, 5), st.floats(-1e-7, 1e-7)), max_size=150)


def engine(scores: list[float]) -> Callable[[int], list[tuple[float, int]]]:
    """An engine that has these scores, and names its points by numbers in an order of its own."""
    hits = [(score, place * 7919 % 10_007) for place, score in enumerate(scores)]
    return lambda limit: sorted(hits, key=lambda hit: -hit[0])[:limit]


def places(numbers: Sequence[int]) -> list[int]:
    """Two numbers have one place."""
    return [number // 2 for number in numbers]


@given(SCORES, st.integers(0, 40))
def test_the_best_are_among_them(scores: list[tuple[int, float]], limit: int) -> None:
    """Scores that differ by the rounding of an engine are equal, and come out the same; equals are cut by their ids."""
    ask = engine([score + score * noise for score, noise in scores])
    expected = sorted((-round(score), number) for score, number in ask(1000))[:limit]
    actual = best(limit, ask, places)
    assert expected == sorted((-round(score), number) for score, number in actual)[:limit]
    assert len(actual) <= limit + 1
    assert len({score for score, _ in actual}) == len({round(score) for score, _ in actual})


def test_no_more_is_asked_for_than_is_needed() -> None:
    """Once, unless the cut is among equals."""
    limits = list[int]()

    def ask(limit: int) -> list[tuple[float, int]]:
        limits.append(limit)
        return [(1.0 if place > 4 else 9.0 - place, place) for place in range(200)][:limit]

    assert [(9.0, 0), (8.0, 1)] == best(2, ask, list)
    assert 1 == len(limits)
    assert 10 == len(best(10, ask, list))
    assert [18, 26, 104, 416] == limits
