"""Plain statements about somebody or something named: `Anna prefers tea`. Never sure: a person decides about them.

Nothing is known of the verb. What tells such a statement is its form: a name, what is said of it, and an assistant that
has nothing to do about it.
"""

# ruff: noqa: RUF001  (full-width marks are what Chinese is written with)

import re
from collections.abc import Collection, Iterator

from jobs.extraction.exchanges import Exchange, Turn
from jobs.extraction.profiles import PROFILES
from jobs.facts.mentions import hyphened, is_name, mentions
from jobs.facts.reading import NOISE, WORDS
from jobs.facts.spoken import is_broken
from pipeline.agents.journal import one_line
from pipeline.language.detection import Language
from pipeline.language.folding import flat, fold
from pipeline.language.stopwords import FREQUENT
from pipeline.language.text import Span, terms, weight
from schemas.fact import FactKind
from schemas.fact_extraction import FactCandidate
from schemas.transcript import MASK, Message, Origin, Session

MOST = 2
"""The most plain statements of one session that a person is asked about."""

_UNSURE = 0.6
_LONGEST, _NOTED, _BRIEF = 120, 240, 40
"""Latin letters, or as much in Chinese: of a statement, of an answer that takes note of it, and of a mere okay."""
_NOT_PLAIN = (*NOISE, "momentary", "request", "task", "imperative", "remember", "pointing")
_REPORTED = "reported"
_WITH_SPEECH = re.compile(r"[,，:：\"“„「]|\b(?:that|ze|he|she|they|ona?)\b|说")
"""What stands where the words of somebody follow; without it a verb of saying and wishing tells of the person."""
_WITHIN_TALK = re.compile(r"\b(?:you|your|we|our|us|ty|ciebie|twoj\w*|my|nasz\w*|nam|nas)\b|[你您们咱]|[这那]个?")
_LETTER = r"[^\W\d_\u4e00-\u9fff]"
_NAME = rf"(?=[^\W\d_a-z\u4e00-\u9fff]){_LETTER}(?:{_LETTER}|['’-])+"
_LATIN = re.compile(rf"(?P<name>{_NAME}(?: {_NAME})*)(?P<rest> \S+ \S.*|[\u4e00-\u9fff]{{2}}.*)")
_CONJUGATED = re.compile("(?:ę|my|cie|ć)$")
"""How Polish verbs in the first and second person end, and no name does."""
_HAN = re.compile(r"(?P<name>[小老阿][\u4e00-\u9fff])(?P<rest>[\u4e00-\u9fff].*)")
_HAN_STATEMENT = re.compile(
    r"(?!.*我)(?![我他她它谁什怎哪请帮给把让去来再先快不别没有是在])[\u4e00-\u9fffa-zA-Z\d ]{4,16}"
)


def plain_statements(session: Session, around: Collection[Exchange], new: Collection[int]) -> list[FactCandidate]:
    """The statements of the new messages, the first ones alone."""
    statements = [
        exchange for exchange in around if exchange.said.message.number in new and _is_statement(exchange, session)
    ]
    common = {
        word
        for message in session.conversation
        for word in re.findall(r"\b[^\W\d_]+\b", message.text)
        if word.islower()
    }
    candidates = [candidate for exchange in statements for candidate in _in_turn(exchange, common)]
    return candidates[:MOST]


def _is_statement(exchange: Exchange, session: Session) -> bool:
    """Whether the owner says something short and the assistant has but a word for it."""
    said, answer = exchange.said, exchange.answer
    if (
        MASK in said.text
        or said.foreign
        or not said.spans
        or weight(said.text) > _LONGEST * MOST
        or any(span.asks for span in said.spans)
    ):
        return False
    if answer is None or _acts(session, said.message):
        return answer is None
    return not answer.asks and weight(answer.text) <= (_NOTED if _is_noted(answer) else _BRIEF)


def _is_noted(answer: Turn) -> bool:
    """Whether the assistant says that it will remember, in any language."""
    return any(profile.finds("noted", fold(answer.text)) for profile in PROFILES.values())


def _acts(session: Session, message: Message) -> bool:
    """Whether a tool runs before the owner speaks again."""
    later = (one for one in session.messages if one.number > message.number)
    for one in later:
        if one.origin is Origin.OWNER:
            return False
        if one.origin is Origin.TOOL:
            return True
    return False


def _in_turn(exchange: Exchange, common: Collection[str]) -> Iterator[FactCandidate]:
    said = exchange.said
    for span in said.spans:
        statement = _stated(span, said)
        if statement and (named := _subject(statement, exchange, common)) is not None:
            yield FactCandidate(
                kind=FactKind.WORLD,
                entities=tuple(dict.fromkeys([*([hyphened(named)] if named else []), *mentions(statement)])),
                text=one_line(statement),
                quote=statement,
                quote_number=said.message.number,
                confidence=_UNSURE,
            )


def _stated(span: Span, said: Turn) -> str:
    """What a sentence states, without what leads to it; empty when it does something else."""
    folded = span.folded
    if weight(span.text) > _LONGEST or _WITHIN_TALK.search(folded) or is_broken(span.text):
        return ""
    functions = {function for function in _NOT_PLAIN if said.profile.finds(function, folded)}
    if functions - {_REPORTED} or (functions and _WITH_SPEECH.search(folded)):
        return ""
    lead = WORDS[said.profile.code].lead.match(folded)
    return span.text[lead.end() if lead else 0 :].rstrip(" .,;!，。；！")


def _subject(statement: str, exchange: Exchange, common: Collection[str]) -> str | None:
    """The name that a statement begins with; empty where Chinese has none to see; `None` when nothing is told of it."""
    match = _LATIN.fullmatch(statement) or _HAN.fullmatch(statement)
    if match:
        name = match["name"]
        own = name.split()[-1]  # before it stands a title or the first name
        known = is_name(own) and own.lower() not in common and not _CONJUGATED.search(own) and flat(own) not in FREQUENT
        return name if known and terms(match["rest"]) else None
    noted = exchange.answer is not None and _is_noted(exchange.answer)
    chinese = exchange.said.profile.code is Language.CHINESE
    return "" if chinese and noted and _HAN_STATEMENT.fullmatch(statement) else None
