"""The progress of a series: a line for each run, a bar on a terminal, and the windows left."""

import json
import os
import shlex
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from typing import Self

import click

from pipeline.app.runs import Differences, Happening, NoRoom, NothingDue, StillOpen, Undecided
from pipeline.backfill.plan import exit_code
from pipeline.backfill.series import Begun, Estimate, Estimated, Finished, Left, Progress, RunEnded
from pipeline.job import OFFLINE
from pipeline.surfaces.cli.terminal.format import (
    clock_time,
    count,
    fit,
    local,
    print_json,
    printable,
    rough_time,
)
from pipeline.surfaces.cli.terminal.streams import is_dumb, raw_stream
from schemas.outcome import NO_ROOM, SUCCESSES, Ending, Outcome

_ENDING_WIDTH = max(map(len, Ending))
_FREE = "No model is set, so the jobs work offline: no question is asked, and nothing is paid."


class SeriesView:
    """Prints the events of a series as they come; `code` is the exit code of the series."""

    def __init__(self, *, as_json: bool, bar: bool, dry_run: bool, brief: bool) -> None:
        """Print nothing yet.

        Args:
            as_json: for programs: a line for each run, all else as events on stderr or not at all.
            bar: show a progress bar on a terminal.
            dry_run: nothing is changed, and stdout is for the difference alone.
            brief: of runs only those that did not end well have a line.
        """
        self._as_json, self._bar, self._dry_run, self._brief = as_json, bar, dry_run, brief
        self._printer: ProgressPrinter | None = None
        self.code = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._end_runs()

    def show(self, happening: Happening) -> None:
        """Print one event."""
        if isinstance(happening, Begun):
            self._printer = ProgressPrinter(
                happening, as_json=self._as_json, bar=self._bar, dry_run=self._dry_run, brief=self._brief
            )
            self._printer.open()
        elif isinstance(happening, RunEnded) and self._printer:
            self._printer.add(happening)
        elif isinstance(happening, Progress) and self._printer:
            self._printer.tell_progress(happening)
        else:
            self._end_runs(whole=isinstance(happening, Finished))
            self._show_other(happening)

    def _end_runs(self, *, whole: bool = False) -> None:
        if self._printer:
            self._printer.close(whole=whole)
            self._printer = None

    def _show_other(self, happening: Happening) -> None:
        if isinstance(happening, Finished):
            self.code = exit_code(happening.endings)
        elif isinstance(happening, Differences):
            _show_differences(happening, as_json=self._as_json)
        elif isinstance(happening, Estimated):
            print_estimate(happening, as_json=self._as_json, dry_run=self._dry_run)
        elif isinstance(happening, Left):
            _print_left(happening, as_json=self._as_json)
        elif isinstance(happening, NothingDue) and not self._as_json:
            _print_nothing_due(happening)
        elif isinstance(happening, StillOpen) and not self._as_json:
            _print_still_open(happening, dry_run=self._dry_run)
        elif isinstance(happening, NoRoom) and not self._as_json:
            click.echo(f"{happening.page.sentence}.\n  {happening.page.advice}", err=self._dry_run)
        elif isinstance(happening, Undecided) and not self._as_json:
            _print_undecided(happening, dry_run=self._dry_run)


class ProgressPrinter:
    """Prints outcomes as they come. With a bar on the terminal, lines wait until the bar is done."""

    def __init__(self, begun: Begun, *, as_json: bool, bar: bool, dry_run: bool, brief: bool) -> None:
        """Print nothing yet; the arguments are those of `SeriesView`."""
        self._endings: list[Ending] = []
        self._tokens, self._backfill = 0, begun.backfill
        self._zone, self._expected, self._days = begun.zone, begun.windows, begun.days
        self._as_json, self._dry_run, self._brief = as_json, dry_run, brief
        self._held: list[str] = []
        self._entries = self._lines_written = self._rejected = 0
        self._pages = set[str]()
        self._warnings = {""}
        self._warned = set[str]()
        self._with_bar = bar and not as_json and sys.stderr.isatty() and not is_dumb(os.environ)
        self._open = ExitStack()

    def open(self) -> None:
        """Show the bar, if there is one."""
        if self._with_bar:
            self._bar = self._open.enter_context(
                click.progressbar(length=self._expected, file=raw_stream(sys.stderr), item_show_func=self._so_far)
            )

    def close(self, *, whole: bool) -> None:
        """Print what waits, and the sum; not the one of nothing at all when the series was not run as a `whole`."""
        self._open.close()
        for line in self._held:
            self._print(line)
        if not self._as_json and (whole or self._endings):
            self._print(self._summary())
        if not self._as_json and self._backfill and (self._entries or self._lines_written or self._pages):
            click.echo(f"memory: `memory undo --backfill {self._backfill}` takes all of it back.", err=True)

    def tell_progress(self, progress: Progress) -> None:
        """Print the progress of the series on stderr; a bar shows it by itself, the log has it for programs."""
        if not self._as_json and not self._with_bar:
            left = f"about {rough_time(progress.seconds_left)} left"
            click.echo(f"memory: {self._share(progress.done)}, {left}.", err=True)

    def add(self, ended: RunEnded) -> None:
        """Print the outcome of a run, now or once the bar is done."""
        outcome = ended.outcome
        self._tokens = ended.tokens
        self._endings.append(outcome.ending)
        self._entries += len(ended.titles)
        self._lines_written += len(outcome.written) - len(ended.titles)
        self._pages |= set() if outcome.written else set(outcome.paths)
        self._rejected += sum(rejection.reason != NO_ROOM for rejection in outcome.rejected)
        if self._as_json:
            print_json(outcome)
        elif self._with_bar:
            self._bar.update(1, outcome)
            self._held += self._lines(ended)
        else:
            for line in self._lines(ended):
                self._print(line)

    def _so_far(self, outcome: Outcome | None) -> str | None:
        """The text of the bar beside the time left."""
        if outcome is None:
            return None
        return self._share(len(self._endings)) + (f"  {count(self._tokens, 'token')}" if self._tokens else "")

    def _share(self, done: int) -> str:
        """The part of the series that is done: in days, of which each has as many windows, or in windows of a day."""
        if self._days > 1:
            return f"{min(done * self._days // self._expected, self._days)} of {count(self._days, 'day')}"
        return f"{min(done, self._expected)} of {count(self._expected, 'window')}"

    def _print(self, line: str) -> None:
        # What a dry run prints is the difference alone, for `patch` or a pager.
        click.echo(line, err=self._dry_run)

    def _lines(self, ended: RunEnded) -> list[str]:
        outcome, titles = ended.outcome, ended.titles
        # A year has thousands of empty windows; the summary counts them. One with a warning is printed, but each
        # warning only once.
        shown = outcome.ending is not Ending.EMPTY or outcome.warning not in self._warnings
        self._warnings.add(outcome.warning)
        self._warned |= {outcome.warning} - {""} if outcome.ending in SUCCESSES else set()
        if not shown or (self._brief and outcome.ending in SUCCESSES):
            return []
        notices = (f"  {printable(notice)}" for notice in outcome.notices)
        return [outcome_line(outcome, self._zone, titles), *_written_lines(outcome, titles), *notices]

    def _summary(self) -> str:
        if not self._endings:
            return "Nothing was left to do: it has been dealt with already; `memory show runs` tells when."
        endings = ", ".join(f"{number} {ending}" for ending, number in Counter(self._endings).items())
        others = f" and {count(self._lines_written, 'other line')}" if self._lines_written else ""
        written = f"{count(self._entries, 'entry', 'entries')}{others} written"
        summary = f"{count(len(self._endings), 'window')} ({endings}): {written}"
        pages = f", {count(len(self._pages), 'page')} brought up to date" if self._pages else ""
        warnings = f"; {count(len(self._warned), 'warning')}, see above" if self._warned else ""
        return f"{summary}{pages}, {count(self._rejected, 'candidate')} rejected{warnings}."


def _written_lines(outcome: Outcome, titles: Mapping[str, str]) -> Iterator[str]:
    """A line for each entry that was written: its short id and its title."""
    from pipeline.entries.reference import short_id

    for entry_id in outcome.written if titles else ():
        title = titles.get(entry_id, "")
        yield fit(f"  wrote {short_id(entry_id)}  {printable(title)}".rstrip())


def outcome_line(outcome: Outcome, zone: str, titles: Mapping[str, str] | None = None) -> str:
    """The ending of a run, in a line. With `titles` its entries are only counted: a line for each entry follows."""
    from pipeline.engine.partition import key_in_words

    parts = [f"{outcome.ending:<{_ENDING_WIDTH}}  {outcome.job}  {key_in_words(outcome.key, outcome.window, zone)}"]
    if outcome.written and titles:
        parts.append(f"{count(len(outcome.written), 'entry', 'entries')} to {', '.join(outcome.paths)}")
    elif outcome.written:
        parts.append(f"wrote {', '.join(outcome.written)} to {', '.join(outcome.paths)}")
    elif outcome.paths:
        parts.append(f"brought {', '.join(outcome.paths)} up to date")
    if outcome.suggested:
        parts.append(f"suggested {len(outcome.suggested)}")
    if rejected := sum(rejection.reason != NO_ROOM for rejection in outcome.rejected):
        parts.append(f"rejected {rejected}")
    if outcome.warning:
        parts.append(printable(outcome.warning))
    return "  ".join(parts)


def _print_undecided(undecided: Undecided, *, dry_run: bool) -> None:
    """Print how many suggestions wait; in a dry run also what those of this run say, which stands in no file."""
    for suggestion in undecided.new if dry_run else ():
        click.echo(f"  would suggest  {suggestion.id[:8]}  {printable(suggestion.text)}", err=True)
    click.echo(undecided.sentence, err=dry_run)


def _print_nothing_due(nothing: NothingDue) -> None:
    """Print that there is nothing to run, when the next window comes, and which setting may be the cause."""
    coming = ""
    if nothing.coming:
        window = nothing.coming.window
        day = local(window.start, nothing.zone)[:10]
        end, begins = (clock_time(moment, nothing.zone) for moment in (window.end, nothing.coming.run_from))
        coming = (
            f" The next window of {nothing.job}, of {day}, ends at {end} and is run from {begins}; "
            "`memory backfill` reads earlier days."
        )
    click.echo(nothing.why or f"Nothing is due.{coming}")
    for sentence in nothing.unread:
        click.echo(f"memory: {printable(sentence)}; `memory doctor` says what to do.", err=True)
    if not nothing.sources:
        click.echo("memory.toml names no [[sources]] yet, so there is nothing to read.", err=True)
    if not nothing.why and not nothing.start:
        click.echo("memory.toml sets no `start`, so nothing becomes due; `memory backfill` still works.", err=True)


def _print_still_open(still: StillOpen, *, dry_run: bool) -> None:
    """Print that the newest messages wait for the end of their window."""
    end, begins = (clock_time(moment, still.zone) for moment in (still.coming.window.end, still.coming.run_from))
    spoken = "session has" if still.sessions == 1 else "sessions have"
    click.echo(
        f"{still.sessions} {spoken} messages in a window of {still.job} that is still open: it ends at {end}, and is "
        f"run from {begins} by `memory serve`, a timer, or `memory run`.",
        err=dry_run,
    )


def _show_differences(difference: Differences, *, as_json: bool) -> None:
    if as_json:
        from schemas.reports.runs import DryRun

        print_json(DryRun("\n".join(difference.lines)))
        return
    click.echo("\n".join(difference.lines) if difference.lines else "A run now would change no file.")
    click.echo("memory: this was a dry run; nothing was written.", err=True)


def print_estimate(estimated: Estimated, *, as_json: bool, dry_run: bool) -> None:
    """Print, on stderr, the estimate of a back-fill before it starts."""
    estimate = estimated.estimate
    if as_json:
        days = [day.isoformat() for day in estimated.days or ()] or None
        _print_event(
            "backfill.estimated", backfill=estimated.backfill, **vars(estimate), days=days, later=estimated.later
        )
        return
    name = "dry run" if dry_run else f"back-fill {estimated.backfill}"
    size = f"{count(estimate.partitions, 'window')} over {count(estimate.sessions, 'session')}"
    span = ", {} to {}".format(*estimated.days) if estimated.days else ""
    click.echo(f"memory: {name}: {size}{span}.", err=True)
    if estimated.later:
        click.echo(f"  {count(estimated.later, 'window')} more are left for another time (--max-windows).", err=True)
    parts = [_FREE] if estimate.model == OFFLINE else [*_questions(estimate)]
    if estimate.whole_to:
        parts.append(f"The last week is judged without the days after --to; --to {estimate.whole_to} takes it whole.")
    click.echo("".join(f"  {line}\n" for line in parts), err=True, nl=False)


def _questions(estimate: Estimate) -> Iterator[str]:
    from pipeline.backfill.foresee import OUTPUT_SHARE

    asked, tokens = count(estimate.questions, "question"), count(estimate.input_tokens, "token")
    yield f"The model {estimate.model} is asked {asked}: {tokens} in (counted),"
    cost = "" if estimate.cost is None else f"; about {estimate.cost:.2f} {estimate.currency} in all"
    yield f"and an estimated {count(estimate.output_tokens, 'token')} out ({OUTPUT_SHARE:.0%} of that){cost}."
    if estimate.answered:
        yield f"{count(estimate.answered, 'question')} more cost nothing: the answers are known."
    yield "Questions that build on answers come on top."
    if estimate.takes_days is not None:
        time = "a day at most" if estimate.takes_days <= 1 else f"about {estimate.takes_days} days"
        yield f"At the model's pace, and within the limits of a day, that takes {time}; it may be stopped at any time."


def _print_left(left: Left, *, as_json: bool) -> None:
    """Print the number of windows left, and the command that goes on."""
    if as_json:
        _print_event("backfill.stopped", backfill=left.backfill, left=left.windows, resume=list(left.resume))
    else:
        by_itself = " `memory serve` goes on with it by itself." if left.by_itself else ""
        notice = f"{count(left.windows, 'window')} still to run in back-fill {left.backfill}.{by_itself} To go on:"
        click.echo(f"{notice}\n  {shlex.join(left.resume)}")


def _print_event(event: str, **fields: object) -> None:
    """A JSON line on stderr, in the manner of the log: stdout has a line for each run, and nothing else."""
    click.echo(json.dumps({"event": event, **fields}, ensure_ascii=False, separators=(",", ":")), err=True)
