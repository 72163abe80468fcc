"""From a question to cited hits."""

import hashlib
from collections.abc import Mapping
from datetime import date
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pipeline.adapters.index.edge.store import EdgeVectors
from pipeline.adapters.index.tantivy.store import TantivyStore
from pipeline.errors import EmbedderUnavailable
from pipeline.index.schema import LAYOUT
from pipeline.ports.index import Vector
from schemas.entry import Kind
from schemas.hit import Answer, Reach
from schemas.requests import SearchRequest
from schemas.tier import Tier
from tests.support.ports.hashing_embedder import HashingEmbedder
from tests.support.ports.scripted_reranker import ScriptedReranker
from tests.support.tables import table
from tests.support.workspaces.indexed import Indexed, said

NEAR = (Tier.HOT, Tier.WARM)


@pytest.fixture(params=["memory", "disk"])
def bakery(request: pytest.FixtureRequest, tmp_path: Path) -> Indexed:
    """A workspace in three languages, on both engines."""
    made = Indexed(tmp_path / "ws")
    if request.param == "disk":
        made.store, made.vectors = TantivyStore(tmp_path / "words", LAYOUT), EdgeVectors(tmp_path / "vectors")
    made.remember(
        said("DECISION-20260220-lamp", "2026-02-20", "The brass lamp costs forty zloty"),
        said("RULE-20260221-kopie", "2026-02-21", "Kopie zapasowe robimy codziennie", kind=Kind.RULE),
        said("DECISION-20260222-log", "2026-02-22", "日志保留期改为九十天", confidence=0.5),
    )
    made.write("second-brain/research/lamps.md", "# Lamps\n\nTungsten filaments glow at 2700 kelvin.\n")
    made.index()
    return made


def _paths(answer: Answer) -> list[str]:
    return [hit.path for hit in answer.hits]


@table(
    ("question", "path"),
    [
        ("how much is the brass lamp", "memory/2026-02-20.md"),
        ("czy robimy kopie zapasowe", "memory/2026-02-21.md"),
        ("kopii zapasowych", "memory/2026-02-21.md"),
        ("日志保留多久", "memory/2026-02-22.md"),
        ("日誌保留期", "memory/2026-02-22.md"),
        ("at how many kelvin does tungsten glow", "second-brain/research/lamps.md"),
    ],
)
def test_the_first_hit_answers(bakery: Indexed, question: str, path: str) -> None:
    """In three languages, inflected, and in both Chinese scripts."""
    assert path == bakery.ask(question).hits[0].path


def test_a_hit_tells_all_that_it_takes_to_cite_it(bakery: Indexed) -> None:
    """Exactly the lines of the file, and why to doubt them."""
    hit = bakery.ask("日志保留").hits[0]
    lines = (bakery.root / hit.path).read_text(encoding="utf-8").split("\n")
    assert "\n".join(lines[hit.start_line - 1 : hit.end_line]) == hit.text
    assert hit.text.startswith("## Decision: ")
    assert "日志保留期改为九十天" == hit.snippet
    assert (date(2026, 2, 22), "decision", Tier.WARM) == (hit.date, hit.kind, hit.tier)
    assert ("active", "owner", 0.5, "confidence 0.5") == (hit.status, hit.trust, hit.confidence, hit.uncertain)
    assert ("日志保留",) == hit.terms
    assert [(hit.path, hit.start_line)] == [(place.path, place.start_line) for place in hit.places]


def test_warm_files_answer_first(bakery: Indexed) -> None:
    """When they have what was asked for, nothing else is looked at."""
    assert NEAR == bakery.ask(SearchRequest(query="brass lamp", k=1)).reached


def test_cold_files_are_asked_when_warm_ones_do_not_answer(bakery: Indexed) -> None:
    """A rare word of the question that no warm file has leads on, though others of its words stand there."""
    answer = bakery.ask(SearchRequest(query="brass lamp with a tungsten filament", k=1))
    assert (*NEAR, Tier.COLD, Tier.RESEARCH, Tier.ARCHIVE) == answer.reached


@table(
    "question",
    ["brass lamp originally", "why did we take the brass lamp", "brass lamp last year", "brass lamp in 2024"],
)
def test_a_question_that_reaches_back_is_asked_everywhere(bakery: Indexed, question: str) -> None:
    """Also when warm files would answer."""
    assert (*NEAR, Tier.COLD, Tier.RESEARCH, Tier.ARCHIVE) == bakery.ask(SearchRequest(query=question, k=1)).reached


@table(
    ("reach", "tiers"),
    [
        (Reach.WARM, NEAR),
        (Reach.COLD, (Tier.COLD, Tier.RESEARCH, Tier.ARCHIVE)),
        (Reach.ALL, (*NEAR, Tier.COLD, Tier.RESEARCH, Tier.ARCHIVE)),
    ],
)
def test_a_named_reach_is_kept(bakery: Indexed, reach: Reach, tiers: tuple[Tier, ...]) -> None:
    """Whether or not it answers."""
    answer = bakery.ask(SearchRequest(query="lamp tungsten", tier=reach))
    assert tiers == answer.reached
    assert {hit.tier for hit in answer.hits} <= set(tiers)


@table(
    ("limits", "paths"),
    [
        ({"kind": ("rule",)}, ["memory/2026-02-21.md"]),
        ({"since": date(2026, 2, 22)}, ["memory/2026-02-22.md"]),
        ({"until": date(2026, 2, 20)}, ["memory/2026-02-20.md"]),
        ({"since": date(2026, 2, 21), "until": date(2026, 2, 21)}, ["memory/2026-02-21.md"]),
        ({"agent": ("nobody",)}, []),
        ({"kind": ("note",)}, ["second-brain/research/lamps.md"]),
        ({"status": ("superseded",)}, []),
    ],
)
def test_limits_leave_out_what_is_not_wanted(bakery: Indexed, limits: Mapping[str, object], paths: list[str]) -> None:
    """What has no day is none of the days asked for."""
    everything = SearchRequest(query="lamp tungsten kopie zapasowe 日志保留")
    assert paths == _paths(bakery.ask(everything.model_copy(update=limits)))


def test_a_date_in_the_question_raises_what_was_said_then_and_leaves_nothing_out(tmp_path: Path) -> None:
    """Two days say the same words; the day that is named comes first."""
    made = Indexed(tmp_path)
    for day in ("2026-02-02", "2026-02-12", "2026-02-26"):
        made.write(f"memory/{day}.md", f"# {day}\n\n- the lamp was moved to shelf {day[-2:]}\n")
    made.index()
    answer = made.ask("where was the lamp on 12 February")
    assert "memory/2026-02-12.md" == answer.hits[0].path
    assert 3 == len(answer.hits)


def test_a_day_is_retrieved_however_many_other_days_say_more(tmp_path: Path) -> None:
    """The time that is named is looked through by itself."""
    made = Indexed(tmp_path)
    many = "".join(f"- lamp lamp number {number} of the lamp shop\n" for number in range(300))
    made.write("memory/2026-01-05.md", f"# 2026-01-05\n\n{many}")
    made.write("memory/2026-03-03.md", "# 2026-03-03\n\nToday I sold one lamp and closed early.\n")
    made.index()
    assert "memory/2026-03-03.md" in _paths(made.ask("what happened with the lamp yesterday"))


@table("question", ["", "   ", "?!", "\u200b", "\x00"])
def test_a_question_without_a_word_has_no_answer(bakery: Indexed, question: str) -> None:
    """And is told so."""
    answer = bakery.ask(question)
    assert () == answer.hits
    assert ("There is no word in the question to look for.",) == answer.notes


def test_a_question_of_stop_words_has_an_answer_all_the_same(bakery: Indexed) -> None:
    """It is asked with what it has."""
    bakery.ask("what is the of")


def test_a_long_question_is_cut(bakery: Indexed) -> None:
    """It says so, and answers."""
    answer = bakery.ask("brass lamp " * 10_000)
    assert answer.notes[0].startswith("Only the first 4,000 characters")
    assert answer.hits


def test_without_an_index_it_says_what_to_run(tmp_path: Path) -> None:
    """There are no hits, and no error."""
    answer = Indexed(tmp_path).ask("lamp")
    assert () == answer.hits
    assert ("There is no index yet; `memory doctor reindex` makes it.",) == answer.notes


def test_without_an_embedder_every_answer_says_so(bakery: Indexed) -> None:
    """It was found by words alone."""
    assert any("words alone" in note for note in bakery.ask("lamp").notes)


class _Broken(HashingEmbedder):
    def question(self, text: str) -> Vector:
        del text
        raise EmbedderUnavailable(self.name, "its server is down")


def test_an_embedder_that_fails_leaves_the_words(tmp_path: Path) -> None:
    """The note has its reason."""
    made = Indexed(tmp_path, embedder=HashingEmbedder()).write("memory/a.md", "the brass lamp\n")
    made.index()
    made.embedder = _Broken()
    answer = made.ask("lamp")
    assert ["memory/a.md"] == _paths(answer)
    assert any("its server is down" in note for note in answer.notes)


def test_vectors_of_another_embedder_are_not_compared(tmp_path: Path) -> None:
    """Nor are there any in an index of words alone; both are told."""
    made = Indexed(tmp_path).write("memory/a.md", "the brass lamp\n")
    made.index()
    made.embedder = HashingEmbedder(32)
    assert any("the index has no vectors" in note for note in made.ask("lamp").notes)
    made.index()
    made.embedder = HashingEmbedder(64)
    answer = made.ask("lamp")
    assert any("another embedder (hashing-32)" in note for note in answer.notes)
    assert ["memory/a.md"] == _paths(answer)


def test_meaning_finds_what_words_do_not(tmp_path: Path) -> None:
    """A word that shares only parts with that of the text is near enough by vectors."""
    made = Indexed(tmp_path, embedder=HashingEmbedder(256)).write("memory/a.md", "wanderlusting\n")
    made.write("memory/b.md", "quite another thing\n").index()
    answer = made.ask("wanderlusted")
    assert "memory/a.md" == answer.hits[0].path
    assert () == answer.notes


def test_the_same_question_has_the_same_answer(bakery: Indexed) -> None:
    """In the same order, however often it is asked."""
    first, second = (bakery.ask("lamp kopie 日志").hits for _ in range(2))
    assert first == second


def test_equal_scores_are_in_the_order_of_tier_and_day(tmp_path: Path) -> None:
    """The nearer tier first, then the newer day, then the path."""
    made = Indexed(tmp_path)
    for path in (
        "second-brain/research/z.md",
        "second-brain/research/a.md",
        "memory/2026-01-01.md",
        "memory/2026-01-02.md",
    ):
        made.write(path, "lamp\n")
    made.index()
    hits = made.ask(SearchRequest(query="lamp", tier=Reach.ALL)).hits
    assert [
        "memory/2026-01-02.md",
        "memory/2026-01-01.md",
        "second-brain/research/a.md",
        "second-brain/research/z.md",
    ] == [hit.path for hit in hits]
    assert sorted((hit.score for hit in hits), reverse=True) == [hit.score for hit in hits]


def test_a_reranker_has_the_last_word(bakery: Indexed) -> None:
    """It reads what was found, without what only machines read."""
    bakery.reranker = ScriptedReranker(judge=lambda _, text: float("Tungsten" in text))
    answer = bakery.ask(SearchRequest(query="lamp tungsten", rerank=True, tier=Reach.ALL))
    assert "second-brain/research/lamps.md" == answer.hits[0].path
    (question, texts) = bakery.reranker.asked[0]
    assert "lamp tungsten" == question
    assert not any("confidence" in text for text in texts)


class _NoReranker:
    name = "none"

    def scores(self, question: str, texts: object) -> list[float]:
        del question, texts
        raise EmbedderUnavailable(self.name, "it is not downloaded")


@pytest.mark.parametrize("reranker", [None, _NoReranker()])
def test_without_a_reranker_the_order_stays_and_a_note_says_so(bakery: Indexed, reranker: _NoReranker | None) -> None:
    """Whether none is configured or it cannot be had."""
    plain = bakery.ask("lamp tungsten")
    bakery.reranker = reranker
    asked = bakery.ask(SearchRequest(query="lamp tungsten", rerank=True))
    assert plain.hits == asked.hits
    assert len(plain.notes) + 1 == len(asked.notes)


def test_a_search_writes_nothing(bakery: Indexed) -> None:
    """The tree is the same, byte for byte."""
    before = _digest(bakery.root)
    bakery.ask("lamp kopie 日志 originally")
    assert before == _digest(bakery.root)


def _digest(root: Path) -> str:
    files = sorted(path for path in root.rglob("*") if path.is_file())
    lines = [f"{path.relative_to(root)} {hashlib.sha256(path.read_bytes()).hexdigest()}" for path in files]
    return "\n".join(lines)


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Indexed:
    """A workspace that is asked many odd questions."""
    made = Indexed(tmp_path_factory.mktemp("small"), embedder=HashingEmbedder())
    made.write("memory/2026-01-01.md", "# 2026-01-01\n\n- Anna: the lamp\n- Ola: 日志保留\n- Jan: kopie zapasowe\n")
    made.index()
    return made


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(text=st.text(st.characters(codec=None)), k=st.integers(1, 5), as_of=st.none() | st.dates())
def test_any_text_may_be_asked(small: Indexed, text: str, k: int, as_of: date | None) -> None:
    """On any day; there are never more hits than wanted, and no line comes twice."""
    answer = small.ask(SearchRequest(query=text, k=k, as_of=as_of))
    assert k >= len(answer.hits)
    lines = [(hit.path, line) for hit in answer.hits for line in range(hit.start_line, hit.end_line + 1)]
    assert len(set(lines)) == len(lines)
    answer.model_dump_json()
