"""The short tour of `memory demo`: a screen with what it is strongest at, and the command that shows all of it."""

import re
import shlex
from collections.abc import Iterable, Iterator, Sequence
from textwrap import wrap

import click

from pipeline.app.index import open_index
from pipeline.clock import to_the_minute
from pipeline.engine.context import Engine
from pipeline.engine.suggestions import waiting
from pipeline.entries.reference import short_id
from pipeline.index.search.fresh_search import Answering
from pipeline.process.context import ProcessContext
from pipeline.reports.agents import AgentFolder
from pipeline.reports.entries import list_entries
from pipeline.reports.placed_entries import PlacedEntry
from pipeline.reports.suggestions import rank_suggestions, short_ids
from pipeline.surfaces.cli.terminal.console import style
from pipeline.surfaces.cli.terminal.format import count, cut_line, printable, width
from pipeline.surfaces.cli.views.tour import AGENT, PAGE, QUESTIONS, WORDS_ALONE, page_lines
from schemas.entry import Entry
from schemas.requests import SearchRequest

_WIDTH = 80
_LABEL = 11  # columns of the name of a line
_LINK = re.compile(r"\[([^]\[]*)\]\([^()]*\)")
_PAGE_LINES, _AGENT_LINES, _SUGGESTIONS = 5, 3, 3


def show_short_tour(engine: Engine) -> None:
    """Show the best of the demo's workspace on a screen of 80 columns."""
    places = list_entries(engine)
    sessions = len({record.session for record in engine.catalog.listing()})
    click.echo(f"{count(len(places), 'entry', 'entries')} from {count(sessions, 'session')}. One of them:")
    known = {place.entry.id: place.entry for place in places}
    for place in places:
        if earlier := next((known[name] for name in place.entry.supersedes if name in known), None):
            _show_entry(engine, place, earlier)
            break
    _show_part(f"{PAGE}, the page that an agent reads first", _first_items(page_lines(engine, PAGE), _PAGE_LINES))
    _show_hit(engine)
    if AGENT in engine.settings.agents.by_name:  # not in a workspace of an earlier version
        brain = AgentFolder(engine.settings.agents, engine.workspace, engine.ledger, AGENT).wake().parts[:1]
        lines = [line for part in brain for line in part.text.splitlines()]
        _show_part(f"What the agent {AGENT} knows when it wakes up", _first_items(lines, _AGENT_LINES))
    _show_waiting(engine)
    _show_next(engine, places)


def _show_entry(engine: Engine, place: PlacedEntry, earlier: Entry) -> None:
    """Show an entry with its quote, and what it took the place of."""
    entry = place.entry
    said = to_the_minute(entry.date, engine.zone)
    for name, text in (
        (entry.kind.value, f"{entry.title} [{short_id(entry.id)}]"),
        ("you said", f'"{entry.quote}", on {said}'),
        ("replaces", f'"{earlier.quote}", of {earlier.date:%Y-%m-%d} [{short_id(earlier.id)}]'),
        ("stands in", f"{place.path}, which is yours to edit"),
    ):
        first, *more = wrap(printable(text), _WIDTH - _LABEL - 2)
        for label, line in ((name, first), *(("", line) for line in more)):
            click.echo(f"  {label:<{_LABEL}}{line}")


def _first_items(lines: Iterable[str], most: int) -> Iterator[str]:
    """The first items of a page, and how many more it has."""
    items = [_LINK.sub(r"\1", line) for line in lines if line.startswith("- ")]
    yield from items[:most]
    if len(items) > most:
        yield f"... and {len(items) - most} more"


def _show_part(title: str, lines: Iterable[str]) -> None:
    click.echo(f"\n{style(title, bold=True)}")
    for line in lines:
        click.echo(f"  {cut_line(printable(line), _WIDTH - 2)}")


def _show_hit(engine: Engine) -> None:
    question = QUESTIONS[0][0]
    with open_index(engine.workspace.root, ProcessContext(WORDS_ALONE)) as opened:
        hits = Answering(opened.indexing, opened.searching)(SearchRequest(query=question, k=1)).hits
    for hit in hits[:1]:
        place = f"{hit.path}#L{hit.start_line}-L{hit.end_line}  {hit.date}, {hit.kind}, {hit.status}"
        _show_part(f'memory search "{question}"', (place, hit.snippet))


def _show_waiting(engine: Engine) -> None:
    known = waiting(engine)
    names = short_ids(known)
    best = rank_suggestions(known)[:_SUGGESTIONS]
    if best:
        lines = (
            f"{names[suggestion.id]}  {suggestion.shown.date:%Y-%m-%d}  {suggestion.about.text}" for suggestion in best
        )
        _show_part(f"What was not clear waits for you: {count(len(known), 'suggestion')}, the best of them", lines)


def _show_next(engine: Engine, places: Sequence[PlacedEntry]) -> None:
    commands = {
        f"cd {shlex.quote(str(engine.workspace.root))}": "",
        "memory show entries": "all that was written",
        **{f"memory show {short_id(place.entry.id)}": "the story of an entry" for place in places[-1:]},
        "memory suggestions decide": "say yes or no to what waits",
        "memory serve": "shows all of it as a page; memory open opens it",
        "memory demo --all": "the whole tour: days, weeks, facts, large outputs",
        "memory init ~/memory": "a memory of your own",
    }
    room = max(width(command) for command, meaning in commands.items() if meaning)
    _show_part("Where to go from here", ())
    for command, meaning in commands.items():
        click.echo(f"  {command:<{room}}  {meaning}".rstrip())
