"""Which words are cases of a name, and which are others."""

from pipeline.language.declension import cases_of
from tests.support.tables import table

CASES = """
Ola/Olą Ola/Oli Ola/Olę Ola/Olu Ola/Olo Gosia/Gosią Gosia/Gosi Gosia/Gosię Ewa/Ewie Ela/Elę Iza/Izy Anna/Annę
Kinga/Kindze Marta/Marcie Magda/Magdzie Monika/Monice Maria/Marii Łucja/Łucji Łucja/Lucji Jan/Jana Jan/Janowi Jan/Janem
Jan/Janie Marek/Marka Marek/Markowi Marek/Markiem Robert/Robertem Daniel/Danielowi Paweł/Pawła Maciek/Maćka
Piotr/Piotrze Kraków/Krakowie Gdańsk/Gdańsku Gdańsk/Gdansku
"""
OTHERS = """
Mia/My Mia/Ma Mia/Me Mia/Mo Mia/Mi Bo/By Bo/Be Bo/Boy Go/Ga Mark/Marking Mark/Marks Bank/Banking Anna/Ann Anna/Annie
Leo/Lea Leo/Lee Victor/Victoria Daniel/Danielle Robert/Roberta Alex/Alexis Jan/Janice Jan/Jane Jan/Janina Al/Ala Ala/Ale
Maria/Marie Maria/Mario Maria/Mari Marta/Marty Paula/Paulo Ola/Ola Łucja/Lucja Kasia/Kąsi Adam/Ada Mia/Mias
"""


@table("pair", CASES.split())
def test_cases_of_a_name(pair: str) -> None:
    """With the changes of letters before the end, with accents and without."""
    name, word = pair.split("/")
    assert word.casefold() in cases_of(name)


@table("pair", OTHERS.split())
def test_other_words_are_no_cases(pair: str) -> None:
    """Neither short words that begin alike, nor names of others, nor English endings."""
    name, word = pair.split("/")
    assert word.casefold() not in cases_of(name)
