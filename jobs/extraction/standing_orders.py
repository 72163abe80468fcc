"""Standing orders that need no `always`: a rule for acts, and words that leave it no exception.

`nobody deploys on a Friday` may be a report. `..., not even for a typo` or `..., whoever asks` says that it is an
order, and its clauses are no noise: in `I don't care how urgent they think it is` nobody reports anything. The words
may be in the next sentence (`you write, I send. letters, posts, everything`). A trouble has the same form, but tells of
things (`nothing works, not even the light`), or of things that the owner cannot do, get, or see.
"""

# ruff: noqa: RUF001  (full-width marks are what Chinese is written with)

import re
from dataclasses import dataclass

from jobs.extraction.addressed import is_addressed
from jobs.extraction.profile import Profile
from jobs.extraction.signals import Signal
from pipeline.language.detection import Language
from pipeline.language.text import Span, weight

_WORD = 2  # characters that stand for a clause at the start: what follows is not the start
_BRIEF = 60  # in Latin letters, of a sentence that only goes on with the one before it


def _any(*shapes: str) -> re.Pattern[str]:
    return re.compile("|".join(shapes))


@dataclass(frozen=True)
class StandingOrderShapes:
    """The patterns of a language, searched in folded text."""

    binds: re.Pattern[str]
    """A rule for acts: who does it and who does not, or what is not done."""
    closes: re.Pattern[str]
    """A clause that leaves no exception, or says so by stress: `not even for bikes`."""
    holds: re.Pattern[str]
    """Words that make a standing order of the whole sentence before them."""
    repeats: re.Pattern[str]
    """A clause that only says that it was said before."""
    whenever: re.Pattern[str]
    """A clause that says for which cases it is."""
    tells: re.Pattern[str]
    """The trouble of a thing, and a day from which on something is so: no order, however long it lasts."""
    piece: re.Pattern[str]
    """A single piece of work that the words are about."""


_ENGLISH = StandingOrderShapes(
    binds=_any(
        r"\b(?:i|we|you) (?:do not|don't|never|won't|will not) "
        r"(?!(?:\w+ly )?(?:\w+(?:ed|ood|ew|aw|ought)|get|see|have|know|find"
        r"|receive|understand|need|want|like|remember|think|care|mind|feel|hear|believe|own|mean|agree|recall|notice)\b)\w+",
        r"\b(?:nobody|no one|nothing|no (?:[\w-]+ ){1,2}?)\s*"
        r"(?!(?:\w*(?:works|helps|happens|passes|answers|covers|shows|fits"
        r"|matches|fails|runs|loads|exists|knows|cares|understands|likes|seems|explains|returns|contains|mentions|responds"
        r"|replies|starts|builds|stays|does)|has|is|was)\b)[a-z]{2,}(?:[^s\W]s|es)\b",
        r"\b(?:is|are) not \w+(?:ed|en|t)\b(?=[^.]*, not (?:even )?for\b)",
        r"(?<!it's )(?<!is )(?<!was )\bnever (?:the|a|by|in|on|at|to|before|after|without|go(?:es)?|leaves?)\b",
        r"^\W*you (?!(?:know|see|think|said|are|have|want|get|like|need|mean|can|could|did)\b)\w+\b[^.]*, i \w+",
        r"(?<!if )(?<!as )\bi \w+ (?:those|these|them|that) *,",
        r"\byes, [^.]{3,40} no(?=\W*$|,)",
        r"\bgets? (?:in|out|through)\b|\b(?:every|each) (?:[\w-]+ ){1,2}(?:must|needs|has to)\b",
        r"\bstays? (?:shut|closed|locked|off|out|empty|where)\b",
        r"\b(?:is|are) (?:over|done|finished|ready) (?:when|once)\b",
        r"^\W*no (?!(?:warn|morn|even|noth|miss|mean|build|meet|str|sett|pend|exist|remain|k|br|th)ings?\b)\w{2,}ing\b",
    ),
    closes=_any(
        r"\bnot (?:once|one|ever)\b[^,.;]*",
        r"\bnot (?:for|on|in|to|by|with) [^,.]{2,30},? (?:and |or )?not (?:for|on|in|to|by|with)\b[^,.;]*",
        r"\b(?:nothing|nobody|no one) else\b[^,.;]*|\bfor (?:nobody|no one)\b[^,.;]*|\b[\w']+ included\b",
        r"\bnot (?:one|a) (?:single )?\w+ (?:before|more|less|later|earlier|longer)[^,.;]*",
        r"\bno matter (?:who|how|when|which|where|what (?:they|he|she|anyone))\b[^,.;]*",
        r"\bi (?:don't|do not) care (?:who|how|if|whether)\b[^,.;]*",
        r"\b(?:who(?:so)?ever|however (?:late|urgent|small|much|long))\b[^,.;]*",
        r"\bnot even (?!(?:sure|close|an error)\b)[^,.;]*|\beven if\b[^,.;]*",
        r"^\W*(?:[\w' ]+, ){2,}(?:and )?everything\W*$",
    ),
    holds=_any(r"\b(?:that|this|it) (?:goes|holds|counts|applies) for (?:all|every|each|any)\b"),
    repeats=_any(
        r"(?:^|(?<=[,;] ))(?:as |like )?(?:i|we)(?:'ve| have)? (?:already )?(?:said|told you)"
        r"(?: (?:this|that|it|so|you|already|before|twice|yesterday|last \w+|\w+ times))*\s*(?=[,;.]|$)",
        r"(?:^|(?<=[,;] ))we(?:'ve| have)? (?:already )?(?:been|went|gone) (?:through|over) (?:this|that|it)\b[^,;.]*",
    ),
    whenever=_any(r"^\W*(?:please |and |so )*(?:whenever|every time|each time) (?:you|we)\b[^,.;]*(?=,)"),
    tells=_any(
        r"^\W*in (?:their|his|her)\b|\bsince\b|\bfor (?:\w+ ){1,2}(?:minutes|hours|days|weeks|months|years)(?! or\b)",
        r"\b(?:returns?|fails?|crash(?:es)?|throws?|breaks|freezes|hangs|times out|is down|errors?|404|50[0-9])\b",
        r"^\W*(?:starting|from|as of) today,? (?:the|my|our|this) "
        r"(?!.*\b(?:must|should|may|only|all|every|no|never|always"
        r"|ha(?:s|ve) to|needs?|we|you|i|goes|stays?)\b)",
        r"\b(?:answers|responds|replies) with\b|\b(?:doesn't|won't|can't) (?:work|start|load|open|build|respond)\b",
    ),
    piece=_any(
        r"\b(?:in|on|for|to) this (?!repo|project|house|home|company|team|shop|office|code|work|machine|server|room"
        r"|family|place|app|product|series|book|blog|site|class|account|channel|group|chat|folder|kind|type|city|country|world)\w+",
    ),
)
# What a person does or does not do by will; `I cannot`, `I do not see` tell of a trouble.
_UNWILLED = "wie|ma|rozumie|widze|widzi|moge|moze|umie|pamieta|mysl|sadz|lubi|czuj|gniew|zdaz|dosta|znajd|slysz|zna|chc"
_REFUSES = rf"nie (?!(?:{_UNWILLED})\w*)"
_POLISH = StandingOrderShapes(
    binds=_any(
        rf"\b{_REFUSES}[a-z]{{2,}}(?:[^j]e|am|em|[aeiy]my|[aeiy]sz)\b",
        r"^\W*(?:ty|pan|pani) (?!(?:wie|ma|widzi|mysli|chce|moze|jest)(?:sz|s)?\b)[a-z]+(?:[aeiy]|sz)\b[^.]*(?:,| i\b)",
        r"\b(?!(?:moge|wole|chce|wiem|jestem)\b)[a-z]{3,}(?:am|e|em) ja\b",
        r"\bnie (?:jest|sa) na (?:sprzedaz|wynajem|pokaz)\b",
        r"\bnie (?:idzie|ida|wchodz(?:i|a)|wychodz(?:i|a)|trafi(?:a|aja))\b",
        r"\bi ani \w+ (?:dalej|wiecej|dluzej)\b|\bkazd\w+ (?:\w+ ){1,2}(?:musi|ma)\b",
    ),
    closes=_any(
        r"\bani \w+ (?:dalej|wiecej|mniej|dluzej|wczesniej|pozniej)\b[^,.;]*",
        r"\bani (?:dla|na|do|w|za|przy|po) [^,.]{2,30},? ani (?:dla|na|do|w|za|przy|po)\b[^,.;]*",
        r"\b(?:i? ?nikt inny|nic innego|dla nikogo|wlacznie|ktokolwiek|kogokolwiek|komukolwiek)\b[^,.;]*",
        ", nikt$",
        r"\b(?:obojetne|niewazne|niezaleznie(?: od)?|bez wzgledu na) (?:to,? )?(?:kto|jak|kiedy|ile|co|kogo)\b[^,.;]*",
        r"\b(?:i )?na tym (?:\w+ ){0,2}(?:sie )?konczy(?:my)?\b|\bkoniec (?:tematu|dyskusji)\b",
        r"\bnawet (?!nie\b|blad|bled)[^,.;]*|\bchocby\w*\b[^,.;]*",
        r"^\W*(?:[a-z ]+, ){2,}(?:i )?wszystko\W*$",
    ),
    holds=_any(r"\btak (?:juz )?(?:zostaje|zostanie|ma zostac) (?:do (?:konca|odwolania)|na (?:zawsze|stale))\b"),
    repeats=_any(
        r"^\W*(?:no |to |tak |samo )*jak (?:przy|z|u|w|dla) [^,:.]{2,30}:",
        r"(?:^|(?<=[,;] ))(?:jak |tak jak )?(?:juz )?(?:ci |wam |to )?(?:mowil|pisal|powiedzial)[ae]m"
        r"(?: (?:to|ci|juz|przeciez|raz|dwa razy|wczoraj|w \w+|przy \w+|tydzien temu|nie raz))*\s*(?=[,;.]|$)",
        r"(?:^|(?<=[,;.] ))\W*juz (?:to|o tym) (?:\w+ )?\w+l(?:ismy|ysmy|am|em)\b[^,;.]*",
    ),
    whenever=_any(
        r"^\W*(?:prosze |i |a )*(?:za kazdym razem|ilekroc|(?:zawsze,? )?(?:gdy|kiedy)|zawsze,? jak)[^,.;]*"
        r"(?:, (?:gdy|kiedy|jak|ze|czy)\b[^,.;]*)?(?=,)"
    ),
    tells=_any(
        r"\b(?:zwraca|wywala|rzuca|pada|sypie|zawiesza|wyswietla|sie nie \w+)\b|\bbled\w*|\b(?:404|50\d)\b",
        r"\bnie (?:dziala|laduje|startuje|odpowiada|otwiera|da)\b|\bodpowiada (?:bled|kod|\d)",
        r"\bod (?:\w+ )?(?:dni|godzin|tygodni|miesiecy|lat|wczoraj|rana)\b",
        r"^\W*od (?:jutra|dzis|dzisiaj) (?!.*\b(?:maja|ma|musi\w*|tylko|kazd\w+|wszystk\w+|nie|zawsze|nigdy|\w+my"
        r"|\w+[aeiu]j|niech|zadn\w+|trzeba|prosze)\b|\w+[bcnwz]\b)",
    ),
    piece=_any(
        r"\bw (?:tej|tym) (?!repo|projek|dom|firm|zespo|sklep|biur|kod|katalog|folder|pokoj|aplikac|produk|ksiaz|blog"
        r"|klas|kanal|grup|czac|miesc|kraj|pracy)\w+",
    ),
)
_ACT = "(?:给|放|收|接|做|翻|写|发|改|动|让|许|准|卖|借|签|跑|上传|打|留|用|付|送|交|退)"
_DONE = "(?!上|了|通|出|完|起)"
_CHINESE = StandingOrderShapes(
    binds=_any(
        "只(?:放|收|认|接|准|许|用|给|让|走|留|发)(?!了)",
        rf"(?<![打收登])不{_ACT}{_DONE}",
        "(?<![觉记])必须|(?:通通|统统|一概)不(?:要|准|许|收|接|给)",
    ),
    closes=_any(
        "(?:其他|其它|其余|别)的?人?[^，。]{0,10}(?:[都也]|一概|通通|统统|一律)不(?:行|要|准|许|收|放|接|给|算|看)",
        rf"谁[^，。]{{0,8}}[都也]不(?:行|{_ACT})|一[^，。了]{{1,2}}[都也]不{_ACT}{_DONE}",
        "(?:不管|无论|不论)[^，。]*",
        "[^，。]{1,8}来了?[都也]不(?:行|给|让)|再[^，。]{1,4}也不行|(?:通通|统统|一概)不(?:要|准|许|收|接|给)",
        "包括[^，。]{1,8}(?=$|[，。])|哪怕[^，。]*",
    ),
    holds=_any(
        "以后[^，。]{0,8}[每所][一有]?[^，。]{0,8}(?:这样|一样|照)",
        "(?:新的|以后的)[^，。]{0,4}[照按]这[个样][来做办]",
    ),
    repeats=_any("(?:^|(?<=[，,]))我[^，。]{0,6}[说讲]过(?:了|的)?(?=[，,。]|$)"),
    whenever=_any(r"^\W*(?:以后|今后)?(?:每次|只要)[^，。]*(?=，)"),
    tells=_any(
        r"返回|报错|崩|失败|[打登连]不[开上通]|不工作|加载不|显示|能(?:打开|登录|用|看到)|(?<!\d)[45]\d\d(?!\d)",
        r"^\W*从(?:明天|今天|下周).{0,2}(?:起|开始)我?(?:休假|请假|放假|在|有)",
    ),
    piece=_any(
        "这(?:个|张|份|篇|段|封|页)(?!仓库|项目|代码库|家|公司|团队|群|目录|系统|服务|产品|文件夹)[^，。]{1,4}[里中上的]"
    ),
)
# A case in which an order holds; a trouble in it is none of now.
_CASE = re.compile(
    r"\b(?:if|when|whenever|once|every time|unless|before|after"
    r"|jesli|jezeli|gdy|kiedy|jak|za kazdym razem|przed|po|zanim)\b"
    "|如果|要是|只要|每次|的时候|的话|凡是|一旦|之[前后]"
)
_SHAPES = {Language.ENGLISH: _ENGLISH, Language.POLISH: _POLISH, Language.CHINESE: _CHINESE}


def rule_signals(span: Span, following: Span | None, profile: Profile) -> frozenset[Signal]:
    """The signals of a sentence that rules acts without an exception, in its own words or in those of the next one."""
    shapes = _SHAPES[profile.code]
    if _only_tells_or_asks(span, shapes):
        return frozenset()
    words = [span.folded, following.folded] if following and closes_only(span, following, profile) else [span.folded]
    if any(shapes.holds.search(text) for text in words):
        return frozenset({Signal.CLOSED})
    binds = _binds(span, shapes)
    if not (binds or is_addressed(span, profile)):
        return frozenset()
    seen = ((Signal.RULES, binds), (Signal.CLOSED, any(map(shapes.closes.search, words))))
    return frozenset(signal for signal, present in seen if present)


def closes_only(span: Span, following: Span | None, profile: Profile) -> bool:
    """Whether the next sentence rules nothing of its own, and leaves no exception to this one."""
    shapes = _SHAPES[profile.code]
    if following is None or following.asks or weight(following.text) > _BRIEF or _only_tells_or_asks(span, shapes):
        return False
    words = following.folded
    closed = shapes.holds.search(words) or (
        shapes.closes.search(words) and (_binds(span, shapes) or is_addressed(span, profile))
    )
    return bool(closed) and not shapes.binds.search(words)


def _binds(span: Span, shapes: StandingOrderShapes) -> bool:
    return shapes.binds.search(f"{span.folded} {span.text.lower()}") is not None


def _only_tells_or_asks(span: Span, shapes: StandingOrderShapes) -> bool:
    """Whether the sentence asks, or tells of a trouble."""
    return span.asks or span.folded.rstrip(" .。").endswith("吧") or _is_trouble(span.folded, shapes)


def without_exceptions(span: Span, code: Language) -> str:
    """The folded sentence without clauses that leave no exception or only say that it was said before."""
    shapes, plain = _SHAPES[code], span.folded
    for shape in (shapes.repeats, shapes.closes):
        plain = shape.sub(" ", plain)
    return shapes.whenever.sub(lambda case: case[0][:_WORD], plain)


def only_tells_of(span: Span, code: Language) -> bool:
    """Whether words that sound like an order tell of a present trouble, or are about a single piece of work."""
    shapes = _SHAPES[code]
    return _is_trouble(span.folded, shapes) or shapes.piece.search(span.folded) is not None


def _is_trouble(folded: str, shapes: StandingOrderShapes) -> bool:
    return shapes.tells.search(folded) is not None and _CASE.search(folded) is None
