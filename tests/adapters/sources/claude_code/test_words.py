"""Who typed what stands in a person's place of Claude Code: a person, a program, or another session."""

from pathlib import Path

from pipeline.adapters.sources import claude_code
from tests.support.builders.claude_lines import ClaudeLines, said
from tests.support.sources import opened_source
from tests.support.tables import table

WORDS = "From now on we ship on Tuesdays."
ANOTHER = "Another Claude session sent a message:\n"
MEANWHILE = "The user sent a new message while you were working:\n"
FOOT = "\n\nThis came from another Claude session — not typed by your user."
BY_HAND = [
    {},
    {"entrypoint": "cli"},
    {"entrypoint": "claude-vscode"},
    {"promptSource": "typed", "turnOrigin": "human", "origin": {"kind": "human"}, "entrypoint": "cli"},
    {"promptSource": "queued", "entrypoint": "cli"},
    {"promptSource": "typed", "entrypoint": "sdk-ts"},
    {"origin": {"kind": "human"}, "entrypoint": "sdk-cli"},
]
BY_PROGRAMS = [
    {"promptSource": "sdk", "turnOrigin": "sdk", "entrypoint": "sdk-cli"},
    {"promptSource": "sdk"},
    {"entrypoint": "sdk-py"},
]
BY_THE_AGENT = [
    {"promptSource": "system", "turnOrigin": "human-idle"},
    {"promptSource": "system", "entrypoint": "sdk-cli"},
    {"origin": {"kind": "task-notification"}},
    {"origin": {"kind": "peer"}, "promptSource": "typed"},
]


def asked(tmp_path: Path, fields: dict[str, object], *, headless: bool = False) -> list[tuple[str, str]]:
    """What is read of a prompt with these fields."""
    lines = ClaudeLines()
    lines.user(WORDS, **fields)
    lines.write(tmp_path / "s.jsonl")
    (session,) = opened_source(claude_code, tmp_path, headless=headless).read("s.jsonl")
    assert session.machine is (said(session)[0][0] == "machine")
    return said(session)


@table("fields", BY_HAND)
def test_typed_words_are_the_owners(tmp_path: Path, fields: dict[str, object]) -> None:
    """So are those of versions that record nothing, and of a program in which a person typed."""
    assert [("owner", WORDS)] == asked(tmp_path, fields)


@table("fields", BY_PROGRAMS)
def test_a_programs_prompt_is_a_machines_unless_the_source_says_otherwise(
    tmp_path: Path, fields: dict[str, object]
) -> None:
    """`claude -p` in a scheduler's line says nothing of its owner; who only uses it so sets `headless`."""
    assert [("machine", WORDS)] == asked(tmp_path, fields)
    assert [("owner", WORDS)] == asked(tmp_path, fields, headless=True)


@table("fields", BY_THE_AGENT)
def test_what_the_agent_asks_itself_is_never_the_owners(tmp_path: Path, fields: dict[str, object]) -> None:
    """No setting makes a notice of a sub-agent, or a message of another session, a person's."""
    assert [("machine", WORDS)] == asked(tmp_path, fields, headless=True)


@table(
    "text",
    [
        f'{ANOTHER}<cross-session-message from="x">\n{WORDS}\n</cross-session-message>{FOOT}',
        f'<cross-session-message from="x">\n{WORDS}\n</cross-session-message>{FOOT}',
        f'A team mate wrote to you:\n\n<teammate-message teammate_id="t">\n{WORDS}\n</teammate-message>',
        f'{ANOTHER}<agent-message from="a77">\n{WORDS}\n</agent-message>{FOOT}',
        ANOTHER + WORDS,
        f"The coordinator sent a message while you were working:\n{WORDS}\n\nAddress this before you go on.",
        f"A message arrived from plugin:chat while you were working:\n{WORDS}\n\nIMPORTANT: NOT from your user.",
        f"<task-notification>\n{WORDS}\n</task-notification>",
    ],
)
def test_the_message_of_another_session_is_a_machines(tmp_path: Path, text: str) -> None:
    """Also in versions that mark it in the text alone, with a line of the program before it and behind it."""
    lines = ClaudeLines()
    lines.user(text)
    assert ["machine"] == [origin for origin, _ in said(lines.read(tmp_path))]


@table(
    ("text", "words"),
    [
        ("Another Claude session sent a message: what does that mean?",) * 2,
        ("The customer sent a message:\nWe like the blue one.",) * 2,
        (f"A thing came up while you were working:\n{WORDS}",) * 2,
        (MEANWHILE + WORDS, WORDS),
        (
            f"{MEANWHILE}{WORDS}\n\nIMPORTANT: After completing your current task, you MUST address the message.",
            WORDS,
        ),
        (f"The user sent the following message:\n{WORDS}\n\nPlease address this message and continue.", WORDS),
    ],
)
def test_a_persons_words_stay_the_persons(tmp_path: Path, text: str, words: str) -> None:
    """A person can speak of such messages; what the program writes around a late prompt is cut off."""
    lines = ClaudeLines()
    lines.user(text)
    assert [("owner", words)] == said(lines.read(tmp_path))


def queued(*operations: tuple[str, str]) -> ClaudeLines:
    """A session with these operations on the queue, and an answer behind them."""
    lines = ClaudeLines()
    lines.user("hello")
    for operation, content in operations:
        lines.add({"type": "queue-operation", "operation": operation} | ({"content": content} if content else {}))
    return lines


def test_a_prompt_that_was_lost_on_the_way_stands_in_the_queue(tmp_path: Path) -> None:
    """The program took it, and wrote no message: the words, the place and the time are those of the queue."""
    lines = queued(("enqueue", WORDS), ("dequeue", ""))
    lines.assistant("Still at it.")
    session = lines.read(tmp_path)
    assert [("owner", "hello"), ("owner", WORDS), ("assistant", "Still at it.")] == said(session)
    assert [1, 2, 4] == [message.number for message in session.messages]
    assert len({name for message in session.messages for name in message.entry_ids}) == 3


@table(
    "operations",
    [
        [("enqueue", WORDS)],
        [("enqueue", WORDS), ("popAll", "")],
        [("enqueue", WORDS), ("remove", "")],
        [("enqueue", WORDS), ("popAll", ""), ("dequeue", "")],
        [("enqueue", "<task-notification>\ndone\n</task-notification>"), ("dequeue", "")],
    ],
)
def test_other_prompts_in_the_queue_are_no_messages(tmp_path: Path, operations: list[tuple[str, str]]) -> None:
    """What still waits, what the person took back, and what a program put there."""
    lines = queued(*operations)
    lines.assistant("Still at it.")
    assert [("owner", "hello"), ("assistant", "Still at it.")] == said(lines.read(tmp_path))


def test_a_prompt_that_arrived_counts_once(tmp_path: Path) -> None:
    """Its message follows; at the end of a file it may still be on its way."""
    lines = queued(("enqueue", WORDS), ("dequeue", ""))
    assert [("owner", "hello")] == said(lines.read(tmp_path))
    lines.user(WORDS)
    lines.assistant("Noted.")
    assert [("owner", "hello"), ("owner", WORDS), ("assistant", "Noted.")] == said(lines.read(tmp_path))


def test_the_queue_of_a_program_is_no_persons(tmp_path: Path) -> None:
    """`claude -p` writes its prompts into the queue too."""
    lines = ClaudeLines(entrypoint="sdk-cli")
    lines.add({"type": "queue-operation", "operation": "enqueue", "content": WORDS})
    lines.add({"type": "queue-operation", "operation": "dequeue"})
    lines.assistant("Done.")
    assert [("assistant", "Done.")] == said(lines.read(tmp_path))
