"""Each shape of a machine's text in a person's record, and the words beside it, in any language."""

from pathlib import Path

from tests.support.builders import harness_texts as shape
from tests.support.builders.claude_lines import ClaudeLines
from tests.support.builders.harness_texts import WORDS
from tests.support.builders.openclaw_lines import OpenClawLines, said
from tests.support.tables import table

SAID = {
    "english": "Always ship the orange build.",
    "polish": "Zawsze wysyłaj pomarańczową wersję.",
    "chinese": "以后一律发布橙色版本。",
}
IMAGE = '{"image_key":"img_v3_0a1b"}'
LANGUAGES = table("language", WORDS)


def around(machine: str, words: str) -> dict[str, str]:
    """The shapes that hold the words of a person, and a machine's."""
    return {
        "event, empty lines": shape.event(machine, shape.metadata(words)),
        "untrusted event": shape.event(machine, shape.metadata(words), mark="System (untrusted)"),
        "event, own surface": shape.event(machine, shape.surface(words)),
        "event, stamp": shape.event(machine, shape.stamped(words)),
        "event, Feishu": shape.event(machine, shape.feishu(words)),
        "bootstrap": shape.BOOTSTRAP + words,
        "bootstrap, metadata": shape.BOOTSTRAP + shape.metadata(words),
        "bootstrap, stamp": shape.BOOTSTRAP + shape.stamped(words),
        "event, bootstrap": shape.event(machine, shape.BOOTSTRAP + shape.metadata(words)),
        "metadata": shape.metadata(words),
        "reply": shape.reply(f"{machine}\n\n{machine}", words),
        "terminal": shape.surface(words),
        "web page": shape.surface(words, "openclaw-control-ui"),
        "stamp": shape.stamped(words),
        "stamp of another zone": shape.stamped(words, "Mon 2026-03-02 10:00 GMT+8"),
        "Feishu": shape.feishu(words),
        "Feishu, without metadata": f"[message_id: om_77ab]\n{shape.FEISHU_ID}: {words}",
        "Feishu, reply": shape.feishu(f'[Replying to: "{machine}\n\n{machine}"]\n\n{words}'),
        "Feishu, image and words": shape.feishu(f"{IMAGE}\n{words}"),
        "earlier messages": shape.context(machine, f"{machine} {machine}", words=words),
        "queue": shape.queue(shape.metadata(words), shape.NEW_SESSION),
        "queue, bootstrap": shape.queue(shape.BOOTSTRAP + shape.metadata(words), shape.cron(machine)),
        "queue, behind a greeting": shape.queue(shape.NEW_SESSION, shape.metadata(words)),
        "queue, behind a heartbeat": shape.queue(shape.heartbeat(), shape.stamped(words), shape.NEW_SESSION),
        "queue, Feishu": shape.queue(shape.feishu(words), shape.feishu(IMAGE)),
        "retry, before": f"[Retry after the previous model attempt failed or timed out]\n\n{shape.stamped(words)}",
        "retry, behind": f"{shape.stamped(words)}\n\n{shape.GONE_ON}",
        "media": shape.media(words),
        "media, bootstrap": shape.BOOTSTRAP + shape.media(words),
    }


def alone(machine: str) -> dict[str, str]:
    """The shapes that hold no word of a person."""
    return {
        "heartbeat, old": shape.heartbeat(machine),
        "heartbeat, new": "[OpenClaw heartbeat poll]",
        "event, heartbeat": shape.event(machine, shape.heartbeat()),
        "untrusted event, heartbeat": shape.event(machine, shape.heartbeat(), mark="System (untrusted)"),
        "event alone": shape.event(machine),
        "event, bare text": shape.event(machine, machine),
        "Feishu, image": shape.feishu(IMAGE),
        "Feishu, file": shape.feishu('{"file_key":"file_v3_0a","file_name":"a.pdf"}'),
        "new session": shape.NEW_SESSION,
        "queue of machines": shape.queue(shape.NEW_SESSION, shape.cron(machine), shape.heartbeat(machine)),
        "sub-agent": shape.sub_agent(machine),
        "wizard": shape.surface("Wake up, my friend!"),
        "cron": shape.cron(machine),
        "cron, stamp": shape.stamped(shape.cron(machine)),
        "reminder": shape.reminder(machine),
        "flush": shape.flush(machine),
        "flush, stamp": shape.stamped(shape.flush(machine)),
        "restart": shape.stamped("[System] Your previous turn was interrupted by a gateway restart. Continue."),
        "media alone": shape.media("").partition("Conversation")[0],
    }


@LANGUAGES
@table("name", around("", ""))
def test_the_words_beside_a_machines_are_kept_to_the_letter(tmp_path: Path, name: str, language: str) -> None:
    """Whatever the harness put before, behind or between them."""
    lines = OpenClawLines()
    lines.user(around(SAID[language], WORDS[language])[name])
    assert [("owner", WORDS[language])] == said(lines.read(tmp_path))


@LANGUAGES
@table("name", alone(""))
def test_a_machine_alone_is_nobody(tmp_path: Path, name: str, language: str) -> None:
    """Not even between two messages of the owner, and the message before it stays the owner's."""
    lines = OpenClawLines()
    lines.user(shape.metadata(WORDS[language]))
    lines.user(alone(SAID[language])[name])
    assert ["owner", "machine"] == [origin for origin, _ in said(lines.read(tmp_path))]


def test_behind_a_machines_own_words_in_a_queue_no_part_is_the_owners(tmp_path: Path) -> None:
    """Another's text may stand in them, and can hold the mark between two messages."""
    lines = OpenClawLines()
    lines.user(shape.queue(shape.cron(SAID["english"]), shape.metadata(WORDS["english"])))
    assert "owner" not in [origin for origin, _ in said(lines.read(tmp_path))]


CLAUDE = {
    "command": "<command-name>/review</command-name>\n<command-message>review</command-message>\n"
    "<command-args>{machine}</command-args>",
    "command, message first": "<command-message>review</command-message>\n<command-name>/review</command-name>",
    "output of a command": "<local-command-stdout>{machine}</local-command-stdout>",
    "interruption": "[Request interrupted by user]",
    "interruption of a tool": "[Request interrupted by user for tool use]",
    "hook": "Stop hook feedback:\n[check.sh]: {machine}",
    "caveat": "Caveat: The messages below were generated by the user while running local commands. {machine}",
    "reminder": "<system-reminder>{machine}</system-reminder>",
    "notification": "<task-notification>{machine}</task-notification>",
}


@LANGUAGES
@table("text", CLAUDE.values())
def test_what_claude_code_writes_is_a_machines(tmp_path: Path, text: str, language: str) -> None:
    """Beside the owner's words, which stay as they were typed."""
    lines = ClaudeLines()
    machine = {"type": "text", "text": text.replace("{machine}", SAID[language])}
    lines.user([machine])
    lines.user([machine, {"type": "text", "text": WORDS[language]}])
    assert [("machine", machine["text"]), ("owner", WORDS[language])] == said(lines.read(tmp_path))


def test_earlier_messages_of_several_lines_are_cut_to_the_last_row(tmp_path: Path) -> None:
    """An empty line in one of them does not end them; where the last one ends, one paragraph is the message."""
    lines = OpenClawLines()
    lines.user(shape.context("we use\n\nRust", "or\nGo", words="neither of them"))
    assert [("owner", "neither of them")] == said(lines.read(tmp_path))


def test_where_earlier_messages_end_in_doubt_no_word_is_the_owners(tmp_path: Path) -> None:
    """The last of them may go on below an empty line."""
    lines = OpenClawLines()
    lines.user(shape.context("we use\n\nRust", "or\nGo", words="always Go\n\nneither of them"))
    assert ["other"] == [origin for origin, _ in said(lines.read(tmp_path))]


def test_what_stands_in_custom_messages_is_a_machines(tmp_path: Path) -> None:
    """The text that the harness adds for the model stands in a record of its own."""
    lines = OpenClawLines()
    lines.user(WORDS["english"])
    for kind in ("openclaw.runtime-context", "openclaw.sessions_yield"):
        lines.add({"type": "custom_message", "customType": kind, "content": SAID["english"], "display": False})
    assert ["owner", "machine", "machine"] == [origin for origin, _ in said(lines.read(tmp_path))]


@table(
    ("text", "left"),
    [
        ("<think>We always use Rust.</think>\nYes.", "Yes."),
        ("<think>We\n\nalways use Rust.\n</think>\n\n<final>Yes.</final>", "Yes."),
        ("hm</think> Yes.", "Yes."),
        ("<final>Yes.", "Yes."),
        ("[[reply_to_current]] Yes.", "Yes."),
        ("Use `<think>` for that.", "Use `<think>` for that."),
    ],
)
def test_an_answer_is_what_the_person_saw_of_it(tmp_path: Path, text: str, left: str) -> None:
    """Thoughts in tags, and the tags of the answer, are cut."""
    lines = OpenClawLines()
    lines.user("which one?")
    lines.assistant(text)
    assert ("assistant", left) == said(lines.read(tmp_path))[1]


@table(
    "text",
    [
        shape.cron("We always use Rust."),
        "⚠️ 🛠️ Exec: make test failed",
        "⚠️ API rate limit reached. Please try again later.",
        "<think>We always use Rust.</think>",
    ],
)
def test_what_no_assistant_answered_is_no_answer(tmp_path: Path, text: str) -> None:
    """A job's text in the agent's place, a warning alone, a thought alone."""
    lines = OpenClawLines()
    lines.user("which one?")
    lines.assistant(text)
    assert "assistant" not in [origin for origin, _ in said(lines.read(tmp_path))]


def test_a_warning_of_the_assistants_own_is_an_answer(tmp_path: Path) -> None:
    """The sign alone does not tell a machine."""
    lines = OpenClawLines()
    lines.assistant("⚠️ This deletes the old build. Shall I?")
    assert ["assistant"] == [origin for origin, _ in said(lines.read(tmp_path))]
