"""The phrases in each language. They are matched against one whole sentence, folded as `fold` does.

Each begins where the sentence begins: "I forgot my key" asks for nothing. A group `content` is what is to be forgotten.
"""

# ruff: noqa: RUF001  (full-width marks are what Chinese is written with)

import re
from collections.abc import Iterator

_ENGLISH = (
    r"(?:(?:please|ok(?:ay)?|and|now|then|so|hey|you can|could you|can you|i want you to|i'd like you to)[,\s]+)*",
    r"[.!]*",
)
_POLISH = (r"(?:(?:prosze cie|prosze|ok|dobra|a|i|to|teraz|mozesz|czy mozesz)[,\s]+)*", r"[.!]*")
_CHINESE = (r"(?:请你?|麻烦你?|那就?|好,?|你)*", r"[吧。!！]*")
"""What may stand before a phrase, and behind it."""


def _patterns(language: tuple[str, str], *phrases: str) -> Iterator[re.Pattern[str]]:
    lead, tail = language
    yield from (re.compile(f"{lead}(?:{phrase}){tail}") for phrase in phrases)


def _several(*phrases: str) -> str:
    """One or more of these phrases, with a comma between two."""
    phrase = f"(?:{'|'.join(phrases)})"
    return rf"{phrase}(?:[,，、\s]+{phrase})*"


_WHAT = r"(?P<content>[^,;:?]+?)"

FORGET = (
    *_patterns(
        _ENGLISH,
        rf"forget that (?=(?:i|my|we|our)\b){_WHAT}",
        rf"forget what i (?:said|told you) about {_WHAT}",
        rf"forget (?=(?:my|our) ){_WHAT}",
    ),
    *_patterns(
        _POLISH,
        rf"zapomnij(?:,? ze|,? co mowil[ae]m o| o tym,? ze) {_WHAT}",
        rf"zapomnij o (?=mo(?:im|jej|ich)\b){_WHAT}",
    ),
    *_patterns(
        _CHINESE,
        r"忘掉(?P<content>[^它他她这那吧,，?？。!！][^,，?？。!！]+?)",
        r"[把将](?P<content>[^,，?？。]{2,}?)(?:都|给)?忘(?:掉|了)",
    ),
)
"""The owner asks to forget `content`. A bare "forget it" names nothing, so nothing follows from it."""

CLEAR = (
    *_patterns(
        _ENGLISH,
        rf"forget everything (?:that )?(?:you (?:know|remember) )?(?:about|of) {_WHAT}",
        rf"(?:clear|delete|erase|wipe) (?:all|everything|what) (?:that )?you (?:know|have) (?:about|of|on) {_WHAT}",
        rf"(?:clear|delete|erase|wipe) (?:all|everything|what) (?:that )?you remember (?:about|of) {_WHAT}",
        rf"(?:clear|erase|wipe) your memory (?:about|of|on) {_WHAT}",
    ),
    *_patterns(
        _POLISH,
        rf"zapomnij(?: o)? wszystk(?:o|im),? co (?:wiesz|pamietasz) o {_WHAT}",
        rf"(?:wyczysc|usun|skasuj) (?:swoja )?pamiec o {_WHAT}",
        rf"(?:wyczysc|usun|skasuj) wszystko,? co (?:wiesz|pamietasz|masz) o {_WHAT}",
    ),
    *_patterns(
        _CHINESE,
        r"(?:清除|删除|清空|抹掉)(?:掉|你)*(?:所有|全部)?(?:关于|有关|对)?(?:我们?的?)?(?P<content>[^,，?？。]{1,40}?)的(?:所有|全部)?记忆",
        r"[把将]?你?(?:关于|有关)(?:我们?的?)?(?P<content>[^,，?？。]{1,40}?)的(?:一切|所有事情?|事情?|记忆)?"
        r"(?:都|全都|全部)?(?:忘掉|忘了|删掉|清除)",
    ),
)
"""The owner asks to forget all that is known of `content`."""

OFF_RECORD = (
    *_patterns(
        _ENGLISH,
        _several(
            r"(?:do not|don't|dont|never) (?:keep|remember|save|store|write down|note) (?:this|that|it)",
            r"(?:(?:this|that) is )?off the record",
            r"never mind(?: that| this)?",
        ),
    ),
    *_patterns(
        _POLISH,
        _several(r"nie (?:zapamietuj|zapisuj|notuj|zachowuj)(?: tego)?", r"(?:to )?(?:jest )?niewazne"),
    ),
    *_patterns(
        _CHINESE,
        _several(r"(?:不用|不要|别|不必)(?:记住?|记下来?|保存|存)(?:这个|这些|了|下来)*", "当我没说"),
    ),
)
"""The owner asks not to keep what was just said; the phrase is all that the sentence says."""

REMINDING = re.compile(
    r"(?:please[,\s]+)?(?:do not|don't|dont) forget (?:that )?"
    r"|(?:prosze[,\s]+)?nie zapomnij,? (?:ze )?"
    r"|请?(?:别|不要)忘(?:了|记)"
)
"""How a sentence begins that asks, by a no, to remember the rest of it."""
