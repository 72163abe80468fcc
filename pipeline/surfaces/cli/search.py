"""`memory search`."""

import io
import json
import sys
from collections.abc import Callable, Iterable
from datetime import date
from typing import Any

import click
from pydantic import Field, ValidationError, field_validator

from pipeline.app_index import Bystanders, open_index
from pipeline.index.asking.answering import Answering
from pipeline.index.asking.search import Wanted
from pipeline.surfaces.cli import options
from pipeline.surfaces.cli.environment import environment, root_of
from pipeline.surfaces.cli.rendering import print_json, printable
from schemas.base import Value
from schemas.entry import Kind, Status
from schemas.hit import Answer, Hit, Reach

_DAY = click.DateTime(["%Y-%m-%d"])
_KINDS = (*(kind.value for kind in Kind), "note", "summary", "plan", "memory", "log", "raw")
WRONG_USE = 2


class _Asked(Value):
    """A question with its options, as a line of --stdin names them."""

    query: str
    k: int = Field(default=6, ge=1, le=1000)
    tier: Reach = Reach.AUTO
    since: date | None = None
    until: date | None = None
    kind: tuple[str, ...] = ()
    status: tuple[Status, ...] = ()
    agent: tuple[str, ...] = ()
    as_of: date | None = None
    rerank: bool = False

    @field_validator("kind", "status", "agent", mode="before")
    @classmethod
    def _one_or_more(cls, told: object) -> object:
        return (told,) if isinstance(told, str) else told

    @property
    def wanted(self) -> Wanted:
        return Wanted(
            text=self.query,
            k=self.k,
            reach=self.tier,
            since=self.since,
            until=self.until,
            kinds=self.kind,
            statuses=tuple(each.value for each in self.status),
            agents=self.agent,
            as_of=self.as_of,
            rerank=self.rerank,
        )


@click.command("search")
@click.argument("question", metavar="[QUERY]...", nargs=-1)
@click.option("-k", "--k", type=click.IntRange(1, 1000), default=6, show_default=True, help="How many hits.")
@click.option("--tier", type=click.Choice(["warm", "cold", "all"]), help="Where; by itself warm first, then the rest.")
@click.option("--since", type=_DAY, metavar="DAY", help="Only what was said or written on this day or later.")
@click.option("--until", type=_DAY, metavar="DAY", help="Only what was said or written on this day or earlier.")
@click.option("--kind", multiple=True, type=click.Choice(_KINDS), help="Only this kind; may be repeated.")
@click.option("--status", multiple=True, type=click.Choice([each.value for each in Status]), help="Only this status.")
@click.option("--agent", multiple=True, metavar="NAME", help="Only what belongs to this agent.")
@click.option("--as-of", type=_DAY, metavar="DAY", help="As things were at the end of this day.")
@click.option("--rerank", is_flag=True, help="Rank the best again with the cross-encoder of the settings.")
@click.option("--stdin", "from_stdin", is_flag=True, help='Read one {"query": ...} a line, and answer one a line.')
@options.as_json
@options.workspace
def command(
    question: tuple[str, ...],
    workspace: str | None,
    *,
    from_stdin: bool,
    as_json: bool,
    **asked: Any,  # noqa: ANN401 - the options declared above
) -> int:
    """Find what is remembered, with where it stands.

    Changed files are taken into the index first when there are few of them. What a later entry took the place of gives
    way to that one; with --as-of it is as it was then.

    With --json: `query`, `hits` and `notes`. A hit has `path`, `start_line`, `end_line`, exactly those lines as `text`,
    a short `snippet`, `date`, `kind`, `tier`, `status`, `confidence`, `trust`, why it is `uncertain`, the matched
    `terms` and all `places` that say it. With --stdin a line may name other options too, such as
    {"query": "...", "k": 3}; a line that is no question is answered with an `error`.
    """
    if from_stdin == bool(question):
        message = "ask something, either as words or with --stdin"
        raise click.UsageError(message)
    told = {name: value for name, value in asked.items() if value}
    lines = _lines() if from_stdin else [json.dumps({"query": " ".join(question)})]
    show = _print if as_json else _show
    with open_index(root_of(workspace), Bystanders(environment())) as opened:
        answering = Answering(opened.indexing, opened.searching)
        return max([_answered(line, told, answering, show) for line in lines if line.strip()], default=0)


def _lines() -> Iterable[str]:
    """What is asked on stdin: UTF-8 whatever the locale; what is none takes no more than itself from a question."""
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(encoding="utf-8-sig", errors="replace")
    return sys.stdin


def _answered(line: str, told: dict[str, Any], answering: Answering, show: Callable[[Answer], None]) -> int:
    """Answer one line; the exit code that it deserves."""
    try:
        asked = _Asked.model_validate({**told, **json.loads(line)})
    except (ValidationError, ValueError, TypeError, RecursionError) as error:
        print_json({"error": f"this line is no question: {_first_line(error)}", "hits": []})
        return WRONG_USE
    show(answering(asked.wanted))
    return 0


def _first_line(error: Exception) -> str:
    if isinstance(error, ValidationError):
        first = error.errors()[0]
        return f"{'.'.join(map(str, first['loc'])) or 'it'}: {first['msg']}"
    return f'{error}; write {{"query": "..."}}'


def _print(answer: Answer) -> None:
    print_json(answer.model_dump(mode="json"))


def _show(answer: Answer) -> None:
    for number, hit in enumerate(answer.hits, start=1):
        click.echo(f"{number}. {click.style(_cited(hit), bold=True)}  {_standing(hit)}")
        click.echo(f"   {printable(hit.snippet)}")
        if others := [_cited(place) for place in hit.places[1:]]:
            click.echo(f"   also: {', '.join(others)}")
    if not answer.hits:
        click.echo("Nothing was found.")
    for note in answer.notes:
        click.echo(f"Note: {note}", err=True)


def _cited(place: Any) -> str:  # noqa: ANN401 - a hit or a place, which have the same three fields
    return f"{place.path}#L{place.start_line}-L{place.end_line}"


def _standing(hit: Hit) -> str:
    told = [f"{hit.date}" if hit.date else "no date", hit.kind, hit.status]
    told += [f"confidence {hit.confidence:.2f}"] if hit.confidence is not None else []
    return ", ".join([*told, f"trust {hit.trust}", *([f"uncertain: {hit.uncertain}"] if hit.uncertain else [])])
