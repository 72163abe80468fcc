"""The elements of large arrays."""

import io
import json

import pytest

from pipeline.adapters.sources.reading.exports import elements
from tests.support.tables import table

MANY = [{"id": number, "text": "żółć" * (number % 7), "inner": [[], {"a": [1]}]} for number in range(200)]


def values(content: bytes) -> list[object]:
    """The elements, read from their places as they are decoded there."""
    return [json.loads(content[offset : offset + length]) for offset, length, _ in elements(io.BytesIO(content))]


def test_every_shape_has_the_same_elements() -> None:
    """An array, one with a mark and with space, one in an object, and lines."""
    array = json.dumps(MANY, ensure_ascii=False).encode()
    lines = b"\n".join(json.dumps(value, ensure_ascii=False).encode() for value in MANY)
    shapes = [array, b"\xef\xbb\xbf \n" + array, json.dumps(MANY, indent=2).encode(), lines, lines + b"\n"]
    shapes.append(b'{"conversations": ' + array + b', "more": 1}')
    assert [MANY] * len(shapes) == [values(shape) for shape in shapes]


def test_elements_larger_than_a_piece() -> None:
    """A file is read in pieces, and an element may need several."""
    large = [{"text": "ż" * 700_000}, {"text": '"]}{[\\'}, {"text": "a" * 2_500_000}, 5]
    assert large == values(json.dumps(large, ensure_ascii=False).encode())


def test_files_of_others_have_none() -> None:
    """Prose, nothing, and an empty array."""
    assert [[]] * 5 == [values(content) for content in (b"", b"# notes", b"\x00\xff", b"[]", b" [\n] ")]


@table("content", [b"[", b'[{"a": 1}', b'[{"a": 1},', b'[{"a": ', b'{"a": ', b"[" * 100_000])
def test_a_cut_file_is_an_error(content: bytes) -> None:
    """What is missing is not taken for deleted."""
    with pytest.raises(OSError, match="not whole"):
        values(content)


def test_an_element_without_an_end_is_not_held_in_memory() -> None:
    """Beyond 64 MB it is an error."""
    with pytest.raises(OSError, match="more than"):
        values(b'["' + b"a" * 140_000_000)
