"""Words overwritten in logs, in place."""

import bz2
import gzip
import lzma
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.corrections.erasure import scrub
from tests.support.tables import table

MEGABYTE = 1 << 20
WORD = "zapamiętaj: sokół"
STARS = "*" * len(WORD.encode())


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The folder of what is derived."""
    made = tmp_path / ".memory"
    made.mkdir()
    return made


@table("before", [0, 1, MEGABYTE - 5, MEGABYTE, 2 * MEGABYTE - len(WORD.encode())])
def test_a_word_is_overwritten_wherever_it_stands(folder: Path, before: int) -> None:
    """Also across the border of what is read at once; nothing else changes, nor how old the file is."""
    log = folder / "cron.log"
    log.write_text("." * before + f"{WORD} b {WORD}\n", encoding="utf-8")
    os.utime(log, (1_000_000_000, 1_000_000_000))
    assert ((".memory/cron.log",), ()) == vars_of(folder, [WORD])
    assert "." * before + f"{STARS} b {STARS}\n" == log.read_text(encoding="utf-8")
    assert 1_000_000_000 == log.stat().st_mtime


def vars_of(folder: Path, words: list[str], apart: tuple[Path, ...] = ()) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The files and the refusals."""
    scrubbed = scrub(folder.parent, folder, words, apart)
    return scrubbed.files, scrubbed.refused


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
    arguments = vars_of(folder, [WORD, ""], (folder / "state.db", folder / "index"))
    assert ((".memory/indexing.log", ".memory/deep/er/a.log"), ()) == arguments
    assert WORD == (folder.parent / "mine.md").read_text(encoding="utf-8")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everything")
def test_a_log_that_may_not_be_written_is_named(folder: Path) -> None:
    """With the reason; the others are gone through."""
    for name in ("a.log", "b.log"):
        (folder / name).write_text(WORD, encoding="utf-8")
    (folder / "a.log").chmod(0o400)
    assert ((".memory/b.log",), (".memory/a.log (Permission denied)",)) == vars_of(folder, [WORD])


@table(
    ("word", "text", "after"),
    [
        ("yes", '{"yesterday": "yes", "eyes": 1}', '{"yesterday": "***", "eyes": 1}'),
        ("sokół", "sokółka ósokół Sokół sokół.", "sokółka ósokół Sokół *******."),
        ("łoś", "małoś łość łoś", "małoś łość *****"),
        ("never", r'"ok\never" "ok\nnever"', r'"ok\never" "ok\n*****"'),
        ("猎鹰", "记住猎鹰吧", "记住******吧"),
        ("- it", "a- it is", "a**** is"),
        (r"\u9e70", r'"\u9e70server"', '"******server"'),
        ("never", r'"\u5427never" "\u0142never"', r'"\u5427*****" "\u0142never"'),
    ],
)
def test_a_part_of_a_word_is_another_word(folder: Path, word: str, text: str, after: str) -> None:
    """What a short word is a part of stays, whatever the alphabet; Chinese sets no words apart."""
    (folder / "a.json").write_text(text, encoding="utf-8")
    vars_of(folder, [word])
    assert after == (folder / "a.json").read_text(encoding="utf-8")


@table("at", range(MEGABYTE - 14, MEGABYTE + 3))
def test_a_part_of_a_word_at_the_border_of_what_is_read(folder: Path, at: int) -> None:
    """What stands beside a word is seen there too."""
    text = "." * at + "falcons falcon " + "." * 9
    (folder / "a.log").write_text(text, encoding="utf-8")
    vars_of(folder, ["falcon"])
    assert text.replace("falcon ", "****** ") == (folder / "a.log").read_text(encoding="utf-8")


def test_only_what_belongs_to_the_ledger_is_left(folder: Path) -> None:
    """A file that is only called after it is looked through."""
    for name in ("ledger.db", "ledger.db-wal", "ledger.db-shm", "ledger.db-journal", "ledger.db-old.log"):
        (folder / name).write_text(WORD, encoding="utf-8")
    assert ((".memory/ledger.db-old.log",), ()) == vars_of(folder, [WORD], (folder / "ledger.db",))


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress])
def test_what_is_compressed_is_named(folder: Path, pack: Callable[[bytes], bytes]) -> None:
    """Nobody can tell which words it holds; it stays as it is."""
    packed = pack(WORD.encode())
    (folder / "cron.log.1").write_bytes(packed)
    assert ((), (".memory/cron.log.1 (it is compressed)",)) == vars_of(folder, [WORD])
    assert packed == (folder / "cron.log.1").read_bytes()


@given(st.binary(max_size=200), st.lists(st.text(max_size=5), max_size=4))
def test_only_words_change(tmp_path_factory: pytest.TempPathFactory, data: bytes, words: list[str]) -> None:
    """Whatever the bytes: as many remain, no word does that stands alone, and without one nothing is written."""
    folder = tmp_path_factory.mktemp("any")
    needles = [word.encode(errors="surrogateescape") for word in words if word and "*" not in word]
    data = b" ".join([b".", data, *needles])  # what begins like an archive is left
    (folder / "a.log").write_bytes(data)
    files, _ = vars_of(folder, [needle.decode() for needle in needles])
    after = (folder / "a.log").read_bytes()
    assert (len(data), bool(files)) == (len(after), after != data)
    assert not [needle for needle in needles if b" %b " % needle in after]
