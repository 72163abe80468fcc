"""What channels wrap around a person's words before an agent sees them, and who they say is speaking."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass

from pipeline.adapters.sources.injections import without_injections
from pipeline.adapters.sources.records import mapping
from schemas.transcript import Origin

CHANNELS = (
    "WebChat|WhatsApp|Telegram|Signal|Slack|Discord|Google Chat|iMessage|SMS|Teams|Microsoft Teams|Matrix|Mattermost|"
    "Zalo|Zalo Personal|BlueBubbles|LINE|Feishu|Lark|WeChat|WeCom|QQ|QQBot|DingTalk|Nostr|IRC|Twitch|"
    "Nextcloud Talk|Tlon|Voice"
)
# Surfaces on the gateway's own host: no channel account speaks there.
LOCAL = frozenset({"openclaw-control-ui", "openclaw-tui", "gateway-client", "webchat-ui", "cli"})

_STAMP = r"(?:[A-Z][a-z]{2} )?\d{4}-\d\d-\d\d[ T]\d\d:\d\d(?::\d\d)?Z?(?: [\w/+:-]{1,40})?"
_ELAPSED = r"\+\d+[smhdw]"
_HEADER = re.compile(
    rf"\[(?:(?P<channel>{CHANNELS})(?P<who> [^\[\]\n]*?)?(?: {_ELAPSED})?(?: {_STAMP})?|{_STAMP}|"
    rf"[\w-]+(?P<other> [^\[\]\n]*?(?: id:\S+| {_ELAPSED})+) {_STAMP})\][ ]?"
)
_ID = re.compile(r"(?:\(@(?P<username>[\w.-]+)\) )?id:(?P<id>\S+)(?: topic:\S+)?\Z")
_NUMBER = re.compile(r"(?P<id>\+?\d{5,})")
_WHEN = re.compile(rf"(?: {_ELAPSED})*(?: {_STAMP})?\Z")
_LABEL = re.compile(r"(?P<label>[^\n:]{1,80}): ")
_IN_PARENTHESES = re.compile(r"\(@?([^()\n]+)\)\s*\Z")
_LONGEST_LABEL = 200
_LONGEST_HEADER = 400
_META = re.compile(r"[^\n]{0,100}(?:\(untrusted[^()\n]*\):|⟦openclaw:ctx⟧)[ \t]*(?:\n|\Z)")
_FENCE = re.compile(r"```json\n(?P<json>.*?)\n```[ \t]*(?:\n|\Z)\s*", re.DOTALL)
_TRAILING_CONTEXT = re.compile(
    r"^(?:Untrusted context \(metadata,|Context: ⟦openclaw:ctx⟧).*\Z", re.DOTALL | re.MULTILINE
)
_QUEUED = re.compile(r"\[Queued messages while agent was busy\]\s*")
_QUEUED_ITEM = re.compile(r"^---\nQueued #\d+[^\n]*(?:\n|\Z)", re.MULTILINE)
_HISTORY = "[Chat messages since your last reply - for context]"
_CURRENT = "[Current message - respond to this]"
_FROM = re.compile(r"^\[from: (?P<label>[^\n]*)\]\s*\Z", re.MULTILINE)
_EVENT = re.compile(r"System(?: \(untrusted\))?: \[[^\n]*(?:\n|\Z)(?:System(?: \(untrusted\))?:[^\n]*(?:\n|\Z))*\s*")
_HINTS = re.compile(
    r"^[ \t]*(?:\[(?:message_id|slack message id|media attached(?: \d+/\d+)?|media): [^\n]*\]|\[media attached\]|"
    r"To send an image back, [^\n]*)[ \t]*(?:\n|\Z)",
    re.MULTILINE,
)
_QUOTED = re.compile(
    r"^\[Replying to [^\n]*\]\n.*?^\[/Replying\][ \t]*(?:\n|\Z)|^\[Replying to [^\n]*\]\n.*\Z", re.DOTALL | re.MULTILINE
)
_FORWARDED = re.compile(r"\[Forwarded from |Forwarded message", re.IGNORECASE)
_ABORTED = re.compile(r"Note: The previous agent run was aborted by the user\.[^\n]*(?:\n|\Z)\s*")
_REPLY_TAG = re.compile(r"\[\[ ?(?:reply_to_current|reply_to: ?[^\[\]\n]{0,200}|audio_as_voice) ?\]\][ \t]*")


@dataclass
class Words:
    """What is left of a text. `senders` are all names the channel gives to whoever speaks, the surest first.

    `origin` is `OWNER` when a person speaks, whoever that is; `group` tells that others are in the room.
    """

    text: str
    senders: tuple[str, ...] = ()
    group: bool = False
    origin: Origin = Origin.OWNER
    metadata: int = 0


def unwrap(text: str) -> Iterator[Words]:
    """The words of each message that a user text holds: one, or several that waited while the agent was busy."""
    waiting = _QUEUED.match(text)
    if not waiting:
        yield _unwrap_one(text)
        return
    for item in _QUEUED_ITEM.split(text[waiting.end() :])[1:]:
        yield _unwrap_one(item.strip())


def without_tags(text: str) -> str:
    """An assistant's text without the tags that tell the channel how to deliver it, and without media hints."""
    return _HINTS.sub("", _REPLY_TAG.sub("", text)).strip() if "[" in text else text


def _unwrap_one(text: str) -> Words:
    words = Words(text)
    before = None
    while before != words.text and words.origin is Origin.OWNER:
        before = words.text
        _open(words)
    if words.origin is Origin.OWNER:
        _tidy(words)
    return words


def _open(words: Words) -> None:
    """Takes one layer off the front of the words."""
    if "<" in words.text or not words.text:
        words.text, cut = without_injections(words.text)
        if not words.text:
            words.origin = cut
            return
    if words.text[0] in "[ \n\tNST":
        words.text = _lead(_ABORTED, _lead(_HINTS, _lead(_EVENT, words.text))).lstrip()
        if words.text.startswith(_HISTORY):
            words.group = True
            words.text = words.text.rpartition(_CURRENT)[2].lstrip()
        if header := _HEADER.match(words.text, 0, _LONGEST_HEADER):
            words.text = words.text[header.end() :]
            _read_header(words, header)
            return
    start = words.text[:_LONGEST_LABEL]
    if ("ntrusted" in start or "⟦" in start) and (meta := _META.match(words.text)):
        _read_meta(words, meta)


def _lead(pattern: re.Pattern[str], text: str) -> str:
    while found := pattern.match(text):
        text = text[found.end() :]
    return text


def _read_header(words: Words, header: re.Match[str]) -> None:
    who = _WHEN.sub("", header["who"] or header["other"] or "").strip()
    if named := _ID.search(who):
        words.group = words.group or named["id"].startswith("-")
        words.senders = words.senders or _names(named["id"], named["username"])
    elif number := _NUMBER.fullmatch(who):
        words.senders = words.senders or _names(number["id"])
    elif who:
        words.senders = words.senders or _label(who)
    if words.group:
        words.senders = ()
        if label := _LABEL.match(words.text):
            words.text = words.text[label.end() :]
            words.senders = _label(label["label"])


def _read_meta(words: Words, meta: re.Match[str]) -> None:
    """Takes off a block of metadata: JSON in a fence, or lines up to the first empty one."""
    forwarded = _FORWARDED.match(meta[0])
    body = words.text[meta.end() :]
    if fence := _FENCE.match(body):
        _read_fields(words, fence["json"])
        words.text = body[fence.end() :]
    elif body.startswith("```"):
        words.text, words.origin = "", Origin.MACHINE
    else:
        words.text = body.partition("\n\n")[2].lstrip()
    if forwarded:
        words.origin = Origin.OTHER


def _read_fields(words: Words, text: str) -> None:
    try:
        fields = mapping(json.loads(text))
    except (ValueError, RecursionError):
        return
    words.metadata += 1
    words.group = words.group or fields.get("is_group_chat") is True or bool(fields.get("group_subject"))
    told = mapping(fields.get("sender")) or fields
    names = _names(fields.get("sender_id"), told.get("id"), told.get("e164"), told.get("username"))
    # Only the second block, and only about the same sender, may add a name: a third can be typed by whoever speaks.
    if not words.senders or (words.metadata == 2 and names[:1] == words.senders[:1]):  # noqa: PLR2004 - the second
        words.senders = tuple(dict.fromkeys(words.senders + names))


def _label(label: str) -> tuple[str, ...]:
    inside = _IN_PARENTHESES.search(label)
    # A name alone can be chosen by anybody: it tells senders apart, but is nobody's id.
    return _names(inside[1]) if inside else (f"name {label.strip()}",)


def _names(*found: object) -> tuple[str, ...]:
    names = (sender_name(str(name)) for name in found if isinstance(name, str | int) and name)
    return tuple(name for name in names if name and name not in LOCAL)


def sender_name(name: str) -> str:
    """A sender's id or user name in the one form that is compared: no channel before it, no `@`, small letters."""
    return name.strip().rpartition(":")[2].lstrip("@").casefold()


def _tidy(words: Words) -> None:
    text = words.text
    if "[" in text:
        if words.group and (told := _FROM.search(text)):
            text = text[: told.start()]
            words.senders = _label(told["label"])
        text = _QUOTED.sub("", _HINTS.sub("", text))
        text = _REPLY_TAG.sub("", text)
        if _FORWARDED.match(text.lstrip()) and text.lstrip().startswith("["):
            words.origin = Origin.OTHER
    if "ntext" in text:
        text = _TRAILING_CONTEXT.sub("", text)
    words.text = text.strip()
    if not words.text:
        words.origin = Origin.MACHINE
