"""Answers of a model, kept so that no question is paid twice."""

import hashlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from pipeline.language.tokens import count_tokens
from pipeline.ledger.store import LedgerTable, Store, to_moment
from pipeline.ports.engine import Clock, Reply

_MOST = 1000  # counts that are kept; what is shown changes now and then, and old texts do not come back


class TokenCounts(LedgerTable):
    """The table of counts by the digest of the text."""

    def of(self, text: str) -> int:
        """The tokens of a text in the vocabulary o200k_base."""
        if not text:
            return 0
        digest = hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()
        known = self._store.value("SELECT tokens FROM token_counts WHERE digest = ?", (digest,))
        if known is None:
            known = count_tokens(text)
            self._store.write("INSERT OR REPLACE INTO token_counts VALUES (?, ?)", (digest, known))
            self._store.write(
                "DELETE FROM token_counts WHERE rowid <= (SELECT MAX(rowid) FROM token_counts) - ?", (_MOST,)
            )
        return int(known)


@dataclass(frozen=True)
class SentBatch:
    """A batch that was written down before it was sent; `remote` is the server's id, empty until it has told it."""

    id: str
    model: str
    remote: str
    sent: datetime
    questions: int


class Batches(LedgerTable):
    """The tables of batches and of their questions, by a hash of each; no words of a question are kept.

    A question is open until its batch has ended. From then on it has a reply, or is in no batch: it is asked directly.
    """

    def __init__(self, store: Store, clock: Clock) -> None:
        super().__init__(store)
        self._clock = clock

    def begin(self, batch: str, model: str, questions: Iterable[str]) -> None:
        """Write down a batch that is about to be sent."""
        with self._store.transaction():
            self._store.write("INSERT INTO batches VALUES (?, ?, '', ?)", (batch, model, self._clock.now()))
            for question in questions:
                self._store.write("INSERT INTO batched (question, batch) VALUES (?, ?)", (question, batch))

    def note_remote(self, batch: str, remote: str) -> None:
        """Note the server's id of a batch."""
        self._store.write("UPDATE batches SET remote = ? WHERE id = ?", (remote, batch))

    def free(self, batch: str) -> None:
        """Forget a batch that was never sent: its questions may go into another one."""
        with self._store.transaction():
            self._store.write("DELETE FROM batched WHERE batch = ?", (batch,))
            self._store.write("DELETE FROM batches WHERE id = ?", (batch,))

    def end(self, batch: str, replies: Mapping[str, Reply]) -> None:
        """Keep the replies of a batch; its other questions will be asked directly."""
        with self._store.transaction():
            for question, reply in replies.items():
                self._store.write(
                    "UPDATE batched SET text = ?, input_tokens = ?, output_tokens = ?, cached_tokens = ?, came = ? "
                    "WHERE question = ? AND batch = ?",
                    (
                        *(reply.text, reply.input_tokens, reply.output_tokens, reply.cached_tokens),
                        *(self._clock.now(), question, batch),
                    ),
                )
            self._store.write(
                "UPDATE batched SET batch = '', came = ? WHERE batch = ? AND text IS NULL", (self._clock.now(), batch)
            )
            self._store.write("DELETE FROM batches WHERE id = ?", (batch,))

    def open(self) -> list[SentBatch]:
        """The batches that have not ended, the oldest first."""
        query = """
            SELECT id, model, remote, sent, (SELECT COUNT(*) FROM batched WHERE batch = id) AS questions
            FROM batches ORDER BY sent, id"""
        return [
            SentBatch(row["id"], row["model"], row["remote"], datetime.fromisoformat(row["sent"]), row["questions"])
            for row in self._store.rows(query)
        ]

    def sent_at(self, question: str) -> datetime | None:
        """The time when the open batch of a question was sent; `None` if it is in no batch."""
        query = "SELECT sent FROM batched JOIN batches ON id = batch WHERE question = ? AND text IS NULL"
        return to_moment(self._store.value(query, (question,)))

    def reply_to(self, question: str) -> Reply | None:
        """The reply of a batch to a question; `None` without a reply."""
        query = "SELECT * FROM batched WHERE question = ? AND text IS NOT NULL"
        for row in self._store.rows(query, (question,)):
            counts = (row["input_tokens"], row["output_tokens"], row["cached_tokens"])
            return Reply(row["text"], *counts, batched=question)
        return None

    def question_ids(self) -> set[str]:
        """The questions that are, or were, in a batch."""
        return set(self._store.column("SELECT question FROM batched"))

    def drop(self, question: str) -> None:
        """Forget the reply to a question: it was taken."""
        self._store.write("DELETE FROM batched WHERE question = ?", (question,))

    def scrub(self, is_meant: Callable[[str], bool]) -> None:
        """Drop the replies that `is_meant` accepts; those to come may hold the same words, which is noted."""
        for row in self._store.rows("SELECT question, text FROM batched WHERE text IS NOT NULL"):
            if is_meant(row["text"]):
                self.drop(row["question"])
        self._store.write("UPDATE batched SET doubtful = 1 WHERE text IS NULL")

    def doubtful(self, batch: str) -> set[str]:
        """The questions of a batch that were under way when something was forgotten."""
        return set(self._store.column("SELECT question FROM batched WHERE batch = ? AND doubtful", (batch,)))

    def drop_before(self, moment: datetime) -> None:
        """Drop the questions of batches that ended before `moment`, with the replies that no run has taken."""
        self._store.write("DELETE FROM batched WHERE came < ?", (moment,))


class Answers(LedgerTable):
    """The table of cached answers, by a hash of model, prompt and input."""

    def __init__(self, store: Store, clock: Clock) -> None:
        super().__init__(store)
        self._clock = clock
        self.batches = Batches(store, clock)

    def get(self, key: str) -> str | None:
        """The answer with this key, if it is kept."""
        answer: str | None = self._store.value("SELECT answer FROM answers WHERE key = ?", (key,))
        return answer

    def newest_moments(self, limit: int = 50) -> list[datetime]:
        """When the newest answers were given, the newest first."""
        query = "SELECT asked FROM answers ORDER BY asked DESC LIMIT ?"
        return [datetime.fromisoformat(asked) for asked in self._store.column(query, (limit,))]

    def put_answer(self, key: str, model: str, reply: Reply) -> None:
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
