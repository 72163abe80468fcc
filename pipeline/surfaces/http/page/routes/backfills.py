"""A back-fill: the blocks that its runs wrote, and taking all of them back."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Annotated

from fastapi import APIRouter, Query, Response
from fastapi import Form as FormData

from pipeline.app.corrections import backfill_undo_preview
from pipeline.backfill.orders import OrdersFolder
from pipeline.corrections.undo import BackfillUndone, DaysAgain, days_again, undo_backfill
from pipeline.engine.context import Engine
from pipeline.ledger.runs import BackfillTotals
from pipeline.reports.run_subjects import NamedRun, backfill_named, named_runs
from pipeline.surfaces.http.page.forms import Form, digest_of
from pipeline.surfaces.http.page.paging import fetch_part
from pipeline.surfaces.http.page.rendering import PageThere
from pipeline.surfaces.http.state import Reading, StateThere

router = APIRouter(include_in_schema=False)
Number = Annotated[int, Query(alias="page", ge=1, le=1_000_000)]
_MOST = 200  # names of one sort


class BackfillUndoForm(Form):
    """A person takes a back-fill back."""


@dataclass(frozen=True)
class BackfillReceipt:
    """The receipt of a back-fill's undo: the number of runs, and the names of blocks by what becomes of them."""

    runs: int
    names: dict[str, tuple[str, ...]]


@router.get("/backfills/{backfill}")
def show_backfill(page: PageThere, engine: Reading, backfill: str, number: Number = 1) -> Response:
    """A back-fill: the number of its runs, those that wrote, and what can be done with it."""
    totals = backfill_named(engine, backfill)

    def fetch(offset: int, most: int) -> tuple[Sequence[NamedRun], int]:
        return named_runs(engine, engine.ledger.runs.telling(backfill, most, offset)), totals.runs - totals.empty

    stopped = any(orders.id == backfill for orders in OrdersFolder(engine.workspace.state_folder).stopped())
    values = {"stopped": stopped, "again": _days_to_run_again(engine, totals), "part": fetch_part(fetch, number)}
    return page.show("backfill.html", values | {"totals": totals})


@router.get("/backfills/{backfill}/undo")
def ask(page: PageThere, state: StateThere, engine: Reading, backfill: str) -> Response:
    """The blocks that an undo would take back, and the button that does it."""
    seen = digest_of(_seen_fields(backfill_named(engine, backfill)))
    receipt = _receipt(backfill_undo_preview(state.root, state.context, backfill))
    return page.show("backfill_undo.html", {"backfill": backfill, "receipt": receipt, "seen": seen, "most": _MOST})


@router.post("/backfills/{backfill}/undo")
def take_back(
    page: PageThere, state: StateThere, backfill: str, form: Annotated[BackfillUndoForm, FormData()]
) -> Response:
    """Take back what a back-fill wrote."""
    with state.reading() as engine:
        form.require_same(_seen_fields(backfill_named(engine, backfill)))
        receipt = _receipt(undo_backfill(engine, backfill))
    return page.show("backfill_undone.html", {"backfill": backfill, "receipt": receipt, "most": _MOST})


def _days_to_run_again(engine: Engine, totals: BackfillTotals) -> DaysAgain | None:
    """The days to run again of an undone back-fill; folds do not count."""
    records = engine.ledger.runs.of_backfill(totals.backfill) if totals.undone else []
    folds = {job.name for job in engine.jobs if job.is_fold}
    whole = all(record.undone or record.job in folds for record in records)
    return days_again(engine, [record for record in records if record.undone]) if whole else None


def _receipt(undone: BackfillUndone) -> BackfillReceipt:
    names = {
        "removed": tuple(chain.from_iterable(taken.removed for taken in undone.undone)),
        "restored": tuple(chain.from_iterable(taken.restored for taken in undone.undone)),
        "left": tuple(chain.from_iterable(undone.kept.values())),
        "rendered": tuple(path for taken in undone.undone for outcome in taken.rendered for path in outcome.paths),
    }
    return BackfillReceipt(len(undone.records), names)


def _seen_fields(totals: BackfillTotals) -> object:
    """The fields that a person decides about: the runs of a back-fill, and how many of them stand."""
    return [totals.backfill, totals.runs, totals.undone]
