"""`memory correct`: a person at a terminal gives an entry other words."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.processes.command_line import CommandLine, Said
from tests.support.processes.terminal import at_keyboard

TRUCK = "REMEMBER-20260202"
OLD, NEW = "septic truck comes every second tuesday", "The septic truck comes every first thursday."


def corrected(memory: CommandLine, root: Path, *words: object, typed: str = "correct\n", **variables: str) -> Said:
    """Run the command with what is typed."""
    return at_keyboard(memory, typed, "correct", *words, "--workspace", root, **variables)


def test_the_new_words_are_what_every_command_shows(
    judged: Path, call: Callable[..., Said], memory: CommandLine
) -> None:
    """The old ones are in the story and in what was said alone, and an undo brings them back."""
    said = corrected(memory, judged, TRUCK, NEW)
    assert (0, True) == (said.code, "Type correct to give it the new words: " in said.err), said
    assert f"- the {OLD}" in said.out.casefold()
    active = call("show", "entries", "--status", "active", "--json", "--workspace", judged).records
    assert [NEW] == [one["conclusion"] for one in active if one["kind"] == "remember"]
    for words in (OLD, NEW):
        hits = call("search", words, "--workspace", judged).out.partition("Said:")[0]
        assert (True, False) == (NEW in hits, OLD in hits), words
    assert NEW in call("recall", "septic truck", "--workspace", judged).out
    assert OLD not in call("recall", "septic truck", "--workspace", judged).out
    story = call("show", "story", TRUCK + "-the-septic-truck-comes-every-first-thursday", "--workspace", judged).out
    assert all(words in story.casefold() for words in (OLD, NEW.casefold(), "corrects"))
    undone = memory("undo", said.out.split()[-1], "--workspace", judged)
    assert 0 == undone.code, undone
    assert OLD in call("search", "septic truck", "--workspace", judged).out.partition("Said:")[0]


def test_words_of_a_file_and_json(filled: Path, memory: CommandLine) -> None:
    """One object on stdout, and what is asked beside it."""
    words = filled / "words.txt"
    words.write_text(f"{NEW}\n")
    said = corrected(memory, filled, TRUCK, "--from-file", words, "--title", "The truck", "--json")
    [report] = said.records
    assert (NEW, False, 0) == (report["conclusion"], report["left"], said.code)
    assert report["id"].endswith("-the-truck")
    assert f"memory undo {report['run_id']}" == report["undo"]


REFUSED = [
    ((TRUCK, ""), 2, "there is nothing in the words"),
    ((TRUCK, NEW, "--from-file", "-"), 2, "not both"),
    (("REMEMBER-2020", NEW), 2, "There is no entry"),
    (("R", NEW), 2, "More than one"),
    ((TRUCK, "the code is sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789"), 2, "a secret in the words"),
]


@pytest.mark.parametrize(("words", "code", "why"), REFUSED)
def test_refusals_are_sentences(filled: Path, memory: CommandLine, words: tuple[str, ...], code: int, why: str) -> None:
    """Before anything is asked, and nothing is written."""
    before = (filled / "memory" / "2026-02-02.md").read_bytes()
    said = corrected(memory, filled, *words, typed="")
    assert (code, True) == (said.code, why in said.err), said
    assert before == (filled / "memory" / "2026-02-02.md").read_bytes()


def test_no_agent_and_no_pipe_corrects(filled: Path, memory: CommandLine) -> None:
    """As for a suggestion, and another word than `correct` is none."""
    before = (filled / "memory" / "2026-02-02.md").read_bytes()
    assert 77 == corrected(memory, filled, TRUCK, NEW, CLAUDECODE="1").code
    assert 77 == memory("correct", TRUCK, NEW, "--workspace", filled, typed="correct\n").code
    assert 1 == corrected(memory, filled, TRUCK, NEW, typed="yes\n").code
    assert before == (filled / "memory" / "2026-02-02.md").read_bytes()
