"""What the log of a command tells, while it is written and afterwards."""

import json
from pathlib import Path

from pipeline.reports.work import Mark, WorkLog, line_of
from tests.support.tables import table

OUTCOME = {
    "job": "micro_sync",
    "key": "2026-03-02",
    "window": {"start": "2026-03-02T00:00:00Z", "end": "2026-03-03T00:00:00Z"},
    "ending": "done",
}


def write(file: Path, *lines: object) -> None:
    """Append lines: values as JSON, texts as they are."""
    texts = [line if isinstance(line, str) else json.dumps(line) for line in lines]
    with file.open("a", encoding="utf-8") as stream:
        stream.write("".join(f"{text}\n" for text in texts))


def test_a_log_that_grows(tmp_path: Path) -> None:
    """Each reading goes on where the last one ended; half a line is no line yet."""
    file = tmp_path / "a.log"
    log = WorkLog(file)
    assert () == log.read().words
    file.write_text(line_of(Mark.BEGUN, words=["memory", "backfill"]), encoding="utf-8")
    write(file, {"event": "backfill.estimated", "backfill": "b-1", "partitions": 2}, OUTCOME)
    with file.open("a", encoding="utf-8") as stream:
        stream.write('{"event": "work.en')
    first = log.read()
    assert (("memory", "backfill"), "b-1", 1, 2) == (first.words, first.backfill, first.done, first.windows)
    assert first.code is None
    with file.open("a", encoding="utf-8") as stream:
        stream.write('ded", "code": 0, "by": ""}\n')
    assert (0, 1, {"done": 1}) == ((second := log.read()).code, second.done, dict(second.endings))
    assert second == WorkLog(file).read()


def test_pages_that_are_rendered_again(tmp_path: Path) -> None:
    """They come on top of the windows of a back-fill, and do not count as windows of it."""
    file = tmp_path / "a.log"
    write(file, {"event": "backfill.estimated", "backfill": "b", "partitions": 1}, OUTCOME, {**OUTCOME, "key": "all"})
    report = WorkLog(file).read()
    assert (1, 2) == (report.done, len(report.latest))


def test_sentences_for_a_person(tmp_path: Path) -> None:
    """Messages and errors, each once; events and outcomes are no sentences."""
    file = tmp_path / "a.log"
    write(
        file, "memory: No room.", {"event": "source.unreadable", "error": "Cannot read."}, "memory: No room.", OUTCOME
    )
    assert ["No room.", "Cannot read."] == list(WorkLog(file).read().notices)


def test_the_command_that_goes_on(tmp_path: Path) -> None:
    """Of a back-fill that was stopped."""
    file = tmp_path / "a.log"
    write(file, {"event": "backfill.stopped", "backfill": "b-1", "left": 3, "resume": ["memory", "backfill"]})
    assert ("b-1", ("memory", "backfill")) == ((report := WorkLog(file).read()).backfill, report.resume)


@table(
    "line",
    [
        "{",
        "[]",
        "{}",
        '{"event": 3}',
        '{"event": "work.ended"}',
        '{"event": "work.begun", "words": 7}',
        '{"event": "backfill.estimated", "partitions": "many"}',
        '{"event": "series.progressed", "windows": null}',
        '{"ending": "done"}',
        '{"ending": "nobody knows"}',
        "\x00\ufffd",
    ],
)
def test_lines_that_are_not_as_ours_are(tmp_path: Path, line: str) -> None:
    """They end no reading."""
    file = tmp_path / "a.log"
    write(file, line, OUTCOME)
    assert 1 == WorkLog(file).read().done
