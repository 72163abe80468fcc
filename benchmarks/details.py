"""`python -m benchmarks.details`: a page out of a gigabyte, against one out of a small text; and keeping."""

import email
import json
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.measuring import head, ratio, row, seconds
from pipeline.adapters.redaction.redactor import SecretRedactor
from pipeline.app.details.keep import KeepRequest, keep
from pipeline.app.details.retrieve import retrieve
from pipeline.clock import SystemClock
from pipeline.details.redaction import redact_blocks
from pipeline.details.scan import TextScan
from pipeline.details.synopsis.choice import synopsis
from pipeline.details.synopsis.recognition import TextHint
from pipeline.store.opening import WorkspaceStore
from schemas.detail import Detail, DetailType, PageRequest, Placement
from schemas.store_settings import StoreSettings

GIGABYTE = 1_000_000_000
_LINES = 10_000


def details(folder: Path) -> None:
    """Pages, and the speed of what a text goes through on its way into the store."""
    store = WorkspaceStore(folder, StoreSettings())
    small, large = _stored(store, 1_000_000), _stored(store, GIGABYTE)
    for what, request in _requests(large).items():
        near = PageRequest(lines="5000-5080")
        times, mine, base = ratio(_page(store, large, request), _page(store, small, near))
        row(what, "80 lines out of 1 MB", [f"{times:.1f} x the time", f"{mine * 1000:.1f} ms to {base * 1000:.1f} ms"])
    _speeds(store)
    store.close()


def _requests(large: Detail) -> dict[str, PageRequest]:
    middle = large.lines // 2
    return {
        "80 lines out of 1 GB": PageRequest(lines=f"{middle}-{middle + 79}"),
        "the last lines of 1 GB": PageRequest(lines=f"{large.lines - 79}-"),
        "a numbered page of 1 GB": PageRequest(page=100_000),
    }


def _page(store: WorkspaceStore, detail: Detail, request: PageRequest) -> Callable[[], object]:
    return lambda: retrieve(store, detail.key, request)


def _speeds(store: WorkspaceStore) -> None:
    for name, text in texts().items():
        content = text.encode()
        megabytes, redactor = len(content) / 1e6, SecretRedactor()
        scanning = seconds(lambda: _synopsis(content))  # noqa: B023 - called at once
        masking = seconds(lambda: list(redact_blocks([content], redactor)))  # noqa: B023 - called at once
        request = KeepRequest(content, description=name)
        keeping = seconds(lambda: keep(store, request, redactor, SystemClock()))  # noqa: B023 - called at once
        figures = [f"synopsis {megabytes / scanning:.0f} MB/s", f"redaction {megabytes / masking:.1f} MB/s"]
        row(f"keep {megabytes:.0f} MB of {name}", "", [*figures, f"all of it {megabytes / keeping:.1f} MB/s"])


def texts() -> dict[str, str]:
    """Large texts of several kinds, by their names."""
    stamped = (
        f"2026-03-02T09:{n // 60 % 60:02}:{n % 60:02}.{n % 1000:03}Z INFO worker-{n % 7} handled {n} in {n % 97} ms\n"
        for n in range(40_000)
    )
    return {
        "a log": "".join(stamped),
        "npm": "".join(f"npm WARN deprecated package-{n}@1.{n % 10}.0: no longer supported\n" for n in range(50_000)),
        "JSON": json.dumps([{"id": n, "name": f"item {n}", "value": n * 1.5} for n in range(60_000)], indent=1),
        "CSV": "".join(f"{n},Person {n},p{n}@example.org,{n * 1.37:.2f},City {n % 50}\n" for n in range(40_000)),
        "code": "".join(path.read_text(encoding="utf-8") for path in sorted(Path(email.__file__).parent.glob("*.py"))),
        "digests": "".join(f"{sha256(str(n).encode()).hexdigest()}  file/{n}.txt\n" for n in range(20_000)),
    }


def _synopsis(content: bytes) -> None:
    scan = TextScan()
    for place in range(0, len(content), 65_536):
        scan.add(content[place : place + 65_536])
    synopsis(scan.done(), DetailType.LOG, TextHint(), 1_000)


def _stored(store: WorkspaceStore, size: int) -> Detail:
    """A log of this size, put there as it is."""
    line = b"step %05d of the build took %02d ms, and nothing else happened\n"
    block = b"".join(line % (number, number % 97) for number in range(_LINES))
    blocks = size // len(block)
    detail = Detail(
        id=f"of-{size}",
        key=f"log_{size}_0123456789",
        type=DetailType.LOG,
        summary="",
        description="a log",
        placement=Placement(),
        created_at=datetime(2026, 3, 2, tzinfo=UTC),
        tokens=blocks * len(block) // 4,
        size=blocks * len(block),
        lines=blocks * _LINES,
        sha256="0" * 64,
    )

    def content() -> Iterator[bytes]:
        yield from (block for _ in range(blocks))

    return store.details.add(detail, content())


if __name__ == "__main__":
    with TemporaryDirectory() as temporary:
        head()
        details(Path(temporary))
