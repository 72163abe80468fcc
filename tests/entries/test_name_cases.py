"""Grammatical cases of names in texts."""

from pipeline.language.declension import other_cases_in


def test_names_in_other_cases() -> None:
    """As names are written: with a capital, within a sentence, and never in lower case."""
    text = "Olo, idę z Olą do Oli i Oli. Olu, wróć! Byłam z Gosią, u Gosi i Gosię, GOSIĘ. gosi. Idę do Marka, ta marka."
    assert {"Olą": 1, "Oli": 2} == other_cases_in([text], ("Ola",))
    assert {"Gosią": 1, "Gosię": 1} == other_cases_in([text], ("Gosia", "Kasia"))
    for name in ("ola", "Ola Nowak", "Marek", "Mia"):
        assert {} == other_cases_in([text], (name,)), name
    assert {} == other_cases_in([text, "oli i olą"], ("Ola",))
