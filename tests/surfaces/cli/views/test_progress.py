"""The lines about runs."""

import json
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from pipeline.app.runs import Happening
from pipeline.backfill.series import Begun, Finished, Left, Progress, RunEnded
from pipeline.entries.reference import short_id
from pipeline.surfaces.cli.views.progress import SeriesView, outcome_line
from schemas.outcome import Ending, Outcome, Rejection
from schemas.window import Window


def shown(*happenings: Happening, as_json: bool = False, bar: bool = False, dry_run: bool = False) -> int:
    """Show what happens, with the defaults of the command line; the exit code."""
    with SeriesView(as_json=as_json, bar=bar, dry_run=dry_run, brief=False) as view:
        for happening in happenings:
            view.show(happening)
    return view.code


def begun(windows: int, zone: str = "UTC") -> Begun:
    """A series of `micro_sync`."""
    return Begun(windows, frozenset({"micro_sync"}), zone)


def outcome(ending: Ending, **fields: object) -> Outcome:
    """How a run of 2026-02-20, 21:00 to 24:00 in Warsaw, ended."""
    window = Window(start=datetime(2026, 2, 20, 20, tzinfo=UTC), end=datetime(2026, 2, 20, 23, tzinfo=UTC))
    key = "2026-02-20T21:00+01:00/2026-02-21T00:00+01:00"
    return Outcome.model_validate({"job": "micro_sync", "key": key, "window": window, "ending": ending} | fields)


def test_a_line_tells_when_what_and_why() -> None:
    """The local window, what was written, how many candidates were not, and the warning on one line."""
    rejected = (Rejection(reason="no", session_id="s", number=1),)
    ended = outcome(Ending.DEGRADED, written=("A", "B"), paths=("p.md",), rejected=rejected, warning="x\ny")
    assert outcome_line(ended, "Europe/Warsaw") == (
        "degraded     micro_sync  2026-02-20 21:00 to 24:00  wrote A, B to p.md  rejected 1  x y"
    )


def test_what_was_written_is_named_by_its_titles(capsys: pytest.CaptureFixture[str]) -> None:
    """A line for each entry, with the short id that a command takes; ids alone say little to a person."""
    long = "DECISION-20260220-the-queue-lives-in-postgres-and-nowhere-else"
    titles = {long: "The queue lives in Postgres", "RULE-20260220-x": "Two\nlines"}
    done = outcome(Ending.DONE, written=tuple(titles), paths=("p.md",), warning="w")
    shown(begun(1, "Europe/Warsaw"), RunEnded(done, titles=titles))
    assert capsys.readouterr().out.splitlines()[:3] == [
        "done         micro_sync  2026-02-20 21:00 to 24:00  2 entries to p.md  w",
        f"  wrote {short_id(long)}  The queue lives in Postgres",
        f"  wrote {short_id('RULE-20260220-x')}  Two lines",
    ]


@pytest.mark.parametrize(
    ("as_json", "days", "line"),
    [
        (False, 1, "memory: 40 of 900 windows, about 3 minutes left.\n"),
        (False, 45, "memory: 2 of 45 days, about 3 minutes left.\n"),
        (True, 45, ""),
    ],
)
def test_the_time_left_is_a_line_beside_the_runs(
    as_json: bool,  # noqa: FBT001 - a parameter
    days: int,
    line: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """On stderr, in days where there are several; with `--json` the log has it."""
    shown(replace(begun(900), days=days), Progress(40, 900, 170), Finished(()), as_json=as_json)
    assert line == capsys.readouterr().err


def test_a_brief_series_names_what_did_not_end_well(capsys: pytest.CaptureFixture[str]) -> None:
    """And the sum."""
    with SeriesView(as_json=False, bar=False, dry_run=False, brief=True) as view:
        view.show(begun(2))
        for ending in (Ending.DONE, Ending.FAILED):
            view.show(RunEnded(outcome(ending)))
    printed = capsys.readouterr().out.splitlines()
    assert ["failed", "2"] == [line.split()[0] for line in printed]


@pytest.mark.parametrize(("fields", "named"), [({"written": ("A",)}, True), ({"paths": ("p.md",)}, True), ({}, False)])
def test_a_back_fill_that_wrote_tells_how_it_is_taken_back(
    fields: dict[str, object],
    named: bool,  # noqa: FBT001 - a parameter
    capsys: pytest.CaptureFixture[str],
) -> None:
    """With its id."""
    series = Begun(1, frozenset({"micro_sync"}), "UTC", "20260220-abcdef")
    shown(series, RunEnded(outcome(Ending.DONE, **fields)), Finished((Ending.DONE,)))
    assert named == ("`memory undo --backfill 20260220-abcdef`" in capsys.readouterr().err)


@pytest.mark.parametrize("bar", [False, True])
def test_empty_windows_are_only_counted(bar: bool, capsys: pytest.CaptureFixture[str]) -> None:  # noqa: FBT001 - a parameter
    """A line for each window in which something happened, and all in the sum: entries, and facts apart."""
    entry = RunEnded(outcome(Ending.DONE, written=("A",), paths=("p.md",)), titles={"A": "The boat is sold"})
    facts = RunEnded(outcome(Ending.DONE, written=("f-1", "f-2"), paths=("q.md",)))
    shown(begun(3), RunEnded(outcome(Ending.EMPTY)), entry, facts, bar=bar)
    printed = [line for line in capsys.readouterr().out.splitlines() if not line.startswith(" ")]
    assert [line.split()[0] for line in printed] == ["done", "done", "3"]
    assert printed[-1] == "3 windows (1 empty, 2 done): 1 entry and 2 other lines written, 0 candidates rejected."


@pytest.mark.parametrize("bar", [False, True])
def test_an_empty_window_that_warns_is_reported(bar: bool, capsys: pytest.CaptureFixture[str]) -> None:  # noqa: FBT001 - a parameter
    """Once: a file that is away is away for a year of windows. The sum counts what was warned of."""
    away = RunEnded(outcome(Ending.EMPTY, warning="x.md is away"))
    done = RunEnded(outcome(Ending.DONE, paths=("p.md",), warning="y.md is away"))
    shown(begun(4), away, away, done, RunEnded(outcome(Ending.FAILED, warning="no room")), bar=bar)
    *lines, total = capsys.readouterr().out.splitlines()
    assert ["empty", "done", "failed"] == [line.split()[0] for line in lines]
    assert ["x.md is away", "y.md is away", "no room"] == [line.split("  ")[-1] for line in lines]
    assert total.endswith("1 page brought up to date, 0 candidates rejected; 2 warnings, see above.")


def test_programs_get_every_window(capsys: pytest.CaptureFixture[str]) -> None:
    """Also the empty ones; times have their offset in one form."""
    shown(begun(1), RunEnded(outcome(Ending.EMPTY)), as_json=True)
    (record,) = map(json.loads, capsys.readouterr().out.splitlines())
    assert (record["ending"], record["window"]["start"]) == ("empty", "2026-02-20T20:00:00+00:00")


def test_what_others_did_meanwhile_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    """A series in which no window was left is no silence."""
    shown(begun(2), Finished(()))
    said = capsys.readouterr().out
    assert said == "Nothing was left to do: it has been dealt with already; `memory show runs` tells when.\n"


def test_a_dry_run_keeps_stdout_for_the_difference(capsys: pytest.CaptureFixture[str]) -> None:
    """What would be run is told on stderr."""
    shown(begun(1), RunEnded(outcome(Ending.DONE)), dry_run=True)
    printed = capsys.readouterr()
    assert (printed.out, len(printed.err.splitlines())) == ("", 2)


def test_what_was_stopped_before_its_first_window_has_no_sum(capsys: pytest.CaptureFixture[str]) -> None:
    """Only how to go on; a sum would say that nothing was left to do."""
    shown(begun(2), Left("20260220-a", 2, ("memory", "backfill", "--resume", "20260220-a")))
    assert capsys.readouterr().out == (
        "2 windows still to run in back-fill 20260220-a. To go on:\n  memory backfill --resume 20260220-a\n"
    )


def test_the_exit_code_is_that_of_the_whole_series() -> None:
    """Some failed and some did not."""
    endings = (Ending.DONE, Ending.FAILED)
    assert 3 == shown(begun(2), *(RunEnded(outcome(ending)) for ending in endings), Finished(endings))
