"""Plain statements about somebody or something named: `Anna prefers tea`. Never sure: a person decides about them.

Nothing is known of the verb. What tells such a statement is its form: a name, what is said of it, and an assistant that
has nothing to do about it.
"""

import re
from collections.abc import Collection, Iterator

from jobs.extraction.exchanges import Exchange, Turn
from jobs.extraction.profile import PROFILES, profile_of
from jobs.facts.mentions import hyphenate, is_name, mentions
from jobs.facts.reading import NOISE, WORDS
from pipeline.agents.journal import one_line
from pipeline.language.detection import Language
from pipeline.language.folding import flat, fold, remove_accents
from pipeline.language.stopwords import FREQUENT
from pipeline.language.text import Span, terms, values, weight
from schemas.fact import FactCandidate, FactKind
from schemas.transcript import MASK, Origin, Session

# ruff: noqa: RUF001  (full-width marks are what Chinese is written with)


_FILLER = re.compile(r"\b(?:u+h+|u+m+|erm?|hm+|y{2,}|e{3,})\b|[呃嗯]")
_STUTTER = re.compile(
    r"\b(the|a|an|at|as|to|of|in|on|for|with|from|and|but|or|if|i|we|you|he|she|they|it|is|are|my|our|your|this|it's"
    r"|i'm|we're|w|we|z|na|do|od|po|przy|dla|ale|ze|zeby|bo|ja|moj|moja|jest|sie)[\s,–-]+\1\b(?!')"
    r"|\b([\w']+ [\w']+)[\s,]+\2\b|(?:^|, )like,|(我|这个|那个|然后|就是?|因为)[\s，,、]*\3"
)
_MARKS = " \t.,;:!…。，；！"
_HANGING = {
    Language.ENGLISH: re.compile(r"\b(?:[Tt]he|an?|and|or|but|nor|than|because|if|my|your|our|their)$"),
    Language.POLISH: re.compile(
        r"\b(?:i|a|lub|albo|oraz|bo|ze|ale|w|we|z|na|do|od|o|u|po|przy|przez|dla|zeby|poniewaz|czyli|ktor[aey])$"
    ),
    Language.CHINESE: re.compile("(?:和|跟|或者?|因为|但是?|而且|如果|把|被|比如|以及|然后)$"),
}
"""Words behind which a sentence goes on."""
_TO_DO = re.compile(
    r"\b(?:remember|mind),?(?: always| never| not)? to [a-z]|\b(?:za)?pamietaj(?:cie)?,? (?:zeby|aby|by)\b"
    "|(?<!帮我)(?<!替我)(?<!给我)记得(?![，,：:、 ])"
)
"""Words of an order to the listener: it states no fact."""
_RECALLED = re.compile(
    r"\bremember,?(?: that)?(?: as| like)* (?:i|we|you) (?:already |just )?(?:said|told|mentioned|talked|spoke"
    r"|discussed|saw|found|heard)\b"
    r"|\bpamietaj(?:cie)?,?(?: ze| jak)? \w*(?:mowil|rozmawial|wspomnial|wspominal|widzial|widziel|slyszel)\w+"
    "|记[得住着][，, ]?(?:我们?|咱们|你)(?:上次|之前|已经|刚才|以前)?(?:说|聊|讨论|提|谈|看|听)到?过"
)
_LISTENER = re.compile(
    r"\b(?:you(?:'\w+)?(?! (?:to |please |should |must )*(?:remember|keep|note|save|write|make))|yours?)\b"
    r"|\byoursel(?:f|ves)\b|\b(?:ty|ciebie|cie|tobie|toba|twoj\w*|twoi\w*|wasz\w*|jestes|siebie)\b"
    r"|\b(?!nasz\b)\w+[ae]sz\b(?! (?:\w+ )?(?:za|od)?(?:pamiet|pis|not))"
    "|[你您](?!(?:也|都|要|得|可|请|帮我|给我|替我|一定|先)*(?:记|别忘|不要忘|牢记|存))|自己"
)
_GENERAL = re.compile(
    r"\b(?:anything|everything|everyone|everybody|anyone|anybody|sometimes|even|many|most|every|important|possible)\b"
    r"|\b(?:wszystko|kazdy|czasem|czasami|nawet|wiel[eu]|wiekszosc|wazn[aey]|najwazniejsz[aey]|mozliw[aey])\b"
    "|一切|任何|凡事|每个人|很多|许多|大多数|有时|即使|哪怕|重要"
)
_OF_SOMETHING = re.compile(
    r"\b(?:the|i(?:'\w+)?|my|mine|me|we(?:'\w+)?|our|us)\b|\b(?:mnie|mi|moj\w*|moi\w*|nasz\w*|nam|nas)\b"
    "|我|周[一二三四五六日末]|星期|礼拜"
)
"""Words that tie a sentence to somebody or something. Without one, a name or a number it speaks of all the world."""
_POINTS_BACK = re.compile(
    r"\W*(?:(?:it|he|she|they)(?:'\w+)?\b|(?:that|this)(?:'s| is)\b|(?:to )?(?:jest|sa)\b|(?:ona|ono|oni)\b"
    "|[它他她]们?|[这那](?:是|样))"
)
_POINTING_SUBJECT = re.compile(
    r"\W*(?:(?:that|those|these) [a-z]|(?:te|tamt[aey]n?|tych) [a-z]|(?:这些|那些|这种|那种))"
)
_SUPPOSED = re.compile(r"\bmust(?:'ve| have) (?:been|\w+ed)\b|\byou must (?:be|love|feel|know|think|enjoy|miss)\b")
_OF_MANNERS = re.compile(
    r"\bhow (?:you|he|she|it|they)\b|\b(?:always|never) (?!bring|ping|ring|sing|spring|string)\w+ing\b"
    r"|\bjak (?:ty )?(?:nigdy|zawsze)\b"
)
"""Words for the manner of somebody: a sentence with them praises or reports, and orders nothing."""
_OPEN = re.compile(
    r"\bsometimes\b|\bif you(?:'d)? (?:like|want|wish|prefer|enjoy)\b|\b(?:we|you) can (?!only|never|not|no )"
    r"|\b(?:czasem|czasami)\b|\bjesli (?:chcesz|lubisz|wolisz)\b|\bmoze(?:my|sz)\b"
    "|有时|(?:如果|要是)[你您]?(?:喜欢|想|愿意)|(?:我们|[你您]).{0,5}(?<!不)可以(?!只)"
)
"""Words for a thing that may be, or is so at times: it does not hold in all cases."""


def is_broken(text: str) -> bool:
    """Whether speech falters in it: a filler inside, a word said twice, or an end behind which it would go on."""
    plain, language = remove_accents(text).strip(_MARKS), profile_of(text).code
    filler = _FILLER.match(plain)
    rest = plain[filler.end() :] if filler else plain
    hanging = _HANGING[language].search(fold(rest) if language is Language.CHINESE else rest)
    return bool(hanging or _FILLER.search(rest) or _STUTTER.search(fold(rest.strip(_MARKS))))


def is_for_listener(quote: str, text: str) -> bool:
    """Whether what is to be remembered is no matter of fact: an order, advice, comfort, or a memory both share.

    `text` is the quote without the words that ask for it. With a name or a number it may be about anybody.
    """
    asked, folded = fold(quote), fold(text)
    if _TO_DO.search(asked) or _RECALLED.search(asked) or _POINTS_BACK.match(folded):
        return True
    if mentions(text) or values(text):
        return False
    tied = _OF_SOMETHING.search(folded) or profile_of(text).finds("lasting", folded)
    return bool(_LISTENER.search(folded) or (_GENERAL.search(folded) and not tied))


def is_no_rule(quote: str, text: str) -> bool:
    """Whether what sounds like a rule supposes, praises, leaves it open, or begins with what only the talk names.

    `text` is what the quote says by itself.
    """
    said = fold(quote)
    kinds = (_SUPPOSED, _OF_MANNERS, _OPEN)
    return any(kind.search(said) for kind in kinds) or bool(_POINTING_SUBJECT.match(fold(text)))


MOST = 2
"""The most plain statements of one session that a person is asked about."""

_UNSURE = 0.6
_LONGEST, _NOTED, _BRIEF = 120, 240, 40
"""Latin letters, or as much in Chinese: of a statement, of an answer that takes note of it, and of a mere okay."""
_NOT_PLAIN = (*NOISE, "momentary", "request", "task", "imperative", "remember", "pointing")
_REPORTED = "reported"
_WITH_SPEECH = re.compile(r"[,，:：\"“„「]|\b(?:that|ze|he|she|they|ona?)\b|说")
"""Marks before the words of somebody; without them a verb of saying and wishing tells of the person."""
_WITHIN_TALK = re.compile(r"\b(?:you|your|we|our|us|ty|ciebie|twoj\w*|my|nasz\w*|nam|nas)\b|[你您们咱]|[这那]个?")
_LETTER = r"[^\W\d_\u4e00-\u9fff]"
_NAME = rf"(?=[^\W\d_a-z\u4e00-\u9fff]){_LETTER}(?:{_LETTER}|['’-])+"
_LATIN = re.compile(rf"(?P<name>{_NAME}(?: {_NAME})*)(?P<rest> \S+ \S.*|[\u4e00-\u9fff]{{2}}.*)")
_CONJUGATED = re.compile("(?:ę|my|cie|ć)$")
"""Endings of Polish verbs in the first and second person, which no name has."""
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
    candidates = [candidate for exchange in statements for candidate in _statements_in(exchange, common)]
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
    later = (message.origin for message in session.messages if message.number > said.message.number)
    runs_tool = next((origin for origin in later if origin in {Origin.OWNER, Origin.TOOL}), None) is Origin.TOOL
    if answer is None or runs_tool:
        return answer is None
    return not answer.asks and weight(answer.text) <= (_NOTED if _is_noted(answer) else _BRIEF)


def _is_noted(answer: Turn) -> bool:
    """Whether the assistant says that it will remember, in any language."""
    return any(profile.finds("noted", fold(answer.text)) for profile in PROFILES.values())


def _statements_in(exchange: Exchange, common: Collection[str]) -> Iterator[FactCandidate]:
    said = exchange.said
    for span in said.spans:
        statement = _statement_of(span, said)
        if statement and (named := _name_before(statement, exchange, common)) is not None:
            yield FactCandidate(
                kind=FactKind.WORLD,
                entities=tuple(dict.fromkeys([*([hyphenate(named)] if named else []), *mentions(statement)])),
                text=one_line(statement),
                quote=statement,
                quote_number=said.message.number,
                confidence=_UNSURE,
            )


def _statement_of(span: Span, said: Turn) -> str:
    """The statement of a sentence, without its lead; empty when it does something else."""
    folded = span.folded
    heads = span.text.endswith((":", "："))  # a list
    if heads or weight(span.text) > _LONGEST or _WITHIN_TALK.search(folded) or is_broken(span.text):
        return ""
    functions = {function for function in _NOT_PLAIN if said.profile.finds(function, folded)}
    if functions - {_REPORTED} or (functions and _WITH_SPEECH.search(folded)):
        return ""
    lead = WORDS[said.profile.code].lead.match(folded)
    return span.text[lead.end() if lead else 0 :].rstrip(" .,;!，。；！")


def _name_before(statement: str, exchange: Exchange, common: Collection[str]) -> str | None:
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
