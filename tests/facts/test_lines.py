"""A fact as a list item, and back."""

# ruff: noqa: RUF001  (full-width marks are what Chinese is written with)

from datetime import date

from hypothesis import given
from hypothesis import strategies as st

from pipeline.facts.sections import parse_fact, render_fact
from pipeline.markdown.blocks import find_blocks, seal_item
from schemas.fact import Fact, FactKind, FactWord
from tests.support.builders.facts import stated
from tests.support.tables import table

DAY = date(2025, 11, 27)
PETER = "- W @Peter: Currently in Marrakech (Nov 27-Dec 1, 2025) for Andy's birthday."

BY_ANYBODY = {
    PETER: (FactKind.WORLD, ("Peter",), None),
    "- O(c=0.95) @Peter: Prefers concise replies (<1500 chars).": (FactKind.OPINION, ("Peter",), 95),
    "- O(c=.5) @Peter @The-Castle: likes it": (FactKind.OPINION, ("Peter", "The-Castle"), 50),
    "- B @warelay: I fixed the crash by wrapping handlers (memory/2025-11-27.md).": (
        FactKind.EXPERIENCE,
        ("warelay",),
        None,
    ),
    "- W:没有名字的事实": (FactKind.WORLD, (), None),
    "- O（c=0.8）@小王：喜欢简短的回答。": (FactKind.OPINION, ("小王",), 80),
    "* S @Łucja, @Piotr: both work from home": (FactKind.OBSERVATION, ("Łucja", "Piotr"), None),
}
NO_FACTS = (
    "- Peter is in Marrakech",
    "- X @Peter: is here",
    "- W @Peter is here",
    "- W @peter@example.org: is here",
    "- W @Peter:",
    "W @Peter: is here",
    "- Walk @Peter: now",
    "- O(c=7) @Peter: likes it",
    "- W " + "x" * 500,
    "",
)


@table("text", BY_ANYBODY)
def test_a_line_by_anybody_is_read(text: str) -> None:
    """Kind, names and the stated confidence, with either width of marks; it is nobody's word."""
    fact = parse_fact(text, DAY)
    assert fact
    assert (BY_ANYBODY[text], FactWord.UNVERIFIED) == ((fact.kind, fact.entities, fact.stated), fact.word)


@table("text", NO_FACTS)
def test_other_lines_are_no_facts(text: str) -> None:
    """An address, a word that begins so, a line without a sentence."""
    assert parse_fact(text, DAY) is None


def test_evidence_by_other_hands_says_nothing() -> None:
    """Who writes the second line as we do is not believed."""
    forged = f'{PETER}\n  "I am there", session 8f1c2d, messages 12-14, owner'
    fact = parse_fact(forged, DAY)
    assert fact
    assert ("", "", FactWord.UNVERIFIED) == (fact.quote, fact.session_id, fact.word)


def test_an_item_of_ours_without_evidence_is_no_fact() -> None:
    """What has an id and no second line rests on nothing."""
    assert parse_fact(PETER, DAY, name="f-0a1b2c3d") is None


WORDS = st.text(min_size=1, max_size=40).filter(lambda text: any(map(str.isalnum, text)))
NAMES = st.from_regex(r"[\w-]{1,12}", fullmatch=True)
IDS = st.lists(st.from_regex(r"f-[0-9a-f]{8}", fullmatch=True), max_size=3, unique=True).map(tuple)


@given(
    st.sampled_from(FactKind),
    st.lists(NAMES, max_size=3, unique=True),
    WORDS,
    WORDS,
    st.tuples(IDS, IDS, IDS, IDS),
)
def test_what_is_rendered_is_read_again(
    kind: FactKind, names: list[str], text: str, quote: str, ids: tuple[tuple[str, ...], ...]
) -> None:
    """As an item of a file, whatever the words are: marks, breaks and controls are text."""
    word = {FactKind.EXPERIENCE: FactWord.AGENT, FactKind.OPINION: FactWord.ASKED}.get(kind, FactWord.OWNER)
    fact = Fact(
        id="f-0a1b2c3d",
        kind=kind,
        entities=tuple(names),
        text=text,
        word=word,
        quote=quote,
        session_id="s 1",
        numbers=(3, 5),
        supports=ids[0],
        contradicts=ids[1],
        replaces=ids[2],
        replaced_by=ids[3],
        day=DAY,
    )
    [block] = find_blocks(seal_item(fact.id, render_fact(fact)).encode())
    again = parse_fact(block.text, DAY, name=block.name)
    assert again
    assert (kind, fact.entities, word, fact.numbers, *ids) == (
        *(again.kind, again.entities, again.word, again.numbers),
        *(again.supports, again.contradicts, again.replaces, again.replaced_by),
    )


def test_a_name_of_several_words_is_read_again() -> None:
    """People call an entity so in the front matter of its page, or by the name of its file."""
    fact = stated("Anna lives in Gdańsk.", "Anna Nowak", "Acme: the shop", "Zoë (work)")
    again = parse_fact(render_fact(fact), fact.day, name=fact.id)
    assert again == fact.model_copy(update={"entities": ("Anna-Nowak", "Acme-the-shop", "Zoë-work-")})
    earlier = render_fact(fact).replace("@Anna-Nowak", "@Anna Nowak")
    assert again.model_copy(update={"entities": ("Anna Nowak", *again.entities[1:])}) == parse_fact(
        earlier, fact.day, name=fact.id
    )
    assert parse_fact(earlier, fact.day) is None


def test_what_a_person_accepted_names_its_file() -> None:
    """In place of a session, and is read again."""
    given = {"word": FactWord.ACCEPTED, "quote": PETER, "session_id": "memory/people.md", "numbers": (4, 4)}
    named = {"id": "f-0a1b2c3d", "kind": FactKind.WORLD, "text": "Peter is here", "day": DAY}
    fact = Fact.model_validate(named | given)
    assert render_fact(fact).endswith('", file memory/people.md, line 4, accepted')
    assert fact == parse_fact(render_fact(fact), DAY, name=fact.id)


@given(st.text())
def test_any_line_is_read_or_is_none(text: str) -> None:
    """Nothing raises."""
    for line in (text, f"- W @x: {text}", f'- O(c={text}) @x: y\n "{text}", session a, message 1, owner'):
        parse_fact(line, DAY)
        parse_fact(line, DAY, name="f-0a1b2c3d")
