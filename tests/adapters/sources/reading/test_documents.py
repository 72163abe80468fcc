"""Files that hold one JSON value."""

import io
from pathlib import Path

import pytest

from pipeline.adapters.sources.reading.documents import companion, document
from pipeline.adapters.sources.reading.files import SourceFile, SourcePlace
from pipeline.workspace.regular_files import LARGEST
from schemas.settings import SourceSettings


def opened(root: Path, stream: io.BufferedIOBase) -> SourceFile:
    """An open file with these bytes."""
    return SourceFile(SourcePlace(SourceSettings(kind="x", path=str(root)), root, "UTC"), "a.json", stream)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("content", "value"),
    [
        (b'{"a": 1}', {"a": 1}),
        (b"\xef\xbb\xbf[]", []),
        (b'{"a": ', None),
        (b"", None),
        (b"\xff", None),
        (b"[" * 100_000, None),
    ],
)
def test_a_document_is_its_value(tmp_path: Path, content: bytes, value: object) -> None:
    """What is no JSON, also one that is nested too deep, is nothing."""
    assert value == document(opened(tmp_path, io.BytesIO(content)))


class Endless(io.RawIOBase):
    """A stream of as many bytes as are asked for."""

    def read(self, size: int = -1) -> bytes:
        """Zeros."""
        return bytes(size)


def test_a_document_is_bounded(tmp_path: Path) -> None:
    """More than is read at once is refused."""
    with pytest.raises(OSError, match=f"more than {LARGEST // 1_000_000} MB"):
        document(opened(tmp_path, Endless()))  # type: ignore[arg-type]


def test_a_companion_that_cannot_be_read_is_empty(tmp_path: Path) -> None:
    """A session is read also without the file beside it."""
    (tmp_path / "list.json").write_text("[1]")
    (tmp_path / "good.json").write_text('{"a": 1}')
    assert ({}, {}, {"a": 1}) == tuple(companion(tmp_path / name) for name in ("gone.json", "list.json", "good.json"))
