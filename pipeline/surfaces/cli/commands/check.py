"""`memory check`."""

import click

from pipeline.app.index import IndexOptions, OpenIndex, open_index
from pipeline.errors import Held
from pipeline.index.context import Effort
from pipeline.index.evaluation.checks import FIRST, MOST, Check, Checked, Report, run_checks
from pipeline.index.evaluation.citations import Citations
from pipeline.index.evaluation.custom import own_checks
from pipeline.index.evaluation.generated import checklist
from pipeline.index.evaluation.report import failures, search_checked
from pipeline.index.search.fresh_search import EFFORT, notes_on
from pipeline.index.search.live_files import Files
from pipeline.index.search.search import Wanted, search
from pipeline.index.sync.update import update
from pipeline.process.context import ProcessContext
from pipeline.surfaces.cli.terminal import options
from pipeline.surfaces.cli.terminal.environment import environment, root_of
from pipeline.surfaces.cli.terminal.format import print_columns, print_json, printable
from schemas.hit import Answer

_LINGER_SECONDS = 2.0  # between two questions
_WAIT_SECONDS = 30.0  # for another process that is bringing the index up to date
_HEAD = ("", "TYPE", "ASKED", f"IN {FIRST}", f"IN {MOST}", "P50 MS", "P95 MS")
_SHOWN = 3


@click.command("check")
@options.as_json
@options.workspace
def command(workspace: str | None, *, as_json: bool) -> int:
    """Check that searching finds and cites what is remembered.

    Asks what the memory should know, from what stands in it: A, recent decisions; B, why something was settled; C,
    exact details in old files. To these come your own questions, in `checks.toml`. Every hit has to name its source,
    and to tell its date, its standing and why to doubt it. The index is brought up to date first.

    Exits with 1 when a hit cites what is not so, when one of your own questions is not answered, when fewer than 80 of
    100 of A, B or C are found within 6 hits, or when 95 of 100 answers take longer than 2 seconds.

    With --json: `types` with `asked`, `in_first`, `in_most`, `p50` and `p95` in milliseconds; `p50` and `p95` of all;
    `failures` with `question`, `expected`, `came` and `faults`; `problems` says why it does not pass; `notes`.
    """
    context, options = ProcessContext(environment()), IndexOptions(linger=_LINGER_SECONDS)
    with open_index(root_of(workspace), context, options) as opened:
        own, notes = own_checks(opened.searching.workspace), _brought_up_to_date(opened)
        report = _report(opened, [*_generated(opened), *own], notes)
    print_json(search_checked(report, notes)) if as_json else _show(report, notes)
    return 1 if report.problems else 0


def _brought_up_to_date(opened: OpenIndex) -> list[str]:
    """What is to be known about the index; all files are in it, but for vectors no more is waited than in a search."""
    try:
        return notes_on(update(opened.indexing, Effort(vectors=EFFORT.vectors), wait=_WAIT_SECONDS))
    except Held:
        return ["Another process is bringing the index up to date."]


def _generated(opened: OpenIndex) -> list[Check]:
    with opened.searching.store.reading() as searcher:
        return checklist(searcher) if searcher else []


def _report(opened: OpenIndex, checks: list[Check], notes: list[str]) -> Report:
    searching, told = opened.searching, list[tuple[str, ...]]()

    def ask(wanted: Wanted) -> Answer:
        answer = search(searching, wanted)
        told.append(answer.notes)
        return answer

    report = run_checks(ask, lambda: Citations(Files(searching.workspace, searching.settings)), checks)
    # What every answer notes is about the search; the rest is about one answer.
    notes += [note for note in (told[0] if told else ()) if all(note in each for each in told)]
    return report


def _show(report: Report, notes: list[str]) -> None:
    if report.checked:
        rows = [
            (
                row.sort.letter,
                row.sort.value,
                *map(str, (row.asked, row.in_first, row.in_most)),
                _ms(row.p50),
                _ms(row.p95),
            )
            for row in report.rows
        ]
        print_columns(rows, _HEAD)
    for each in failures(report):
        _show_failure(each)
    for note in notes:
        click.echo(f"Note: {note}", err=True)
    for problem in report.problems:
        click.echo(problem)
    if not report.checked:
        click.echo("There is nothing to ask for yet: no entry, no old file with details, and no checks.toml.")
    elif not report.problems:
        click.echo(f"All is well; 95 of 100 answers take {_ms(report.p95)} ms or less.")


def _show_failure(checked: Checked) -> None:
    click.echo(f"\n{checked.check.sort.letter or 'Own'}: {printable(checked.check.question)}")
    if not checked.found:
        click.echo(f"  expected within {checked.check.within}: {printable(str(checked.check.expected))}")
        click.echo(f"  came: {', '.join(map(printable, checked.came[:_SHOWN])) or 'nothing'}")
    for fault in checked.faults:
        click.echo(f"  wrong: {printable(fault)}")


def _ms(milliseconds: float) -> str:
    return f"{milliseconds:.1f}"
