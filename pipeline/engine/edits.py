"""Entries that somebody changed in their files: the owner's change is a correction, any other one a suggestion."""

import hashlib
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass

from pipeline.engine.context import Engine
from pipeline.engine.edit_evidence import EditEvidence
from pipeline.engine.entry_files import entries_of
from pipeline.engine.suggestions import keep
from pipeline.engine.verification import as_written, written_blocks
from pipeline.errors import PipelineError
from pipeline.events import Event
from pipeline.job import Job
from pipeline.ledger.requests import Request
from pipeline.ledger.suggestions import KeptSuggestion
from pipeline.markdown.entries import one_line
from pipeline.workspace.families import TargetFile
from schemas.correction import CorrectedWords, CorrectionRequest, correction_identity
from schemas.entry import NOT_STATED, Entry, Trust
from schemas.suggestion import ProposedCorrection

CHANGED = "changed_in_file"
"""The reason of a suggestion: its words stand in a file, and nobody knows who wrote them."""
_AROUND = ("why", "finding", "impact")


@dataclass(frozen=True)
class Edit:
    """A changed entry: `entry` as we wrote it, and the words that stand in the file `path` now."""

    job: Job
    entry: Entry
    words: CorrectedWords
    path: str
    digest: str

    @property
    def request_id(self) -> str:
        """The id of the request that makes it a correction: the same for the same text."""
        return f"edit-{hashlib.sha256(f'{self.entry.id} {self.digest}'.encode()).hexdigest()[:32]}"


def edits(engine: Engine) -> list[Edit]:
    """The changed entries that nobody has dealt with: the words in force differ, and no correction was asked for.

    A block of ours that stands unchanged in any file makes the others of its name copies, which change nothing.
    """
    changed = [
        edit for job in engine.writers if job.on_request and not job.writes.listed for edit in _changed(engine, job)
    ]
    if not changed:
        return []
    holding = {entry.id for entry in entries_of(engine).active()}
    return [
        edit
        for edit in changed
        if edit.entry.id in holding
        and engine.ledger.requests.find(edit.request_id) is None
        and not engine.ledger.suggestions.has(_suggestion(engine, edit))
    ]


def notice_edits(engine: Engine) -> None:
    """Ask for the corrections that the owner made in files, and suggest what another hand may have written there.

    The requests are carried out by the run that follows. The transcripts have been looked at.
    """
    now, evidence = engine.clock.now(), EditEvidence(engine, engine.ledger.sights.last())
    with suppress(PipelineError):  # a file that cannot be read now is looked at by the next command
        for edit in edits(engine):
            by_owner = evidence.by_owner(edit.path)
            if by_owner:
                _ask(engine, edit)
            else:
                keep(engine, [_suggestion(engine, edit)])
            engine.emit(Event.CHANGED_IN_FILE, id=edit.entry.id, path=edit.path, by_owner=by_owner)
        engine.ledger.sights.note(now)


def _ask(engine: Engine, edit: Edit) -> None:
    body = CorrectionRequest(
        corrects=edit.entry.id,
        words=edit.words,
        at=engine.local_now().replace(microsecond=0),
        trust=Trust.EDITED,
        identity=correction_identity(edit.request_id),
    )
    request = Request(
        edit.request_id, edit.job.name, "", body.model_dump_json(), asked=engine.clock.now(), about=edit.entry.date
    )
    with engine.ledger.store.transaction():
        engine.ledger.requests.keep(request)


def _suggestion(engine: Engine, edit: Edit) -> KeptSuggestion:
    about = ProposedCorrection(entry=edit.entry, words_of=edit.words, by=edit.path, at=engine.local_now())
    return KeptSuggestion(edit.job.name, about, correction_identity(edit.request_id), CHANGED, "")


def _changed(engine: Engine, job: Job) -> Iterator[Edit]:
    files = engine.family(job).files()
    written = written_blocks(engine.ledger.changes, {block.name for file in files for block, _ in file.blocks})
    whole = as_written((block for file in files for block in file.blocks), written)
    for file in files:
        yield from _of_file(engine, job, file, whole)


def _of_file(engine: Engine, job: Job, file: TargetFile, whole: Iterable[str]) -> Iterator[Edit]:
    for block, now in file.blocks:
        if now is None or block.name in whole:
            continue
        original = written_blocks(engine.ledger.changes, [block.name]).original(block.name)
        words = changed_words(original, now) if original else None
        if original and words and engine.catalog.masked(words.conclusion) == words.conclusion:
            yield Edit(job, original, words, file.path, block.digest)


def changed_words(before: Entry, now: Entry) -> CorrectedWords | None:
    """The words of a changed entry, without those that were not changed beside them; `None` when no word is another.

    Of conclusion, title and quote the first that was changed says how it is.
    """
    said = {key: one_line(getattr(now, key)) for key in ("conclusion", "title", "quote", *_AROUND)}
    fresh = {key for key, text in said.items() if text != one_line(getattr(before, key))}
    main = next((key for key in ("conclusion", "title", "quote") if key in fresh), "")
    if not fresh or not any(map(str.isalnum, said[main or "conclusion"])):
        return None
    around = {key: said[key] or NOT_STATED for key in _AROUND if key in fresh or not main}
    conclusion = said[main or "conclusion"]
    title = said["title"] if "title" in fresh or not main else ""
    return CorrectedWords(title=title, conclusion=conclusion, quote=conclusion, **around)
