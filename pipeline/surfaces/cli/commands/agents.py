"""`memory agents`."""

import click

from pipeline.app.agents import NewAgent, add_agent
from pipeline.reports.agent_list import agent_report
from pipeline.surfaces.cli.terminal import options
from pipeline.surfaces.cli.terminal.environment import root_of
from pipeline.surfaces.cli.terminal.format import count, print_columns, print_json, printable
from pipeline.surfaces.cli.terminal.workspace import open_for_reading
from schemas.reports.agents import AgentReport

_LEVELS = ("0, it reads", "1, it suggests", "2, additions are written", "3, all is written")


@click.command("agents")
@options.as_json
@options.workspace
def command(workspace: str | None, *, as_json: bool) -> None:
    """List the agents with a memory of their own.

    Each has a folder in `agents/`: what it always knows, its journal, its sessions. Its settings are a table
    `[agents.NAME]` of memory.toml.
    """
    with open_for_reading(workspace, looking=False) as engine:
        known = [agent_report(engine, name) for name in sorted(engine.settings.agents.by_name)]
    if as_json:
        for report in known:
            print_json(report)
    elif known:
        rows = [
            (report.name, str(report.autonomy), str(report.lines), str(report.sessions), str(report.waiting))
            for report in known
        ]
        print_columns(rows, ("AGENT", "AUTONOMY", "LINES", "SESSIONS", "WAITING"))
    else:
        click.echo("No agent has a memory of its own. `memory agents add NAME` gives one a memory.")


@click.command("show")
@click.argument("name", shell_complete=options.names_of("agents"))
@options.as_json
@options.workspace
def show_command(name: str, workspace: str | None, *, as_json: bool) -> None:
    """Show an agent and its settings.

    How far it may go, whose sessions are its own, and what it has.
    """
    with open_for_reading(workspace, looking=False) as engine:
        report = agent_report(engine, name)
    if as_json:
        print_json(report)
    else:
        _print(report)


@click.command("add")
@click.argument("name")
@click.option("--autonomy", type=click.IntRange(0, 3), default=2, show_default=True, help="How far it may go.")
@click.option(
    "--source",
    "sources",
    multiple=True,
    metavar="SOURCE[:AGENT]",
    shell_complete=options.names_of("sources"),
    help="Whose sessions are its own.",
)
@click.option("--language", type=click.Choice(["en", "pl", "zh"]), default="en", show_default=True, help="Of headings.")
@options.as_json
@options.workspace
def add_command(  # noqa: PLR0913 - the options
    name: str, workspace: str | None, *, autonomy: int, sources: tuple[str, ...], language: str, as_json: bool
) -> None:
    """Give an agent a memory of its own.

    Its table is written into memory.toml. Without --source, the sessions of a source whose agent has this name are its
    own.
    """
    root = root_of(workspace)
    with open_for_reading(workspace) as engine:
        there = {(record.source, record.agent) for record in engine.catalog.listing() if record.agent}
        same_name = [f"{source}:{agent}" for source, agent in sorted(there) if agent == name]
    add_agent(root, NewAgent(name, autonomy, sources or tuple(same_name), language))
    with open_for_reading(workspace, looking=False) as engine:
        report = agent_report(engine, name)
    print_json(report) if as_json else _print(report)
    for source, _, agent in (named.partition(":") for named in sources):
        if agent and (source, agent) not in there:
            others = ", ".join(sorted(other for root_name, other in there if root_name == source)) or "none at all"
            note = f"Note: {source} has no session of an agent {agent} yet; those with sessions there: {others}."
            click.echo(printable(note), err=True)


def _print(report: AgentReport) -> None:
    click.echo(f"{printable(report.name)}, in {printable(report.folder)}")
    click.echo(f"  autonomy  {_LEVELS[report.autonomy]}")
    sources = ", ".join(report.sources) or "no sessions: name them in `sources` of its table, such as openclaw:main"
    click.echo(f"  sessions  {printable(sources)}; {count(report.sessions, 'session')} archived")
    if report.since:
        earlier = "earlier sessions by `memory backfill agent_sessions --from DAY --to DAY`"
        click.echo(f"  since     {report.since:%Y-%m-%d %H:%M} UTC; {earlier}")
    click.echo(f"  brain     {count(report.lines, 'line')}; {count(report.waiting, 'suggestion')} about it")
