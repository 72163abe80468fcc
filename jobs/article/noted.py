"""The entries that an article may show, with their standing."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property

from pipeline.entries.standing import EntryState, fold
from pipeline.job import Noted
from pipeline.language.folding import folded_words
from schemas.entry import NOT_STATED, Entry, Status, Trust
from schemas.fact import Fact

_SHOWN = {Status.ACTIVE, Status.SUPERSEDED}


@dataclass(frozen=True)
class ArticleEntry:
    """An entry that holds, or held. `path` is its file."""

    state: EntryState
    path: str

    @property
    def entry(self) -> Entry:
        """The entry, as far as it is believed."""
        return self.state.entry

    @property
    def holds(self) -> bool:
        """Whether nothing took its place."""
        return self.state.status is Status.ACTIVE

    @property
    def day(self) -> date:
        """The day of its message."""
        return self.entry.date.date()

    @property
    def statement(self) -> str:
        """What was settled: the conclusion, else the title."""
        entry = self.entry
        return entry.title if entry.conclusion in {"", NOT_STATED} else entry.conclusion

    @cached_property
    def text(self) -> str:
        """Its words, in which a subject is named; what is inside of others stands once."""
        text = self.entry.quote
        for words in (self.statement, self.entry.title):
            text = text if words.removesuffix("…") in text else f"{text}\n{words}"
        return text


@dataclass(frozen=True)
class NotedEntries:
    """All entries that may be shown, in the order of their messages."""

    all: tuple[ArticleEntry, ...]

    @cached_property
    def by_id(self) -> Mapping[str, ArticleEntry]:
        """The entries by id."""
        return {one.entry.id: one for one in self.all}

    @cached_property
    def by_session(self) -> Mapping[str, Sequence[Entry]]:
        """The entries by session."""
        by_session: dict[str, list[Entry]] = {}
        for one in self.all:
            by_session.setdefault(one.entry.source.session_id, []).append(one.entry)
        return by_session

    def with_linked(self, entries: Iterable[ArticleEntry]) -> list[ArticleEntry]:
        """The entries, and those that took their place or whose place they took, in the order of their messages."""
        linked, waiting = set[str](), [one.entry.id for one in entries]
        while waiting:
            name = waiting.pop()
            if name in self.by_id and name not in linked:
                linked.add(name)
                waiting += [*self.by_id[name].state.superseded_by, *self._replaced.get(name, ())]
        return [one for one in self.all if one.entry.id in linked]

    @cached_property
    def _replaced(self) -> Mapping[str, Sequence[str]]:
        """The ids of the entries that one took the place of."""
        replaced: dict[str, list[str]] = {}
        for one in self.all:
            for successor in one.state.superseded_by:
                replaced.setdefault(successor, []).append(one.entry.id)
        return replaced


def noted_entries(noted: Sequence[Noted]) -> NotedEntries:
    """The entries that may be shown: nothing of those that do not verify, that a person archived, or in review."""
    now = fold(one.entry for one in noted)
    paths = {one.entry.id: one.path for one in sorted(noted, key=lambda one: one.path) if now.counts(one.entry)}
    shown = (
        ArticleEntry(state, paths[name])
        for name, state in now.states.items()
        if name in paths and state.status in _SHOWN and state.entry.trust is not Trust.UNVERIFIED
    )
    return NotedEntries(tuple(shown))


def is_said_in(fact: Fact, noted: NotedEntries) -> bool:
    """Whether an entry has the words of a fact from the same session: one thing that was said once."""
    words = folded_words(fact.quote or fact.text)
    return any(
        words in said or said in words
        for said in (folded_words(entry.quote) for entry in noted.by_session.get(fact.session_id, ()))
        if said
    )
