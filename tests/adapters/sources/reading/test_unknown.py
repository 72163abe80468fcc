"""Records of kinds that are not known: which of them hold words."""

import pytest

from pipeline.adapters.sources.reading.assembly import words_in
from tests.support.builders.long_texts import is_linear
from tests.support.tables import table

SAID = "Always deploy on Mondays, please."


@table(
    ("record", "words"),
    [
        ({"content": SAID}, [SAID]),
        ({"payload": {"role": "user", "parts": [{"text": SAID}]}}, [SAID]),
        ({"newName": SAID}, [SAID]),
        ({"content": "以后用"}, ["以后用"]),
        ({"newName": "以后都用这个工具"}, ["以后都用这个工具"]),
        ({"content": "claude-sonnet"}, []),
        ({"newName": "two words"}, []),
        ({"content": "<tag>said by the program</tag>"}, []),
        ({"content": "{a b} <c d>"}, []),
        ({"role": "tool", "content": SAID}, []),
        ({"type": "thinking", "content": SAID}, []),
        ({"usage": {"note": SAID}}, []),
    ],
)
def test_words_are_those_of_a_person_or_the_assistant(record: dict[str, object], words: list[str]) -> None:
    """A name, a number or a tag says nothing that could be lost."""
    assert words == words_in(record)


@pytest.mark.processor
@table("piece", ["a", "a<", " ", "a ", "<", "我<", "Zm9v"])
@table("name", ["content", "blob"])
def test_any_long_text_is_read_in_linear_time(name: str, piece: str) -> None:
    """A new kind of record may hold a picture, which is one word of megabytes."""
    assert is_linear(lambda text: words_in({name: text}), piece, 2_000_000)
