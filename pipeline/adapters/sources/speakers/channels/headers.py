"""The header in brackets that a channel puts before a message: `[Telegram Tom (@tom) id:411 2026-02-02 15:03 UTC]`."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from pipeline.adapters.sources.speakers.channels.senders import CHANNELS, names, nickname, sender_name, user_names

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
    header = _named(who, chosen, channel[0] if channel else "")
    return Header(
        start + 1 + chosen.end() + line.startswith(" ", chosen.end()),
        header.senders,
        "(sender)" if ":" in who else who,
        header.room,
        header.handle,
        header.sure and not _has_other_reading(header.senders, others, stamped=bool(chosen["stamp"])),
    )


def _header_closing(line: str, closings: Sequence[re.Match[str]]) -> re.Match[str] | None:
    """Where the header of a known channel ends: at the first bracket, or, when a name has brackets, at the first id."""
    if closings and "[" not in line[: closings[0].end()]:
        return closings[0]
    return next((closing for closing in closings if closing["id"]), None)


def _unknown_closing(line: str, closings: Sequence[re.Match[str]]) -> re.Match[str] | None:
    """Where the header of a channel that is not known ends, if it has all that a header has."""
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


def _named(who: str, closing: re.Match[str], channel: str) -> Header:
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


def _has_other_reading(senders: tuple[str, ...], others: Sequence[re.Match[str]], *, stamped: bool) -> bool:
    """Whether the header could also end later on its line, and then name another person: a name can hold brackets."""
    return any(_is_other(closing, senders, stamped=stamped) for closing in others)


def _is_other(closing: re.Match[str], senders: tuple[str, ...], *, stamped: bool) -> bool:
    stamp = closing["stamp"]
    if closing["id"] and (stamp or not stamped):
        return sender_name(closing["id"]) not in senders[:1]
    if closing["number"] and stamp:
        return sender_name(closing["number"]) not in senders[:1]
    return bool(stamp) and not stamp.startswith("[")
