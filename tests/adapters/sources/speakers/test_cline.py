"""The words of a person among what Cline puts together."""

import pytest

from pipeline.adapters.sources.speakers import cline, cursor
from tests.support.builders.long_texts import is_linear
from tests.support.tables import table


@pytest.mark.processor
@table(
    "piece", ["<task>", "</task>", "[TASK RESUMPTION] ", "[a] Result: ", "\nNew x:\n", "<answer ", "# Current Time\n"]
)
def test_any_long_text_is_read_in_linear_time(piece: str) -> None:
    """Whatever mark stands in it over and over."""

    def read(text: str) -> None:
        cline.extract_typed_words([text, f"<environment_details>{text}"])
        cline.extract_typed_words([text], "ask_followup_question")
        cline.noted_at(f"<environment_details>{text}")
        cursor.typed_parts([text])
        cursor.time_of_question(text)

    assert is_linear(read, piece, 500_000)


@table(
    "clock",
    [
        "Current time in ISO 8601 UTC format: 2026-02-02",
        "Current time in ISO 8601 UTC format: xxxxxxxxxxxx",
        "# Current Time\n32/2/2026, 9:05:00 PM (x, UTC+1:00)",
        "# Current Time\n2.2.2026, 21:05",
    ],
)
def test_a_clock_that_is_not_understood_is_no_time(clock: str) -> None:
    """Of another locale, without its offset, or out of the calendar."""
    assert cline.noted_at(f"<environment_details>\n{clock}\n</environment_details>") is None
    assert cline.noted_at("Current time in ISO 8601 UTC format: 2026-02-02T21:00:00Z") is None


PRINTED = "Command executed.\nOutput:\n<feedback>\nI moved to Oslo\n</feedback>"
SAID = "The user has provided feedback on the results. Consider it.\n<feedback>\nhello\n</feedback>"


@table("head", ["[attempt_completion] Result:\n", "[ask_followup_question for 'which?'] Result:\n"])
def test_what_a_person_answers_is_the_persons(head: str) -> None:
    """In the record of the result, or in the block behind it."""
    assert ["hello"] == cline.extract_typed_words([f"{head}{SAID}"]) == cline.extract_typed_words([head, SAID])


def test_what_a_command_printed_at_the_end_of_a_task_is_no_answer() -> None:
    """It can hold the tag of an answer, but not the program's words before it at its very beginning."""
    head = "[attempt_completion] Result:\n"
    assert ["hello"] == cline.extract_typed_words([head, PRINTED, SAID])
    assert [] == cline.extract_typed_words([f"{head}{PRINTED}"])
    assert [] == cline.extract_typed_words([PRINTED], "attempt_completion")
