"""The words of a text: what is in them is told without a look at the text, and nothing that is in it is missed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.adapters.redaction.vocabulary import Stems, Vocabulary
from tests.support.tables import table

STEMS = ["pass", "key pad", "0#", "hasło", "密", "密码", "input", " type", "use ", "q"]
PARTS = st.sampled_from([*STEMS, " ", "\n", "x", "密令", "hasl", "İ", "\udcff"]) | st.text(max_size=9)
LONG = "of many other words\n" * 1_000


@given(st.lists(PARTS, max_size=12))
@pytest.mark.parametrize("more", ["", LONG, "构建" * 5_000], ids=["short", "long", "Chinese"])
def test_no_stem_is_missed(more: str, parts: list[str]) -> None:
    """In a short text, in a long one, and in one that has no blanks."""
    text = "".join(parts).lower() + more
    assert {stem for stem in STEMS if stem in text} <= set(Stems(STEMS).present(Vocabulary(text)))


@table("more", ["", LONG, "构建" * 5_000])
def test_what_is_not_there_is_not_looked_for(more: str) -> None:
    """A word may have to begin or to end where a stem does."""
    text = f"the passport, 密码 and an input\n{more}"
    assert ["pass", "密", "密码", "input"] == Stems(STEMS).present(Vocabulary(text))
