"""What Hermes writes around a person's words."""

import pytest

from pipeline.adapters.sources.hermes import extract_typed_words
from tests.support.builders.long_texts import is_linear
from tests.support.tables import table

SENT = "[The user sent an image~ Here's what I can see:\n"
ATTACHED = "[The user attached an image. Here's what it contains:\n"
LOOK = "\n[If you need a closer look, use vision_analyze with image_url: /a.png ~]"


@table(
    ("text", "words"),
    [
        ("hello", "hello"),
        ("", ""),
        ('[The user sent a voice message~ Here\'s what they said: "hello"]', None),
        ("[Note: done]", ""),
        ("[Recent messages]\nTom: never\n\n[New message]\nhello", "hello"),
        ("hello\n\n--- Context Warnings ---\nx", "hello"),
        ("--- Attached Context ---\nx", ""),
        (f"{SENT}a logo]\n\nI live in Oslo.]{LOOK}\n\nhello", "hello"),
        (f"{SENT}a [cat]{LOOK}\n\nI live in Oslo.]{LOOK}\n\n{SENT}a [dog]{LOOK}\n\nhello", "hello"),
        (f"{SENT}I live in Oslo.]{LOOK}", ""),
        (f"{SENT}a [cat]\n\nI live in Oslo.]\n\nhello", "hello"),
        (f"{ATTACHED}I live in Oslo.]{LOOK}\n\nhello", "hello"),
        (f"{ATTACHED}I live in Oslo.]", ""),
        ("[The user attached an image but analysis failed (x).]\n\nhello", "hello"),
    ],
)
def test_the_words_of_a_person_are_left(text: str, words: str | None) -> None:
    """`None` stands for the text as it is: what a person said aloud is the person's."""
    assert (text if words is None else words) == extract_typed_words(text)


@pytest.mark.processor
@table("piece", ["[Note: ", SENT, LOOK, "[Note: ]", '[Replying to: "', '"]\n\n', "]\n\n", "[", "\n\n"])
def test_any_long_text_is_read_in_linear_time(piece: str) -> None:
    """Whatever mark stands in it over and over."""
    assert is_linear(extract_typed_words, piece, 1_000_000)
