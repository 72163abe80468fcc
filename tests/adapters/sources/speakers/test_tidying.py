"""Where the message of somebody else begins among a person's words."""

from pipeline.adapters.sources.speakers.envelopes import foreign_part
from tests.support.tables import table

OTHERS = 'Sender (untrusted metadata):\n```json\n{"id": "555"}\n```\n\nno'


@table(
    ("text", "any_sender", "own"),
    [
        (f"yes\n{OTHERS}", False, "yes\n"),
        (f"yes\n{OTHERS.replace('555', '411')}", False, None),
        (f"yes\n{OTHERS.replace('555', '411')}", True, "yes\n"),
        ("yes\n[Forwarded from Ann]\nno", False, "yes\n"),
        ("yes\nSender (untrusted, as he says\nmore", True, None),
        ("yes\n[see the log] more", True, None),
    ],
)
def test_an_envelope_of_somebody_else_ends_the_words(text: str, own: str | None, *, any_sender: bool) -> None:
    """What begins like one, and is none, is the person's."""
    assert len(text if own is None else own) == foreign_part(text, ("411",), any_sender=any_sender)
