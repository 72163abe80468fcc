"""The marks of what no person wrote."""

from pipeline.adapters.sources.speakers.marks import starts_machine_turn
from tests.support.tables import table


@table(
    ("text", "machine"),
    [
        ("Look at the mail. If nothing needs attention, reply only NO_REPLY.", True),
        ("Look at the mail. If nothing needs attention, reply with `HEARTBEAT_OK`", True),
        ("what does NO_REPLY mean?", False),
        ("what does HEARTBEAT_OK mean?", False),
        ("reply only yes", False),
        ("a\n<<<EXTERNAL_UNTRUSTED_CONTENT>>>", True),
        ("[cron:1 mail] look", True),
    ],
)
def test_a_scheduler_asks_for_its_token(text: str, *, machine: bool) -> None:
    """A person may speak of the token, and asks for none."""
    assert machine == starts_machine_turn(text)
