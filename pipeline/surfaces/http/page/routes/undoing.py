"""Taking back a run, a back-fill, or all runs of a day, a week or a month: shown first as a diff of the files."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated
from urllib.parse import quote

from fastapi import Depends, Request, Response

from pipeline.app.corrections import UndoReport, undo_preview, undo_reported
from pipeline.corrections.undo import DaysAgain, days_again
from pipeline.doctor.checks import entries_digest
from pipeline.engine.context import Engine
from pipeline.ledger.runs import RunRecord
from pipeline.reports.run_subjects import backfill_named, named_runs
from pipeline.reports.runs import run_named
from pipeline.surfaces.http.page.forms import AskedPart, Form, InBody, digest_of
from pipeline.surfaces.http.page.paging import part_of
from pipeline.surfaces.http.page.reading import without_comments
from pipeline.surfaces.http.page.rendering import PageThere, act_asked, page_router, seen_other
from pipeline.surfaces.http.state import Reading, StateThere
from schemas.correction import UndoSort
from schemas.fleet_act import UndoAct
from schemas.reports.runs import FileChange

router = page_router()
_WORDS = {
    UndoSort.RUN: "runs.undo_runs",
    UndoSort.BACKFILL: "runs.undo_backfills",
    UndoSort.PERIOD: "runs.undo_periods",
}
_NAMES = 2  # lines at the beginning of a difference, with the names of the file
_LINES = 2_000  # of all files together
_FILES = 10  # on one page


def file_diffs(changes: Sequence[FileChange]) -> Iterator[tuple[str, list[str], int]]:
    """The diffs of files: the path, the shown lines without the marks of our blocks, and how many are left out."""
    room = _LINES
    for change in changes:
        lines = [without_comments(line) for line in change.diff.split("\n")[_NAMES:]]
        shown = lines[:room]
        room -= len(shown)
        yield change.path, shown, len(lines) - len(shown)


def select_runs(engine: Engine, sort: UndoSort, name: str) -> list[RunRecord]:
    """The runs that an undo is about, without those of folds of several."""
    if sort is UndoSort.RUN:
        return [run_named(engine, name)]
    runs, folds = engine.ledger.runs, {job.name for job in engine.jobs if job.is_fold}
    backfill = sort is UndoSort.BACKFILL
    known = runs.of_backfill(backfill_named(engine, name).backfill) if backfill else runs.of_key(name)
    return [record for record in known if record.job not in folds]


def days_to_run_again(engine: Engine, records: Sequence[RunRecord]) -> DaysAgain | None:
    """The days to run again, once all of the runs are undone."""
    return days_again(engine, records) if all(record.undone for record in records) else None


@dataclass(frozen=True)
class AskedUndo:
    """The undo that an address is about, and the part of its files that is shown."""

    sort: UndoSort
    name: str
    number: int

    @property
    def here(self) -> str:
        """The address of what is taken back."""
        return f"/{self.sort}/{quote(self.name)}"


def _read_asked_undo(request: Request, name: str, number: AskedPart = 1) -> AskedUndo:
    return AskedUndo(UndoSort(request.url.path.split("/")[1]), name, number)


Asked = Annotated[AskedUndo, Depends(_read_asked_undo)]


def ask(page: PageThere, state: StateThere, engine: Reading, asked: Asked) -> Response:
    """The files as the undo would change them, and the button that does it; what has been undone shows its receipt."""
    records = select_runs(engine, asked.sort, asked.name)
    if records and all(record.undone for record in records):
        return seen_other(f"{asked.here}/undone")
    key = asked.here, entries_digest(engine)
    report = state.undone.of(*key)
    if report is None:
        report = state.undone.keep(undo_preview(state.root, state.context, asked.sort, asked.name), *key)
    seen = digest_of(_seen_fields(records))
    return page.show("undo.html", _values(engine, asked, report, records) | {"seen": seen, "done": False})


def take_back(state: StateThere, asked: Asked, form: InBody[Form]) -> Response:
    """Take back; the receipt has an address of its own."""
    with state.reading() as engine:
        form.require_same(_seen_fields(select_runs(engine, asked.sort, asked.name)))
        if state.acts:
            return act_asked(state.acts, UndoAct(sort=asked.sort, name=asked.name))
        state.undone.keep(undo_reported(engine, asked.sort, asked.name), asked.here)
    return seen_other(f"{asked.here}/undone")


def receipt(page: PageThere, state: StateThere, engine: Reading, asked: Asked) -> Response:
    """The receipt, as long as the service keeps it; later the runs that were taken back."""
    records = select_runs(engine, asked.sort, asked.name)
    if not any(record.undone for record in records):
        return seen_other(f"{asked.here}/undo")
    values = _values(engine, asked, state.undone.of(asked.here), records)
    return page.show("undo.html", values | {"again": days_to_run_again(engine, records), "done": True})


def _values(
    engine: Engine, asked: AskedUndo, report: UndoReport | None, records: Sequence[RunRecord]
) -> dict[str, object]:
    all_changes = report.changes if report else ()
    part = part_of(all_changes, asked.number, _FILES)
    marks = Counter(line[:1] for change in all_changes for line in change.diff.split("\n")[_NAMES:])
    moments = [record.window.start for record in records]
    return {
        "sort": asked.sort.value,
        "name": asked.name,
        "here": asked.here,
        "title": _WORDS[asked.sort],
        "report": report,
        "about": named_runs(engine, records)[0] if len(records) == 1 else None,
        "runs": len(records),
        "first": min(moments, default=None),
        "last": max(moments, default=None),
        "part": part,
        "changes": list(file_diffs(part.items)),
        "come": marks["+"],
        "gone": marks["-"],
    }


def _seen_fields(records: Sequence[RunRecord]) -> object:
    """The fields that a person decides about: the runs, and which of them stand."""
    return [[record.run_id, record.undone] for record in records]


for _sort in UndoSort:
    router.add_api_route(f"/{_sort}/{{name}}/undo", ask)
    router.add_api_route(f"/{_sort}/{{name}}/undo", take_back, methods=["POST"])
    router.add_api_route(f"/{_sort}/{{name}}/undone", receipt)
