"""Copies of our files are told by their names and their ids, whichever program made them."""

from pathlib import Path

import pytest

from pipeline.markdown.blocks import seal_entry, seal_item
from pipeline.scheduling.registry import discover
from pipeline.workspace.files import Workspace
from pipeline.workspace.layout import Layout
from tests.support.tables import table

ENTRY = seal_entry("## Decision: larch\n- id: DECISION-20260304-larch\n- kind: decision")
PAGE = seal_item("title", "# Hania") + seal_item("f-0eace304-b695253b9726", "- lives in Augustów")
LINE = seal_item("j-c71cdf0b", "- the road is closed")
FILES = {
    "MEMORY.md": seal_item("m-2f52cf57", "- the septic truck comes every second tuesday"),
    "memory/2026-03-04.md": ENTRY,
    "memory/recent/2026-03-04-2.md": ENTRY,
    "memory/retain/2026-03-04.md": LINE,
    "memory/forgotten.md": "# Forgotten\n\n- DECISION-20260304-lamp identity:5f1e on 2026-03-05\n",
    "memory/archive/weekly-2026-W10.md": LINE,
    "second-brain/summaries/2026-03-04-wrapup.md": LINE,
    "bank/opinions.md": seal_item("title", "# Opinions") + LINE,
    "bank/entities/Hania.md": PAGE,
    "agents/main/memory/brain.md": seal_item("title", "# main") + LINE,
    "agents/main/memory/active_context.md": LINE,
    "agents/main/memory/journal/2026-03-04.md": LINE,
    "agents/main/memory/sessions/2026-03-04_001.md": LINE,
    "agents/main/memory/summaries/L1/L1_001.md": LINE,
}
NAMES = (
    "{} (Conflicted copy laptop 202603121129)",
    "{} (Tom's conflicted copy 2026-03-12)",
    "{} (conflicted copy 2026-03-12 112901)",
    "{}.sync-conflict-20260312-112901-ABCDEFG",
    "{} 2",
    "{} (1)",
    "{}-DESKTOP-7X1",
    "{}_NAS_Mar-12-1129-2026_Conflict",
    "{}_REMOTE_1234",
    "Copy of {}",
    "{} - Copy",
    "Kopia {}",
    "{} — kopia",
    "{} - 副本",
    "{}的副本",
)


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    """A file of each family."""
    for path, text in FILES.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    return Workspace(tmp_path, Layout(discover()))


def test_a_copy_is_known_in_every_family_by_whichever_name(workspace: Workspace) -> None:
    """Each name beside each file; and none of the files themselves."""
    wrong: dict[str, object] = {path: name for path in FILES if (name := workspace.copies.original(path))}
    for path, text in FILES.items():
        place = Path(path)
        for name in NAMES:
            copy = (place.parent / f"{name.format(place.stem)}.md").as_posix()
            (workspace.root / copy).write_text(text)
            if (original := workspace.copies.original(copy)) != path:
                wrong[copy] = original
            wrong |= {copy: copies} if (copies := workspace.copies.among([*FILES, copy])) != {copy: path} else {}
            (workspace.root / copy).unlink()
    assert {} == wrong


@table(
    ("path", "text"),
    [
        ("memory/2026-03-04-what-we-said.md", "# What we said\n\n- the jetty is made of larch\n"),
        ("memory/2026-03-04 notes.md", ENTRY.replace("larch", "spruce")),
        ("memory/projects/2026-03-04 2.md", ENTRY),
        ("bank/entities/Hania-Nowak.md", PAGE.replace("# Hania", "# Hania Nowak")),
        ("second-brain/summaries/2026-03-04-wrapup-2.md", LINE),
        ("agents/main/memory/brain_archive.md", seal_item("title", "# main, archive") + LINE),
        ("memory/forgotten things.md", "- keys\n"),
        ("memory/2026-03-04 2.txt", ENTRY),
    ],
)
def test_other_files_beside_ours_are_no_copies(workspace: Workspace, path: str, text: str) -> None:
    """A note, an entry that a person moved, a page of somebody with such a name, a volume."""
    (workspace.root / path).parent.mkdir(parents=True, exist_ok=True)
    (workspace.root / path).write_text(text)
    assert "" == workspace.copies.original(path)


def test_a_copy_is_no_file_of_a_pattern(workspace: Workspace) -> None:
    """So no job reads it; what people put there is read."""
    for name in ("2026-03-04 2", "2026-03-04 mine"):
        (workspace.root / f"memory/{name}.md").write_text(ENTRY if name.endswith("2") else "mine\n")
    assert ["memory/2026-03-04 mine.md", "memory/2026-03-04.md"] == workspace.select("memory/2026*.md")


def test_a_copy_that_outlives_its_file_is_none(workspace: Workspace) -> None:
    """Then it is all that is left."""
    (workspace.root / "memory/2026-03-04 2.md").write_text(ENTRY)
    (workspace.root / "memory/2026-03-04.md").unlink()
    assert ["memory/2026-03-04 2.md"] == workspace.select("memory/2026*.md")


@table(
    ("path", "beside"),
    [("memory/2026-03-04.md", "memory/2026-03-04-dog.md"), ("MEMORY.md", "MEMORY ideas.md")],
)
def test_files_of_people_with_a_line_in_common_are_no_copies(tmp_path: Path, path: str, beside: str) -> None:
    """Agents and people write such files too, without our marks; a lost note would be found nowhere."""
    (tmp_path / "memory").mkdir()
    for name in (path, beside):
        (tmp_path / name).write_text(f"- **Session Key**: main\n- {name}\n")
    assert "" == Workspace(tmp_path, Layout(discover())).copies.original(beside)
