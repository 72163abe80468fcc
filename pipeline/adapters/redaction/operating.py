"""Numbers that work a device, with or without the word code: `the safe takes 41-22-09`, `8842 turns off the alarm`."""

# ruff: noqa: RUF001 - Chinese punctuation is meant

import re
from collections.abc import Iterator

from pipeline.adapters.redaction.code_words import AS_ORDINARY, ORDINARY, pattern
from pipeline.adapters.redaction.screening import Screen, Stems, register_stems
from pipeline.adapters.redaction.spans import Span

_DEVICE = pattern("device", "device_begun")
_VERB = pattern("device_verb", "device_verb_begun")
_NUMBER = re.compile(
    r"(?<![A-Za-z0-9_.,/$€£¥+#-])(?<![ -~]:)[#*]?"
    r"(?P<secret>\d{3,8}|(?!(?:19|20)\d\d-)\d{1,4}(?:-\d{1,4}){1,4})[#*]?(?![A-Za-z0-9_%°€£¥$-]|[.,:/]\d)"
)
_LABELLED = re.compile(
    r"(?:(?<![^\W\d_])(?:alarm|safe|pad\s?lock|lock|key\s?pad|lock\s?box|key\s?box|sejf|k[łl][óo]dk[aię]|domofon|zamek)"
    r"(?:\s(?:do|od|na|of|on|for)(?:\s[^\W\d_]{2,15}){1,2})?(?:\s?[:=]|\s(?:is|to))"
    r"|(?<![^\W\d_])(?:pad\s?lock|bike\slock|lock\s?box|gun\ssafe|sejf|k[łl][óo]dk[aię])(?:\s(?:do|od|na|of|on|for)(?:\s[^\W\d_]{2,15}){1,2})?"
    r"|(?:保[险險][箱柜櫃]|[报報]警器|[门門][锁鎖]|[挂掛][锁鎖])(?:是|[:：]))\s?[#*]?$",
    re.IGNORECASE,
)
_ENDS = re.compile(r"[#*\"'`*”)]*\s*$")
_NOT_BEFORE = re.compile(
    r"(?:(?<![^\W\d_])(?:in|since|at|by|until|till|before|after|around|about|port|ports|ticket|issue|room|model|version|year|line|page"
    r"|floor|flat|build|release|commit|revision|step|batch|invoice|chapter|section|number|no|nr|order|pr|over|under|than|only|up\sto|w|we|od|o|do|po|ponad|przed|oko[łl]o|roku|porcie|port|pok[oó]j\w*|numer\w*"
    r"|bilet\w*|zg[łl]oszeni\w*|wersj\w*|model\w*|godzini\w*|[a-z]+-)\.?|在|于|第|年|(?<!转)到|了|近|约|号|端口|版本|[元价])\s*[#*]?$",
    re.IGNORECASE,
)
_REST = re.compile(
    r"[\"'`*”)]*\s*(?:$|[^\w\s(]|(?:and|then|to|for|from|if|when|i|oraz|a|żeby|zeby|aby|by|a?potem|is|as|will|can|now|instead|again|please"
    r"|also|on|at|with|teraz|na|od|przy)(?![^\W\d_])"
    r"|(?:就|才|能|可以|就能|来|即可)*(?:打开|[开開](?!始|户|放)|解|[关關]|撤|布防|进|即可|行))",
    re.IGNORECASE,
)
_SAID_FIRST = re.compile(
    r"[\"'`*”]*\s?(?:(?:will|also|now|always|still|can|is\swhat|is\sthe\sone\sthat|to|te[żz]|zawsze|teraz|就|能|可以|才|就能|会|来|用来)\s?){0,2}",
    re.IGNORECASE,
)
_BUZZED = re.compile(
    r"(?:domofon\w*|intercom|buzzer)\s(?:\d{1,4}\s)?(?:klucz\w*|key|dzwonek|i|and)\s[#*]?$", re.IGNORECASE
)
_CLAUSE = re.compile(r"[^,，;；。！？!?\n•]+")
_REACH = 60
_WORDS = {
    **dict.fromkeys(("zero", "oh", "零", "〇", "double", "triple"), "0"),
    **dict.fromkeys(("one", "jeden", "一", "幺"), "1"),
    **dict.fromkeys(("two", "dwa", "二", "两"), "2"),
    **dict.fromkeys(("three", "trzy", "三"), "3"),
    **dict.fromkeys(("four", "cztery", "四"), "4"),
    **dict.fromkeys(("five", "pięć", "piec", "pieć", "pięc", "五"), "5"),
    **dict.fromkeys(("six", "sześć", "szesc", "sześc", "szesć", "六"), "6"),
    **dict.fromkeys(("seven", "siedem", "七"), "7"),
    **dict.fromkeys(("eight", "osiem", "八"), "8"),
    **dict.fromkeys(("nine", "dziewięć", "dziewiec", "dziewięc", "dziewieć", "九"), "9"),
}
_ANY_WORD = "|".join(sorted(_WORDS, key=len, reverse=True))
_DIGIT_WORD = re.compile(_ANY_WORD)
_RUN = re.compile(
    rf"(?<![^\W_])(?:{_ANY_WORD})(?:[ ,-]{{1,2}}(?:{_ANY_WORD})){{2,11}}(?![^\W_])"
    r"|(?<![零〇一二两三四五六七八九幺])[零〇一二两三四五六七八九幺]{3,10}(?![零〇一二两三四五六七八九幺十百千万点])",
    re.IGNORECASE,
)
_SPOKEN = register_stems(_WORDS)


def find(screen: Screen, stems: Stems) -> Iterator[Span]:
    """The spans of numbers that operate a device, in lines with a stem."""
    for line in screen.spans(screen.lines(stems)):
        for clause in _CLAUSE.finditer(screen.text, *line):
            for number in _NUMBER.finditer(clause[0]):
                if _operates(clause[0], number):
                    yield clause.start() + number.start("secret"), clause.start() + number.end("secret")


def _operates(clause: str, number: re.Match[str]) -> bool:
    before = clause[max(0, number.start() - _REACH) : number.start()]
    behind = clause[number.end() : number.end() + _REACH]
    if _BUZZED.search(before):
        return True
    if _NOT_BEFORE.search(before) or ORDINARY.search(before):
        return False
    if AS_ORDINARY.match(behind) and ORDINARY.search(behind):
        return False
    said = _SAID_FIRST.sub("", behind, count=1)
    if _VERB.match(said) and _DEVICE.search(said):
        return True
    if _LABELLED.search(before) and _ENDS.match(behind):
        return True
    return (
        bool(_REST.match(behind))
        and bool(_VERB.search(before))
        and bool(_DEVICE.search(before) or _DEVICE.search(behind))
    )


def digits(screen: Screen) -> tuple[str, list[int]] | None:
    """The text with runs of three or more digit words in digits, and the place in it of each character.

    `None` where there is no such run.
    """
    text, pieces, places, last = screen.text, list[str](), list[int](), 0
    for run in screen.matches(_RUN, screen.occurrences(_SPOKEN)):
        number = "".join(_WORDS[word[0]] for word in _DIGIT_WORD.finditer(screen.folded, *run.span()))
        pieces += [text[last : run.start()], number]
        places += [*range(last, run.start()), *[run.start()] * (len(number) - 1), run.end() - 1]
        last = run.end()
    return ("".join([*pieces, text[last:]]), [*places, *range(last, len(text))]) if pieces else None
