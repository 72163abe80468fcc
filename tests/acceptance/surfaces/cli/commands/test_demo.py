"""`memory demo`."""

import json
import re
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

import pytest

import pipeline.demo
from pipeline.surfaces.cli.terminal.format import width
from pipeline.surfaces.cli.views.tour import QUESTIONS
from tests.support.processes.called_command import CalledCommand
from tests.support.processes.command_line import CommandLine, Said

NEXT = "Where to go from here"


def pages(root: Path) -> dict[str, bytes]:
    """Every file but what is derived."""
    return {
        str(file.relative_to(root)): file.read_bytes()
        for file in root.rglob("*")
        if file.is_file() and ".memory" not in file.parts and ".locks" not in file.parts
    }


@dataclass(frozen=True)
class Demo:
    """A demo, and the tour that the command printed."""

    root: Path
    tour: str

    def copied(self, folder: Path) -> Path:
        """A copy of its workspace in another folder."""
        bells = shutil.ignore_patterns("bell")  # a named pipe, which cannot be copied
        return shutil.copytree(self.root, folder / "demo-workspace", ignore=bells)


@pytest.fixture(scope="module")
def made(demo: Path, tmp_path_factory: pytest.TempPathFactory) -> Demo:
    """A copy of the demo that is only looked at."""
    tour = (demo.parent / "made").read_text(encoding="utf-8")
    copy = Demo(demo, tour).copied(tmp_path_factory.mktemp("demo"))
    return Demo(copy, tour.replace(str(demo), str(copy)))


def test_shows_what_was_written_and_left_out(made: Demo, call: Callable[..., Said]) -> None:
    """The tour shows an entry as it stands in its file, its words, and words that stand in no entry."""
    root = made.root
    assert (root / "memory.toml").read_text().startswith('timezone = "Europe/Warsaw"\n')
    shown = made.tour[made.tour.index("## ") : made.tour.index("From which words")].strip()
    assert any(shown in page.decode() for name, page in pages(root).items() if name.endswith(".md"))
    entries = call("show", "entries", "--json", "--workspace", root).records
    left_out = [json.loads(line.partition(": ")[2].rpartition(" (")[0]) for line in made.tour.splitlines()
                if line.startswith("  not written: ")]  # fmt: skip
    assert len(left_out) == 3
    assert not any(words in entry["quote"] for words in left_out for entry in entries)
    assert {entry["date"][:7] for entry in entries} == {"2026-03"}


def test_the_best_of_it_fits_a_screen(made: Demo, home: Path) -> None:
    """An entry with its quote and what it replaced, the page, a hit, an agent, what waits, and how to see all."""
    shown = CalledCommand(made.copied(home))("demo").out
    lines = shown.splitlines()
    assert (True, []) == (len(lines) <= 45, [line for line in lines if width(line) > 80 and str(home) not in line])
    for words in (
        "  you said   ",
        "  replaces   ",
        "\nMEMORY.md, ",
        "\nmemory search ",
        "knows when it wakes up",
        " waits for you",
    ):
        assert words in shown
    assert "  memory demo --all " in shown


def test_it_ends_with_a_person_and_a_belief_that_was_revised(made: Demo) -> None:
    """The page of an entity with what held before, and a fact with the day and the words that took its place."""
    shown = made.tour.partition("What is known of a person")[2].partition(NEXT)[0]
    page, _, belief = shown.partition("A belief that was revised")
    assert "  - Hania lives in Augustów now (since 2026-03-14;" in page
    assert "  - Hania lives in Suwałki (from 2026-03-03 until 2026-03-14; replaced by" in page
    assert ["said 2026-03-02", ", on 2026-03-13"] == re.findall(r"said 2026-03-02|, on 2026-03-13", belief)
    assert "<!--" not in shown


def test_half_of_the_page_for_agents_is_content(made: Demo) -> None:
    """What is no link, no comment and no mark of a list; an entry is one line, with little beside its text."""
    page = (made.root / "MEMORY.md").read_text(encoding="utf-8")
    bare = re.sub(r"(?m)^- | \(\[\d{4}-\d\d-\d\d\]\([^)]*\)\)|[ \t]*<!--.*?-->", "", page)
    assert len(bare) >= 0.48 * len(page)
    entries = [line for line in page.splitlines() if line.startswith("- ")]
    texts = [line.removeprefix("- ").rpartition(" ([")[0] for line in entries]
    assert {65} == {len(line) + 1 - len(text) for line, text in zip(entries, texts, strict=True)}


def test_a_question_in_every_language_is_answered_with_its_place(made: Demo, call: Callable[..., Said]) -> None:
    """The lines that are named hold the answer, whichever form, accents or script the question has."""
    shown = made.tour.partition("What is found, and where it stands")[2].partition(NEXT)[0]
    places = [line.split()[0] for line in shown.splitlines() if line.startswith("    memory/")]
    answers = [call("show", "lines", place, "--workspace", made.root).out for place in places]
    assert len(QUESTIONS) == len(answers)
    for words, answer in zip(
        ("back to 20 percent", "przeglad kominow", "之後寄給她的東西都改寄到新竹"), answers, strict=True
    ):
        assert words in answer


def test_it_shows_the_words_said_the_notes_and_what_a_prompt_is_given(made: Demo) -> None:
    """Each with its place; none of them is an entry."""
    shown = made.tour.partition("What was said, though nothing")[2].partition(NEXT)[0]
    for words in ("    said:", "    notes:booking.md#L3  agent's note", "<recalled-memories>"):
        assert words in shown


def test_it_leads_to_the_page(made: Demo) -> None:
    """Its settings name an address, and its last lines the commands that show the page there."""
    assert '[service]\nhttp = "127.0.0.1:9464"\n' in (made.root / "memory.toml").read_text()
    commands = [line.strip() for line in made.tour.partition(NEXT)[2].splitlines()]
    assert all(any(line.startswith(command) for line in commands) for command in ("memory serve ", "memory open "))


def test_a_second_time_changes_nothing_and_says_so(made: Demo, home: Path, memory: CommandLine) -> None:
    """The same command again leaves every byte, wherever the model's settings point, and shows the same tour."""
    root = made.copied(home)
    before = pages(root)
    model = {"MEMORY_MODEL__BASE_URL": "http://127.0.0.1:9/v1", "MEMORY_MODEL__NAME": "m", "MEMORY_TIMEZONE": "Mars"}
    second = memory("demo", "--all", root, **model)
    assert (second.code, second.err) == (0, "")
    assert "not a byte has changed" in second.out
    assert pages(root) == before
    first, again = (tour[tour.index("What was written") :] for tour in (made.tour, second.out))
    tour, _, commands = first.partition(NEXT)
    tour_again, _, commands_again = again.partition(NEXT)
    assert tour_again == tour.replace(str(made.root), str(root))
    # How far the commands stand from what they do goes by the length of the path.
    assert commands_again.split() == commands.replace(str(made.root), str(root)).split()


def test_a_second_time_goes_on_without_entries_that_a_person_deleted(made: Demo, home: Path) -> None:
    """First that which a belief took the place of, then all."""
    root = made.copied(home)
    inside = CalledCommand(root / "memory")
    entries = {entry["id"]: entry for entry in inside("show", "entries", "--json").records}
    before = next(entries[name] for entry in entries.values() for name in entry["supersedes"])
    (root / before["path"]).unlink()
    assert "memory init ~/memory" in inside("demo").out
    for file in (root / "memory").glob("2026-*.md"):
        file.unlink()
    assert "memory init ~/memory" in inside("demo").out


def test_the_same_bytes_everywhere(made: Demo, home: Path, memory: CommandLine) -> None:
    """Two demos write the same, but for the moment they were made; their transcripts are those that we ship."""
    assert (0, "") == ((said := memory("demo", "--all")).code, said.err)
    first, second = pages(made.root), pages(home / "demo-workspace")
    for written in (first, second):  # the store's rows have moments and ids
        del written["memory.toml"], written["store/memory.db"]
    assert first == second
    samples = Path(str(files(pipeline.demo) / "sessions"))
    assert pages(made.root / "sessions") == pages(samples)


def test_another_workspace_is_left_alone(workspace: Path, memory: CommandLine) -> None:
    """A workspace that the demo did not make is refused."""
    before = pages(workspace)
    said = memory("demo", workspace)
    assert said.code == 2
    assert "is a workspace, and not one that the demo made" in said.err
    assert pages(workspace) == before


def test_inside_a_demo_it_is_that_one(made: Demo, home: Path) -> None:
    """No demo is made inside a demo, and a plain run there has no weeks to catch up with."""
    root = made.copied(home)
    before = pages(root)
    inside = CalledCommand(root / "memory")
    assert "not a byte has changed" in inside("demo").out
    assert pages(root) == before
    assert inside("run").out.startswith("Nothing is due. The next window of micro_sync")


def test_a_demo_has_nothing_to_review(made: Demo, home: Path, call: Callable[..., Said]) -> None:
    """What was just written would be written again."""
    root = made.copied(home)
    assert "Nothing to review.\n" == call("suggestions", "review", "--workspace", root).out
