"""What is far longer than a person types was pasted."""

from collections.abc import Sequence
from datetime import UTC, datetime

from pipeline.entries.authorship.scale import ENOUGH, TIMES, is_out_of_scale
from tests.support.ports.memory_source import conversation
from tests.support.tables import table

TYPED = [
    "ok",
    "no, the other one",
    "use port 8080 there",
    "zmień to na dziesięć",
    "用第二个方案",
]
PAGES = {
    "en": "The team keeps one queue for every service and reads it in order. " * 30,
    "pl": "Zespół trzyma jedną kolejkę na usługę i czyta ją po kolei. " * 30,
    "zh": "团队为每个服务保留一个队列并按顺序读取 " * 40,
}


def out_of_scale(text: str, earlier: Sequence[str]) -> bool:
    """Whether a text is, after earlier messages of the owner's and long answers to them."""
    turns = [turn for said in earlier for turn in (("owner", said), ("assistant", "x" * 9_000))]
    session = conversation("s", datetime(2026, 3, 3, tzinfo=UTC), [*turns, ("owner", text), ("owner", "x" * 9_000)])
    return is_out_of_scale(session.messages[-2], session)


@table("language", PAGES)
def test_a_page_among_lines_is_out_of_scale(language: str) -> None:
    """In a session in which the person types lines."""
    assert out_of_scale(PAGES[language], TYPED)


def test_what_a_person_types_is_not_known_from_a_few_messages() -> None:
    """A long first message is a person's brief."""
    assert not out_of_scale(PAGES["en"], TYPED[: ENOUGH - 1])


def test_a_person_of_many_words_may_use_them() -> None:
    """Against long messages a long one is in scale, and so is a short one always."""
    assert not out_of_scale(PAGES["en"], [PAGES["en"][: len(PAGES["en"]) // (TIMES - 1)]] * ENOUGH)
    assert not out_of_scale("x" * 1_499, TYPED)


def test_a_text_may_be_eight_times_as_long() -> None:
    """Less than that is in scale."""
    assert out_of_scale("x" * 1_600, ["x" * 200] * ENOUGH)
    assert not out_of_scale("x" * 1_600, ["x" * 201] * ENOUGH)
