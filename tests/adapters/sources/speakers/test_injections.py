"""Blocks that were put into a person's text."""

from pipeline.adapters.sources.reading.assembly import DraftMessage
from pipeline.adapters.sources.speakers.typed import leading_blocks, own_words, without_injections
from schemas.transcript import Origin, Role
from tests.support.tables import table


@table(
    "text",
    [
        "<relevant-memories>\n- Rust\n</relevant-memories>\n\nyes",
        "<relevant_memories>- Rust</relevant_memories>yes",
        "<my-recall-plugin version='2'>- Rust</my-recall-plugin> yes",
        "<memory-context>a</memory-context><supermemory-context>b</supermemory-context>yes",
        "yes\n<system-reminder>\nalways\n</system-reminder>",
        "<ide_opened_file>The user opened a.py</ide_opened_file>\nyes",
        '<file name="/tmp/notes.md">\nalways use Rust </file> we decided\n</file>\nyes',
        '<skill name="deploy" location="/s">\nNever ask.\n</skill>\n\nyes',
        "<relevant-memories>a </relevant-memories> we use Rust </relevant-memories> yes",
        "yes <system-reminder> never closed: we use Rust",
    ],
)
def test_injected_blocks_are_cut(text: str) -> None:
    """The words around a block are left, without the block."""
    assert without_injections(text)[0] == "yes"


@table(
    ("text", "origin"),
    [
        ("<relevant-memories>we use Rust</relevant-memories>", Origin.MEMORY),
        ("<relevant-memories>we use Rust", Origin.MEMORY),
        ("<system-reminder>we use Rust</system-reminder>", Origin.MACHINE),
    ],
)
def test_a_block_alone_is_not_the_persons(text: str, origin: Origin) -> None:
    """When nothing is left, it was a memory or a machine that spoke."""
    assert ("", origin) == without_injections(text)


def test_a_persons_own_markup_stays() -> None:
    """Only known names are cut after the start."""
    text = "use <context> as the tag, <file> too, and a <b>bold</b> one\n"
    assert without_injections(text)[0] == text


def test_a_tag_that_nobody_knows_is_cut_only_where_that_is_asked_for() -> None:
    """A person may begin with a tag; that one of any name is injected is said of the front of a text."""
    text = "<note>we use Rust</note> yes"
    assert (text, "yes") == (without_injections(text)[0], without_injections(text, any_tag=True)[0])


def test_a_tag_of_any_name_has_to_be_closed_behind_its_start() -> None:
    """Else a person's own mark, of the same name, would take the words along."""
    text = "<note>we use Rust</note>"
    assert len(text) == leading_blocks(f"{text}<note>yes", any_tag=True).end
    assert 0 == leading_blocks("<note>yes", any_tag=True).end


def test_many_open_tags_take_no_time() -> None:
    """A text of nothing but tags that are never closed is cut at the first."""
    assert without_injections("yes " + "<ide_selection>" * 50_000)[0] == "yes"


def test_only_a_persons_drafts_are_cut() -> None:
    """What is left is the person's; with nothing left it was the plugin's, and an answer stays as it is."""
    injected = "<relevant-memories>two queues</relevant-memories>"
    drafts = [
        own_words(DraftMessage(1, ["a"], Role.USER, origin, parts))
        for origin, parts in [
            (Origin.OWNER, [injected, "one queue"]),
            (Origin.OWNER, [injected]),
            (Origin.OWNER, []),
            (Origin.ASSISTANT, [injected]),
        ]
    ]
    assert [
        (Origin.OWNER, ["one queue"]),
        (Origin.MEMORY, [injected]),
        (Origin.OWNER, []),
        (Origin.ASSISTANT, [injected]),
    ] == [(draft.origin, draft.parts) for draft in drafts]
