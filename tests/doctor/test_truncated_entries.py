"""Entries that break off: found wherever the cut is, and made whole to the byte."""

from collections.abc import Callable
from datetime import UTC, datetime

from pipeline.doctor.entries import TornEntry, complete_entry, torn_entries
from tests.support.builders.note_job import JOB
from tests.support.ports.memory_source import conversation
from tests.support.workspaces.workbench import Workbench

NewBench = Callable[..., Workbench]
MORNING = datetime(2026, 3, 2, 8, tzinfo=UTC)
DAY = "memory/2026-03-02.md"
APPENDED = b"\n- a line of another agent\n"


def said(bench: Workbench, *texts: str) -> bytes:
    """The owner says one thing a minute, and it is run; the file then."""
    bench.say(conversation("s1", MORNING, [("owner", text) for text in texts]))
    bench.run_due()
    return bench.pages()[DAY]


def torn(bench: Workbench, data: bytes) -> list[TornEntry]:
    """What is torn when this is the file."""
    (bench.root / DAY).write_bytes(data)
    return list(torn_entries(bench.engine, DAY))


def test_a_cut_anywhere_in_the_last_entry_is_detected(new_bench: NewBench) -> None:
    """From the heading's first letter on, in any script; with the line it breaks off in, and what makes it whole."""
    bench = new_bench()
    whole = said(bench, "note: one", "note: zażółć gęślą 决定")
    begins = whole.rindex(b"\n## ") + 1
    heading = whole.count(b"\n", 0, begins) + 1
    for end in range(begins + len("## N"), len(whole) - len(b"0\n")):
        (torn_entry,) = torn(bench, whole[:end])
        assert (heading, True, whole, "") == (torn_entry.first, torn_entry.cut, torn_entry.whole, torn_entry.again)
        assert whole[: end - 1].count(b"\n") + 1 == torn_entry.last
        if end > whole.index(b"\n", whole.rindex(b"- id:")):  # it says whose it is, whatever stands behind it
            (appended,) = torn(bench, whole[:end] + APPENDED)
            assert (whole + APPENDED, torn_entry.last) == (appended.whole, appended.last)


def test_what_is_whole_or_gone_is_not_torn(new_bench: NewBench) -> None:
    """Without its last line end an entry says all; of one that is gone `doctor` tells elsewhere."""
    bench = new_bench()
    whole = said(bench, "note: one", "note: two")
    begins = whole.rindex(b"\n## ") + 1
    for end in (len(whole), len(whole) - 1, begins, begins + 2):
        assert [] == torn(bench, whole[:end])


def test_what_a_person_edited_is_not_torn(new_bench: NewBench) -> None:
    """Another word, a line more, and a line less with the check still there: it was adopted."""
    bench = new_bench()
    whole = said(bench, "note: one", "note: two")
    for old, new in ((b"why: not stated", b"why: because"), (b"- trust:", b"- mine\n- trust:"), (b"- refs:\n", b"")):
        assert [] == torn(bench, whole.replace(old, new))


def test_windows_line_ends_are_kept(new_bench: NewBench) -> None:
    """The rest is written as the file is."""
    bench = new_bench()
    whole = said(bench, "note: one", "note: two").replace(b"\n", b"\r\n")
    (torn_entry,) = torn(bench, whole[:-100])
    assert whole == torn_entry.whole


def test_it_is_made_whole_and_is_ours_again(new_bench: NewBench) -> None:
    """To the byte, and a second time there is nothing to do; the next run takes it for what it wrote."""
    bench = new_bench()
    whole = said(bench, "note: one", "note: two")
    (torn_entry,) = torn(bench, whole[:-100])
    assert f"{torn_entry.name} stands in {DAY} as it was written" == complete_entry(bench.engine, JOB, torn_entry)
    assert whole == bench.pages()[DAY]
    assert f"{torn_entry.name} is not torn any more" == complete_entry(bench.engine, JOB, torn_entry)
    bench.say(conversation("s1", MORNING, [("owner", "note: one"), ("owner", "note: two"), ("owner", "hello")]))
    assert ["empty"] == [outcome.ending for outcome in bench.run_due()]
    assert whole == bench.pages()[DAY]


def test_what_was_written_again_since_is_named(new_bench: NewBench) -> None:
    """A late message had the window run again: to make the rest whole would say the same twice."""
    bench = new_bench()
    whole = said(bench, "note: one", "note: two")
    (first,) = torn(bench, whole[:-200])
    said(bench, "note: one", "note: two", "hello")
    (torn_entry,) = torn_entries(bench.engine, DAY)
    assert f"- id: {torn_entry.again}\n".encode() in bench.pages()[DAY]
    assert (first.name, True) == (torn_entry.name, torn_entry.again.startswith(first.name))
    before = bench.pages()
    assert "not torn any more" in complete_entry(bench.engine, JOB, torn_entry)
    assert before == bench.pages()


def test_without_the_ledger_it_is_noticed_and_not_made_whole(new_bench: NewBench) -> None:
    """By what is missing in it; an entry that has its end and yet cannot be read is told as well."""
    bench = new_bench()
    whole = said(bench, "note: one", "note: two")
    bench.engine.ledger.store.close()
    for file in (bench.root / ".memory").iterdir():
        file.unlink()
    lost = new_bench(source=bench.source)
    (torn_entry,) = torn(lost, whole[:-300])
    assert (True, None, whole[:-301].count(b"\n") + 1) == (torn_entry.cut, torn_entry.whole, torn_entry.last)
    (torn_entry,) = torn(lost, whole.replace(b"- kind: ", b"- kinds: ", 1))
    assert (False, None) == (torn_entry.cut, torn_entry.whole)
    assert [] == torn(lost, whole + b"\n- id: my own list\n- and so on\n")
