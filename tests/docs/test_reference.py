"""The generated pages say what the code says."""

import re
from dataclasses import replace
from datetime import timedelta
from functools import cache
from pathlib import Path

import generate
import pytest
import rooms
from picture import data_flow
from reference_pages import duration

from pipeline.drafts import Draft
from pipeline.job import Job, Reads, Run, Schedule, Target
from tests.support.tables import table


def _nothing(run: Run) -> list[Draft]:
    del run
    return []


DAILY = Job(
    name="daily",
    purpose="Writes days.",
    schedule=Schedule("0 * * * *"),
    reads=Reads(transcripts=True),
    writes=Target("memory/{day}.md", append=True),
    run=_nothing,
)
WEEKLY = replace(
    DAILY,
    name="weekly",
    reads=Reads(documents=("memory/*.md", "memory/projects/*.md")),
    writes=Target("MEMORY.md"),
)


_generated = cache(generate.generated)
"""Made once: it takes a second."""


def test_every_generated_page_is_current() -> None:
    """What stands in the tree is what `make docs` would write."""
    old = [path for path, text in _generated().items() if text != path.read_text(encoding="utf-8")]
    assert [] == [path.name for path in old]


def test_no_page_of_the_reference_is_left_over() -> None:
    """A page that is no longer generated is removed; `make bench` writes the measurements."""
    folder = generate.ROOT / "docs" / "reference"
    assert {path.name for path in _generated() if path.parent == folder} | {"files.md", "measurements.md"} == {
        path.name for path in folder.iterdir() if path.is_file()
    }


def test_the_picture_shows_who_reads_whose_files() -> None:
    """A job that reads what another writes stands behind it; a pattern that no job writes stands for itself."""
    lines = data_flow([DAILY, WEEKLY]).splitlines()
    assert [line.strip() for line in lines if "-->" in line] == [
        "transcripts --> daily",
        "daily -->|only writer| file_memory_day_md",
        "file_memory_day_md --> weekly",
        "file_memory_projects_md --> weekly",
        "weekly -->|only writer| file_MEMORY_md",
    ]


def test_the_picture_has_no_transcripts_when_no_job_reads_any() -> None:
    """Nothing is drawn that no job declares."""
    assert "transcripts" not in data_flow([WEEKLY])


def test_a_page_without_its_marks_is_refused() -> None:
    """The picture is never dropped in silence."""
    with pytest.raises(ValueError, match="no place for a generated part"):
        generate.with_part("# A page\n", generate.PICTURE, "flowchart LR\n")


def test_the_entry_in_the_readme_is_one_that_the_demo_writes(demo: Path) -> None:
    """The sample is real: `make docs` would show the same."""
    readme = (generate.ROOT / "README.md").read_text(encoding="utf-8")
    assert generate.with_sample(readme, generate.entry_in(demo, generate.SAMPLE)) == readme


@table(
    ("words", "time"),
    [
        ("2 minutes", timedelta(minutes=2)),
        ("1 hour", timedelta(hours=1)),
        ("2 days", timedelta(days=2)),
        ("90 s", timedelta(seconds=90)),
    ],
)
def test_a_duration_is_shown_in_its_largest_whole_unit(words: str, time: timedelta) -> None:
    """People read minutes, not seconds."""
    assert words == duration(time)


def test_a_room_stands_above_all_that_it_imports(tmp_path: Path) -> None:
    """Layers follow from imports, also inside functions; an arrow that follows from two others is left out."""
    package = tmp_path / "building"
    for name, source in (
        ("roof", "def up():\n    from building.wall import a\n"),
        ("wall", "import building.ground\n"),
    ):
        (package / name).mkdir(parents=True)
        (package / name / "__init__.py").write_text(f'"""The {name}."""\n\n{source}')
    (package / "ground.py").write_text('"""The ground.\n\nIt holds."""\n')
    (package / "roof" / "tiles.py").write_text('"""Tiles."""\nfrom building import ground\n')
    result = rooms.rooms_of(package)
    assert rooms.floors(result) == [["ground"], ["wall"], ["roof"]]
    assert [line.strip() for line in rooms.picture(result).splitlines() if "-->" in line] == [
        "roof_ --> wall_",
        "wall_ --> ground_",
    ]
    assert list(rooms.table(result, package))[2:] == [
        "| `roof` | The roof. |",
        "| `wall` | The wall. |",
        "| `ground` | The ground. |",
    ]


def test_every_module_of_errors_is_on_the_page() -> None:
    """A new family of errors is listed as soon as it is there."""
    page = (generate.ROOT / "docs" / "reference" / "errors.md").read_text(encoding="utf-8")
    declared = {
        file.stem: re.findall(r"^class (\w+)\(", file.read_text(encoding="utf-8"), re.MULTILINE)
        for file in (generate.ROOT / "pipeline" / "errors").glob("*.py")
    }
    assert [] == [module for module, names in declared.items() if not any(f"`{name}`" in page for name in names)]
