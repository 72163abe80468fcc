"""Placeholders: `[MemoryRef: KEY - description]`, which stand in a context for a detail."""

import re
import unicodedata
from collections.abc import Iterator
from hashlib import sha256

from schemas.detail import Detail, DetailType

LENGTHS = (10, 16, 32, 64)
"""Hex digits of the digest in a key: more where fewer are taken by another text."""

PATTERN = r"(?:cmd|json|csv|log|code|diff|text)_[^\W_]+(?:-[^\W_]+)*_[0-9a-f]{10,64}"
"""The form of a key, as a regular expression."""

_WORDS = {DetailType.COMMAND: "cmd"}
_LONGEST = 40  # characters of the description in a key
_KEY = re.compile(PATTERN)
_PLACEHOLDER = re.compile(rf".*\[MemoryRef:\s*(?P<key>{PATTERN})\b.*", re.DOTALL)


class TextHash:
    """The digests of a text that comes in blocks: its own, and the one that its keys are made of."""

    def __init__(self, *place: str) -> None:
        """The same text of another thread, agent or user has other keys."""
        names = "\0".join(place).rstrip("\0")
        self._of_text, self._of_key = sha256(), sha256(names.encode(errors="surrogatepass") + b"\0")

    def update(self, block: bytes) -> None:
        """Add the next block of the text."""
        self._of_text.update(block)
        self._of_key.update(block)

    @property
    def text(self) -> str:
        """The sha256 of the text, in hex."""
        return self._of_text.hexdigest()

    @property
    def key(self) -> str:
        """The sha256 of its place and of the text, in hex."""
        return self._of_key.hexdigest()


def keys_of(kind: DetailType, description: str, digest: str) -> Iterator[str]:
    """The keys that a text may have, the shortest first; `description` has no secrets any more."""
    begin = f"{_WORDS.get(kind, kind.value)}_{_slug(description) or 'output'}"
    return (f"{begin}_{digest[:length]}" for length in LENGTHS)


def is_key(text: str) -> bool:
    """Whether a text may be a key; others need no look into the store."""
    return _KEY.fullmatch(text) is not None


def key_in_placeholder(text: str) -> str:
    """The key in a placeholder that was given whole; empty for what is none."""
    match = _PLACEHOLDER.fullmatch(text)
    return match["key"] if match else ""


def _slug(text: str) -> str:
    shown = unicodedata.normalize("NFKC", text[: 4 * _LONGEST]).casefold()
    words = "".join(letter if letter.isalnum() else "-" for letter in shown).split("-")
    return "-".join(filter(None, words))[:_LONGEST].strip("-")


# Whoever wrote it: a text that is quoted must not look like a placeholder, not even to a reader with half an eye.
_FOREIGN = re.compile(r"[\[\u3010\uff3b]\s*(?=memory[\W_]*ref)", re.IGNORECASE)
_UNSAFE = str.maketrans({"[": "(", "]": ")", "\u3010": "(", "\u3011": ")", "\uff3b": "(", "\uff3d": ")"})
_SHOWN = 80  # characters of a description, or of a command
_REPEATED = 32  # characters of a command that are told twice, where its text is described by it
_NAMES = {
    DetailType.JSON: "JSON",
    DetailType.CSV: "Table",
    DetailType.LOG: "Log",
    DetailType.CODE: "Code",
    DetailType.DIFF: "Diff",
}
HINT = 'All of it: retrieve_memory(memory_key, lines="1-80" | query="WORDS" | page=2).'
"""The way in which an agent reads on; it has this tool wherever it gets placeholders."""


def placeholder(detail: Detail, synopsis: str) -> str:
    """The text that an agent gets in place of a detail; `synopsis` has passed `harmless`."""
    mark = f"{_describe(detail)} [MemoryRef: {detail.key} - {detail.description}]"
    return "\n".join(filter(None, (mark, synopsis, HINT)))


def describe_detail(description: str, size: str) -> str:
    """The one line about a detail, in which nothing closes the placeholder before its end."""
    line = " ".join(description.translate(_UNSAFE).split())
    line = line if len(line) <= _SHOWN else f"{line[: _SHOWN - 1]}…"
    return f"{line}: {size}" if line else size


def harmless(text: str) -> str:
    """A text that can be stored and has no placeholder: whoever wrote such a reference, it is not ours."""
    return _FOREIGN.sub("(", text.encode(errors="replace").decode())


def _describe(detail: Detail) -> str:
    """The sort of a detail, with its command and exit code; a long command that is described too comes once."""
    command, code = str(detail.metadata.get("command") or ""), detail.metadata.get("exit_code")
    if len(command) > _REPEATED and detail.description.startswith(describe_detail(command, "")):
        command = ""
    name, ended = f"'{_cut_line(command)}'" if command else "", "" if code is None else f", exit {code}"
    if detail.type is DetailType.COMMAND:
        return f"{f'Command {name}' if name else 'A command'} executed{ended}."
    sort = _NAMES.get(detail.type, "Text") + (f" of {name}" if name else "")
    return f"{sort} stored{ended}."


def _cut_line(text: str) -> str:
    line = harmless(" ".join(text.split()))
    return line if len(line) <= _SHOWN else f"{line[: _SHOWN - 1]}…"
