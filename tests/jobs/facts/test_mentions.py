"""The names in a sentence."""

from jobs.facts.mentions import is_name, known_names, mentions
from pipeline.facts.names import names_in
from tests.support.tables import table

SENTENCES = {
    "ask @小王 and @The-Castle about it": ("小王", "The-Castle"),
    "write to anna@example.org": (),
    "the decorator @cached() is slow": (),
    "I met Anna Nowak and Piotr in New York": ("Anna-Nowak", "Piotr", "New-York"),
    "Anna met Piotr": ("Piotr",),
    "Jadę z Kasią do Łodzi w sobotę": ("Kasią", "Łodzi"),
    "the API of GitHub breaks on Monday in March": ("GitHub",),
    "I speak Polish on TV": (),
    "see `Config` and Foo.Bar(x)": ("Foo",),
    "Kasia's flat is near Piotr's": ("Piotr",),
    "part BR-0417 of the ZX81": (),
    "NEVER DELETE THE uploads FOLDER": (),
    "we moved to POSTGRES with Ewa": ("POSTGRES", "Ewa"),
}


@table("text", SENTENCES)
def test_names_are_taken_as_they_were_said(text: str) -> None:
    """With `@`, or with a capital where no sentence begins; no addresses, code, days, languages and abbreviations."""
    assert SENTENCES[text] == mentions(text)


def test_names_that_people_gave_are_known_in_any_case() -> None:
    """Whole words alone; of Chinese any place; an accent makes another name."""
    pages = [("bank/entities/Kasia.md", '---\nname: "Kasia"\naliases: ["Kate", "小卡"]\n---\n')]
    names = names_in(pages)
    said = ("kasia and KATE", "kasiarz", "Kąsia", "我和小卡")
    assert [("Kasia",), (), (), ("Kasia",)] == [names.of(known_names(text, names)) for text in said]


def test_who_begins_a_sentence_may_be_nobody() -> None:
    """Pronouns, days and common words are no names, whatever their capital."""
    assert (True, True, False, False, False) == tuple(map(is_name, ("Anna", "小王", "It", "Monday", "老是")))
