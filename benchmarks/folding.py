"""`python -m benchmarks.folding`: rendering the bank from many facts, against parsing the lines of the same facts."""

from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from random import Random

from benchmarks.measuring import head, ratio, row
from jobs import entity_pages, reflect
from pipeline.facts.sections import parse_fact, render_fact
from pipeline.job import Answer, Inputs, Models, Run, Task
from schemas.fact import Fact, FactKind, FactWord
from schemas.window import Window

SIZES = (1_000, 10_000)
NOW = datetime(2026, 3, 4, 11, tzinfo=UTC)
_KINDS = (FactKind.WORLD, FactKind.WORLD, FactKind.OPINION, FactKind.EXPERIENCE)


def folding() -> None:
    """Both folds for each number of facts: the ratio stays, for the time grows with the facts and not faster."""
    for size in SIZES:
        facts = history(size)
        texts = [render_fact(fact) for fact in facts]
        for name, fold in (("reflect", reflect.run), ("entity_pages", entity_pages.run)):
            run = run_of(facts)
            times, mine, base = ratio(lambda: list(fold(run)), lambda: _parsed(texts))  # noqa: B023 - called at once
            figures = [f"{times:.1f} x the time", f"{mine:.2f} s to {base:.2f} s"]
            row(f"`{name}`, {size:,} facts", "parsing their lines", figures)


def history(size: int, chance: Random | None = None) -> list[Fact]:
    """Facts of some years about many names; every fourth one replaces, supports or contradicts an earlier one."""
    draw = chance or Random(7)  # noqa: S311 - a sample
    facts = list[Fact]()
    for number in range(size):
        relations = {}
        if facts and number % 4 == 0:
            relation = draw.choice(["replaces", "supports", "contradicts"])
            relations[relation] = (facts[draw.randrange(max(0, number - 200), number)].id,)
        day = date(2023, 1, 1) + timedelta(days=number * 1_000 // size)
        names = tuple(f"Name-{draw.randrange(size // 20)}" for _ in range(1 + number % 2))
        fact = Fact(
            id=f"f-{number:08x}",
            kind=_KINDS[number % len(_KINDS)],
            entities=names,
            text=f"{names[0]} keeps {number} boats in harbour number {draw.randrange(size)}.",
            word=FactWord.OWNER,
            quote=f"there are {number} boats",
            session_id="s1",
            numbers=(1, 2),
            day=day,
            path=f"memory/retain/{day}.md",
            line=number,
        )
        facts.append(Fact.model_validate(fact.model_dump() | relations))
    return facts


def run_of(facts: Sequence[Fact]) -> Run:
    """A run of a fold with these facts."""
    window, inputs = Window(start=NOW, end=NOW), Inputs(facts=tuple(facts))
    return Run("all", window, NOW.date(), NOW, Models(_offline), inputs)


def _offline(tasks: Sequence[Task[Answer]]) -> list[Answer]:
    return [task.offline() for task in tasks]


def _parsed(texts: Sequence[str]) -> list[Fact | None]:
    parse_fact.cache_clear()
    return [parse_fact(text, NOW.date(), name="f-00000000") for text in texts]


if __name__ == "__main__":
    head()
    folding()
