"""The parts of all measurements, each with its table."""

import os
from collections.abc import Callable
from contextlib import redirect_stdout
from io import StringIO
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.answering import answering
from benchmarks.backfilling import Sizes, backfilling
from benchmarks.details import details
from benchmarks.folding import folding
from benchmarks.index import index
from benchmarks.masking import masking
from benchmarks.measuring import head
from benchmarks.page import page
from benchmarks.parsing import parsing
from benchmarks.replacing import replacing
from benchmarks.resting import ENTRIES, ROUNDS, resting
from benchmarks.runs import bulk, idle_run, year
from benchmarks.said import said
from benchmarks.serving import serving
from benchmarks.waking import waking
from benchmarks.weekly import weekly

Measure = Callable[[Path], None]

PARTS: dict[str, tuple[Measure, ...]] = {
    "Reading transcripts": (parsing,),
    "Masking secrets": (lambda _: masking(),),
    "Runs": (idle_run, year, bulk, weekly, lambda _: folding()),
    "Back-fills": (lambda folder: backfilling(folder, Sizes()),),
    "Index and search": (index, answering),
    "What was said": (said,),
    "The service": (serving, waking),
    "The page": (page, lambda folder: resting(folder, ENTRIES, ROUNDS)),
    "Large outputs": (details, replacing),
}


def measure_part(title: str) -> str:
    """The section of a part: its table, and the load of the machine before and after."""
    before, _, _ = os.getloadavg()
    with redirect_stdout(StringIO()) as table:
        head()
    rows = [_rows_of(title, number) for number in range(len(PARTS[title]))]
    after, _, _ = os.getloadavg()
    return f"## {title}\n\nLoad: {before:.1f} before, {after:.1f} after.\n\n{table.getvalue()}{''.join(rows)}"


def _rows_of(title: str, number: int) -> str:
    """The rows of a measurement, made in a process of its own: the peak of its children is no other's."""
    with TemporaryDirectory(prefix=f"memory-benchmarks-{number}-") as folder:
        rows = Path(folder, "rows")
        process = get_context("spawn").Process(target=_write_rows, args=(title, number, rows))
        process.start()
        process.join()
        if process.exitcode:
            raise SystemExit(process.exitcode)
        return rows.read_text(encoding="utf-8")


def _write_rows(title: str, number: int, rows: Path) -> None:
    room = rows.with_name("room")
    room.mkdir()
    with rows.open("w", encoding="utf-8") as file, redirect_stdout(file):
        PARTS[title][number](room)
