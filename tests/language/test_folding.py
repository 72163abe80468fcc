"""What a text has in common with itself, typed another way."""

from hypothesis import given
from hypothesis import strategies as st

from pipeline.language.chinese import load_simplified_forms, simplified_in_talk
from pipeline.language.folding import flat, fold, remove_accents
from tests.support.tables import table

HAN = st.text(st.characters(min_codepoint=0x3400, max_codepoint=0x9FFF))


@given(HAN)
def test_every_reader_of_talk_simplifies_alike(said: str) -> None:
    """What the extraction takes for a word is the same word to what compares entries."""
    assert fold(said) == flat(said) == said.translate(simplified_in_talk())


@given(HAN)
def test_simplifying_keeps_the_length(said: str) -> None:
    """So places in the simplified text hold in the text itself."""
    assert len(said) == len(said.translate(load_simplified_forms()))


@given(st.text())
def test_folding_keeps_the_length(said: str) -> None:
    """Spans found in folded text hold in the text itself."""
    assert len(fold(said)) == len(said)


@given(st.text())
def test_flattening_twice_changes_nothing_more(said: str) -> None:
    """Accents, capitals and other forms of a character are gone after the first time."""
    assert flat(said) == flat(flat(said))


def test_folding_keeps_the_length_of_what_has_no_small_letter_of_one_character() -> None:
    """A dotted capital I, a ligature, and the apostrophe of typesetters."""
    assert fold("Zażółć GĘŚLĄ, 這個 İstanbul\u2019s ﬁ") == "zazolc gesla, 这个 istanbul's ﬁ"


def test_both_chinese_scripts_fold_to_one() -> None:
    """One table of cues serves both."""
    assert fold("決定這樣,以後一律不許") == "决定这样,以后一律不许"
    assert fold("記著每週歸納當地的顧慮") == "记着每周归纳当地的顾虑"


@table(
    ("typed", "meant"),
    [
        ("\uff11\uff14 天", "14 天"),
        ("do środy\u200b wieczorem", "do srody wieczorem"),
        ("s\u0301roda", "środa"),
        ("don\u2019t", "don't"),
        ("Smørrebrød", "smorrebrod"),
    ],
)
def test_what_looks_alike_is_one_when_texts_are_compared(typed: str, meant: str) -> None:
    """Full-width digits, characters without width, accents typed apart, other apostrophes, letters with a stroke."""
    assert flat(typed) == flat(meant)


def test_the_index_keeps_the_case_and_the_script() -> None:
    """It parts identifiers at their capitals, and simplifies a run of characters once it knows it for one."""
    assert remove_accents("zażółć userId 這個") == "zazolc userId 這個"
