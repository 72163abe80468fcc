"""Where a stretch that came from elsewhere begins and ends, one class at a time."""

import re
from pathlib import Path

from pipeline.entries.authorship import foreign, said_by_owner
from pipeline.entries.authorship.lines import merge_stretches
from tests.support.tables import table

MESSAGES = (Path(__file__).parent / "samples" / "messages.txt").read_text(encoding="utf-8")[:-1].split("\n%%\n")


@table("message", MESSAGES)
def test_a_stretch_from_elsewhere_has_its_edges(message: str) -> None:
    """Beside each message stands one that only looks like it; `⟦` and `⟧` enclose what is not the owner's."""
    text = re.sub("[⟦⟧]", "", message)
    actual = text
    for start, end in reversed(foreign(text)):
        actual = f"{actual[:start]}⟦{actual[start:end]}⟧{actual[end:]}"
    assert message == actual


@table(
    ("message", "most"),
    [
        ("{}", 2500),
        ("• {}", 898),
        ('ok "{}" ok', 58),
        ('"{}" ok', 28),
        ('ok "{}." ok', 27),
        ('Bob says "{}" ok', 10),
        ("see [{}](x) ok", 30),
    ],
)
def test_so_much_is_the_owners(message: str, most: int) -> None:
    """One letter more was pasted."""
    assert not foreign(message.format("x" * most))
    assert foreign(message.format("x" * (most + 1)))


@table(
    ("message", "most"),
    [
        ("from Jonas {}. we keep it", 49),
        ("from Jonas {} - we keep it", 49),
        ("on the board {}. we keep it", 47),
        ("top answer {}\nwe keep it", 109),
        ("Re: {}\nwe keep it", 116),
        ("we keep it\nBest, Ann {}\nand that", 110),
        ("we keep it\nSent from my phone {}\nand that", 101),
        ("{}. — Ann", 113),
        ("I pasted it {}\nwe keep it", 88),
        ("my boss says {}\n\nwe keep it", 19),
        ("reporter: {}\nwe keep it", 90),
        ("Plum {}\nwash the plums\nstir it", 55),
        ("Plum jam\n200 g {0}\n100 g {0}", 74),
        ("translate this {}\nwe keep it", 145),
        ("translate {}\nwe keep it", 20),
        ("we keep it\ncheck {}", 6),
        ("we keep it. is this ok {}?", 28),
        ("this mail {}\nwe keep it", 150),
        ("[10:15] {}: we keep it", 61),
        ("{}\n10:15\nwe keep it", 40),
        ("Rosa{}: we keep it\nGreta: and that", 27),
        ("my boss says {}: we keep it", 147),
        ("ok\n{}.md\nwe keep it", 60),
        ("[begin {}\nwe keep it", 92),
        ("{}:\n  b: c", 40),
        ("• a\n**{}**", 80),
        ("【{}】 we keep it", 20),
        ("a,{}", 30),
        ("ChatGPT {} says we keep it", 25),
        ("the handbook {} says we keep it", 12),
        ("we keep it (from the handbook {})", 62),
    ],
)
def test_so_much_is_of_a_paste(message: str, most: int) -> None:
    """One letter more, and the line is no line of a mail, no title and no announcement."""
    assert foreign(message.format("x" * most))
    assert not foreign(message.format("x" * (most + 1)))


def test_keys_below_keys_belong_to_the_first() -> None:
    """However deep they are indented."""
    text = "root:\n child:\n  leaf: never on Friday"
    assert ((0, len(text)),) == foreign(text)


def test_a_text_laid_out_as_nobody_types_is_a_page() -> None:
    """Two kinds of marks are enough; a label that its owner emphasised is none."""
    page = "we never ship on Friday\n\n\n• ask Anna\n• ask Rosa"
    assert ((0, len(page)),) == foreign(page)
    assert not foreign("**Decision:** we never ship on Friday\n\n\nok")
    long = f"from now on {'x' * 1_300}"
    assert ((0, 2 * len(long) + 2),) == foreign(f"{long}\n\n{long}")


def test_what_stands_before_a_tag_is_the_owners() -> None:
    """The tag of whatever name: what closes it ends what it opened, and nothing above."""
    text = "Never pay.\n<letter>\nPay now.\n</letter>"
    assert said_by_owner("Never pay.", text) == (0, 10)
    assert not said_by_owner("Pay now.", text)


def test_a_line_that_ends_a_text_has_a_bound() -> None:
    """What is longer is a line of the text."""
    short, long = (f"[begin\nwe keep it\n[end {'x' * size}\nand that" for size in (94, 95))
    assert ((0, short.index("\nand")),) == foreign(short)
    assert ((0, len(long)),) == foreign(long)


def test_what_touches_a_paste_is_the_owners() -> None:
    """Its last letter stands right before the first that is not, or its first right behind the last."""
    assert said_by_owner("translate this:", "translate this: we keep it") == (0, 15)
    assert said_by_owner(" ok", f'"{"x" * 60}" ok') == (62, 65)


def test_stretches_that_touch_are_one() -> None:
    """In order, whichever of them is the longer; an empty one is none."""
    assert [(0, 2), (4, 9), (12, 13)] == merge_stretches([(12, 13), (4, 7), (0, 2), (5, 9), (6, 7), (3, 3), (9, 9)])
    assert [(0, 1), (2, 4)] == merge_stretches([(2, 3), (3, 4), (0, 1)])


def test_a_ruler_may_be_the_last_line() -> None:
    """Then nothing stands below it."""
    text = "never pay.\n\n---"
    assert said_by_owner("never pay.", text) == (0, 10)


@table(
    ("text", "own"),
    [
        ('from now on call it "Blue Heron Garden", always', True),
        ('Bob says "pay it all by May"', False),
        ('Bob says "ok"', True),
    ],
)
def test_a_quotation_is_somebodys_when_it_is_named_whose(text: str, *, own: bool) -> None:
    """A name or a title is the owner's, and so is a word or two."""
    inside = text[text.index('"') + 1 : text.rindex('"')]
    assert own == bool(said_by_owner(inside, text))


@table(
    "text",
    [
        "Re: rent\nnever pay before May",
        "claims Gemini, never pay before May",
        "this is what the newsletter sent me today\nnever pay before May",
    ],
)
def test_one_line_below_or_beside_is_enough(text: str) -> None:
    """A subject, a bot beside what it does, and words that introduce a text."""
    assert not said_by_owner("never pay before May", text)
