"""`I` and `you` as the names of who is meant, where a language allows it without breaking its grammar.

All or nothing: where one `I` of a line cannot be put into the third person, the line stays as it was said. `you` is
resolved only where it begins an order: elsewhere people say it of anybody. Polish verbs have the person in their
ending, so Polish lines stay.
"""

# ruff: noqa: RUF001  (full-width marks are what Chinese is written with)

import re
from collections.abc import Callable

from jobs.extraction.english_verbs import MODAL, PAST, third_auxiliary, third_verb
from pipeline.language.detection import Language

_I = re.compile(
    rf"\b(?:i(?:(?P<short>'m|'ve|'ll)| (?P<verb>am|have|don't|do not|{MODAL}))|(?P<object>me|my(?:self)?|mine))\b",
    re.IGNORECASE,
)
_LEFT = re.compile(r"\b(?:i|i'\w+|im|ive)\b", re.IGNORECASE)
_YOU = re.compile(
    rf"(?:^|(?<=[,;:.] ))you (?:(?P<verb>don't|do not|{MODAL})|(?P<adverb>never|always|only) (?P<base>[a-z]+))\b",
    re.IGNORECASE,
)
NAMES_FOR_PERSONS = frozenset({"owner", "assis", "本人", "助手"})
"""The terms of the names that stand for `I` and `you`; they are in many lines, and tell nothing of the matter."""
_CHINESE_I = re.compile("我(?![们国方])(的?)(?=(妈|爸|老婆|老公|太太|先生|儿子|女儿|哥|姐|弟|妹|家|公司|老板)?)")
_CHINESE_YOU = re.compile("(?:^|(?<=[，。；：]))你(?=别|不|只|要|得|必须|可以|先|去|给|把)")


def third_person(text: str, language: Language) -> str:
    """The text with `the owner` and `the assistant` for `I` and `you`."""
    return _RULES.get(language, _unchanged_text)(text)


def _unchanged_text(text: str) -> str:
    return text


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
    return f"the owner {third_auxiliary(verb)}"


def _name_assistant(match: re.Match[str]) -> str:
    verb, base = match["verb"], match["base"] or ""
    if verb:
        return f"the assistant {third_auxiliary(verb)}"
    if PAST.fullmatch(base):
        return match.group()
    return f"the assistant {match['adverb']} {third_verb(base)}"


def _chinese_line(text: str) -> str:
    resolved = _CHINESE_I.sub(lambda match: "本人" + ("的" if match[1] or match[2] else ""), text)
    return _CHINESE_YOU.sub("助手", resolved)


_RULES: dict[Language, Callable[[str], str]] = {Language.ENGLISH: _english_line, Language.CHINESE: _chinese_line}
