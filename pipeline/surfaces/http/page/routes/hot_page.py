"""MEMORY.md: the page that an agent reads first, with why each line stands there; and what became of it by week."""

import re
from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any

from fastapi import Response
from pydantic import Field

from pipeline.clock import local_day
from pipeline.corrections.full_page import full_page
from pipeline.corrections.page_lines import edit_line, editable_lines
from pipeline.corrections.undo import undo
from pipeline.engine.context import Engine
from pipeline.errors import ReadFailed
from pipeline.errors.service import PageOutdated
from pipeline.markdown.blocks import Block, find_blocks
from pipeline.reports.entry_book import entry_titles, titles_named
from pipeline.reports.hot_page import WeekVerdict, judged_week, page_changes, plans, without_room
from pipeline.reports.placed_entries import EntryBook, PlacedEntry
from pipeline.surfaces.http.page.forms import AskedPart, Form, InBody, InQuery, QueryForm, digest_of
from pipeline.surfaces.http.page.paging import part_of
from pipeline.surfaces.http.page.reading import inline, leads_from, page_lines
from pipeline.surfaces.http.page.rendering import Page, PageThere, act_asked, page_router, seen_other
from pipeline.surfaces.http.state import Reading, StateThere
from schemas.base import RequestValue
from schemas.correction import LineEdit, UndoSort
from schemas.fleet_act import EditLineAct, UndoAct
from schemas.hot_page import CHARACTERS, LINES, PATH

router = page_router()
_RULINGS = ("promoted", "stays", "kept", "demoted", "merged", "overridden")
"""The verdicts that have a word in the reader's language; a person may have written another."""
_QUIET = ("stays", "kept")
"""The rulings that change nothing on the page."""
_WAITING, _VERDICTS, _CHANGES = 50, 100, 5
_AGES = ((1, "day", 1), (2, "yesterday", 1), (14, "days", 1), (61, "weeks", 7), (1461, "months", 30))
"""The days from which an age is told otherwise, its text, and the days of its unit."""

_SIGNALS = re.compile(r"score \d\.\d\d: ([^;]+); .*")
_PLAIN = {
    "said": r"said (?P<times>\d+) times on \d+ days?",
    "returns": r"came up on (?P<days>\d+) later days?",
    "lasting": r"its words say that it lasts",
    "changes": r"it replaces an earlier entry",
}
"""The signals of a verdict that a margin tells, and how its reason does."""


class EditedQuery(QueryForm):
    """The run whose edit of a line was just made."""

    run: str = Field(default="", max_length=100)


class EditForm(Form):
    """The edit of a line; `line` is its name."""

    line: str = Field(max_length=100)
    edit: LineEdit


class UndoEditForm(RequestValue):
    """The run of an edit that a person takes back."""

    run: str = Field(max_length=100)


@router.get("/memory")
def hot_page(page: PageThere, state: StateThere, engine: Reading, wanted: InQuery[EditedQuery]) -> Response:
    """`MEMORY.md` as it is, each line with its age and why it stands there."""
    data, book = read_hot_page(engine), state.books.of(engine)
    text = data.decode(errors="replace")
    lines = list(_hot_lines(page, engine, data, book))
    waiting = [(name, known.entry.title if (known := book.counting(name)) else name) for name in without_room(engine)]
    values = {
        "lines": lines,
        "titles": entry_titles(book, {name for line in lines for name in line["heirs"]}, engine.zone),
        "sizes": {"lines": (len(text.splitlines()), LINES), "characters": (len(text), CHARACTERS)},
        "full": full_page(engine),
        "waiting": waiting[:_WAITING],
        "edited": _edited_line(engine, wanted.run) if wanted.run else "",
        "run": wanted.run,
        "any_weeks": bool(plans(engine)),
    }
    return page.show("hot_page.html", values)


@router.post("/memory/lines")
def edit(state: StateThere, form: InBody[EditForm]) -> Response:
    """Take a line off the page, pin it or unpin it, if it still reads as it was shown; then the page, with the undo."""
    with state.running(looking=False) as engine:
        line = editable_lines(read_hot_page(engine)).get(form.line)
        if line is None:
            raise PageOutdated
        form.require_same(_seen_fields(line))
        if state.acts:
            return act_asked(state.acts, EditLineAct(line=line.name, text=line.text, edit=form.edit))
        outcome = edit_line(engine, line.name, line.text, form.edit)
    return seen_other(f"/memory?notice={form.edit}&run={outcome.run_id}")


@router.post("/memory/undo")
def take_back(state: StateThere, form: InBody[UndoEditForm]) -> Response:
    """Take back the edit of a line."""
    with state.running(looking=False) as engine:
        if not _edited_line(engine, form.run):
            raise PageOutdated
        if state.acts:
            return act_asked(state.acts, UndoAct(sort=UndoSort.RUN, name=form.run))
        left = undo(engine, form.run).left
    return seen_other(f"/memory?notice={'line_left' if left else 'line_back'}")


@router.get("/memory/weeks")
def weeks(
    page: PageThere,
    state: StateThere,
    engine: Reading,
    number: AskedPart = 1,
) -> Response:
    """The history of the page, a week at a time: what its plan said, and what changed."""
    part, changes = part_of(list(plans(engine).items()), number, 1), page_changes(engine)
    judged = [judged_week(engine, week, path, changes) for week, path in part.items]
    book = state.books.of(engine)
    moved, quiet = (
        [verdict for week in judged for verdict in week.verdicts if (verdict.ruling in _QUIET) is still]
        for still in (False, True)
    )
    values = {
        "part": part,
        "week": judged[0] if judged else None,
        "groups": {"moved": moved, "quiet": quiet},
        "most": _VERDICTS,
        "titles": titles_named(
            book, [verdict.reason for verdict in (*moved[:_VERDICTS], *quiet[:_VERDICTS])], engine.zone
        ),
        "others": [change for change in changes if not change.week][:_CHANGES] if number == 1 else [],
        "rulings": _RULINGS,
    }
    return page.show("hot_weeks.html", values)


def _hot_lines(page: Page, engine: Engine, data: bytes, book: EntryBook) -> Iterator[dict[str, Any]]:
    """The lines of the page; of those that tell of an entry, why they stand there by the newest plan.

    `margin` has the words beside a line, and `edits` the edits that its buttons make.
    """
    blocks = {block.line: block for block in editable_lines(data).values()}
    leads, today = leads_from(PATH, engine.workspace.layout), local_day(engine.clock.now(), engine.zone)
    newest = [judged_week(engine, *plan, ()).verdicts for plan in list(plans(engine).items())[:1]]
    reasons = {
        book.by_reference.get(verdict.entry, verdict.entry): verdict for verdicts in newest for verdict in verdicts
    }
    for line in page_lines(data.decode(errors="replace")):
        place = book.counting(book.by_reference.get(line.entry, "")) if line.entry else None
        block = blocks.get(line.number)
        margin = _margin(page, place, reasons, engine.zone, today) if place else ()
        pinned = block is not None and block.is_pinned
        yield {
            "line": line,
            "words": inline(line.text, leads=leads),
            "margin": ((page.text("hot.pinned"),) if pinned else ()) + margin,
            "place": place,
            "heirs": book.now.states[place.entry.id].superseded_by if place else (),
            "seen": digest_of(_seen_fields(block)) if block else "",
            "edits": (LineEdit.UNPIN if pinned else LineEdit.PIN, LineEdit.TAKE_OFF) if block and line.entry else (),
        }


def _margin(
    page: Page, place: PlacedEntry, reasons: Mapping[str, WeekVerdict], zone: str, today: date
) -> tuple[str, ...]:
    entry, verdict = place.entry, reasons.get(place.entry.id)
    days = (today - local_day(entry.date, zone)).days
    unit, divisor = next(((unit, size) for until, unit, size in _AGES if days < until), ("years", 365))
    why = _plain_reason(page, verdict.reason) if verdict else ""
    kind = page.word("page.kinds", entry.kind)
    over = (page.text("hot.over", day=entry.until),) if entry.until and entry.until < today else ()
    return (*over, page.word("hot.age", unit).format(number=days // divisor), f"{kind}, {why}" if why else kind)


def _plain_reason(page: Page, reason: str) -> str:
    """The signals of a reason that a person cares for; empty where the reason is not as ours are."""
    signals = _SIGNALS.fullmatch(reason)
    if signals is None:
        return ""
    matches = ((name, re.fullmatch(_PLAIN[name], signal)) for signal in signals[1].split(", ") for name in _PLAIN)
    words = {name: page.word("hot.plain", name).format(**match.groupdict()) for name, match in matches if match}
    return ", ".join(words.values() if "said" in words else [page.word("hot.plain", "once"), *words.values()])


def _edited_line(engine: Engine, run_id: str) -> str:
    """The line that a run took off or pinned, as it was; empty where there is nothing to take back."""
    record = engine.ledger.runs.find(run_id)
    if record is None or record.job not in set(LineEdit) or record.undone:
        return ""
    names = record.outcome.items if record.outcome else ()
    before = [change.before or b"" for change in engine.ledger.changes.of_run(run_id)]
    texts = (block.text for data in before for block in find_blocks(data) if block.name in names)
    return next(texts, "").removeprefix("- ")


def _seen_fields(line: Block) -> list[str]:
    """The fields of a line that a person sees and decides about."""
    return [line.name, line.text]


def read_hot_page(engine: Engine) -> bytes:
    """The bytes of `MEMORY.md`; none where it cannot be read, of which the doctor says more."""
    try:
        return engine.workspace.read(PATH) or b""
    except ReadFailed:
        return b""
