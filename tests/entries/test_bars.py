"""Pairs that a person took apart."""

from pipeline.entries.standing import LinkBars, bar_between
from tests.support.builders.linked_entries import said_on

OLD, NEW, OTHER = said_on(0, "one"), said_on(1, "two"), said_on(2, "three")


def test_a_pair_is_barred_in_either_order_and_alone() -> None:
    """Neither of the two is barred from others."""
    bars = LinkBars([bar_between(NEW, OLD)])

    assert [True, True, False] == [bars.hold(NEW, OLD), bars.hold(OLD, NEW), bars.hold(NEW, OTHER)]
    assert not LinkBars().hold(NEW, OLD)


def test_it_stays_barred_under_other_ids() -> None:
    """A model may give the same message another title when its time is run again."""
    bars = LinkBars([bar_between(NEW, OLD)])
    renamed = [one.model_copy(update={"id": f"{one.id}-again"}) for one in (NEW, OLD)]

    assert bars.hold(*renamed)
