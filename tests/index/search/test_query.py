"""A question as the index is asked it."""

from datetime import date

from hypothesis import given
from hypothesis import strategies as st

from pipeline.index.search.query import MOST_TERMS, analyse_query, encodable
from schemas.search_limits import LONGEST_QUERY
from tests.support.tables import table

TODAY = date(2026, 3, 4)


@table(
    "text",
    [
        "Why did we leave Postgres?",
        "what did I use originally",
        "jaki hosting był na początku",
        "czemu nie ma płatności przy odbiorze",
        "co ustaliłem w zeszłym roku",
        "去年我们用什么数据库",
        "为什么改掉了",
        "what did we decide in 2024",
        "what was decided on 2025-06-01",
    ],
)
def test_a_question_about_long_ago_reaches_back(text: str) -> None:
    """So does one that asks why, for reasons are found where things were talked about."""
    assert analyse_query(text, TODAY).reaches_back


@table("text", ["What did we decide yesterday?", "jaka jest stawka", "镜像 tag 用什么", "on 2026-03-01"])
def test_a_question_about_now_does_not_reach_back(text: str) -> None:
    """A recent day is near."""
    assert not analyse_query(text, TODAY).reaches_back


@table(
    "text",
    [
        "what price had I picked before the current one",
        "is it still that postgres table?",
        "ile było wcześniej",
        "a jaki był najpierw?",
        "以前是什么",
        "以前是什麼",
    ],
)
def test_a_question_may_be_after_what_held_before(text: str) -> None:
    """It is told by small words of three languages."""
    assert analyse_query(text, TODAY).after_old


@table("text", ["what does Moth cost", "ile kosztuje chleb", "多少钱"])
def test_a_plain_question_is_after_what_holds(text: str) -> None:
    """Nothing in it looks back."""
    assert not analyse_query(text, TODAY).after_old


def test_a_pasted_text_is_asked_as_far_as_it_counts() -> None:
    """100 kB are cut, and so are the terms."""
    asked = analyse_query(" ".join(f"word{number}" for number in range(20_000)), TODAY)
    assert asked.shortened
    assert LONGEST_QUERY >= len(asked.text)
    assert MOST_TERMS >= len(asked.weights)


def test_half_a_character_is_replaced() -> None:
    """Broken input has halves of pairs that nothing can encode."""
    assert "a\ufffdb😀" == encodable("a\ud800b😀")


@given(st.text(st.characters(codec=None)))
def test_any_text_is_a_question(text: str) -> None:
    """What it is asked with can be encoded."""
    asked = analyse_query(text, TODAY)
    asked.text.encode()
    "".join([*asked.weights, *asked.grams]).encode()
