"""What OpenClaw writes into records that stand in a person's place: around a person's words, or alone.

Each function gives one shape. `said` is what the machine says in it, `words` what a person typed.
"""

import json

WORDS = {
    "english": "The dentist is on 5 May at 9:00.\n\nBook nothing else that morning.",
    "polish": "Dentysta jest 5 maja o 9:00.\n\nNie umawiaj wtedy nic innego.",
    "chinese": "牙医预约在五月五日上午九点。\n\n那天上午别安排别的。",
}
STAMP = "Mon 2026-03-02 10:00 PDT"
CLOCK = "Current time: Monday, March 2nd, 2026 - 10:00 AM (Europe/Warsaw)"
CLOCK_UTC = f"{CLOCK} / 2026-03-02 09:00 UTC"
BOOTSTRAP = (
    "[Bootstrap pending]\n"
    "Please read BOOTSTRAP.md from the workspace and follow it before replying normally.\n"
    "If this run can complete the BOOTSTRAP.md workflow, do so.\n"
    "If it cannot, explain the blocker briefly, and offer the simplest next step.\n"
    "Your first user-visible reply must follow BOOTSTRAP.md, not a generic greeting.\n\n"
)
NEW_SESSION = (
    "A new session was started via /new or /reset. Greet the user in your configured persona, in 1-3 sentences. "
    f"Do not mention internal steps, files, tools, or reasoning.\n{CLOCK_UTC}"
)
FEISHU_ID = "ou_" + "0a" * 16
GONE_ON = (
    "The previous attempt did not produce a user-visible answer. Continue from the current state and produce the "
    "visible answer now. Do not restart from scratch."
)


def heartbeat(said: str = "") -> str:
    """The poll of older builds."""
    return (
        "Read HEARTBEAT.md if it exists (workspace context). Follow it strictly. Do not infer or repeat old tasks from "
        f"prior chats. {said} If nothing needs attention, reply HEARTBEAT_OK.\n"
        f"When reading HEARTBEAT.md, use workspace file /srv/agent/HEARTBEAT.md (exact case).\n{CLOCK}"
    )


def block(label: str, /, **fields: object) -> str:
    """A block of metadata."""
    return f"{label}:\n```json\n{json.dumps(fields, indent=2, ensure_ascii=False)}\n```\n\n"


def metadata(words: str) -> str:
    """A message of Telegram."""
    info = block(
        "Conversation info (untrusted metadata)",
        chat_id="telegram:411",
        message_id="77",
        sender_id="411",
        sender="Tom",
        timestamp=STAMP,
    )
    return (
        info + block("Sender (untrusted metadata)", label="Tom (411)", id="411", name="Tom", username="tom_b") + words
    )


def reply(said: str, words: str) -> str:
    """A message that answers an earlier one."""
    return metadata(block("Replied message (untrusted, for context)", body=said) + words)


def surface(words: str, name: str = "openclaw-tui") -> str:
    """A message that was typed in a surface of the gateway's own."""
    return block("Sender (untrusted metadata)", label=name, id=name) + stamped(words)


def stamped(words: str, stamp: str = STAMP) -> str:
    """A text with a time alone before it: a person's, or a sub-agent's task."""
    return f"[{stamp}] {words}"


def event(said: str, after: str = "", mark: str = "System") -> str:
    """An event of the gateway, with an empty line in it, and what stands behind it."""
    lines = f"[2026-03-02 10:00:00 UTC] {said}\n\n{said}".split("\n")
    return "\n".join(f"{mark}: {line}" for line in lines) + (f"\n\n{after}" if after else "")


def feishu(words: str, name: str = FEISHU_ID, **fields: str) -> str:
    """A message of Feishu: the name before the words is the sender's, or the id of one without a name."""
    info = block("Conversation info (untrusted metadata)", timestamp=STAMP, **fields)
    return f"{info}[message_id: om_77ab]\n{name}: {words}"


def context(*earlier: str, words: str) -> str:
    """A message of Telegram with earlier messages of the chat."""
    rows = "\n".join(f"#{number} {STAMP} Tom: {text}" for number, text in enumerate(earlier, 70))
    label = "Conversation context (untrusted, chronological, selected for current message):"
    return metadata(f"{label}\n{rows}\n\n{words}")


def queue(*parts: str) -> str:
    """Messages that waited while the agent was busy."""
    items = "\n\n".join(f"---\nQueued #{number}\n{part}" for number, part in enumerate(parts, 1))
    return f"[Queued messages while agent was busy]\n\n{items}"


def cron(said: str) -> str:
    """A scheduled job."""
    return (
        f"[cron:5f0c1a52-7be1-4a3e-9a39-1f2e3d4c5b6a morning] {said}\n{CLOCK}\n\n"
        "Return your summary as plain text; it will be delivered automatically."
    )


def reminder(said: str) -> str:
    """A reminder, behind its event."""
    return event(
        said,
        f"A scheduled reminder has been triggered. The reminder content is:\n\n{said}\n\n"
        f"Please relay this reminder to the user in a helpful and friendly way.\n{CLOCK}",
    )


def flush(said: str) -> str:
    """What asks for memories before a compaction."""
    return (
        f"Pre-compaction memory flush. Store durable memories now (use memory/2026-03-02.md). IMPORTANT: {said} "
        f"If nothing to store, reply with NO_REPLY.\n{CLOCK}"
    )


def sub_agent(said: str) -> str:
    """A sub-agent's task with its marks."""
    return stamped(
        "[Subagent Context] You are running as a subagent (depth 1/1). Results auto-announce to your requester.\n\n"
        f"[Subagent Task]\n\n{said}\n\nBegin. Execute the assigned task to completion."
    )


def media(words: str) -> str:
    """A message with a picture."""
    return (
        "[media attached: /srv/agent/media/a.jpg (image/jpeg) | /srv/agent/media/a.jpg]\n"
        "To send an image back, prefer the message tool (media/path/filePath). Keep caption in the text body.\n"
        f"{metadata(words)}"
    )
