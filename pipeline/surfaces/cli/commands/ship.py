"""`memory ship`."""

from collections.abc import Iterable

import click

from pipeline.app.shipping import open_shipping
from pipeline.process.context import ProcessContext
from pipeline.settings.load import load_settings
from pipeline.surfaces.cli.terminal import options
from pipeline.surfaces.cli.terminal.environment import environment, root_of
from pipeline.surfaces.cli.terminal.error_handler import print_message
from pipeline.surfaces.cli.terminal.event_printer import emitter
from pipeline.surfaces.cli.terminal.format import count, print_columns, print_json, printable
from schemas.exit_codes import PARTIAL
from schemas.reports.shipping import ShippedSession, ShippingReport

_COLUMNS = ("SESSION", "SOURCE", "PROJECT", "MESSAGES", "CHARACTERS", "MASKED")
_UNREAD = (
    "the jobs there read none of it: write a source of the kind `store` into memory.toml there, see the page of that "
    "source"
)

_WHOLE = (
    "this token may do everything there; `memory config token add NAME --laptop` makes one that only ships, in a fleet "
    "`memory fleet token add NAME --for WORKSPACE --laptop`"
)


@click.command("ship")
@click.option("--dry-run", is_flag=True, help="Show what would be sent, and ask no server.")
@click.option("--again", is_flag=True, help="Send everything, also what was sent before, or to another workspace.")
@options.as_json
@options.workspace
def command(workspace: str | None, *, dry_run: bool, again: bool, as_json: bool) -> int:
    """Send this machine's transcripts to your server.

    The server is `ship.url`, another `memory serve` or a workspace of a fleet; `ship.token` is a laptop's token there.
    It gets the messages of the sessions that this workspace reads, with secrets masked: what was said between you and
    the assistant, and of other messages that they were there. What you asked not to keep stays here. Only what is new
    is sent, so a timer may call it every few minutes; it may be stopped at any time.

    With --json: the number of `sessions`, of `messages` and of sessions that are `unchanged`, those that are
    `unreadable` or `refused`, which end with exit code 3, whether jobs read there (`reads`),
    and whether the token `ships_only`. With --dry-run a
    session on each line, with all `messages` as they would be sent. Exit code 4: the server is away or full; the next
    one goes on. 77: it does not take the token.
    """
    root = root_of(workspace)
    context = ProcessContext(environment(), emit=emitter(load_settings(root, environment()).log_level))
    with open_shipping(root, context, again=again, sending=not dry_run) as shipping:
        if not dry_run:
            report = shipping.run()
            print_json(report) if as_json else _print_report(report, shipping.done)
            return PARTIAL if report.refused or report.unreadable else 0
        if as_json:
            for session, messages in shipping.preview():
                print_json({**vars(session), "messages": [message.model_dump(mode="json") for message in messages]})
        else:
            _print_sessions([session for session, _ in shipping.preview()])
    return 0


def _print_sessions(sessions: Iterable[ShippedSession]) -> None:
    rows = [
        (one.session, one.source, one.project, str(one.messages), str(one.characters), str(one.masked))
        for one in sessions
    ]
    if rows:
        print_columns(rows, _COLUMNS)
    else:
        click.echo("Nothing is new.")


def _print_report(report: ShippingReport, done: Iterable[ShippedSession]) -> None:
    if report.sessions:
        _print_sessions(done)
        sent = f"{count(report.messages, 'message')} of {count(report.sessions, 'session')}"
        click.echo(f"\n{sent} sent to {printable(report.url)}.")
    else:
        click.echo(f"Nothing is new for {printable(report.url)}.")
    for session in report.unreadable:
        print_message(f"not sent, because it cannot be read now: {printable(session)}")
    for sentence in report.refused:
        print_message(f"not sent: {printable(sentence)}")
    if not report.reads:
        print_message(_UNREAD)
    if not report.ships_only:
        print_message(_WHOLE)
