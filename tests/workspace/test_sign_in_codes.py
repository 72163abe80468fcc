"""One-time codes: good once, for a minute, for whoever comes first."""

import stat
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from pipeline.errors import WriteFailed
from pipeline.workspace.tokens import CODE_FILE, LASTING, SignInCodes
from tests.support.tables import table

NOW = datetime(2026, 3, 2, 9, tzinfo=UTC)
_MOMENT = timedelta(microseconds=1)
_USE = """
import sys
from datetime import UTC, datetime
from pathlib import Path
from pipeline.workspace.tokens import SignInCodes
codes = SignInCodes(Path(sys.argv[1]))
print("ready", flush=True)
sys.stdin.readline()
print(codes.use(sys.argv[2], datetime(2026, 3, 2, 9, tzinfo=UTC)))
"""


def test_a_code_is_good_once(tmp_path: Path) -> None:
    """Each is another one, and using it leaves the others; the file has hashes alone, for its owner."""
    codes = SignInCodes(tmp_path)
    first, second = codes.make(NOW), codes.make(NOW)
    text = (tmp_path / CODE_FILE).read_text()
    assert (False, False) == (first in text, second in text)
    assert 0o600 == stat.S_IMODE((tmp_path / CODE_FILE).stat().st_mode)
    assert [True, False, True, False] == [codes.use(code, NOW) for code in (first, first, second, second)]


@table("code", ["", "x", "\udc80", "ż" * 100, "0" * 64])
def test_what_is_no_code(tmp_path: Path, code: str) -> None:
    """Neither a word, nor bytes that are no text, nor the hash of one."""
    codes = SignInCodes(tmp_path)
    assert not codes.use(code, NOW)
    good = codes.make(NOW)
    assert [False, True] == [codes.use(code, NOW), codes.use(good, NOW)]


def test_a_minute(tmp_path: Path) -> None:
    """Until the last moment, and not at its end; the next one drops those that have ended."""
    codes = SignInCodes(tmp_path)
    in_time, late = codes.make(NOW), codes.make(NOW)
    assert codes.use(in_time, NOW + LASTING - _MOMENT)
    assert not codes.use(late, NOW + LASTING)
    codes.make(NOW + LASTING)
    assert 1 == (tmp_path / CODE_FILE).read_text().count("sha256")


@table("damage", [b"", b"[1", b"\xff\xfe", b'{"a": 1}', b'[{"sha256": "x", "expires": "soon"}]'])
def test_a_damaged_file(tmp_path: Path, damage: bytes) -> None:
    """It opens nothing; a new code takes its place."""
    codes = SignInCodes(tmp_path)
    code = codes.make(NOW)
    (tmp_path / CODE_FILE).write_bytes(damage)
    assert not codes.use(code, NOW)
    assert codes.use(codes.make(NOW), NOW)


def test_something_in_its_place(tmp_path: Path) -> None:
    """A folder of this name is an error that names it."""
    (tmp_path / CODE_FILE).mkdir(parents=True)
    with pytest.raises(WriteFailed, match=r"sign-in\.json"):
        SignInCodes(tmp_path).make(NOW)


def test_two_processes_use_the_same_code(tmp_path: Path) -> None:
    """One of them gets in."""
    words = [sys.executable, "-c", _USE, str(tmp_path), SignInCodes(tmp_path).make(NOW)]
    both = [subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    for process in both:
        assert process.stdout
        assert "ready\n" == process.stdout.readline()
    for process in both:
        assert process.stdin
        process.stdin.write("\n")
        process.stdin.flush()
    assert ["False\n", "True\n"] == sorted(process.communicate(timeout=60)[0] for process in both)
