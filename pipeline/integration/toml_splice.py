"""Putting a table at the end of a text of TOML, and taking it out: all other bytes stay as they are."""

import json
import re
from collections.abc import Mapping

from pipeline.integration.edits import Piece, Uneditable

_NEXT_TABLE = re.compile(r"^[ \t]*\[", re.MULTILINE)


def table(piece: Piece) -> str:
    """The lines of a piece, which is a table of texts and lists of texts."""
    values = piece.value if isinstance(piece.value, Mapping) else {}
    return "\n".join([f"[{piece.name}]", *(f"{key} = {_written(value)}" for key, value in values.items()), ""])


def put_in(text: str, piece: Piece) -> str:
    """The text with the table behind all else."""
    newline = "\r\n" if "\r\n" in text else "\n"
    lead = "" if not text or text.endswith("\n") else newline
    lead += newline if text.strip("\ufeff \t\r\n") else ""
    return text + lead + table(piece).replace("\n", newline)


def taken_out(text: str, piece: Piece) -> str:
    """The text without the lines of the table, and without the empty line before it.

    Raises:
        Uneditable: the table stands in a way that is not ours.
    """
    head = re.search(rf"^[ \t]*\[[ \t]*{re.escape(piece.name)}[ \t]*\][^\n]*\n?", text, re.MULTILINE)
    if head is None:
        message = f"has no line [{piece.name}]; take its values out by hand"
        raise Uneditable(message)
    start, following = head.start(), _NEXT_TABLE.search(text, head.end())
    end = following.start() if following else len(text)
    body = text[head.end() : end]
    ours = re.match(r"(?:[ \t]*[\w-]+[ \t]*=[^\n]*(?:\n|$))*", body)  # comments and empty lines behind it are theirs
    end = head.end() + (ours.end() if ours else 0)
    before = re.sub(r"\n(?:\r?\n)$", "\n", text[:start]) if not following else text[:start]
    return before + text[end:]


def _written(value: object) -> str:
    """Texts as TOML: JSON's way to write them is TOML's as well, but for DEL, which TOML wants escaped."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
