"""The envelopes that channels put around a person's words before an agent sees them, and the speaker they name.

Only the outermost envelope was written by the harness. Everything below it can be typed by the speaker: it is taken
off, but it never identifies the speaker, and when it names another person the words are nobody's for certain.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from pipeline.adapters.sources.speakers.headers import (
    MetadataBlock,
    nickname,
    read_block,
    read_header,
    sender_in_label,
)
from pipeline.adapters.sources.speakers.typed import leading_blocks, strip_unseen_start, without_injections
from schemas.transcript import Origin

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
_FORWARDED_MARK = re.compile(r"\[Forwarded from ", re.IGNORECASE)


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
        elif _FORWARDED_MARK.match(text, sign.start("bracket")):
            yield sign.start(), ""
        elif (header := read_header(text, sign.start("bracket"))) and header.senders:
            yield sign.start(), header.senders[0]


_MOST_LAYERS = 40
_LONGEST_LABEL = 400
_QUEUED = "[Queued messages while agent was busy]"
_QUEUED_ITEM = re.compile(r"^---\nQueued #\d+(?: \(from (?P<name>[^\n]*)\))?[^\n]*(?:\n|\Z)", re.MULTILINE)
_HISTORY = "[Chat messages since your last reply - for context]"
_CURRENT = "[Current message - respond to this]"
_LAYER = re.compile(r"[\[<]|System|Note:|[^\n]{0,400}(?:\(untrusted|⟦)|ou_")
_NO_HEADER = ("[[", "[Replying to", "[Forwarded ")
_EVENT = re.compile(r"System(?: \(untrusted\))?: \[")
_EVENT_LINES = re.compile(r"(?:System(?: \(untrusted\))?:[^\n]*(?:\n|\Z))+")
_BEFORE = re.compile(
    r"Note: The previous agent run was aborted by the user\.[^\n]*(?:\n|\Z)\s*|"
    r"\[Bootstrap pending\]\n(?:[^\n]+(?:\n|\Z))*\s*|"
    r"\[Retry after the previous model attempt failed or timed out\]\s*"
)
_AFTER = re.compile(
    r"^(?:Untrusted context \(metadata,|Context: ⟦openclaw:ctx⟧|"
    r"The previous attempt did not produce a user-visible answer\. Continue)",
    re.MULTILINE,
)
_FORWARDED = re.compile(r"\[(?:Forwarded from |Forwarded message)", re.IGNORECASE)
_LABEL = re.compile(r"(?P<label>[^\n:]{1,400}): ")
_ACCOUNT_LABEL = re.compile(r"[^\n:]{0,200}\((?:@[^()\n]{1,100}|\+?\d{5,40}|[^()\n]{0,100}#\d{1,10})\): ")
_FEISHU = re.compile(r"(?P<id>ou_[0-9a-f]{32}): ")
_MESSAGE_ID = "[message_id: "
_SIGNS = (*"[<{⟦", "ntrusted", "System", "Note:", "ou_", "To send an image back", "The previous attempt")
"""One of these is in every envelope, and in all that is written beside the words."""
_OF_ANYBODY = ("(self)", "(sender)")


@dataclass
class Words:
    """A text without its envelopes. `senders` are all names the channel gives to the speaker, the surest first.

    `origin` is `OWNER` when any person speaks; `group`: others are in the room. `known`: the outermost envelope names
    the speaker. `labels`: the names in it, of which a channel may write any before the words. `handle`: the names after
    the first may be part of a chosen name. `unnamed`: a channel speaks for an unnamed person. `event`: an event came
    before, whose text may go on. `passed`: the text cut as a block's, unless a person typed the block's end.
    `doubtful`: in another reading, another person speaks.
    """

    text: str
    senders: tuple[str, ...] = ()
    group: bool = False
    origin: Origin = Origin.OWNER
    known: bool = False
    labels: tuple[str, ...] = ()
    handle: bool = False
    unnamed: bool = False
    event: bool = False
    passed: str = ""
    doubtful: bool = False


def unwrap(text: str) -> Iterator[Words]:
    """The words of each message that a user text holds: one, or several that waited while the agent was busy.

    A separator between messages can be typed: it is for the reader to trust no part after another person's.
    """
    if not any(map(text.__contains__, _SIGNS)) and text.strip():
        yield Words(text.strip())
        return
    front = Words(text)
    while _take_front(front):
        pass
    if front.origin is not Origin.OWNER or not front.text.startswith(_QUEUED):
        yield _unwrap_layers(Words(text))
        return
    items = [*_QUEUED_ITEM.finditer(front.text)]
    ends = [*(item.start() for item in items), len(front.text)][1:]
    for item, end in zip(items, ends, strict=True):
        words = _unwrap_layers(Words(front.text[item.end() : end].strip(), event=front.event, passed=front.passed))
        if item["name"] and not words.known:
            words.senders, words.known = (nickname(item["name"]),), True
        yield words


def _unwrap_layers(words: Words) -> Words:
    for _ in range(_MOST_LAYERS):
        before = words.text
        _open_layer(words)
        if words.origin is not Origin.OWNER or before == words.text:
            break
    else:
        words.doubtful = True
    if words.origin is Origin.OWNER:
        _tidy(words)
    if words.unnamed and not words.known:
        words.senders = (nickname(""),)
    if words.origin is Origin.OWNER and words.doubtful:
        words.origin = Origin.OTHER
    return words


def _open_layer(words: Words) -> None:
    """Take one layer off the front of the words."""
    if _take_front(words) or not words.text:
        return
    numbered = words.text.startswith(_MESSAGE_ID)
    words.text = without_hints(words.text, leading=True).lstrip()
    if _read_name(words, numbered=numbered):
        return
    if words.text.startswith(_HISTORY):
        words.group = True
        # Between the history and the message is one mark, unless a person typed the other.
        if words.known or words.text.count(_CURRENT) != 1:
            words.doubtful = True
        words.text = words.text.rpartition(_CURRENT)[2].lstrip()
    elif words.text.startswith("[") and not words.text.startswith(_NO_HEADER):
        _read_header(words)
    elif words.text[:1].isalpha() and ("ntrusted" in words.text[:_LONGEST_LABEL] or "⟦" in words.text[:_LONGEST_LABEL]):
        block = read_block(words.text)
        if block and not (block.inline and words.known):
            _read_block(words, block)


def _take_front(words: Words) -> bool:
    """Take off what the harness writes before the envelope; whether there was any."""
    text = strip_unseen_start(words.text)
    if not _LAYER.match(text):
        return False
    if text.startswith("<") and (blocks := leading_blocks(text, any_tag=not words.known)).end:
        words.text, words.passed = text[blocks.end :], words.passed + blocks.passed
        if not words.text.strip():
            words.text, words.origin = "", blocks.origin
        return True
    if match := _BEFORE.match(text):
        words.text = text[match.end() :]
        return True
    if not _EVENT.match(text):
        words.text = text
        return False
    lines = _EVENT_LINES.match(text)
    rest = text[lines.end() :] if lines else ""
    # An empty line separates an event from a message. Without it the event goes on, and its end is not known.
    if rest and not words.known and rest[0] not in "\r\n":
        words.origin = Origin.MACHINE
    words.event = words.event or not words.known
    words.text = rest.lstrip()
    return True


def _read_header(words: Words) -> None:
    header = read_header(words.text)
    if header is None or (words.known and header.end == 0):
        return
    words.text = words.text[header.end :]
    words.doubtful = words.doubtful or not header.sure
    if header.end == 0:
        return
    group = not words.known and (words.group or header.room or _ACCOUNT_LABEL.match(words.text) is not None)
    if not words.known:
        words.labels = (header.label,)
    _identify(words, header.senders, local=not header.senders, handle=header.handle)
    if group:
        # The label before the words names the speaker; as a chosen name, it is no proof.
        words.group = words.doubtful = True
        words.senders = ()
        if label := _LABEL.match(words.text):
            words.text = words.text[label.end() :]
            words.senders = sender_in_label(label["label"])


def _read_name(words: Words, *, numbered: bool) -> bool:
    """Take off the name that a channel writes before the words; whether there was one.

    It is one of those in the envelope, whatever signs are in it. Feishu writes one behind the message's id, which is
    the first in the record: there, any name is the speaker's.
    """
    own = (label for label in (*words.labels, *_OF_ANYBODY) if words.text.startswith(f"{label}: "))
    if words.labels and (label := max(own, key=len, default="")):
        words.text, words.labels = words.text[len(label) + 2 :].lstrip(), ()
        return True
    if feishu := _FEISHU.match(words.text):
        words.text = words.text[feishu.end() :]
        _identify(words, (feishu["id"],))
        return True
    if numbered and not (words.known or words.unnamed) and (chosen := _LABEL.match(words.text)):
        words.text = words.text[chosen.end() :]
        _identify(words, (nickname(chosen["label"]),))
        return True
    return False


def _identify(words: Words, senders: tuple[str, ...], *, local: bool = False, handle: bool = False) -> None:
    """Note the speaker, unless an outer envelope did; then it has to be the same sender."""
    if not words.known:
        words.senders, words.handle = senders, handle
        words.known = local or bool(senders)
    elif senders and senders[0] not in words.senders[:1]:
        words.doubtful = True


def _read_block(words: Words, block: MetadataBlock) -> None:
    words.text = block.rest
    words.doubtful = words.doubtful or not block.sure
    words.unnamed = words.unnamed or block.unnamed
    if block.room and not words.known:
        words.group = True
    if block.who:
        if not words.known or block.senders[:1] == words.senders[:1]:
            words.labels += block.labels
        _identify(words, block.senders, local=block.local)
        if block.senders[:1] == words.senders[:1]:
            words.senders = tuple(dict.fromkeys(words.senders + block.senders))
    elif words.group and not block.fenced and "\n\n" in block.rest:
        words.doubtful = True
    if block.forwarded:
        words.origin = Origin.OTHER
    elif block.open_end:
        words.origin = Origin.MACHINE


def _tidy(words: Words) -> None:
    text, _ = without_injections(without_notes(words.text))
    text = without_mentions(without_hints(text))
    if "[" in text:
        text = without_quotes(_without_last_label(words, text))
        text = without_tags(text)
        if _FORWARDED.match(text.lstrip()):
            words.origin = Origin.OTHER
    if after := _AFTER.search(text):
        text = text[: after.start()]
    if foreign_part(words.passed, words.senders, any_sender=False) < len(words.passed):
        words.doubtful = True
    kept = foreign_part(text, words.senders, any_sender=words.event)
    words.text = text[:kept].strip()
    words.doubtful = words.doubtful or (words.event and kept < len(text))
    if words.event and not words.known and words.origin is Origin.OWNER:
        # A bare text after an event may be the event's own.
        words.origin = Origin.MACHINE
    if not words.text and words.origin is Origin.OWNER:
        words.origin = Origin.OTHER if text.strip() else Origin.MACHINE
        words.text = text.strip()


def _without_last_label(words: Words, text: str) -> str:
    """The words of a group's message without the label after them, which speakers of older channels bear."""
    if not words.group:
        return text
    head, _, last = text.rstrip().rpartition("\n")
    last = last.strip()
    if not (last.startswith("[from: ") and last.endswith("]")):
        return text
    words.senders = sender_in_label(last[len("[from: ") : -1])
    words.doubtful = True
    return head


KIND = "openclaw.runtime-context"

# Every line of an event that may stand before it bears the event's mark.
_METADATA = re.compile(r"^(?:Conversation info|Sender)(?: \(untrusted|: ⟦)", re.MULTILINE)


def unwrap_with_context(text: str, context: str) -> list[Words]:
    """The words with the speaker that the context names, as if it stood before them; none when it names nobody."""
    start = _METADATA.search(context)
    return [*unwrap(f"{context[start.start() :].rstrip()}\n\n{text}")] if start else []
