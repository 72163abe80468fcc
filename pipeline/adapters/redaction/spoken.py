"""Numbers that are said in words of English and Polish, or written in Chinese."""

import re
from collections.abc import Iterator

from pipeline.adapters.redaction.screening import Screen
from pipeline.adapters.redaction.vocabulary import Stems

_SPELLED_WORD = (
    r"(?:zero|oh|one|two|three|four|five|six|seven|eight|nine|double|triple|(?:thir|four|fif|six|seven|eigh|nine)teen|ten"
    r"|eleven|twelve|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|jeden|dwa|trzy|cztery|pi[eę][cć]|sze[sś][cć]"
    r"|siedem|osiem|dziewi[eę][cć])"
)
SPELLED = rf"(?:{_SPELLED_WORD}(?:[ ,-]{{1,2}}|(?![^\W_]))){{3,12}}|[零〇一二三四五六七八九幺两]{{4,10}}"
"""A pattern: the words or signs of a number, one after another."""
_SPELLED_NUMBER = re.compile(SPELLED, re.IGNORECASE)
_SPOKEN_WORDS = frozenset(
    word.encode()
    for word in re.findall(
        r"\S+",
        """
        zero oh one two three four five six seven eight nine double triple thirteen fourteen fifteen sixteen seventeen
        eighteen nineteen ten eleven twelve twenty thirty forty fifty sixty seventy eighty ninety jeden dwa trzy cztery
        pięć pięc pieć piec sześć sześc szesć szesc siedem osiem dziewięć dziewięc dziewieć dziewiec
        """,
    )
)
_SPOKEN = Stems(f"{word.decode()} " for word in _SPOKEN_WORDS)
_HAN_DIGITS = "零〇一二三四五六七八九幺两"
_SPOKEN_HAN = re.compile(f"[{_HAN_DIGITS}]{{4}}")


def spoken(screen: Screen) -> set[int]:
    """The numbers of the lines that may say a number: two words in a row, or three signs."""
    signs = set(screen.occurrences(_HAN_DIGITS))
    runs = (place for place in signs if signs.issuperset((place + 1, place + 2)))
    return screen.in_a_row(_SPOKEN_WORDS).union(map(screen.number, runs))


def spelled(screen: Screen) -> Iterator[int]:
    """Where numbers may begin that are said, in order."""
    places = screen.occurrences(_SPOKEN.words(screen.vocabulary)) if screen.in_a_row(_SPOKEN_WORDS) else []
    if screen.has_sign(_HAN_DIGITS):
        places = sorted([*places, *(match.start() for match in _SPOKEN_HAN.finditer(screen.text))])
    return (match.start() for match in screen.matches(_SPELLED_NUMBER, places))
