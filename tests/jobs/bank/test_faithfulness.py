"""What a sentence may say: that of its facts, shortened and joined, in English, Polish and Chinese."""

# ruff: noqa: RUF001  (full-width marks are what Chinese is written with)

from datetime import date

from jobs.bank.faithfulness import Grounding, SentenceFault
from schemas.fact import Fact
from tests.support.builders.fact_bench import fact

LIVES = fact("Peter lives in Gdańsk.", "Peter")
TEA = fact("Peter prefers tea to coffee.", "Peter")
MEAT = fact("Peter does not eat meat.", "Peter")
BOATS = fact("Peter has 3 boats and two dogs.", "Peter")
UNTIL = fact("Peter works at Acme only until May.", "Peter")
TALLER = fact("Anna is taller than Peter.", "Peter", "Anna")
KASIA = fact("Kasia mieszka w Łodzi.", "Kasia")
FISH = fact("Kasia nie je ryb.", "Kasia")
MOVED = fact("Kasia przeniosła się z Gdyni do Łodzi.", "Kasia")
RELEASE = fact("发布改到每周三。", "发布手册")
SIGNED = fact("签字现在需要值班工程师和发布经理两个人。", "发布手册")
IF = fact("Peter drinks coffee if there is no tea.", "Peter")
WHEN = fact("Peter drinks coffee when it rains.", "Peter")
DAY = fact("Peter signed the lease on 2026-02-01.", "Peter")
LATER = fact("Peter sails.", "Peter", day=date(2026, 2, 9))

FAITHFUL: list[tuple[str, tuple[Fact, ...]]] = [
    ("Peter lives in Gdańsk.", (LIVES,)),
    ("Peter lives in Gdańsk and prefers tea to coffee.", (LIVES, TEA)),
    ("Peter, who has 3 boats and two dogs, lives in Gdańsk.", (BOATS, LIVES)),
    ("Peter lives in Gdańsk (2026-02-01).", (LIVES,)),
    ("Peter does not eat meat", (MEAT,)),
    ("Peter works at Acme only until May.", (UNTIL,)),
    ("Anna is taller than Peter.", (TALLER,)),
    ("Peter drinks coffee when it rains.", (WHEN,)),
    ("Peter signed the lease on 2026-02-01.", (DAY,)),
    ("Peter lives in Gdańsk and sails.", (LIVES, LATER)),
    ("Kasia mieszka w Łodzi.", (KASIA,)),
    ("Kasia nie je ryb.", (FISH,)),
    ("发布改到每周三，签字需要值班工程师和发布经理两个人。", (RELEASE, SIGNED)),
]
NO = SentenceFault
UNFAITHFUL: list[tuple[str, tuple[Fact, ...], SentenceFault]] = [
    ("Peter lived in Gdańsk in 2025.", (LIVES,), NO.VALUE),
    ("Peter has 4 boats and two dogs.", (BOATS,), NO.VALUE),
    ("Peter has 3 boats and seven dogs.", (BOATS,), NO.VALUE),
    ("Peter has 3 boats.", (BOATS,), NO.LEFT_OUT),
    ("Mallory lives in Gdańsk.", (LIVES,), NO.VALUE),
    ("Peter lives in Gdańsk with Mallory.", (LIVES,), NO.VALUE),
    ("Peter lives in Warsaw.", (LIVES,), NO.VALUE),
    ("Peter lives in Gdańsk since March.", (LIVES,), NO.VALUE),
    ("Kąsia mieszka w Łodzi.", (KASIA,), NO.VALUE),
    ("Kasia mieszka w Łodzi od marca.", (KASIA,), NO.VALUE),
    ("Kasia przeniosła się z Łodzi do Gdyni.", (MOVED,), NO.MIXED),
    ("Kasia nie mieszka w Łodzi.", (KASIA,), NO.DENIAL),
    ("Kasia je ryby.", (FISH,), NO.DENIAL),
    ("Peter eats meat.", (MEAT,), NO.DENIAL),
    ("Peter does not eat meat and lives in Gdańsk.", (MEAT, LIVES), NO.DENIAL),
    ("Peter never lives in Gdańsk.", (LIVES,), NO.DENIAL),
    ("Peter prefers coffee to tea.", (TEA,), NO.MIXED),
    ("Peter prefers tea, lives in Gdańsk, and coffee.", (TEA, LIVES), NO.MIXED),
    ("Peter is taller than Anna.", (TALLER,), NO.MIXED),
    ("Anna is taller.", (TALLER,), NO.LEFT_OUT),
    ("He is taller than Peter.", (TALLER,), NO.WORD),
    ("Peter works at Acme.", (UNTIL,), NO.LEFT_OUT),
    ("Peter hates Gdańsk.", (LIVES,), NO.WORD),
    ("Peter may live in Gdańsk.", (LIVES,), NO.WORD),
    ("Peter.", (LIVES,), NO.LEFT_OUT),
    ("李四发布改到每周三。", (RELEASE,), NO.WORD),
    ("发布改到每周五。", (RELEASE,), NO.VALUE),
    ("每周三不发布。", (RELEASE,), NO.DENIAL),
    ("签字需要值班工程师和发布经理。", (SIGNED,), NO.LEFT_OUT),
    ("Peter drinks coffee.", (WHEN,), NO.LEFT_OUT),
    ("Peter drinks coffee.", (IF,), NO.DENIAL),
    ("Peter signed the lease.", (DAY,), NO.LEFT_OUT),
    ("Peter lives in Gdańsk since 2026-02-09 and sails.", (LIVES, LATER), NO.WORD),
    ("", (LIVES,), NO.NOT_PLAIN),
    ("Peter lives in Gdańsk. Peter lives in Gdańsk.", (LIVES,), NO.NOT_PLAIN),
    ("Peter lives in <b>Gdańsk</b>.", (LIVES,), NO.NOT_PLAIN),
    ("Peter lives in Gdańsk\u202e.", (LIVES,), NO.NOT_PLAIN),
    ("- Peter lives in Gdańsk.", (LIVES,), NO.NOT_PLAIN),
    ("# Peter lives in Gdańsk.", (LIVES,), NO.NOT_PLAIN),
    ("Peter lives in\nGdańsk.", (LIVES,), NO.NOT_PLAIN),
    ("Peter lives in Gdańsk ••••.", (LIVES,), NO.NOT_PLAIN),
]


def fault(text: str, facts: tuple[Fact, ...]) -> SentenceFault | None:
    """What is wrong with a sentence on the page of the first entity of its facts."""
    names = facts[0].entities[:1] if all(len(one.entities) == 1 for one in facts) else ()
    return Grounding(facts, names, frozenset()).fault(text)


def test_facts_may_be_shortened_and_joined() -> None:
    """In their own words, one after the other."""
    assert [] == [(text, wrong) for text, facts in FAITHFUL if (wrong := fault(text, facts))]


def test_nothing_else_may_be_said() -> None:
    """No name, number, day, denial or word of its own; nothing turned round, mixed up or without its limits."""
    assert [] == [(text, wrong, other) for text, facts, wrong in UNFAITHFUL if (other := fault(text, facts)) != wrong]


def test_what_is_new_is_said_whole() -> None:
    """A part of it may be what was replaced."""
    needs = fact("Sign-off needs the engineer and the release manager.", "Sign-off")
    text = "Sign-off needs the engineer."
    assert Grounding((needs,), needs.entities, frozenset()).fault(text) is None
    assert SentenceFault.LEFT_OUT == Grounding((needs,), needs.entities, {needs.id}).fault(text)
    moved = fact("Releases were moved from Tuesdays to Wednesdays.", "Releases")
    assert SentenceFault.LEFT_OUT == Grounding((moved,), moved.entities, frozenset()).fault(
        "Releases from Tuesdays to."
    )
