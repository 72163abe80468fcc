"""Whether a name is that of a thing, by the words around it. When in doubt it is none."""

import re
from functools import lru_cache

from pipeline.entries.topics import tokens
from pipeline.language.cues import cues
from pipeline.language.folding import flat

_ARTICLE = r"(?:(?:the|our|a|an|this|that) )?"
_USED = "|".join(
    cues(
        r"us(?:e|es|ed|ing); (?:re)?plac(?:e|es|ed|ing)(?: by| with)?; (?:un|re)?install(?:s|ed|ing)?; via; onto; into",
        r"deploy(?:s|ed|ing)?(?: to)?; migrat(?:e|es|ed|ing) (?:to|from|off); switch(?:es|ed|ing)? (?:to|from)",
        r"mov(?:e|es|ed|ing) (?:over )?(?:to|off); upgrad(?:e|es|ed|ing)(?: to)?; built (?:on|with); runs? on",
        r"uzywa\w*; przez; przechodz\w+ na; przeszl\w+ na; instaluj\w*; wdraz\w+; korzysta\w* z; projek\w+; baz\w+",
        r"serwer\w*; aplikacj\w+; wersj\w+",
    )
)
_SORTS = "|".join(
    cues(
        "server; servers; database; databases; db; app; api; repo; repository; project; config; branch; service",
        "module; plugin; library; version; build; release; file; files; table; queue; cluster; board; pipeline; image",
        "container; format; protocol; schema; index; dashboard; backup; backups; account; licen[cs]e; migration",
    )
)
_USED_IN_CHINESE = "用|使用|改用|换成|换到|连|迁移到|切到|部署到|装|跑|接"
_SORTS_IN_CHINESE = "服务|数据库|资料库|集群|项目|专案|库|表|仓库|版本|接口|系统"
_DOES = "|".join(
    cues(
        "said; says; told; tells; asks?; asked; wants?; wanted; likes?; loves?; prefers?; lives?; lived; thinks?",
        "agreed; agrees; will (?:call|come|send|check|bring|ask|pick); comes; came",
        "is (?:my|our|his|her|allergic|away)",
        "and (?:i|me); mowi\\w*; powiedzial\\w*; chce; woli; mieszka; lubi; ma urodziny; i ja",
    )
)
_SPOKEN_TO = "|".join(
    cues(
        "ask; tell; told; call; called; e-?mail; meet; meeting with; talk to; talked to; dear; mr; mrs; ms; dr; pan",
        "pani; pana; panem; panu; zapytaj; zadzwon do; powiedz; my (?:wife|husband|son|daughter|boss|friend)",
    )
)
_DOES_IN_CHINESE = "说|喜欢|想|住|觉得|老师|先生|小姐|女士"


def is_of_thing(text: str, name: str) -> bool:
    """Whether the words around a name in a text say that it is a thing's."""
    return _of_thing(flat(name)).search(flat(text)) is not None


def is_of_person(text: str, name: str) -> bool:
    """Whether the words around a name in a text say that it is a person's."""
    return _of_person(flat(name)).search(flat(text)) is not None


@lru_cache(maxsize=1024)
def _of_thing(name: str) -> re.Pattern[str]:
    named = _expression(name)
    return re.compile(
        rf"\b(?:{_USED}) {_ARTICLE}{named}|\b(?:the|our) {named}|{named} (?:{_SORTS})\b|{named} v?[0-9]+\.[0-9]"
        rf"|(?:{_USED_IN_CHINESE}) ?{named}|{named} ?(?:{_SORTS_IN_CHINESE})"
    )


@lru_cache(maxsize=1024)
def _of_person(name: str) -> re.Pattern[str]:
    named = _expression(name)
    return re.compile(
        rf"\b(?:{_SPOKEN_TO}) {named}|{named} (?:{_DOES})\b|{named}'s (?:birthday|wife|husband|mother|father|phone)\b"
        rf"|(?:小|阿|老){named}|{named} ?(?:{_DOES_IN_CHINESE})"
    )


def _expression(name: str) -> str:
    """A name as whole words, whatever stands between them."""
    words = r"[\W_]*".join(map(re.escape, tokens(name)))
    return rf"(?<![a-z0-9]){words}(?![a-z0-9])"
