"""Words overwritten in logs, in place."""

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.scrubbing import scrub

MEGABYTE = 1 << 20
WORD = "zapamiętaj: sokół"
STARS = "*" * len(WORD.encode())


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The folder of what is derived."""
    made = tmp_path / ".memory"
    made.mkdir()
    return made


@pytest.mark.parametrize("before", [0, 1, MEGABYTE - 5, MEGABYTE, 2 * MEGABYTE - len(WORD.encode())])
def test_a_word_is_overwritten_wherever_it_stands(folder: Path, before: int) -> None:
    """Also across the border of what is read at once; nothing else changes, nor how old the file is."""
    log = folder / "cron.log"
    log.write_text("a" * before + f"{WORD} b {WORD}\n", encoding="utf-8")
    os.utime(log, (1_000_000_000, 1_000_000_000))
    assert ((".memory/cron.log",), ()) == vars_of(folder, [WORD])
    assert "a" * before + f"{STARS} b {STARS}\n" == log.read_text(encoding="utf-8")
    assert 1_000_000_000 == log.stat().st_mtime


def vars_of(folder: Path, words: list[str], apart: tuple[Path, ...] = ()) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The files and the refusals."""
    told = scrub(folder.parent, folder, words, apart)
    return told.files, told.refused


def test_a_longer_text_goes_before_a_part_of_it(folder: Path) -> None:
    """No piece of it is left standing beside the stars."""
    (folder / "a.log").write_text("the red door, the red", encoding="utf-8")
    scrub(folder.parent, folder, ["the red", "the red door"], ())
    assert "*" * 12 + ", " + "*" * 7 == (folder / "a.log").read_text(encoding="utf-8")


def test_who_appends_goes_on(folder: Path) -> None:
    """The file stays the same file, so a line that is written afterwards stands in it."""
    with (folder / "a.log").open("a", encoding="utf-8") as log:
        log.write(f"{WORD}\n")
        log.flush()
        scrub(folder.parent, folder, [WORD], ())
        log.write("later\n")
    assert f"{STARS}\nlater\n" == (folder / "a.log").read_text(encoding="utf-8")


def test_what_has_its_own_way_is_left(folder: Path) -> None:
    """The ledger with what lies beside it, the index, links and pipes; a file that only begins like one is not."""
    for name in ("state.db", "state.db-wal", "index/live.json", "indexing.log", "deep/er/a.log"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(WORD, encoding="utf-8")
    (folder.parent / "mine.md").write_text(WORD, encoding="utf-8")
    (folder / "link.log").symlink_to(folder.parent / "mine.md")
    os.mkfifo(folder / "pipe")
    told = vars_of(folder, [WORD, ""], (folder / "state.db", folder / "index"))
    assert ((".memory/indexing.log", ".memory/deep/er/a.log"), ()) == told
    assert WORD == (folder.parent / "mine.md").read_text(encoding="utf-8")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everything")
def test_a_log_that_may_not_be_written_is_named(folder: Path) -> None:
    """With the reason; the others are gone through."""
    for name in ("a.log", "b.log"):
        (folder / name).write_text(WORD, encoding="utf-8")
    (folder / "a.log").chmod(0o400)
    assert ((".memory/b.log",), (".memory/a.log (Permission denied)",)) == vars_of(folder, [WORD])


@given(st.binary(max_size=200), st.lists(st.text(max_size=5), max_size=4))
def test_only_words_change(tmp_path_factory: pytest.TempPathFactory, data: bytes, words: list[str]) -> None:
    """Whatever the bytes: as many remain, none of the words does, and without one nothing is written."""
    folder = tmp_path_factory.mktemp("any")
    (folder / "a.log").write_bytes(data)
    needles = [word.encode(errors="surrogateescape") for word in words if word and "*" not in word]
    files, _ = vars_of(folder, [needle.decode() for needle in needles])
    after = (folder / "a.log").read_bytes()
    assert (len(data), bool(files)) == (len(after), after != data)
    assert not [needle for needle in needles if needle in after]
