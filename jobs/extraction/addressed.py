"""To whom an order is said: its form bids somebody to act, or only says how something is.

`from now on answer me briefly` bids. `from now on the bus stops at the bridge` has every word of an order and may be
news: whether it is meant as one, the assistant's answer tells, or a person.
"""

# ruff: noqa: RUF001  (full-width marks are what Chinese is written with)

import re

from jobs.extraction.profile import Profile
from pipeline.language.cues import cues
from pipeline.language.detection import Language
from pipeline.language.stopwords import WORDS
from pipeline.language.text import Span

_BEGIN = r"(?:^|[,;:.(，；：。]|\s[-–])\W*"
# The second person that is bound, and a bare verb at the begin of a clause. In Polish its form tells, in Chinese the
# verb without a subject, and the owner behind it.
_BIDS = {
    Language.ENGLISH: re.compile(
        r"\byou (?:(?:must|may|should|will|have to|need to) |do not |don't |always |never |only )\w"
        r"|\b(?:want|need|expect|like) you to\b|\byou(?:'?re| are) (?:not )?(?:to|allowed|supposed?|expected)\b"
        r"|\bi (?:never|always|do not|don't) want\b"
        rf"|{_BEGIN}(?:(?:and|but|so|ok|please|just|then|also|only|first|always|never|ever|do not|don't"
        r"|under no circumstances) )*(?=(?P<verb>(?!(?:no|any|every|some)(?:body|one|thing|where)\b"
        r"|\w+(?:[^s]s|ed|ing)\b|\w{4,}ly\b)[a-z]{2,})\b"
        r"(?! (?:is|are|was|were|has|have|will|would|can|could|gets?)\b))"
    ),
    Language.POLISH: re.compile(
        r"\b(?:masz|prosze|musisz|mozesz|nie wolno (?:ci|wam)) (?:\w+ )?(?:nie )?\w+c\b"
        r"|\b(?!(?:wie|chce|moze|ma|mysli|widzi|czuje|slyszy|rozumie|czeka|zna)sz\b)\w{2,}[aeiuy]sz\b"
        rf"|{_BEGIN}(?:(?:i|a|ale|to|prosze|tylko|najpierw|zawsze|nigdy|wiecej|juz|tez|nie|mi|mnie|nam"
        r"|pod zadnym pozorem) )*"
        r"(?=(?P<verb>(?!\w*(?:[aey]sz|[^p]isz|[aeiy]c)\b)[a-z]{2,}(?:[aeiuy]j|b|w|c|z|n|cie))\b)"
    ),
    Language.CHINESE: re.compile(
        r"(?<![个分特区性级类])别(?![的人处家])|不要(?!紧|以为)|千万(?![别不])|务必|请(?![假客教])|记得"
        r"|[给跟问送答诉醒知叫让帮替陪等]我(?!们?(?:家|的))|(?:^|[，；：。])\W*(?:你|您)(?!们|[知觉想看说])"
        rf"|{_BEGIN}(?:不许|不准|禁止|严禁|[把将](?!来))|(?:{_BEGIN}|都|一律|统一|全部|通通|先)"
        r"(?=(?P<verb>[给放收接做翻写发改动用付送交退存叫删留签跑])(?![了票钱生]))"
    ),
}
_WE = {
    Language.ENGLISH: re.compile(r"\bwe\b"),
    Language.POLISH: re.compile(r"\b(?!(?:ma|wie|zna|moze|chce|musi|widzi|lubi|boi)my\b)\w{2,}[aeiy]my\b"),
    Language.CHINESE: re.compile(r"[我咱]们"),
}
# A rule by its name at the begin: the mark of the owner, save where it is news (`the new rule: ...`) or of a place.
_LABEL = re.compile(
    r"^\W*(?P<news>(?:the|ta) )?(?:[\w']+ ){0,3}(?:rules?|zasada|regula)"
    r"(?P<where> (?:in|at|of|w|we|na|u)\b)?(?: [\w']+){0,2}(?= ?:| is\b|,)"
    r"|^\W*(?P<new>新(?=规定))?\w{0,2}规[矩则定]?(?=[：:])"
)
_NO_VERBS = frozenset(
    cues(
        "after; before; whenever; every; each; once; until; unless; since; during; hello; hi; hey; thanks; yes",
        "tramwaj; kraj; obyczaj; zwyczaj; maj; raj; klej; olej; kolej; koniec; zakaz; raz; bez; pan; ten",
    )
)
_EVERY_CASE = {
    Language.ENGLISH: re.compile(r"(?<!\bfor )\b(?:every|each|whenever)\b"),
    Language.POLISH: re.compile(r"(?<!\bdla )\b(?:kazd\w+|ilekroc|zawsze,? (?:gdy|kiedy|jak))\b"),
    Language.CHINESE: re.compile("每|凡是"),
}


def addressed(span: Span, profile: Profile) -> bool:
    """Whether the sentence bids its reader, or opens with the owner's mark of a rule."""
    label = _LABEL.search(span.folded)
    marked = label is not None and not any(label.groups())
    return marked or words_before_bid(span, profile) is not None


def words_before_bid(span: Span, profile: Profile) -> str | None:
    """The folded words before what the sentence bids, without those that say how long it holds; `None` without a bid.

    What others said or did is noise there (`he said: always ask`), not behind it: `always send what he said`.
    """
    plain = " ".join(profile.without(span.folded, "standing", "lasting").split())
    bids = (bid for bid in _BIDS[profile.code].finditer(plain) if _is_verb(bid["verb"]))
    first = next(bids, None)
    return None if first is None else plain[: first.end()]


def bids_whenever(span: Span, profile: Profile) -> bool:
    """Whether it names the cases and then bids what is to be done in each: `whenever he calls, write it down`.

    `for each file, print its name` is a piece of work.
    """
    before = words_before_bid(span, profile)
    return before is not None and _EVERY_CASE[profile.code].search(before) is not None


def says_we(span: Span, profile: Profile) -> bool:
    """Whether it says what the owner's side does."""
    return _WE[profile.code].search(span.folded) is not None


def _is_verb(word: str | None) -> bool:
    return word is None or (word not in WORDS and word not in _NO_VERBS)


# The first person of what is done or will be, and in English also a participle alone: `Removed.`
_DOES = re.compile(
    r"\b(?:I'll|I will|I'm \w+ing|I won't)\b|^\W*\w+ed\b|\b\w{3,}(?:ę|am)\b|我(?:会|来|把|这就|先|已)|已"
)


def takes_on(text: str) -> bool:
    """Whether somebody says what they do, or have done, about it."""
    return _DOES.search(text) is not None
