"""`memory doctor search`."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.processes.command_line import Said

NOTE = """# 2026-02-01

The heating loop of cabin 4 uses valve HRN-2231-B with a Danfoss actuator.
"""
CHECKS = """[[check]]
question = "Which valve has the heating loop?"
path = "{path}"
text = "{text}"
"""
WORDS_ALONE = {"MEMORY_EMBEDDER__KIND": "none"}


@pytest.fixture
def noted(filled: Path) -> Path:
    """The workspace with an old file of a person."""
    file = filled / "second-brain" / "research" / "2026-02-01.md"
    file.parent.mkdir(parents=True)
    file.write_text(NOTE, encoding="utf-8")
    return filled


def test_a_memory_that_answers(noted: Path, call: Callable[..., Said]) -> None:
    """A table of what was asked and found, and how long it took; all is well."""
    said = call("doctor", "search", "--workspace", noted, **WORDS_ALONE)
    rows = [line.split() for line in said.out.splitlines()[1:3]]
    assert (said.code, ["A", "recent", "decisions", "1", "1", "1"]) == (0, rows[0][:6])
    assert ["C", "cold", "technical", "details", "1", "1", "1"] == rows[1][:7]
    assert said.out.splitlines()[-1].startswith("All is well; 95 of 100 answers take ")
    assert "embedder" not in said.err


def test_programs_get_one_object(noted: Path, call: Callable[..., Said]) -> None:
    """`--json` has the figures of each type, all failures, and why it does not pass."""
    (report,) = call("doctor", "search", "--json", "--workspace", noted, **WORDS_ALONE).records
    assert {"types", "p50", "p95", "failures", "problems", "notes"} == set(report)
    assert {"sort", "asked", "in_first", "in_most", "p50", "p95"} == set(report["types"][0])
    assert ([], []) == (report["failures"], report["problems"])


def test_a_question_of_ones_own(noted: Path, call: Callable[..., Said]) -> None:
    """What `checks.toml` expects is looked for among the hits."""
    (noted / "checks.toml").write_text(CHECKS.format(path="second-brain/research/2026-02-01.md", text="HRN-2231-B"))
    said = call("doctor", "search", "--workspace", noted, **WORDS_ALONE)
    assert (0, ["your", "own", "1", "1", "1"]) == (said.code, said.out.splitlines()[3].split()[:5])


def test_a_question_of_ones_own_that_is_not_answered(noted: Path, call: Callable[..., Said]) -> None:
    """The question, what was expected and what came instead are told, and the exit code is 1."""
    (noted / "checks.toml").write_text(CHECKS.format(path="memory/2026-02-02.md", text="HRN-9"))
    said = call("doctor", "search", "--workspace", noted, **WORDS_ALONE)
    assert 1 == said.code
    assert (
        "Own: Which valve has the heating loop?\n  expected within 6: memory/2026-02-02.md with 'HRN-9'\n" in said.out
    )
    assert "  came: second-brain/research/2026-02-01.md#L3-L3" in said.out
    assert "1 of your own questions are not answered as you expect." in said.out.splitlines()[-1]
    (report,) = call("doctor", "search", "--json", "--workspace", noted, **WORDS_ALONE).records
    assert ("your own", 6, 0) == tuple(report["failures"][0][name] for name in ("type", "within", "position"))
    assert "second-brain/research/2026-02-01.md#L3-L3" in report["failures"][0]["came"]


def test_a_wrong_file_is_wrong_use(noted: Path, call: Callable[..., Said]) -> None:
    """A sentence for each problem, the exit code 2, and nothing is asked."""
    (noted / "checks.toml").write_text('[[check]]\nquestion = "q"\n')
    said = call("doctor", "search", "--workspace", noted, **WORDS_ALONE)
    assert (2, "") == (said.code, said.out)
    assert "question 1: say what has to be found: an entry, a path or a text" in said.err


def test_an_empty_workspace_has_nothing_to_answer(workspace: Path, call: Callable[..., Said]) -> None:
    """That is said, and is no failure."""
    said = call("doctor", "search", "--workspace", workspace, **WORDS_ALONE)
    assert (0, 1) == (said.code, len(said.out.splitlines()))
    assert said.out.startswith("There is nothing to ask for yet")
    said = call("doctor", "search", "--json", "--workspace", workspace, **WORDS_ALONE)
    assert ([], 0.0, []) == tuple(json.loads(said.out)[name] for name in ("types", "p95", "problems"))


def test_no_workspace_is_wrong_use(tmp_path: Path, call: Callable[..., Said]) -> None:
    """As with every command."""
    assert 2 == call("doctor", "search", "--workspace", tmp_path / "none").code
