"""`memory/declined.md`: what was declined, without a word of it."""

from datetime import date
from pathlib import Path

import pytest

from pipeline.language.folding import folded_words
from pipeline.workspace.declined import PATH, Declined, allow_declined, note_declined, read_declined
from pipeline.workspace.files import Workspace
from tests.support.tables import table

DAY = date(2026, 3, 2)
TEA = ("4f1c02aa", "a1b2", "The tea stands on the upper shelf.")
CAKE = ("90ab3d11", "c3d4", "Ciasto piecze się w niedzielę")


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    """A workspace in which the tea was declined."""
    made = Workspace(tmp_path)
    note_declined(made, [TEA], DAY)
    return made


@table(
    "text",
    [
        "The tea stands on the upper shelf.",
        "the TEA  stands on\nthe upper shelf",
        "The t\u200be\u00ada stands, on the upper shelf!",
        "The te\u0301a stands on the upper shelf",
    ],
)
def test_the_same_words_are_known(workspace: Workspace, text: str) -> None:
    """Whatever their case, spaces, marks and accents, and what is invisible between them."""
    assert read_declined(workspace).has_text(text)


def test_other_words_are_not_known(workspace: Workspace) -> None:
    """Nor is no word at all; an identity is known by itself."""
    declined = read_declined(workspace)
    assert [False, False, False] == [declined.has_text(text) for text in ("The tea stands", "", "...")]
    assert (True, False) == (declined.has_identity("a1b2"), declined.has_identity("c3d4"))


def test_the_file_has_no_words(workspace: Workspace) -> None:
    """Another workspace has another salt, so the same words leave other hashes."""
    other = Workspace(workspace.root / "other")
    note_declined(other, [TEA], DAY)
    first, second = (made.read(PATH) or b"" for made in (workspace, other))
    assert first.splitlines()[-1] != second.splitlines()[-1]
    assert not [word for word in (b"tea", b"shelf", b"a1b2") if word in first]
    assert b"4f1c02aa" in first


def test_it_is_listed_once(workspace: Workspace) -> None:
    """What is new comes behind, under the same salt; lines of a person stay."""
    file = workspace.root / PATH
    file.write_text(file.read_text() + "my own line")
    note_declined(workspace, [TEA, CAKE], DAY)
    note_declined(workspace, [CAKE], DAY)
    lines = file.read_text().splitlines()
    assert ["- 4f1c02aa", "my own line", "- 90ab3d11"] == [line.partition(" salt:")[0] for line in lines[4:]]
    assert 1 == len(read_declined(workspace).salts)


def test_a_line_that_is_gone_is_not_known(workspace: Workspace) -> None:
    """A file that is missing as a whole says nothing."""
    note_declined(workspace, [CAKE], DAY)
    file = workspace.root / PATH
    file.write_text("".join(line for line in file.read_text().splitlines(keepends=True) if "4f1c02aa" not in line))
    declined = read_declined(workspace)
    assert (False, True) == (declined.has_text(TEA[2]), declined.has_text(CAKE[2]))
    file.unlink()
    assert Declined() == read_declined(workspace)


def test_any_bytes_are_read(workspace: Workspace) -> None:
    """A line that is none of ours is passed over."""
    (workspace.root / PATH).write_bytes(b"\xff\xfe\n- x salt:zz text: identity: on\n- \x00 salt:\n")
    assert Declined() == read_declined(workspace)


def test_words_are_folded_in_every_script() -> None:
    """Chinese has no spaces, Polish has accents."""
    assert "ciastopieczesiewniedziele" == folded_words(CAKE[2])
    assert folded_words("记住：茶在上面。") == folded_words("记住 茶在上面")  # noqa: RUF001 - a full-width colon is meant


def test_a_decision_that_was_taken_back_leaves_the_list(workspace: Workspace) -> None:
    """By its id; every other byte stays."""
    note_declined(workspace, [TEA, CAKE], DAY)
    file = workspace.root / PATH
    file.write_text(file.read_text() + "my own line\n")
    lines = file.read_text().splitlines(keepends=True)
    allow_declined(workspace, [TEA[0]])
    assert "".join(line for line in lines if TEA[0] not in line) == file.read_text()
    assert (False, True) == tuple(read_declined(workspace).has_identity(one[1]) for one in (TEA, CAKE))
