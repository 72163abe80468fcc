"""Requests to jobs, kept before they are carried out."""

from dataclasses import astuple, dataclass
from datetime import datetime

from pipeline.ledger.store import LedgerTable


@dataclass(frozen=True)
class Request:
    """A request to a job. `body` is for the job alone; `subject` is the agent it is about, or empty."""

    id: str
    job: str
    subject: str
    body: str
    asked: datetime


class Requests(LedgerTable):
    """The table of requests. A row is the receipt: it is there before the request is carried out, and stays."""

    def keep(self, request: Request) -> None:
        """Keep a request for good; a second one with the same id changes nothing."""
        self._store.write("INSERT OR IGNORE INTO requests VALUES (?, ?, ?, ?, ?)", astuple(request))

    def of_job(self, job: str) -> list[Request]:
        """All requests to a job, the oldest first."""
        rows = self._store.rows("SELECT * FROM requests WHERE job = ? ORDER BY asked, id", (job,))
        return [
            Request(row["id"], row["job"], row["subject"], row["body"], datetime.fromisoformat(row["asked"]))
            for row in rows
        ]
