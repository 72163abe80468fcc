"""A large workspace in a fleet: what each command takes beside a plain copy of its folder, in time and memory.

`python -m benchmarks.fleet_large [--megabytes N]`. Notes of 4 MB each that hardly compress, and what an owner has said
on one day. A worker begins with an empty folder, then in a new process with the folder, which it reads as a whole, each
time with one more thing to note. Memory is that of the command, without PostgreSQL, which is the measurement's own.
"""

import argparse
import base64
import os
import shutil
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from benchmarks.measuring import head, processor_seconds, row, spent
from pipeline.fleet.database import FleetDatabase
from pipeline.fleet.workspaces import find_workspace
from tests.fleet.working import SETTINGS, reported, say
from tests.support.servers.postgresql import running

_SPACES = str.maketrans("ABCDEFGHIJ", " " * 10)  # words of some six letters
MEGABYTES, A_PAGE, LINE = 5_000, 4, 120
_DUE = "UPDATE workspace SET next_due = added"
_PIECES = "SELECT coalesce(sum(length(content)), 0) FROM piece"


def measure(megabytes: int) -> None:
    """Print the cost of each command."""
    with (
        TemporaryDirectory(prefix="large-", dir="/var/tmp") as place,
        TemporaryDirectory(prefix="pg-", dir="/tmp") as data,
        running(Path(data)) as server,
        FleetDatabase(server.url) as database,
    ):
        room = Path(place)
        _write_workspace(room / "own", megabytes)
        os.environ |= {"MEMORY_FLEET__URL": server.url, "MEMORY_FLEET__CACHE": str(room / "cache"), "HOME": place}
        copied = processor_seconds(lambda: shutil.copytree(room / "own", room / "copy"))
        shutil.rmtree(room / "copy")
        database.migrate()

        def command(what: str, *arguments: str) -> None:
            before, begun = _bytes_of(database), perf_counter()
            took = spent("-m", "pipeline.surfaces.cli.main", "fleet", *arguments)
            ended, added = perf_counter() - begun, (_bytes_of(database) - before) / 1_000_000
            figures = [f"{took.seconds / copied:.1f} x the processor", f"{ended:.0f} s", f"{took.mebibytes:.0f} MiB"]
            row(f"{what}, {megabytes:,} MB", "a copy", [*figures, f"{added:,.2f} MB of pieces added"])

        command("`fleet add`", "add", "anna", str(room / "own"))
        for what, words in (("an empty folder", "the kiln is fired on mondays"), ("its folder", "the stall is let")):
            _say(database, words)
            command(f"`fleet worker --once`, from {what}", "worker", "--once")
            if failure := reported(database, "anna").failure:
                raise SystemExit(failure)
        command("`fleet pull`", "pull", "anna", str(room / "pulled"))
        shutil.rmtree(room / "pulled")
        command("`fleet doctor`", "doctor")
        command("`fleet remove`", "remove", "anna", "--yes")


def _write_workspace(root: Path, megabytes: int) -> None:
    (root / "memory" / "notes").mkdir(parents=True)
    (root / "memory.toml").write_text(SETTINGS, encoding="utf-8")
    for number in range(megabytes // A_PAGE):
        letters = base64.b64encode(os.urandom(A_PAGE * 1_000_000 * 3 // 4)).decode().translate(_SPACES)
        lines = (letters[at : at + LINE] for at in range(0, len(letters), LINE))
        (root / "memory" / "notes" / f"{number:05}.md").write_text("\n".join(lines), encoding="utf-8")


def _say(database: FleetDatabase, words: str) -> None:
    with database.transaction() as connection:
        workspace = find_workspace(connection, "anna")
    say(database, workspace, [words], session=words.replace(" ", "-"))
    with database.transaction() as connection:
        connection.execute(_DUE)


def _bytes_of(database: FleetDatabase) -> int:
    with database.transaction() as connection:
        (size,) = connection.execute(_PIECES).fetchone() or (0,)
    return int(size)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--megabytes", type=int, default=MEGABYTES)
    head()
    measure(parser.parse_args().megabytes)
