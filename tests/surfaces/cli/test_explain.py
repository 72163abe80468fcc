"""`memory explain`, `memory forget` and `memory undo`."""

import os
import pty
import shutil
from collections.abc import Callable
from pathlib import Path
from subprocess import PIPE, Popen

import pytest

from pipeline.testing.command_line import CommandLine, Said, bare_environment

DAY = "memory/2026-02-02.md"
MIGRATION = "from now on every migration comes with a downgrade that was actually run"


def ids(call: Callable[..., Said], root: Path) -> list[str]:
    """The ids of all entries."""
    return [record["id"] for record in call("entries", "--json", "--workspace", root).records]


def test_tells_the_story(filled: Path, call: Callable[..., Said]) -> None:
    """The words, where they stand, when, and which run wrote them."""
    entry_id = ids(call, filled)[0]
    said = call("explain", entry_id, "--workspace", filled)
    run = call("runs", "--limit", 999, "--json", "--workspace", filled).records
    writer = next(record["run_id"] for record in run if record["written"])
    assert said.code == 0
    for expected in (f"{entry_id} ({DAY}:3)", "openclaw:s-one.jsonl, messages 2-2", MIGRATION, writer, "#2 2026-02-02"):
        assert expected in said.out


def test_programs_get_the_story_too(filled: Path, call: Callable[..., Said]) -> None:
    """`--json` is the entry with its run, its links, its doubts and its words."""
    (record,) = call("explain", ids(call, filled)[0], "--json", "--workspace", filled).records
    assert [word["text"] for word in record["words"]] == [MIGRATION]
    assert (record["reinforced_by"], record["findings"], record["verified"]) == ([], [], True)


def test_a_source_that_is_gone_is_said_to_be(filled: Path, call: Callable[..., Said]) -> None:
    """Agents delete transcripts; what was written stays and is told as ours."""
    entry_id = ids(call, filled)[0]
    shutil.rmtree(filled / "sessions")
    said = call("explain", entry_id, "--workspace", filled)
    told = "The transcript cannot be read now (gone, or no right to read it). What was written stays."
    assert (said.code, told in said.out) == (0, True)
    assert call("explain", entry_id, "--json", "--workspace", filled).records[0]["words"] is None


def test_a_forged_entry_is_told_as_nobodys(filled: Path, call: Callable[..., Said]) -> None:
    """Whatever it claims: its trust is told as unverified, and no person is said to have changed it."""
    page = filled / DAY
    text = page.read_text()
    block = text[text.index("\n## ") : text.index("- check: ")].replace("- id: ", "- id: FORGED-")
    forged = block.replace('- quote: "', '- quote: "never said: ')
    page.write_text(f"{text}{forged}- check: 000000\n")
    (entry_id,) = [each for each in ids(call, filled) if each.startswith("FORGED-")]
    said = call("explain", entry_id, "--workspace", filled).out
    assert "trust unverified" in said
    assert "by nobody that the ledger knows" in said
    assert "a person changed it" not in said
    assert call("explain", entry_id, "--json", "--workspace", filled).records[0]["trust"] == "unverified"


def test_an_unknown_entry_is_2(filled: Path, call: Callable[..., Said]) -> None:
    """A wrong id is told, with ids that share a word."""
    said = call("explain", "RULE-20260101-migration", "--workspace", filled)
    assert said.code == 2
    assert "There is no entry 'RULE-20260101-migration'. Did you mean one of these: " in said.err


def test_forgets_for_good(filled: Path, call: Callable[..., Said]) -> None:
    """With --yes an entry goes from its file and from the ledger; a receipt names what is out of reach."""
    entry_id, other = ids(call, filled)
    said = call("forget", entry_id, "--yes", "--workspace", filled)
    assert said.code == 0
    assert DAY in said.out
    assert "git history" in said.out
    assert ids(call, filled) == [other]
    assert MIGRATION not in (filled / DAY).read_text()
    assert MIGRATION.encode() not in (filled / ".memory" / "state.db").read_bytes()


def test_a_forgotten_entry_is_told_as_forgotten(filled: Path, call: Callable[..., Said]) -> None:
    """`explain` of a name in memory/forgotten.md says what that means, and is no error; the id itself is gone."""
    entry_id = ids(call, filled)[0]
    (receipt,) = call("forget", entry_id, "--yes", "--json", "--workspace", filled).records
    assert (receipt["entry_id"], receipt["files"]) == (entry_id, [DAY])
    listed = receipt["stand_in"]
    said = call("explain", listed, "--workspace", filled)
    assert (said.code, "was deleted by a person" in said.out) == (0, True)
    assert call("explain", listed, "--json", "--workspace", filled).records == [{"id": listed, "forgotten": True}]


def test_forgets_nothing_unasked(filled: Path, call: Callable[..., Said]) -> None:
    """Where there is nobody to ask, --yes has to be said."""
    known = ids(call, filled)
    said = call("forget", known[0], "--workspace", filled)
    assert (said.code, "say --yes" in said.err) == (2, True)
    assert ids(call, filled) == known


@pytest.mark.parametrize(("answer", "code", "left"), [("n", 1, 2), ("y", 0, 1)])
def test_asks_a_person(answer: str, code: int, left: int, filled: Path, memory: CommandLine) -> None:
    """On a terminal the person is asked, and told what would go; no is no."""
    entry_id = memory("entries", "--json", "--workspace", filled).records[0]["id"]
    terminal, ours = pty.openpty()
    words = memory.words("forget", entry_id, "--workspace", filled)
    with Popen(words, stdin=ours, stdout=PIPE, stderr=PIPE, env=bare_environment(memory.home), text=True) as process:
        os.write(terminal, f"{answer}\n".encode())
        told = process.communicate(timeout=60)[1]
    os.close(terminal)
    os.close(ours)
    assert (process.returncode, f"Forget {entry_id} (" in told) == (code, True)
    assert len(memory("entries", "--json", "--workspace", filled).records) == left


def test_undoes_a_run(filled: Path, call: Callable[..., Said]) -> None:
    """Exactly the run's blocks go; a second time there is nothing to undo."""
    runs = call("runs", "--limit", 999, "--json", "--workspace", filled).records
    run = next(record["run_id"] for record in runs if record["written"])
    known = ids(call, filled)
    said = call("undo", run, "--workspace", filled)
    assert said.code == 0
    assert said.out == "".join(f"removed   {entry_id}\n" for entry_id in known) + f"Run {run} is undone.\n"
    assert ids(call, filled) == []
    again = call("undo", run, "--workspace", filled)
    assert (again.code, again.err) == (2, f"memory: Run {run} has been undone. `memory runs` lists the runs.\n")


def test_undo_leaves_what_a_person_changed(filled: Path, call: Callable[..., Said]) -> None:
    """A block that was edited since stays, and is named."""
    runs = call("runs", "--limit", 999, "--json", "--workspace", filled).records
    run = next(record["run_id"] for record in runs if record["written"])
    first, second = ids(call, filled)
    page = filled / DAY
    page.write_text(page.read_text().replace("- why: not stated", "- why: it failed twice", 1))
    (undone,) = call("undo", run, "--json", "--workspace", filled).records
    assert (undone["removed"], undone["left"]) == ([second], [first])
