"""`memory doctor search`."""

import click

from pipeline.app.search_check import check_search
from pipeline.index.evaluation.checks import FIRST, MOST, QuestionSort
from pipeline.process.context import ProcessContext
from pipeline.surfaces.cli.terminal import options
from pipeline.surfaces.cli.terminal.environment import environment, root_of
from pipeline.surfaces.cli.terminal.format import print_columns, print_json, printable
from schemas.reports.index import SearchChecked

_HEAD = ("", "TYPE", "ASKED", f"IN {FIRST}", f"IN {MOST}", "P50 MS", "P95 MS")
_SHOWN = 3


@click.command("search")
@options.as_json
@options.workspace
def command(workspace: str | None, *, as_json: bool) -> int:
    """Check that searching finds and cites what is remembered.

    Asks what the memory should know, from what stands in it: A, recent decisions; B, why something was settled; C,
    exact details in old files. To these come your own questions, in `checks.toml`. Every hit has to name its source,
    and to tell its date, its standing and why to doubt it. The index is brought up to date first.

    Exits with 1 when a hit cites what is not so, when one of your own questions is not answered, when fewer than 80 of
    100 of A, B or C are found within 6 hits, or when more than 5 of 100 answers take longer
    than 2 seconds.

    With --json: `types` with `asked`, `in_first`, `in_most`, `p50` and `p95` in milliseconds; `p50` and `p95` of all;
    `failures` with `question`, `expected`, `came` and `faults`; `problems` says why it does not pass; `notes`.
    """
    report = check_search(root_of(workspace), ProcessContext(environment()))
    print_json(report) if as_json else _show(report)
    return 1 if report.problems else 0


def _show(report: SearchChecked) -> None:
    rows = [
        (
            QuestionSort(row.sort).letter,
            row.sort,
            *map(str, (row.asked, row.in_first, row.in_most)),
            f"{row.p50:.1f}",
            f"{row.p95:.1f}",
        )
        for row in report.types
    ]
    print_columns(rows, _HEAD)
    for failure in report.failures:
        click.echo(f"\n{QuestionSort(failure.type).letter or 'Own'}: {printable(failure.question)}")
        if not 0 < failure.position <= failure.within:
            click.echo(f"  expected within {failure.within}: {printable(failure.expected)}")
            click.echo(f"  came: {', '.join(map(printable, failure.came[:_SHOWN])) or 'nothing'}")
        for fault in failure.faults:
            click.echo(f"  wrong: {printable(fault)}")
    for note in report.notes:
        click.echo(f"Note: {note}", err=True)
    for problem in report.problems:
        click.echo(problem)
    if not report.types:
        click.echo("There is nothing to ask for yet: no entry, no old file with details, and no checks.toml.")
    elif not report.problems:
        click.echo(f"All is well; 95 of 100 answers take {report.p95:.1f} ms or less.")
