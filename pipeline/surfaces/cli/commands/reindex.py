"""`memory doctor reindex`."""

import os
import signal
import sys
from threading import Thread
from typing import Any

import click

from pipeline.app.detail_index import update_details
from pipeline.app.index import WEEKLY_LOCK, open_index
from pipeline.app.said_index import Reindexed, update_said_index
from pipeline.events import Emit, Event
from pipeline.index.context import Updated
from pipeline.index.said.update import SaidUpdated
from pipeline.index.sync.update import rebuild, update
from pipeline.index.sync.watch import watch
from pipeline.process.cancellation import CancellationToken, stopping_on_signals
from pipeline.process.context import ProcessContext
from pipeline.process.logging import stderr_emitter
from pipeline.settings.load import load_settings
from pipeline.surfaces.cli.terminal import options
from pipeline.surfaces.cli.terminal.environment import environment, root_of
from pipeline.surfaces.cli.terminal.event_printer import emitter
from pipeline.surfaces.cli.terminal.format import count, print_json, printable, rough_time
from pipeline.workspace.locks import Locks


@click.command("reindex")
@click.option("--full", is_flag=True, help="Build the index anew, beside the one there is.")
@click.option("--watch", "watching", is_flag=True, help="Go on, and follow the files as they change.")
@click.option(
    "--wait",
    type=click.FloatRange(min=0),
    default=30,
    show_default=True,
    metavar="SECONDS",
    help="How long to wait for another update to end.",
)
@click.option("--attended", is_flag=True, hidden=True, help="Stop when standard input ends: whoever began it is gone.")
@options.as_json
@options.workspace
def command(
    workspace: str | None,
    *,
    full: bool,
    watching: bool,
    as_json: bool,
    **options: Any,  # noqa: ANN401 - the other options declared above
) -> None:
    """Bring the index up to date.

    Only files that changed are read again; a file that cannot be read is told of and passed over. Their words are
    found first, and the vectors of an embedder are made after that; when they take long, a line says now and then how
    far they are. What was said in transcripts has an index of its own. The index is derived: with --full, or when it
    was made by another version, its words are built anew beside those there are, which answer meanwhile; vectors of the
    same embedder are kept.

    With --json: how many `files` there are and how many were `added`, `changed` and `gone`; `passages` put in,
    `vectors` made and still `waiting`; `unreadable` files with `path` and `why`; `rebuilt` and `without_vectors` say
    why, or are empty. `said` counts `sessions` and `passages` of what was said.
    """
    root = root_of(workspace)
    # A command that follows the files runs for long and reports by its log alone, as the service does.
    emit = (stderr_emitter if watching else emitter)(load_settings(root, environment()).log_level)
    if not (watching or as_json):
        emit = _with_progress(emit)
    safe_point = CancellationToken()
    with (
        stopping_on_signals(safe_point),
        open_index(root, ProcessContext(environment(), emit=emit, safe_point=safe_point)) as opened,
    ):
        if options["attended"]:
            Thread(target=_follow, args=(safe_point,), name="lifeline", daemon=True).start()
        done = (rebuild if full else update)(opened.indexing, wait=options["wait"])
        _, unread = update_details(opened.details.indexing, full=full, wait=options["wait"])
        if unread:
            click.echo(f"memory: stored texts are not indexed. {unread}", err=True)
        said = update_said_index(opened, full=full, wait=options["wait"], erase=not options["attended"])
        if not options["attended"]:  # the service shows its own
            from pipeline.service.monitoring.metrics_file import write_metrics

            write_metrics(root, ProcessContext(environment(), emit=emit), done)
        print_json(Reindexed(**vars(done), said=said)) if as_json else _print_counts(done, said)
        if opened.searching.without:
            click.echo(opened.searching.without, err=True)
        if watching:
            locks = Locks(opened.indexing.workspace.lock_folder)
            watch(opened.indexing, lambda: locks.is_held(WEEKLY_LOCK))


def _with_progress(emit: Emit) -> Emit:
    """Announce events by `emit`, and the progress of the vectors in a line on stderr."""

    def announce(event: Event, **fields: Any) -> None:  # noqa: ANN401 - the fields of any event
        emit(event, **fields)
        if event is Event.VECTORS_PROGRESSED:
            left = f"about {rough_time(fields['seconds_left'])} left"
            click.echo(f"memory: {fields['made']} of {count(fields['wanted'], 'vector')} made, {left}.", err=True)

    return announce


def _follow(safe_point: CancellationToken) -> None:
    # Not by a stream of Python's: that one holds a lock while it waits, which ends the interpreter's own end badly.
    while os.read(sys.stdin.fileno(), 1024):
        pass
    safe_point.ask_to_stop(signal.SIGTERM)


def _print_counts(done: Updated, said: SaidUpdated) -> None:
    if done.rebuilt:
        click.echo(f"Built the index anew: {done.rebuilt}.")
    changes = [(done.added, "new"), (done.changed, "changed"), (done.gone, "gone")]
    summary = ", ".join(f"{number} {what}" for number, what in changes if number) or "nothing changed"
    made = f"{count(done.passages, 'passage')} put in, {count(done.vectors, 'vector')} made"
    click.echo(f"{count(done.files, 'file')}: {summary}. {made}.")
    if said.read or said.gone:
        taken = f"{count(said.read, 'session')} read, {count(said.passages, 'passage')} put in"
        click.echo(f"What was said in {count(said.sessions, 'session')}: {taken}.")
    for file in done.unreadable:
        click.echo(f"  passed over: {printable(file.path)} {file.why}")
    if done.without_vectors:
        click.echo(f"The search goes by words alone, not by meaning: {done.without_vectors}")
