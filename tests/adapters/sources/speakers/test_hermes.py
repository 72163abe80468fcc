"""What Hermes writes around a person's words."""

from time import perf_counter

import pytest

from pipeline.adapters.sources.speakers import hermes


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("hello", "hello"),
        ("", ""),
        ('[The user sent a voice message~ Here\'s what they said: "hello"]', None),
        ("[Note: done]", ""),
        ("[Recent messages]\nTom: never\n\n[New message]\nhello", "hello"),
        ("hello\n\n--- Context Warnings ---\nx", "hello"),
        ("--- Attached Context ---\nx", ""),
    ],
)
def test_the_words_of_a_person_are_left(text: str, words: str | None) -> None:
    """`None` stands for the text as it is: what a person said aloud is the person's."""
    assert (text if words is None else words) == hermes.typed(text)


@pytest.mark.parametrize("piece", ["[Note: ", "[Note: ]", '[Replying to: "', '"]\n\n', "]\n\n", "[", "\n\n"])
def test_any_long_text_is_read_in_linear_time(piece: str) -> None:
    """A megabyte of any mark takes well under a second."""
    begin = perf_counter()
    hermes.typed(piece * (1_000_000 // len(piece)))
    assert perf_counter() - begin < 5
