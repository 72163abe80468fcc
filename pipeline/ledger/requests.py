"""Requests: what somebody asked a job for, kept before anything is done about it."""

from dataclasses import dataclass
from datetime import datetime

from pipeline.ledger.store import Store, to_moment, to_text


@dataclass(frozen=True)
class Request:
    """What was asked. `body` is for the job alone; `subject` is the agent it is about, or empty."""

    id: str
    job: str
    subject: str
    body: str
    asked: datetime


class Requests:
    """The table of requests. A row is the receipt: it is there before the request is carried out, and stays."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def keep(self, request: Request) -> None:
        """Keep a request for good; the same id once more changes nothing, so a repeated call asks for nothing new."""
        self._store.write(
            "INSERT OR IGNORE INTO requests VALUES (?, ?, ?, ?, ?)",
            (request.id, request.job, request.subject, request.body, to_text(request.asked)),
        )

    def of_job(self, job: str) -> list[Request]:
        """All requests to a job, the oldest first."""
        query = "SELECT id, job, subject, body, asked FROM requests WHERE job = ? ORDER BY asked, id"
        return [
            Request(str(name), str(job), str(subject), str(body), to_moment(asked))
            for name, job, subject, body, asked in self._store.rows(query, (job,))
        ]
