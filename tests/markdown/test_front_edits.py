"""Single fields of a person's front matter are changed; every other byte stays."""

from hypothesis import given
from hypothesis import strategies as st

from pipeline.markdown.front_matter import front_matter, with_fields
from tests.support.tables import table

BODY = b"# Peter\n\nMine.\n"


@table(
    ("before", "after"),
    [
        (b"", b'---\naliases: ["Pete"]\n---\n'),
        (b"---\nname: Peter\n---\n", b'---\nname: Peter\naliases: ["Pete"]\n---\n'),
        (b"---\naliases: [a, b]\nkind: person\n---\n", b'---\naliases: ["Pete"]\nkind: person\n---\n'),
        (b"---\naliases:\n  - a\n# why\n- b\nkind: x\n---\n", None),
        (b"---\naliases:\n- a\n- b\n# why\nkind: x\n---\n", b'---\naliases: ["Pete"]\n# why\nkind: x\n---\n'),
        (b"---\r\nkind: person\r\n---\r\n", b'---\r\nkind: person\r\naliases: ["Pete"]\r\n---\r\n'),
        (b"---\naliases: [a\n---\n", None),
        (b"---\n\nkind: x\n---\n", None),
        (b"\xef\xbb\xbf---\nkind: x\n---\n", None),
        (b"---\nkind: a\xe2\x80\xa8  b\n---\n", b'---\nkind: a\xe2\x80\xa8  b\naliases: ["Pete"]\n---\n'),
        (b"---\nkind: Zo\xeb\n---\n", None),
    ],
)
def test_a_field_is_changed_or_nothing_is(before: bytes, after: bytes | None) -> None:
    """What cannot be read for sure is not changed; only LF and CRLF end a line."""
    body = BODY.replace(b"\n", b"\r\n") if b"\r\n" in before else BODY
    changed = with_fields(before + body, {"aliases": ["Pete"]})
    assert (after + body if after else None) == changed or (after is None and changed is None)


def test_a_field_without_a_value_goes() -> None:
    """Front matter without a field goes with it."""
    page = b"---\nname: Peter\naliases:\n  - a\n---\n" + BODY
    assert b"---\nname: Peter\n---\n" + BODY == with_fields(page, {"aliases": None})
    assert BODY == with_fields(page, {"aliases": None, "name": None})


@given(st.binary(max_size=60), st.sampled_from([b"", b"---\nkind: x\n---\n"]))
def test_no_byte_behind_it_changes(body: bytes, head: bytes) -> None:
    """Whatever stands there; a second change that gives the old values gives the old bytes of the body."""
    changed = with_fields(head + body, {"aliases": ["Pete"]})
    if changed is not None:
        assert (head + body)[len(front_matter(head + body)) :] == changed[len(front_matter(changed)) :]
