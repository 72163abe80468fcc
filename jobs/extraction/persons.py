"""`I` and `you` as names of persons, where a language allows it without breaking its grammar.

In the owner's lines it is all or nothing: where one `I` cannot be put into the third person, the line stays as it was
said. `you` is resolved only where it begins an order: elsewhere people say it of anybody. Polish verbs have the person
in their ending, so Polish lines stay.

An assistant's line that the owner only accepted has to be exact: where one of them is not resolved by grammar there is
no line. In Polish the ending tells the person, and mostly the new form: the second person ends in `-sz`, and without it
the verb is in the third. Of the first person only some endings tell the form (`-am`, `-uję`); `-ę` may be either
(`piszę`, `proszę`), and in the middle of a clause also a noun.
"""

import re
from collections.abc import Callable
from typing import Final

from pipeline.language.detection import Language

_MODAL: Final = (
    "will|can|could|must|should|may|might|would|did|had|was|won't|can't|cannot|couldn't|shouldn't|wouldn't|didn't"
)
_AUXILIARY: Final = {
    "'m": "is",
    "'re": "is",
    "'ve": "has",
    "'ll": "will",
    "'d": "would",
    "am": "is",
    "are": "is",
    "were": "was",
    "have": "has",
    "do": "does",
    "don't": "doesn't",
    "do not": "does not",
    "aren't": "isn't",
    "haven't": "hasn't",
}
_PAST: Final = re.compile(
    r"\w+ed|told|said|went|gave|made|were|got|saw|knew|came|took|wrote|sent|left|kept|put|be|have|did"
)
"""Verbs whose form does not tell that they are in the present."""


def _third_auxiliary(auxiliary: str) -> str:
    """The third person of an auxiliary verb or of its short form: `'m`, `have`, `can`."""
    return _AUXILIARY.get(auxiliary.lower(), auxiliary)


def _third_verb(base: str) -> str:
    """The third person of a verb in the present."""
    if base.endswith(("s", "x", "z", "ch", "sh", "o")):
        return base + "es"
    return base[:-1] + "ies" if re.search("[^aeiou]y$", base) else base + "s"


_CLAUSE = re.compile(r"[^,;:.!?]+|[,;:.!?]+")
_WORD = re.compile(r"[^\W\d_]+")
_ASSISTANT, _OWNER = "asystent", "właściciel"
_SUBJECTS = {"ja": _ASSISTANT, "ty": _OWNER}
_NO_VERB = re.compile(
    "nasz|wasz|kasz|nisz|klisz|poddasz|mysz|klawisz|afisz|towarzysz|gulasz|tomasz|łukasz|eliasz|jonasz"  # nouns, names
    r"|\w*(?:pisz|słysz|ciesz|spiesz|czesz|kołysz)|(?:za|wy)wiesz"  # imperatives
    r"|tam|sam|razem|potem|zatem|wieczorem|latem|adam|islam|reklam|\w*gram"
)
_SECOND = re.compile(r"[^\W\d_]*[aeiy]sz")
_FIRST = re.compile(r"[^\W\d_]+(?:ę|am)|wiem|umiem|rozumiem|jestem")
_CERTAIN = re.compile(r"[^\W\d_]+uję")  # the only ending in -ę that no noun has
_IRREGULAR = {
    "jestem": "jest",
    "jesteś": "jest",
    "mogę": "może",
    "będę": "będzie",
    "chcę": "chce",
    "biorę": "bierze",
    "wezmę": "weźmie",
}
_ENDINGS = (("piszę", "pisze"), ("ślę", "śle"), ("oję", "oi"), ("ję", "je"), ("am", "a"), ("em", "e"))
_LEFT_IN_POLISH = re.compile(
    r"\b(?:ja|ty|mi|mnie|mną|m(?:ój|o[ij]\w*)|ciebie|cię|tobie|tobą|tw(?:ój|o[ij]\w*)|\w+ł[ea][mś]|\w+ła?by[mś]|(?:że|a)by[mś])\b",
    re.IGNORECASE,
)
_OPENS = frozenset({"i", "a", "ale", "to", "nie", "potem", "wtedy", "więc", "tylko", "też", "zawsze", "nigdy"})


def _polish_proposal(text: str) -> str | None:
    """The words with their verbs in the third person and named subjects; `None` where an ending does not tell."""
    resolved = [_polish_clause(part) for part in _CLAUSE.findall(text)]
    whole = "".join(part or "" for part in resolved)
    return None if None in resolved or _LEFT_IN_POLISH.search(whole) else whole


def _polish_clause(text: str) -> str | None:
    """A clause of one person; `None` where it has two persons, or a form that does not tell."""
    words = list(_WORD.finditer(text))
    verbs = [
        word
        for place, word in enumerate(words)
        if (place == 0 or word.group().islower()) and _is_verb(word.group().lower(), opens=_opens_clause(words[:place]))
    ]
    people = {_OWNER if verb.group().lower().endswith(("sz", "ś")) else _ASSISTANT for verb in verbs}
    forms = {verb.start(): _third_form(verb.group().lower()) for verb in verbs}
    if len(people) > 1 or None in forms.values():
        return None
    named = any(word.group().lower() in _SUBJECTS for word in words)
    subject = "" if named or not verbs else f"{people.pop()} "
    first = verbs[0].start() if verbs else -1

    def replace_word(word: re.Match[str]) -> str:
        if form := forms.get(word.start()):
            return (subject if word.start() == first else "") + form
        return _SUBJECTS.get(word.group().lower(), word.group())

    return _WORD.sub(replace_word, text)


def _opens_clause(before: list[re.Match[str]]) -> bool:
    """Whether only small words precede a place, so that a verb is expected there."""
    return all(word.group().lower() in _OPENS or word.group().lower() in _SUBJECTS for word in before)


def _is_verb(word: str, *, opens: bool) -> bool:
    """Whether it is a verb in the first or second person."""
    if _NO_VERB.fullmatch(word):
        return False
    if _SECOND.fullmatch(word) or word in _IRREGULAR or _CERTAIN.fullmatch(word):
        return True
    return opens and _FIRST.fullmatch(word) is not None


def _third_form(verb: str) -> str | None:
    if verb in _IRREGULAR:
        return _IRREGULAR[verb]
    if verb.endswith("sz"):
        return verb.removesuffix("sz")
    return next((verb.removesuffix(old) + new for old, new in _ENDINGS if verb.endswith(old)), None)


# ruff: noqa: RUF001  (full-width marks are what Chinese is written with)


_I = re.compile(
    rf"\b(?:i(?:(?P<short>'m|'ve|'ll)| (?P<verb>am|have|don't|do not|{_MODAL}))|(?P<object>me|my(?:self)?|mine))\b",
    re.IGNORECASE,
)
_LEFT = re.compile(r"\b(?:i|i'\w+|im|ive)\b", re.IGNORECASE)
_YOU = re.compile(
    rf"(?:^|(?<=[,;:.] ))you (?:(?P<verb>don't|do not|{_MODAL})|(?P<adverb>never|always|only) (?P<base>[a-z]+))\b",
    re.IGNORECASE,
)
NAMES_FOR_PERSONS = frozenset({"owner", "assis", "本人", "助手"})
"""The terms of the names for `I` and `you`; they are in many lines, and tell nothing of the matter."""
_CHINESE_I = re.compile(
    "我(?![们国方])(?:本人)?(的?)(?=(妈|爸|老婆|老公|太太|先生|儿子|女儿|哥|姐|弟|妹|家|公司|老板)?)"
)
# Part of a word, or perhaps the `I` of somebody who is cited: then the line stays as it was said.
_CHINESE_UNSURE = re.compile("[自忘你说讲道]我|我[俩等辈]|我行我素|[“「『][^”」』]*我")
_CHINESE_YOU = re.compile("(?:^|(?<=[，。；：]))你(?=别|不|只|要|得|必须|可以|先|去|给|把)")


def third_person(text: str, language: Language) -> str:
    """The text with `the owner` and `the assistant` for `I` and `you`."""
    rule = _RULES.get(language)
    return rule(text) if rule else text


def _english_line(text: str) -> str:
    plain = text.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")
    resolved = _I.sub(_name_owner, plain)
    if _LEFT.search(resolved):
        resolved = plain
    return text if resolved == plain == _YOU.sub(_name_assistant, plain) else _YOU.sub(_name_assistant, resolved)


def _name_owner(match: re.Match[str]) -> str:
    pronoun, verb = match["object"], (match["short"] or match["verb"] or "").lower()
    if pronoun:
        return "the owner's" if pronoun.lower() in {"my", "mine"} else "the owner"
    return f"the owner {_third_auxiliary(verb)}"


def _name_assistant(match: re.Match[str]) -> str:
    verb, base = match["verb"], match["base"] or ""
    if verb:
        return f"the assistant {_third_auxiliary(verb)}"
    if _PAST.fullmatch(base):
        return match.group()
    return f"the assistant {match['adverb']} {_third_verb(base)}"


def _chinese_line(text: str) -> str:
    if _CHINESE_UNSURE.search(text):
        return text
    resolved = _CHINESE_I.sub(lambda match: "本人" + ("的" if match[1] or match[2] else ""), text)
    return _CHINESE_YOU.sub("助手", resolved)


_RULES: dict[Language, Callable[[str], str]] = {Language.ENGLISH: _english_line, Language.CHINESE: _chinese_line}


_OF_GRAMMAR = (
    "a|an|the|this|that|these|those|all|any|both|each|every|some|no|none|and|or|but|then|so|if|when|while|where|as|than"
    "|because|once|until|unless|to|of|on|in|at|by|for|from|with|without|about|into|over|under|after|before|during|via"
    "|i|you|we|they|he|she|it|me|us|them|my|your|our|their|his|her|its|not|only|also|always|never|again|too|there|here"
    "|today|tomorrow|daily|weekly|monthly|everything|everybody|everyone|nothing|nobody|one|two|first|last|what|how|who"
)
_WHO = {"i": "the assistant", "you": "the owner"}
_WHOSE = {"my": "the assistant's", "mine": "the assistant's", "your": "the owner's", "yours": "the owner's"}
_HEAD = r"(?P<head>^|[,;:.?!(] |\b(?:and|but|or|so|then|if|when|while|once|until|unless|before|after|because|that) )"
_SUBJECT = re.compile(
    rf"{_HEAD}(?P<who>i|you)(?:(?P<short>'(?:m|re|ve|ll|d))\b| (?P<aux>am|are|aren't|have|don't|do not|{_MODAL})\b"
    rf"|(?P<adverb>(?: (?:never|always|only|also|then|just))*) (?P<base>(?!(?:{_OF_GRAMMAR})\b)[a-z]+)\b"
    r"(?=(?P<rest>[^;:.]{0,200})))",
    re.IGNORECASE,
)
_ASKED = re.compile(rf"(?P<head>^|[,;:.] )(?P<aux>am|are|do|don't|have|{_MODAL}) (?P<who>i|you)\b", re.IGNORECASE)
_OBJECT = re.compile(rf"(?<=[a-z] )you(?=$|[,;:.!?)]| (?:{_OF_GRAMMAR})\b)", re.IGNORECASE)
_PLAIN = re.compile(r"\b(?P<who>me|myself|yourself|my|mine|yours?)\b", re.IGNORECASE)
_LEFT_IN_PROPOSAL = re.compile(r"\b(?:i|im|you)\b", re.IGNORECASE)
_GOES_ON = re.compile(rf"(?:,|\b(?:and|or|then|but)) (?!(?:{_OF_GRAMMAR})\b)[a-z]")
_CHINESE = {"我": "助手", "你": "本人", "您": "本人"}
_CHINESE_WHO = re.compile("(?<![自迷])(?:我(?![们国方])|[你您](?![们好]))")


def named_in_proposal(text: str, language: Language) -> str | None:
    """The assistant's words with `the assistant` and `the owner` for `I` and `you`; `None` if a pronoun is left."""
    return _PROPOSAL_RULES[language](text)


def _english_proposal(text: str) -> str | None:
    resolved = _ASKED.sub(_resolve_question, text.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'"))
    resolved = _OBJECT.sub(_WHO["you"], _SUBJECT.sub(_resolve_subject, resolved))
    resolved = _PLAIN.sub(_resolve_pronoun, resolved)
    return None if _LEFT_IN_PROPOSAL.search(resolved) else resolved


def _resolve_question(match: re.Match[str]) -> str:
    verb = _third_auxiliary(match["aux"])
    return f"{match['head']}{verb.capitalize() if match['aux'][0].isupper() else verb} {_WHO[match['who'].lower()]}"


def _resolve_subject(match: re.Match[str]) -> str:
    """A subject with its verb; a verb that may be of the past, or that another may follow, is left."""
    named = f"{match['head']}{_WHO[match['who'].lower()]}"
    if match["short"] or match["aux"]:
        return f"{named} {_third_auxiliary(match['short'] or match['aux'])}"
    if _PAST.fullmatch(match["base"]) or _GOES_ON.search(match["rest"]):
        return match.group()
    return f"{named}{match['adverb']} {_third_verb(match['base'])}"


def _resolve_pronoun(match: re.Match[str]) -> str:
    pronoun = match["who"].lower()
    return _WHOSE.get(pronoun) or _WHO["i" if pronoun.startswith("m") else "you"]


_PROPOSAL_RULES: dict[Language, Callable[[str], str | None]] = {
    Language.ENGLISH: _english_proposal,
    Language.POLISH: _polish_proposal,
    Language.CHINESE: lambda text: _CHINESE_WHO.sub(lambda match: _CHINESE[match.group()], text),
}
