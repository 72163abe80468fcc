"""Text for a person without terminal controls: texts, names and arguments may contain anything.

Characters that move the cursor, set a title, or hide or reverse the text beside them are shown as JSON would write
them. So a printed line of JSON keeps its meaning. Letters of every script stay, and their joiners too.
"""

import io
import json
import os
import re
import sys

import click

_JOINED = "\N{ZERO WIDTH NON-JOINER}\N{ZERO WIDTH JOINER}"
_TAGS = "\U000e0000-\U000e007f"
_STEERING = re.compile(
    # The flags of England and others: a black flag and tags. Other tags are invisible text.
    rf"(?P<flag>\N{{WAVING BLACK FLAG}}[{_TAGS}]{{2,8}})"
    # Controls, but for the line end and the tab; marks, overrides and isolates of direction; what has no width.
    r"|[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    # Joiners belong into Persian, Hindi and emoji; between Latin letters they only make words look equal.
    rf"{_TAGS}]|(?<![^\x00-\u024f])[{_JOINED}]"
)
_MARK = int.from_bytes(os.urandom(8))
_OURS = re.compile(rf"\x1b\[{_MARK};([0-9;]*m)")


def escape(text: str) -> str:
    """The text with visible signs for characters that steer a terminal; line ends and tabs stay."""
    return _STEERING.sub(lambda match: match[0] if match["flag"] else json.dumps(match[0])[1:-1], text)


class Console(io.TextIOWrapper):
    """A text stream that escapes a text before it writes it, with the colours of `style` where they are wanted.

    Bytes, which are written to its `buffer`, stay as they are.
    """

    colours = False

    def write(self, text: str, /) -> int:
        """Write a text, escaped; the number of its characters."""
        pieces = _OURS.split(text)  # what is between our escapes, and of each the part that is to be passed on
        for place in range(0, len(pieces), 2):
            pieces[place] = escape(pieces[place])
        pieces[1::2] = [f"\x1b[{ours}" if self.colours else "" for ours in pieces[1::2]]
        super().write("".join(pieces))
        return len(text)


def style(text: str, fg: str | None = None, *, bold: bool | None = None) -> str:
    """`text` in colour or bold; for a `Console` in a way that only we can write: it shows all other escapes."""
    if not isinstance(sys.stdout, Console):
        return click.style(text, fg=fg, bold=bold)
    before, after = click.style("\0", fg=fg, bold=bold).replace("\x1b[", f"\x1b[{_MARK};").split("\0")
    return f"{before}{text}{after}"
