"""The two scripts of Chinese."""

from hypothesis import given
from hypothesis import strategies as st

from jobs.extraction import text
from jobs.resolution import wording
from pipeline.chinese import simplified, simplified_in_talk

CHARACTERS = st.text(st.characters(min_codepoint=0x3400, max_codepoint=0x9FFF))


@given(CHARACTERS)
def test_every_reader_of_talk_simplifies_alike(said: str) -> None:
    """What the extraction takes for a word is the same word to what compares entries."""
    assert text.fold(said) == wording.fold(said) == said.translate(simplified_in_talk())


@given(CHARACTERS)
def test_simplified_writing_stays(said: str) -> None:
    """What has been simplified is not changed again, and the length never is."""
    once = said.translate(simplified())

    assert len(said) == len(once)
    assert once == once.translate(simplified())
