"""`memory search --stdin` in every locale."""

import json
from pathlib import Path

from tests.support.processes.command_line import CommandLine
from tests.support.processes.preparation import reading
from tests.surfaces.cli.commands.test_search import WORDS_ALONE


def test_stdin_is_utf8_in_every_locale(filled: Path, memory: CommandLine) -> None:
    """With a byte order mark or not; a byte that is none costs no more than the word that it is in."""
    file = filled.parent / "asked.jsonl"
    asked = '{"query": "septic truck łódź"}\n'.encode()
    file.write_bytes(b"\xef\xbb\xbf" + asked + asked.replace("łódź".encode(), b"\xff") + asked)
    for encoding in ("utf-8:strict", "latin-1", "ascii"):
        words = ("search", "--stdin", "--json", "--workspace", filled)
        said = memory.start(*words, before=reading(file), PYTHONIOENCODING=encoding, **WORDS_ALONE)
        out, err = said.communicate()
        answers = [json.loads(line) for line in out.splitlines()]
        assert (0, ["łódź", "\ufffd", "łódź"]) == (
            said.returncode,
            [answer["query"].split()[-1] for answer in answers],
        ), err
        assert all("septic truck" in answer["hits"][0]["text"] for answer in answers)
