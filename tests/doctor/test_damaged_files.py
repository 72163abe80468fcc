"""Files that are no text any more, that hold both sides of a merge, that are empty, and copies beside ours."""

from collections.abc import Callable
from pathlib import Path

import pytest

from pipeline.doctor.files import check_texts
from schemas.checkup import CheckResult
from tests.support.ports.memory_source import conversation
from tests.support.workspaces.workbench import MORNING, Workbench

NewBench = Callable[..., Workbench]
DAY = "memory/2026-03-02.md"


@pytest.fixture
def bench(new_bench: NewBench) -> Workbench:
    """A day with three entries."""
    bench = new_bench()
    bench.say(conversation("s1", MORNING, [("owner", f"note: {text}") for text in ("one", "two", "three")]))
    bench.run_due()
    assert [] == findings(bench)
    return bench


def findings(bench: Workbench) -> list[CheckResult]:
    """The findings."""
    return list(check_texts(bench.engine))


def test_zero_bytes_are_named_with_their_line_and_what_is_lost(bench: Workbench) -> None:
    """As a disk leaves a file after a power cut; and a zero byte in a file whose entries are all there."""
    page, whole = bench.root / DAY, bench.pages()[DAY]
    page.write_bytes(b"\0" * 5000)
    (check,) = findings(bench)
    lost = "3 of the 3 entries that we wrote into it are not found there"
    assert f"{DAY}, line 1: it holds zero bytes, as after a power cut; {lost}" == check.message
    assert ("Bring it back from git or a backup" in check.advice, "--allow-shrink" in check.advice) == (True, True)
    page.write_bytes(whole + b"\nmine \0\n")
    (check,) = findings(bench)
    line = whole.count(b"\n") + 2
    assert f"{DAY}, line {line}: it holds zero bytes, as after a power cut" == check.message


def test_an_emptied_file_is_named(bench: Workbench) -> None:
    """It stands there, so nobody would miss it."""
    (bench.root / DAY).write_bytes(b"")
    (check,) = findings(bench)
    assert f"{DAY} is empty, though we wrote 3 entries or lines into it" == check.message


@pytest.mark.parametrize(
    ("change", "line", "words"),
    [
        (lambda data: data.decode().encode("utf-16"), 1, "is UTF-16"),
        (lambda data: data.decode().encode("utf-16-le"), 1, "is UTF-16"),
        (lambda data: data + b"\ncaf\xe9\n", None, "a byte that is not UTF-8"),
        (lambda data: b"# x\n<<<<<<< HEAD\n" + data + b"=======\n>>>>>>> b\n", 2, "both sides of a merge"),
    ],
)
def test_what_is_wrong_with_a_file_is_named_with_its_line(
    bench: Workbench, change: Callable[[bytes], bytes], line: int | None, words: str
) -> None:
    """Of each kind the first."""
    data = change(bench.pages()[DAY])
    (bench.root / DAY).write_bytes(data)
    (check,) = findings(bench)
    expected = line or data.count(b"\n")
    assert f"{DAY}, line {expected}: it " in check.message
    assert words in check.message


def test_pages_of_people_and_the_lists_are_looked_at_too(bench: Workbench) -> None:
    """A list that cannot be read allows everything that was forgotten."""
    for path in ("memory/forgotten.md", "memory/projects/boat.md"):
        (bench.root / path).parent.mkdir(exist_ok=True)
        (bench.root / path).write_bytes("- mine\n".encode("utf-16"))
    assert [
        "memory/forgotten.md, line 1: it is UTF-16 and not UTF-8",
        "memory/projects/boat.md, line 1: it is UTF-16 and not UTF-8",
    ] == [check.message for check in findings(bench)]


def test_a_copy_is_named_with_the_file_that_it_is_of(bench: Workbench) -> None:
    """A note with such a name is none."""
    copy = Path(bench.root / "memory" / "2026-03-02 (Conflicted copy laptop 202603121129).md")
    copy.write_bytes(bench.pages()[DAY])
    (bench.root / "memory/2026-03-02-notes.md").write_text("- what we talked about\n")
    (check,) = findings(bench)
    assert f"memory/{copy.name} is a copy of {DAY}" in check.message
