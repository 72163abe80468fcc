"""The decisions of the day: which of the entries, and how they are told."""

# ruff: noqa: RUF001 - full-width marks are what Chinese is written with

from datetime import UTC, datetime, timedelta
from typing import Any

from jobs.wrapup.kept_lines import keep_lines
from jobs.wrapup.page import DayLines, decisions, page
from jobs.wrapup.points import Bullet, MessageNumbers
from pipeline.entries.reference import wordless
from pipeline.job import Inputs, Noted
from schemas.entry import Kind, Status, Trust, correction_grounds
from schemas.summary import Part
from schemas.window import Window
from tests.support.builders.entries import noted
from tests.support.builders.job_run import job_run, offline
from tests.support.tables import table

START = datetime(2026, 3, 2, tzinfo=UTC)
WINDOW = Window(start=START, end=START + timedelta(days=1))
MORNING = START + timedelta(hours=9)


def decision_lines(*noted: Noted) -> list[str]:
    """The list items for these entries."""
    run = job_run(WINDOW, offline, inputs=Inputs(entries=noted))
    return [decision.line() for decision in decisions(run)]


def test_decisions_are_those_of_the_day_that_verify() -> None:
    """Not another day's, nor one that does not verify, nor one that a person archived; each where it stands."""
    entries = (
        noted("D-before", date=START - timedelta(seconds=1)),
        noted("D-after", date=WINDOW.end),
        noted("D-poison", trust=Trust.UNVERIFIED),
        noted("D-archived", status=Status.ARCHIVED),
        noted("D-late", date=WINDOW.end - timedelta(seconds=1), path="memory/recent/2026-03-02-2.md"),
        noted("D-accepted", trust=Trust.ACCEPTED),
    )

    lines = decision_lines(*entries)

    assert [
        "- conclusion of D-accepted ([D-accepted](../../memory/2026-03-02.md); session s, messages 4-7)",
        "- conclusion of D-late ([D-late](../../memory/recent/2026-03-02-2.md); session s, messages 4-7)",
    ] == lines


def test_of_a_decision_that_somebody_changed_only_the_quote_is_reported() -> None:
    """Its quote stands in the transcript; the rest may be anybody's."""
    [bullet] = decision_lines(noted("D", as_written=False))

    assert bullet.startswith('- "quote of D" ([D](')


def test_the_words_of_an_id_that_nobody_vouches_for_are_not_reported() -> None:
    """Neither where it links, nor as what took the place of another."""
    ids = ["RULE-20260302-mail-eve", "RULE-20260302-mail-eve-more"]
    later = noted(ids[1], date=MORNING + timedelta(hours=1), supersedes=(ids[0],), as_written=False, quote="q")

    first, second = decision_lines(later, noted(ids[0], as_written=False, quote="q"))

    assert first.startswith(f'- "q" - superseded the same day by {wordless(ids[1])} ([{wordless(ids[0])}](')
    assert second.startswith(f'- "q" ([{wordless(ids[1])}](')


def test_a_decision_that_was_replaced_the_same_day_says_so() -> None:
    """By what; the one that holds says nothing."""
    later = noted("D-2", date=MORNING + timedelta(hours=1), supersedes=("D-1",))

    first, second = decision_lines(later, noted("D-1"))

    assert first.startswith("- conclusion of D-1 - superseded the same day by D-2 (")
    assert second.startswith("- conclusion of D-2 (")


def test_a_decision_is_replaced_by_the_correction_of_what_replaced_it() -> None:
    """The words that a person corrected stand nowhere."""
    at = MORNING + timedelta(hours=1)
    later = noted("D-2", date=at, supersedes=("D-1",))
    corrected = noted("D-3", date=at, corrects="D-2", grounds=correction_grounds(at))

    first, second = decision_lines(later, corrected, noted("D-1"))

    assert first.startswith("- conclusion of D-1 - superseded the same day by D-3 (")
    assert second.startswith("- conclusion of D-3 (")


def test_a_decision_replaced_on_a_later_day_reads_as_on_its_own() -> None:
    """A page never looks ahead, so that a back-fill gives the same bytes."""
    later = noted("D", status=Status.SUPERSEDED, superseded_by=("D-of-next-week",))

    assert decision_lines(noted("D")) == decision_lines(later)


def test_what_is_to_be_remembered_is_no_decision() -> None:
    """It opens the important conversations, with the link to its entry; the count of decisions is without it."""
    entries = (noted("R-1", kind=Kind.REMEMBER), noted("D-1"))
    run = job_run(WINDOW, offline, inputs=Inputs(entries=entries))
    talk = Bullet("1-2", Part.CONVERSATION, "Flour went up", MORNING, (MessageNumbers("s", (1,)),))

    drafts = {draft.name: draft.text for draft in page(run, [], decisions(run), DayLines([talk], [], keep_lines(run)))}

    lines = list(drafts.values())
    link = "[R-1](../../memory/2026-03-02.md); session s, messages 4-7"
    assert [
        "## Important conversations",
        f"- To remember: conclusion of R-1 ({link})",
        "- Flour went up (session s, message 1)",
    ] == lines[lines.index("## Important conversations") :][:3]
    assert "decisions: 1\nactions: 0\nconversations: 2\n" in drafts["front-matter"]


def test_what_follows_stands_behind_a_decision_unless_a_line_of_the_page_tells_it() -> None:
    """The words in which the assistant takes note, after an arrow; not when they say nothing new, nor twice."""
    news: dict[str, Any] = {
        "conclusion": "The deposit of all six cabins by the lake goes up to 30 percent in April",
        "impact": "The price page and the terms follow.",
    }
    run = job_run(WINDOW, offline, inputs=Inputs(entries=(noted("D", **news),)))
    [decision] = decisions(run)

    assert decision.line().startswith(f"- {news['conclusion']} → {news['impact']} (")
    assert decision.line([f"Assistant: {news['impact']}"]).startswith(f"- {news['conclusion']} (")
    echo = noted("D", conclusion=news["conclusion"], impact="30 percent of deposit for the cabins in April.")
    assert decision_lines(echo)[0].startswith(f"- {news['conclusion']} (")


def test_a_conclusion_of_few_words_stands_behind_what_it_answers() -> None:
    """`Tuesday it is` alone tells nothing."""
    [line] = decision_lines(
        noted("D", conclusion="tuesday 18 and done", finding="Until when do we take orders for doughnuts?")
    )

    assert line.startswith("- Until when do we take orders for doughnuts? → tuesday 18 and done (")


@table(
    ("said", "stands"),
    [
        ("remember that the road is closed", "the road is closed"),
        ("please note: the road is closed", "the road is closed"),
        ("Zapamiętaj, że droga jest zamknięta", "droga jest zamknięta"),
        ("記住：湖邊的路封閉了", "湖邊的路封閉了"),
        ("remembering the road is hard", "remembering the road is hard"),
    ],
)
def test_the_order_to_remember_is_not_repeated_behind_its_label(said: str, stands: str) -> None:
    """The label says it."""
    [line] = decision_lines(noted("R", kind=Kind.REMEMBER, conclusion=said))

    assert line.startswith(f"- To remember: {stands} (")


def test_what_is_in_review_is_not_reported() -> None:
    """Until a person keeps it."""
    assert [] == decision_lines(noted("D", status=Status.IN_REVIEW))
