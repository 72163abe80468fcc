"""Compressed files are read as the bytes inside."""

from pathlib import Path

import pytest
import zstandard

from pipeline.adapters.sources.reading.files import open_stream
from tests.support.tables import table

LINES = b'{"type": "a"}\n{"type": "b"}\n' * 1000


def test_a_plain_file_is_itself(tmp_path: Path) -> None:
    """Only the endings `.zst` and `.zstd` mean compression."""
    (tmp_path / "a.jsonl").write_bytes(LINES)
    with open_stream(tmp_path / "a.jsonl") as stream:
        assert stream.read() == LINES


@table("name", ["a.jsonl.zst", "a.jsonl.zstd"])
def test_a_compressed_file_gives_what_is_inside(tmp_path: Path, name: str) -> None:
    """Also one that was written in several frames."""
    frames = zstandard.compress(LINES[:5000]) + zstandard.compress(LINES[5000:])
    (tmp_path / name).write_bytes(frames)
    with open_stream(tmp_path / name) as stream:
        assert stream.readline() == LINES[:14]
        assert stream.read() == LINES[14:]


def test_what_is_no_zstd_is_an_error_of_the_file(tmp_path: Path) -> None:
    """The error names the file."""
    file = tmp_path / "a.jsonl.zst"
    file.write_bytes(b"no zstd at all")
    with open_stream(file) as stream, pytest.raises(OSError, match="cannot be uncompressed") as raised:
        stream.read()
    assert raised.value.filename == str(file)


@table("size", [0, 5, 30])
def test_a_file_that_is_being_written_gives_what_is_there(tmp_path: Path, size: int) -> None:
    """A frame without its end is no error: it may grow."""
    file = tmp_path / "a.jsonl.zst"
    file.write_bytes(zstandard.compress(LINES)[:size])
    with open_stream(file) as stream:
        assert LINES.startswith(stream.read())


def test_a_small_file_with_a_large_content_is_refused(tmp_path: Path) -> None:
    """A file of some kilobytes may hold gigabytes: what is read is bounded."""
    file = tmp_path / "a.jsonl.zst"
    file.write_bytes(zstandard.compress(b"0" * 10**7))
    with open_stream(file, 10**6) as stream, pytest.raises(OSError, match="holds more than 1000000 bytes"):
        stream.read()
