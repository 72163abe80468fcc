"""Token counts: exact, whatever the text."""

import sys

from hypothesis import given
from hypothesis import strategies as st

from pipeline.language.tokens import count_tokens, exceeds
from tests.support.tables import table

# Made with tiktoken 0.14 over the published o200k_base, whose vocabulary has the SHA-256 that tiktoken expects.
KNOWN = {
    "": 0,
    "hello world": 2,
    "tiktoken is great!": 6,
    "2 + 2 = 4": 7,
    "antidisestablishmentarianism": 6,
    "お誕生日おめでとう": 8,
    "Zażółć gęślą jaźń": 11,
    "\r\n\r\n": 1,
    "It's 12345.67 zł\t—  we'LL see\n\n  def f(x):\n\treturn x": 22,
}


@table(("text", "tokens"), KNOWN.items())
def test_counts_are_those_of_the_published_vocabulary(text: str, tokens: int) -> None:
    """English, Polish, Japanese, numbers and white space."""
    assert count_tokens(text) == tokens


@table(("text", "tokens"), [("<|endoftext|>", 7), ("<|endofprompt|>", 7), ("hello <|endoftext|>", 8)])
def test_what_looks_like_a_special_token_is_text(text: str, tokens: int) -> None:
    """Somebody may have talked about it; it neither raises nor counts as one."""
    assert count_tokens(text) == tokens


def test_a_lone_surrogate_counts_as_its_replacement() -> None:
    """A pair of them is the character it stands for."""
    assert count_tokens("a\ud83d\ude00b") == count_tokens("a\U0001f600b")
    assert count_tokens("a\udfffb") == count_tokens("a\N{REPLACEMENT CHARACTER}b")


def test_a_text_may_be_longer_than_any_context() -> None:
    """A pasted log of millions of characters and of more than 200,000 tokens."""
    assert count_tokens("word " * 300_000) == 300_001


@given(st.text(st.characters(), max_size=200), st.text(st.characters(), max_size=200))
def test_any_text_has_a_count(one: str, other: str) -> None:
    """At most a token for each byte; two lines apart cost what they cost together."""
    text = one.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")

    assert 0 <= count_tokens(one) <= len(text.encode())
    assert count_tokens(f"x{one}\nA{other}") == count_tokens(f"x{one}\n") + count_tokens(f"A{other}")


LONG = st.text("ab \n•密", max_size=2_000) | st.integers(0, 3_000).map("word ".__mul__)


@given(st.text() | LONG, st.integers(0, 300))
def test_whether_it_has_more(text: str, most: int) -> None:
    """The same as by a count, also where the beginning alone decides it."""
    assert (count_tokens(text) > most) == exceeds(text, most)


def test_the_vocabularies_of_other_models_are_not_read() -> None:
    """The package reads them when it is imported."""
    assert 2 == count_tokens("hello world")
    assert "bpe_openai" not in sys.modules
