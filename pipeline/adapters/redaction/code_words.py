"""The words around a code, in English, Polish and Chinese: names, things that it opens, phrases before it."""

# ruff: noqa: RUF001 - Chinese punctuation and typographic quotes are meant

import re

from pipeline.adapters.redaction.cues import COPULA, COPULA_HAN, WORDS, SecretWord

_BEGINS, _ENDS = r"(?<![A-Za-z])", r"(?![a-ząćęłńóśźż])"


def either(words: str) -> str:
    """A pattern of words with blanks between; a blank in a word is written as `_`."""
    return "|".join(words.replace("_", r"\s?").split())


def loose_pattern(name: SecretWord, *languages: str) -> str:
    """A pattern of a class of words in some languages, or in all; a blank in a word may be missing."""
    return WORDS.either(name, *languages).replace(" ", r"\s?")


def pattern(name: SecretWord, begun: SecretWord | None = None, first: str = "") -> re.Pattern[str]:
    """A pattern of a class: whole words, words of which only the beginning counts, and Chinese, which has no blanks.

    `first` is a pattern of other whole words.
    """
    whole = "|".join(filter(None, (first, loose_pattern(name, "en", "pl"))))
    beginning, chinese = loose_pattern(begun, "en", "pl") if begun else "", loose_pattern(name, "zh")
    parts = [f"{_BEGINS}(?:{whole}){_ENDS}"] if whole else []
    parts += [f"{_BEGINS}(?:{beginning})[a-ząćęłńóśźż]*"] if beginning else []
    parts += [chinese] if chinese else []
    return re.compile("|".join(parts), re.IGNORECASE)


OWN_NAME = pattern("code_name")
"""Names of nothing but a code; the group `pin` is a verb as well."""

CODE = pattern("code", first=f"(?P<password>{loose_pattern('password_code')})")
"""Possible names of a code; the groups `password` and `chinese` name nothing else."""

PLACE = pattern("place", "place_begun")
"""The things that a secret code opens, or the ways that it is sent."""

ORDINARY = pattern("public", "public_begun")
"""The things that a public code or number belongs to."""

ENTRANCE = pattern("entrance", "entrance_begun")
"""Places and verbs of typing a number to get in; they are common elsewhere, so they count beside `ENTER` alone."""

_TYPE = (
    r"type enter punch punch_in key_in tap_in press dial input put_in wpisz wpisa[ćc] wpisuj[a-ząćę]* wystuk[a-ząćę]*"
    r" wstuk[a-ząćę]* wklep[a-ząćę]* wprowad[źz][a-ząćę]* wybierz wybiera[a-z]* wci[śs]ni[a-ząćę]* wci[śs]n[aą][ćc]"
    r" wciska[a-z]* naci[śs]ni[a-ząćę]* naci[śs]n[aą][ćc] naciska[a-z]*"
)
_HIT = r"hit tap buzz wbij[a-ząćę]* wbi[ćc]"
ENTER = re.compile(
    rf"(?:{_BEGINS}(?:{either(_TYPE)}|(?P<hit>{either(_HIT)}))(?![a-ząćęłńóśźż])|输入|輸入|[输輸拨撥]|(?P<by>[按摁])|(?P<strike>打))"
    r"\s*(?:in|kod|code|the\scode|密[码碼])?[\s:：\"'`「“„]*$",
    re.IGNORECASE,
)
"""Verbs before a number to type. The groups `hit` and `strike` have many other objects, and `by` also names an
instrument."""

ENTERED = re.compile(
    r"[\"'`*」”)#]*\s*(?:$|[^\w\s]|(?:and|then|in|into|on|onto|at|by|to|for|from|with|near|next|when|while|if|as|once|so|or"
    r"|before|after|again|first|please|outside|inside|downstairs|upstairs|through|there|here|now|twice|is|it|you|we|they"
    r"|star|hash|pound|bell|ok|enter|key|followed|przy|na|do|w|we|i|a|oraz|[żz]eby|aby|by|potem|jak|gdy|kiedy|to|od|obok|pod"
    r"|po|z|ze|zanim|prosz[eę]|najpierw|teraz|tam|tu|hasz|krzy[żz]yk|gwiazdk[aąięe]|dzwonek|klucz(?:yk)?)(?![^\W\d_])"
    r"|[进進上出就才能再便会會键鍵即可]|[开開](?!始|户|放)|井号|井號|确认|確認|然后|然後)",
    re.IGNORECASE,
)
"""Follows a number to type; after a noun there, the verb has another object."""

BASIS = re.compile(
    r"\s*(?:的|标准|標準|计划|計劃|预算|預算|比例|规定|規定|要求|价|價|拨款|撥款|平米?|平方|吨|公斤|克|小?时|時|日|份|张|張|套|折"
    r"|级|級|倍|版|届|号文|號文|计|計|算|收)"
)
"""Follows a number by which something is reckoned: `按 3500 预算` is no key that is pressed."""

CALLED = re.compile(rf"(?:{_BEGINS}(?:dial|buzz|wybierz|wybiera[a-z]*)|[拨撥打])[^\w]*$", re.IGNORECASE)
"""Stands before a number that is called."""

PHONE = re.compile(r"\+?\d{9,}|11[0279]|120|911|99[789]")
"""Numbers of phones, and numbers for help."""

AS_ORDINARY = re.compile(r"\s*(?:(?:as|jako)\s|作为|作為)", re.IGNORECASE)
"""Stands behind what is typed where the name of the number follows."""

USE = re.compile(rf"{_BEGINS}(?:use|u[żz]yj|u[żz]ywaj)\s$", re.IGNORECASE)
"""Stands before what is used for something."""

OPENS_WITH = re.compile(
    rf"{_BEGINS}(?:{either('open(?:s|ed)? unlock(?:s|ed)? disarm(?:s|ed)? otwier[a-z]+ otw[oó]rz[a-z]* rozbr[a-z]+')})"
    r"\s(?:it\s|si[eę]\s)?(?:with|by|using|na|przez|kodem)\s$"
    rf"|{_BEGINS}(?:disarm|unlock|key_?pad|safe|sejf[a-z]*|k[łl][óo]dk[a-ząę]*)\s?:\s?$|[险險][箱柜櫃][:：]\s?$",
    re.IGNORECASE,
)
"""Stands before what opens something."""

LINK = re.compile(
    r"(?:[:=：→>]|->|(?<![^\W\d_])(?:is|it['’]?s|be|to|was|are|either|still|now|always|currently|jest|teraz|zawsze|dzi[śs]|ju[żz]|b[eę]dzie|brzmi|by[łl]o?|na|ma|mamy|nadal|with|by"
    r"|using|kodem|code|kod|pin|combination|szyfr)|[是为為成用]了?)[\s\"'`*「“„]*$",
    re.IGNORECASE,
)
"""Stands right before a value."""

GLUE = re.compile(
    rf"(?:[\s:=：#*_\"'`「“„,(（—–-]|(?<![^\W\d_])(?:{either('for do od dla of the my our new nowy a this here again')}"
    rf"|{either('from z ze in on u your tw[oó]j nasz klucz to na')})(?![^\W\d_])|['’]s(?!\w)"
    r"|(?:是|为|為|还是|改成|改为|在这|的))*",
)
"""The text that may stand between a name and its value."""

JOINT = re.compile(
    rf"[\"'`*”」]{{0,2}}(?:\s?[,，、]|[,，]?\s?(?:{either('and or as_well_as i oraz lub albo 和 与 與 及 或者?')}))\s?",
    re.IGNORECASE,
)
"""Stands between two codes of a list."""

IS = re.compile(rf"[\"'`*」”]{{0,2}}\s*(?:{COPULA}|{COPULA_HAN})[\s\"'`*「“„]*", re.IGNORECASE)
"""A name and its value, and nothing else between them."""

IS_FOR = re.compile(
    r"[\"'`*」”]{0,2}\s*(?:(?:is|are|was|to|jest|s[ąa]|opens?|unlocks?|disarms?|otwiera|rozbraja|for|do|works\s(?:on|for))(?![^\W\d_])"
    r"|[—–-]|=(?!=)|[就都]?是|[开開打]|能)",
    re.IGNORECASE,
)
"""Follows a value that comes first in its sentence."""

OPENS = re.compile(r"\s*(?:opens?|unlocks?|disarms?|otwiera|rozbraja|能?[开開打])", re.IGNORECASE)
"""Stands behind what opens something."""

FOR = re.compile(r"\s(?:for|at|on|to\sopen|do|na|przy)(?![^\W\d_])", re.IGNORECASE)
"""Stands behind what is used for something."""

BESIDE = re.compile(
    r"[\"'`*」”]{0,2}\s?(?:[(（\[]|(?P<comma>[,，:：])(?=[^()（）\[\],，]+$))(?P<name>[^()（）\[\],，]{2,60})"
)
"""Text in brackets behind a value, or behind its comma or colon up to the end of the sentence."""

FREE = re.compile(
    r"(?:^|[,:(—–-]|(?<![^\W\d_])"
    rf"(?:{either('the my our your new this that and a secret nowy m[oó]j nasz tw[oó]j i ten remember note save')}"
    r"|zapami[eę]taj|pami[eę]taj))\s*$",
    re.IGNORECASE,
)
"""Precedes the name of a code without further words."""

REST = re.compile(
    r"[\"'`*」”)]{0,2}\s*(?:$|[,;—–(-]|[，、）]"
    rf"|(?:{either('and please thanks ok don keep remember i nie zapami dzi[eę]k')}))",
    re.IGNORECASE,
)
"""May follow such a code: no counted noun comes next."""
