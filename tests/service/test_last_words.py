"""What the log of a run tells of why it ended badly."""

import json
from pathlib import Path

from pipeline.service.last_words import last_words


def test_the_last_words_of_a_run(tmp_path: Path) -> None:
    """The last warning of an outcome; else what was said to a person; else nothing."""
    log = tmp_path / "run.log"
    assert "" == last_words(log)
    log.write_bytes(b"\xff\xfe{ not json\nmemory: first\nmemory: No room\t left.\n{}\n[]\n{broken\n")
    assert "No room left." == last_words(log)
    with log.open("a", encoding="utf-8") as file:
        file.write(json.dumps({"warning": "older"}) + "\n" + json.dumps({"warning": "x" * 2000}) + "\nmemory: 3 left\n")
    assert "x" * 500 == last_words(log)
