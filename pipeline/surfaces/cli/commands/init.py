"""`memory init`."""

import os
import shlex
import shutil
import sys
from collections.abc import Sequence
from contextlib import nullcontext, redirect_stdout
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import click

from pipeline.app.engine import usual_places
from pipeline.app.first_look import FirstReading, Proposal, embedding_seconds, proposals
from pipeline.app.index import embedder_offer
from pipeline.app.model import shown_to
from pipeline.app.new_workspace import NewSettings, make_workspace
from pipeline.clock import SystemClock
from pipeline.doctor.synced_folder import syncing_service
from pipeline.errors import PathRefused, PipelineError
from pipeline.install import cron_line, installed_program
from pipeline.process.foreign import ERR, OUT, run_aside, run_at_terminal
from pipeline.settings.locate import SETTINGS_FILE, WORKSPACE_VARIABLE, given_folder
from pipeline.settings.tables import source_tables
from pipeline.settings.workspaces import register
from pipeline.surfaces.cli.commands.install import install_for_user
from pipeline.surfaces.cli.commands.model import readers_in_words
from pipeline.surfaces.cli.first_questions import (
    ChosenSources,
    FirstQuestions,
    GivenAnswers,
    at_terminal,
    size_of_store,
)
from pipeline.surfaces.cli.terminal import options
from pipeline.surfaces.cli.terminal.error_handler import INTERRUPTED, print_message
from pipeline.surfaces.cli.terminal.format import print_columns, print_json
from pipeline.surfaces.cli.terminal.machine import zone_of
from pipeline.surfaces.cli.terminal.person import refuse_agents
from pipeline.surfaces.cli.views.first_lines import show_first_lines
from schemas.reports.workspace import LocalSource, WorkspaceMade
from schemas.settings import Settings, SourceSettings

_OPEN = "memory open"
_NEXT = (
    ("memory config check", "says whether memory.toml is right"),
    ("memory show transcripts", "lists what is read"),
    ("memory backfill --all", "reads all of it: it says first what that takes, and asks"),
    ("memory serve install --systemd", "does what is due from then on by itself; --timers does without a service"),
    (_OPEN, "shows it in the browser, where [service] http in memory.toml names an address"),
)
_OURS = ("memory.toml", "memory/", "MEMORY.md", "second-brain/", "bank/", "agents/")
"""What a workspace holds that git would show."""


@dataclass(frozen=True)
class FirstAnswers:
    """The answers to all questions, before anything is written."""

    sources: ChosenSources = field(default_factory=ChosenSources)
    timezone: str = ""
    model: dict[str, str] | None = None
    page: str = ""
    service: bool = False
    embedder: bool | None = None
    reading: FirstReading | None = None

    @property
    def settings(self) -> NewSettings:
        """The settings that they make."""
        tables = {
            "model": self.model or {},
            "service": {"http": self.page} if self.page else {},
            "embedder": {"kind": "none"} if self.embedder is False else {},
        }
        parts = (self.sources.read, self.sources.undecided, self.sources.declined)
        read, proposed, declined = ([proposal.source for proposal in part] for part in parts)
        written = {name: values for name, values in tables.items() if values}
        return NewSettings(self.timezone, SystemClock().now(), read, proposed, declined, written)


def _zone(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
    """A time zone that exists."""
    try:
        return value and Settings(timezone=value).timezone
    except ValueError as error:
        message = f"{value!r} is no IANA time zone; write one such as Europe/Warsaw."
        raise click.BadParameter(message, ctx, param) from error


@click.command("init")
@click.argument("folder", metavar="[DIR]", required=False)
@click.option("--source", multiple=True, metavar="KIND", help="Read the transcripts of this agent; or all, or none.")
@click.option("--timezone", callback=_zone, metavar="ZONE", help="The zone of your days; else that of this machine.")
@click.option("--model", metavar="NAME", help="Let this program or server answer (see `memory config model`); or none.")
@click.option("--page/--no-page", default=None, help="Show it in the browser, at an address of this machine alone.")
@click.option("--service/--no-service", default=None, help="Let systemd run it by itself, for your user.")
@click.option(
    "--embedder", type=click.Choice(["package", "none"]), help="Install the package that compares meaning, or never."
)
@click.option("--read/--no-read", default=None, help="Read now, and show the best that was found.")
@click.option("--yes", is_flag=True, help="Ask nothing, and take what is proposed.")
@click.option("--nested", is_flag=True, help="Make it although it lies inside another workspace.")
@options.as_json
@options.workspace
def command(folder: str | None, workspace: str | None, *, nested: bool, as_json: bool, **given: Any) -> int:  # noqa: ANN401 - what `GivenAnswers` declares
    """Make a workspace, and propose what to read.

    It is made in DIR; without DIR in the folder that --workspace or MEMORY_WORKSPACE names, else in this one. An
    existing workspace is left as it is. The folders of the agents are listed for a moment, and not read.

    At a terminal it asks which transcripts may be read, for the time zone, a model, the page, the service and an
    embedder, and whether to read now; each option answers a question. With --yes all transcripts are read, without a
    page, a service or an embedder, and with a model only where its provider has seen them all. Elsewhere, without
    --yes or an option, the transcripts stand in memory.toml behind a #, and nothing is read. No agent may say --yes, or
    name sources, a model or the service.
    """
    root = given_folder(folder or workspace or os.environ.get(WORKSPACE_VARIABLE) or ".")
    holders = (folder for folder in (root, *root.parents) if os.path.isfile(folder / SETTINGS_FILE))
    outer = next(holders, None)
    if outer == root:
        return _leave(root, as_json=as_json)
    if outer and not nested:
        why = f"lies inside the workspace {outer}, whose commands would mean this one; --nested makes it all the same"
        raise PathRefused(str(root), why)
    places = [place for places in usual_places(Path.home(), os.environ).values() for place in places]
    if transcripts := next((place for place in places if root.is_relative_to(os.path.realpath(place))), None):
        why = f"lies in {transcripts}, where an agent leaves its transcripts, and would be read as such; name another"
        raise PathRefused(str(root), why)
    answers = GivenAnswers(**given)
    if answers.yes or answers.source or answers.model or answers.service:
        refuse_agents()
    questions = FirstQuestions(root, answers, asks=not (answers.yes or as_json) and at_terminal())
    proposed = proposals(Path.home(), os.environ)
    try:
        decided = _ask(questions, proposed)
    except KeyboardInterrupt:
        print_message(f"nothing was made. `memory init {shlex.quote(str(root))}` asks again.")
        raise
    if not make_workspace(root, decided.settings.text):
        return _leave(root, as_json=as_json)
    register(root, os.environ)
    if as_json:
        print_json(_as_object(root, decided, made=True))
    else:
        click.echo(f"\nMade a workspace in {root}.\n")
        _warn_of_place(root)
    if not decided.sources.read and not as_json:
        _print_unread(root, decided)
    return _carry_out(root, decided, asked=questions.asks, quiet=as_json)


def _ask(questions: FirstQuestions, proposed: Sequence[Proposal]) -> FirstAnswers:
    """Ask all that there is to ask; nothing is written yet."""
    sources, here = questions.sources(proposed), zone_of(os.environ)
    if not sources.read:
        questions.refuse_loss()
        questions = replace(questions, asks=False)  # nothing is read, so only the options answer
    kinds = [proposal.source.kind for proposal in sources.read if not proposal.source.holds_notes]
    zone, model = questions.timezone(here), questions.model(kinds)
    page, service = questions.page(), questions.service(offered=shutil.which("systemctl") is not None)
    embedder = questions.embedder(embedder_offer(), embedding_seconds(sources.read))
    reading = questions.read(sources.read, with_model=bool(model)) if sources.read else None
    return FirstAnswers(sources, zone, model, page, service, embedder, reading)


def _carry_out(root: Path, decided: FirstAnswers, *, asked: bool, quiet: bool) -> int:
    """Do what was decided, in a workspace that is there; the exit code of the reading, else that of the service."""
    if not quiet and decided.model and (sentences := readers_in_words(shown_to(root, dict(os.environ)))):
        click.echo(f"{sentences}\n")
    code = 0
    if decided.reading:
        # A model may cost something: then the back-fill says what it takes, and asks a person again.
        yes = [] if decided.model and asked else ["--yes"]
        since = ["--from", f"{decided.reading.first}"] if decided.reading.first else []
        words = ["backfill", "--all", *since, *yes, "--workspace", str(root)]
        if not quiet:
            click.echo("It can be stopped at any time (Ctrl+C), and goes on with the same command:")
            click.echo(f"  memory {shlex.join(words)}\n")
        shown = "--json" if quiet else "--brief"
        code = run_at_terminal([sys.executable, "-P", "-m", "pipeline.surfaces.cli.main", *words, shown])
        if code == INTERRUPTED:
            return code
        if not quiet:
            show_first_lines(root)
    out = ERR if quiet else OUT
    with redirect_stdout(sys.stderr) if quiet else nullcontext():  # stdout has nothing but what --json prints
        if decided.embedder:
            _install_embedder(root, out)
        runs = decided.service and _start_service(root, out)
    if decided.sources.read and not quiet:
        _print_from_now_on(root, decided, runs_by_itself=runs)
    return code or int(decided.service and not runs)


def _install_embedder(root: Path, out: int) -> None:
    """Install the package by the command that was shown, and have it read what is there, beside all else."""
    if command := embedder_offer():
        click.echo("")
        if run_at_terminal(["/bin/sh", "-c", command], out=out):
            print_message(f"it was not installed; search goes by words. To try again:\n  {command}")
            return
    run_aside([sys.executable, "-P", "-m", "pipeline.surfaces.cli.main", "doctor", "reindex", "--workspace", str(root)])
    click.echo("The embedder reads in the background, at low priority; until then search goes by words, and says so.")


def _start_service(root: Path, out: int) -> bool:
    """Install the units and start them; where that fails, say why, or the command."""
    click.echo("")
    try:
        for words in install_for_user(root):
            if run_at_terminal(words, asks=False, out=out):
                print_message(f"the service could not be started. To try again: {shlex.join(words)}")
                return False
    except (PipelineError, OSError) as error:
        print_message(str(error))
        return False
    return True


def _print_from_now_on(root: Path, decided: FirstAnswers, *, runs_by_itself: bool) -> None:
    """Say in a few lines what happens from now on."""
    where = shlex.quote(str(root))
    if runs_by_itself:
        new = "The service reads new sessions every three hours; `memory status` shows it."
    else:
        line = cron_line(installed_program() or "memory", root)
        new = f"`memory run` reads what is new; cron does it by itself with this line:\n  {line}"
    rest = decided.reading and decided.reading.first
    click.echo(f"\nFrom now on, in {where}:")
    if rest or not decided.reading:
        click.echo(f"- `memory backfill --all` reads {'all earlier days' if rest else 'all of it'}.")
    click.echo(f"- {new}")
    if decided.page:
        click.echo("- `memory open` shows it in the browser, while `memory serve` runs.")
    click.echo('- `memory search "..."` finds it, `memory suggestions decide` asks about what was not sure.')
    click.echo("- `memory agents connect claude-code` (or another agent) lets an agent read it.")


def _leave(root: Path, *, as_json: bool) -> int:
    """Say that there is a workspace already."""
    if as_json:
        print_json(_as_object(root, FirstAnswers(), made=False))
    else:
        click.echo(f"{root} is a workspace already; nothing was changed.")
    return 0


def _as_object(root: Path, decided: FirstAnswers, *, made: bool) -> WorkspaceMade:
    read = decided.sources.read
    stores = [*read, *decided.sources.declined, *decided.sources.undecided]
    sources = tuple(
        LocalSource(
            kind=proposal.source.kind,
            path=proposal.source.path,
            files=proposal.extent.files if proposal.extent else None,
            first=proposal.extent.first if proposal.extent else None,
            last=proposal.extent.last if proposal.extent else None,
            read=proposal in read,
        )
        for proposal in stores
    )
    return WorkspaceMade(str(root), made=made, timezone=decided.timezone, sources=sources)


def _warn_of_place(root: Path) -> None:
    """Say what a repository of git, or a service that syncs, does with what is kept here."""
    repository = next((above for above in (root, *root.parents) if (above / ".git").exists()), None)
    if repository:
        inside = root.relative_to(repository).as_posix()
        lines = [f"/{name}" for name in _OURS] if repository == root else [f"/{inside}/"]
        exclude = repository / ".git" / "info" / "exclude"
        click.echo(f"It lies in the git repository {repository}: `git status` will show memory.toml and what")
        click.echo("is remembered. To keep that to yourself, put these lines into .gitignore, or for you")
        click.echo(f"alone into {exclude}:")
        click.echo("".join(f"  {line}\n" for line in lines))
    if service := syncing_service(root):
        click.echo(f"{service} syncs this folder. The Markdown may be synced; {root / '.memory'} holds")
        click.echo("databases that a sync may break: leave it out of the sync, or move the workspace.\n")


def _print_unread(root: Path, decided: FirstAnswers) -> None:
    """Say what was found and is not read, and what comes next."""
    file, sources = root / SETTINGS_FILE, decided.sources
    if sources.undecided:
        click.echo("Transcripts, or notes of agents, were found on this machine. Their tables stand at the end of")
        click.echo(f"{file}, as far as a short file takes them; take the # away to have them read:")
        for proposal in sources.undecided:
            click.echo(f"\n# {size_of_store(proposal)}\n{source_tables([proposal.source])}", nl=False)
    elif sources.declined:
        click.echo(f"No transcripts are read, as you said; sources_ignored in {file}")
        click.echo("names them. To read some later, take them out there, and write a table such as this:\n")
        click.echo(source_tables([sources.declined[0].source]), nl=False)
    else:
        click.echo("No transcripts were found. They were looked for in:")
        usual = usual_places(Path.home(), os.environ)
        print_columns([(kind, str(place)) for kind, places in usual.items() for place in places], ("KIND", "FOLDER"))
        click.echo(f"\nIf yours are elsewhere, write a table such as this at the end of {file}:\n")
        click.echo(source_tables([SourceSettings(kind="openclaw", path="/where/they/are")]), nl=False)
    _print_next_steps(root, decided)


def _print_next_steps(root: Path, decided: FirstAnswers) -> None:
    click.echo(f"\nThen, in {shlex.quote(str(root))}:")
    for words, purpose in _NEXT:
        if words != _OPEN or not decided.page:
            click.echo(f"  {words:<31} {purpose}")
    if decided.page:
        click.echo(f"  {_OPEN:<31} shows it in the browser, at {decided.page}, while `memory serve` runs")
    if decided.embedder is None and (offer := embedder_offer()):
        click.echo(
            f"\nSearch compares words alone. So it compares meaning too (91 MB; nothing leaves the machine):\n  {offer}"
        )
