"""What of a text in a person's place the person typed, in Codex."""

from pipeline.adapters.sources.codex import attribute_text, is_image_mark
from schemas.transcript import Origin


def test_a_summary_is_nobodys_words() -> None:
    """A model that takes over reads what another one wrote."""
    text = "Another language model started to solve this problem and produced a summary of its work."
    assert (Origin.SUMMARY, text) == attribute_text(text, surely=True)


def test_the_last_mark_counts() -> None:
    """A selected text of the editor may have the mark, too: what may be the file's is not the person's."""
    text = "# Context from my IDE setup:\n## My request for Codex:\nfrom the file\n## My request for Codex:\ntyped"
    assert (Origin.OWNER, "typed") == attribute_text(text, surely=True)


def test_the_mark_inside_a_line_is_no_mark() -> None:
    """It is a heading of its own."""
    text = 'look for "## My request for Codex:" in the code'
    assert (Origin.OWNER, text) == attribute_text(text, surely=True)


def test_an_empty_request_is_no_word_of_a_person() -> None:
    """Then only the editor has spoken."""
    assert (
        Origin.MACHINE is attribute_text("# Context from my IDE setup:\n\n## My request for Codex:\n", surely=True)[0]
    )


def test_injected_memories_are_cut() -> None:
    """Plugins put them into any agent."""
    said = attribute_text("<relevant-memories>two queues</relevant-memories>\none queue", surely=True)
    assert (Origin.OWNER, "one queue") == said


def test_image_marks() -> None:
    """The tags alone are marks, words beside them are not."""
    marks = ["<image>", "</image>", '<image name="[Image #1]">', "<image name=[Image #1]>"]
    assert [] == [mark for mark in marks if not is_image_mark(mark)]
    assert not is_image_mark("<image> of a cat")
