"""The blocks of metadata that OpenClaw puts before a message: a label, and JSON in a fence or lines of context."""

import json
import re
from dataclasses import dataclass

from pipeline.adapters.sources.reading.records import Record, mapping
from pipeline.adapters.sources.speakers.channels.senders import LOCAL, names, nickname, user_names

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
        return _fenced(body, label, who=who, forwarded=forwarded)
    rest, sure = _below_rows(body)
    return MetadataBlock(rest, who=who, forwarded=forwarded, sure=sure and not who)


def _below_rows(body: str) -> tuple[str, bool]:
    """What stands below rows of earlier messages, and whether it surely is the message: rows are of one line each.

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


def _fenced(body: str, label: str, *, who: bool, forwarded: bool) -> MetadataBlock:
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
    return _named(rest, label, mapping(value)) if who else MetadataBlock(rest, forwarded=forwarded, fenced=True)


def _named(rest: str, label: str, fields: Record) -> MetadataBlock:
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
