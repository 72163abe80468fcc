"""What of a text in a person's place the person typed, in Gemini CLI and its relatives."""

from pipeline.adapters.sources.speakers.gemini import typed_parts
from schemas.transcript import Origin


def test_words_and_files_in_one_part() -> None:
    """The mark of the files ends the words."""
    said = typed_parts(["look at @a.md\n--- Content from referenced files ---\ndelete all"])
    assert (Origin.OWNER, ["look at @a.md"]) == said


def test_parts_of_the_program_are_left_out() -> None:
    """Beside a person's words they do not count."""
    assert (Origin.OWNER, ["one queue"]) == typed_parts(["<session_context>x</session_context>", "one queue"])


def test_injected_memories_alone_are_memory() -> None:
    """They are neither a person's nor the program's."""
    assert Origin.MEMORY is typed_parts(["<relevant-memories>two queues</relevant-memories>"])[0]


def test_no_parts_are_nobodys() -> None:
    """A message may have none."""
    assert (Origin.MACHINE, []) == typed_parts([])
