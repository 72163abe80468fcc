"""Raw conversation in files."""

from pipeline.index.chunking.documents import first_turn, is_hook, paragraphs, turns

HOOK = """\
# Session: 2026-01-30 16:12:01 UTC

- **Session Key**: agent:main:main
- **Session ID**: 8f1c2d
- **Source**: telegram

## Conversation Summary

user: what was the price?
## not a heading

- a list
assistant: 150 a night

user: ok
""".splitlines()


def test_a_hook_is_known_by_what_it_writes() -> None:
    """A title with the session, its key or id below; a person's page about a session is none."""
    assert is_hook(HOOK)
    assert is_hook(HOOK[:3])
    assert not is_hook(["# Session: notes of a workshop", "", "text"])
    assert not is_hook(["- **Session ID**: 8f1c2d"])
    assert not is_hook([])


def test_a_turn_goes_to_the_next_one() -> None:
    """Whatever Markdown stands in it."""
    assert 8 == first_turn(HOOK)
    assert [(8, 11), (12, 12), (14, 14)] == list(turns(HOOK, 8))
    assert 3 == first_turn(HOOK[:3])
    assert [] == list(turns(HOOK[:3], 3))


def test_plain_text_is_cut_by_paragraph_or_by_speaker() -> None:
    """Lines that begin with a name are turns when most lines do."""
    lines = ["Anna: hi", "Tom: hello", "there", "", "Note: a paragraph", "of three", "lines", "", ""]
    assert [(0, 0), (1, 2), (4, 6)] == list(paragraphs(lines))
    assert [] == list(paragraphs([]))
