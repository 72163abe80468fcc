"""Suggestions, kept until a person has decided. Their words are in no other place."""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

from pydantic import ConfigDict, TypeAdapter

from pipeline.language.folding import folded_words
from pipeline.ledger.store import LedgerTable, Values, to_text
from schemas.suggestion import Suggested, Suggestion, suggestion_id

_NOTED = "SELECT noted FROM suggestions WHERE noted >= ? ORDER BY noted"
_SUGGESTED: TypeAdapter[Suggested] = TypeAdapter(Suggested, config=ConfigDict(defer_build=True))


@dataclass(frozen=True)
class KeptSuggestion:
    """A kept suggestion: its content, its reason, and the first run that made it.

    `identity` makes it the same again; of a link, it is the link itself. `project` is the name of that in which the
    words were said, empty where none is known.
    """

    job: str
    about: Suggested
    identity: str
    reason: str
    run_id: str
    project: str = ""

    @cached_property
    def id(self) -> str:
        """The id of the suggestion."""
        return suggestion_id(self.identity if self.about.is_new else f"{self.about.form} {self.identity}")

    @property
    def words(self) -> str:
        """A hash of its words: one suggestion with the same words is enough."""
        return words_of(self.about.words, self.identity)

    @cached_property
    def shown(self) -> Suggestion:
        """The suggestion in the form for people and programs."""
        own = {"id": self.id, "job": self.job, "form": self.about.form, "reason": self.reason, "project": self.project}
        return Suggestion.model_validate({**own, **self.about.suggestion_fields})


def words_of(text: str, identity: str) -> str:
    """A hash of the words of a text, as `KeptSuggestion.words`."""
    return suggestion_id(folded_words(text) or identity)


class Suggestions(LedgerTable):
    """The table of suggestions. Whether one waits is told by the files (`pipeline.engine.suggestions`)."""

    def keep(self, suggestion: KeptSuggestion, now: datetime) -> None:
        """Keep a suggestion; a second one of the same identity changes nothing."""
        self._store.write(
            "INSERT OR IGNORE INTO suggestions VALUES (?, ?, ?, ?, ?, ?, ?, ?, NULL)",
            (
                suggestion.id,
                suggestion.job,
                suggestion.identity,
                suggestion.words,
                suggestion.reason,
                suggestion.about.model_dump_json(),
                suggestion.run_id,
                now,
            ),
        )

    def has(self, suggestion: KeptSuggestion) -> bool:
        """Whether a suggestion of this identity is kept."""
        return bool(self._store.value("SELECT 1 FROM suggestions WHERE id = ?", (suggestion.id,)))

    def says(self, words: str) -> bool:
        """Whether a suggestion with these words is kept."""
        return bool(self._store.value("SELECT 1 FROM suggestions WHERE words = ?", (words,)))

    def note_said(self, words: str, identity: str) -> None:
        """Note an entry that says these words; a second time changes nothing."""
        self._store.write("INSERT OR IGNORE INTO suggestions_said VALUES (?, ?)", (words, identity))

    def word_hashes(self, identities: Collection[str]) -> frozenset[str]:
        """The hashes of the words of entries with these identities."""
        rows = self._store.rows("SELECT words, identity FROM suggestions_said")
        return frozenset(words for words, identity in rows if identity in identities)

    def all(self) -> list[KeptSuggestion]:
        """All of them, the first that was kept first."""
        return self._select("ORDER BY rowid")

    def find(self, ids: Collection[str]) -> list[KeptSuggestion]:
        """The suggestions with these ids, as far as their words are kept."""
        return [kept for name in ids for kept in self._select("WHERE id = ?", (name,))]

    def note_declined(self, listed: Collection[str], now: datetime, before: datetime) -> None:
        """Note which new ones are `listed` as declined, and drop those that were declined before `before`."""
        for name, identity, moment in self._store.rows("SELECT id, identity, declined FROM suggestions"):
            # What stands in a file has an id of another make; the run that took it out can be undone.
            if name == suggestion_id(identity) and (name in listed) != bool(moment):
                self._store.write("UPDATE suggestions SET declined = ? WHERE id = ?", (None if moment else now, name))
            elif moment and moment < to_text(before):
                self._store.write("DELETE FROM suggestions WHERE id = ?", (name,))
                self._drop_said()

    def kept_before(self, moment: datetime) -> frozenset[str]:
        """The ids of those that were kept before `moment`."""
        return frozenset(self._store.column("SELECT id FROM suggestions WHERE noted < ?", (moment,)))

    def noted_since(self, moment: datetime) -> list[datetime]:
        """The times at or after `moment` at which suggestions were kept."""
        return [datetime.fromisoformat(noted) for noted in self._store.column(_NOTED, (moment,))]

    def of_run(self, run_id: str) -> list[KeptSuggestion]:
        """The suggestions that a run made first."""
        return self._select("WHERE run = ? ORDER BY rowid", (run_id,))

    def drop_of_run(self, run_id: str) -> int:
        """Drop those of a run; how many. The caller holds a transaction."""
        return self._store.delete("DELETE FROM suggestions WHERE run = ?", (run_id,))

    def drop_before(self, moment: datetime) -> int:
        """Drop those that were kept before `moment`; how many. The caller holds a transaction."""
        dropped = self._store.delete("DELETE FROM suggestions WHERE noted < ?", (moment,))
        self._drop_said()
        return dropped

    def scrub(self, is_meant: Callable[[str], bool]) -> int:
        """Drop those with a text or an identity that `is_meant` accepts; how many. The caller holds a transaction."""
        rows = self._store.rows("SELECT id, identity, body FROM suggestions")
        hit = [key for key, identity, body in rows if is_meant(identity) or is_meant(body)]
        for key in hit:
            self._store.write("DELETE FROM suggestions WHERE id = ?", (key,))
        self._drop_said()
        return len(hit)

    def _drop_said(self) -> None:
        self._store.write("DELETE FROM suggestions_said WHERE words NOT IN (SELECT words FROM suggestions)")

    def _select(self, rest: str, values: Values = ()) -> list[KeptSuggestion]:
        rows = self._store.rows(f"SELECT * FROM suggestions {rest}", values)  # noqa: S608 - `rest` is ours
        return [
            KeptSuggestion(
                job=row["job"],
                about=_SUGGESTED.validate_json(row["body"]),
                identity=row["identity"],
                reason=row["reason"],
                run_id=row["run"],
            )
            for row in rows
        ]
