"""`I` and `you` in the assistant's words: the assistant, and the owner whom it speaks to.

A line that the owner only accepted has to be exact, so where one of them is not resolved by grammar there is no line.
"""

import re
from collections.abc import Callable

from jobs.extraction.english_verbs import MODAL, PAST, third_auxiliary, third_verb
from jobs.extraction.polish_persons import polish_proposal
from pipeline.language.detection import Language

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
    rf"{_HEAD}(?P<who>i|you)(?:(?P<short>'(?:m|re|ve|ll|d))\b| (?P<aux>am|are|aren't|have|don't|do not|{MODAL})\b"
    rf"|(?P<adverb>(?: (?:never|always|only|also|then|just))*) (?P<base>(?!(?:{_OF_GRAMMAR})\b)[a-z]+)\b"
    r"(?=(?P<rest>[^;:.]{0,200})))",
    re.IGNORECASE,
)
_ASKED = re.compile(rf"(?P<head>^|[,;:.] )(?P<aux>am|are|do|don't|have|{MODAL}) (?P<who>i|you)\b", re.IGNORECASE)
_OBJECT = re.compile(rf"(?<=[a-z] )you(?=$|[,;:.!?)]| (?:{_OF_GRAMMAR})\b)", re.IGNORECASE)
_PLAIN = re.compile(r"\b(?P<who>me|myself|yourself|my|mine|yours?)\b", re.IGNORECASE)
_LEFT_IN_PROPOSAL = re.compile(r"\b(?:i|im|you)\b", re.IGNORECASE)
_GOES_ON = re.compile(rf"(?:,|\b(?:and|or|then|but)) (?!(?:{_OF_GRAMMAR})\b)[a-z]")
_CHINESE = {"我": "助手", "你": "本人", "您": "本人"}
_CHINESE_WHO = re.compile("(?<![自迷])(?:我(?![们国方])|[你您](?![们好]))")


def named_in_proposal(text: str, language: Language) -> str | None:
    """The assistant's words with `the assistant` and `the owner` for `I` and `you`; `None` if one of them is left."""
    return _PROPOSAL_RULES[language](text)


def _english_proposal(text: str) -> str | None:
    resolved = _ASKED.sub(_resolve_question, text.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'"))
    resolved = _OBJECT.sub(_WHO["you"], _SUBJECT.sub(_resolve_subject, resolved))
    resolved = _PLAIN.sub(_resolve_pronoun, resolved)
    return None if _LEFT_IN_PROPOSAL.search(resolved) else resolved


def _resolve_question(match: re.Match[str]) -> str:
    verb = third_auxiliary(match["aux"])
    return f"{match['head']}{verb.capitalize() if match['aux'][0].isupper() else verb} {_WHO[match['who'].lower()]}"


def _resolve_subject(match: re.Match[str]) -> str:
    """A subject with its verb; a verb that may be of the past, or that another may follow, is left."""
    named = f"{match['head']}{_WHO[match['who'].lower()]}"
    if match["short"] or match["aux"]:
        return f"{named} {third_auxiliary(match['short'] or match['aux'])}"
    if PAST.fullmatch(match["base"]) or _GOES_ON.search(match["rest"]):
        return match.group()
    return f"{named}{match['adverb']} {third_verb(match['base'])}"


def _resolve_pronoun(match: re.Match[str]) -> str:
    pronoun = match["who"].lower()
    return _WHOSE.get(pronoun) or _WHO["i" if pronoun.startswith("m") else "you"]


def _chinese_proposal(text: str) -> str:
    return _CHINESE_WHO.sub(lambda match: _CHINESE[match.group()], text)


_PROPOSAL_RULES: dict[Language, Callable[[str], str | None]] = {
    Language.ENGLISH: _english_proposal,
    Language.POLISH: polish_proposal,
    Language.CHINESE: _chinese_proposal,
}
