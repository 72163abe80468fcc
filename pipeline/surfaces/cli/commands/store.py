"""`memory store`."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from pipeline.app.conversation_deletion import expire_conversations
from pipeline.app.detail_index import taken_out
from pipeline.app.details.expiry import citations_of
from pipeline.app.details.keep import KeepRequest, KeptText
from pipeline.app.details.opened import OpenDetails, opened_details
from pipeline.app.details.retrieve import raw_parts, retrieve, show
from pipeline.app.details.upkeep import list_details, missing_keys, pin, prune
from pipeline.app.store_transfer import StoreImport, export_store, has_conversations
from pipeline.errors import PipelineError
from pipeline.errors.store import UnknownDetail
from pipeline.process.context import ProcessContext
from pipeline.process.foreign import OUT, Recording, pass_on
from pipeline.reports.details import listed_detail, shown_detail
from pipeline.surfaces.cli.terminal import options
from pipeline.surfaces.cli.terminal.environment import environment, root_of
from pipeline.surfaces.cli.terminal.error_handler import print_message
from pipeline.surfaces.cli.terminal.format import count, cut_line, local, print_columns, print_json, printable
from pipeline.surfaces.cli.terminal.person import refuse_agents
from pipeline.surfaces.cli.terminal.workspace import open_for_reading
from schemas.detail import PAGE_TOKENS, Detail, DetailFilter, DetailScope, DetailType, NamedType, PageRequest, Placement
from schemas.reports.details import (
    PinnedDetails,
    PrunedStore,
    ShownDetail,
)

_TYPES = click.Choice([kind.value for kind in DetailType])
_NAMED = click.Choice([kind.value for kind in NamedType])
_ROOM = 60  # columns of a description
_MEGABYTE = 1_000_000
_BLOCK = 262_144  # bytes that are read at once


@click.command("store")
@click.option("--type", "kind", type=_NAMED, help="What it is; else it is recognized. A user_preference is pinned.")
@click.option("--description", default="", metavar="TEXT", help="What it is about, in some words.")
@click.option("--global", "everywhere", is_flag=True, help="Keep it for all sessions: it never expires.")
@click.option("--pin", "pinned", is_flag=True, help="Never let it expire.")
@options.as_json
@options.workspace
def command(workspace: str | None, *, as_json: bool, **how: Any) -> None:  # noqa: ANN401 - the options declared above
    """Keep a large text, outside of an agent's context.

    Without a further word it stores what comes on stdin, with secrets masked, and prints the placeholder that stands
    for it: `make 2>&1 | memory store --type log --description "the build"`. A text of at most store.threshold tokens
    is printed as it is. Any bytes are taken, of any length: what is shown of them is decoded, what is stored is not
    changed but for secrets. When it cannot be stored, the text itself is printed, and a sentence on stderr says why.

    What belongs to a session expires after store.retention, but for what is pinned or what a transcript still cites.
    """
    if sys.stdin.isatty():
        message = "There is no text: pipe one into it, or say what to do, such as `memory store list`."
        raise click.UsageError(message)
    kept = _keep_stdin(workspace, **how)
    if as_json:
        print_json(kept.report)
    elif kept.detail:
        click.echo(kept.placeholder)
    else:
        click.echo(kept.content, nl=False)


@click.command("list")
@click.option("--type", "kind", type=_TYPES, help="Only those of this type.")
@click.option("--agent", default="", metavar="NAME", help="Only those of this agent.")
@click.option("--thread", default="", metavar="ID", help="Only those of this session.")
@click.option("--words", default="", metavar="TEXT", help="Only those with this in their description or synopsis.")
@click.option("--pinned", is_flag=True, help="Only those that are pinned.")
@click.option("--limit", type=click.IntRange(min=0), default=50, show_default=True, help="The most; 0 is all.")
@options.as_json
@options.workspace
def list_command(workspace: str | None, *, limit: int, as_json: bool, **wanted: Any) -> None:  # noqa: ANN401 - the options declared above
    """List what is stored, the newest first."""
    with _details(workspace) as details:
        stored = list_details(details.store, _filter_of(**wanted), limit)
    if as_json:
        for detail in stored:
            print_json(listed_detail(detail))
    elif stored:
        print_columns(map(_row, stored), ("STORED", "TYPE", "LINES", "KEY", "ABOUT"))
    else:
        click.echo("Nothing of this kind is stored." if any(wanted.values()) else "Nothing is stored yet.")


@click.command("show")
@click.argument("key")
@click.option("--raw", is_flag=True, help="Print the text itself, or its --lines, as it stands.")
@click.option("--lines", default="", metavar="A-B", help="Only these lines, such as 100-180, 7 or 500-.")
@click.option("--query", default="", metavar="TEXT", help="Only lines with these words, with what is around them.")
@click.option("--page", type=click.IntRange(min=1), help="A page of the text, or of what the other options choose.")
@click.option("--tokens", type=click.IntRange(100, 50_000), default=PAGE_TOKENS, show_default=True, help="Of a page.")
@options.as_json
@options.workspace
def show_command(key: str, workspace: str | None, *, raw: bool, as_json: bool, **wanted: Any) -> None:  # noqa: ANN401 - the options declared above
    """Show a stored text, or a part of it.

    KEY stands in the placeholder. Without an option it shows the synopsis.
    """
    if raw and (wanted["query"] or wanted["page"]):
        message = "--raw prints the text, or its --lines, as it stands; leave out --query and --page."
        raise click.UsageError(message)
    with _details(workspace) as details:
        if raw:
            for part in raw_parts(details.store, show(details.store, key), wanted["lines"]):
                click.echo(part, nl=False)
        elif wanted["lines"] or wanted["query"] or wanted["page"]:
            page = retrieve(details.store, key, PageRequest(**wanted | {"page": wanted["page"] or 1}))
            print_json(page) if as_json else click.echo(page.full_text)
        else:
            shown = shown_detail(show(details.store, key))
            print_json(shown) if as_json else _print(shown)


@click.command("pin")
@click.argument("keys", nargs=-1, required=True, metavar="KEY...")
@options.as_json
@options.workspace
def pin_command(keys: tuple[str, ...], workspace: str | None, *, as_json: bool) -> int:
    """Pin stored texts, so that they never expire."""
    return _pin(keys, workspace, pinned=True, as_json=as_json)


@click.command("unpin")
@click.argument("keys", nargs=-1, required=True, metavar="KEY...")
@options.as_json
@options.workspace
def unpin_command(keys: tuple[str, ...], workspace: str | None, *, as_json: bool) -> int:
    """Let pinned texts expire as others do."""
    return _pin(keys, workspace, pinned=False, as_json=as_json)


@click.command("prune")
@click.option("--dry-run", is_flag=True, help="Show what would go, and change nothing.")
@options.as_json
@options.workspace
def prune_command(workspace: str | None, *, dry_run: bool, as_json: bool) -> None:
    """Let the texts go that have expired.

    Those that a transcript still cites stay. The conversations that have expired go too. A conversation expires after
    store.conversation_retention, unless it has a pinned text or a job has still to read it; its texts go with it.
    """
    with open_for_reading(workspace) as engine, _details(workspace) as details:
        expired = expire_conversations(engine, details.store, dry_run=dry_run)
        pruned = prune(details.store, details.clock.now(), citations_of(engine, details.store), dry_run=dry_run)
        keys = (*expired.details, *pruned.gone)
        notice = "" if dry_run else taken_out(engine.workspace.root, ProcessContext(environment()), keys)
    if as_json:
        print_json(PrunedStore(pruned.gone, pruned.size, pruned.cited, notice, expired.gone, expired.unread))
        return
    went = "would go" if dry_run else "went"
    click.echo(f"{count(len(pruned.gone), 'text')} {went}, {_megabytes(pruned.size)}.")
    if expired.gone:
        click.echo(f"{count(len(expired.gone), 'conversation')} {went}, with {count(len(expired.details), 'text')}.")
    if expired.unread:
        click.echo(f"{count(len(expired.unread), 'conversation')} expired too, but jobs have still to read them.")
    if pruned.cited:
        click.echo(f"{count(len(pruned.cited), 'text')} expired too, but a transcript still cites them, so they stay.")
    if notice:
        click.echo(notice)


@click.command("export")
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--agent", default="", metavar="NAME", help="Only those of this agent.")
@click.option("--thread", default="", metavar="ID", help="Only those of this session.")
@options.as_json
@options.workspace
def export_command(folder: Path, workspace: str | None, *, agent: str, thread: str, as_json: bool) -> None:
    """Write all that is stored into FOLDER.

    FOLDER must not be there yet. Written are the stored texts, the conversations with their messages and summaries, and
    what users want in all sessions: a line of JSON for each in store.jsonl, with its kind, and the texts beside it.
    With --agent or --thread it is what belongs to these alone.
    """
    with _details(workspace) as details:
        written = export_store(details.store, folder, _filter_of(agent=agent, thread=thread))
    if as_json:
        print_json(written)
        return
    kept = count(len(written.keys), "text"), count(len(written.conversations), "conversation")
    click.echo(f"{', '.join(kept)} and {written.preferences} preferences written into {printable(str(folder))}.")


@click.command("import")
@click.argument("folder", type=click.Path(path_type=Path))
@options.as_json
@options.workspace
def import_command(folder: Path, workspace: str | None, *, as_json: bool) -> None:
    """Bring back what was exported into FOLDER.

    What is there stays as it is. Exports of earlier versions, which have texts alone, are read too. No agent may import
    conversations: they say what a person said.
    """
    if has_conversations(folder):
        refuse_agents()
    with _details(workspace) as details:
        done = StoreImport(details.store, details.redactor, folder).done()
    if as_json:
        print_json(done)
        return
    kept = count(len(done.added), "text"), count(len(done.conversations), "conversation")
    there = len(done.present) + len(done.present_conversations)
    click.echo(f"{', '.join(kept)} and {done.preferences} preferences brought back; {there} were there already.")


@contextmanager
def _details(workspace: str | None) -> Iterator[OpenDetails]:
    with opened_details(root_of(workspace), ProcessContext(environment())) as details:
        yield details


def _keep_stdin(
    workspace: str | None, *, kind: str | None, description: str, everywhere: bool, pinned: bool
) -> KeptText:
    """Store the text of stdin; a text that cannot be stored is printed as it came."""
    placement = Placement(scope=DetailScope.GLOBAL if everywhere else DetailScope.SESSION)
    recording = Recording(pass_on)
    try:
        with _details(workspace) as details:
            named = NamedType(kind) if kind else NamedType.FILE_CONTENT
            pinned = pinned or named.is_pinned
            text = _record_stdin(recording)
            return details.keep(KeepRequest(text, description, named.type, placement=placement, pinned=pinned))
    except PipelineError:
        for _ in _record_stdin(recording):
            pass
        if not recording.trouble:
            recording.give_out()
        raise
    finally:
        recording.close()


def _record_stdin(recording: Recording) -> Iterator[bytes]:
    """The blocks that are left of stdin, each recorded; without room for that they are printed as they come."""
    while block := sys.stdin.buffer.read(_BLOCK):
        recording.add(OUT, block)
        yield block


def _filter_of(
    kind: str | None = None, agent: str = "", thread: str = "", words: str = "", *, pinned: bool = False
) -> DetailFilter:
    return DetailFilter(thread, agent, DetailType(kind) if kind else None, pinned or None, words)


def _pin(keys: tuple[str, ...], workspace: str | None, *, pinned: bool, as_json: bool) -> int:
    """Pin those of the keys that there are, and name the others; the exit code."""
    with _details(workspace) as details:
        present, missing = pin(details.store, keys, pinned=pinned), missing_keys(details.store, keys)
    if as_json:
        print_json(PinnedDetails(keys, present, pinned))
    elif present:
        click.echo(f"{count(present, 'text')} {'will not' if pinned else 'may'} expire.")
    for key in missing:
        print_message(str(UnknownDetail(key)))
    return UnknownDetail.exit_code if missing else 0


def _row(detail: Detail) -> tuple[str, ...]:
    return (
        local(detail.created_at, "UTC"),
        detail.type.value + (", pinned" if detail.pinned else ""),
        str(detail.lines),
        detail.key,
        cut_line(printable(detail.description), _ROOM),
    )


def _print(shown: ShownDetail) -> None:
    detail = shown.detail
    click.echo(f"{detail.key}: {printable(detail.description)}")
    if shown.command:
        ended = "" if shown.exit_code is None else f", exit {shown.exit_code}"
        click.echo(f"  command  {printable(shown.command)}{ended}")
    click.echo(f"  size     {count(detail.lines, 'line')}, {_megabytes(detail.size)}, {count(detail.tokens, 'token')}")
    until = "stays" if detail.pinned or not detail.expires_at else f"expires {local(detail.expires_at, 'UTC')} UTC"
    click.echo(f"  stored   {local(detail.created_at, 'UTC')} UTC, {until}\n")
    click.echo(shown.synopsis)


def _megabytes(size: int) -> str:
    return count(size, "byte") if size < _MEGABYTE else f"{size / _MEGABYTE:.1f} MB"
