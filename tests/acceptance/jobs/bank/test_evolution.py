"""A page over many rounds of facts: what is new is on it, what was replaced is not current, and the rest stays.

Twins, in Polish and Chinese, of two cases of the corpus `document_evolution` of Hindsight. A model words the summaries
well, badly in every way there is, or not at all.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import cycle

import pytest

from pipeline.facts.names import front_of
from pipeline.markdown.blocks import find_blocks
from pipeline.markdown.items import persons_part
from schemas.judgement import SummaryEdits, SummaryQuestion
from tests.support.builders.fact_bench import fact, fact_bench, retain
from tests.support.builders.summary_models import BAD, Wording, edits, keep, put, well, worded_by
from tests.support.ports.scripted_model import ScriptedModel
from tests.support.workspaces.workbench import Workbench

START = date(2026, 1, 5)
CHANGING = ("times", "summary")


@dataclass(frozen=True)
class EvolutionCase:
    """A page of an entity with a person's text, and rounds: a new fact, and the words of the one that it replaces."""

    name: str
    text: str
    rounds: tuple[tuple[str, str], ...]


PLAYBOOK = EvolutionCase(
    "Wdrożenie",
    "## Role\n\nKażdy nowy inżynier dostaje opiekuna na pierwsze dwa tygodnie.\n\n> Plan należy do kierownika.\n",
    (
        (
            "Opiekuna wyznacza lider zespołu tydzień przed startem nowej osoby.",
            "Opiekun jest wyznaczany pierwszego dnia.",
        ),
        (
            "Laptopa przygotowuje dział IT przed startem, więc pierwszy dzień zaczyna się od dostępu do repozytorium.",
            "Pierwszy dzień schodzi na konfigurację laptopa.",
        ),
        ("Do lektur pierwszego tygodnia doszedł podręcznik dyżurnego.", ""),
        ("Pierwsze wdrożenie na produkcję inżynier robi w parze z opiekunem.", ""),
        (
            "Kierownik rozmawia z nową osobą raz, pod koniec drugiego tygodnia.",
            "Kierownik rozmawia z nową osobą co tydzień.",
        ),
    ),
)
RELEASE = EvolutionCase(
    "发布手册",
    "## 环境\n\n| 环境 | 区域 |\n|---|---|\n| 预发 | eu-west-1 |\n| 生产 | eu-west-1\n\n权限找平台组  \n在频道里问。\n",
    (
        ("发布改到每周三。", "每周二发布。"),
        ("签字现在需要值班工程师和发布经理两个人。", "签字只需要值班工程师。"),
        ("清单里加了回滚演练,在签字之前做。", ""),
        ("冒烟测试现在在 CI 里自动跑。", "冒烟测试是手动跑的。"),
        ("回滚演练没通过的发布会被挡住,直到演练通过。", ""),
    ),
)


def blocks(data: bytes) -> dict[str, bytes]:
    """The blocks of a page with their bytes."""
    return {block.name: data[block.start : block.end] for block in find_blocks(data)}


def current(data: bytes) -> list[str]:
    """The lines of ours that hold now."""
    now, _, _ = data.decode().partition("## No more")
    return [line for line in now.splitlines() if "<!-- memory:" in line]


def in_turn(*wordings: Wording) -> Wording:
    """One way of wording after the other."""
    turns = cycle(wordings)

    def wording(question: SummaryQuestion) -> SummaryEdits | str:
        return next(turns)(question)

    return wording


def old_words(case: EvolutionCase) -> Wording:
    """Says what was replaced, under the ids of the facts that hold, and keeps all that stands."""
    old = [words for _, words in case.rounds if words]
    return lambda question: edits(
        *(keep(one.id) for one in question.sentences),
        *(put(words, fact.id) for words, fact in zip(cycle(old), question.facts, strict=False)),
    )


def models(case: EvolutionCase) -> dict[str, ScriptedModel | None]:
    """No model, one that words well, one that words badly, and one that does both in turn."""
    bad = [old_words(case), *BAD.values()]
    return {
        "none": None,
        "good": worded_by(well),
        "bad": worded_by(in_turn(*bad)),
        "moody": worded_by(in_turn(well, *bad[::5], well, *bad[1::5], well, *bad[2::5])),
        "lost": ScriptedModel.failing(),
    }


def summary_of(data: bytes) -> list[str]:
    """The sentences of the summary of a page, without the facts behind them."""
    text = "".join(block.text for block in find_blocks(data) if block.name == "summary")
    return [part.rpartition(") ")[2] for part in text.split(" ([f-")[:-1]]


@pytest.mark.parametrize("model", ["none", "good", "bad", "moody", "lost"])
@pytest.mark.parametrize("case", [PLAYBOOK, RELEASE], ids=lambda case: str(case.name))
def test_a_page_survives_its_rounds(new_bench: Callable[..., Workbench], case: EvolutionCase, model: str) -> None:
    """All that was asserted is there, nothing replaced is current or lost, and no other block changes a byte."""
    bench = fact_bench(new_bench, model=models(case)[model])
    page = bench.root / "bank" / "entities" / f"{case.name}.md"
    page.parent.mkdir(parents=True)
    seed = front_of(case.name, []) + case.text
    page.write_text(seed)
    old = {words: fact(words, case.name, day=START) for _, words in case.rounds if words}
    retain(bench, *old.values())
    asserted, replaced, sentences = list[str](), list[str](), list[str]()
    for number, (words, before) in enumerate(case.rounds, 1):
        stood = blocks(page.read_bytes())
        replaces = (old[before].id,) if before else ()
        retain(bench, fact(words, case.name, day=START + timedelta(days=number), replaces=replaces))
        data, asserted = page.read_bytes(), [*asserted, words]
        replaced += [before] if before else []
        untouched = [name for name in stood if name not in CHANGING and not name.startswith(replaces or ("-",))]
        assert {name: stood[name] for name in untouched} == {name: blocks(data).get(name) for name in untouched}
        assert [] == [one for one in asserted if not any(one in line for line in current(data))]
        assert [] == [one for one in replaced if any(one in line for line in current(data))]
        assert all(one in data.decode() for one in replaced)
        assert seed.strip() == persons_part(data).decode().strip()
        worded = summary_of(data)
        assert [] == [part for part in worded if part not in asserted and part not in old]
        if model == "good":
            assert [part for part in sentences if part != before] == worded[: len(sentences) - (before in sentences)]
            sentences = worded if b"(worded by a model" in data else []
    assert (b"(worded by a model" in page.read_bytes()) == (model in {"good", "moody"})
