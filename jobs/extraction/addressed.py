"""The addressee of an order: its form bids somebody to act, or only says how something is.

`from now on answer me briefly` bids. `from now on the bus stops at the bridge` has every word of an order and may be
news: the assistant's answer tells whether it is meant as an order, or a person decides.
"""

# ruff: noqa: RUF001  (full-width marks are what Chinese is written with)

import re

from jobs.extraction.profile import Profile
from pipeline.language.detection import Language
from pipeline.language.lexicon import cues
from pipeline.language.stopwords import WORDS
from pipeline.language.text import Span

_BEGIN = r"(?:^|[,;:.(，；：。]|\s[-–])\W*"
# The second person that is bound, and a bare verb at the start of a clause. In Polish its form tells, in Chinese the
# verb without a subject, and the owner behind it.
_BIDS = {
    Language.ENGLISH: re.compile(
        r"\byou (?:(?:must|may|should|will|have to|need to) |do not |don't |only )\w"
        # At the begin `you never read the file` scolds; behind words of its matter it bids.
        r"|(?<!^)(?<!^and )(?<!^but )(?<!^so )\byou (?:always|never) \w"
        r"|\b(?:want|need|expect|like) you to\b|\byou(?:'?re| are) (?:not )?(?:to|allowed|supposed?|expected)\b"
        r"|\bi (?:never|always|do not|don't) want\b|\bwithout my\b|\blet's (?!see|say|go|look|try)\w"
        rf"|{_BEGIN}(?:(?:and|but|so|ok|please|just|then|also|only|first|always|never|ever|do not|don't"
        r"|under no circumstances) )*(?=(?P<verb>(?!(?:no|any|every|some)(?:body|one|thing|where)\b"
        r"|\w+(?:[^s]s|ed|ing)\b|\w{4,}ly\b)[a-z]{2,})\b(?!-\w*\d)"
        r"(?!(?:(?!\b(?:if|when\w*|before|after|unless|until|that|wh\w+|i|you|we|they|he|she|it)\b)[^,;:.])*"
        r" (?:must|may|is|are|was|were|has|have|will|would|can|could|gets?|no longer)\b))"
    ),
    Language.POLISH: re.compile(
        r"\b(?:masz|prosze|musisz|mozesz|nie wolno (?:ci|wam)) (?:\w+ )?(?:nie )?\w+c\b"
        r"|\b(?!(?:wie|chce|moze|ma|mysli|widzi|czuje|slyszy|rozumie|czeka|zna)sz\b)\w{2,}[aeiuy]sz\b"
        r"|\bbez mojej\b|\b(?P<anywhere>[a-z]{3,}[auiy]j(?:my|cie)?)\b"
        rf"|{_BEGIN}(?:(?:i|a|ale|to|prosze|tylko|najpierw|zawsze|nigdy|wiecej|juz|tez|nie|mi|mnie|nam"
        r"|pod zadnym pozorem) )*"
        r"(?=(?P<verb>(?!\w*(?:[aey]sz|[^p]isz|[aeiy]c)\b)[a-z]*(?:ej|rob|[aio]w|[uo]c|cz|dz|[oe]z|kaz|orz|isz|un|ien|[cw]en|[wr]on|stan|cie))\b"
        r"(?![^,;:.]* (?:ma|maja|musi\w*|moze|moga|jest|sa|bedzie|\w+uj[ea])\b))"
    ),
    Language.CHINESE: re.compile(
        r"(?<![个分特区性级类])别(?![的人处家])|不要(?=\w)(?!紧|以为)|千万(?![别不])|务必|(?<![申邀聘])请(?![假客教求示])|记得"
        r"|(?<![他她们])[给跟问送答诉醒知叫让帮替陪等]我(?!们?(?:家|的))|(?:^|[，；：。])\W*(?:你|您)(?!们|[知觉想看说])"
        r"|我(?:永远|从来|再也)?不(?:想|要|希望)(?=[^，。]*你)|没有?我的?(?:同意|点头|许可|批准|允许)"
        rf"|{_BEGIN}(?:不许|不准|禁止|严禁|[把将](?!来))|(?:{_BEGIN}|都|一律|统一|全部|通通|先)"
        r"(?=(?P<verb>[给放收接做翻写发改动用付送交退存叫删留签跑])(?![了票钱生]))"
    ),
}
_WE = {
    Language.ENGLISH: re.compile(r"\bwe\b"),
    Language.POLISH: re.compile(r"\b(?!(?:ma|wie|zna|moze|chce|musi|widzi|lubi|boi)my\b)\w{2,}[aeiy]my\b"),
    Language.CHINESE: re.compile("[我咱]们(?!的(?!规)|[^，。]{1,6}的)"),
}
# A rule by its name at the start. It is the owner's where `my` or `our` says so, and where hardly a word stands beside
# it (`house rule: ...`); `the bank's new rule is ...` is that of others.
_LABEL = re.compile(
    r"^\W*(?P<words>(?:[\w']+ ){0,4}?(?:rules?|zasada|regula)(?: [\w']+){0,4}?)(?= ?:| is\b| jest\b|,)"
    r"|^\W*(?P<chinese>[^，。：:]{0,8}?规[矩则定]?)(?=[：:]|是)"
)
_OWN_LABEL = re.compile(
    r"(?:my|our|moja|nasza) (?![^:]*'s? ).*"
    r"|(?:(?!(?:the|ta|their|his|her|ich|jego|jej) |\w+'s? )\S+ )?(?:rules?|zasada|regula)"
    r"(?: (?:for|number|do|dla|przy|numer) .*| \w+[nwk]a| then| now| wiec| teraz)?"
    r"|我(?:们?的|给).*|[^新]?规.?|新规矩"
)
_NO_VERBS = WORDS | set(
    cues(
        "after; before; whenever; whoever; without; even; again; never; always; all; both; every; each; once; until",
        "unless; since; during; hello; hi; hey; thanks; yes",
        "tramwaj; kraj; obyczaj; zwyczaj; rodzaj; maj; raj; klej; olej; kolej; tutaj; dzisiaj; wczoraj; zazwyczaj",
        "koniec; zakaz; raz; bez; pan; ten",
    )
)
_EVERY_CASE = {
    Language.ENGLISH: re.compile(r"(?<!\bfor )\b(?:every|each|whenever)\b"),
    Language.POLISH: re.compile(r"(?<!\bdla )\b(?:kazd\w+|ilekroc|zawsze,? (?:gdy|kiedy|jak))\b"),
    Language.CHINESE: re.compile("每|凡是"),
}


def is_addressed(span: Span, profile: Profile) -> bool:
    """Whether the sentence bids its reader, or opens with the owner's mark: `rule: ...`, `from now on: ...`."""
    standing = profile.first("standing", span.folded)
    heads = standing is not None and span.folded[standing.end() :].lstrip().startswith((":", "："))
    return heads or _is_own_rule(span) is True or words_before_bid(span, profile) is not None


def is_rule_of_others(span: Span) -> bool:
    """Whether the sentence opens with a rule by its name that is not the owner's: `the bank's new rule is ...`."""
    return _is_own_rule(span) is False


def _is_own_rule(span: Span) -> bool | None:
    """Whether the sentence opens with a rule that is the owner's; `None` where it opens with no rule."""
    label = _LABEL.search(span.folded)
    return None if label is None else _OWN_LABEL.fullmatch(label["words"] or label["chinese"]) is not None


def words_before_bid(span: Span, profile: Profile) -> str | None:
    """The folded words before the bid of a sentence, without words of duration; `None` without a bid.

    Words such as `he said` are noise there (`he said: always ask`), but not in the bid: `always send what he said`.
    """
    plain = " ".join(profile.without(span.folded, "standing", "lasting").split())
    bids = (bid for bid in _BIDS[profile.code].finditer(plain) if _NO_VERBS.isdisjoint(bid.groups()))
    first = next(bids, None)
    return None if first is None else plain[: first.end()]


def bids_whenever(span: Span, profile: Profile) -> bool:
    """Whether it names the cases and then bids an act for each: `whenever he calls, write it down`.

    `for each file, print its name` is a piece of work.
    """
    before = words_before_bid(span, profile)
    return before is not None and _EVERY_CASE[profile.code].search(before) is not None


def has_we(span: Span, profile: Profile) -> bool:
    """Whether it tells what the owner's side does."""
    return _WE[profile.code].search(span.folded) is not None


# The first person of what is done or will be, and in English also a participle alone: `Removed.`
_DOES = re.compile(
    r"\b(?:I'll|I will|I'm \w+ing|I won't)\b|^\W*\w+ed\b|\b\w{3,}(?:ę|am)\b|我(?:会|来|把|这就|先|已)|已"
)


def says_own_doing(text: str) -> bool:
    """Whether the speaker of a text tells what they do, or have done."""
    return _DOES.search(text) is not None
