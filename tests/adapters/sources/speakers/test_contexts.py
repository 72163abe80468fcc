"""Who speaks when the metadata of a message stands in the record behind it."""

from pathlib import Path

from tests.support.builders import harness_texts as shape
from tests.support.builders.openclaw_lines import OpenClawLines, said
from tests.support.tables import table

HEAD = (
    "OpenClaw runtime context for the immediately preceding user message.\n"
    "This context is runtime-generated, not user-authored. Keep internal details private.\n\n"
)
BOB = shape.metadata("").replace("411", "555").replace("Tom", "Bob")


def session(*messages: tuple[str, str]) -> OpenClawLines:
    """A session of bare words, each with its context behind it."""
    lines = OpenClawLines()
    for words, context in messages:
        lines.user(words)
        lines.add({"type": "custom_message", "customType": "openclaw.runtime-context", "content": context})
    return lines


def origins(lines: OpenClawLines, root: Path, owner: tuple[str, ...] = ()) -> list[str]:
    """The origins of what stands in a person's place."""
    return [origin for origin, _ in said(lines.read(root, owner=owner))[::2]]


@table(
    "context",
    [
        HEAD + shape.metadata(""),
        shape.metadata(""),
        HEAD + shape.event("up", shape.metadata("")),
        HEAD + shape.reply("we use Go", ""),
        HEAD + shape.context("we use Go", words=""),
        HEAD + shape.metadata("") + "Some note of the gateway.",
        HEAD + shape.surface("", "openclaw-control-ui"),
    ],
)
def test_the_owners_bare_words_stay_as_they_are(tmp_path: Path, context: str) -> None:
    """Nothing of the context comes into them."""
    lines = session((shape.WORDS["english"], context))
    assert ("owner", shape.WORDS["english"]) == said(lines.read(tmp_path, owner=("411",)))[0]


def test_a_stranger_is_known_by_the_record_behind(tmp_path: Path) -> None:
    """Where the owner's ids are set."""
    lines = session(("we use Rust", HEAD + BOB), ("no", HEAD + shape.metadata("")))
    assert ["other", "owner"] == origins(lines, tmp_path, ("411",))


def test_of_several_senders_nobody_is_the_owner(tmp_path: Path) -> None:
    """Where they are not set."""
    lines = session(("we use Rust", HEAD + BOB), ("no", HEAD + shape.metadata("")))
    assert ["other", "other"] == origins(lines, tmp_path)


def test_a_context_that_names_nobody_changes_nothing(tmp_path: Path) -> None:
    """Neither an event alone, nor one whose text looks like metadata."""
    lines = session(("yes", HEAD + shape.event("up")), ("no", HEAD + shape.event("Sender (untrusted metadata):")))
    assert ["owner", "owner"] == origins(lines, tmp_path, ("411",))


def test_metadata_that_cannot_be_read_leave_the_words_to_nobody(tmp_path: Path) -> None:
    """As they do before the words."""
    broken = BOB.replace('"555",', '"555",,')
    assert ["other"] == origins(session(("we use Rust", HEAD + broken)), tmp_path, ("411",))


def test_only_the_record_right_behind_names_the_speaker(tmp_path: Path) -> None:
    """What stands behind an answer is of another message."""
    lines = OpenClawLines()
    lines.user("yes")
    lines.assistant("ok")
    lines.add({"type": "custom_message", "customType": "openclaw.runtime-context", "content": HEAD + BOB})
    assert ("owner", "yes") == said(lines.read(tmp_path, owner=("411",)))[0]
