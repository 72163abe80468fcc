"""Which entities a text names."""

from pipeline.facts.names import EntityNames, MentionFinder, all_names, forms_of, mentions, names_in
from tests.support.tables import table

NAMES = frozenset({"peter", "the-castle", "kąsia", "小王", "node.js"})
PAGES = [
    ("bank/entities/Peter.md", "---\nname: Peter\naliases: [Pete, Piotr]\n---\n"),
    ("bank/entities/Anna.md", "---\nname: Anna\n---\n"),
]


@table(
    ("text", "names"),
    [
        ("PETER came", ["peter"]),
        ("Peter's boat", ["peter"]),
        ("Peterson came", []),
        ("they met at the castle, with Peter", ["peter", "the-castle"]),
        ("the\ncastle", ["the-castle"]),
        ("the old castle", []),
        ("Kasia", []),
        ("Ka\u0328sia", ["kąsia"]),
        ("昨天小王来了", ["小王"]),
        ("Ｐｅｔｅｒ", ["peter"]),  # noqa: RUF001 - full-width letters
        ("node.js and node js", ["node.js"]),
        ("", []),
    ],
)
def test_a_name_is_whole_words(text: str, names: list[str]) -> None:
    """Whatever the case and the marks between its words; with its accents."""
    assert names == MentionFinder(NAMES).named_in(text)


def test_without_names_nothing_is_looked_for() -> None:
    """A text names nobody."""
    assert [] == MentionFinder().named_in("Peter")


def test_an_entity_is_known_by_all_its_names() -> None:
    """By any of them; a name that nobody gave stands for itself."""
    names = names_in(PAGES)
    assert frozenset({"peter", "pete", "piotr", "anna"}) == all_names(names)
    assert ["pete", "peter", "piotr"] == forms_of(names, "@Piotr") == forms_of(names, "peter")
    assert ["jan-kowalski"] == forms_of(EntityNames(), "Jan Kowalski")


@table(
    ("text", "name", "mentioned"),
    [
        ("Peter lives in Warsaw", "Peter", True),
        ("Piotr mieszka w Warszawie", "Warszawa", True),
        ("Magda jeździ z Gdańska", "Gdańsk", True),
        ("the keys hang in the red barn", "Red-Barn", True),
        ("昨天小王来了", "小王", True),
        ("Peterson lives there", "Peter", False),
        ("the barn is red", "Red-Barn", False),
        ("always take a deposit", "Owner", False),
        ("anything", "-", False),
    ],
)
def test_a_name_in_any_form_is_mentioned(text: str, name: str, *, mentioned: bool) -> None:
    """As whole words, in the cases of Polish too."""
    assert mentioned is mentions(text, name)
