"""The benchmark of placeholders: it finds evidence, sees what is lost, and says what is missing."""

import json
from pathlib import Path

import pytest

from benchmarks.fidelity import CASES, PLACES, TRANSCRIPTS, FidelityScore, is_faithful, main


def folder_of_data(folder: Path) -> Path:
    """One case, and one session with the result of a tool."""
    pings = [{"seq": number, "level": "INFO", "msg": f"ping {number}"} for number in range(40)]
    content = [*pings, {"seq": 40, "level": "ERROR", "msg": "worker 3 ran out of memory"}]
    case = {"content": content, "answer_evidence": ["worker 3 ran out"], "supporting_facts": []}
    (folder / CASES).parent.mkdir(parents=True)
    (folder / CASES).write_text(json.dumps([case]))
    lines = [f"step {number} of the build" for number in range(300)]
    result = {"type": "tool_result", "content": [{"type": "text", "text": "\n".join([*lines, "error: no such file"])}]}
    (folder / TRANSCRIPTS).mkdir()
    (folder / TRANSCRIPTS / "one.jsonl").write_text(f"{json.dumps({'message': {'content': [result]}})}\n{{broken\n")
    return folder


def test_evidence_is_looked_for(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """In three forms of a case, and in the results of tools; nothing is lost."""
    assert 0 == main([str(folder_of_data(tmp_path / "data"))])
    printed = capsys.readouterr().out
    assert "| labelled answers and supporting facts | 3 | 3 | 0 | 0 | 0 |" in printed
    assert "| lines of trouble | 1 | 1 | 0 | 0 | 0 |" in printed
    assert "1 texts, 1 stored" in printed


def test_what_is_missing_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The data is no part of the project."""
    assert 2 == main([str(tmp_path)])
    assert f"has no {CASES} and no {TRANSCRIPTS}" in capsys.readouterr().out


def test_when_it_fails() -> None:
    """A lost byte, or a line of trouble that is too far away; any line may be."""
    far = FidelityScore()
    far.count("any lines", PLACES[3])
    assert is_faithful(far)
    far.count("lines of trouble", PLACES[3])
    assert not is_faithful(far)
    assert not is_faithful(FidelityScore(lost=1))
