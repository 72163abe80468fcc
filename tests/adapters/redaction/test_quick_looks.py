"""Whatever is left out of a look, because it can hold no secret, changes nothing of what is found."""

# ruff: noqa: RUF001 - Chinese punctuation, and letters that resemble one another, are meant

import re
from collections.abc import Callable, Iterator
from string import ascii_lowercase, printable

from hypothesis import given
from hypothesis import strategies as st

from pipeline.adapters.redaction import codes, operating
from pipeline.adapters.redaction.answers import NAME_STEMS, names_secret
from pipeline.adapters.redaction.code_words import pattern
from pipeline.adapters.redaction.finding import find, find_in, plain_text
from pipeline.adapters.redaction.formats import FORMATS
from pipeline.adapters.redaction.numbers import spoken_lines
from pipeline.adapters.redaction.redactor import SecretRedactor
from pipeline.adapters.redaction.screening import STEMS, Screen, Stems, register_stems
from pipeline.adapters.redaction.spans import Span, fold, mask_spans
from schemas.transcript import MASK
from tests.adapters.redaction.test_redactor import KEY_BLOCK, ORDINARY, SECRETS
from tests.support.tables import table

OF_CODES = register_stems(
    ["code", "kod", "pin", "gate", "safe", "door", "szyfr", "enter", "码", "门", "保险", "alarm", "combination"]
)
NUMBERED = st.sampled_from(
    [
        *(
            "the gate code is 4471",
            "gate code:",
            "4471",
            "pin =",
            "PIN: four four seven one",
            "门禁码 二三四五",
            "码：",
        ),
        *("the safe takes 41-22-09", "door opens with 4417#", "8842 turns off the alarm", "kod do bramy 44 71", "1-2"),
        *("code A1234", "", "return self.code(gate)", "one", "two three", "combination to the gate: 123", "x = 12"),
        *("RFC2822 code", "PIN 4   4   7   1", "code \N{ARABIC-INDIC DIGIT ONE}23456"),
    ]
)
CODE = [
    *(
        "    return self.token(key)",
        "",
        "-    password = None",
        "+    x = f(1234)",
        "## The gate",
        "https://example.org/a?b=c",
    ),
    *("def login(user, secret):", "for one in words:", "密码由用户设置。", "KEY_BLOCK = 3"),
]
LINES = [line for line, *_ in SECRETS]
TEXTS = st.lists(st.sampled_from([*LINES, *LINES, KEY_BLOCK]) | st.sampled_from(CODE).map(lambda line: f"{line}\n" * 9))

ALIKE = "ıİſ\N{KELVIN SIGN}"
"""The signs outside of ASCII that a pattern that ignores the case takes for letters of ASCII."""
WIDE = str.maketrans({one: ord(one) + 0xFEE0 for one in printable.strip()})
CHANGES: list[Callable[[str], str]] = [
    str,
    str.upper,
    lambda text: text.translate(WIDE),
    lambda text: text.translate(str.maketrans("isk", "ıſ\N{KELVIN SIGN}")),
    lambda text: text.upper().translate(str.maketrans("ISK", "İſ\N{KELVIN SIGN}")),
]
"""Other letters that patterns, or people, take for the same."""


FOREIGN = {one for form in FORMATS for one in form.pattern.pattern if not one.isascii()}
SIGNS = st.characters(max_codepoint=126, include_characters={*ALIKE, *FOREIGN})
FORMED = st.sampled_from(FORMATS).flatmap(lambda form: st.from_regex(form.pattern, alphabet=SIGNS))
"""Texts that a pattern matches: without `alphabet` most would have signs that nobody writes."""


ASKED = pattern("asked_for")
NAMED = st.from_regex(ASKED, alphabet=st.characters(max_codepoint=126, include_characters={*ALIKE, *ASKED.pattern}))
OTHER_NAMES = st.sampled_from(["code?", "Combination?", "tokenu?", "TOKENEM?", "kodu?", "kodem?"])


class Unscreened(Screen):
    """A text of which no look leaves any place out."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        everywhere = [*range(len(text))]
        self.places = {stem: everywhere for stem in STEMS}  # noqa: C420 - none of them changes the list

    def has_shape(self, table: bytes, shape: bytes, without: bytes = b"") -> bool:
        """It may have all shapes."""
        del table, shape, without
        return True

    def lines_of_shape(self, table: bytes, shape: bytes, without: bytes = b"") -> set[int]:
        """Every line has all of them."""
        del table, shape, without
        return set(range(self.height))

    def lines(self, stems: Stems) -> set[int]:
        """A line has what a pattern that ignores the case finds in it: for some rules a line must have a stem."""
        pattern = re.compile("|".join(map(re.escape, stems)), re.IGNORECASE)
        return {number for number, line in enumerate(self.text.split("\n")) if pattern.search(line)}

    def in_lines(
        self, pattern: re.Pattern[str], stems: Stems, begin: re.Pattern[str] | None = None
    ) -> Iterator[tuple[re.Match[str], Span]]:
        """The pattern alone tells where it begins."""
        del begin
        return super().in_lines(pattern, stems)


def looked_through(text: str) -> str:
    """The text, looked through as a whole until nothing more is found."""
    while (changed := mask_spans(text, find(text))) != text:
        text = changed
    return text


@given(TEXTS)
def test_a_second_look_goes_only_around_what_was_masked(lines: list[str]) -> None:
    """It finds what a look at all of the text would find."""
    text = "\n".join(lines)
    assert looked_through(text) == SecretRedactor().redact(text)


@given(
    st.lists(st.sampled_from([*LINES, *CODE, *ORDINARY]) | NUMBERED | FORMED, min_size=1, max_size=3),
    st.sampled_from(["\n", " ", "", "，"]),
    st.sampled_from(CHANGES),
)
def test_what_a_look_leaves_out_holds_no_secret(lines: list[str], between: str, change: Callable[[str], str]) -> None:
    """Words and shapes that a text has not spare the patterns that need them, and hide nothing from these."""
    text, _ = plain_text(change(between.join(lines)))
    assert find_in(Unscreened(text)) == find_in(Screen(text))


@table("change", CHANGES)
def test_no_letter_hides_a_secret_of_any_class(change: Callable[[str], str]) -> None:
    """Among all others, of which most lines are left out of most looks."""
    text, _ = plain_text(change("\n".join([*LINES[::9], *LINES[-9:]])))
    assert find_in(Unscreened(text)) == find_in(Screen(text))


def test_a_letter_is_folded_as_patterns_take_it() -> None:
    """Every character that a pattern takes for a letter of a stem, and nothing else, is that letter in the look."""
    letters = ascii_lowercase + "ąćęłńóśźż"
    taken = re.findall(f"[{letters}]", "".join(map(chr, range(0x11_0000))), re.IGNORECASE)
    assert {*letters, *letters.upper(), *ALIKE} == {*taken}
    assert [] == [one for one in taken if not re.fullmatch(fold(one), one, re.IGNORECASE)]


@given(st.lists(NUMBERED, max_size=20))
def test_codes_are_looked_for_only_near_numbers(lines: list[str]) -> None:
    """In digits or in words, also where the line above announces them."""
    screen = Screen("\n".join(lines))
    excerpt = codes.lines_with_numbers(screen, spoken_lines(screen))
    for finder in (codes, operating):
        assert {*finder.find(screen, OF_CODES)} == {*excerpt.spans(finder.find(excerpt.screen, OF_CODES))}


@given(NAMED | OTHER_NAMES)
def test_what_names_a_secret_has_a_stem_of_its_names(text: str) -> None:
    """A question without any of these is not looked through for what it asks for."""
    assert not names_secret(text, listed=True) or any(stem in fold(text) for stem in NAME_STEMS)


def test_a_second_look_is_for_an_answer_as_well() -> None:
    """What is left of it beside what the first look has masked."""
    key = "ghp_FAKEfake0123456789+hunter22"
    masked = SecretRedactor().redact(f"I left it in /home/{key} as ever", ["What is the password?"])
    assert f"I left it in /home/{MASK * len(key)} as ever" == masked


def test_a_secret_is_masked_the_same_among_many_lines() -> None:
    """Alone, where all of the text is looked at, and in a longer one, of which most is left out."""
    redactor, quiet = SecretRedactor(), "    return self.parser.parse(other)\n" * 3
    lines = [f"\n{line}\n\n" for line in LINES[::3]]
    different = [one for one in lines if redactor.redact(quiet + one + quiet) != quiet + redactor.redact(one) + quiet]
    assert [] == different
