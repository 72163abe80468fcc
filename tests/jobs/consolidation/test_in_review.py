"""Entries that wait for a person, and the plans meanwhile."""

from typing import Any

from jobs.consolidation.verdicts import Verdict
from schemas.entry import Status

History = Any  # the fixture of conftest.py, which is no module that could be imported

RULE = "never deploy the clinic after three in the afternoon"


def rulings(verdicts: dict[str, Verdict]) -> dict[str, str]:
    """The ruling on each entry."""
    return {entry_id: verdict.ruling.value for entry_id, verdict in verdicts.items()}


def test_what_is_in_review_is_not_hot(history: History) -> None:
    """It leaves the page with the next plan, and comes back when a person keeps it; what is new waits as well."""
    rule = history.say(RULE)
    history.plan()
    history.change(rule, status=Status.IN_REVIEW)
    late = history.say("never phone the baker before noon", 8, status=Status.IN_REVIEW)
    verdicts = history.plan(1)
    assert {rule: "demoted", late: "kept"} == rulings(verdicts)
    assert {"it waits for a person's decision: `memory suggestions`"} == {one.reason for one in verdicts.values()}
    assert {} == rulings(history.plan(2))
    history.change(rule, status=Status.ACTIVE)
    history.change(late, status=Status.ACTIVE)
    assert {rule, late} == set(history.plan(3))


def test_what_a_wrong_entry_overrode_is_judged_anew(history: History) -> None:
    """While that entry is in review."""
    rule = history.say(RULE)
    history.plan()
    wrong = history.say("is the clinic open at three in the afternoon?", 7, supersedes=(rule,))
    assert "overridden" == rulings(history.plan(1))[rule]
    history.change(wrong, status=Status.IN_REVIEW)
    assert "promoted" == rulings(history.plan(2))[rule]
