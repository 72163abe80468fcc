"""Corrections by a person: an undo as it would go, forgetting in the index, and words in place of a suggestion's."""

from pathlib import Path

from pipeline.agents.journal import one_line
from pipeline.app.index import open_index
from pipeline.app.opening import opened_copy
from pipeline.app.redaction import open_redactor
from pipeline.corrections.undo import BackfillUndone, again_command, undo, undo_backfill, undone_run
from pipeline.engine.context import Engine
from pipeline.errors import PipelineError
from pipeline.errors.agents import NothingToChange
from pipeline.index.said.update import erase_said
from pipeline.index.sync.update import drop_index, erase_from_index
from pipeline.ledger.suggestions import KeptSuggestion
from pipeline.process.context import ProcessContext
from pipeline.reports.runs import run_named
from pipeline.reports.suggestions import may_edit
from schemas.memory_change import LONGEST
from schemas.reports.runs import UndoneRun
from schemas.suggestion import NewEntry, ProposedCorrection, StandingEntry

_NO_MODEL = {"MEMORY_MODEL__BASE_URL": "", "MEMORY_MODEL__NAME": ""}
"""A look pays for no words of a page that would be rendered again."""


def undo_preview(root: Path, context: ProcessContext, run_id: str) -> UndoneRun:
    """The undo of a run as its receipt would say it, without doing it."""
    with opened_copy(root, _quiet(context)) as engine:
        record = run_named(engine, run_id)
        return undone_run(undo(engine, record.run_id), record, again_command(engine, [record]))


def backfill_undo_preview(root: Path, context: ProcessContext, backfill: str) -> BackfillUndone:
    """The undo of a back-fill as its receipt would say it, without doing it."""
    with opened_copy(root, _quiet(context)) as engine:
        return undo_backfill(engine, backfill)


def _quiet(context: ProcessContext) -> ProcessContext:
    """For a look: it asks no model, and announces nothing."""
    return ProcessContext({**context.environment, **_NO_MODEL}, context.clock)


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
