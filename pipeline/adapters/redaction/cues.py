"""The words that announce a secret, in English, Polish and Chinese, and which kind of secret each announces."""

# ruff: noqa: RUF001 - typographic quotes are meant

import re
from typing import Literal, get_args

from pipeline.language.lexicon import Lexicon

SecretWord = Literal[
    "code_name", "code", "password_code", "place", "place_begun", "public", "public_begun", "entrance",
    "entrance_begun", "device", "device_begun", "device_verb", "device_verb_begun", "asked_for", "public_code",
    "public_code_begun", "wanted", "wanted_begun", "answer_lead", "plain", "sentence_word",
]  # fmt: skip
"""The classes of words around a secret."""

WORDS: Lexicon[SecretWord] = Lexicon("secrets", get_args(SecretWord))

_START = r"(?<![A-Za-z-])"  # Chinese stands right beside Latin letters, so its cues need none
_PASSWORD = (
    rf"{_START}(?:pass(?:word|wd|phrase|code)s?|pwd|has[łl](?:o|a|em|u|e)|psk)(?![a-z_ąćęłńóśźż])"
    r"(?![ -](?:reset|manager|page|polic|field|form|hash|hint|length|strength|rotat|prompt"
    r"|screen|rule|protect|less|input|column"
    r"|valid|generat|auth|recover|chang(?!ed\sto\s)|expir|attempt|leak|check|flow|link|dialog|box|login|storage|require|complexity|strateg))"
    r"|密码|密碼|口令|通行[码碼]"
)
_KEY = (
    rf"{_START}(?:(?:api|access|auth|secret|private|licen[cs]e|product|activation"
    r"|serial|bot|service|account|encryption"
    r"|signing|deploy|ssh|wi-?fi|wpa2?|network|bearer|session|gateway|payment)"
    r"[ _-]?(?:key|token|code|number)|token(?:u|em|a)?|secret|sekret(?:u|em)?"
    r"|klucz(?:a|em|u|e|y)?|kod(?:em|u)?\s(?:licencyjny|aktywacyjny|licencji)|numer\sseryjny|credentials?|creds"
    r"|(?:recovery|backup|rescue)[ -]codes?)(?![a-z_ąćęłńóśźż])"
    r"(?![ -](?:limit|count|budget|usage|window|price|cost|bucket|ring|rate|based))"
    r"|令牌|[密金秘私][钥鑰]|凭[证據]|憑證|授[权權][码碼]|激活[码碼]|啟用碼|序列[号號]|序號|许可证|授權金鑰"
)
_LOGIN = rf"{_START}(?:pass|pw|psw)(?=[ \t:=])"

_ADVERB = (
    r"(?:now|still|just|always|currently|simply|again|only|today|already|from\snow\son|as\sof\s(?:today|now)|since\s\w{3,10}"
    r"|teraz|nadal|zawsze|ju[żz]|wci[ąa][żz]|po\sprostu|obecnie|odt[ąa]d|od\s(?:teraz|dzi[śs]|dzisiaj|jutra|dawna|wczoraj))"
)
COPULA = (
    rf"(?:(?:,\s?)?(?:{_ADVERB}\s){{0,2}}(?:(?:it\s)?(?:is|was|will\sbe)|it['’]?s|it['’]ll\sbe|are|has\sbeen|[:：=]|becomes?|became|remains|stays"
    r"|(?:changed|switched)\sto|to\sb[eę]dzie|to\sjest|to(?!\s(?:the|my|our|his|her|their|your|an?|this|that)\s)|jest|brzmi|b[eę]dzie|by[łl]o|zmieni\w{2,6}\s(?:si[eę]\s)?na)"
    rf"(?:\s(?:{_ADVERB}|(?:going|set|changed|switched|reset|supposed)\sto(?:\sbe)?|the\sword|s[łl]owo)){{0,3}}(?![^\W_]))"
)
"""A pattern: the English and Polish words before a value, with the words that people put beside them."""
COPULA_HAN = (
    r"(?:[，,]?\s?(?:现在|現在|以后|以後|今后|从今天起|从现在起|一直|永远|总|都|已经|已經|已|还|還|仍然?|目前|就|最近|刚刚?){0,3}"
    r"(?:是|为|為|叫|[:：]|(?:[改换換设設变變更]|[变變]更|更[新换換])[成为為]了?))"
)
"""A pattern: the same in Chinese."""

CUE = re.compile(
    rf"(?:(?P<password>{_PASSWORD})|(?P<login>{_LOGIN})|(?P<key>{_KEY}))(?:['’]s(?=\s))?[\"'`*」』”]{{0,3}}",
    re.IGNORECASE,
)
"""A cue; its last group is `password`, `login` or `key`."""
