"""`memory search`."""

import json
from collections.abc import Callable
from pathlib import Path
from time import process_time
from typing import Any

import pytest

from pipeline.language.tokens import count_tokens
from pipeline.store.opening import WorkspaceStore
from schemas.detail import DetailType, Placement
from schemas.store_settings import StoreSettings
from tests.support.builders.details import LOG, detail_of
from tests.support.processes.command_line import Said
from tests.support.tables import table

WORDS_ALONE = {"MEMORY_EMBEDDER__KIND": "none"}
NOTES = 60
LITTLE = 5.0
"""Seconds of a processor: a hundred times what the longest question takes, the first look at the files included."""
FIELDS = {
    *("path", "start_line", "end_line", "text", "snippet", "score", "date", "kind", "tier", "status", "confidence"),
    *("trust", "uncertain", "terms", "places"),
}
Ask = Callable[..., list[dict[str, Any]]]


ODD = (
    *("", " ", "\n\t", "the of and", "w i na", "的了", "?!.,:;", '"boat" (7) [pier] {x} \\ / * ~ ^ ||', "-boat"),
    *(
        "boat\x00\x01\x1b[31m\x7f",
        "boat \udcff",
        "AND OR NOT",
        "🛶",
        "a" * 100_000,
        "boat 7 " * 15_000,
        "%s{}$(x)`",
    ),
)
"""Questions that are no words, or very many."""


@pytest.fixture
def noted(filled: Path) -> Path:
    """The workspace with some notes of a person."""
    for number in range(NOTES):
        file = filled / "bank" / f"{number}.md"
        file.parent.mkdir(exist_ok=True)
        file.write_text(f"# Boat {number}\n\nBoat {number} is moored at pier {number % 7}.\n", encoding="utf-8")
    return filled


@pytest.fixture
def ask(noted: Path, call: Callable[..., Said]) -> Ask:
    """Ask with `--json`; what is printed."""

    def _ask(*words: object, lines: str = "") -> list[dict[str, Any]]:
        said = call("search", "--json", "--workspace", noted, *words, answer=lines, **WORDS_ALONE)
        assert said.code == 0, said.shown
        return said.records

    return _ask


def test_a_person_reads_where_it_stands(noted: Path, call: Callable[..., Said]) -> None:
    """A place that `memory show lines` takes, what is known of it, and the words; a question needs no quotes."""
    said = call("search", "septic", "truck", "--k", 1, "--workspace", noted, **WORDS_ALONE)
    place, snippet = said.out.splitlines()[:2]
    assert (0, True) == (said.code, place.startswith("1. memory/2026-02-02.md#L"))
    assert "remember, active, confidence " in place
    assert "septic truck" in snippet
    assert "embedder" not in said.err


def test_a_hit_has_all_that_it_takes_to_cite_it(ask: Ask, noted: Path) -> None:
    """Path and lines, exactly these as text, and the fields that are promised."""
    (answer,) = ask("septic truck")
    hit = answer["hits"][0]
    lines = (noted / hit["path"]).read_text(encoding="utf-8").splitlines()
    assert ("septic truck", True) == (answer["query"], set(hit) >= FIELDS)
    assert "\n".join(lines[hit["start_line"] - 1 : hit["end_line"]]) == hit["text"]
    assert (["septic", "truck"], "2026-02-02") == (sorted(hit["terms"]), hit["date"])


@table("k", [1, 6, 50])
def test_as_many_hits_as_are_wanted(k: int, ask: Ask) -> None:
    """Each place once, the best first, and the same order each time."""
    (answer,) = ask("boat moored at a pier", "--k", k)
    hits = answer["hits"]
    assert k == len(hits) == len({(hit["path"], hit["start_line"]) for hit in hits})
    assert sorted((hit["score"] for hit in hits), reverse=True) == [hit["score"] for hit in hits]
    assert hits == ask("boat moored at a pier", "--k", k)[0]["hits"]


@pytest.mark.parametrize("many", [NOTES + 10, pytest.param(1000, marks=pytest.mark.soak)])
def test_many_questions(many: int, ask: Ask) -> None:
    """One answer a line, in the order of the questions, each found."""
    asked = [f"boat {number % NOTES}" for number in range(many)]
    answers = ask("--stdin", "--k", 1, lines="".join(json.dumps({"query": name}) + "\n" for name in asked))
    assert asked == [answer["query"] for answer in answers]
    assert [f"bank/{number % NOTES}.md" for number in range(many)] == [record["hits"][0]["path"] for record in answers]


def test_options_of_a_line_win(ask: Ask) -> None:
    """Over those of the command, for that line alone."""
    lines = '{"query": "boat", "k": 2, "tier": "all"}\n\n{"query": "boat"}\n{"query": "boat", "until": "2020-01-01"}\n'
    assert [2, 4, 0] == [len(answer["hits"]) for answer in ask("--stdin", "--k", 4, lines=lines)]


BAD = [
    "no JSON",
    "[]",
    "null",
    "5",
    '"boat"',
    "{}",
    '{"query": 5}',
    '{"query": "boat", "k": 0}',
    '{"query": "boat", "k": 1001}',
    '{"query": "boat", "k": 1e999}',
    '{"query": "boat", "colour": "red"}',
    '{"query": "boat", "as_of": "soon"}',
    '{"query": "boat", "tier": "hot"}',
    "[" * 100_000,
    '{"query": "boat"',
]


def test_a_line_that_is_no_question(noted: Path, call: Callable[..., Said]) -> None:
    """It is answered with an error in its place, the others are answered, and the exit code is 2."""
    lines = "\n".join(f'{bad}\n{{"query": "boat 7"}}' for bad in BAD)
    said = call("search", "--stdin", "--json", "--workspace", noted, answer=lines, **WORDS_ALONE)
    bad, good = said.records[::2], said.records[1::2]
    assert (2, len(BAD), len(BAD)) == (said.code, len(bad), len(good))
    assert all(record["hits"] == [] and record["error"].startswith("this line is no question: ") for record in bad)
    assert {"bank/7.md"} == {record["hits"][0]["path"] for record in good}


@table("odd", ODD)
def test_odd_questions(odd: str, ask: Ask) -> None:
    """Any text is a question: it is answered, maybe with nothing and a note why."""
    (answer,) = ask("--", odd)
    assert answer["hits"] or answer["notes"]
    lines = json.dumps({"query": odd}) + "\n"
    assert answer["hits"] == ask("--stdin", lines=lines)[0]["hits"]


@pytest.mark.processor
@pytest.mark.parametrize("odd", ODD, ids=range(len(ODD)))
def test_an_odd_question_takes_little_work(odd: str, ask: Ask) -> None:
    """Whatever its length and its signs are."""
    before = process_time()
    ask("--", odd)
    assert process_time() - before < LITTLE


@table(
    ("words", "why"),
    [
        ((), "Say what to look for: either as words or with --stdin."),
        (("boat", "--stdin"), "Say what to look for: either as words or with --stdin."),
        (("boat", "--k", 0), "0 is not in the range 1<=x<=1000"),
        (("boat", "--since", "someday"), "'someday' is not a day such as 2026-02-20"),
        (("boat", "--tier", "lukewarm"), "'lukewarm' is not one of 'warm', 'cold', 'all'"),
    ],
)
def test_wrong_use(words: tuple[object, ...], why: str, noted: Path, call: Callable[..., Said]) -> None:
    """Exit code 2 and a sentence."""
    said = call("search", "--workspace", noted, *words, **WORDS_ALONE)
    assert (2, "", True) == (said.code, said.out, why in said.err), said.err


def test_an_empty_workspace(workspace: Path, call: Callable[..., Said]) -> None:
    """Nothing is found, and that is no error; nor is it wrong to ask before anything was indexed."""
    said = call("search", "boat", "--workspace", workspace, **WORDS_ALONE)
    assert (0, "Nothing was found.\n") == (said.code, said.out)


def test_an_embedder_that_is_set_up_wrongly_stops_no_search(noted: Path, call: Callable[..., Said]) -> None:
    """Words alone are compared, and the note says which setting is missing."""
    said = call("search", "--json", "--workspace", noted, "pier", MEMORY_EMBEDDER__KIND="openai")
    assert said.code == 0, said.shown
    assert said.records[0]["hits"]
    assert "embedder.model" in " ".join(said.records[0]["notes"])


def test_days_the_wrong_way_round_are_reported(noted: Path, call: Callable[..., Said]) -> None:
    """Nothing could lie between them."""
    said = call("search", "boat", "--since", "2026-03-01", "--until", "2026-02-01", "--workspace", noted)
    assert (2, True) == (said.code, "until: 2026-02-01 is before since, 2026-03-01" in said.err)


def test_a_budget_limits_what_is_printed(noted: Path, call: Callable[..., Said]) -> None:
    """One line of JSON of at most so many tokens; what had no room is counted."""
    said = call("search", "moored boat", "--budget", 200, "--k", 20, "--workspace", noted, **WORDS_ALONE)
    (answer,) = said.records
    assert (0, True) == (said.code, count_tokens(said.out.rstrip("\n")) <= 200)
    assert 20 == len(answer["hits"]) + answer["left_out"]
    assert all(hit["at"].startswith("bank/") and "moored" in hit["text"] for hit in answer["hits"])


def test_fields_are_those_that_are_named(noted: Path, call: Callable[..., Said]) -> None:
    """An unknown one is refused with the list of those there are."""
    said = call("search", "moored boat", "--fields", "kind, tier", "--k", 1, "--workspace", noted, **WORDS_ALONE)
    assert [["at", "kind", "tier"]] == [[*hit] for hit in said.records[0]["hits"]]
    refused = call("search", "boat", "--fields", "kind,colour", "--workspace", noted, **WORDS_ALONE)
    assert (2, True) == (refused.code, "no hit has colour; known are at, text, date" in refused.shown)


@table("option", [("--kind", "decision"), ("--status", "active"), ("--agent", "main"), ("--entity", "Anna")])
def test_talk_is_not_narrowed_as_the_memory_is(option: tuple[str, str], noted: Path, call: Callable[..., Said]) -> None:
    """A limit that it cannot obey is refused."""
    said = call("search", "walrus", "--tier", "said", *option, "--workspace", noted, **WORDS_ALONE)
    assert (2, True) == (said.code, "kind, status, agent and entity are for the memory alone" in said.shown)


def test_a_search_among_stored_texts_is_narrowed(ask: Ask, noted: Path, call: Callable[..., Said]) -> None:
    """To a session and to types; a kind that there is not, and a session elsewhere, get a sentence."""
    store = WorkspaceStore(noted, StoreSettings())
    keys = [
        detail_of(store, f"{LOG}walrus {thread}\n", type=type_, placement=Placement(thread_id=thread)).key
        for thread, type_ in (("a", DetailType.LOG), ("b", DetailType.JSON))
    ]
    store.close()

    def asked(*words: str) -> set[str]:
        (answer,) = ask("walrus", "--tier", "detail", *words)
        return {hit["path"].removeprefix("detail:") for hit in answer["hits"]}

    assert set(keys) == asked() == asked("--kind", "log", "--kind", "json")
    assert {keys[0]} == asked("--thread", "a") == asked("--kind", "log")
    assert set() == asked("--kind", "csv") | asked("--thread", "a", "--kind", "json")
    for words, sentence in (
        (("--tier", "detail", "--kind", "rule"), "no stored text (tier detail) is of the kind 'rule'; known are"),
        (("--kind", "json"), "'json' is for a search with tier detail."),
        (("--thread", "a"), "thread_id (--thread) is for stored texts alone: say tier detail with it"),
    ):
        refused = call("search", "walrus", *words, "--workspace", noted, **WORDS_ALONE)
        assert (2, True) == (refused.code, sentence in refused.shown.replace("\n", " ")), refused.shown
