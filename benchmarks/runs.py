"""Runs and back-fills of small and of large folders, each beside the work that no run can be without."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

from benchmarks.measuring import process, ratio, row, spent
from benchmarks.samples import openclaw, workspace, write
from pipeline.adapters.sources import openclaw as openclaw_source
from pipeline.adapters.sources.reading.files import SourcePlace
from schemas.settings import SourceSettings

START = datetime(2026, 1, 1, 8, tzinfo=UTC)
MAIN = "pipeline.surfaces.cli.main"
BULK_MEGABYTES = 500


def idle_run(folder: Path) -> None:
    """A run that finds nothing due, against a process that imports pydantic."""
    root, sessions = folder / "idle", folder / "idle-sessions"
    write(sessions / "one.jsonl", openclaw(START, 10, "one"))
    workspace(root, str(sessions), datetime.now(UTC))
    idle = process("-m", MAIN, "run", "--workspace", str(root))
    idle()
    times, mine, base = ratio(idle, process("-c", "import pydantic"), rounds=9)
    row(
        "no-op `memory run`",
        "a process that imports pydantic",
        [f"{times:.2f} x the time", f"{mine:.2f} s to {base:.2f} s"],
    )


def year(folder: Path) -> None:
    """A back-fill over a year of small sessions, against reading the same transcripts once."""
    root, sessions = folder / "year", folder / "year-sessions"
    for day in range(365):
        write(sessions / f"day-{day:03}.jsonl", openclaw(START + timedelta(days=day), 6, f"day-{day:03}"))
    source = openclaw_source.KIND.source(SourcePlace(SourceSettings(kind="openclaw", path="."), sessions, "UTC"))
    workspace(root, str(sessions), START)
    fill = process(
        "-m", MAIN, "backfill", "micro_sync", "--from", "2026-01-01", "--to", "2026-12-31", "--workspace", str(root)
    )
    times, mine, _ = ratio(fill, lambda: [source.read(file.path) for file in source.files()], rounds=1)
    until = min(datetime.now(UTC), datetime(2027, 1, 1, tzinfo=UTC))
    partitions = (until - START).days * 8
    row(
        "back-fill of a year",
        "reading its transcripts once",
        [f"{times:.1f} x the time", f"{partitions / mine:.0f} partitions/s"],
    )


def bulk(folder: Path) -> None:
    """Peak memory of a run over a folder of 500 MB, against one that reads its largest file with `json.loads`."""
    root, sessions = folder / "bulk", folder / "bulk-sessions"
    size, number = 0, 0
    while size < BULK_MEGABYTES * 1_000_000:
        file = sessions / f"{number:03}.jsonl"
        write(file, openclaw(START + timedelta(days=number), 3000, f"bulk-{number}"))
        size, number = size + file.stat().st_size, number + 1
    one_file = "import json, sys; x = [json.loads(line) for line in open(sys.argv[1], 'rb')]"
    base = spent("-c", one_file, str(sessions / "000.jsonl")).mebibytes
    workspace(root, str(sessions), START)
    span = "--from", "2026-01-01", "--to", "2026-01-07", "--workspace", str(root)
    peak = spent("-m", MAIN, "backfill", "micro_sync", *span).mebibytes
    row(
        f"peak memory, {BULK_MEGABYTES} MB folder",
        "one file of it as JSON",
        [f"{peak / base:.2f} x", f"{peak:.0f} MiB to {base:.0f} MiB"],
    )
