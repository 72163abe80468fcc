"""Talk that reads like a fact and is none: broken speech, advice, comfort, and what both recall."""

# ruff: noqa: RUF001  (full-width marks are what Chinese is written with)

import re

from jobs.extraction.profiles import profile_of
from jobs.facts.mentions import mentions
from pipeline.language.detection import Language
from pipeline.language.folding import fold, unaccented
from pipeline.language.text import values

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
"""What the listener is to do: an order, and nothing that is so."""
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
"""How somebody is or goes on: it praises, or tells, and orders nothing."""
_OPEN = re.compile(
    r"\bsometimes\b|\bif you(?:'d)? (?:like|want|wish|prefer|enjoy)\b|\b(?:we|you) can (?!only|never|not|no )"
    r"|\b(?:czasem|czasami)\b|\bjesli (?:chcesz|lubisz|wolisz)\b|\bmoze(?:my|sz)\b"
    "|有时|(?:如果|要是)[你您]?(?:喜欢|想|愿意)|(?:我们|[你您]).{0,5}(?<!不)可以(?!只)"
)
"""What may be, or is at times: it does not hold in all cases."""


def is_broken(text: str) -> bool:
    """Whether speech falters in it: a filler inside, a word said twice, or an end behind which it would go on."""
    plain, language = unaccented(text).strip(_MARKS), profile_of(text).code
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
