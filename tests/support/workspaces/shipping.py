"""A laptop whose transcripts are shipped, and the server that takes them."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from http.server import BaseHTTPRequestHandler
from pathlib import Path

from pipeline.app.engine import open_engine, prepare
from pipeline.app.opening import open_for_reading
from pipeline.app.shipping import open_shipping
from pipeline.backfill.plan import in_days, work_through
from pipeline.engine.context import Engine
from pipeline.engine.runner import Runner
from pipeline.ledger.shipping import Shipping, ShippingState
from pipeline.process.context import ProcessContext
from pipeline.scheduling.registry import jobs_named
from schemas.reports.shipping import ShippingReport
from tests.support.ports.clock import FixedClock
from tests.support.servers.loopback import Loopback, OwnedServer
from tests.support.workspaces.served_demo import ServedWorkspace, served

NOW = datetime(2026, 6, 1, 12, tzinfo=UTC)
SERVER = 'timezone = "UTC"\nstart = 2026-01-01T00:00:00Z\n[[sources]]\nkind = "store"\npath = "store"\n'
_NONE: Mapping[str, str] = {}


@contextmanager
def receiving(root: Path, settings: str = SERVER) -> Iterator[ServedWorkspace]:
    """A server with an empty memory that reads its store."""
    root.mkdir(exist_ok=True)
    (root / "memory.toml").write_text(settings)
    with served(root) as server:
        yield server


@dataclass(frozen=True)
class Laptop:
    """A workspace with one source, `sessions`, of a kind."""

    root: Path
    kind: str = "claude_code"

    def __post_init__(self) -> None:
        """Make it."""
        self.sessions.mkdir(parents=True, exist_ok=True)
        self.set("")

    @property
    def sessions(self) -> Path:
        """The folder of its source."""
        return self.root / "sessions"

    def set(self, more: str) -> None:
        """Write its settings, with more at the end of its source."""
        own = f'[[sources]]\nkind = "{self.kind}"\npath = "sessions"\n'
        (self.root / "memory.toml").write_text(f'timezone = "UTC"\nstart = 2026-01-01T00:00:00Z\n{own}{more}')

    def variables(self, url: str, token: str) -> dict[str, str]:
        """The variables that name a server."""
        return {"MEMORY_SHIP__URL": url, "MEMORY_SHIP__TOKEN": token, "MEMORY_SHIP__MACHINE": self.root.name}

    def ship(self, server: ServedWorkspace, *, again: bool = False, now: datetime = NOW) -> ShippingReport:
        """Ship what is new."""
        return self.ship_to(server.address, server.person, again=again, now=now)

    def ship_to(self, url: str, token: str, *, again: bool = False, now: datetime = NOW) -> ShippingReport:
        """Ship what is new to a server, with a token."""
        context = ProcessContext(self.variables(url, token), FixedClock(now))
        with open_shipping(self.root, context, again=again, sending=True) as shipping:
            return shipping.run()


def sessions_in(root: Path) -> dict[str, object]:
    """The sessions that jobs read in a workspace, by their ids: all that an entry is made of."""
    with open_engine_of(root) as engine:
        known = {record.session or "": record for record in engine.ledger.files.sessions()}
        read = {name: session for name in known if (session := engine.catalog.session(name)) and not session.machine}
        return {
            name: (
                session.model_dump(exclude={"messages", "skipped"}),
                [(one, one.session_path, one.aliases, one.project) for one in session.messages],
                session.evidence,
                session.other_sources,
                engine.ledger.session_projects.of_session(name),
            )
            for name, session in read.items()
        }


def run_jobs(root: Path, first: date, last: date) -> dict[str, bytes]:
    """Run the jobs that write entries over some days; the pages of the workspace afterwards, by their paths."""
    engine = open_engine(root, ProcessContext(_NONE, FixedClock(NOW)))
    prepare(engine)
    for _ in work_through(
        Runner(engine), in_days(engine, jobs_named(["micro_sync"], engine.jobs), first, last), again=True
    ):
        pass
    engine.ledger.store.close()
    return {
        str(page.relative_to(root)): page.read_bytes() for page in root.rglob("*.md") if "sessions" not in page.parts
    }


def days_of(root: Path) -> tuple[date, date]:
    """The first and the last day on which anything was said."""
    with open_engine_of(root) as engine:
        records = engine.ledger.files.sessions()
        first = min(record.first for record in records if record.first)
        return first.date(), (max(record.last for record in records if record.last) + timedelta(days=1)).date()


@contextmanager
def open_engine_of(root: Path) -> Iterator[Engine]:
    """An engine on a workspace, after a look at its transcripts."""
    with open_for_reading(root, ProcessContext(_NONE, FixedClock(NOW))) as engine:
        yield engine


def state_of(laptop: Laptop) -> ShippingState:
    """Where shipping stands."""
    with open_engine_of(laptop.root) as engine:
        return Shipping(engine.ledger.store).state


class Between(Loopback):
    """Passes requests on to a server; when `left` of them have passed, it drops the connection of every further one.

    `posted` are the bodies that passed. The answer to the last one is not passed back: `at_last` is called instead.
    """

    def __init__(self, server: ServedWorkspace, left: int, at_last: Callable[[], None] | None = None) -> None:
        super().__init__(_Passing)
        self.server, self.left, self.at_last = server, left, at_last
        self.posted: list[bytes] = []


class _Passing(BaseHTTPRequestHandler):
    server: OwnedServer

    def do_GET(self) -> None:
        """Pass a question on."""
        self.do_POST()

    def do_POST(self) -> None:
        """Pass a shipment on."""
        between = self.server.owner
        assert isinstance(between, Between)
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        if between.left == 0:
            return
        between.left -= 1
        between.posted.append(body)
        answer = between.server.ask(self.path, self.command, body or None, authorization=self.headers["authorization"])
        if between.left == 0 and between.at_last:
            between.at_last()
            return
        self.send_response(answer.status)
        self.send_header("Content-Length", str(len(answer.body)))
        self.end_headers()
        self.wfile.write(answer.body)

    def log_message(self, *_: object) -> None:
        """Stay quiet."""
