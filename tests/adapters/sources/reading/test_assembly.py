"""A session while its records are being read."""

import io
from collections import Counter

from pipeline.adapters.sources.reading.assembly import SNIFFED, Assembly, DraftMessage
from schemas.transcript import Origin, Role
from tests.support.tables import table

TIME = "2026-02-02T09:00:00Z"


def test_the_same_line_again_is_a_repeat() -> None:
    """A line with a time says when, so another one like it is a copy; its id is of its number and contents."""
    assembly = Assembly()
    first = assembly.admit_line(1, {"text": "a", "timestamp": TIME}, TIME)
    assert first.startswith("line1-")
    assert "" == assembly.admit_line(2, {"text": "a", "timestamp": TIME}, TIME)
    assert assembly.admit_line(3, {"text": "b", "timestamp": TIME}, TIME).startswith("line3-")
    assert {"repeated": 1} == assembly.skipped


def test_without_times_lines_may_be_alike() -> None:
    """A person may say the same twice."""
    assembly = Assembly()
    ids = [assembly.admit_line(number, {"text": "yes"}, None) for number in (1, 2)]
    assert 2 == len({*ids} - {""})


def test_a_time_under_any_name_moves_the_clock() -> None:
    """Formats differ in where it stands."""
    assembly = Assembly()
    assembly.admit_line(1, {"created_at": TIME}, TIME)
    assert assembly.clock
    assert 9 == assembly.clock.hour


def recognize(content: bytes) -> tuple[list[int], dict[str, int]]:
    """The numbers of the records from the first with an `a`, of a format whose files have no `b`; and the counts."""
    assembly = Assembly()
    ours = assembly.recognize(io.BytesIO(content), lambda record: "a" in record, lambda record: "b" in record)
    return [number for number, _ in ours], dict(assembly.skipped)


def test_records_count_from_the_first_of_the_format() -> None:
    """Others may stand before it, if they are not of a format that is known not to be this one."""
    assert ([2, 3], {"unknown_record:x": 1}) == recognize(b'{"type": "x"}\n{"a": 1}\n{"b": 1}\n')
    assert ([], {}) == recognize(b'{"b": 1}\n{"a": 1}\n')


def test_a_file_of_another_format_is_not_read_to_its_end() -> None:
    """Twenty records show it."""
    numbers = [recognize(b'{"type": "x"}\n' * before + b'{"a": 1}\n')[0] for before in (SNIFFED - 1, SNIFFED)]
    assert numbers == [[SNIFFED], []]


@table(
    ("before", "copied", "origins"),
    [
        ([Origin.OWNER], 0, ["owner", "summary"]),
        ([Origin.ASSISTANT], 0, ["assistant", "summary"]),
        ([], 0, ["memory"]),
        ([Origin.MEMORY, Origin.TOOL], 0, ["memory", "tool", "memory"]),
        ([Origin.OWNER], 1, ["owner", "memory"]),
        ([Origin.OWNER, Origin.SUMMARY, Origin.MACHINE], 0, ["owner", "summary", "machine", "memory"]),
        ([Origin.OWNER, Origin.SUMMARY, Origin.OWNER], 0, ["owner", "summary", "owner", "summary"]),
    ],
)
def test_a_summary_of_what_another_session_holds_is_no_note(
    before: list[Origin], copied: int, origins: list[str]
) -> None:
    """Nobody knows here what the owner kept off the record there. Nor is one that says nothing new."""
    assembly = Assembly(skipped=Counter({"copied": copied}))
    for number, origin in enumerate([*before, Origin.SUMMARY], start=1):
        assembly.admit(number, {"id": f"m{number}", "timestamp": TIME}, "id")
        assembly.add(DraftMessage(number, [f"m{number}"], Role.SYSTEM, origin, [f"said {number}"]))
    assert origins == [message.origin for message in assembly.messages()]


def test_a_summary_in_the_same_words_says_nothing_new() -> None:
    """An agent without a model to sum up writes the same sentence each time."""
    assembly = Assembly()
    for number in range(1, 5):
        assembly.admit(number, {"id": f"m{number}", "timestamp": TIME}, "id")
        origin = Origin.SUMMARY if number % 2 == 0 else Origin.OWNER
        assembly.add(DraftMessage(number, [f"m{number}"], Role.SYSTEM, origin, ["Nothing yet."]))
    assert ["owner", "summary", "owner", "memory"] == [message.origin for message in assembly.messages()]
