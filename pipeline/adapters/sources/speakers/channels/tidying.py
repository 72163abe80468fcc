"""Foreign text among a person's words: hints, quoted messages, tags, and messages of others."""

import re
from collections.abc import Iterator

from pipeline.adapters.sources.speakers.channels.headers import read_header
from pipeline.adapters.sources.speakers.channels.metadata import read_block

_HINTS = re.compile(
    r"^[ \t]*+(?:\[(?:(?:[a-z]+ )?message[_ ]id|message_type|reply_to_message_id|media attached(?: \d+/\d+)?"
    r"|media): [^\n]*\]|\[media attached\]|"
    r"To send an image back, [^\n]*|\{\"(?:image|file|audio|media|sticker)_key\": ?\"[^\"\n]*\"[^\n]*\})"
    r"[ \t]*(?:\n|\Z)",
    re.MULTILINE,
)
_QUOTE = re.compile(r"^(?:ou_[0-9a-f]{32}: )?(?=\[Replying to)", re.MULTILINE)
_QUOTE_END = re.compile(r"\n\[/Replying\][ \t\r]*(?:\n|\Z)")
_REPLY_TAG = re.compile(r"\[\[ ?(?:reply_to_current|reply_to: ?[^\[\]\n]{0,200}|audio_as_voice) ?\]\][ \t]*")
_SIGN = re.compile(
    r"^[ \t>]*+(?:(?P<bracket>\[)|(?P<block>(?:Conversation info|Sender)(?: \(untrusted|: ⟦)))", re.MULTILINE
)
# What Feishu writes below the words: on mentions, on rights, on files.
_NOTES = re.compile(
    r"(?:\n[ \t]*+(?:\[System: [^\n]*\]|<attachments>\n(?:[ -][^\n]*\n)*+</attachments>)?[ \t]*+)++(?P<end>\Z)?"
)
_MENTIONS = re.compile(
    r"(?:(?:<@[!&]?\w+(?:\|[^<>\n]{0,100})?>|<at (?:user_)?id=\"[^\"<>\n]{0,100}\">[^<>\n]{0,100}</at>)\s*+)++"
)
_FORWARDED = re.compile(r"\[Forwarded from ", re.IGNORECASE)


def without_tags(text: str) -> str:
    """An assistant's text without the tags for the channel's delivery, and without media hints."""
    return without_hints(_REPLY_TAG.sub("", text)).strip() if "[" in text else text


def without_hints(text: str, *, leading: bool = False) -> str:
    """A text without its lines on media and ids; with `leading`, without those that it begins with.

    A picture or a file of Feishu is a line of JSON with its key.
    """
    if not leading:
        return _HINTS.sub("", text)
    place = 0
    while match := _HINTS.match(text, place):
        place = match.end()
    return text[place:]


def without_notes(text: str) -> str:
    """A text without the notes that a channel writes below the words."""
    runs = _NOTES.finditer(text) if text.endswith(("]", ">")) else ()
    return next((text[: run.start()] for run in runs if run["end"] is not None), text)


def without_mentions(text: str) -> str:
    """A text without the mentions that it begins with: who is called there is the agent."""
    mentions = _MENTIONS.match(text)
    return text[mentions.end() :] if mentions else text


def without_quotes(text: str) -> str:
    """A text without the message it replies to. The last end counts: what is quoted cannot end it early."""
    start = _QUOTE.search(text)
    if start is None:
        return text
    if text.startswith("[Replying to: ", start.end()):
        end = max(text.rfind('"]\n', start.end()), text.rfind('"]\r\n', start.end()))
        return text[: start.end()] + (text[end + 2 :].lstrip() if end >= 0 else "")
    ends = [*_QUOTE_END.finditer(text, start.end())]
    return text[: start.end()] + (text[ends[-1].end() :] if ends else "")


def foreign_part(text: str, senders: tuple[str, ...], *, any_sender: bool) -> int:
    """The place in these words where a message of another sender begins, with an envelope of its own; else the end.

    With `any_sender` every envelope counts, else one that names another than `senders`.
    """
    for place, named in _envelopes(text):
        if any_sender or named not in senders[:1]:
            return place
    return len(text)


def _envelopes(text: str) -> Iterator[tuple[int, str]]:
    """The places where a line begins like an envelope with a sender, and the sender."""
    for sign in _SIGN.finditer(text):
        if sign["block"]:
            if block := read_block(text[sign.start("block") :]):  # its label is of those that name the speaker
                yield sign.start(), "".join(block.senders[:1])
        elif _FORWARDED.match(text, sign.start("bracket")):
            yield sign.start(), ""
        elif (header := read_header(text, sign.start("bracket"))) and header.senders:
            yield sign.start(), header.senders[0]
