"""The header in brackets that a channel puts before a message: `[Telegram Tom (@tom) id:411 2026-02-02 15:03 UTC]`."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass

from pipeline.adapters.sources.reading.records import Record, mapping

CHANNELS = (
    "WebChat|WhatsApp|Telegram|Signal|Slack|Discord|Google Chat|iMessage|SMS|Teams|Microsoft Teams|Matrix|Mattermost|"
    "Zalo|Zalo Personal|BlueBubbles|LINE|Feishu|Lark|WeChat|WeCom|QQ|QQBot|DingTalk|Nostr|IRC|Twitch|"
    "Nextcloud Talk|Tlon|Voice"
)
# Surfaces on the gateway's own host: no channel account speaks there.
LOCAL = frozenset({"openclaw-control-ui", "openclaw-tui", "gateway-client", "webchat-ui", "webchat", "cli"})

_BEFORE_AN_ID = frozenset(
    {*CHANNELS.lower().split("|"), "googlechat", "msteams", "user", "uuid", "direct", "dm", "phone", "tel"}
)
_NUMBER = re.compile(r"\+?\d+")
_IN_PARENTHESES = re.compile(r"\(@?([^()\n]+)\)\s*\Z")


def sender_name(name: str) -> str:
    """A sender's id or user name in the one form that is compared: no channel before it, no `@`, small letters.

    Only the name of a channel is cut: in the ids of Matrix and IRC what stands before a colon is the person.
    """
    name = name.strip()
    while ":" in name:
        before, _, rest = name.partition(":")
        if before.lower() not in _BEFORE_AN_ID:
            break
        name = rest
    name = name.lstrip("@")
    # Other letters have look-alikes that become equal when they are made small.
    return name.lower() if name.isascii() else name


def names(*values: object) -> tuple[str, ...]:
    """The names among these values, each in the form that is compared."""
    said = (sender_name(str(name)) for name in values if isinstance(name, str | int) and name)
    return tuple(name for name in said if name)


def user_names(*values: object) -> tuple[str, ...]:
    """The names among chosen names: one that looks like a number could be another person's id elsewhere."""
    return tuple(name for name in names(*values) if not _NUMBER.fullmatch(name))


def is_number(name: str) -> bool:
    """Whether a name is a number, as ids and telephone numbers are."""
    return _NUMBER.fullmatch(name) is not None


def nickname(name: str) -> str:
    """A name that anybody can choose: it distinguishes senders, but is no id."""
    return f"name {name.strip()}"


def sender_in_label(label: str) -> tuple[str, ...]:
    """The sender in a label before or after the words. It may be a chosen name from end to end, so it is no proof."""
    inside = _IN_PARENTHESES.search(label[-200:])
    return names(inside[1]) if inside else (nickname(label),)


LONGEST_HEADER = 4_000

_STAMP = r"(?:[A-Z][a-z]{2} )?\d{4}-\d\d-\d\d[ T]\d\d:\d\d(?::\d\d)?Z?(?: [\w/+:-]{1,40})?"
_OPENING = re.compile(rf"(?:{CHANNELS})(?=[ \]])")
_LOCAL = re.compile(rf"{_STAMP}\][ ]?")
_UNKNOWN = re.compile(r"[\w-]+ ")
# A bracket that closes, and the words of a header before it. The sender's name stands left of that.
_CLOSING = re.compile(
    rf"(?: id:(?P<id>[^\s\]]+)(?: topic:[^\s\]]+)?| (?P<number>\+?\d{{5,}}))?(?P<elapsed>(?: \+\d+[smhdw])*)"
    rf"(?P<stamp>[ \[]{_STAMP})?\]"
)
_HANDLE = re.compile(r"\(@([\w.-]+)\)\Z")
_ROOM = re.compile(
    r"(?:^|\s)#\S|(?:^|\s)(?:group|channel|thread|room|space|guild|community)(?: id:\S+)?\Z|@g\.us\b|"
    r"\bid:(?:-|!|group:|channel:|room:|chat:|chat_id:|chat_guid:|conversation:|thread:|space|oc_|19:|[CG][A-Z0-9]{8,}\Z|\S{20,}=\Z)",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Header:
    """A header that was read: the words begin at `end`. `senders`: the names in it, the surest first.

    `label`: the name that newer versions write once more before the words. `room`: others are there, and `senders` are
    not the speaker. `handle`: the names after the first may be part of a chosen name. Without `sure` the name in
    the header is uncertain; `end` is then the start, or a guess.
    """

    end: int
    senders: tuple[str, ...] = ()
    label: str = ""
    room: bool = False
    handle: bool = False
    sure: bool = True


def read_header(text: str, start: int = 0) -> Header | None:
    """The header that begins at a bracket in a text; `None` when what stands there is no header."""
    line = text[start + 1 : start + LONGEST_HEADER].partition("\n")[0]
    if local := _LOCAL.match(line):
        return Header(start + 1 + local.end())
    closings = [*_CLOSING.finditer(line)]
    channel = _OPENING.match(line)
    chosen = _header_closing(line, closings) if channel else _unknown_closing(line, closings)
    if chosen is None:
        unread = channel or _is_closed_by_a_stamp(line, closings)
        return Header(start, sure=False) if unread else None
    who = line[channel.end() if channel else line.index(" ") : chosen.start()].strip()
    others = closings[closings.index(chosen) + 1 :]
    header = _header_of(who, chosen, channel[0] if channel else "")
    # A name can hold brackets, so the header could also end later on its line, and then name another person.
    return Header(
        start + 1 + chosen.end() + line.startswith(" ", chosen.end()),
        header.senders,
        "(sender)" if ":" in who else who,
        header.room,
        header.handle,
        header.sure
        and not any(_is_other(closing, header.senders, stamped=bool(chosen["stamp"])) for closing in others),
    )


def _header_closing(line: str, closings: Sequence[re.Match[str]]) -> re.Match[str] | None:
    """The end of the header of a known channel: at the first bracket, or, when a name has brackets, at the first id."""
    if closings and "[" not in line[: closings[0].end()]:
        return closings[0]
    return next((closing for closing in closings if closing["id"]), None)


def _unknown_closing(line: str, closings: Sequence[re.Match[str]]) -> re.Match[str] | None:
    """The end of the header of a channel that is not known, if it has all that a header has."""
    if not closings or not _UNKNOWN.match(line):
        return None
    first = closings[0]
    whole = first["stamp"] and (first["id"] or first["elapsed"]) and "[" not in line[: first.end()]
    return first if whole else None


def _is_closed_by_a_stamp(line: str, closings: Sequence[re.Match[str]]) -> bool:
    """Whether the bracket before this line is closed as headers are: by a time or an id, before anything else is."""
    depth, place, lowest = 1, 0, 0  # `lowest`: the depth at which a bracket closes none of those inside
    for closing in closings:
        depth += line.count("[", place, closing.end()) - 1
        place = closing.end()
        if depth <= lowest:
            if closing["stamp"] or closing["id"]:
                return True
            depth, lowest = 0, -1
    return False


def _header_of(who: str, closing: re.Match[str], channel: str) -> Header:
    whole = f"{who} id:{closing['id']}" if closing["id"] else f"{who} {closing['number'] or ''}".strip()
    room = _ROOM.search(whole) is not None
    if closing["id"]:
        handle = _HANDLE.search(who)
        return Header(0, names(closing["id"]) + user_names(handle and handle[1]), room=room, handle=handle is not None)
    if closing["number"] and not who:
        return Header(0, names(closing["number"]), room=room)
    if whole:
        # An unknown channel without an id names no sender.
        return Header(0, (nickname(whole),), room=room, sure=bool(channel))
    return Header(0) if channel == "WebChat" else Header(0, (nickname(""),))


def _is_other(closing: re.Match[str], senders: tuple[str, ...], *, stamped: bool) -> bool:
    stamp = closing["stamp"]
    if closing["id"] and (stamp or not stamped):
        return sender_name(closing["id"]) not in senders[:1]
    if closing["number"] and stamp:
        return sender_name(closing["number"]) not in senders[:1]
    return bool(stamp) and not stamp.startswith("[")


_LABEL = re.compile(
    r"(?P<label>[A-Za-z][^\n:()\[\]]{0,80}?) ?(?:\(untrusted[^()\n]{0,200}\):|(?:\([^()\n]{0,200}\))?: ?⟦openclaw:ctx⟧)"
    r"(?P<end>[ \t\r]*(?:\n|\Z))?"
)
_OPEN_FENCE = re.compile(r"```json[ \t\r]*\n\s*")
_CLOSED_FENCE = re.compile(r"\s*\n[ \t]*```[ \t\r]*(?:\n\s*|\Z)")
# The id, the time, a reply's mark, the name and the words of an earlier message.
_ROW = re.compile(r"^#\S{1,80} (?:[A-Z][a-z]{2} )?\d{4}-\d\d-\d\d \d\d:\d\d[^\n]{0,200}?: ", re.MULTILINE)
_WHO = frozenset({"conversation info", "sender"})
_GROUP = ("group_subject", "group_channel", "group_space", "conversation_label", "thread_label")
_CHANNEL = ("chat_id", "message_id", "sender", "label", "name", "tag", "channel")
_LABELS = ("sender", "label", "name", "username", "tag", "id", "sender_id")
_DECODER = json.JSONDecoder()


@dataclass(frozen=True)
class MetadataBlock:
    """A block of metadata, and the `rest` of the text after it.

    `who`: the block names the speaker. Then `senders` are the names in it, the surest first, and `labels` all that a
    channel may write before the words; `local`: the speaker sits
    at the gateway's own host; `room`: others are there; `unnamed`: a channel speaks for an unnamed person. `fenced`: it
    holds JSON, whose end is sure. `open_end`: the block does not end. `inline`: there is more text on the line of its
    label. Without `sure` it cannot be read, or its end is not known.
    """

    rest: str
    senders: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    who: bool = False
    local: bool = False
    room: bool = False
    unnamed: bool = False
    forwarded: bool = False
    fenced: bool = False
    open_end: bool = False
    inline: bool = False
    sure: bool = True


def read_block(text: str) -> MetadataBlock | None:
    """The block of metadata that a text begins with; `None` when it begins with none."""
    match = _LABEL.match(text)
    if match is None:
        return None
    label = match["label"].strip().lower()
    who = label in _WHO
    forwarded = label.startswith("forwarded message")
    body = text[match.end() :]
    if match["end"] is None:
        return MetadataBlock(body.lstrip(), who=who, forwarded=forwarded, inline=True, sure=False)
    if body.startswith("```"):
        return _parse_fenced(body, label, who=who, forwarded=forwarded)
    rest, sure = _below_rows(body)
    return MetadataBlock(rest, who=who, forwarded=forwarded, sure=sure and not who)


def _below_rows(body: str) -> tuple[str, bool]:
    """The text below rows of earlier messages, and whether it surely is the message: rows are of one line each.

    In rows of several lines an empty line ends nothing. Below the last one a single paragraph is the message, as each
    message has words; of several, the first may be of the row.
    """
    last = 0
    for row in _ROW.finditer(body):
        last = row.start()
    end = body.find("\n\n", last)
    rows, rest = (body, "") if end < 0 else (body[:end], body[end:].lstrip())
    single = all(line.startswith("#") for line in rows.splitlines())
    return rest, single or (_ROW.match(rows) is not None and bool(rest) and "\n\n" not in rest.strip())


def _parse_fenced(body: str, label: str, *, who: bool, forwarded: bool) -> MetadataBlock:
    opening = _OPEN_FENCE.match(body)
    if opening is None or "\n```" not in body:
        return MetadataBlock("", who=who, forwarded=forwarded, fenced=True, open_end=True)
    try:
        value, end = _DECODER.raw_decode(body, opening.end())
    except (ValueError, RecursionError):
        value, end = None, 0
    closing = _CLOSED_FENCE.match(body, end) if end else None
    if closing is None:
        rest = body.partition("\n```")[2].partition("\n")[2]
        return MetadataBlock(rest.lstrip(), who=who, forwarded=forwarded, fenced=True, sure=False)
    rest = body[closing.end() :]
    return (
        _named_in_metadata(rest, label, mapping(value))
        if who
        else MetadataBlock(rest, forwarded=forwarded, fenced=True)
    )


def _named_in_metadata(rest: str, label: str, fields: Record) -> MetadataBlock:
    sender = mapping(fields.get("sender")) or fields
    sender_ids = names(fields.get("sender_id"), sender.get("id"), sender.get("e164")) + user_names(
        sender.get("username")
    )
    senders = tuple(dict.fromkeys(sender_ids))
    local = senders[:1] != () and senders[0] in LOCAL and _is_at_home(label, fields)
    if label == "sender" and not senders:
        senders = (nickname(str(sender.get("name") or sender.get("label") or "")),)
    shown = (fields.get(key) or sender.get(key) for key in _LABELS)
    return MetadataBlock(
        rest,
        () if local else senders,
        tuple(name for name in shown if isinstance(name, str) and name),
        who=True,
        fenced=True,
        local=local,
        room=fields.get("is_group_chat") is True or any(bool(fields.get(key)) for key in _GROUP),
        unnamed=not senders and any(bool(fields.get(key)) for key in _CHANNEL),
    )


def _is_at_home(label: str, fields: Record) -> bool:
    """Whether a surface's name is the gateway's own and no channel's: anybody may call himself `cli` in a chat."""
    chat = fields.get("chat_id")
    return label == "sender" or not chat or (isinstance(chat, str) and chat.partition(":")[0].lower() in LOCAL)
