"""What a person is shown does not steer the terminal, whoever wrote it."""

import io
import json
import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from pipeline.surfaces.cli.terminal.console import Console, escape
from tests.support.tables import table

EVIL = "\x1b]0;owned\x07\x1b[8mhidden\x9b31m\u202etxt.exe\u2066\r\x08\x7f\u200b\ufeff"
"""A title, a text that is hidden, a colour by a C1 control, a name turned around, and what is not seen."""
SHOWN = r"\u001b]0;owned\u0007\u001b[8mhidden\u009b31m\u202etxt.exe\u2066\r\b\u007f\u200b\ufeff"
HARMLESS = (
    "zażółć gęślą jaźń",
    "决定就这样做",
    "مرحبا בשלום",
    "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
    "क्\u200dष",
    "\U0001f468\u200d\U0001f469\u200d\U0001f467 ❤\ufe0f",
    "\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
    "a\tb\nc",
)


def written(text: str, *, colours: bool = False) -> str:
    """What a console passes on."""
    under = io.BytesIO()
    console = Console(under, "utf-8")
    console.colours = colours
    assert len(text) == console.write(text)
    console.flush()
    return under.getvalue().decode()


@table("colours", [False, True])
def test_what_steers_is_shown(*, colours: bool) -> None:
    """Whether the terminal is given our colours or none."""
    assert SHOWN == written(EVIL, colours=colours)


@table("text", HARMLESS)
def test_every_script_stays(text: str) -> None:
    """Right to left, with the joiners of Persian and Hindi, with emoji of several people and flags."""
    assert text == written(text)


@table(
    ("text", "shown"),
    [
        ("pass\u200dword", r"pass\u200dword"),
        ("\u200cx", r"\u200cx"),
        ("a\U000e0041", r"a\udb40\udc41"),
        ("a\u2028b", r"a\u2028b"),
    ],
)
def test_what_nobody_sees_is_shown(text: str, shown: str) -> None:
    """Joiners between Latin letters, tags behind no flag, line ends that are none to us."""
    assert shown == written(text)


@given(st.text())
def test_nothing_that_steers_is_left(text: str) -> None:
    """No control but line ends and tabs, no override; and nothing is left to escape."""
    shown = escape(text)
    assert not [letter for letter in shown if unicodedata.category(letter) == "Cc" and letter not in "\n\t"]
    assert not set(shown) & set("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
    assert shown == escape(shown)


@given(st.text())
def test_a_line_of_json_says_the_same(text: str) -> None:
    """What a program reads is not changed by it."""
    assert text == json.loads(escape(json.dumps(text, ensure_ascii=False)))
