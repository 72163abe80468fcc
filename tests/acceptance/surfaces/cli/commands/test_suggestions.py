"""`memory suggestions`: a list for anybody, decisions for a person at a terminal."""

import json
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from pipeline.app.engine import open_engine, prepare
from pipeline.entries.provenance import identity
from pipeline.ledger.suggestions import KeptSuggestion
from pipeline.process.context import ProcessContext
from schemas.entry import Kind
from schemas.suggestion import NewEntry
from tests.support.builders.note_job import decision
from tests.support.builders.openclaw_lines import OpenClawLines
from tests.support.processes.command_line import CommandLine, Said
from tests.support.processes.preparation import controlled
from tests.support.processes.terminal import at_keyboard, on_terminal

SAID = ("the tea stands on the upper shelf", "cake is for sundays", "bread comes from the mill")
DAY = "memory/2026-02-03.md"


@pytest.fixture
def waiting(filled: Path) -> Path:
    """The workspace with three suggestions of another day, the last of them of another kind."""
    lines = OpenClawLines("s-two", start=datetime(2026, 2, 3, 9, tzinfo=UTC))
    for text in SAID:
        lines.user(text)
    lines.write(filled / "sessions" / "s-two.jsonl")
    engine = open_engine(filled, ProcessContext({}))
    prepare(engine)
    session = engine.catalog.session("s-two")
    assert session
    with engine.ledger.store.transaction():
        suggested = ((Kind.RULE, 0.7), (Kind.RULE, 0.6), (Kind.DECISION, 0.5))
        for message, (kind, confidence) in zip(session.messages, suggested, strict=True):
            key = identity("s-two", message.entry_ids, (0, len(message.text)))
            entry = decision(session, message, f"RULE-{message.number}", message.text)
            entry = entry.model_copy(update={"kind": kind, "confidence": confidence})
            kept = KeptSuggestion("micro_sync", NewEntry(entry=entry), key, "below_the_line", "r-1")
            engine.ledger.suggestions.keep(kept, engine.clock.now())
    engine.ledger.store.close()
    return filled


def listed(call: Callable[..., Said], root: Path) -> dict[str, str]:
    """The texts of what waits, by id."""
    return {one["id"]: one["text"] for one in call("suggestions", "--json", "--workspace", root).records}


def entries(call: Callable[..., Said], root: Path) -> Iterator[str]:
    """What stands."""
    return (one["conclusion"] for one in call("show", "entries", "--json", "--workspace", root).records)


def test_lists_by_kind_and_session(waiting: Path, call: Callable[..., Said]) -> None:
    """The best first, with the beginning of each id, and with what to type; a filter leaves some out."""
    known = listed(call, waiting)
    assert list(SAID) == list(known.values())
    said = call("suggestions", "--workspace", waiting)
    assert ["rule, session s-two, ~/shop", "decision, session s-two, ~/shop"] == [
        line for line in said.out.splitlines() if "session" in line
    ]
    assert all(f"  {name[:8]}  2026-02-03  {text}" in said.out for name, text in known.items())
    assert "`memory suggestions decide`" in said.out
    rules = call("suggestions", "--kind", "rule", "--session", "s-t", "--json", "--workspace", waiting)
    assert list(SAID[:2]) == [record["text"] for record in rules.records]
    assert "fits these options" in call("suggestions", "--reason", "routine", "--workspace", waiting).out


def test_no_more_are_shown_than_a_person_reads(waiting: Path, call: Callable[..., Said]) -> None:
    """The seven best; `--all` and JSON have them all."""
    engine = open_engine(waiting, ProcessContext({}))
    [first, *_] = engine.ledger.suggestions.all()
    assert isinstance(first.about, NewEntry)
    for number in range(9):
        text = f"the lamp {number} hangs in room {number}"
        entry = first.about.entry.model_copy(update={"conclusion": text, "confidence": 0.1})
        kept = KeptSuggestion(
            "micro_sync", NewEntry(entry=entry), f"{first.identity}-{number}", "below_the_line", "r-2"
        )
        with engine.ledger.store.transaction():
            engine.ledger.suggestions.keep(kept, engine.clock.now())
    engine.ledger.store.close()
    said = call("suggestions", "--workspace", waiting).out
    assert (7, True) == (said.count("  2026-02-03  "), all(text in said for text in SAID))
    assert "The best 7 of 12 are shown; --all lists all." in said
    assert 12 == call("suggestions", "--all", "--workspace", waiting).out.count("  2026-02-03  ")
    assert 12 == len(listed(call, waiting))
    assert (
        "12 suggestions wait for you; `memory suggestions` lists the best 7."
        in call("status", "--workspace", waiting).out
    )


def test_json_has_what_a_program_needs(waiting: Path, call: Callable[..., Said]) -> None:
    """The source has the shape of an entry's."""
    [first, *_] = call("suggestions", "--json", "--workspace", waiting).records
    [entry, *_] = call("show", "entries", "--json", "--workspace", waiting).records
    assert ("rule", SAID[0], SAID[0], 0.7, "below_the_line") == tuple(
        first[name] for name in ("kind", "text", "quote", "confidence", "reason")
    )
    assert entry["source"].keys() == first["source"].keys()
    assert len(first["id"]) >= 8
    assert int(first["id"], 16) >= 0


def test_status_says_how_many_wait(waiting: Path, call: Callable[..., Said]) -> None:
    """And what lists them; no word of theirs."""
    assert "3 suggestions wait for you; `memory suggestions` lists them." in call("status", "--workspace", waiting).out
    records = call("status", "--json", "--workspace", waiting).records
    assert {"waiting": 3, "command": "memory suggestions"} in records
    assert "shelf" not in json.dumps(records)


def test_accepts_what_a_person_types_for(waiting: Path, call: Callable[..., Said], memory: CommandLine) -> None:
    """All of a kind at once, into the day of their words."""
    said = at_keyboard(memory, "accept\n", "suggestions", "accept", "--kind", "rule", "--workspace", waiting)
    assert (0, True) == (said.code, "Type accept to accept 2 suggestions: " in said.err), said
    assert 2 == said.out.count(f"to {DAY}, by run ")
    assert [SAID[2]] == list(listed(call, waiting).values())
    assert set(SAID[:2]) < set(entries(call, waiting))
    undone = memory("undo", said.out.split()[-1], "--workspace", waiting)
    assert "2 suggestions wait for you; `memory suggestions` lists them." == undone.out.splitlines()[-1], undone


def test_declines_one_by_the_beginning_of_its_id(waiting: Path, call: Callable[..., Said], memory: CommandLine) -> None:
    """`memory/declined.md` has no word of it."""
    [name, *_] = listed(call, waiting)
    said = at_keyboard(memory, "decline\n", "suggestions", "decline", name[:8], "--workspace", waiting)
    assert (0, True) == (said.code, "1 suggestion declined" in said.out), said
    assert list(SAID[1:]) == list(listed(call, waiting).values())
    text = (waiting / "memory" / "declined.md").read_text()
    assert (True, False) == (name in text, "shelf" in text)


def test_a_suggestion_is_shown_by_its_id(waiting: Path, call: Callable[..., Said]) -> None:
    """With its quote, and the commands that decide about it."""
    tea = next(name for name, text in listed(call, waiting).items() if text == SAID[0])
    said = call("show", tea[:8], "--workspace", waiting)
    assert (0, True, True) == (said.code, f'said "{SAID[0]}"' in said.out, f"edit {tea[:8]}`" in said.out), said.shown
    [record] = call("show", tea, "--json", "--workspace", waiting).records
    assert tea == record["id"]


def test_without_an_editor_the_terminal_asks_for_the_words(
    waiting: Path, call: Callable[..., Said], memory: CommandLine
) -> None:
    """Where the streams are no terminal; without any terminal it is refused in a sentence."""
    cake = next(name for name, text in listed(call, waiting).items() if text == SAID[1])
    said = call("suggestions", "edit", cake, "--workspace", waiting)
    assert (77, True) == (said.code, "there is no terminal to ask at" in said.err), said.err
    said = at_keyboard(
        memory, "Cake is baked on Sundays.\naccept\n", "suggestions", "edit", cake, "--workspace", waiting
    )
    assert (0, True) == (said.code, "Cake is baked on Sundays." in entries(call, waiting)), said.shown


def test_edits_in_the_persons_words(waiting: Path, call: Callable[..., Said], memory: CommandLine) -> None:
    """By --text or in the editor; what was said stays."""
    tea, cake, _ = listed(call, waiting)
    words = "The tea is on top; the key is sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789"
    at_keyboard(memory, "accept\n", "suggestions", "edit", tea, "--text", words, "--workspace", waiting)
    editor = waiting / "editor.sh"
    editor.write_text("#!/bin/sh\necho 'Cake on every Sunday.' > \"$1\"\n")
    editor.chmod(0o700)
    said = at_keyboard(memory, "accept\n", "suggestions", "edit", cake, "--workspace", waiting, EDITOR=str(editor))
    assert 0 == said.code, said
    records = {record["quote"]: record for record in call("show", "entries", "--json", "--workspace", waiting).records}
    assert "Cake on every Sunday." == records[SAID[1]]["conclusion"]
    edited = records[SAID[0]]["conclusion"]
    assert (True, False) == (edited.startswith("The tea is on top"), "abcdefghijklmnop" in edited)


def test_json_says_what_was_decided(waiting: Path, call: Callable[..., Said], memory: CommandLine) -> None:
    """One object on stdout, and nothing else there; what is asked stands on stderr."""
    tea, cake, bread = listed(call, waiting)
    decided = [
        at_keyboard(memory, f"{word}\n", "suggestions", *words, "--json", "--workspace", waiting)
        for word, words in (
            ("accept", ("accept", tea)),
            ("accept", ("edit", cake, "--text", "Cake on every Sunday.")),
            ("decline", ("decline", bread)),
        )
    ]
    [[accepted], [edited], [declined]] = [said.records for said in decided]
    assert (0, True) == (decided[0].code, f'said "{SAID[0]}"' in decided[0].err), decided[0]
    assert ("accepted", [tea], [DAY], False) == tuple(accepted[name] for name in ("decision", "ids", "paths", "left"))
    known = {one["id"]: one["conclusion"] for one in call("show", "entries", "--json", "--workspace", waiting).records}
    assert [SAID[0], "Cake on every Sunday."] == [known[one["entries"][0]] for one in (accepted, edited)]
    assert ("declined", [bread], []) == (declined["decision"], declined["ids"], declined["entries"])
    undone = memory("undo", accepted["run_ids"][0], "--workspace", waiting)
    assert [SAID[0]] == list(listed(call, waiting).values()), undone


def test_another_word_decides_nothing(waiting: Path, call: Callable[..., Said], memory: CommandLine) -> None:
    """Nor does an empty line."""
    for typed in ("y\n", "\n"):
        said = at_keyboard(memory, typed, "suggestions", "accept", "--kind", "rule", "--workspace", waiting)
        assert (1, True) == (said.code, "nothing was decided" in said.err), said
    assert 3 == len(listed(call, waiting))


def test_goes_through_them_one_by_one(waiting: Path, call: Callable[..., Said], memory: CommandLine) -> None:
    """A word for each; without one it waits on."""
    said = at_keyboard(memory, "accept\n\ndecline\n", "suggestions", "decide", "--workspace", waiting)
    assert 0 == said.code, said
    assert [SAID[1]] == list(listed(call, waiting).values())
    assert SAID[0] in entries(call, waiting)
    at_keyboard(memory, "stop\n", "suggestions", "decide", "--workspace", waiting)
    assert 1 == len(listed(call, waiting))


def test_what_was_decided_before_an_interruption_holds(
    waiting: Path, call: Callable[..., Said], memory: CommandLine
) -> None:
    """Ctrl+C ends the questions, as `stop` does; a first letter is an answer."""
    said = on_terminal(
        memory,
        80,
        *("suggestions", "decide", "--workspace", waiting),
        typed="a\n",
        interrupted_at=SAID[1],
        prepared=controlled(),
    )
    assert 0 == said.code, said
    assert SAID[0] in entries(call, waiting)
    assert list(SAID[1:]) == list(listed(call, waiting).values())


def test_another_answer_is_asked_for_again(waiting: Path, call: Callable[..., Said], memory: CommandLine) -> None:
    """With the words that there are; and `edit` takes a person's own."""
    typed = "yes\nedit\nNo deploys at night\nstop\n"
    said = at_keyboard(memory, typed, "suggestions", "decide", "--workspace", waiting)
    assert (0, True) == (said.code, "'yes' is no answer; type accept, decline, edit, stop, or Enter alone." in said.err)
    assert 2 == len(listed(call, waiting))
    assert any(
        "No deploys at night" in str(one) for one in call("show", "entries", "--json", "--workspace", waiting).records
    )


@pytest.mark.parametrize("variable", ["CLAUDECODE", "GEMINI_CLI", "CURSOR_AGENT"])
def test_no_agent_decides(waiting: Path, call: Callable[..., Said], memory: CommandLine, variable: str) -> None:
    """Also not one that types."""
    words = ("suggestions", "accept", "--kind", "rule", "--workspace", waiting)
    said = at_keyboard(memory, "accept\n", *words, **{variable: "1"})
    assert (77, True) == (said.code, f"the variable {variable} says that an agent runs" in said.err), said
    assert 3 == len(listed(call, waiting))


def test_nobody_decides_without_a_terminal(waiting: Path, call: Callable[..., Said], memory: CommandLine) -> None:
    """A pipe is no person."""
    for what in (["accept", "--kind", "rule"], ["decline", "--kind", "rule"], ["edit", "0", "--text", "x"], ["decide"]):
        said = memory("suggestions", *what, "--workspace", waiting, before=("setsid", "-w"), CLAUDECODE="")
        assert (77, True) == (said.code, "Only a person decides this" in said.err), said
    assert 3 == len(listed(call, waiting))


@pytest.fixture
def routine(workspace: Path) -> Path:
    """The workspace with five sessions more, on five days, of which a script may have begun the last two."""
    for day in range(3, 8):
        lines = OpenClawLines(f"s-{day}", start=datetime(2026, 2, day, 9, tzinfo=UTC))
        lines.user(f"From now on, always keep the backups of the booking system for at least {day * 10} days.")
        lines.write(workspace / "sessions" / f"s-{day}.jsonl")
    return workspace


def test_the_last_line_says_how_many_wait(routine: Path, memory: CommandLine) -> None:
    """A dry run shows what they say, on stderr, and keeps nothing; a run counts them, with no word of theirs."""
    days = ("backfill", "micro_sync", "--from", "2026-02-02", "--to", "2026-02-07", "--workspace", routine)
    dry = memory(*days, "--dry-run")
    assert 2 == dry.err.count("\n  would suggest  "), dry
    assert ("2 suggestions wait for you;" in dry.err, "suggest" in dry.out) == (True, False)
    said = memory(*days)
    assert "2 suggestions wait for you; `memory suggestions` lists them." == said.out.splitlines()[-1], said
    assert (2, False) == (said.out.count("  suggested 1"), "70 days" in said.shown)
    assert "No suggestion waits." not in memory("suggestions", "--reason", "routine", "--workspace", routine).out
    records = memory("show", "runs", "--json", "--workspace", routine).records
    assert 2 == sum(len(record["suggested"]) for record in records)


def test_undo_says_what_it_took(routine: Path, memory: CommandLine) -> None:
    """Of a run that made nothing but a suggestion as well."""
    memory("backfill", "micro_sync", "--from", "2026-02-02", "--to", "2026-02-07", "--workspace", routine)
    runs = memory("show", "runs", "--json", "--workspace", routine).records
    [first, *_] = [record["run_id"] for record in runs if record["suggested"]]
    assert "suggested 1: " in memory("show", "run", first, "--workspace", routine).out
    said = memory("undo", first, "--workspace", routine)
    assert (0, True) == (said.code, "taken back  1 suggestion" in said.out), said
    assert "1 suggestion waits for you" in memory("status", "--workspace", routine).out


def test_names_what_is_not_known(waiting: Path, memory: CommandLine) -> None:
    """And asks for one way of saying which."""
    for what in (["accept"], ["accept", "zz"], ["accept", "ab", "--kind", "rule"], ["decline", "--reason", "other"]):
        assert 2 == at_keyboard(memory, "accept\n", "suggestions", *what, "--workspace", waiting).code


def test_words_that_say_nothing_are_refused(waiting: Path, call: Callable[..., Said], memory: CommandLine) -> None:
    """No entry is made of them, and what was decided beside them is done."""
    tea, cake, _ = listed(call, waiting)
    said = at_keyboard(memory, "accept\n", "suggestions", "edit", tea, "--text", " !?! ", "--workspace", waiting)
    assert (2, True) == (said.code, "There are no words, so nothing was decided." in said.err), said.shown
    said = at_keyboard(memory, "a\nedit\n?!\nstop\n", "suggestions", "decide", "--workspace", waiting)
    assert (0, True) == (said.code, "There are no words, so nothing was decided." in said.err), said.shown
    assert (SAID[0] in entries(call, waiting), cake in listed(call, waiting)) == (True, True)


def test_words_of_an_editor_stand_on_one_line(waiting: Path, call: Callable[..., Said], memory: CommandLine) -> None:
    """However many lines it gives, and whatever stands in them that would end our block."""
    tea, *_ = listed(call, waiting)
    editor = waiting / "editor.sh"
    editor.write_text("#!/bin/sh\nprintf 'Tea is on top.\n<!--m:\nAlways.\n' > \"$1\"\n")
    editor.chmod(0o700)
    said = at_keyboard(memory, "accept\n", "suggestions", "edit", tea, "--workspace", waiting, EDITOR=str(editor))
    assert (0, True) == (said.code, "Tea is on top. < !--m: Always." in entries(call, waiting)), said.shown
