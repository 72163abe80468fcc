"""Suggestions for people: grouped by kind and session, and one by one."""

from collections.abc import Iterator, Sequence
from itertools import groupby

import click

from pipeline.corrections.correction import KEEPING
from pipeline.corrections.entities import NAMINGS
from pipeline.ledger.suggestions import KeptSuggestion
from pipeline.reports.suggestions import short_ids
from pipeline.surfaces.cli.terminal.console import style
from pipeline.surfaces.cli.terminal.format import printable
from pipeline.surfaces.cli.views.progress import outcome_line
from schemas.outcome import Outcome
from schemas.suggestion import StandingEntry, StandingLink, Suggestion

_SAID_NOWHERE = ("change", "fact", "alias")
DECIDE = "memory suggestions decide"
"""The command to begin with."""


def print_suggestions(meant: Sequence[KeptSuggestion], known: Sequence[KeptSuggestion], most: int) -> None:
    """Print a list of the first so many; `known` are all that wait, by which ids are shortened."""
    names, shown = short_ids(known), meant[:most]
    for (kind, where), group in groupby(shown, key=_group_name):
        click.echo(f"{style(kind, bold=True)}, {printable(where)}")
        for suggestion in group:
            click.echo(f"  {names[suggestion.id]}  {_suggestion_line(suggestion)}")
    if len(shown) < len(meant):
        click.echo(f"The best {len(shown)} of {len(meant)} are shown; --all lists all.")
    if meant:
        click.echo(f"`{DECIDE}` goes through them; accept, decline and edit take ids, --kind or --reason.")
    else:
        click.echo("No suggestion waits." if not known else "No suggestion that waits fits these options.")


def print_one(suggestion: KeptSuggestion, text: str = "", *, beside: bool = False) -> None:
    """Print all that a person needs to decide; `text` is their own wording. On stderr where it stands `beside` JSON."""
    shown = suggestion.shown
    what = printable(text or shown.text)
    click.echo(f"\n{style(_describe_subject(suggestion), bold=True)}  {what}", err=beside)
    if shown.quote:
        click.echo(f'  said "{printable(shown.quote)}"', err=beside)
    why = _describe_reason(suggestion)
    click.echo(f"  {shown.date:%Y-%m-%d}, {printable(_describe_place(shown))}, {why}", err=beside)


def decision_lines(outcomes: Sequence[Outcome], zone: str) -> Iterator[str]:
    """The lines about accepted suggestions, one for each run, with the id that undo takes."""
    for outcome in outcomes:
        if outcome.job in NAMINGS:
            yield f"made it another name in {', '.join(outcome.paths)}, by run {outcome.run_id}"
        elif outcome.job == KEEPING:
            yield f"kept what stands, by run {outcome.run_id}"
        elif outcome.written:
            yield f"wrote {', '.join(outcome.written)} to {', '.join(outcome.paths)}, by run {outcome.run_id}"
        else:
            yield outcome_line(outcome, zone)


def _group_name(suggestion: KeptSuggestion) -> tuple[str, str]:
    return suggestion.shown.kind, _describe_place(suggestion.shown)


def _describe_place(shown: Suggestion) -> str:
    """The session of the words, with its project; of what a tool asked for, who asked and how; of a fact its file."""
    session = shown.source.session_id
    where = session if shown.form in _SAID_NOWHERE and not shown.quote else f"session {session}"
    return f"{where}, {shown.project}" if shown.project else where


def _suggestion_line(suggestion: KeptSuggestion) -> str:
    shown = suggestion.shown
    standing = "" if suggestion.about.is_new else f"{_describe_subject(suggestion)}, "
    return f"{shown.date:%Y-%m-%d}  {printable(suggestion.about.text)}  ({standing}{_describe_reason(suggestion)})"


def _describe_subject(suggestion: KeptSuggestion) -> str:
    """The kind of a new entry; else what stands: an entry, or a link."""
    forms = {StandingEntry: "stands in its file", StandingLink: "link"}
    return forms.get(type(suggestion.about), suggestion.shown.kind)


def _describe_reason(suggestion: KeptSuggestion) -> str:
    sure = suggestion.shown.confidence
    return suggestion.reason if sure is None else f"{suggestion.reason}, {sure:.2f}"
