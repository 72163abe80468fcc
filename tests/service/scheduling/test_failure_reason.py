"""What the log of a run tells of why it ended badly."""

import json
from pathlib import Path

from pipeline.service.scheduling.dispatcher import last_message
from schemas.outcome import SUCCESSES, Ending
from tests.support.tables import table


def warning(ending: str, expected: str) -> str:
    """The line of an outcome."""
    return json.dumps({"job": "micro_sync", "ending": ending, "warning": expected}) + "\n"


def test_the_last_words_of_a_run(tmp_path: Path) -> None:
    """What was said last to a person, or warned of in an outcome; else nothing."""
    log = tmp_path / "run.log"
    assert "" == last_message(log)
    log.write_bytes(b"\xff\xfe{ not json\nmemory: first\nmemory: No room\t left.\n{}\n[]\n{broken\n")
    assert "No room left." == last_message(log)
    with log.open("a", encoding="utf-8") as file:
        file.write(warning("failed", "older") + warning("timed_out", "x" * 2000))
    assert "x" * 500 == last_message(log)
    with log.open("a", encoding="utf-8") as file:
        file.write("memory: No right to write.\n" + warning("failed", ""))
    assert "No right to write." == last_message(log)
    outcome = {"ending": "failed", "warning": "one\u2028memory: two\x85three"}  # line ends that JSON leaves in a text
    log.write_text(json.dumps(outcome, ensure_ascii=False) + "\n", encoding="utf-8")
    assert "one memory: two three" == last_message(log)


@table("ending", sorted(SUCCESSES))
def test_what_a_good_end_warns_of_is_no_reason(tmp_path: Path, ending: Ending) -> None:
    """Neither before nor after what went wrong; nor is a warning of anything else than an outcome."""
    log, said = tmp_path / "run.log", "memory: micro_sync took longer than it may.\n"
    for text in (warning(ending, "2 deleted") + said, said + warning(ending, "2 deleted") + '{"warning": "other"}\n'):
        log.write_text(text)
        assert "micro_sync took longer than it may." == last_message(log)
