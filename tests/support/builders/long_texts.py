"""Long texts of one shape over and over, which a pattern that starts anew at every place takes for ever to read."""

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import thread_time

LENGTH = 200_000
_TIMES = 16

_MOTIFS = (
    " ", "\t", "\n", "\r\n", "a", "a ", "1", "1.", "1. a\n", "_", "-", "--", "—", "•", "a•", "@", "a@", "a.b-",
    "/a", "~/", "(", "()", "[", "[]", "[a]\n", "\n  [", "<", "<a>", "< ", "</", "</ ", "> ", "`", "```\n",
    "~~~\n", '"', '"a ', "“", "«a»", "「", "「a」", "我", "决定", "ź", "\u0301", "\u200b", "\u202e", "👍", "\ufeff",
    "\u2028", "\x00", "#", "|", "*", "a: ", "a=b ", "<!-- ", "--> ", '{"a":', "[{", "(untrusted",
    "a (untrusted): ", "⟦openclaw:ctx⟧", "ou_", "memor", "HEARTBEAT_OK reply ", "[Replying to a]\n",
    "\n[/Replying]", "[/Replying]x\n", "[from: a]\n", "[from: ]", "---\nQueued #1\n", "---\nQueued #1 (from ",
    "System: [a]\n", "[Current message - respond to this]\n", "[message_id: 1]\n", "[message_id: ] ",
    "[media: ] ", "[Telegram a id:1 2026-02-02 10:00 UTC] ", "[Telegram a id:1 2026-02-02 10:00 UTC] x\n",
    "[Telegram ", "id:1 ", " id:1]", "[2026-02-02 10:00] ", " 2026-02-02 10:00 UTC]", "[[reply_to_current]] ",
    "[[ reply_to: ", "[Forwarded from a] ", "<system-reminder>", "<system-reminder>a</system-reminder>b",
    '<file name="a">\n', '<file name="', "<channel ", "<memory>\n", "<memory>a</memory>", "<a-memory ",
    "\n\n\n", "a\n\n\n", "\\-  a\n", "\\- ", "⚠️ failed ", "</think>", "<think>", '{"image_key":"', "Rules:\n- a\n",
    "#1 Mon 2026-02-02 10:00 UTC a: b\n", "#1 Mon 2026-02-02 10:00 UTC ", "```PLAIN_TEXT\na\n```\n", "**a**\n\n",
    "</system-reminder>", "Sender (untrusted metadata):\n", "reply with ", "PreToolUse:",
)  # fmt: skip
_OPENINGS = (
    *("", "<", "<memory", "</a", "```\n", "```json\n", "[Telegram ", "[Telegram Shop id:-1 2026-02-02 10:00 UTC] "),
    *(
        "Sender (untrusted metadata):\n```json\n",
        'Sender (untrusted metadata):\n```json\n{"id": "1"}',
        "[Replying to a]",
    ),
    *(
        "Conversation context (untrusted, b):\n",
        "⚠️ ",
        "[Mon 2026-02-02 10:00 UTC] ",
        "<final>",
        "Read HEARTBEAT.md if it exists",
    ),
    *("[Queued messages while agent was busy]\n\n", "System: [a] b\n", "[Bootstrap pending]\n", "a (untrusted, b):\n"),
    "[Chat messages since your last reply - for context]\n[Current message - respond to this]\n",
)
_ENDINGS = ("HEARTBEAT_OK", "x HEARTBEAT_OK", "\n```", "-->", "• • •", "]")


def long_texts(length: int = LENGTH) -> Iterator[str]:
    """Texts of `length` characters: each motif alone, behind each opening that it could prolong, before each ending."""
    for motif in _MOTIFS:
        yield _repeated(motif, length)
    for opening in _OPENINGS:
        for motif in (" ", "\n", "a", "a\n", "[", "]", "x]", '{"a":', "memor"):
            yield opening + _repeated(motif, length)
    for ending in _ENDINGS:
        for motif in (" ", "\t", "a", "<!-- ", "-"):
            yield _repeated(motif, length) + ending


def _repeated(motif: str, length: int) -> str:
    return (motif * (length // len(motif) + 1))[:length]


class TooSlow(AssertionError):
    """The processor was busy for longer than it may."""


@contextmanager
def busy_at_most(seconds: float) -> Iterator[None]:
    """Raises `TooSlow` when this process computes for longer; time that other processes take does not count."""

    def stop(*_: object) -> None:
        message = f"busy for {seconds} seconds"
        raise TooSlow(message)

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def is_linear(read: Callable[[str], object], piece: str, length: int) -> bool:
    """Whether 16 times the text, which is `piece` over and over, takes about 16 times as long, and not 256 times.

    Only the processor time of this thread counts, and of each the best of three: others at work disturb it least.
    """
    text = piece * (length // len(piece))
    short = min(_seconds(read, text[: len(text) // _TIMES]) for _ in range(3))
    limit = max(short, 0.001) * _TIMES * 4  # as far from 16 as from 256
    return any(_seconds(read, text) < limit for _ in range(3))


def _seconds(read: Callable[[str], object], text: str) -> float:
    begun = thread_time()
    read(text)
    return thread_time() - begun
