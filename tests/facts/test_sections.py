"""The facts of a file."""

from datetime import date

from pipeline.facts.sections import facts_in, render_fact
from pipeline.markdown.blocks import find_blocks, seal_item
from schemas.fact import Fact, FactKind, FactWord

DAY = date(2026, 2, 2)
OURS = Fact(
    id="f-0a1b2c3d",
    kind=FactKind.WORLD,
    entities=("Peter",),
    text="Peter lives in Rome",
    quote="he lives in Rome",
    session_id="s1",
    numbers=(4, 4),
    word=FactWord.OWNER,
    day=DAY,
)
SEALED = seal_item(OURS.id, render_fact(OURS))
PAGE = f"""# 2026-02-02

- W @Peter: above the heading

## Retain
{SEALED}- O(c=0.95) @Owner: written by another program
plain text
### Below
- B @app: still under it
## Else
- W @Peter: behind it
"""


def facts(text: str, *ours: tuple[str, str], path: str = "memory/2026-02-02.md") -> list[Fact]:
    """The facts of a file."""
    return facts_in(text.encode(), path, ours, date(1970, 1, 1))


def known(text: str = SEALED) -> tuple[str, str]:
    """The name and the digest of our item, as the ledger has them."""
    [block] = find_blocks(text.encode())
    return block.name, block.digest


def test_what_stands_under_the_heading_is_read() -> None:
    """Ours with its words, those of other hands as nobody's; each with its line and its day."""
    read = facts(PAGE, known())
    assert [("f-0a1b2c3d", "owner", 6), ("", "unverified", 8), ("", "unverified", 11)] == [
        (fact.id, fact.word.value, fact.line) for fact in read
    ]
    assert {DAY} == {fact.day for fact in read}
    assert OURS.quote == read[0].quote


def test_an_item_that_the_ledger_did_not_write_is_nobodys() -> None:
    """Whoever can append to the file can copy our marks; a changed item is the person's."""
    assert ["unverified"] * 3 == [fact.word.value for fact in facts(PAGE)]
    changed = PAGE.replace("lives in Rome\n", "lives in Paris\n", 1)
    assert ["unverified"] * 3 == [fact.word.value for fact in facts(changed, known())]


def test_a_file_without_a_day_takes_the_other() -> None:
    """A page about a project has no day in its name."""
    [fact] = facts("## Retain\r\n- W: a fact\r\n", path="memory/projects/ship.md")
    assert date(1970, 1, 1) == fact.day
    assert [] == facts("# Retained\n- W: a fact\n")
