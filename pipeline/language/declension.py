"""The cases of Polish first names and places in the singular, by their endings; English has `'s` alone, no other word.

What a person forgets cannot be brought back, so a form that may well be another word or another person is left out:
`Ole` for `Olę` in haste, and the names in `_NAMES`.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final
from unicodedata import normalize

from pipeline.language.folding import remove_accents
from pipeline.language.stopwords import EMPTY, FREQUENT, WORDS

_FOREIGN: Final = frozenset("qvx")  # letters of no Polish name
_SHORTEST: Final = 3  # letters of a name; before -ia there are two

# The end of a name, and the ends of its other cases; the longest end that fits counts, and no end means no cases.
_ENDINGS: Final = {
    **{f"{end}a": f"{end}y {end}ie {end}ę {end}ą {end}o" for end in "bfmnpswz"},
    **{f"{end}a": f"{end}y {end}ę {end}ą {end}o" for end in ("c", "sz", "cz", "rz", "ż", "nn")},  # no Annie of Anna
    "cha": "chy sze chę chą cho",
    "da": "dy dzie dę dą do",
    "ga": "gi dze gę gą go",
    "ka": "ki ce kę ką ko",
    "la": "li lę lą lo lu",
    "ła": "ły le łę łą ło",
    "ra": "ry rze rę rą ro",
    "ta": "ty cie tę tą to",
    "ia": "ii ię ią",
    **{f"{end}ia": f"{end}i {end}ię {end}ią {end}iu" for end in "bcswz"},
    "nia": "ni nii nię nią niu",
    "aja": "ai aję ają aju",
    "ja": "ji ję ją jo",
    **{end: f"{end}a {end}owi {end}em {end}ie" for end in "bfmnpswz"},
    **{end: f"{end}a {end}owi {end}em {end}u" for end in ("j", "l", "ch", "cz", "sz", "rz", "ż")},
    "d": "da dowi dem dzie",
    "t": "ta towi tem cie",
    "st": "sta stowi stem ście",
    "r": "ra rowi rem rze",
    "ł": "ła łowi łem le",
    "eł": "ła łowi łem le",
    "ów": "owa owowi owem owie",
    "ń": "nia niowi niem niu",
    "k": "ka kowi kiem ku",
    "g": "ga gowi giem gu",
    "ek": "ka kowi kiem ku",
    "ciek": "ćka ćkowi ćkiem ćku",
    "siek": "śka śkowi śkiem śku",
}

# Cases of a name that are names of others as well.
_NAMES = """
adriana alana bogusława briana carola christiana cristiana dana daniela dominika erika fabiana gabriela jeana joela
juliana justina karola kamila leona lucjana marcela mariana martina michaela mirosława nathana patryka paula
radosława roberta sebastiana stanisława wiesława
bruno carlo dino fernando franco gino lino marco nino orlando paulo pedro roberto sandro tino
betty danny dolly donny emmy jenny katy kitty lenny lili lucy marty mary molly penny polly romy sally sandy tommy
tony wendy
"""
_OTHERS: Final = frozenset(_NAMES.split()) | WORDS | FREQUENT | EMPTY


def cases_of(name: str) -> frozenset[str]:
    """The other cases of a name in lower case, with accents and without; of a name that is not Polish, few or none."""
    name = name.casefold()
    end = max((end for end in _ENDINGS if name.endswith(end)), key=len, default="")
    if not end or len(name.removesuffix("ia")) < _SHORTEST - name.endswith("ia") or _FOREIGN & set(name):
        return frozenset()
    forms = {name.removesuffix(end) + other for other in _ENDINGS[end].split()}
    forms |= {remove_accents(form) for form in forms if not form.endswith("ę")}  # Marię in haste is Marie
    forms -= {name, remove_accents(name)}
    return frozenset(form for form in forms if _OTHERS.isdisjoint((form, remove_accents(form))))


_WORD = re.compile(r"[^\W\d_]+")
_WITHIN_SENTENCE = re.compile(r"(?<=[\w,] )[^\W\d_]{2,}(?!\w)")
_COMMON_WORD = re.compile(r"(?<![\w/@#.-])[^\W\d_A-Z]+(?![\w/-])")  # not in ids and paths, which are made of words


def other_cases_in(texts: Iterable[str], names: Sequence[str]) -> dict[str, int]:
    """Words of texts that may be other cases of names, each with the number of its places.

    Each is written as a name, with one capital, within a sentence at least once, and never in lower case.
    """
    single = (name for name in names if _WORD.fullmatch(name) and name[0].isupper())
    forms = frozenset[str]().union(*map(cases_of, single))
    places, within, common = Counter[str](), set[str](), set[str]()
    for text in (normalize("NFC", text) for text in (texts if forms else ())):
        places.update(word for word in _WORD.findall(text) if word.casefold() in forms)
        within.update(_WITHIN_SENTENCE.findall(text))
        common.update(_COMMON_WORD.findall(text))
    named = set(map(str.casefold, names))
    return {
        word: number
        for word, number in sorted(places.items())
        if word in within and word.istitle() and word.casefold() not in common | named
    }
