"""What counts of a body before it is parsed: brackets and commas outside of texts, in whatever pieces it comes."""

import json

from hypothesis import given
from hypothesis import strategies as st

from pipeline.surfaces.http.security.guard import StructureCount

TEXTS = st.text(alphabet='ab"\\,[]{}\n漢', max_size=12)
VALUES = st.recursive(
    st.none() | st.integers() | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=12,
)


def elements(value: object) -> int:
    """The brackets that open, and the commas, of a value as JSON."""
    if not isinstance(value, list | dict):
        return 0
    inner = list(value.values()) if isinstance(value, dict) else value
    return 1 + max(len(inner) - 1, 0) + sum(map(elements, inner))


def counted(body: bytes, length: int) -> StructureCount:
    """The count of a body that comes in pieces of a length."""
    count = StructureCount()
    for start in range(0, len(body), length):
        count.take(body[start : start + length])
    return count


@given(value=VALUES, length=st.integers(1, 9), escaped=st.booleans())
def test_texts_do_not_count(value: object, length: int, *, escaped: bool) -> None:
    """Whatever stands in them; and the pieces make no difference."""
    body = json.dumps(value, ensure_ascii=escaped).encode()
    count = counted(body, length)
    assert (elements(value), True) == (count.elements, count.readable)


def test_the_bytes_outside_of_texts() -> None:
    """Keys are texts too."""
    count = counted(b'{"a,b": 12, "": 3}', 3)
    assert (2, len("{: 12, : 3}")) == (count.elements, count.size)
    assert not counted('{"a": 1}'.encode("utf-16-le"), 100).readable
