"""Recalled facts as lines, within a budget."""

from datetime import date
from typing import Any

from pipeline.language.tokens import count_tokens
from pipeline.reports.compact_hits import fact_line, within
from schemas.reports.recall import Basis, RecalledFact
from tests.support.tables import table

FACT = RecalledFact(
    kind="opinion",
    timestamp=date(2026, 3, 2),
    range=None,
    entities=("Kuba",),
    content="Prefers concise replies.",
    source="memory/retain/2026-03-02.md#L2",
    confidence=0.7,
    status="active",
    holder="owner",
    trust="owner",
    id="f-31ab09cd",
    basis=Basis.SAID,
    sureness="likely",
)


def line(**changed: Any) -> str:  # noqa: ANN401 - fields of the fact
    """The line of the fact with other fields."""
    return fact_line(FACT.model_copy(update=changed).model_dump(mode="json"))


def test_a_fact_is_one_line() -> None:
    """Kind, day, entities and content, then how sure it is and where it stands."""
    assert "opinion 2026-03-02 Kuba: Prefers concise replies. [likely 0.70, memory/retain/2026-03-02.md#L2]" == line()
    assert line(sureness="").endswith(" [0.70, memory/retain/2026-03-02.md#L2]")
    assert line(entities=(), timestamp=None).startswith("opinion no date: Prefers")


@table(
    ("changed", "mark"),
    [
        ({"basis": Basis.ACCEPTED}, "[accepted, likely 0.70"),
        ({"basis": Basis.INFERRED}, "[inferred, likely 0.70"),
        ({"basis": Basis.UNKNOWN, "holder": "", "sureness": ""}, "[unverified, 0.70"),
        ({"holder": "agent"}, "[the agent says so, likely 0.70"),
        ({"status": "in_review"}, "[in_review, likely 0.70"),
    ],
)
def test_what_is_not_the_owners_plain_word_is_marked(changed: dict[str, Any], mark: str) -> None:
    """Before the number."""
    assert mark in line(**changed)


@table("budget", range(0, 130, 7))
def test_a_budget_holds_exactly_what_is_printed(budget: int) -> None:
    """One line more would be too much; the ends of lines count."""
    lines = [line(content=f"Prefers {thing}.") for thing in ("tea", "小王的茶", "concise replies", "x" * 50)]
    shown = within(lines, budget)
    size = [count_tokens("".join(f"{one}\n" for one in lines[:number])) for number in range(len(lines) + 1)]
    assert size[shown] <= budget
    assert shown == len(lines) or size[shown + 1] > budget


def test_without_a_budget_all_lines_are_shown() -> None:
    """However many there are."""
    assert 3 == within(["a"] * 3, None)
