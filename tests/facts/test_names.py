"""Names of entities."""

# ruff: noqa: RUF001  (full-width letters)

from pipeline.facts.names import EntityNames, find_similar_names, front_of, names_in, same_name

PETER = ("bank/entities/Peter.md", front_of("Peter", ["Piotr", "pete"]))


def test_an_alias_leads_to_its_entity() -> None:
    """Whatever the case; what nobody named is itself."""
    names = names_in([PETER])
    assert ("Peter", "Anna") == names.of(["PIOTR", "Pete", "peter", "Anna"])


def test_accents_part_names() -> None:
    """Kasia is not Kąsia; width and hyphens do not count."""
    assert same_name("Kasia") != same_name("Kąsia")
    assert same_name("The_Castle") == same_name("@Ｔhe-castle")


def test_an_alias_of_two_belongs_to_neither() -> None:
    """Nobody can tell whose it is."""
    names = names_in([PETER, ("bank/entities/Piotrek.md", front_of("Piotrek", ["pete"]))])
    assert "pete" == names.name_of("pete")
    assert "Peter" == names.name_of("Piotr")


def test_pages_by_other_hands_are_read() -> None:
    """A page without front matter has the name of its file; broken front matter gives no alias."""
    names = names_in([("bank/entities/Łucja.md", "# Łucja\n"), ("bank/entities/x.md", "---\naliases: [a\n---\n")])
    assert "Łucja" == names.name_of("ŁUCJA")
    assert "a" == names.name_of("a")


def test_circles_end() -> None:
    """Two pages that name each other."""
    names = EntityNames({"a": "b", "b": "a"}, {"a": "A", "b": "B"})
    assert names.name_of("a") in {"A", "B"}


def test_names_may_be_alike() -> None:
    """Without accents, or in their stems: only suggested."""
    assert [("Piotr", "Piotra"), ("Łucja", "Lucja")] == find_similar_names(
        ["Piotr", "Piotra", "Łucja", "Lucja", "Anna"]
    )
