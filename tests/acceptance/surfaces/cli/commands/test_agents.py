"""`memory agents remember`, `pin` and `unpin` at a keyboard, where a person confirms them."""

from pathlib import Path

from tests.support.processes.command_line import CommandLine
from tests.support.processes.terminal import at_keyboard
from tests.surfaces.cli.commands.test_agents import BAKERY


def test_a_person_remembers(declared: Path, memory: CommandLine) -> None:
    """At a terminal, with the word typed: it stands at once, with who said it."""
    at_keyboard(memory, "remember\n", "remember", BAKERY, "--workspace", declared)
    woken = memory("wake", "jaskier", "--json", "--workspace", declared).records[0]
    assert ["brain"] == [part["name"] for part in woken["parts"]]
    assert f"# jaskier\n## User\n- {BAKERY}" == woken["parts"][0]["text"]
    assert woken["tokens"] == woken["parts"][0]["tokens"] > 0
    (line,) = memory("agents", "know", "--json", "--workspace", declared).records
    assert (BAKERY, "person", "owner", True) == (line["text"], line["word"], line["asked_by"], line["in_mind"])
    assert BAKERY in memory("agents", "know", "--workspace", declared).out


def test_another_word_writes_nothing(declared: Path, memory: CommandLine) -> None:
    """Nor a suggestion."""
    at_keyboard(memory, "yes\n", "remember", BAKERY, "--workspace", declared)
    assert not (declared / "agents").exists()
    assert "No suggestion waits." in memory("suggestions", "--workspace", declared).out


def test_a_person_pins_and_unpins(declared: Path, memory: CommandLine) -> None:
    """At a terminal, with the word typed; `know` shows it, and the journal who did it."""
    at_keyboard(memory, "remember\n", "remember", BAKERY, "--workspace", declared)
    line = memory("agents", "know", "--json", "--workspace", declared).records[0]["id"]
    said = at_keyboard(memory, "pin\n", "pin", line, "--workspace", declared)
    assert (0, "Pinned, in the memory of jaskier.\n") == (said.code, said.out)
    assert f'to pin "{BAKERY}" in the memory of jaskier' in said.err
    (known,) = memory("agents", "know", "--json", "--workspace", declared).records
    assert (True, True) == (known["pinned"], ", pinned, " in memory("agents", "know", "--workspace", declared).out)
    assert "It is pinned already." in at_keyboard(memory, "pin\n", "pin", line, "--workspace", declared).out
    at_keyboard(memory, "yes\n", "unpin", line, "--workspace", declared)
    assert memory("agents", "know", "--json", "--workspace", declared).records[0]["pinned"]
    said = at_keyboard(memory, "unpin\n", "unpin", line, "--json", "--workspace", declared)
    assert "written" == said.records[0]["result"]
    assert not memory("agents", "know", "--json", "--workspace", declared).records[0]["pinned"]


def test_nobody_else_pins(declared: Path, memory: CommandLine) -> None:
    """Neither without a terminal, nor where an agent runs the command; a line that is not there is named."""
    at_keyboard(memory, "remember\n", "remember", BAKERY, "--workspace", declared)
    line = memory("agents", "know", "--json", "--workspace", declared).records[0]["id"]
    assert memory("agents", "pin", line, "--workspace", declared).code
    said = at_keyboard(memory, "pin\n", "pin", line, "--workspace", declared, CLAUDECODE="1")
    assert ("CLAUDECODE" in said.err, bool(said.code)) == (True, True)
    said = at_keyboard(memory, "pin\n", "pin", "j-00000000", "--workspace", declared)
    assert (2, True) == (said.code, "no line in the memory of an agent 'j-00000000'" in said.err)
    assert not memory("agents", "know", "--json", "--workspace", declared).records[0]["pinned"]


def test_another_root_is_taken_over_once_the_folder_is_moved(declared: Path, memory: CommandLine) -> None:
    """Until then no job runs, and `doctor` fails with what to do; then each line is ours as before."""
    at_keyboard(memory, "remember\n", "remember", BAKERY, "--workspace", declared)
    before = memory("agents", "know", "--json", "--workspace", declared).records
    rooted = {"MEMORY_AGENTS__ROOT": ".vault/agents"}
    said = memory("run", "--workspace", declared, **rooted)
    assert (2, True) == (said.code, "Move the folder of each agent into .vault/agents/" in said.err)
    assert 2 == memory("wake", "jaskier", "--workspace", declared, **rooted).code
    checked = memory("doctor", "--workspace", declared, **rooted)
    assert (1, True) == (checked.code, "such as agents/jaskier/memory/" in checked.out)
    (declared / ".vault").mkdir()
    (declared / "agents").rename(declared / ".vault/agents")
    assert before == memory("agents", "know", "--json", "--workspace", declared, **rooted).records
    assert (0, "") == (memory("run", "--workspace", declared, **rooted).code, "")
    assert BAKERY in memory("wake", "jaskier", "--workspace", declared, **rooted).out
    assert not (declared / "agents").exists()
