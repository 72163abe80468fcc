"""Forget an entry: it leaves the Markdown, the ledger and the cache, and is never extracted again."""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import date

from pipeline.corrections.correction import take_inventory
from pipeline.corrections.erasure import (
    Erased,
    all_held,
    cut_item,
    out_of_reach,
    out_of_the_logs,
    put_erased,
    reached_by,
    rewrite,
    wipe_bytes,
)
from pipeline.corrections.forget_fact import lines_resting_on
from pipeline.corrections.forgotten_before import (
    KIND_AND_DAY,
    forgotten_before,
    returned_entries,
    returned_items,
    stand_in,
)
from pipeline.corrections.stored_conversations import (
    ConversationMasking,
    MaskedConversations,
    SaidWords,
    forget_details,
)
from pipeline.corrections.undo_folds import render_folds
from pipeline.engine.context import Engine
from pipeline.engine.deletions import LOCK, LOCK_SECONDS, retire
from pipeline.entries.mentions import EntryMatcher
from pipeline.entries.provenance import identities_at, identity_of
from pipeline.errors import ChangedMeanwhile, Held, OwnedElsewhere, UnknownEntry
from pipeline.events import Event
from pipeline.facts.names import page_of
from pipeline.facts.sections import FAMILY as PAGES
from pipeline.ledger.changes import BlockState, KnownBlock
from pipeline.reports.entries import expected_blocks, explain, other_words, similar_ids, subject_of
from pipeline.reports.occurrences import Occurrence, OccurrenceKind, copies_of_ours, occurrences
from pipeline.workspace.copies import copied_lists
from pipeline.workspace.declined import LOCK as DECLINED_LOCK
from pipeline.workspace.families import Slots, concrete
from pipeline.workspace.forgotten import read_forgotten
from pipeline.workspace.layout import LISTS
from pipeline.workspace.locks import Waiting
from pipeline.workspace.unlinked import LOCK as UNLINK
from schemas.reports.corrections import Forgotten
from schemas.reports.entries import EntryHistory, GoneEntry


def forget(engine: Engine, entry_id: str) -> Forgotten:
    """Remove an entry from all places in reach, with its corrections, what it corrects, and lines of the same words.

    The entry may be unreadable, in pages alone, or gone and allowed again.

    Raises:
        UnknownEntry: nothing has this id.
        Held: somebody is at work on the files.
    """
    with all_held(engine):
        subject = subject_of(engine, entry_id)
        paths, also = _paths(engine, subject), other_words(engine, subject.entry_id)
        for job in engine.jobs:
            take_inventory(engine, job)
        acts, receipts = list[_Forgetting](), list[Forgotten]()
        # The entry that was named goes last: after a crash its name is still one, to be forgotten again.
        for name, entries in (*((entry.id, (entry,)) for entry in also), (subject.entry_id, ())):
            named = subject_of(engine, name)
            going = replace(named, entries=entries) if entries else named
            known = _find_block(engine, going, (_paths(engine, going) if entries else paths)[0])
            lines = lines_resting_on(engine, going)
            name_left = stand_in(going.entry_id, known.identity)
            acts.append(_Forgetting(engine, lines.added_to(going), known, name_left, lines.entities))
            receipts.append(acts[-1].done())
    render_folds(engine, engine.jobs)
    # The pages of entities that are gone go from the ledger too: words call them.
    ledger, names = engine.ledger, {name for act in acts for name in act.entities}
    pages = [concrete(PAGES, Slots(page=page_of(name))) for name in names]
    gone = re.compile("|".join(re.escape(path) for path in pages if not engine.workspace.has_path(path)) or r"(?!)")
    with ledger.store.transaction():
        for act in acts:
            act.wipe()
        ledger.changes.erase_files(filter(gone.fullmatch, pages))
        ledger.runs.erase(lambda text: gone.sub(concrete(PAGES, Slots(page="forgotten")), text))
    ledger.store.compact()
    left = [(act.said_by(place), place.where) for act in acts for place in occurrences(engine, act.subject)]
    return replace(
        _together(receipts),
        mentioned_in=tuple(dict.fromkeys(where for _, where in left)),
        said_by=tuple(dict.fromkeys(name for name, _ in left if name)),
    )


def forget_again(engine: Engine) -> None:
    """Erase what `memory forget` had taken out and an old copy of a file has brought back.

    Its line in `memory/forgotten.md` says so; who takes that line out may have it.
    """
    with suppress(Held, OwnedElsewhere, ChangedMeanwhile):  # the next command does it
        for back in list(returned_entries(engine)):
            receipt = forget(engine, back.entry.id)
            engine.emit(Event.ERASED_AGAIN, name=receipt.stand_in, path=back.path)
        for path, blocks in returned_items(engine).items():
            with all_held(engine):
                before = after = engine.workspace.read(path) or b""
                for block in reversed(blocks):
                    after = cut_item(after, block)
                erased = put_erased(engine, path, before, after)
            for name in (block.name for block in blocks if erased):
                engine.emit(Event.ERASED_AGAIN, name=name, path=path)


def _paths(engine: Engine, subject: EntryMatcher) -> list[str]:
    """The files that name an entry, or that are to hold it, its own first."""
    named_in = [
        occurrence
        for occurrence in occurrences(engine, subject)
        if occurrence.names(subject) and occurrence.what is not OccurrenceKind.LINE
    ]
    traced = sorted(named_in, key=lambda occurrence: occurrence.what is not OccurrenceKind.ENTRY)
    expected = expected_blocks(engine, subject.entry_id)
    # A word that pages have is no name of an entry that is gone: to erase it would damage all that has the word.
    is_name = subject.entries or expected or KIND_AND_DAY.match(subject.entry_id)
    if not is_name or not (traced or expected):
        raise UnknownEntry(subject.entry_id, similar_ids(engine, subject.entry_id))
    return [occurrence.path for occurrence in traced] + [block.path for block in expected]


def _together(receipts: Sequence[Forgotten]) -> Forgotten:
    """The receipt of the last entry with those of its other words."""
    return replace(
        receipts[-1],
        also=tuple(receipt.entry_id for receipt in receipts[:-1]),
        files=tuple(sorted({path for receipt in receipts for path in receipt.files})),
        removed=tuple(place for receipt in receipts for place in receipt.removed),
        reworded=tuple(dict.fromkeys(place for receipt in receipts for place in receipt.reworded)),
        changes=sum(receipt.changes for receipt in receipts),
        answers=sum(receipt.answers for receipt in receipts),
        suggestions=sum(receipt.suggestions for receipt in receipts),
        logs=tuple(dict.fromkeys(log for receipt in receipts for log in receipt.logs)),
        details=tuple(dict.fromkeys(key for receipt in receipts for key in receipt.details)),
        messages=tuple(dict.fromkeys(message for receipt in receipts for message in receipt.messages)),
        summaries=sum(receipt.summaries for receipt in receipts),
        said=tuple(dict.fromkeys(place for receipt in receipts for place in receipt.said)),
    )


def forgetting_traces(engine: Engine, entry_id: str) -> EntryHistory | GoneEntry:
    """The traces that would go with an entry: its history, and the messages of conversations with its words.

    Raises:
        NameRefused: as `explain`.
        LineOfAnAgent: as `explain`.
    """
    story = explain(engine, entry_id)
    subject = subject_of(engine, story.id)
    return story.model_copy(update={"messages": ConversationMasking(engine, subject).places()})


@dataclass(frozen=True)
class _Forgetting:
    """An entry about to be forgotten; `known` is its block, `entities` are those that its facts name.

    The caller holds the locks of all jobs.
    """

    engine: Engine
    subject: EntryMatcher
    known: KnownBlock
    stand_in: str
    entities: tuple[str, ...]

    def done(self) -> Forgotten:
        """Forget it: the ledger first, the daily files last. After a crash the entry still exists, to be forgotten.

        What still says its words is looked for when everything has gone.
        """
        reached = reached_by(self.engine, self.subject, self.stand_in)
        standing = [occurrence for occurrence in occurrences(self.engine, self.subject) if occurrence.path in reached]
        self._reword_lists()
        retire(self.engine, [replace(self.known, name=self.stand_in)], self.engine.local_now().date())
        self._note_items(reached, self.engine.local_now().date())
        masked = ConversationMasking(self.engine, self.subject).done()
        said = SaidWords(self.engine, self.subject).forget()
        changes, answers, suggestions = self._erase_from_ledger(reached, masked)
        logs = out_of_the_logs(self.engine, self.subject)
        details = forget_details(self.engine.store, self.subject) if self.engine.store else ()
        for path in reached:
            rewrite(self.engine, self.subject, self.stand_in, path)
        self.engine.ledger.store.compact()
        return Forgotten(
            entry_id=self.subject.entry_id,
            stand_in=self.stand_in,
            files=tuple(sorted(reached)),
            removed=tuple(
                occurrence.where
                for occurrence in standing
                if occurrence.what in {OccurrenceKind.ENTRY, OccurrenceKind.ITEM}
            ),
            reworded=tuple(f"{path}:{block.line}" for path, part in reached.items() for block in part.reworded),
            mentioned_in=(),
            said_by=(),
            changes=changes,
            answers=answers,
            suggestions=suggestions,
            logs=logs.files,
            out_of_reach=(*out_of_reach(self.engine), *logs.refused),
            details=details,
            messages=masked.messages,
            summaries=masked.summaries,
            said=said,
        )

    def said_by(self, occurrence: Occurrence) -> str:
        """The id of another entry with the same words in this place; empty without one."""
        block = occurrence.passage.block
        said = block and not block.item and self.subject.said_in(block.text)
        return block.name if block and said and block.name in self.subject.others else ""

    def _note_items(self, reached: Mapping[str, Erased], today: date) -> None:
        """Note the items that go with the words of the entry: what is made of a transcript must not be made again.

        A fold makes its pages of what is erased as well, so there is nothing to keep away.
        """
        engine, folds = self.engine, [self.engine.family(job) for job in self.engine.jobs if job.is_fold]
        by_path, by_identity = list[KnownBlock](), list[KnownBlock]()
        for path, part in reached.items():
            if engine.workspace.copies.original(path):  # no job writes it
                continue
            known = {standing.block.name: standing.block for standing in engine.ledger.changes.in_file(path)}
            for block in (block for block in part.removed if not self.subject.is_named_by(block.text, block.name)):
                if block.name in known and known[block.name].identity:
                    by_identity.append(known[block.name])
                elif not any(family.owns(path) for family in folds):
                    by_path.append(KnownBlock(block.name, path, "", "", "forget"))
        if by_path:
            retire(engine, by_path, today, by_path=True)
        if by_identity:
            retire(engine, by_identity, today)

    def _reword_lists(self) -> None:
        """Take the id out of our lists: a person may have deleted the entry before, or taken it apart from another."""
        with self.engine.locks.hold(
            [LOCK, UNLINK, DECLINED_LOCK], "forget", self.engine.clock.now(), Waiting(LOCK_SECONDS)
        ):
            for path in (*LISTS, *copied_lists(copies_of_ours(self.engine))):
                data = self.engine.workspace.read(path) or b""
                text = self.subject.without(data.decode(errors="surrogateescape"), self.stand_in, words=False)
                if (after := text.encode(errors="surrogateescape")) != data:
                    with self.engine.workspace.lease(path) as lease:
                        lease.replace(data, after)

    def _erase_from_ledger(self, reached: Mapping[str, Erased], masked: MaskedConversations) -> tuple[int, int, int]:
        """Take the entry out of the ledger; how many stored changes, cached answers and suggestions held it."""
        ledger, subject, stand_in = self.engine.ledger, self.subject, self.stand_in
        with ledger.store.transaction():
            changes = self.wipe()
            ledger.runs.erase(lambda text: subject.without(text, stand_in))
            for path, part in reached.items():
                for block in part.removed:
                    ledger.changes.drop_words(path, block.name)
                for block in part.reworded:
                    ledger.changes.rewrite(path, block.name, block.digest)
            ledger.changes.know(replace(self.known, name=stand_in, digest=""), BlockState.FORGOTTEN)
            ledger.requests.scrub(self._is_in)
            ledger.entry_proposals.scrub(self._is_in)
            answers = ledger.answers.scrub(lambda answer: subject.answered_in(answer) or masked.is_source_of(answer))
            return changes, answers, ledger.suggestions.scrub(self._is_in)

    def wipe(self) -> int:
        """Take the entry out of the stored bytes of files; how many changes held it."""
        subject, stand_in = self.subject, self.stand_in
        return self.engine.ledger.changes.erase(
            subject.entry_id, stand_in, lambda data: wipe_bytes(data, subject, stand_in)
        )

    def _is_in(self, text: str) -> bool:
        """Whether a suggestion, or a request to write one, is about the entry or has its words."""
        identity = self.known.identity
        return bool(identity and identity in text) or self.subject.answered_in(text)


def _find_block(engine: Engine, subject: EntryMatcher, path: str) -> KnownBlock:
    """The block with its identity: from the ledger, else from `memory/forgotten.md` or the source.

    A block that is not in the ledger gets `path`.
    """
    states = (BlockState.FORGOTTEN,), (BlockState.LOST, BlockState.ALLOWED)
    away = (standing.block for part in states for standing in engine.ledger.changes.in_state(*part))
    for block in (*engine.ledger.changes.live(), *away):
        if block.name == subject.entry_id and block.identity:
            return block
    listed = read_forgotten(engine.workspace)
    named = (gone for gone in listed if gone.entry_id == subject.entry_id)
    before = (forgotten_before(engine, entry, listed) for entry in subject.entries)
    known = (gone.identity for gone in (*named, *before) if gone)
    identity = next(filter(None, (*known, *_at_source(engine, subject))), "")
    return KnownBlock(subject.entry_id, path, "", identity, "forget")


def _at_source(engine: Engine, subject: EntryMatcher) -> Iterator[str]:
    """The identities of the entry by its source: of the owner's words, else of the first place of its quote.

    So it stays away from a version with other rules for the owner's words, too.
    """
    for entry in subject.entries:
        session = engine.catalog.cited_session(entry.source)
        if session:
            said = identity_of(entry, session)
            yield from [said] if said else [identity for identity, _ in identities_at(entry, session)][:1]
