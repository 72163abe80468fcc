"""Corrections by a person: an undo as it would go, forgetting in the index, and words in place of a suggestion's."""

from dataclasses import dataclass
from pathlib import Path

from pipeline.agents.journal import one_line
from pipeline.app.index import open_index
from pipeline.app.opening import opened_copy
from pipeline.app.redaction import open_redactor
from pipeline.corrections.undo import again_command, undo, undo_backfill, undo_key, undone_run
from pipeline.engine.context import Engine
from pipeline.engine.dry_run import changes_between, page_texts
from pipeline.errors import PipelineError
from pipeline.errors.agents import NothingToChange
from pipeline.index.said.update import erase_said
from pipeline.index.sync.update import drop_index, erase_from_index
from pipeline.ledger.suggestions import KeptSuggestion
from pipeline.process.context import ProcessContext
from pipeline.reports.runs import run_named
from pipeline.reports.suggestions import may_edit
from schemas.correction import UndoSort
from schemas.memory_change import LONGEST
from schemas.reports.runs import FileChange, UndoneRun
from schemas.suggestion import NewEntry, ProposedCorrection, StandingEntry

NO_MODEL = {"MEMORY_MODEL__BASE_URL": "", "MEMORY_MODEL__NAME": "", "MEMORY_MODEL__PROGRAM": ""}
"""Variables without a model: a look, or an erasure, pays for no words of a page that is rendered again."""


@dataclass(frozen=True)
class UndoReport:
    """An undo, with the files as they change by it.

    `runs` is how many runs are taken back. `removed`, `restored` and `left` count blocks of ours, `rendered` are the
    pages that are made anew, and so many `suggestions` wait no longer.
    """

    sort: UndoSort
    name: str
    runs: int
    removed: int
    restored: int
    left: int
    rendered: tuple[str, ...]
    warnings: tuple[str, ...]
    suggestions: int
    changes: tuple[FileChange, ...]


def undo_run(engine: Engine, name: str) -> UndoneRun:
    """Take back the run of this name; the report for programs. Raises what `run_named` and `undo` raise."""
    record = run_named(engine, name)
    withdrawn = undo(engine, record.run_id)
    return undone_run(withdrawn, record, again_command(engine, [record]))


def undo_preview(root: Path, context: ProcessContext, sort: UndoSort, name: str) -> UndoReport:
    """The undo as its receipt would say it, without doing it: no model is asked, and nothing is announced."""
    quiet = ProcessContext({**context.environment, **NO_MODEL}, context.clock)
    with opened_copy(root, quiet) as engine:
        return undo_reported(engine, sort, name)


def undo_reported(engine: Engine, sort: UndoSort, name: str) -> UndoReport:
    """Take back, and tell what became of blocks and files; raises what `undo`, `undo_backfill` and `undo_key` raise."""
    workspace = engine.workspace
    before = page_texts(workspace.root, workspace.layout)
    if sort is UndoSort.BACKFILL:
        whole = undo_backfill(engine, name)
        undone, runs, left = whole.undone, len(whole.records), sum(map(len, whole.kept.values()))
    else:
        undone = tuple(undo_key(engine, name)) if sort is UndoSort.PERIOD else (undo(engine, name),)
        runs, left = len(undone), sum(len(report.left) for report in undone)
    outcomes = [outcome for report in undone for outcome in report.rendered]
    return UndoReport(
        sort,
        name,
        runs,
        removed=sum(len(report.removed) for report in undone),
        restored=sum(len(report.restored) for report in undone),
        left=left,
        rendered=tuple(dict.fromkeys(path for outcome in outcomes for path in outcome.paths)),
        warnings=tuple(outcome.warning for outcome in outcomes if outcome.warning),
        suggestions=sum(report.suggestions for report in undone),
        changes=tuple(changes_between(before, page_texts(workspace.root, workspace.layout))),
    )


def forget_in_index(root: Path, context: ProcessContext) -> tuple[str, PipelineError | None]:
    """Bring an index to forget what `pipeline.corrections.forget` took out of the files and of the store.

    That of details is removed, for its store may be out of reach; the next update makes it anew.
    `rebuilt`, or `none` when there is no index; `left`, with the reason, when it still has the words.
    """
    try:
        with open_index(root, context) as opened:
            drop_index(opened.details.indexing)
            said = erase_said(opened.said.indexing)
            return ("rebuilt" if erase_from_index(opened.indexing) or said else "none"), None
    except PipelineError as error:
        return "left", error


def own_words(engine: Engine, suggestion: KeptSuggestion, text: str) -> str:
    """The words on one line, without secrets.

    Raises:
        NothingToChange: there are no words, too many, or the suggestion has none that could be others.
    """
    if not may_edit(suggestion):
        message = "This has no words of its own: accept it or decline it."
        raise NothingToChange(message)
    words = one_line(open_redactor(engine.settings).redact(text))
    if not any(character.isalnum() for character in words):
        message = "There are no words, so nothing was decided."
        raise NothingToChange(message)
    if len(words) > LONGEST and not isinstance(suggestion.about, NewEntry | ProposedCorrection | StandingEntry):
        message = f"This is too long to be one thing to remember: say one thing, in at most {LONGEST} characters."
        raise NothingToChange(message)
    return words
