"""`memory search`.

What answers is imported when there is no service to ask: so this starts at once.
"""

import io
import json
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any

import click

from pipeline.errors import NoQuestion
from pipeline.service.socket.client_or_local import MemoryClient
from pipeline.surfaces.cli.terminal import options
from pipeline.surfaces.cli.terminal.console import style
from pipeline.surfaces.cli.terminal.date_params import Day
from pipeline.surfaces.cli.terminal.environment import environment, root_of
from pipeline.surfaces.cli.terminal.format import print_json, printable
from schemas.reports.index import NoAnswer
from schemas.said_mark import said_mark
from schemas.search_limits import ALSO, DETAIL_KINDS, HITS, MEMORY_KINDS, MOST

KINDS = tuple(dict.fromkeys((*MEMORY_KINDS, *DETAIL_KINDS)))
TIERS = ("warm", "cold", "all", "detail", "said")
STATUSES = ("active", "superseded", "archived", "in_review")
WRONG_USE = 2


def _fields(_: click.Context, __: click.Parameter, value: str | None) -> tuple[str, ...]:
    """The names of `--fields`.

    Raises:
        click.BadParameter: no hit has such a field.
    """
    if value is None:
        return ()
    from pipeline.reports.compact_hits import KNOWN, unknown

    names = tuple(filter(None, (name.strip() for name in value.split(","))))
    if wrong := unknown(names):
        message = f"no hit has {', '.join(wrong)}; known are {', '.join(KNOWN)}"
        raise click.BadParameter(message)
    return names


@click.command("search")
@click.argument("question", metavar="[QUERY]...", nargs=-1)
@click.option(
    "-k", "--k", type=click.IntRange(1, MOST), default=HITS, show_default=True, metavar="N", help="How many hits."
)
@click.option(
    "--tier", type=click.Choice(TIERS), help="Where; without it warm first, then all. detail: stored texts; said: talk."
)
@click.option("--since", type=Day(), metavar="DAY", help="Only what was said or written on this day or later.")
@click.option("--until", type=Day(), metavar="DAY", help="Only what was said or written on this day or earlier.")
@click.option(
    "--kind", multiple=True, type=click.Choice(KINDS), help="Only this kind, or type of stored texts; may be repeated."
)
@click.option("--thread", "thread_id", metavar="ID", help="With --tier detail: only stored texts of this session.")
@click.option("--status", multiple=True, type=click.Choice(STATUSES), help="Only this status.")
@click.option(
    "--agent",
    multiple=True,
    metavar="NAME",
    shell_complete=options.names_of("agents"),
    help="Only what belongs to this agent.",
)
@click.option("--entity", multiple=True, metavar="NAME", help="Only what names it, by any of its names; repeatable.")
@options.project
@click.option("--as-of", type=Day(), metavar="DAY", help="As things were at the end of this day.")
@click.option("--rerank", is_flag=True, help="Rank the best again with the cross-encoder of the settings.")
@click.option("--stdin", "from_stdin", is_flag=True, help='Read one {"query": ...} a line, and answer one a line.')
@click.option(
    "--budget", type=click.IntRange(1), metavar="TOKENS", help="Compact JSON of at most so many tokens (o200k_base)."
)
@click.option("--fields", callback=_fields, metavar="NAME,...", help="Compact JSON with these fields of a hit.")
@options.as_json
@options.workspace
def command(  # noqa: PLR0913 - the options
    question: tuple[str, ...],
    workspace: str | None,
    *,
    budget: int | None,
    fields: tuple[str, ...],
    from_stdin: bool,
    as_json: bool,
    **asked: Any,  # noqa: ANN401 - the options declared above
) -> int:
    """Find what is remembered, with where it stands.

    Changed files are taken into the index first when there are few of them. What a later entry took the place of gives
    way to that one; with --as-of it is as it was then.

    What was said about it in transcripts is a list of its own behind the hits: cited, with secrets masked, and believed
    by nobody. `[replaced by ID]` marks words of which something else was written since. `memory show lines` shows an
    address such as said:SESSION#41 with the messages around it.

    With --json: `query`, `hits`, `said` and `notes`. A hit has `path`, `start_line`, `end_line`, exactly those lines as
    `text`, a short `snippet`, `date`, `kind`, `tier`, `status`, `confidence`, `trust`, why it is `uncertain`, the
    `project`, the matched `terms` and all `places` that say it. Of `said` each has its address as `at`, `session_id`,
    `message_range`, `time`, `speaker`, `trust`, `text`, `snippet`, its neighbours `before` and `after`, `source_gone`
    when its transcript is gone, and `also`, the addresses of copies; of words that hold no more also the `status` of
    their `entry_ids`, what is in force instead as `superseded_by`, what that says as `now`, and whether it is so
    `in_part`. With --stdin a line may name other options too, such as {"query": "...", "k": 3}; a line that is no
    question is answered with an `error`.

    With --budget or --fields the JSON is compact: a hit has its place as `at`, its text once, at most three others that
    say it as `also`, and no field that is empty or the status `active`. Hits that the budget does not hold are counted
    in `left_out`; of a first hit that is too long the first lines are given, and `next` is the place of the rest.
    """
    if from_stdin == bool(question):
        message = "Say what to look for: either as words or with --stdin."
        raise click.UsageError(message)
    arguments = {name: value for name, value in asked.items() if value}
    show = partial(_show_compact, fields, budget) if fields or budget else print_json if as_json else _show_answer
    with MemoryClient(root_of(workspace), environment()) as client:
        if from_stdin:
            return max(
                [_answer_line(line, arguments, client, show) for line in _questions() if line.strip()], default=0
            )
        show(client.search({**arguments, "query": " ".join(question)}))
    return 0


def _questions() -> Iterable[str]:
    """The questions on stdin: UTF-8 in any locale; an invalid byte spoils no other question."""
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(encoding="utf-8-sig", errors="replace")
    return sys.stdin


def _answer_line(
    line: str, defaults: Mapping[str, object], client: MemoryClient, show: Callable[[Mapping[str, Any]], None]
) -> int:
    """Answer a line of stdin; the exit code that it deserves."""
    try:
        asked = {**json.loads(line)}
    except (ValueError, TypeError, RecursionError) as error:
        print_json(NoAnswer(f'this line is no question: {error}; write {{"query": "..."}}'))
        return WRONG_USE
    try:
        answer = client.search({**defaults, **asked})
    except NoQuestion as error:
        print_json(NoAnswer(f"this line is no question: {error}"))
        return WRONG_USE
    show(answer)
    return 0


def _show_answer(answer: Mapping[str, Any]) -> None:
    for number, hit in enumerate(answer["hits"], start=1):
        click.echo(f"{number}. {style(_cite_place(hit), bold=True)}  {_describe_hit(hit)}")
        click.echo(f"   {printable(hit['snippet'])}")
        _show_others([_cite_place(place) for place in hit["places"][1:]])
    if not (answer["hits"] or answer["said"]):
        click.echo("Nothing was found.")
    _show_said(answer["said"])
    for note in answer["notes"]:
        click.echo(f"Note: {note}", err=True)


def _show_compact(fields: Sequence[str], budget: int | None, answer: Mapping[str, Any]) -> None:
    from pipeline.reports.compact_hits import compact_answer

    print_json(compact_answer(answer, fields, budget))


def _cite_place(place: Mapping[str, Any]) -> str:
    """The place of a hit, or another place with the same words."""
    return f"{place['path']}#L{place['start_line']}-L{place['end_line']}"


def _show_said(said: Sequence[Mapping[str, Any]]) -> None:
    if said:
        click.echo("Said:")
    for hit in said:
        click.echo(f"- {style(printable(hit['at']), bold=True)}  {_describe_message(hit)}")
        click.echo(f"   {printable(hit['snippet'])}")
        if hit.get("now"):
            click.echo(f"   now: {printable(hit['now'])}")
        _show_others([printable(place) for place in hit["also"]])


def _show_others(places: Sequence[str]) -> None:
    """Print the other places with the same words."""
    if places:
        more = [f"and {len(places) - ALSO} more"] if len(places) > ALSO else []
        click.echo(f"   also: {', '.join([*places[:ALSO], *more])}")


def _describe_message(hit: Mapping[str, Any]) -> str:
    """The time, speaker and project of a said message, whether its transcript is gone, and its mark."""
    when, gone = hit["time"][:16].replace("T", " "), "source gone" if hit.get("source_gone") else ""
    spoken = ", ".join(filter(None, (when, hit["speaker"], hit["trust"], printable(hit["project"]), gone)))
    return f"{spoken}  {printable(mark)}" if (mark := said_mark(hit)) else spoken


def _describe_hit(hit: Mapping[str, Any]) -> str:
    facts = [hit["date"] or "no date", hit["kind"], hit["status"]]
    facts += [f"confidence {hit['confidence']:.2f}"] if hit["confidence"] is not None else []
    facts += [f"project {printable(hit['project'])}"] if hit["project"] else []
    return ", ".join(
        [*facts, f"trust {hit['trust']}", *([f"uncertain: {hit['uncertain']}"] if hit["uncertain"] else [])]
    )


@click.command("lines")
@click.argument("place", metavar="PATH[#Lx-Ly]|ID")
@click.option("--raw", is_flag=True, help="Print the text as it stands, also what would steer a terminal.")
@options.as_json
@options.workspace
def get_command(place: str, workspace: str | None, *, raw: bool, as_json: bool) -> None:
    """Show lines that a search names, or an entry by its id.

    PATH is relative to the workspace, as in a hit; PATH#L10 is one line and PATH#L10-L20 are eleven.
    detail:KEY#L10-L20 are lines of a stored text, as `memory store show KEY --lines 10-20` has them; said:SESSION#41
    is a message of a transcript, with those before and after it. What would steer a
    terminal, or turn around what stands beside it, is shown escaped, as JSON would write it; not so with --raw.
    """
    if place.startswith("detail:"):
        from pipeline.app.details.opened import opened_details
        from pipeline.app.details.retrieve import read_detail_place
        from pipeline.process.context import ProcessContext

        with opened_details(root_of(workspace), ProcessContext(environment())) as details:
            page = read_detail_place(details.store, place)
        text = page.text.rstrip("\n")
        print_json(page) if as_json else click.echo(page.content if raw else text, nl=not raw)
        return
    with MemoryClient(root_of(workspace), environment()) as client:
        hit = client.get(place)
    if as_json:
        print_json(hit)
    else:
        click.echo(f"{hit['text']}\n".encode() if raw else hit["text"], nl=not raw)
