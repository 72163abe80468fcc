"""The two scripts of Chinese."""

from hypothesis import given
from hypothesis import strategies as st

from jobs.resolution import change_words as wording
from pipeline.language import text
from pipeline.language.chinese import simplified, simplified_in_talk

CHARACTERS = st.text(st.characters(min_codepoint=0x3400, max_codepoint=0x9FFF))


@given(CHARACTERS)
def test_every_reader_of_talk_simplifies_alike(said: str) -> None:
    """What the extraction takes for a word is the same word to what compares entries."""
    assert text.fold(said) == wording.fold(said) == said.translate(simplified_in_talk())


@given(CHARACTERS)
def test_the_length_stays(said: str) -> None:
    """So places in the simplified text hold in the text itself."""
    assert len(said) == len(said.translate(simplified()))
