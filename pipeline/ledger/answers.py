"""Answers of a model, kept so that no question is asked, and paid, twice."""

from collections.abc import Callable
from datetime import datetime

from pipeline.ledger.batches import Batches
from pipeline.ledger.store import LedgerTable, Store
from pipeline.ports.engine import Clock, Reply


class Answers(LedgerTable):
    """The table of cached answers, by a hash of model, prompt and input."""

    def __init__(self, store: Store, clock: Clock) -> None:
        super().__init__(store)
        self._clock = clock
        self.batches = Batches(store, clock)

    def get(self, key: str) -> str | None:
        """The answer with this key; `None` without one."""
        return next(iter(self._store.column("SELECT answer FROM answers WHERE key = ?", (key,))), None)

    def newest_moments(self, limit: int = 50) -> list[datetime]:
        """When the newest answers were given, the newest first."""
        query = "SELECT asked FROM answers ORDER BY asked DESC LIMIT ?"
        return [datetime.fromisoformat(asked) for asked in self._store.column(query, (limit,))]

    def put(self, key: str, model: str, reply: Reply) -> None:
        """Keep an answer."""
        self._store.write(
            "INSERT OR REPLACE INTO answers VALUES (?, ?, ?, ?, ?, ?)",
            (key, model, reply.text, reply.input_tokens, reply.output_tokens, self._clock.now()),
        )

    def settle(self, question: str) -> None:
        """Forget the reply of a batch: it is kept as an answer, or cannot be used."""
        self.batches.drop(question)

    def scrub(self, is_meant: Callable[[str], bool]) -> int:
        """Drop the answers that `is_meant` accepts, and those of batches; how many."""
        self.batches.scrub(is_meant)
        hit = [key for key, answer in self._store.rows("SELECT key, answer FROM answers") if is_meant(answer)]
        for key in hit:
            self._store.write("DELETE FROM answers WHERE key = ?", (key,))
        return len(hit)

    def drop_before(self, moment: datetime) -> int:
        """Drop the answers that were given before `moment`; how many. The caller holds a transaction."""
        self.batches.drop_before(moment)
        return self._store.delete("DELETE FROM answers WHERE asked < ?", (moment,))
