"""Files that are one JSON value."""

import io

import pytest

from pipeline.adapters.sources.reading.whole import whole_json
from pipeline.workspace.regular_files import LARGEST


def test_reads_a_value() -> None:
    """Also one with a byte order mark, and with bytes that are no UTF-8."""
    assert {"a": "�"} == whole_json(io.BytesIO(b'\xef\xbb\xbf{"a": "\xff"}'), b"a")


def test_a_cut_file_is_an_error_when_it_has_the_mark() -> None:
    """Another program's file is none."""
    with pytest.raises(OSError, match="not whole"):
        whole_json(io.BytesIO(b'{"a": ['), b'"a"')
    assert whole_json(io.BytesIO(b'{"b": ['), b'"a"') is None


def test_a_large_file_is_an_error() -> None:
    """It is not held in memory."""
    with pytest.raises(OSError, match="more than"):
        whole_json(io.BytesIO(bytes(LARGEST + 1)), b"a")
