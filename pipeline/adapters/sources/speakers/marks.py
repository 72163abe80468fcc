"""The marks of text that no person wrote, although it stands in a person's place."""

import re

# A scheduler or the agent itself starts a turn; what follows, up to the next person, answers the machine.
_TURNS = (
    "[OpenClaw heartbeat poll]",
    "Read HEARTBEAT.md",
    "Consult HEARTBEAT.md",
    "Check HEARTBEAT.md",
    "Follow the heartbeat monitor",
    "[cron:",
    "[hook:",
    "[Scheduled Run]",
    "A scheduled reminder has been triggered",
    "A scheduled cron event was triggered",
    "An async command you ran earlier has completed",
    "A new session was started via /new or /reset",
    "[Inter-session message]",
    "[Internal task completion event]",
    "[Subagent Context]",
    "[Subagent Task]",
    "Agent-to-agent announce step",
    "Pre-compaction memory flush",
    "[Post-compaction",
    "Based on this conversation, generate a short",
    "SECURITY NOTICE: The following content is from an EXTERNAL",
    "<<<EXTERNAL_UNTRUSTED_CONTENT",
    "<<<BEGIN_OPENCLAW_INTERNAL_CONTEXT",
    "OpenClaw runtime context",
    "Wake up, my friend!",
)
_ASKS_FOR_TOKEN = re.compile(r"\breply (?:only |with |exactly )*`?(?:HEARTBEAT_OK|NO_REPLY)\b", re.IGNORECASE)
_OUTSIDE = "<<<EXTERNAL_UNTRUSTED_CONTENT"

# Whole texts of the gateway in which no word is anybody's, so that no one else can have typed what stands below them.
_CLOCK = r"\nCurrent time: [^\n]{1,200}(?:\nReference UTC: [^\n]{1,100})?"
_FIXED = re.compile(
    rf"A new session was started via /new or /reset\.[^\n]{{0,2000}}{_CLOCK}|\[OpenClaw heartbeat poll\]"
    rf"|Read HEARTBEAT\.md if it exists[^\n]{{0,2000}}(?:\nWhen reading HEARTBEAT\.md[^\n]{{0,1000}})?{_CLOCK}"
)

# A notice between two turns; the assistant's next text still answers the person before it.
_NOTICES = (
    "[System]",
    "[System Message]",
    "Continue where you left off. The previous model attempt failed",
    "[OpenClaw missing tool result]",
)
_CONTROLS = (
    "new|reset|start|help|commands|status|whoami|id|config|debug|usage|stop|abort|restart|compact|think|thinking|t|verbose|v|"
    "trace|fast|reasoning|elevated|elev|exec|model|models|queue|context|subagents|approve|allowlist|activation|send|tts|"
    "session|sessions|tools|agents|kill|steer|export|plugins|mcp|bash|acp|focus|unfocus|tree|fork|clone|name|resume|quit|login|logout"
)
_COMMAND = re.compile(rf"/(?:[a-z][\w:-]*|(?:{_CONTROLS})(?: [^\n]{{0,60}})?)\s*\Z", re.IGNORECASE)
_NEW = re.compile(r"/(?:new|reset)\s+(?=\S)", re.IGNORECASE)

_FAILURES = (
    "[assistant turn failed before producing content]",
    "⚠️ Something went wrong",
    "⚠️ Agent failed before reply",
    "⚠️ Context overflow",
    "⚠️ Model login failed",
    "[cron:",
)
_WARNS = re.compile(r"\b(?:failed|error|timed out|aborted|overloaded|limit reached)\b", re.IGNORECASE)
_TOKEN = re.compile(r"[\s*_`\"'.]*(?:HEARTBEAT_OK|NO_REPLY|ANNOUNCE_SKIP|REPLY_SKIP)[\s*_`\"'.!]*")
_TOKENS = ("HEARTBEAT_OK", "NO_REPLY")

# Claude Code: the first words of a user line that no person typed.
_CLAUDE = (
    "<command-name>",
    "<command-message>",
    "<command-args>",
    "<local-command-stdout>",
    "<local-command-stderr>",
    "<local-command-caveat>",
    "<bash-input>",
    "<bash-stdout>",
    "<bash-stderr>",
    "<task-notification>",
    "<agent-notification>",
    "<teammate-message",
    "Caveat: The messages below were generated",
    "Stop hook feedback:",
    "[Request interrupted by user",
    "[SYSTEM NOTIFICATION",
    "API Error:",
)
_LONGEST_MARK = max(len(mark) for mark in _CLAUDE)
_HOOK = re.compile(
    r"(?:PreToolUse|PostToolUse|Stop|SubagentStop|UserPromptSubmit|SessionStart|SessionEnd|PreCompact|Notification)"
    r"(?::\S{0,100})? hook "
)
TURN_TAGS = frozenset(mark.strip("<>") for mark in _CLAUDE if mark.startswith("<"))
SUMMARY = "This session is being continued from a previous conversation"


def starts_machine_turn(text: str) -> bool:
    """Whether a user text of OpenClaw is a scheduler's, a hook's or another agent's."""
    if text.startswith(_TURNS) or _OUTSIDE in text:
        return True
    return ("HEARTBEAT_OK" in text or "NO_REPLY" in text) and _ASKS_FOR_TOKEN.search(text) is not None


def is_fixed(text: str) -> bool:
    """Whether a user text of OpenClaw is the gateway's from its first sign to its last."""
    return _FIXED.fullmatch(text) is not None


def is_notice(text: str) -> bool:
    """Whether a user text of OpenClaw is a notice or a bare command to the gateway."""
    return text.startswith(_NOTICES) or (text.startswith("/") and _COMMAND.match(text) is not None)


def without_reset(text: str) -> str:
    """The words after `/new` or `/reset` in the same message."""
    return _NEW.sub("", text, count=1) if text[:1] == "/" and _NEW.match(text) else text


def is_failure(text: str) -> bool:
    """Whether an assistant's text only reports a failure, or is a job's, or says that it is empty."""
    if text.startswith("⚠") and all(_is_warning(line) for line in text.splitlines()):
        return True
    return text.startswith(_FAILURES) or _TOKEN.fullmatch(text) is not None


def _is_warning(line: str) -> bool:
    """Whether a line reports a failure, and asks nothing."""
    return not line.strip() or (line.startswith("⚠") and "?" not in line and _WARNS.search(line) is not None)


def without_thoughts(text: str) -> str:
    """An assistant's text without the thoughts before it, and without the tags of what it says."""
    if "<" not in text:
        return text
    _, closed, said = text.rpartition("</think>")
    if closed and not said.startswith("`"):
        text = said.strip()
    elif text.lstrip().startswith("<think>"):
        return ""
    if text.lstrip().startswith("<final>"):
        text = text.strip().removeprefix("<final>").removesuffix("</final>").strip()
    return text


def without_token(text: str) -> str:
    """An assistant's text without a silent token after it."""
    for token in _TOKENS:
        if text.endswith(token) and not text[: -len(token)][-1:].isalnum() and not text.endswith("_" + token):
            return text[: -len(token)].rstrip()
    return text


def is_claude_machine(text: str) -> bool:
    """Whether a user text of Claude Code was made by the program."""
    start = text[:_LONGEST_MARK]
    return (start.lower() if start[:1] == "<" else start).startswith(_CLAUDE) or _HOOK.match(text) is not None
