"""Recognition: the same words again, here or in a copy of the session, are not written twice."""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from enum import StrEnum

from jobs.extraction.profile import profile_of
from jobs.extraction.stand_alone import without_lead
from jobs.resolution.relation import wording
from jobs.resolution.same_thing import Weights, denies, digits
from jobs.resolution.validation import Claim, place_of
from pipeline.entries.provenance import earlier_identities, earlier_ids, identity, message_part
from pipeline.job import Refusals
from pipeline.language.folding import flat
from pipeline.language.numerals import small_number
from schemas.entry import Entry

_WORD = re.compile(r"[^\W_]+")
_MATTER = 2  # terms that name a matter, numbers included

NEARLY_EQUAL = 0.85
"""The cosine from which two texts of one session are duplicates."""


class Seen(StrEnum):
    """The reason for which a claim is skipped."""

    KNOWN = "known"
    FORGOTTEN = "forgotten"
    REPEATED = "repeated"
    NEAR_DUPLICATE = "near_duplicate"


class Recognition:
    """The entries in files and those drafted in this run, by the place of their words."""

    def __init__(
        self,
        claims: Collection[Claim],
        entries: Iterable[Entry],
        refusals: Refusals,
        weights: Weights,
        kinds: Mapping[str, str],
    ) -> None:
        """`claims` are all that are to be recognised, `kinds` those of the sources by name."""
        forgotten = refusals.forgotten
        self._kinds = kinds
        self._forgotten = forgotten
        self._forgotten_messages = frozenset(map(message_part, forgotten))
        self._weights = weights
        self._by_message: dict[str, list[Entry]] = defaultdict(list)
        self._by_session: dict[str, list[Entry]] = defaultdict(list)
        # Of thousands of entries hardly any has to do with these claims.
        sessions = {claim.session.session_id for claim in claims}
        names = {name for claim in claims for name in (*claim.message.names, *earlier_ids(claim.message))}
        for entry in entries:
            source = entry.source
            if source.session_id in sessions or source.entry_ids[0] in names:
                self.add(entry)

    def add(self, entry: Entry) -> None:
        """Add an entry."""
        self._by_message[entry.source.entry_ids[0]].append(entry)
        self._by_session[entry.source.session_id].append(entry)

    def recognise(self, claim: Claim, entry: Entry) -> Seen | None:
        """Recognise `claim`, drafted as `entry`: the reason for which it is not new; `None` when it is new."""
        known = self._find_in_message(claim)
        if known is Seen.KNOWN:
            return known
        return Seen.FORGOTTEN if self._was_forgotten(claim) else known or self._find_in_session(entry)

    def _find_in_message(self, claim: Claim) -> Seen | None:
        """Find an entry with words at the same place: of this session, or of a session that repeats its history."""
        kinds: set[Seen] = set()
        for entry in self._entries_of_message(claim):
            span = place_of(entry.quote, claim.message)
            if span is None or span[1] <= claim.span[0] or claim.span[1] <= span[0]:
                continue
            if entry.source.session_id != claim.session.session_id:
                kinds.add(Seen.REPEATED)
            else:
                kinds.add(Seen.KNOWN if span == claim.span else Seen.NEAR_DUPLICATE)
        return next((seen for seen in Seen if seen in kinds), None)

    def _entries_of_message(self, claim: Claim) -> Iterator[Entry]:
        """The entries whose quote is of the claim's message, or of a copy of it."""
        message = claim.message
        for entry_id in message.names:
            yield from (entry for entry in self._by_message[entry_id] if self._is_of_same_kind(entry, claim))
        for entry_id in set(earlier_ids(message)).difference(message.entry_ids):
            for entry in self._by_message[entry_id]:  # a bare number: in another session it may be any message
                same_session = entry.source.session_id == claim.session.session_id
                if same_session or entry.date == message.time.replace(microsecond=0):
                    yield entry

    def _is_of_same_kind(self, entry: Entry, claim: Claim) -> bool:
        """Whether they can be of one message: no agent copies the history of another agent."""
        cited = self._kinds.get(entry.source.session_path.partition(":")[0])
        return cited in {None, self._kinds.get(claim.session.source)}

    def _was_forgotten(self, claim: Claim) -> bool:
        """Whether an entry of the same message was deleted, or of a record that repeats it.

        By the message, not only by the place in it: a model may quote the same words a little longer or shorter. Of a
        message without an id of its own an earlier version noted the session and the place.
        """
        session_id, message = claim.session.session_id, claim.message
        names = (message.entry_ids, *((name,) for name in message.aliases))
        parts = (message_part(identity(session_id, ids, claim.span)) for ids in names)
        if not self._forgotten_messages.isdisjoint(parts):
            return True
        if message_part(identity(session_id, earlier_ids(message), claim.span)) not in self._forgotten_messages:
            return False
        return any(text in self._forgotten for text in earlier_identities(session_id, message, claim.span))

    def _find_in_session(self, entry: Entry) -> Seen | None:
        """Find an entry of the session with nearly the same words, with the same numbers and not the opposite."""
        text = wording(entry)
        for other in self._by_session[entry.source.session_id]:
            known = wording(other)
            if denies(text) != denies(known):
                continue
            alike = self._weights.likeness(text, known).cosine >= NEARLY_EQUAL
            if (alike and digits(text) == digits(known)) or _adds_nothing(entry, other):
                return Seen.NEAR_DUPLICATE
        return None


def _adds_nothing(entry: Entry, other: Entry) -> bool:
    """Whether the quote names a matter, and nothing that the other does not name: `as I said, ...`, `yes, 15 keys`."""
    profile, known = profile_of(entry.quote), f"{other.quote}\n{other.conclusion}"
    named = profile.content(without_lead(entry.quote, profile))
    return (
        len(named) >= _MATTER
        and named <= profile.content(known)
        and _small_numbers(entry.quote) <= _small_numbers(known)
    )


def _small_numbers(text: str) -> frozenset[int]:
    """The small numbers that words of a text name; terms leave out such short words."""
    return frozenset(small_number(word) or 0 for word in _WORD.findall(flat(text)) if (small_number(word) or 0) > 1)
