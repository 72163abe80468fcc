"""Facts that rest on words which a person has corrected as an entry: they say the new words."""

from collections import defaultdict
from collections.abc import Iterable, Iterator

from pipeline.agents.journal import session_word
from pipeline.entries.standing import Fold
from pipeline.language.folding import folded_words
from schemas.entry import Entry
from schemas.fact import Fact


def with_corrections(facts: Iterable[Fact], entries: Fold) -> Iterator[Fact]:
    """The facts, of which those that quote the words of a corrected entry say what its last correction says."""
    by_session: dict[str, list[Entry]] = defaultdict(list)
    for entry_id in entries.corrected:
        entry = entries.states[entry_id].entry
        if not entry.corrects:  # its quote stands in no message
            by_session[session_word(entry.source.session_id)].append(entry)
    for fact in facts:
        old = next((one for one in by_session.get(fact.session_id, ()) if _rests_on(fact, one)), None)
        new = entries.states[entries.in_force(old.id)].entry if old else None
        yield fact.model_copy(update={"text": new.conclusion, "quote": new.quote}) if new else fact


def _rests_on(fact: Fact, entry: Entry) -> bool:
    """Whether a fact and an entry quote the same words of one message."""
    first, last = entry.source.message_range
    ours, theirs = folded_words(fact.quote), folded_words(entry.quote)
    return first <= fact.numbers[0] <= last and bool(ours and theirs) and (ours in theirs or theirs in ours)
