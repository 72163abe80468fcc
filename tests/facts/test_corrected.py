"""A fact that rests on the words of an entry follows it, on the pages of the bank too: its correction, and its end."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest

from jobs import entity_pages, micro_sync, reflect, retain
from pipeline.corrections.correct import correct, correction
from pipeline.corrections.undo import undo
from pipeline.engine.inputs import all_facts
from pipeline.reports.entries import list_entries
from schemas.entry import Status
from tests.support.ports.memory_source import conversation
from tests.support.workspaces.workbench import Workbench

AT = datetime(2026, 3, 2, 8, tzinfo=UTC)
SAID = "Remember that Peter lives in Warsaw."
NEW = "Peter lives in Gdynia."


def test_the_bank_shows_the_words_of_the_correction(new_bench: Callable[..., Workbench]) -> None:
    """In the same command, and the old ones again after the undo."""
    bench = new_bench(jobs=(micro_sync.JOB, retain.JOB, reflect.JOB))
    bench.say(conversation("s1", AT, [("owner", SAID), ("assistant", "Noted.")]))
    bench.clock.move(timedelta(days=2))
    bench.run_due()
    pages = {path: data for path, data in bench.pages().items() if path.startswith("bank/")}
    assert any(b"Warsaw" in data for data in pages.values()), bench.pages().keys()
    [entry] = [one.entry for one in list_entries(bench.engine) if one.status is Status.ACTIVE]
    run_id = correct(bench.engine, correction(bench.engine, entry.id, NEW))[0].run_id
    text = b"".join(data for path, data in bench.pages().items() if path.startswith("bank/"))
    assert (True, False) == (NEW.encode() in text, b"Warsaw" in text)

    undo(bench.engine, run_id)
    assert pages == {path: data for path, data in bench.pages().items() if path.startswith("bank/")}


def test_the_bank_leaves_out_what_a_person_archived(new_bench: Callable[..., Workbench]) -> None:
    """From the next run on; the fact itself stays, and can be forgotten."""
    bench = new_bench(jobs=(micro_sync.JOB, retain.JOB, reflect.JOB))
    bench.say(conversation("s1", AT, [("owner", SAID), ("assistant", "Noted.")]))
    bench.say(conversation("s2", AT, [("owner", "Remember that Ola is allergic to nuts."), ("assistant", "Noted.")]))
    bench.clock.move(timedelta(days=2))
    bench.run_due()
    shown = bench.pages()["bank/world.md"]
    assert (True, True) == (b"Warsaw" in shown, b"nuts" in shown)
    [path] = [path for path, data in bench.pages().items() if b"## Remember: Peter" in data]
    page = bench.pages()[path]
    start = page.index(b"## Remember: Peter")
    ended = page[:start] + page[start:].replace(b"status: active", b"status: archived", 1)
    (bench.root / path).write_bytes(ended)
    bench.run_due()
    shown = bench.pages()["bank/world.md"]
    assert (False, True) == (b"Warsaw" in shown, b"nuts" in shown)
    assert {"Peter lives in Warsaw", "Ola is allergic to nuts"} == {fact.text for fact in all_facts(bench.engine)}


CASES = {
    "en": ("Remember that Peter lives in Warsaw.", "Peter lives in Gdynia.", "Peter", "Warsaw", b"Warsaw"),
    "pl": ("Zapamiętaj, że Piotr mieszka w Warszawie.", "Piotr mieszka w Gdyni.", "Piotr", "Warszawa", b"Warszawie"),
    "zh": ("记住:小王住在上海。", "小王住在北京。", "小王", "上海", "上海".encode()),
}


@pytest.mark.parametrize("language", CASES)
def test_a_corrected_fact_is_about_what_its_words_name(new_bench: Callable[..., Workbench], language: str) -> None:
    """And no more about what they do not name: no page of an entity keeps it that is not in them."""
    said, words, kept, dropped, old = CASES[language]
    bench = new_bench(jobs=(micro_sync.JOB, retain.JOB, reflect.JOB, entity_pages.JOB))
    bench.say(conversation("s1", AT, [("owner", said), ("assistant", "Noted.")]))
    bench.clock.move(timedelta(days=2))
    bench.run_due()
    [entry] = [one.entry for one in list_entries(bench.engine) if one.status is Status.ACTIVE]
    correct(bench.engine, correction(bench.engine, entry.id, words))
    [fact] = all_facts(bench.engine)
    assert (words, True, False) == (fact.text, kept in fact.entities, dropped in fact.entities)
    holding = {path for path, data in bench.pages().items() if path.startswith("bank/") and words.encode() in data}
    assert {"bank/world.md", f"bank/entities/{kept}.md"} == holding
    assert old not in bench.pages()["bank/world.md"]
    history = bench.pages()[f"bank/entities/{kept}.md"].decode().partition("## No more")[2]
    assert f"(2026-03-02, corrected {bench.clock.now():%Y-%m-%d}; " in history
