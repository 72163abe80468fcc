"""The checks of a workspace, as far as they need what a real machine does not easily show."""

from collections.abc import Callable
from pathlib import Path

from pipeline.catalog import Refreshed
from pipeline.checkup import NAMED, Check, Health, checkup
from pipeline.testing.workbench import Workbench
from schemas.settings import Settings, SourceSettings

UNREADABLE = tuple(f"Cannot read s-{number}.jsonl: Permission denied." for number in range(NAMED + 2))


def named(checks: list[Check], name: str) -> list[tuple[Health, str]]:
    """What the checks of a name found."""
    return [(check.health, check.told) for check in checks if check.name == name]


def test_files_that_cannot_be_read_fail(tmp_path: Path, new_bench: Callable[..., Workbench]) -> None:
    """The first ones are named, the rest are counted."""
    (tmp_path / "memory.toml").write_text("")
    found = list(checkup(new_bench().engine, Refreshed(0, 0, UNREADABLE), {}))
    told = named(found, "transcripts")
    assert told[0] == (Health.FAIL, "Cannot read s-0.jsonl: Permission denied")
    assert told[-1] == (Health.FAIL, "2 more files cannot be read")
    assert len(told) == NAMED + 1


def test_a_source_that_is_a_file_fails(tmp_path: Path, new_bench: Callable[..., Workbench]) -> None:
    """A path that names a file is told as such."""
    (tmp_path / "memory.toml").write_text("")
    settings = Settings(sources=(SourceSettings(kind="openclaw", path="memory.toml"),))
    found = list(checkup(new_bench(settings=settings).engine, Refreshed(0, 0, ()), {}))
    assert named(found, "source openclaw") == [(Health.FAIL, "memory.toml is not a folder")]
