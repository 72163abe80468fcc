"""Forget a topic, a fact, or a line of an agent's memory: its words leave the files, the ledger and the cache.

A person decides it and sees before what would go. There is no undo.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from pipeline.corrections.correction import take_inventory
from pipeline.corrections.erasure import (
    Erased,
    all_held,
    out_of_reach,
    out_of_the_logs,
    reached_by,
    rewrite,
    wipe_bytes,
)
from pipeline.corrections.forget import forget
from pipeline.corrections.forget_fact import journal_lines, lines_that_go
from pipeline.corrections.stored_conversations import (
    ConversationMasking,
    MaskedConversations,
    SaidWords,
    details_about,
    forget_details,
)
from pipeline.corrections.undo_folds import render_folds
from pipeline.engine.context import Engine
from pipeline.engine.deletions import LOCK, retire
from pipeline.engine.inputs import all_facts, names_by_people
from pipeline.engine.suggestions import waiting
from pipeline.entries.mentions import NEAR, TopicMatcher, tokens
from pipeline.errors.agents import UnknownLine
from pipeline.errors.corrections import NoTopic, TopicUnknown
from pipeline.facts.names import entities_of, key_of
from pipeline.language.declension import other_cases_in
from pipeline.language.text import weight
from pipeline.ledger.changes import KnownBlock
from pipeline.markdown.blocks import without_marks
from pipeline.markdown.entries import parse_entry
from pipeline.reports.occurrences import Occurrence, OccurrenceKind, occurrences, our_paths
from pipeline.workspace.forgotten import note_topics
from pipeline.workspace.listing import list_files
from schemas.entry import Entry
from schemas.reports.corrections import ForgottenWords, TopicTraces, TracedEntry, TracedLine

STAND_IN = "[forgotten]"
"""Stands in place of the words in what the ledger keeps of the past."""

_SHOWN = 200  # characters of a line
_MOST_ALIKE = 12


def topic(names: Sequence[str]) -> TopicMatcher:
    """The matcher of some names.

    Raises:
        NoTopic: a name has no letter.
    """
    for name in names:
        if not any(map(str.isalnum, name)):
            raise NoTopic(name)
    return TopicMatcher(tuple(dict.fromkeys(" ".join(name.split()) for name in names)))


def other_cases(engine: Engine, subject: TopicMatcher) -> dict[str, int]:
    """The other cases of its names that stand in the files, each with the number of its places.

    A word in the name of another entity is no case.
    """
    cases = other_cases_in(_texts(engine), subject.names)
    if not cases:
        return {}
    names = names_by_people(engine)
    others = entities_of(all_facts(engine), names).keys() - {key_of(name, names) for name in subject.names}
    known = {word for key in others for word in key.split("-")}
    return {word: number for word, number in cases.items() if word.casefold() not in known}


def line_topic(engine: Engine, line_id: str) -> TopicMatcher:
    """The matcher of the words of a line of an agent's memory, and of those that it quotes.

    Raises:
        UnknownLine: no journal has it.
    """
    known = {change.id: change for _, _, change in journal_lines(engine)}
    if line_id not in known:
        raise UnknownLine(line_id)
    line = known[line_id]
    quoted = [line.quote] if weight(line.quote) >= NEAR else []
    return topic([line.text, *quoted])


def traces(engine: Engine, subject: TopicMatcher) -> TopicTraces:
    """The traces of a topic: those that would go, and those that would stay.

    Raises:
        TopicUnknown: nothing of ours has any of the names.
    """
    return _traces(engine, subject, as_a_whole=True)


def _traces(engine: Engine, subject: TopicMatcher, *, as_a_whole: bool) -> TopicTraces:
    places = occurrences(engine, _repairing(engine, subject))
    alike = {word for word in other_cases_in(_texts(engine), subject.names) if not subject.named_in(word)}
    alike.update(*map(subject.similar_words, _texts(engine)))
    entries = {place.where: (place, entry) for place in places if (entry := _entry(place))}
    seen = TopicTraces(
        names=subject.all_names,
        entries=tuple(TracedEntry(entry.id, entry.title, place.where) for place, entry in entries.values()),
        lines=tuple(_trace_line(place) for place in places if place.what is OccurrenceKind.ITEM),
        kept=tuple(
            _trace_line(place) for place in places if place.what is not OccurrenceKind.ITEM and _entry(place) is None
        ),
        waiting=sum(subject.named_in(suggestion.about.text) for suggestion in waiting(engine)),
        alike=tuple(sorted(alike)[:_MOST_ALIKE]),
        details=tuple(detail.key for detail in details_about(engine.store, subject)) if engine.store else (),
        messages=ConversationMasking(engine, _repairing(engine, subject), as_a_whole).places(),
        said=SaidWords(engine, subject).places(),
    )
    if seen.empty:
        raise TopicUnknown(seen)
    return seen


def line_traces(engine: Engine, subject: TopicMatcher) -> TopicTraces:
    """The traces that would go with a line of an agent's memory, or with a fact, and those that would stay: entries do.

    Raises:
        TopicUnknown: nothing of ours has any of the names.
    """
    seen = _traces(engine, subject, as_a_whole=False)
    return replace(
        seen, entries=(), kept=(*(TracedLine(entry.where, entry.title) for entry in seen.entries), *seen.kept)
    )


def forget_topic(engine: Engine, subject: TopicMatcher) -> ForgottenWords:
    """Forget what has one of the names; what was said about it until now is read by no job any more.

    Raises:
        Held: somebody is at work on the files.
    """
    said = SaidWords(engine, subject).places()
    subject, now = _repairing(engine, subject), engine.clock.now()
    with engine.locks.hold([LOCK], "forget", now):  # first: what is taken out below must not be read again
        note_topics(engine.workspace, [tokens(name) for name in subject.all_names], now, engine.local_now().date())
    # Before the entries, while their messages have the name: one that names it goes as a whole.
    masked = ConversationMasking(engine, subject, as_a_whole=True).done()
    answers = engine.ledger.answers.scrub(masked.is_source_of)
    entries = dict.fromkeys(entry.id for place in occurrences(engine, subject) if (entry := _entry(place)))
    receipts = [forget(engine, entry_id) for entry_id in entries]
    receipt = _forgotten_lines(engine, subject)
    _forget_paths(engine, subject)
    return replace(
        receipt,
        entries=tuple(entries),
        removed=(*(place for part in receipts for place in part.removed), *receipt.removed),
        changes=receipt.changes + sum(part.changes for part in receipts),
        answers=answers + receipt.answers + sum(part.answers for part in receipts),
        suggestions=receipt.suggestions + sum(part.suggestions for part in receipts),
        logs=tuple(dict.fromkeys([*receipt.logs, *(log for part in receipts for log in part.logs)])),
        details=(*(key for part in receipts for key in part.details), *receipt.details),
        messages=tuple(dict.fromkeys([*masked.messages, *(place for part in receipts for place in part.messages)])),
        summaries=masked.summaries + sum(part.summaries for part in receipts),
        said=said,
    )


def forget_words(engine: Engine, subject: TopicMatcher) -> ForgottenWords:
    """Take out every line of ours that has one of the names, and the messages that say it; entries stay.

    Raises:
        Held: somebody is at work on the files.
    """
    receipt = _forgotten_lines(engine, subject)
    return replace(receipt, said=SaidWords(engine, subject).forget())


def _forgotten_lines(engine: Engine, subject: TopicMatcher) -> ForgottenWords:
    with all_held(engine):
        for job in engine.jobs:
            take_inventory(engine, job)
        receipt = _Erasing(engine, _repairing(engine, subject)).done()
    render_folds(engine, engine.jobs)
    return receipt


def _forget_paths(engine: Engine, subject: TopicMatcher) -> None:
    """Take the pages that were called by the topic, and are gone, out of the ledger: their paths are its names."""
    ledger = engine.ledger
    gone = [path for path in ledger.changes.paths() if subject.named_in(path) and not engine.workspace.has_path(path)]
    with ledger.store.transaction():
        ledger.changes.erase_files(gone)
        ledger.runs.erase(lambda text: subject.without(text, STAND_IN))
    ledger.store.compact()


@dataclass(frozen=True)
class _Erasing:
    """Lines about to go. The caller holds the locks of all jobs."""

    engine: Engine
    subject: TopicMatcher

    def done(self) -> ForgottenWords:
        """Erase them: the ledger first, the files last. After a crash the lines still stand, to be forgotten."""
        engine, subject = self.engine, self.subject
        standing = occurrences(engine, subject)
        reached = reached_by(engine, subject, STAND_IN)
        self._note(reached)
        masked = ConversationMasking(engine, subject).done()
        changes, answers, suggestions = self._erase_from_ledger(masked)
        logs = out_of_the_logs(engine, subject)
        details = forget_details(engine.store, subject) if engine.store else ()
        for path in reached:
            rewrite(engine, subject, STAND_IN, path)
        engine.ledger.store.compact()
        return ForgottenWords(
            names=subject.all_names,
            entries=(),
            removed=tuple(place.where for place in standing if place.what is OccurrenceKind.ITEM),
            reworded=tuple(f"{path}:{block.line}" for path, part in reached.items() for block in part.reworded),
            kept=tuple(place.where for place in occurrences(engine, subject)),
            changes=changes,
            answers=answers,
            suggestions=suggestions,
            logs=logs.files,
            out_of_reach=(*out_of_reach(engine), *logs.refused),
            details=details,
            messages=masked.messages,
            summaries=masked.summaries,
        )

    def _note(self, reached: Mapping[str, Erased]) -> None:
        """List the lines that a job would make of a transcript again, and note what becomes of the others."""
        engine, listed = self.engine, list[KnownBlock]()
        with engine.ledger.store.transaction():
            for path, part in reached.items():
                known = {standing.block.name: standing.block for standing in engine.ledger.changes.in_file(path)}
                gone = [known[block.name] for block in part.removed if block.name in known]
                listed += [block for block in gone if block.identity]
                for block in gone:
                    engine.ledger.changes.drop_words(path, block.name)
                for reworded in part.reworded:
                    engine.ledger.changes.rewrite(path, reworded.name, reworded.digest)
        if listed:
            retire(engine, listed, engine.local_now().date())

    def _erase_from_ledger(self, masked: MaskedConversations) -> tuple[int, int, int]:
        """Take the words out of the ledger; how many stored changes, cached answers and suggestions had them."""
        ledger, subject = self.engine.ledger, self.subject
        with ledger.store.transaction():
            changes = ledger.changes.erase("", STAND_IN, lambda data: wipe_bytes(data, subject, STAND_IN))
            ledger.runs.erase(lambda text: subject.without(text, STAND_IN))
            ledger.requests.scrub(subject.answered_in)
            ledger.entry_proposals.scrub(subject.answered_in)
            answers = ledger.answers.scrub(lambda answer: subject.answered_in(answer) or masked.is_source_of(answer))
            return changes, answers, ledger.suggestions.scrub(subject.answered_in)


def _repairing(engine: Engine, subject: TopicMatcher) -> TopicMatcher:
    """The matcher, with what has to be otherwise when its lines are gone.

    Lines of journals say something else; a fact goes with the one that replaced it, or it would hold again.
    """
    lines = lines_that_go(engine, lambda block: subject.is_of(block.text, block.name))
    also = {(name, block.text) for name, block in lines.going.items() if name.startswith("f-")}
    return replace(subject, reworded={**subject.reworded, **lines.reworded}, also=subject.also | also)


def _entry(place: Occurrence) -> Entry | None:
    block = place.passage.block
    return parse_entry(block) if block and not block.item else None


def _trace_line(place: Occurrence) -> TracedLine:
    line = without_marks(place.first_line).strip()
    return TracedLine(place.where, line if len(line) <= _SHOWN else f"{line[:_SHOWN]}...")


def _texts(engine: Engine) -> Iterator[str]:
    """The texts of our files, and of those that search reads."""
    texts = list_files(engine.workspace, engine.settings.index, extra=False).files
    for path in dict.fromkeys([*our_paths(engine), *(listed.path for listed in texts)]):
        yield (engine.workspace.read(path) or b"").decode(errors="replace")
