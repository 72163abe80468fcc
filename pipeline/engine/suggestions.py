"""Suggestions that wait for a person. The ledger holds them all; the files tell what became of them."""

from collections.abc import Collection, Iterable, Sequence
from contextlib import nullcontext, suppress
from dataclasses import replace
from datetime import timedelta

from pydantic import ValidationError

from pipeline.drafts import Draft, EntryDraft, SuggestionDraft
from pipeline.engine.context import Engine
from pipeline.engine.inputs import all_facts, entries_of, names_by_people
from pipeline.engine.partitioning.base import partition_of
from pipeline.entries.provenance import message_part
from pipeline.facts.names import EntityNames, entities_of, key_of
from pipeline.job import Job
from pipeline.ledger.changes import STANDING, BlockState
from pipeline.ledger.requests import Request
from pipeline.ledger.suggestions import KeptSuggestion, words_of
from pipeline.markdown.entries import parse_entries
from pipeline.workspace.declined import read_declined
from pipeline.workspace.forgotten import read_forgotten
from schemas.correction import CorrectionRequest
from schemas.entry import Entry, Trust
from schemas.memory_change import AcceptedChange
from schemas.suggestion import (
    AcceptedEntry,
    AcceptedFact,
    NewEntry,
    ProposedAlias,
    ProposedChange,
    ProposedCorrection,
    ProposedFact,
    StandingEntry,
    StandingLink,
    Suggested,
)


def ask_at_once(engine: Engine, suggestions: Sequence[KeptSuggestion], settled: Collection[str]) -> frozenset[str]:
    """Ask for entries that nobody has to accept, as the run that suggests them; the ids of their suggestions.

    Not for one on a message on which something of the identities `settled` rests: the person is asked about that. The
    caller holds a transaction.
    """
    messages = {message_part(identity) for identity in settled}
    asked = [suggestion for suggestion in suggestions if message_part(suggestion.identity) not in messages]
    for suggestion in asked:
        if isinstance(suggestion.about, NewEntry):
            entry, name = suggestion.about.entry, f"{_prefix(suggestion.run_id)}{suggestion.id}"
            body = AcceptedEntry(entry=entry, identity=suggestion.identity, by_person=False).model_dump_json()
            now = engine.clock.now()
            engine.ledger.requests.keep(Request(name, suggestion.job, "", body, asked=now, about=entry.date))
    return frozenset(suggestion.id for suggestion in asked)


def drop_of_run(engine: Engine, run_id: str) -> int:
    """Drop the suggestions of a run, and those of its requests that nobody has carried out; how many suggestions.

    The caller holds a transaction.
    """
    engine.ledger.requests.drop_open(_prefix(run_id))
    return engine.ledger.suggestions.drop_of_run(run_id)


def _prefix(run_id: str) -> str:
    """The begin of the ids of what a run asks for."""
    return f"at-once-{run_id}-"


ALIKE = "alike"
"""The reason for which two names may be one entity's."""
EXPIRY = timedelta(days=30)
"""The time after which a change of an agent's memory that waits is dropped."""
_TAKEN_BACK = timedelta(days=1)  # in which a declined suggestion may wait again, so its words are kept
_STANDING = (BlockState.LIVE, BlockState.RECOVERED, BlockState.LOST, BlockState.ADOPTED, BlockState.FORGOTTEN)


def settle_declined(engine: Engine) -> None:
    """Let the ledger know what `memory/declined.md` lists, and drop the words of what was declined a day ago."""
    now = engine.clock.now()
    engine.ledger.suggestions.note_declined(read_declined(engine.workspace).ids, now, now - _TAKEN_BACK)


def waiting(engine: Engine) -> list[KeptSuggestion]:
    """The suggestions that nobody has decided, the first that was made first; of equal words the first one alone.

    No new one that stands as an entry, was forgotten or declined, or has been accepted and is about to be written. Nor
    one of which the words stand as an entry, for the owner said them again, and clearly. One about what stands waits as
    long as the file says so. A change of an agent's memory waits for at most `EXPIRY`.
    """
    # By the moment at which it was kept: what a back-fill reads may have been said long ago.
    expired = engine.ledger.suggestions.kept_before(engine.clock.now() - EXPIRY)
    every = engine.ledger.suggestions.all()
    kept = [
        suggestion
        for suggestion in every
        if not (isinstance(suggestion.about, ProposedChange) and suggestion.id in expired)
    ]
    kept = _drop_outdated(engine, _drop_settled_aliases(engine, kept))
    new = [suggestion for suggestion in kept if suggestion.about.is_new]
    undecided = [
        *_undecided_suggestions(engine, new),
        *(_still_in_review(engine, kept) if len(new) < len(kept) else ()),
    ]
    return [replace(suggestion, project=_project(engine, suggestion.about)) for suggestion in undecided]


def _project(engine: Engine, about: Suggested) -> str:
    """The project in which the words of a suggestion were said; empty where none is known."""
    projects = engine.ledger.session_projects
    if isinstance(about, ProposedChange):
        return projects.at(about.change.session_id, about.change.number) or ""
    if isinstance(about, ProposedFact):
        return projects.at(about.fact.session_id, about.fact.numbers[1]) or ""
    return (
        "" if isinstance(about, ProposedAlias) else about.entry.project or engine.catalog.project_of(about.entry.source)
    )


def _drop_settled_aliases(engine: Engine, suggestions: Sequence[KeptSuggestion]) -> list[KeptSuggestion]:
    """The suggestions without names that are one entity's by now, or that no fact and no person names any more."""
    if not any(isinstance(suggestion.about, ProposedAlias) for suggestion in suggestions):
        return list(suggestions)
    names = names_by_people(engine)
    known = entities_of(all_facts(engine), names)
    left = list[KeptSuggestion]()
    for suggestion in suggestions:
        about = suggestion.about
        pair = (about.name, about.alias) if isinstance(about, ProposedAlias) else ()
        keys = {key_of(name, names) for name in pair}
        if len(keys) == len(pair) and keys <= known.keys():
            left.append(suggestion)
    return left


def _drop_outdated(engine: Engine, suggestions: Sequence[KeptSuggestion]) -> list[KeptSuggestion]:
    """The suggestions without those that are about words which hold no more: they were corrected, or replaced."""
    about = {
        suggestion.about.entry.id for suggestion in suggestions if isinstance(suggestion.about, ProposedCorrection)
    }
    if not about:
        return list(suggestions)
    holding = {entry.id: entry for entry in entries_of(engine).active() if entry.id in about}
    return [
        suggestion
        for suggestion in suggestions
        if not isinstance(suggestion.about, ProposedCorrection)
        or (suggestion.about.entry.id in holding and suggestion.about.holds_for(holding[suggestion.about.entry.id]))
    ]


def keep_new(engine: Engine, job: Job, run_id: str, drafts: Sequence[Draft], known: Iterable[Entry]) -> tuple[str, ...]:
    """Keep the suggestions of a run that nobody has decided; the ids of those that wait from now on.

    `known` are the entries that stood before the run: what one of them says is not suggested.
    """
    writers = {"", *(other.name for other in engine.jobs)}  # a suggestion of a job that does not run here is dropped
    suggested = [draft for draft in drafts if isinstance(draft, SuggestionDraft) and draft.writer in writers]
    made = []
    for draft in suggested:
        about = draft.about
        new = NewEntry(entry=about) if isinstance(about, Entry) else ProposedFact(fact=about)
        made.append(KeptSuggestion(draft.writer or job.name, new, draft.identity, draft.reason, run_id))
    # Entries of the run may say the words of a suggestion, of this run or of an earlier one.
    table, doubtful = engine.ledger.suggestions, {suggestion.words for suggestion in made}
    for written in drafts:
        if isinstance(written, EntryDraft):
            words = words_of(written.entry.conclusion, written.identity)
            if words in doubtful or table.says(words):
                table.note_said(words, written.identity)
    trusted = (entry for entry in known if made and entry.trust is not Trust.UNVERIFIED)
    waits = keep(engine, made, {words_of(entry.conclusion, "") for entry in trusted})
    sure = {draft.identity for draft in suggested if draft.at_once}
    at_once = [suggestion for suggestion in made if suggestion.identity in sure]
    undecided = _undecided_suggestions(engine, at_once)  # also what waits already, for a lesser reason
    if not undecided:
        return waits
    settled = _settled_identities(engine)
    with engine.ledger.store.transaction():
        asked = ask_at_once(engine, undecided, settled)
    return tuple(name for name in waits if name not in asked)


def keep_aliases(engine: Engine, job: Job, run_id: str, drafts: Sequence[Draft]) -> tuple[str, ...]:
    """Keep the names of a run that may be one entity's; the ids of those that wait from now on."""
    made = []
    for about in (draft for draft in drafts if isinstance(draft, ProposedAlias)):
        keys = sorted(key_of(name, EntityNames()) for name in (about.name, about.alias))  # whichever comes first
        made.append(KeptSuggestion(job.name, about, "|".join(["alias", *keys]), ALIKE, run_id))
    return keep(engine, made)


def keep(engine: Engine, made: Sequence[KeptSuggestion], stands: Collection[str] = ()) -> tuple[str, ...]:
    """Keep suggestions that nobody has decided; the ids of those that wait from now on.

    `stands` are the hashes of the words that stand already: these are not suggested.
    """
    table = engine.ledger.suggestions
    undecided = _undecided_suggestions(engine, [suggestion for suggestion in made if suggestion.words not in stands])
    new = [suggestion for suggestion in undecided if not table.has(suggestion)]
    waits = tuple(suggestion.id for suggestion in new if not table.says(suggestion.words))
    with engine.ledger.store.transaction() if new else nullcontext():
        for suggestion in new:
            table.keep(suggestion, engine.clock.now())
    return waits


def _undecided_suggestions(engine: Engine, suggestions: Sequence[KeptSuggestion]) -> list[KeptSuggestion]:
    if not suggestions:
        return []
    settled, declined = _settled_identities(engine), read_declined(engine.workspace)
    said = {suggestion.words for suggestion in suggestions if suggestion.identity in settled}
    said |= engine.ledger.suggestions.word_hashes(settled)
    undecided = dict[str, KeptSuggestion]()
    for suggestion in suggestions:
        words = suggestion.words
        if suggestion.identity in settled or words in said or declined.has_text(suggestion.about.words):
            continue
        if not declined.has_identity(suggestion.identity):
            undecided.setdefault(words, suggestion)
    return list(undecided.values())


def _still_in_review(engine: Engine, suggestions: Sequence[KeptSuggestion]) -> list[KeptSuggestion]:
    """The suggestions about standing entries and links whose entry is in its file, and still as it was suggested."""
    standing = [
        (suggestion, suggestion.about)
        for suggestion in suggestions
        if isinstance(suggestion.about, StandingEntry | StandingLink)
    ]
    known = engine.ledger.changes.standings_of({about.entry.id for _, about in standing})
    paths = {block_standing.block.path for block_standing in known if block_standing.state in STANDING}
    blocks = (block for path in sorted(paths) for block in parse_entries(engine.workspace.read(path) or b""))
    now = {entry.id: entry for _, entry in blocks if entry}
    return [
        suggestion for suggestion, about in standing if about.entry.id in now and about.waits_in(now[about.entry.id])
    ]


def _settled_identities(engine: Engine) -> Collection[str]:
    """The identities of entries that stand, that people took out, and that are about to be written."""
    ledger = engine.ledger
    requests = [request for job in engine.jobs if job.on_request for request in ledger.requests.of_job(job.name)]
    pending = (request for request in requests if ledger.keyed.find(request.job, partition_of(request)) is None)
    return {
        *ledger.changes.identities_in(_STANDING),
        *(gone.identity for gone in read_forgotten(engine.workspace)),
        *(_identity_in(request.body) for request in pending),
    } - {""}


def _identity_in(body: str) -> str:
    for accepted in (AcceptedEntry, AcceptedChange, AcceptedFact, CorrectionRequest):
        with suppress(ValidationError):  # another request of the job
            return accepted.model_validate_json(body).identity
    return ""
