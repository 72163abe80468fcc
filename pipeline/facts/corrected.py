"""Facts, and lines of agents' memory, that rest on words which a person has corrected, or archived, as an entry."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from pipeline.agents.journal import session_word
from pipeline.agents.standing import MemoryLine
from pipeline.entries.reference import rests_on_same_words
from pipeline.entries.standing import Fold
from pipeline.facts.names import mentions
from schemas.entry import Entry, Status
from schemas.fact import Fact


def with_corrections(facts: Iterable[Fact], entries: Fold) -> Iterator[Fact]:
    """The facts, of which those that quote the words of a corrected entry say what its last correction says.

    They are about the entities that the new words name, and about those that no words of theirs named.
    """
    by_session = _by_session(entries, entries.corrected)
    every = list(facts)
    names = dict.fromkeys(name for fact in every for name in fact.entities) if by_session else {}
    for fact in every:
        old = _entry_behind(fact, by_session)
        new = entries.states[entries.in_force(old.id)].entry if old else None
        yield _saying(fact, new, names) if new else fact


def without_archived(facts: Iterable[Fact], entries: Fold) -> Iterator[Fact]:
    """The facts without those that quote the words of an entry which a person archived, in its last words."""
    archived = [name for name in entries.states if entries.states[entries.in_force(name)].status is Status.ARCHIVED]
    by_session = _by_session(entries, archived)
    return (fact for fact in facts if _entry_behind(fact, by_session) is None)


def corrected_lines(lines: Iterable[MemoryLine], entries: Fold) -> dict[str, str]:
    """The words that hold in place of those of lines, by their ids; what was said again since holds as it was said."""
    by_session, words = _by_session(entries, entries.corrected), dict[str, str]()
    for line in lines if by_session else ():
        change = line.change
        for old in by_session.get(change.session_id, ()) if change and change.quote else ():
            last = entries.states[entries.in_force(old.id)].entry
            if change and line.at <= last.moment and rests_on_same_words(old, change.quote, change.number):
                words[line.id] = last.conclusion
    return words


def _entry_behind(fact: Fact, by_session: Mapping[str, Sequence[Entry]]) -> Entry | None:
    """The first entry that quotes the words of a fact."""
    about = by_session.get(fact.session_id, ())
    return next((entry for entry in about if rests_on_same_words(entry, fact.quote, fact.numbers[0])), None)


def _by_session(entries: Fold, names: Iterable[str]) -> Mapping[str, list[Entry]]:
    by_session: dict[str, list[Entry]] = defaultdict(list)
    for entry in (entries.states[entry_id].entry for entry_id in names):
        by_session[session_word(entry.source.session_id)].append(entry)
    return by_session


def _saying(fact: Fact, new: Entry, names: Iterable[str]) -> Fact:
    """The fact with the words of a correction; `names` are all entities that facts name."""
    kept = [name for name in fact.entities if not mentions(fact.text, name)]
    named = [name for name in (*fact.entities, *names) if mentions(new.conclusion, name)]
    update = {"text": new.conclusion, "quote": new.quote, "entities": tuple(dict.fromkeys([*kept, *named]))}
    return fact.model_copy(update=update)
