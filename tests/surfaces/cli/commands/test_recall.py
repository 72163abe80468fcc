"""`memory recall`."""

from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from pipeline.language.tokens import count_tokens
from schemas.fact import FactKind
from tests.support.builders.facts import stated
from tests.support.processes.command_line import Said
from tests.support.tables import table
from tests.support.workspaces.retained import retain

WORDS_ALONE = {"MEMORY_EMBEDDER__KIND": "none"}
SHORT = stated("Prefers concise replies.", "Kuba", kind=FactKind.OPINION)
GDANSK = stated("Lives in Gdansk.", "Kuba", day=date(2026, 2, 1))
GDYNIA = stated("Lives in Gdynia.", "Kuba", day=date(2026, 3, 1), replaces=(GDANSK.id,))
FIELDS = [
    *("kind", "timestamp", "range", "entities", "content", "source", "confidence", "status", "holder", "trust", "id"),
    *("basis", "sureness", "project"),
]
Recall = Callable[..., Said]


@pytest.fixture
def known(filled: Path) -> Path:
    """The workspace with facts that the ledger knows, and one that it does not."""
    retain(filled, SHORT, GDANSK, GDYNIA)
    (filled / "memory" / "2026-03-03.md").write_text("## Retain\n- O @Kuba: Prefers long replies.\n", encoding="utf-8")
    return filled


@pytest.fixture
def recall(known: Path, call: Callable[..., Said]) -> Recall:
    """Recall something; what is printed."""
    return lambda *words: call("recall", "--workspace", known, *words, **WORDS_ALONE)


def records(said: Said) -> list[dict[str, Any]]:
    """The facts of `--json`."""
    assert said.code == 0, said.shown
    return said.records


def test_a_person_reads_what_is_known(recall: Recall) -> None:
    """A line for each fact, what nobody vouches for last; notes are on stderr."""
    said = recall("what does Kuba prefer", "--kind", "opinion")
    assert [
        "opinion 2026-03-02 Kuba: Prefers concise replies. [likely 0.70, memory/retain/2026-03-02.md#L2]",
        "opinion 2026-03-03 Kuba: Prefers long replies. [unverified, 0.50, memory/2026-03-03.md#L2]",
    ] == said.out.splitlines()
    assert "embedder" not in said.err


def test_a_program_gets_an_object_a_fact(recall: Recall) -> None:
    """With the fields that are promised, in their order."""
    (fact,) = records(recall("where", "does", "Kuba", "live", "--kind", "world", "--json"))
    assert FIELDS == list(fact)
    assert (GDYNIA.id, "Lives in Gdynia.", ["Kuba"]) == (fact["id"], fact["content"], fact["entities"])


def test_time_is_turned_back(recall: Recall) -> None:
    """What was replaced later holds."""
    (fact,) = records(recall("where does Kuba live", "--as-of", "2026-02-15", "--entity", "kuba", "--json"))
    assert (GDANSK.id, "active") == (fact["id"], fact["status"])


@table("options", [(), ("--json",)])
@table("budget", [1, 60, 120, 400])
def test_no_more_than_the_budget_is_printed(budget: int, options: tuple[str, ...], recall: Recall) -> None:
    """Tokens of what is printed are counted, and what has no room is counted on stderr."""
    whole, said = recall("Kuba replies", *options), recall("Kuba replies", "--budget", budget, *options)
    shown, all_lines = said.out.splitlines(), whole.out.splitlines()
    assert count_tokens(said.out) <= budget
    assert all_lines[: len(shown)] == shown
    assert (len(shown) < len(all_lines)) == (f"{len(all_lines) - len(shown)} more have no room" in said.err)


def test_what_is_known_of_an_entity_needs_no_question(recall: Recall) -> None:
    """The newest comes first; without any limit all is told."""
    assert ["2026-03-02", "2026-03-01", "2026-03-03"] == [
        fact["timestamp"] for fact in records(recall("--entity", "Kuba", "--json"))
    ]
    assert 1 == len(records(recall("--entity", "Kuba", "--until", "2026-03-01", "--json")))
    assert len(records(recall("--json"))) == len(recall().out.splitlines()) > 3


def test_days_ago(recall: Recall) -> None:
    """As many days as are named; unknown units are refused."""
    assert [] == records(recall("--entity", "Kuba", "--since", "1d", "--json"))
    assert 3 == len(records(recall("--entity", "Kuba", "--since", "9999d", "--json")))
    assert 2 == recall("x", "--since", "3h").code


def test_nothing_is_known(recall: Recall) -> None:
    """That is no error."""
    said = recall("zeppelin", "--entity", "nobody")
    assert (0, "", True) == (said.code, said.out, "Nothing is known of it." in said.err)


def test_a_search_for_an_unknown_name_says_where_names_are(known: Path, call: Callable[..., Said]) -> None:
    """No word of the question is to blame."""
    said = call("search", "peanuts", "--entity", "nobody", "--workspace", known)
    assert "Only what names nobody was looked through; `memory show entities` lists the names." in said.err


def test_a_search_is_narrowed_by_entity_and_kind(known: Path, call: Callable[..., Said]) -> None:
    """The same facts as hits."""
    limits = ("--entity", "kuba", "--kind", "opinion")
    said = call("search", "replies", *limits, "--json", "--workspace", known, **WORDS_ALONE)
    hits = said.records[0]["hits"]
    assert [("opinion", SHORT.id), ("opinion", "")] == [(hit["kind"], hit["fact_id"]) for hit in hits]
