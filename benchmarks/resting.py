"""What a service holds in memory once people and agents have used it: its processes together, by proportional size.

`python -m benchmarks.resting [--entries N] [--rounds N]`. Each document is asked for twice, then come searches, a call
over MCP, a wake and a run that writes; a minute later the service is at rest and is measured. A round does that again,
so that growth is seen.
"""

import argparse
import re
import socket
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.measuring import head, process, row
from benchmarks.page import MAIN, SETTINGS, documents, get
from benchmarks.samples import openclaw, write
from benchmarks.weekly import fill
from pipeline.service.socket.client import ask
from pipeline.workspace.tokens import TokenFile
from schemas.caller import CallerKind
from tests.support.processes.serving_process import serving_process
from tests.support.workspaces.served_demo import ServedWorkspace

ENTRIES, ROUNDS, SEARCHES, REST_SECONDS = 10_000, 2, 20, 60.0
WORDS = ("cache", "nightly", "import", "release", "host", "archive", "encrypt", "march", "rename", "log")
AGENT = "main"
INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "benchmark", "version": "1"},
    },
}


def resting(folder: Path, entries: int = ENTRIES, rounds: int = ROUNDS) -> None:
    """The size of a service with so many entries at its start and at rest after each round of use."""
    root = folder / "resting"
    with socket.create_server(("127.0.0.1", 0)) as free:
        where = f"127.0.0.1:{free.getsockname()[1]}"
    _prepare(root, entries, where)
    workspace = ServedWorkspace(
        root,
        f"http://{where}",
        TokenFile(root).add("anna", CallerKind.PERSON, "", datetime.now(UTC)),
        TokenFile(root).add("bot", CallerKind.AGENT, AGENT, datetime.now(UTC)),
    )
    # Not forked from a process that has loaded the whole product, as tests have it.
    with serving_process(root, folder, before=("env",)) as service:
        _show("at its start", service.pid, entries)
        for number in range(1, rounds + 1):
            _use(workspace, number)
            time.sleep(REST_SECONDS)
            _show(f"at rest, used {number} times", service.pid, entries)


def _prepare(root: Path, entries: int, where: str) -> None:
    """A workspace with entries, whose windows are due from now on."""
    fill(root, entries)
    file = root / "memory.toml"
    settings = re.sub(
        "^start = .*$", f"start = {datetime.now(UTC).isoformat()}", file.read_text("utf-8"), flags=re.MULTILINE
    )
    file.write_text(f'{settings}{SETTINGS}\n[agents.{AGENT}]\n[service]\nhttp = "{where}"\n', encoding="utf-8")
    process("-m", MAIN, "reindex", "--workspace", str(root))()


def _use(workspace: ServedWorkspace, number: int) -> None:
    """All that people and agents ask for, and a run that writes."""
    day = next((workspace.root / "memory").rglob("????-??-??*.md"))
    for asked in documents(day) * 2:
        get(workspace, asked.path)
    for search in range(SEARCHES):
        get(workspace, f"/search?query={WORDS[search % len(WORDS)]}+{search}")
    headers = {"authorization": f"Bearer {workspace.agent}", "accept": "application/json, text/event-stream"}
    answer = workspace.ask("/mcp", "POST", INITIALIZE, **headers)
    if "result" not in answer.body.decode():
        raise RuntimeError(answer.body)
    ask(workspace.root, "wake", {"agent": AGENT})
    today = datetime.now(UTC).replace(hour=0, minute=0, second=0, microsecond=0) - timedelta(days=number)
    write(workspace.root / "sessions" / f"run-{number}.jsonl", openclaw(today, 20, f"run-{number}"))
    process(
        "-m", MAIN, "backfill", "micro_sync", "--from", f"{today:%Y-%m-%d}", "--to", f"{today:%Y-%m-%d}",
        "--workspace", str(workspace.root),
    )()  # fmt: skip


def _show(when: str, pid: int, entries: int) -> None:
    sizes = {process_id: proportional_mebibytes(process_id) for process_id in tree(pid)}
    parts = ", ".join(f"{size:.0f}" for size in sizes.values())
    row(
        f"`memory serve` with {entries:,} entries, {when}",
        "-",
        [f"{sum(sizes.values()):.0f} MiB", f"by process: {parts}"],
    )


def tree(pid: int) -> Iterator[int]:
    """A process and those below it."""
    yield pid
    for task in Path(f"/proc/{pid}/task").iterdir():
        for child in (task / "children").read_text("ascii").split():
            yield from tree(int(child))


def proportional_mebibytes(pid: int) -> float:
    """The size of a living process, in which memory that several share counts by its share."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text("ascii")
    return int(lines.partition("\nPss:")[2].split()[0]) / 1024


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.resting", description=__doc__)
    parser.add_argument("--entries", type=int, default=ENTRIES, help="how many entries the workspace has")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="how often all is used")
    given = parser.parse_args()
    head()
    with TemporaryDirectory(prefix="memory-resting-") as folder:
        resting(Path(folder), given.entries, given.rounds)


if __name__ == "__main__":
    main()
