"""Files that hold one JSON value."""

import io
from pathlib import Path

import pytest

from pipeline.adapters.sources.reading.records import companion, document
from pipeline.workspace.regular_files import LARGEST
from tests.support.tables import table


@table(
    ("content", "value"),
    [
        (b'{"a": 1}', {"a": 1}),
        (b"\xef\xbb\xbf[]", []),
        (b'\xef\xbb\xbf{"a": "\xff"}', {"a": "\N{REPLACEMENT CHARACTER}"}),
        (b'{"b": ', None),
        (b"", None),
        (b"\xff", None),
        (b"[" * 100_000, None),
    ],
)
def test_a_document_is_its_value(content: bytes, value: object) -> None:
    """Another program's file that is no JSON, also one that is nested too deep, is nothing."""
    assert value == document(io.BytesIO(content), b'"a"')


@table("content", [b'{"a": [', b'{"a": ' + b"[" * 100_000])
def test_a_cut_document_is_an_error_when_it_has_the_mark(content: bytes) -> None:
    """It is being written, and is read again."""
    with pytest.raises(OSError, match="not whole"):
        document(io.BytesIO(content), b'"a"')


def test_a_document_is_bounded() -> None:
    """More than is read at once is refused."""
    with pytest.raises(OSError, match=f"more than {LARGEST // 1_000_000} MB"):
        document(io.BytesIO(bytes(LARGEST + 1)), b"a")


def test_a_companion_that_cannot_be_read_is_empty(tmp_path: Path) -> None:
    """A session is read also without the file beside it."""
    (tmp_path / "list.json").write_text("[1]")
    (tmp_path / "good.json").write_text('{"a": 1}')
    assert ({}, {}, {"a": 1}) == tuple(companion(tmp_path / name) for name in ("gone.json", "list.json", "good.json"))
