"""`memory restore`."""

from pathlib import Path
from typing import Any

import click

from pipeline.app.backups import key_for
from pipeline.app.restoring import Restoring, prepare_restore
from pipeline.backup.key import KeyFile, OwnerKey, key_file
from pipeline.backup.merge import Side
from pipeline.errors import WriteFailed
from pipeline.errors.backup import WordsMissing
from pipeline.errors.service import NoPersonThere
from pipeline.process.context import ProcessContext
from pipeline.settings.locate import SETTINGS_FILE, given_folder
from pipeline.settings.workspaces import register
from pipeline.surfaces.cli.terminal import options
from pipeline.surfaces.cli.terminal.environment import environment, root_of
from pipeline.surfaces.cli.terminal.error_handler import print_message
from pipeline.surfaces.cli.terminal.format import count, print_json, printable
from pipeline.surfaces.cli.terminal.person import answer, confirm, refuse_agents
from pipeline.workspace.locks import Locks
from schemas.reports.backup import RestoreReport

WORDS_VARIABLE = "MEMORY_BACKUP_WORDS"
_MOST_PATHS = 20


@click.command("restore")
@click.argument("folder", metavar="DIR")
@click.option("--into", metavar="FOLDER", help="Restore into this folder, which is empty or not there yet.")
@click.option("--generation", type=int, metavar="NUMBER", help="The generation; without this, the newest.")
@click.option(
    "--words-file", type=click.File(encoding="utf-8"), metavar="FILE", help="The words of the key, in a file."
)
@click.option(
    "--trust-whoever-wrote-it",
    "unsigned",
    is_flag=True,
    help="Check no signature. Whoever can write into DIR can then write your memory.",
)
@click.option("--accept-older", is_flag=True, help="Restore although this home has seen a newer generation of it.")
@click.option(
    "--prefer",
    type=click.Choice([side.value for side in Side]),
    help="Where both changed the same line of a workspace that is there: whose words hold.",
)
@click.option("--yes", is_flag=True, help="Do not ask.")
@options.as_json
@options.workspace
def command(
    folder: str,
    into: str | None,
    workspace: str | None,
    *,
    yes: bool,
    as_json: bool,
    **how: Any,  # noqa: ANN401 - the options declared above
) -> None:
    """Bring a workspace back from a back-up.

    With --into, a new folder gets the memory as it was. Else the back-up is merged into the workspace that is there:
    what changed there and what changed here since both had the same; two changes of one line are shown, and nothing is
    done. The signature and every piece are checked first. What was forgotten since stays forgotten, also when an
    earlier --generation is restored. This machine is then the one that runs the workspace. Tokens for HTTP are not
    restored: make new ones. No agent may run this.

    Where the key is not in this home, the terminal asks for its twelve words. A script gives them with --words-file or
    in MEMORY_BACKUP_WORDS. The key is then kept here.

    With --json: the `files` that were written, whether it was `merged` and `signed`, how much was `forgotten` again,
    and the paths of the settings that are `missing` here.
    """
    refuse_agents()
    if into and workspace:
        message = "Name a new folder with --into, or a workspace that is there with --workspace, not both."
        raise click.UsageError(message)
    place = given_folder(folder)
    keys = key_file(environment())
    key = None if how["unsigned"] else _key(place, keys, how["words_file"].read() if how["words_file"] else "")
    opened, manifest = prepare_restore(place, key, keys, how["generation"], accept_older=how["accept_older"])
    target = given_folder(into) if into else root_of(workspace)
    restoring = Restoring(
        opened,
        manifest,
        target,
        into_new=bool(into) or not (target / SETTINGS_FILE).is_file(),
        context=ProcessContext(environment()),
        prefer=Side(how["prefer"]) if how["prefer"] else None,
    )
    paths = restoring.plan_paths()
    _print_plan(restoring, paths, err=as_json)
    if not yes:
        confirm("Restore it?", "restore it")
    report = restoring.done()
    register(target, environment())
    if key:
        # A home that cannot be written to hinders nothing.
        try:
            if keys.keep(key):
                print_message(f"the key is kept in {keys.path} from now on.")
            keys.note_seen(manifest.chain, opened.chain[-1].number)
        except WriteFailed as error:
            print_message(str(error))
    print_json(report) if as_json else _print_report(report)


def _key(place: Path, keys: KeyFile, given: str) -> OwnerKey:
    """The key of the back-up; the terminal asks for the words where no other way gives them."""
    words = given or environment().get(WORDS_VARIABLE, "")
    try:
        return key_for(place, keys, words)
    except WordsMissing as missing:
        try:
            words = answer("The key of this back-up is not here. Its twelve words: ")
        except NoPersonThere:
            raise missing from None
        return key_for(place, keys, words)


def _print_plan(restoring: Restoring, paths: list[str], *, err: bool) -> None:
    manifest = restoring.manifest
    where = f"{printable(manifest.folder)} on {printable(manifest.host)}"
    click.echo(f"Generation {manifest.number} of {manifest.made:%Y-%m-%d %H:%M} UTC, of {where}.", err=err)
    if not restoring.backup.signed:
        click.echo("Nobody has checked who wrote it.", err=err)
    if restoring.into_new:
        click.echo(f"It goes into {printable(str(restoring.target))}: {count(len(paths), 'file')}.", err=err)
        return
    owner = Locks(restoring.target / "memory" / ".locks").other_host
    if owner:
        click.echo(f"Until now {printable(owner)} ran this workspace; stop its jobs first.", err=err)
    click.echo(
        f"It is merged into {printable(str(restoring.target))}: {count(len(paths), 'file')} would change.", err=err
    )
    for path in paths[:_MOST_PATHS]:
        click.echo(f"  {printable(path)}", err=err)
    if len(paths) > _MOST_PATHS:
        click.echo(f"  and {len(paths) - _MOST_PATHS} more", err=err)


def _print_report(report: RestoreReport) -> None:
    done = "Merged" if report.merged else "Restored"
    click.echo(f"{done} {count(len(report.files), 'file')}. This machine runs {printable(report.folder)} from now on.")
    if report.forgotten:
        click.echo(f"Erased again, because it was forgotten since: {count(report.forgotten, 'thing')}.")
    for missing in report.missing:
        click.echo(f"Not on this machine, so mend it in {SETTINGS_FILE}: {printable(missing)}")
    if not report.merged:
        click.echo("Tokens for HTTP are not in a back-up: `memory config token add NAME` makes one.")
        click.echo("Run it on one machine only. `memory run` goes on from here.")
