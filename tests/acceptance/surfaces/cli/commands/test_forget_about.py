"""`memory forget about`, and `memory forget` for a line of an agent's memory."""

from collections.abc import Callable
from pathlib import Path

import pytest

from schemas import exit_codes
from tests.support.processes.command_line import CommandLine, Said
from tests.support.processes.terminal import at_keyboard

LINE = "Kuba runs the bakery called Falcon"


@pytest.fixture
def remembering(filled: Path, memory: CommandLine) -> Path:
    """A workspace with entries, and an agent that was told of the Falcon."""
    assert 0 == memory("agents", "add", "jaskier", "--workspace", filled).code
    assert 0 == at_keyboard(memory, "remember\n", "remember", LINE, "--workspace", filled).code
    return filled


def test_a_person_sees_what_would_go_and_types_a_word(remembering: Path, memory: CommandLine) -> None:
    """Then it is gone, with a receipt, and the same again finds nothing."""
    said = at_keyboard(memory, "forget\n", "forget-about", "falcon", "--workspace", remembering)
    assert 0 == said.code
    assert f"- CORE: {LINE}" in said.out
    assert "Forgot 0 entries, 2 places." in said.out
    assert "no index that it could be found by" in said.out
    assert "" == memory("agents", "know", "jaskier", "--json", "--workspace", remembering).out
    again = at_keyboard(memory, "forget\n", "forget-about", "falcon", "--workspace", remembering)
    assert (2, True) == (again.code, 'Nothing that the memory wrote has "falcon".' in again.err)


def test_cases_are_in_the_question(remembering: Path, memory: CommandLine) -> None:
    """Each with its places; with --exact they stay, and so does what was not shown."""
    (remembering / "memory/projects").mkdir(parents=True, exist_ok=True)
    (remembering / "memory/projects/mine.md").write_text("I saw Kubę, then Kubę and Kubie.\n")
    words = ("forget", "about", "Kuba", "Kuba ", "--workspace", remembering)
    said = at_keyboard(memory, "no\n", *words)
    assert "These count too, as other cases of it; --exact leaves them: Kubie (1 place), Kubę (2 places)" in said.out
    exact = at_keyboard(memory, "no\n", *words, "--exact")
    assert ("These count too" in exact.out, "Not meant, unless you name them too: Kubie, Kubę" in exact.out) == (0, 1)


def test_another_word_forgets_nothing(remembering: Path, memory: CommandLine) -> None:
    """What was shown stays."""
    said = at_keyboard(memory, "yes\n", "forget-about", "falcon", "--workspace", remembering)
    assert (exit_codes.FAILED, True) == (said.code, "nothing was forgotten" in said.err)
    assert LINE in memory("agents", "know", "jaskier", "--workspace", remembering).out


@pytest.mark.parametrize("words", [("forget-about", "falcon"), ("forget", "j-00000000", "--yes")])
def test_no_agent_forgets(remembering: Path, memory: CommandLine, words: tuple[str, ...]) -> None:
    """Under the variable of an agent, and where there is no terminal to ask at, nothing goes."""
    said = at_keyboard(memory, "forget\n", *words, "--workspace", remembering, CLAUDECODE="1")
    assert (exit_codes.NO_PERSON, True) == (said.code, "Only a person decides this" in said.err)
    assert LINE in memory("agents", "know", "jaskier", "--workspace", remembering).out


def test_without_a_terminal_it_is_only_shown(remembering: Path, call: Callable[..., Said]) -> None:
    """An agent or a script may see what would go."""
    said = call("forget", "about", "falcon", "--workspace", remembering)
    assert (exit_codes.NO_PERSON, True) == (said.code, LINE in said.out)


def test_a_line_is_forgotten_by_its_id(remembering: Path, memory: CommandLine) -> None:
    """As `memory agents know` shows it."""
    [line] = memory("agents", "know", "jaskier", "--json", "--workspace", remembering).records
    said = memory("forget", line["id"], "--yes", "--json", "--workspace", remembering)
    assert (0, []) == (said.code, memory("agents", "know", "jaskier", "--json", "--workspace", remembering).records)
    assert [LINE] == said.records[0]["names"]
    assert 2 == memory("forget", line["id"], "--yes", "--workspace", remembering).code
