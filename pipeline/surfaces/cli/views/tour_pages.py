"""The part of the tour that shows pages: a day's wrap-up, MEMORY.md, and a decision that came and went."""

import re
from collections.abc import Iterator

import click

from pipeline.engine.context import Engine
from pipeline.reports.entries import Place, explain
from pipeline.surfaces.cli.commands.explain import show_story
from pipeline.surfaces.cli.terminal.format import count, head
from schemas.entry import Status

_MARK = re.compile(r" ?<!-- memory:.*?-->")
_LINES = 12
_WRAP_UPS = "second-brain/summaries/*-wrapup.md"
_PLANS = "memory/archive/weekly-*.md"
_PAGE = "MEMORY.md"


def show_days_and_weeks(engine: Engine, places: list[Place]) -> None:
    """Show the longest wrap-up, the page for agents, and the story of a decision that does not hold any more."""
    days = {path: list(_lines(engine, path)) for path in engine.workspace.select(_WRAP_UPS)}
    if days:
        longest = max(days, key=lambda path: len(days[path]))
        head("What every night makes of the day")
        click.echo(f"{count(len(days), 'wrap-up')}. The fullest, {longest}, says among other things:\n")
        _show([line for line in days[longest] if line.startswith(("## ", "- "))])
    page = list(_lines(engine, _PAGE))
    if page:
        head("What every week makes of the weeks")
        plans = count(len(engine.workspace.select(_PLANS)), "plan")
        click.echo(
            f"{plans} in memory/archive/, with a reason for every verdict; and {_PAGE}, for agents to read first:\n"
        )
        _show([line for line in page if line.strip()])
    gone = next((place for place in places if place.status is Status.SUPERSEDED), None)
    if gone and page:
        head("A decision that came and went")
        show_story(explain(engine, gone.entry.id), engine.zone)


def _lines(engine: Engine, path: str) -> Iterator[str]:
    """A page as it looks when it is rendered: without our marks."""
    text = (engine.workspace.read(path) or b"").decode(errors="replace")
    yield from _MARK.sub("", text).splitlines()


def _show(lines: list[str]) -> None:
    for line in lines[:_LINES]:
        click.echo(f"  {line}")
    if len(lines) > _LINES:
        click.echo(f"  ... and {count(len(lines) - _LINES, 'line')} more")
