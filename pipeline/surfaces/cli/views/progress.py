"""Telling how runs end: a line for each, a bar for a person who waits, and what is left."""

import json
import os
import shlex
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from typing import Self

import click

from pipeline.backfill.estimate import Estimate
from pipeline.backfill.foresee import OUTPUT_SHARE
from pipeline.clock import stopwatch
from pipeline.corrections.page_room import FullPage
from pipeline.engine.context import Engine
from pipeline.engine.partition import key_in_words
from pipeline.job import OFFLINE
from pipeline.reports.status import upcoming
from pipeline.surfaces.cli.ordering import Order
from pipeline.surfaces.cli.terminal.format import SHORT_ID, clock_time, count, local, print_json, printable, short_id
from pipeline.surfaces.cli.terminal.streams import is_dumb, unescaped
from schemas.outcome import NO_ROOM, SUCCESSES, Ending, Outcome

_ENDING_WIDTH = max(map(len, Ending))
_FREE = "No model is set, so the jobs work offline: no question is asked, and nothing is paid."
_SHORTEST = 0.001  # seconds; nothing is as fast as that


class Telling:
    """Tells outcomes as they come. With a bar on the terminal, lines wait until the bar is done."""

    def __init__(
        self,
        order: Order,
        zone: str,
        expected: int,
        tokens: Callable[[], int] = lambda: 0,
        titles: Callable[[Outcome], Mapping[str, str]] = lambda _: {},
    ) -> None:
        """`expected` runs; `tokens` is asked how many were used so far, `titles` for those of what a run wrote."""
        self.endings: list[Ending] = []
        self._titles = titles
        self._tokens, self._began = tokens, stopwatch()
        self._order, self._zone, self._expected = order, zone, expected
        self._held: list[str] = []
        self._written = self._rejected = 0
        self._pages = set[str]()
        self._warnings = {""}
        self._warned = set[str]()
        self._with_bar = order.bar and not order.as_json and sys.stderr.isatty() and not is_dumb(os.environ)
        self._open = ExitStack()

    def __enter__(self) -> Self:
        if self._with_bar:
            self._bar = self._open.enter_context(
                click.progressbar(
                    length=self._expected, file=unescaped(sys.stderr), show_pos=True, item_show_func=self._so_far
                )
            )
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self._open.close()
        for line in self._held:
            self._say(line)
        if not self._order.as_json and (kind is None or self.endings):
            self._say(self._summary())

    def tell(self, outcome: Outcome) -> None:
        """One more."""
        self.endings.append(outcome.ending)
        self._written += len(outcome.written)
        self._pages |= set() if outcome.written else set(outcome.paths)
        self._rejected += sum(each.reason != NO_ROOM for each in outcome.rejected)
        if self._order.as_json:
            print_json(outcome.model_dump())
        elif self._with_bar:
            self._bar.update(1, outcome)
            self._held += self._lines(outcome)
        else:
            for line in self._lines(outcome):
                self._say(line)

    def _so_far(self, outcome: Outcome | None) -> str | None:
        """What the bar shows beside the time left."""
        if outcome is None:
            return None
        rate = len(self.endings) / max(stopwatch() - self._began, _SHORTEST)
        tokens = self._tokens()
        return f"{rate:.1f}/s" + (f"  {count(tokens, 'token')}" if tokens else "")

    def _say(self, line: str) -> None:
        # What a dry run prints is the difference alone, for `patch` or a pager.
        click.echo(line, err=self._order.dry_run)

    def _lines(self, outcome: Outcome) -> list[str]:
        # A year has thousands of windows in which nothing was said; the summary counts them. One that warns is told,
        # but not again and again of the same thing.
        shown = outcome.ending is not Ending.EMPTY or outcome.warning not in self._warnings
        self._warnings.add(outcome.warning)
        self._warned |= {outcome.warning} - {""} if outcome.ending in SUCCESSES else set()
        if not shown:
            return []
        titles = self._titles(outcome) if outcome.written else {}
        return [outcome_line(outcome, self._zone, titles), *_written_lines(outcome, titles)]

    def _summary(self) -> str:
        if not self.endings:
            return "Nothing was left to do: it has been dealt with already; `memory runs` tells when."
        endings = ", ".join(f"{number} {ending}" for ending, number in Counter(self.endings).items())
        told = f"{count(len(self.endings), 'window')} ({endings}): {count(self._written, 'entry', 'entries')} written"
        pages = f", {count(len(self._pages), 'page')} brought up to date" if self._pages else ""
        warnings = f"; {count(len(self._warned), 'warning')}, see above" if self._warned else ""
        return f"{told}{pages}, {count(self._rejected, 'candidate')} rejected{warnings}."


def _written_lines(outcome: Outcome, titles: Mapping[str, str]) -> Iterator[str]:
    """A line for each entry that was written: as much of its id as names it, and its title."""
    for entry_id in outcome.written if titles else ():
        title = titles.get(entry_id, "")
        yield f"  wrote {short_id(entry_id):<{SHORT_ID}}  {printable(title)}".rstrip()


def outcome_line(outcome: Outcome, zone: str, titles: Mapping[str, str] | None = None) -> str:
    """How one run ended, in a line. With `titles` what it wrote is only counted: a line for each entry follows."""
    parts = [f"{outcome.ending:<{_ENDING_WIDTH}}  {outcome.job}  {key_in_words(outcome.key, outcome.window, zone)}"]
    if outcome.written and titles:
        parts.append(f"{count(len(outcome.written), 'entry', 'entries')} to {', '.join(outcome.paths)}")
    elif outcome.written:
        parts.append(f"wrote {', '.join(outcome.written)} to {', '.join(outcome.paths)}")
    elif outcome.paths:
        parts.append(f"brought {', '.join(outcome.paths)} up to date")
    if rejected := sum(each.reason != NO_ROOM for each in outcome.rejected):
        parts.append(f"rejected {rejected}")
    if outcome.warning:
        parts.append(printable(outcome.warning))
    return "  ".join(parts)


def say_nothing_due(engine: Engine, order: Order, backfill: str) -> None:
    """Say that there is nothing to run, when there will be, and why that may not be what the person thinks.

    `backfill` is the sentence of a back-fill, and empty for anything else.
    """
    if order.as_json:
        return
    settings = engine.settings
    click.echo(backfill or f"Nothing is due.{_when_due(engine)}")
    if not settings.sources:
        click.echo("memory.toml names no [[sources]] yet, so there is nothing to read.", err=True)
    if not backfill and settings.start is None:
        click.echo("memory.toml sets no `start`, so nothing becomes due; `memory backfill` still works.", err=True)


def _when_due(engine: Engine) -> str:
    found = [(coming.run_from, job, coming) for job in engine.jobs if (coming := upcoming(engine, job))]
    if not found:
        return ""
    _, job, coming = min(found, key=lambda each: each[0])
    day = local(coming.window.start, engine.zone)[:10]
    end, run_from = (clock_time(moment, engine.zone) for moment in (coming.window.end, coming.run_from))
    return (
        f" The next window of {job.name}, of {day}, ends at {end} and is run from {run_from}; "
        "`memory backfill` reads earlier days."
    )


def say_no_room(order: Order, full: FullPage) -> None:
    """Say that entries wait for room on the page, and what mends that."""
    if not order.as_json:
        click.echo(f"{full.told}.\n  {full.advice}", err=order.dry_run)


def say_estimate(order: Order, backfill_id: str, estimate: Estimate) -> None:
    """Say, on stderr, what a back-fill will take before it starts."""
    if order.as_json:
        say_event("backfill.estimated", backfill=backfill_id, **vars(estimate))
        return
    name = "dry run" if order.dry_run else f"back-fill {backfill_id}"
    size = f"{count(estimate.partitions, 'window')} over {count(estimate.sessions, 'session')}"
    click.echo(f"memory: {name}: {size}.", err=True)
    told = [_FREE] if estimate.model == OFFLINE else [*_questions(estimate)]
    if estimate.whole_to:
        told.append(f"The last week is judged without the days after --to; --to {estimate.whole_to} takes it whole.")
    click.echo("".join(f"  {line}\n" for line in told), err=True, nl=False)


def _questions(estimate: Estimate) -> Iterator[str]:
    asked, tokens = count(estimate.questions, "question"), count(estimate.input_tokens, "token")
    yield f"The model {estimate.model} is asked {asked}: {tokens} in (counted),"
    cost = "" if estimate.cost is None else f"; about {estimate.cost:.2f} {estimate.currency} in all"
    yield f"and an estimated {count(estimate.output_tokens, 'token')} out ({OUTPUT_SHARE:.0%} of that){cost}."
    if estimate.answered:
        yield f"{count(estimate.answered, 'question')} more cost nothing: the answers are known."
    yield "Questions that build on answers come on top."


def say_left(order: Order, backfill_id: str, left: int, resume: Sequence[str]) -> None:
    """Say what still has to run and how to go on."""
    if order.as_json:
        say_event("backfill.stopped", backfill=backfill_id, left=left, resume=list(resume))
    else:
        click.echo(
            f"{count(left, 'window')} still to run in back-fill {backfill_id}. To go on:\n  {shlex.join(resume)}"
        )


def say_event(event: str, **fields: object) -> None:
    """A JSON line on stderr, in the manner of the log: stdout has a line for each run, and nothing else."""
    click.echo(json.dumps({"event": event, **fields}, ensure_ascii=False, separators=(",", ":")), err=True)
