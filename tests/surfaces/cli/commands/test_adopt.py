"""`memory doctor adopt`: what a person is told, and what it does when they say yes."""

import re
import shlex
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from pipeline.ledger import open_ledger
from pipeline.markdown.blocks import seal_item
from pipeline.workspace.locks import Locks
from tests.support.processes.command_line import CommandLine, Said
from tests.support.tables import table

Call = Callable[..., Said]

OURS = seal_item("h-one", "## Storage") + seal_item("i-one", "- one fact")
PAGE = f"# Pamięć\n\nzażółć\n\n## 项目\n\n- 决定\n\n### Detail\n\n\x1b[31m\n{OURS}\n# Old\nold text"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A workspace with a page of four blocks and two items of ours."""
    folder = tmp_path / "w"
    folder.mkdir()
    (folder / "memory.toml").write_text('timezone = "UTC"\n')
    (folder / "MEMORY.md").write_text(PAGE)
    return folder


def archive(root: Path) -> str:
    """What stands in archives."""
    return "".join(file.read_text() for file in sorted((root / "memory" / "archive").glob("*.md")))


def test_lists_the_persons_blocks(root: Path, call: Call) -> None:
    """Numbered, with their place, their size and how they begin; and the room that they leave."""
    said = call("doctor", "adopt", "--workspace", root)
    assert (0, "") == (said.code, said.err)
    output, room, _, head, *rows = said.out.splitlines()
    assert "Yours in MEMORY.md: 13 lines, 63 characters." == output
    assert "Room for what the jobs put there: 187 of 200 lines, 19937 of 20000 characters." == room
    assert ["NO", "FROM", "LINE", "LINES", "CHARACTERS", "BLOCK"] == head.split()
    assert ["1", "1", "4", "18", "#", "Pamięć", "zażółć"] == rows[0].split()
    assert ["2", "5", "4", "13", "##", "项目", "-", "决定"] == rows[1].split()
    assert ["3", "9", "3", "18", "###", "Detail", r"\u001b[31m"] == rows[2].split()
    assert ["4", "15", "2", "14", "#", "Old", "old", "text"] == rows[3].split()
    assert "`memory doctor adopt 2 5-7` shows what moving those would change, and moves nothing yet." == rows[-1]


def test_lists_them_for_programs(root: Path, call: Call) -> None:
    """One object, with the blocks in it."""
    (listed,) = call("doctor", "adopt", "--json", "--workspace", root).records
    assert (13, 63, 187, 19937) == tuple(
        listed[name] for name in ("lines", "characters", "room_lines", "room_characters")
    )
    assert [1, 2, 3, 4] == [block["number"] for block in listed["blocks"]]
    expected = {"number": 4, "level": 1, "title": "Old", "headed": True, "line": 15, "lines": 2, "characters": 14}
    assert expected | {"begins": "old text"} == listed["blocks"][3]


def test_shows_what_would_change(root: Path, call: Call) -> None:
    """The diff of both files, and the command that does it, which moves exactly that."""
    said = call("doctor", "adopt", 4, "1-2", "--workspace", root)
    lines = said.out.splitlines()
    assert ["--- a/MEMORY.md", "+++ b/MEMORY.md"] == lines[:2]
    assert {"-# Pamięć", "+# Pamięć", "-# Old", "+# Old"} <= set(lines)
    assert "+++ b/memory/archive/" in said.out
    assert "This would move 3 blocks (10 lines, 45 characters) to memory/archive/" in said.out
    assert PAGE == (root / "MEMORY.md").read_text()
    assert "" == archive(root)
    words = shlex.split(lines[-1].removeprefix("Nothing was moved. To do it: memory "))
    assert ["doctor", "adopt", "1-2", "4", "--seen"] == words[:5]
    assert 0 == call(*words).code
    assert f"### Detail\n\n\x1b[31m\n{OURS}\n" == (root / "MEMORY.md").read_text()


def test_shows_it_to_programs(root: Path, call: Call) -> None:
    """With the mark that `--seen` takes."""
    (shown,) = call("doctor", "adopt", 4, "--json", "--workspace", root).records
    assert "-old text\n" in shown["diff"] + "\n"
    (done,) = call("doctor", "adopt", 4, "--yes", "--seen", shown["seen"], "--json", "--workspace", root).records
    assert ([4], 2, shown["archive"]) == (done["blocks"], done["lines"], done["archive"])
    again = call("doctor", "adopt", 1, "--yes", "--seen", shown["seen"], "--workspace", root)
    assert (1, True) == (again.code, "MEMORY.md has changed since" in again.shown)


def test_moves_and_takes_back(root: Path, call: Call) -> None:
    """It says how to take it back, and that gives the same bytes."""
    said = call("doctor", "adopt", "1-4", "--yes", "--workspace", root)
    moved, room, back = said.out.splitlines()
    assert moved.startswith("Moved 4 blocks (13 lines, 63 characters) to memory/archive/adopted-")
    assert "Room for what the jobs put there: 199 of 200 lines, 19999 of 20000 characters." == room
    assert f"{OURS}\n" == (root / "MEMORY.md").read_text()
    run_id = back.removeprefix("To take it back: memory undo ")
    assert run_id in call("show", "runs", "--wide", "--workspace", root).out
    undone = call("undo", run_id, "--workspace", root)
    assert "restored  MEMORY.md, lines 1-11\nrestored  MEMORY.md, lines 15-16\n" in undone.out
    assert PAGE == (root / "MEMORY.md").read_text()
    assert "" == archive(root)


@table(
    ("words", "code", "sentence"),
    [
        (("5",), 2, "MEMORY.md has no block 5: its blocks are numbered from 1 to 4."),
        (("0-9", "--yes"), 2, "MEMORY.md has no block 0, 5, 6, 7, 8, 9"),
        (("3-2",), 2, "'3-2' is neither a number nor a range"),
        (("all",), 2, "'all' is neither a number nor a range"),
        (("--yes",), 2, "Say which blocks to move"),
        (("1", "--seen", "abc"), 1, "MEMORY.md has changed since it was looked at; nothing was moved."),
    ],
)
def test_says_what_is_wrong(root: Path, call: Call, words: tuple[str, ...], code: int, sentence: str) -> None:
    """In a sentence, and nothing is moved."""
    said = call("doctor", "adopt", *words, "--workspace", root)
    assert (code, "", True) == (said.code, said.out, sentence in said.shown)
    assert PAGE == (root / "MEMORY.md").read_text()


@pytest.mark.parametrize(
    ("page", "sentence"), [(None, "MEMORY.md does not exist, so"), (OURS, "MEMORY.md holds nothing of yours, so")]
)
def test_says_that_there_is_nothing_to_move(root: Path, call: Call, page: str | None, sentence: str) -> None:
    """Whether blocks are listed or moved."""
    (root / "MEMORY.md").unlink()
    if page:
        (root / "MEMORY.md").write_text(page)
    for words in ((), ("1",), ("1", "--yes")):
        said = call("doctor", "adopt", *words, "--workspace", root)
        assert (2, True) == (said.code, sentence in said.shown)


def test_waits_for_nobody(root: Path, memory: CommandLine) -> None:
    """While the page's writer is at work, it says so and moves nothing; it can be looked at all the same."""
    with Locks(root / "memory" / ".locks").hold(["weekly_compound"], "other", datetime(2026, 3, 2, tzinfo=UTC)):
        said = memory("doctor", "adopt", "1", "--yes", "--workspace", root)
        assert (75, True) == (said.code, "weekly_compound is at work elsewhere" in said.err)
        assert 0 == memory("doctor", "adopt", "1", "--workspace", root).code
    assert PAGE == (root / "MEMORY.md").read_text()


def test_a_lost_ledger_is_rebuilt_first(filled: Path, call: Call) -> None:
    """A run of this command must not hide from the next one that all others are forgotten."""
    state = filled / ".memory" / "state.db"
    for file in (filled / ".memory").glob("state.db*"):
        file.unlink()
    (filled / "MEMORY.md").write_text("# Mine\n")
    assert 0 == call("doctor", "adopt", "1", "--yes", "--workspace", filled).code
    ledger = open_ledger(state)
    assert ledger.changes.live()
    ledger.store.close()


def test_says_what_puts_the_rest_into_the_room(judged: Path, call: Call) -> None:
    """When the last page is of a time that `memory run` looks at."""
    page = judged / "MEMORY.md"
    ours = page.read_text()
    page.write_text(f"# Mine\n\n{ours}")
    settings = judged / "memory.toml"
    settings.write_text(re.sub(r"(?m)^start = .*$", "start = 2026-02-02T00:00:00Z", settings.read_text()))
    lines = call("doctor", "adopt", "1", "--yes", "--workspace", judged).out.splitlines()
    assert "`memory run` puts what waits into the room." == lines[2]
    assert 4 == len(lines)
    page.write_text(f"# Mine\n\n{ours}")
    (done,) = call("doctor", "adopt", "1", "--yes", "--json", "--workspace", judged).records
    assert done["due"]
