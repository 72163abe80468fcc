"""`I` and `you` become names where the grammar allows it."""

from jobs.extraction.persons import third_person
from pipeline.language.detection import Language
from tests.support.tables import table


@table(
    ("text", "expected"),
    [
        ("my wife's name is Ana", "the owner's wife's name is Ana"),
        ("I'm allergic to nuts, don't offer me any", "the owner is allergic to nuts, don't offer the owner any"),
        ("you never edit the scenes by hand", "the assistant never edits the scenes by hand"),
        ("ask me first, you don't push on your own", "ask the owner first, the assistant doesn't push on your own"),
        ("I\N{RIGHT SINGLE QUOTATION MARK}ll pay the fees", "the owner will pay the fees"),
    ],
)
def test_english_is_put_into_the_third_person(text: str, expected: str) -> None:
    """`I`, `me` and `my`, and `you` at the head of an order."""
    assert expected == third_person(text, Language.ENGLISH)


@table(
    "text",
    [
        "tell me before I leave",
        "the hall is dark, you're through it in ten seconds",
        "you never told anybody",
        "the roster stays",
    ],
)
def test_what_would_break_stays(text: str) -> None:
    """A verb that cannot be inflected by rule, and a `you` that means anybody."""
    assert text == third_person(text, Language.ENGLISH)


def test_chinese_has_no_endings() -> None:
    """So the pronoun alone is replaced; `we` stays."""
    assert third_person("我妈不吃花生", Language.CHINESE) == "本人的妈不吃花生"
    assert third_person("你别动主库", Language.CHINESE) == "助手别动主库"
    assert third_person("我们用周四", Language.CHINESE) == "我们用周四"
    assert third_person("发票只发给我本人", Language.CHINESE) == "发票只发给本人"


@table("text", ["自我检查放在最前面", "小王说我来发版", "写上“我不同意”", "你我分工不变"])
def test_chinese_that_is_not_sure_stays(text: str) -> None:
    """The pronoun is a part of a word, or that of somebody who is cited."""
    assert text == third_person(text, Language.CHINESE)


def test_polish_stays_as_it_was_said() -> None:
    """The person is in the ending of the verb."""
    assert third_person("ja tego nie zmieniam", Language.POLISH) == "ja tego nie zmieniam"
