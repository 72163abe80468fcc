"""Entries that somebody changed in their files: the owner's change is a correction, any other one a suggestion."""

import hashlib
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from difflib import SequenceMatcher
from unicodedata import normalize

from pipeline.engine.context import Engine
from pipeline.engine.edit_evidence import EditEvidence
from pipeline.engine.entry_files import entries_of
from pipeline.engine.suggestions import keep
from pipeline.engine.verification import as_written, written_blocks
from pipeline.entries.topics import tokens
from pipeline.errors import PipelineError
from pipeline.events import Event
from pipeline.job import Job
from pipeline.language.folding import folded_words
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
_ENDS = ".。"
_TYPED = str.maketrans(dict.fromkeys("“”„«»「」", '"') | dict.fromkeys("\u2018\u2019\u201a", "'"))
"""The marks of quotes as an editor sets them, and as people type them."""
_SENTENCE = 0.6
"""From this likeness on, a changed heading is the sentence in other words, and no label that somebody gave it."""


@dataclass(frozen=True)
class Edit:
    """A changed entry: `entry` as we wrote it, and the words that stand in the file `path` now.

    It is `clear` when nobody can mean anything else by it; a changed quote may as well be a slip of the hand.
    """

    job: Job
    entry: Entry
    words: CorrectedWords
    path: str
    digest: str
    clear: bool

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
            by_owner = edit.clear and evidence.by_owner(edit.path)
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
        change = changed_words(original, now) if original else None
        if original and change and engine.catalog.masked(change[0].conclusion) == change[0].conclusion:
            yield Edit(job, original, change[0], file.path, block.digest, change[1])


def changed_words(before: Entry, now: Entry) -> tuple[CorrectedWords, bool] | None:
    """The words of a changed entry, without those that were not changed beside them, and whether the change is clear.

    `None` when no word is another. Of conclusion, title and quote the first that was changed says how it is; a title
    that only names what the entry says takes the place of the title alone.
    """
    fresh = _fresh(before, now)
    main = next((key for key in ("conclusion", "title", "quote") if key in fresh), "")
    if main == "title" and _repeats(now.title, before):
        main = ""
    conclusion = fresh[main] if main else before.conclusion
    if not fresh or not any(map(str.isalnum, conclusion)):
        return None
    around = {key: one_line(getattr(now, key)) or NOT_STATED for key in _AROUND if key in fresh or not main}
    title = one_line(now.title) if "title" in fresh or not main else ""
    quote = conclusion if main or "title" not in fresh else title
    clear = main == "conclusion" or not main or (main == "title" and _alike(title, before.title))
    return CorrectedWords(title=title, conclusion=conclusion, quote=quote, **around), clear


def _fresh(before: Entry, now: Entry) -> dict[str, str]:
    """The texts of an entry that say something else than before, by their keys.

    Marks as an editor sets them say nothing, nor do those of a quote, nor a heading that is gone.
    """
    texts = {key: one_line(getattr(now, key)) for key in ("conclusion", "title", *_AROUND)}
    fresh = {key: text for key, text in texts.items() if _typed(text) != _typed(getattr(before, key))}
    if now.title == now.id or not any(map(str.isalpha, now.title)):  # or the day above it, which is the file's heading
        fresh.pop("title", None)
    if folded_words(now.quote) != folded_words(before.quote):
        fresh["quote"] = one_line(now.quote)
    return fresh


def _typed(text: str) -> str:
    """A text as people type it, without the mark at its end."""
    return one_line(normalize("NFC", text)).translate(_TYPED).rstrip(_ENDS)


def _repeats(title: str, entry: Entry) -> bool:
    """Whether a title is a part of what an entry says."""
    return folded_words(title) in folded_words(entry.conclusion)


def _alike(title: str, before: str) -> bool:
    """Whether a title is another one with some words changed: something stands in the place of all that is gone."""
    match = SequenceMatcher(None, tokens(before), tokens(title), autojunk=False)
    return match.ratio() >= _SENTENCE and all(tag != "delete" for tag, *_ in match.get_opcodes())
