"""Entries after a loss of the ledger: what their transcripts prove is ours again, and nothing else is."""

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from jobs.micro_sync import JOB
from pipeline.corrections.correct import correct, correction
from pipeline.corrections.forget import forget
from pipeline.doctor.entries import check_proofs
from pipeline.markdown.blocks import Block, seal_entry
from pipeline.markdown.entries import parse_entries
from pipeline.markdown.splice import replace_block
from pipeline.ports.engine import Question
from pipeline.reports.entries import list_entries
from pipeline.reports.entry_book import EntryBooks
from schemas.extraction import Candidate
from schemas.session_answer import SessionAnswer
from schemas.transcript import Session
from tests.support.ports.memory_source import conversation
from tests.support.ports.scripted_model import ScriptedModel
from tests.support.workspaces.workbench import Workbench

NewBench = Callable[..., Workbench]
MORNING = datetime(2026, 3, 2, 8, tzinfo=UTC)
DAY = "memory/2026-03-02.md"
DEPOSIT = "New rule: the deposit for guests is 20 percent."
RULE = "New rule: never write to guests before nine in the morning."
CHANGE = "New rule: the deposit for guests is 30 percent from now on, no longer 20 percent."


def said(*texts: str, session_id: str = "s1", start: datetime = MORNING) -> Session:
    """What the owner says, with an answer after each, a window apart."""
    turns = [turn for text in texts for turn in (("owner", text), ("assistant", "Noted."))]
    return conversation(session_id, start, turns, step=timedelta(hours=2), zone="Europe/Warsaw")


@pytest.fixture
def bench(new_bench: NewBench) -> Workbench:
    """Three entries of two sessions, of which the last replaces the first."""
    bench = new_bench(jobs=(JOB,))
    bench.say(said(DEPOSIT, RULE), said(CHANGE, session_id="s2", start=MORNING + timedelta(days=1)))
    bench.run_due()
    assert 3 == len(standing(bench))
    return bench


def lost(bench: Workbench) -> Workbench:
    """The same workspace in another process, after the ledger was lost; the next run has looked at it."""
    bench.engine.ledger.store.close()
    for file in (bench.root / ".memory").glob("state.db*"):
        file.unlink()
    again = bench.reopen()
    again.run_due()
    return again


def standing(bench: Workbench) -> list[tuple[str, str, float, str]]:
    """Each entry with its trust, its confidence and what holds of it."""
    return [
        (one.entry.id, one.entry.trust.value, one.entry.confidence, one.entry.conclusion)
        for one in list_entries(bench.engine)
    ]


def trusts(bench: Workbench) -> list[str]:
    """The trust of each entry, in the order of the files."""
    return [trust for _, trust, _, _ in standing(bench)]


def rewrite(bench: Workbench, path: str, change: Callable[[str], str]) -> None:
    """Change the first block of a file and seal it again, as any program can."""
    file = bench.root / path
    block = first_block(file.read_bytes())
    file.write_bytes(replace_block(file.read_bytes(), block, seal_entry(change(block.text))))


def first_block(data: bytes) -> Block:
    """The first entry of a file."""
    return parse_entries(data)[0][0]


def test_what_the_transcripts_prove_stands_as_before(bench: Workbench) -> None:
    """With its confidence, its links and what holds of it; no byte of the files changes."""
    before, pages = standing(bench), bench.pages()

    again = lost(bench)

    assert before == standing(again)
    assert pages == again.pages()
    assert [] == list(check_proofs(again.engine, EntryBooks().of(again.engine)))


def test_the_status_that_a_person_set_is_kept(bench: Workbench) -> None:
    """It is no part of what is proven."""
    file = bench.root / DAY
    file.write_bytes(file.read_bytes().replace(b"- status: active", b"- status: archived"))

    again = lost(bench)

    assert {"owner"} == set(trusts(again))
    assert "archived" in {one.status.value for one in list_entries(again.engine)}


@pytest.mark.parametrize(
    "change",
    [
        lambda text: re.sub(r"(- conclusion: ).*", r"\1guests pay nothing", text),
        lambda text: re.sub(r"\A## .*", "## Decision: guests pay nothing", text),
        lambda text: re.sub(r"(- confidence: ).*", r"\g<1>0.99", text),
        lambda text: re.sub(r"(- id: \S+)", r"\1-again", text),
        lambda text: re.sub(r"(- why: ).*", r"\1an agent says so", text),
        lambda text: re.sub(r"- supersedes:.*", "- supersedes: RULE-20260302-never-write-to-guests-before-nine", text),
        lambda text: re.sub(r"(- refs:.*)", r"\1 https://elsewhere.example", text),
    ],
    ids=["conclusion", "title", "confidence", "id", "why", "supersedes", "refs"],
)
def test_a_block_with_a_true_quote_and_a_right_check_is_not_ours(
    bench: Workbench, change: Callable[[str], str]
) -> None:
    """Whatever word of it is another one: the quote is believed, and no more; the others are ours."""
    rewrite(bench, DAY, change)

    again = lost(bench)

    assert ["owner", "owner", "quoted"] == sorted(trusts(again))
    assert max(confidence for _, trust, confidence, _ in standing(again) if trust == "quoted") <= 0.5


def test_an_appended_copy_with_other_words_is_not_ours(bench: Workbench) -> None:
    """The entry beside it is, as before the loss."""
    file = bench.root / DAY
    block = first_block(file.read_bytes())
    forged = re.sub(r"(- conclusion: ).*", r"\1guests pay nothing", block.text)
    file.write_bytes(file.read_bytes() + b"\n" + seal_entry(forged).encode())
    before = standing(bench)

    again = lost(bench)

    assert before == standing(again)


def test_without_its_transcript_nothing_proves_an_entry(bench: Workbench) -> None:
    """The doctor says so, with what to do next; when the transcript is back, its mending gives the standing back."""
    before, session = standing(bench), said(DEPOSIT, RULE)
    bench.source.remove("s1.jsonl")

    again = lost(bench)

    assert ["unverified", "unverified", "owner"] == trusts(again)
    [check] = check_proofs(again.engine, EntryBooks().of(again.engine))
    assert "nothing proves that 2 entries" in check.message
    assert "state.db" in check.advice
    again.say(session)
    again.engine.catalog.refresh()
    [check] = check_proofs(again.engine, EntryBooks().of(again.engine))
    assert check.mend
    assert "the transcripts prove 2 of them; the others stay as they are" == check.mend()
    assert before == standing(again)
    assert [] == list(check_proofs(again.engine, EntryBooks().of(again.engine)))


def test_what_a_model_worded_is_not_proven(new_bench: NewBench) -> None:
    """Its words cannot be had again without asking; a person makes them theirs."""

    def answer(question: Question) -> SessionAnswer:
        del question
        quoted = Candidate.model_validate(
            {
                "kind": "decision",
                "title": "Deposit of guests",
                "quote": DEPOSIT,
                "quote_number": 1,
                "conclusion": "The deposit for guests is 20 percent",
                "confidence": 0.9,
                "confirmation": "stated",
            }
        )
        return SessionAnswer(candidates=(quoted,))

    bench = new_bench(jobs=(JOB,), model=ScriptedModel(answer))
    bench.say(said(DEPOSIT))
    bench.run_due()
    assert ["owner"] == trusts(bench)

    again = lost(bench)

    [(entry_id, trust, confidence, words)] = standing(again)
    assert ("quoted", 0.5) == (trust, confidence)
    [check] = check_proofs(again.engine, EntryBooks().of(again.engine))
    assert "`memory correct ID`" in check.advice
    correct(again.engine, correction(again.engine, entry_id, words))
    assert ("owner", 1.0, words) == standing(again)[-1][1:]
    assert [] == list(check_proofs(again.engine, EntryBooks().of(again.engine)))


def test_what_was_forgotten_is_not_proven(bench: Workbench) -> None:
    """Not even where its block is put back; the others stand as before, also the one that had replaced it."""
    old = (bench.root / DAY).read_bytes()
    [gone] = [one for one, _, _, words in standing(bench) if "20 percent" in words and "30" not in words]
    forget(bench.engine, gone)
    kept = (bench.root / DAY).read_bytes()
    assert gone.encode() not in kept

    again = lost(bench)

    assert ["owner"] * 2 == trusts(again)
    (again.root / DAY).write_bytes(old)
    after = lost(again)
    assert gone not in {one for one, trust, _, _ in standing(after) if trust != "unverified"}


def test_the_proof_writes_nothing_and_asks_nobody(bench: Workbench) -> None:
    """A model that is set is not asked about what was written."""

    def refuse(question: Question) -> SessionAnswer:
        raise AssertionError(question.name)

    pages = bench.pages()

    again = lost(replace(bench, model=ScriptedModel(refuse)))

    assert pages == again.pages()
