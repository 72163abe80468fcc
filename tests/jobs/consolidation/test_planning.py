"""The verdicts of a week, one ruling at a time."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest

from jobs.consolidation.inputs import gather
from jobs.consolidation.relations import WeekStanding
from jobs.consolidation.verdicts import Ruling, Verdict
from jobs.weekly_plan import JOB
from pipeline.drafts import Notice
from schemas.entry import Kind, Status, Trust, correction_grounds
from schemas.links import LinkBar

if TYPE_CHECKING:
    from collections.abc import Mapping

History = Any  # the fixture of conftest.py, which is no module that could be imported

MONDAY = date(2026, 3, 2)
RULE = "never deploy the clinic after three in the afternoon"
CHOICE = "we take the blue paper for the flyer"


def rulings(verdicts: Mapping[str, Verdict]) -> dict[str, str]:
    """Each entry's ruling."""
    return {entry_id: verdict.ruling.value for entry_id, verdict in verdicts.items()}


def test_a_rule_is_promoted_and_a_choice_kept(history: History) -> None:
    """With the reason, the score, and since when."""
    rule = history.say(RULE)
    choice = history.say(CHOICE, kind=Kind.DECISION)
    verdicts = history.plan()
    assert Verdict(rule, Ruling.PROMOTED, "its score is 0.55 or more", 0.77, "", "Rules", "2026-W10") == verdicts[rule]
    assert Verdict(choice, Ruling.KEPT, "its score is below 0.55", 0.47) == verdicts[choice]


def test_nothing_to_judge_writes_nothing(history: History) -> None:
    """Nothing new, nothing hot: no page. Nor is there one where all that is hot stays as it is."""
    assert history.drafts() == []
    history.say(CHOICE, kind=Kind.DECISION)
    history.plan()
    assert history.drafts(1) == []
    history.say(RULE, 8)
    assert ["promoted"] == list(rulings(history.plan(1)).values())
    assert history.drafts(2) == []
    assert 1 == len(history.hot())


def test_the_plan_does_not_look_past_its_week(history: History) -> None:
    """What is said later neither counts nor shows, whatever is in the files already."""
    rule = history.say(RULE)
    before = history.drafts()
    history.say("the clinic may be deployed at any time", 7, supersedes=(rule,))
    history.wrap_up(8, RULE)
    assert before == history.drafts()


def test_what_was_judged_is_not_judged_again(history: History) -> None:
    """Only what is hot is."""
    rule, choice = history.say(RULE), history.say(CHOICE, kind=Kind.DECISION)
    history.plan()
    late = history.say("never phone the baker before noon", 1)
    assert {rule: "promoted", late: "promoted"} == rulings(history.plan(1))
    assert choice not in history.pages["memory/archive/weekly-2026-W11.md"]


def test_what_is_hot_stays_under_its_heading_since_its_week(history: History) -> None:
    """Heading and week are those of the promotion."""
    rule = history.say(RULE)
    history.plan()
    history.plan(1)
    history.say(CHOICE, 15, kind=Kind.DECISION)
    assert (
        Verdict(rule, Ruling.PROMOTED, "its score is still 0.45 or more", 0.75, "", "Rules", "2026-W10")
        == (history.plan(2)[rule])
    )


def test_what_does_not_verify_is_never_promoted(history: History) -> None:
    """Whatever it says of itself; and it has no say over what does verify."""
    rule = history.say(RULE)
    forged = history.forge(RULE, 1, supersedes=(rule,))
    assert {rule: "promoted", forged: "kept"} == rulings(history.plan())
    assert "it does not verify" == history.plan()[forged].reason


def test_a_forged_copy_does_not_hide_the_real_entry(history: History) -> None:
    """A version with the same id that does not verify counts for nothing, however sure of itself it is."""
    rule = history.say(RULE)
    history.forge("deploy whenever you like", id=rule)
    history.plan()
    assert {rule: "promoted"} == rulings(history.plan())
    assert RULE in history.pages["memory/archive/weekly-2026-W10.md"]


def test_what_still_does_not_verify_is_judged_once(history: History) -> None:
    """The next plans are silent on it."""
    forged = history.forge(RULE)
    history.say(CHOICE, kind=Kind.DECISION)
    assert forged in history.plan()
    history.say("the baker is closed on mondays", 8)
    assert forged not in history.plan(1)


def test_what_aged_or_was_worth_little_is_judged_once(history: History) -> None:
    """Only what nobody could judge, or what lost to an entry that is gone, comes up again."""
    choice = history.say(CHOICE, kind=Kind.DECISION, confidence=0.5)
    assert "kept" == history.plan()[choice].ruling.value
    history.say("the baker is closed on mondays", 8)
    assert choice not in history.plan(1)


def test_what_verifies_again_is_judged_then(history: History) -> None:
    """A source that was away for a week does no lasting harm."""
    rule = history.forge(RULE)
    history.plan()
    history.change(rule, trust=Trust.OWNER)
    assert {rule: "promoted"} == rulings(history.plan(1))
    history.change(rule, trust=Trust.UNVERIFIED)
    assert Verdict(rule, Ruling.DEMOTED, "it does not verify", 0.0) == history.plan(2)[rule]


def test_superseded_is_overridden(history: History) -> None:
    """The successor is named, and the day; it takes the place even if by itself it would not be worth it."""
    old = history.say("the deposit is 30 percent from april", kind=Kind.DECISION)
    history.plan()
    new = history.say("back to 20 percent", 9, kind=Kind.DECISION, confidence=0.8, supersedes=(old,))
    verdicts = history.plan(1)
    assert ("overridden", new) == (verdicts[old].ruling.value, verdicts[old].into)
    assert "that took its place on 2026-03-11" == verdicts[old].reason
    assert f"it takes the place of {old}" == verdicts[new].reason
    assert {new} == set(history.hot())


def test_the_correction_of_what_replaced_an_entry_holds_in_its_place(history: History) -> None:
    """It stands on the page under the heading of the entry, and the words that were corrected nowhere."""
    old = history.say(RULE)
    history.plan()
    new = history.say("deploy the clinic before four in the afternoon", 8, supersedes=(old,))
    at = datetime(2026, 3, 10, 12, tzinfo=UTC)
    corrected = history.say(
        "deploy the clinic before five", 8, corrects=new, grounds=correction_grounds(at), kind=Kind.DECISION
    )
    verdicts = history.plan(1)
    assert (Ruling.OVERRIDDEN, corrected) == (verdicts[old].ruling, verdicts[old].into)
    assert Ruling.PROMOTED is verdicts[corrected].ruling
    assert new not in verdicts


def test_superseded_before_it_was_judged_is_never_promoted(history: History) -> None:
    """It goes straight to the overridden."""
    old = history.say(RULE)
    new = history.say("the clinic may be deployed until five", 2, supersedes=(old,))
    assert {old: "overridden", new: "promoted"} == rulings(history.plan())


def test_a_person_marked_it_superseded(history: History) -> None:
    """No successor is needed."""
    rule = history.say(RULE)
    history.plan()
    history.change(rule, status=Status.SUPERSEDED)
    assert Verdict(rule, Ruling.OVERRIDDEN, "a person marked it superseded", 0.76) == history.plan(1)[rule]


def test_said_again_is_merged_and_lifts_the_first(history: History) -> None:
    """A choice that was kept is called up when it is repeated on another day."""
    first = history.say(CHOICE, kind=Kind.DECISION)
    history.plan()
    again = history.say("the flyer is on blue paper, as I said", 9, kind=Kind.DECISION, reinforces=(first,))
    verdicts = history.plan(1)
    assert {first: "promoted", again: "merged"} == rulings(verdicts)
    assert (f"{again} says it again", first) == (verdicts[first].reason, verdicts[again].into)
    assert {first} == set(history.hot())


def test_what_is_hot_stands_for_what_says_the_same(history: History) -> None:
    """Also when something said earlier turns up late."""
    hot = history.say(RULE, 1)
    history.plan()
    late = history.say(RULE, 0)
    history.change(hot, reinforces=(late,))
    assert {hot: "promoted", late: "merged"} == rulings(history.plan(1))


def test_what_says_the_same_falls_together(history: History) -> None:
    """When its repetition was replaced, the rule itself does not stay."""
    first = history.say(RULE)
    again = history.say("as before, no clinic deployments in the afternoon", 8, reinforces=(first,))
    history.plan()
    history.plan(1)
    new = history.say("deploy the clinic whenever it is ready", 15, supersedes=(again,))
    verdicts = history.plan(2)
    assert {first: "overridden", new: "promoted"} == rulings(verdicts)
    assert f"it says the same as {again}, whose place that took" == verdicts[first].reason


def test_a_rule_for_everybody_overrides_no_promise_to_somebody(history: History) -> None:
    """Both stand where nobody says which goes."""
    old = history.say("heron stays on 85 an hour until the end of june", kind=Kind.DECISION)
    history.plan()
    new = history.say("from 1 march everybody pays 95 an hour, no exceptions", 8, kind=Kind.DECISION)
    verdicts = history.plan(1)
    assert {old: "promoted", new: "promoted"} == rulings(verdicts)


def test_a_goal_that_was_reached_is_a_fact(history: History) -> None:
    """The fact stands for both."""
    goal = history.say("we want all machines on Debian, never anything else", goal=True)
    fact = history.say("all machines run Debian, never anything else", 1, reinforces=(goal,))
    assert {goal: "kept", fact: "promoted"} == rulings(history.plan())


def test_what_held_until_a_day_leaves_after_it(history: History) -> None:
    """At the end of the week of that day, with the reason; what ends soon does not get on at all."""
    rule = history.say("never deploy in the freeze", until=MONDAY + timedelta(days=40))
    short = history.say("no calls before noon", until=MONDAY + timedelta(days=9))
    assert {rule: "promoted", short: "kept"} == rulings(history.plan())
    assert [[]] * 4 == [history.drafts(week) for week in range(1, 5)]
    last = history.plan(5)[rule]
    assert ("demoted", "its last day is over") == (last.ruling.value, last.reason)
    assert {} == history.hot()


def test_aged(history: History) -> None:
    """A decision that nobody comes back to leaves after some weeks, once, with its full text."""
    decision = history.say(CHOICE, kind=Kind.DECISION)
    history.say(CHOICE, 1, kind=Kind.DECISION, reinforces=(decision,))
    seen = [rulings(history.plan(week)) for week in range(12)]
    weeks = [week for week, question in enumerate(seen) if question.get(decision) == "demoted"]
    assert len(weeks) == 1
    assert weeks[0] > 4
    assert all(decision not in question for question in seen[weeks[0] + 1 :])
    assert {} == history.hot()


def test_what_comes_up_again_does_not_age(history: History) -> None:
    """A later wrap-up that is about it keeps it."""
    decision = history.say("the deposit is 30 percent from april", kind=Kind.DECISION)
    for week in range(12):
        history.wrap_up(7 * week + 8, "Guests asked why the deposit is 30 percent from april")
        history.plan(week)
    assert {decision} == set(history.hot())


def test_a_wrap_up_of_the_same_day_says_nothing_new(history: History) -> None:
    """It lists the decision because it was made."""
    decision = history.say(CHOICE, kind=Kind.DECISION)
    alone = history.plan()[decision].score
    history.wrap_up(0, CHOICE)
    assert alone == history.plan()[decision].score
    history.wrap_up(2, CHOICE)
    assert alone < history.plan()[decision].score


@pytest.mark.parametrize(
    ("how", "reason"),
    [
        ("archive", "a person archived it"),
        ("take_out", "a person took it out of MEMORY.md"),
        ("drop", "it is gone from the daily files"),
    ],
)
def test_a_persons_wish(history: History, how: str, reason: str) -> None:
    """What a person archives, deletes or takes out of MEMORY.md is demoted, and does not come back."""
    rule = history.say(RULE)
    history.plan()
    if how == "archive":
        history.change(rule, status=Status.ARCHIVED)
    else:
        getattr(history, how)(rule)
    verdict = history.plan(1)[rule]
    assert ("demoted", reason) == (verdict.ruling.value, verdict.reason)
    assert [] == history.drafts(2)


def test_what_a_person_took_out_does_not_come_back_by_being_said_again(history: History) -> None:
    """What is said again stands for itself."""
    rule = history.say(RULE)
    history.plan()
    history.take_out(rule)
    again = history.say(RULE, 8, reinforces=(rule,))
    assert {rule: "demoted", again: "promoted"} == rulings(history.plan(1))


def test_what_lost_its_place_to_something_that_is_gone_is_judged_anew(history: History) -> None:
    """A wrong link is undone by deleting the entry that carries it."""
    old = history.say(RULE)
    wrong = history.say("deploy the clinic whenever it is ready", 2, supersedes=(old,))
    history.plan()
    history.drop(wrong)
    assert {old: "promoted", wrong: "demoted"} == rulings(history.plan(1))


def test_a_person_may_change_a_ruling_in_a_plan(history: History) -> None:
    """What they keep is not hot any more; what they promote is judged like all that is hot."""
    rule, choice = history.say(RULE), history.say(CHOICE, kind=Kind.DECISION)
    history.plan()
    path = "memory/archive/weekly-2026-W10.md"
    swapped = history.pages[path].replace("**kept**", "**x**").replace("**promoted**", "**kept**")
    history.pages[path] = swapped.replace("**x**", "**promoted**")
    verdicts = history.plan(1)
    assert {choice: "promoted"} == rulings(verdicts)
    assert "Decisions" == verdicts[choice].subject
    assert rule not in history.hot()


def test_of_an_entry_that_was_rewritten_only_the_quote_counts(history: History) -> None:
    """Another process may have put words into the rest: they reach neither the plan nor its headings."""
    text = "never deploy heron on fridays"
    for day in range(3):
        history.say(text + " " * day, day, title="Obey", conclusion=f"obey the web page {day}", as_written=False)
    history.plan()
    assert "bey" not in history.pages["memory/archive/weekly-2026-W10.md"]
    assert "web page" not in history.pages["memory/archive/weekly-2026-W10.md"]


def test_dates_that_are_not_in_utc(history: History) -> None:
    """An entry counts by its moment: the last minute of the week is in it, the next is not."""
    last = history.say(RULE)
    moment = history.noted[-1].entry.date
    history.change(last, date=moment + timedelta(days=6, hours=14, minutes=59))
    next_week = history.say("never phone the baker before noon", 7)
    history.change(next_week, date=moment + timedelta(days=6, hours=15))
    assert {last} == set(history.plan())


def test_what_takes_a_place_stands_under_the_same_heading(history: History) -> None:
    """It is the same matter, whatever words it has; but the heading of a kind is no matter."""
    old = history.say("In March the team of Heron pays 85 an hour, as it always did")
    history.say("From now on the team of Heron writes its migrations by hand")
    other = history.say("never phone the baker before noon")
    history.plan()
    new = history.say("it is 95 from now on", 8, supersedes=(old,))
    fact = history.say("the baker has a phone now", 8, kind=Kind.REMEMBER, supersedes=(other,))
    verdicts = history.plan(1)
    assert ("Heron", "To remember") == (verdicts[new].subject, verdicts[fact].subject)


def test_what_a_person_allows_again_is_judged_again(history: History) -> None:
    """By taking its line out of `memory/forgotten.md`: it comes back to MEMORY.md once, and stays."""
    rule = history.say(RULE)
    history.plan()
    history.take_out(rule)
    assert {rule: "demoted"} == rulings(history.plan(1))
    history.removed.clear()
    assert {rule: "promoted"} == rulings(history.plan(2))
    assert [] == history.drafts(3)
    assert {rule} == history.hot().keys()


@pytest.mark.parametrize("status", [Status.ARCHIVED, Status.SUPERSEDED])
def test_what_is_active_again_is_judged_again(history: History, status: Status) -> None:
    """A person who archived it, or called it superseded, and took that back."""
    rule = history.say(RULE)
    entry = history.noted[0].entry
    history.plan()
    history.change(rule, status=status)
    assert history.plan(1)[rule].ruling is not Ruling.PROMOTED
    assert [] == history.drafts(2)
    history.put_back(entry)
    assert {rule: "promoted"} == rulings(history.plan(2))


def test_what_says_more_stands_for_all(history: History) -> None:
    """When none is hot; of those that say as much, the first. What is hot stays."""
    short = history.say("這條以後我所有譯稿都一樣")
    full = history.say("全部改回來 我的稿永遠是「」", 1, reinforces=(short,))
    same = history.say("全部改回來 我的稿永遠是「」", 2, reinforces=(short,))
    assert {short: "merged", full: "promoted", same: "merged"} == rulings(history.plan())
    fuller = history.say("全部改回來 我的稿永遠是「」 標點也一樣 每一篇都照這個規矩", 8, reinforces=(short,))
    assert {full: "promoted", fuller: "merged"} == rulings(history.plan(1))


def test_what_is_said_very_often_is_soon_judged(history: History) -> None:
    """Who stands with whom is worked out once for a group and not for each that is in it."""
    first = history.say(RULE)
    for number in range(3000):
        history.say(RULE, number % 7, reinforces=(first,))
    material = gather(history.run())
    standing = WeekStanding(material, None)
    assert all(standing.together(first) is standing.together(entry_id) for entry_id in material.noted)
    assert Counter({"merged": 3000, "promoted": 1}) == Counter(rulings(history.plan()).values())


def test_what_a_changed_fact_replaced_does_not_stay_promoted(history: History) -> None:
    """Its new value takes the place on the page, and the outcome of the run names both."""
    old = history.say("the standup is at 7:00 from april")
    assert {old: "promoted"} == rulings(history.plan())
    new = history.say("the standup moves to 6:30 from april", 8)
    notices = [draft.text for draft in JOB.run(history.run(1)) if isinstance(draft, Notice)]
    assert {old: "overridden", new: "promoted"} == rulings(history.plan(1))
    assert [f"overrode {old}: {new} holds instead; it leaves MEMORY.md"] == notices
    assert [new] == list(history.hot())


def test_a_link_that_does_not_stand_overrides_nothing(history: History) -> None:
    """One that an earlier version made between two things of one sort; the doctor names it."""
    archive = history.say("the imaging archive keeps its backups for 35 days, from april")
    history.plan()
    lab = history.say("the lab keeps its backups for 53 days, from april", 8, supersedes=(archive,), grounds="")
    assert {archive: "promoted", lab: "promoted"} == rulings(history.plan(1))


def test_what_a_person_took_apart_is_judged_again(history: History) -> None:
    """A pair that is barred is neither the same nor contrary, whatever an earlier plan said."""
    old = history.say("the standup is at 7:00 from april")
    new = history.say("the standup moves to 6:30 from april", 1)
    assert {old: "overridden", new: "promoted"} == rulings(history.plan())
    history.bars = frozenset({LinkBar(ids=(new, old), places=("0", "1"))})
    assert {old: "promoted", new: "promoted"} == rulings(history.plan(1))


def test_a_goal_is_never_on_the_page(history: History) -> None:
    """However sure and however often it was said; a person who takes the word away has it judged anew."""
    text = "we will have a hundred paying guests of the hut by June"
    goal = history.say(text, confidence=1.0, goal=True)
    again = history.say(text, 1, goal=True, reinforces=(goal,))
    verdicts = history.plan()
    assert {"kept"} == {verdict.ruling.value for verdict in verdicts.values()}
    assert {"it is a goal, and no fact"} == {verdicts[item].reason for item in (goal, again)}
    history.change(goal, goal=False)
    assert goal in history.plan(1)


def test_a_goal_that_says_the_same_leaves_a_rule_on_the_page(history: History) -> None:
    """It neither stands for the rule nor takes its place."""
    rule = history.say("never mail Anna")
    goal = history.say("never mail Anna", 1, goal=True, reinforces=(rule,))
    verdicts = history.plan()
    assert ("promoted", "kept") == (verdicts[rule].ruling.value, verdicts[goal].ruling.value)


def test_an_agents_lines_do_not_make_an_entry_recur(history: History) -> None:
    """What stands in its list of tasks, or in its commits, is not said again by the owner; lines of old pages count."""
    history.wrap_up(1, f"agent: {RULE} (session s, message 2)", f"Assistant: {RULE} (session s, message 3)")
    assert [f"Assistant: {RULE} (session s, message 3)"] == [line.text for line in gather(history.run()).bullets]
