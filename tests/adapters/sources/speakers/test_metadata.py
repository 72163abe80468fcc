"""The blocks of metadata before a message."""

from pipeline.adapters.sources.speakers.headers import read_block
from tests.support.tables import table


def block(label: str, inside: str) -> str:
    """A block with JSON in its fence, and words after it."""
    return f"{label}:\n```json\n{inside}\n```\n\nwords"


@table(
    ("label", "inside", "senders", "local"),
    [
        ("Conversation info (untrusted metadata)", '{"sender_id": "411"}', ("411",), False),
        ("Conversation info (untrusted metadata)", '{"timestamp": "Mon"}', (), False),
        ("Sender (untrusted metadata)", '{"id": "411", "username": "Tom_B", "name": "x"}', ("411", "tom_b"), False),
        ("Sender (untrusted metadata)", '{"id": "openclaw-tui", "label": "openclaw-tui"}', (), True),
        ("Sender (untrusted metadata)", '{"label": "openclaw-tui"}', ("name openclaw-tui",), False),
        ("Conversation info (untrusted metadata)", '{"sender_id": "cli", "chat_id": "irc:cli"}', ("cli",), False),
        ("Conversation info (untrusted metadata)", '{"sender_id": "cli", "chat_id": 5}', ("cli",), False),
        ("Replied message (untrusted, for context)", '{"sender_id": "411"}', (), False),
    ],
)
def test_a_block_names_who_speaks(label: str, inside: str, senders: tuple[str, ...], *, local: bool) -> None:
    """By ids and user names, where it is one of the two that do; a surface of the gateway is nobody's account."""
    actual = read_block(block(label, inside))
    assert actual is not None
    assert ("words", senders, local, True) == (actual.rest, actual.senders, actual.local, actual.sure)
    assert actual.fenced


@table("fence", ['```\n{"id": "411"}\n```\n\nwords', '```json\n{"id": "411"}\n\nwords'])
def test_a_fence_that_is_not_one_of_json_or_not_closed_has_no_end(fence: str) -> None:
    """So it hides no words, and names nobody."""
    actual = read_block(f"Sender (untrusted metadata):\n{fence}")
    assert actual is not None
    assert (True, "", ()) == (actual.open_end, actual.rest, actual.senders)


@table(
    "text",
    [
        block("Sender (untrusted metadata)", '{"id": "411",}'),
        block("Sender (untrusted metadata)", '{"id": "411"} and more'),
        block("Replied message (untrusted, for context)", '{"body": "a\n```\nb"}'),
        "Sender (untrusted metadata):\nid: 411\n\nwords",
        'Sender (untrusted metadata): {"id": "411"}\n\nwords',
        "Chat window (untrusted, chronological):\n#1 Ann: a\nb\n\nwords",
    ],
)
def test_what_cannot_be_read_names_nobody(text: str) -> None:
    """Neither who speaks, nor where the words begin."""
    actual = read_block(text)
    assert actual is not None
    assert (False, ()) == (actual.sure, actual.senders)


@table("text", ["he said (loudly): a", "Note: a", "a (untrusted", "x: y (untrusted): z"])
def test_words_are_no_block(text: str) -> None:
    """A label stands at the start, and says that it is not to be trusted."""
    assert read_block(text) is None
