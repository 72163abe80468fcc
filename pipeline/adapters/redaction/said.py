"""Secrets in chat sentences, in English, Polish and Chinese: `hasło do sklepu to ...`, `密码是...`, `pass ...`.

A word that announces a secret (a cue) opens a stretch of the same sentence. Each piece of it is judged by its form and
by its link to the cue: right behind it, behind a colon or an "is", or merely somewhere after it.
"""

# ruff: noqa: RUF001 - Chinese punctuation and typographic quotes are meant

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from pipeline.adapters.redaction import words
from pipeline.adapters.redaction.cues import CUE
from pipeline.adapters.redaction.screening import Screen, register_stems
from pipeline.adapters.redaction.spans import Span
from pipeline.adapters.redaction.values import (
    PLAIN_WORDS,
    is_chosen,
    is_digest,
    is_doubtful,
    is_harmless,
    is_issued,
    is_mixed,
    is_plain_word,
    is_wordy,
)

# The rest of the line behind a cue, in which its value stands.
_STRETCH = re.compile(r"[^\n•]{0,90}")
# A value on the line below: `the password:` and `> Autumn2026!`, or, without a sign, alone on its line.
_NEXT_LINE = re.compile(
    r"[^\n•]{0,60}?(?:[:：=]\**[ \t]*\n{1,2}(?:```\w*\n)?[ \t>-]*(?P<announced>[^\s•]{5,120})"
    r"|[ \t]*\n[ \t>-]*(?P<alone>[^\s•]{5,120})[ \t]*(?:\n|$))"
)
# `port=`: the line below names something else.
_NEXT_NAME = re.compile(r"[\w.-]+[=:：]")
_QUOTED = re.compile(r"[\"'`「『“„‚‘](?P<inside>[^\"'`」』”’\n•]{4,64})[\"'`」』”’]")
# A word, up to a blank, a quote, a bracket or a Chinese sign.
_PIECE = re.compile(r"[^\s，。；、！？（）()「」『』《》“”„‘’\"'`•：…→\u3400-\u9fff\uff10-\uffef]+")
# `value:` in `value:Autumn2026!`.
_LABEL = re.compile(r"[^\W\d_]{2,20}[:=](?=\S)")
# The end of the words between a cue and its value: `is`, `brzmi`, `->`, `是`, `给你`.
_LINK = re.compile(
    r"(?:[:=：→>]|->|(?<![^\W\d_])(?:is|it['’]?s|be|to|was|are|always|currently|zawsze|jest|było|bylo|są|sa|brzmi|będzie|bedzie|na|now|still|teraz|nadal|taki|takie|taka)"
    r"|[是为為叫用]|成了?|在[这這][里裡裏]|[给給发發]你|(?<=[给給放])在?[这這])[\s\"'`*「『“„‘]*$",
    re.IGNORECASE,
)
# The words between two values of a cue: `and`, `lub`, `和`.
_BESIDE = re.compile(r"[\s/,、;|+&和与跟或]*(?:and|or|i|oraz|lub|albo|secret|sekret|id|key)?[\s:=：]*$", re.IGNORECASE)
# The words between a cue and its value that say nothing: `this:`, `nowe`, `这个:`.
_FILLER = re.compile(
    r"[\s\"'`*,.:：=~-]*(?:(?:this|that|here|new|nowe|the|这个|這個|这|這)\s*[:：]?)?[\s\"'`*「『“„‘]*$", re.IGNORECASE
)
# `for the router ` in `password for the router Autumn2026!`.
_PURPOSE = re.compile(r"\s(?:do|od|for|to)\s(?:the\s|my\s)?[^\W\d_]{2,20}\s", re.IGNORECASE)
_END = re.compile(r"[.!?](?=\s|$)|[。！？]")
# `: ` and `to ` in `hasło: x` and `hasło to x`.
_NAMED = re.compile(r"\s*(?:[:=：]|to\s|是|[为為])[\s\"'`*「]*", re.IGNORECASE)
_LINKING_WORDS = frozenset(
    {"to", "by", "in", "of", "and", "the", "end", "case", "not", "non", "self", "do", "na", "well"}
)
# The end of the words before a name, which is no secret: `user: ` in `password of user: tom`.
_PERSON = re.compile(
    r"(?:user(?:name)?|login|account|konto|konta|u[żz]ytkownik\w*|email|id|用户|账号|帐号|帳號)[\s:：=]*$",
    re.IGNORECASE,
)
# A value before its cue: `Autumn2026! is the password`, `Zima2026! to hasło`, `Autumn2026!就是密码`.
_BEFORE = re.compile(
    r"(?<![^\s，。：；「“\"'`(])(?P<value>[!-~]{6,64}?)[\"'`」”)]?\s*(?:(?<=[\s\"'`])(?:is|as|to|jest|=|-|—)\s(?:\w+\s){0,2}?(?:password|passphrase|has[łl](?:o|em)|token|klucz)\b"
    r"|(?:就?是|为)[^，。\n•]{0,10}?(?:密[码碼]|口令|令牌|密[钥鑰]))",
    re.IGNORECASE,
)
# A name with a value: `login: tom / Autumn2026!`, `creds are tom and Autumn2026!`, `账号: tom 和 Autumn2026!`.
_PAIR = re.compile(
    r"(?:(?<![A-Za-z])(?:logins?|creds|credentials|dane\slogowania|logowanie|zaloguj\ssi[eę])|账号|帐号|帳號)(?:[\s:：=]{1,3}|[^\n:：.•]{1,40}[:：]\s?)"
    r"(?:are\s|is\s|to\s|s[ąa]\s|是)?[^\s/|，。•]{2,40}\s?(?:[/|:]|(?<=\s)(?:and|i|oraz|with)\s|和)\s?(?P<value>[^\s，。；•]{6,64})",
    re.IGNORECASE,
)
# `root/Autumn2026!`, in a line with one of the next words.
_ROOT = re.compile(r"(?<![\w./@-])(?:root|admin|administrator)\s?[/:]\s?(?P<value>[^\s/，。；•]{6,64})(?![^\s，。；])")
_HOST = re.compile(
    r"nas|router|server|serwer|box|ssh|panel|login|log in|zaloguj|host|vm|switch|camera|kamer|idrac|ilo|wifi|账号"
    "|服务器|伺服器|路由器",
    re.IGNORECASE,
)
# Before `pass`, which is a word of sentences too, one of these says what it opens: `wifi pass Autumn2026!`.
_ACCOUNT = re.compile(
    r"login|user|account|konto|u[żz]ytkownik|ssh|wi-?fi|ftp|admin|账号|帐号|帳號|imap|smtp|router", re.IGNORECASE
)
# `user tom ` before `password sunflower`.
_ACCOUNT_GIVEN = re.compile(
    r"(?:user(?:name)?|login|account|konto|u[żz]ytkownik|账号|帐号|帳號|用户名?)\s?[:=：]?\s?(?!(?:and|or|with|i|oraz|lub|the|a)\b|和|或)"
    r"[\w.@-]{2,40}[\s,，]{1,2}$",
    re.IGNORECASE,
)
# `sunflower给` in `密码sunflower给你`.
_GLUED = re.compile("[a-z]{4,24}[一-鿿]")
_PINYIN = re.compile(
    "(?:(?:[zcs]h|[bpmfdtnlgkhjqxrzcsyw])?"
    "(?:[iu]?ang?|i?ao|u?ai|i?ong|[eiu]ng?|ie|iu|ia|u[eio]|ei|er|ou|ua|[aeiouv])){4,10}"
)
"""A row of Chinese syllables in Latin letters: `lantianbaiyun`."""
_TERMS = frozenset(
    re.findall(r"\S+", "hash salt bcrypt reset manager policy input field login token root admin user wifi keepass")
)
_CUES = register_stems(
    re.findall(
        r"\S+",
        """
        password passwd passphrase passcode pass pwd pw psw psk hasł hasl token secret sekret klucz kod numer credential
        creds api access auth private licence license product activation serial bot service account encryption signing
        deploy ssh wifi wi-fi wpa network bearer session gateway payment recovery backup rescue
        密 口令 通行 令牌 金 秘 私 凭 憑 授 激活 啟用 序 许可
        """,
    )
)
"""A cue begins with one of these."""
_CUE_BEGIN = re.compile(
    "pass|pwd|pw|psw|psk|has[łl]|token|se[ck]ret|klucz|kod|numer|cred|[密口通令金秘私凭憑授激啟序许]"
    "|[a-z-]{3,10}2?[ _-]?(?:key|token|code|number)"
)
_DIGIT = re.compile(r"\d")
_ROOTS = register_stems(["root", "admin"])
_LOGINS = register_stems(re.findall(r"\S+", "login creds credentials dane logowanie zaloguj 账号 帐号 帳號"))
_NAMES = register_stems(re.findall(r"\S+", "password passphrase hasło haslo hasłem haslem token klucz 密 口令 令牌"))
# The end of a password with a quote or a bracket in it, at which a piece ends: `(2026!` in `Autumn(2026!`.
_REST = re.compile(r"[\"'`(][!-~]*[A-Za-z0-9!@#$%^&*]")
# `</b>` behind a value.
_TAG = re.compile(r"<(?:/|[a-z]+/?>)", re.IGNORECASE)
_LEADING = ":=*([>"
_TRAILING = ".,;:?)]}>*|"
_ACCOUNT_REACH = 60
_SHORTEST_PASSPHRASE = 12
_SHORTEST_FAR = 16
_FEWEST_WORDS = 3
_SHORTEST_WORD = 4
_SHORTEST_NUMBER = 4
_SHORTEST_BARE_NUMBER = 6


@dataclass(frozen=True)
class _SecretCandidate:
    """A candidate: `linked` behind a colon or an "is", `adjacent` right behind the cue, `last` in its line.

    `named` is the cue, a sign or a Polish "to", and nothing else: behind an "is" stand adjectives as well.
    """

    text: str
    linked: bool
    adjacent: bool
    last: bool
    named: bool


def find(screen: Screen, may: Callable[[Span], bool]) -> Iterator[Span]:
    """The spans of secrets that a line announces, if it `may` do so; a secret may stand alone on the line below."""
    text = screen.text
    for cue, line in screen.in_lines(CUE, _CUES, _CUE_BEGIN):
        if may(line):
            yield from _values_after(text, cue)
            yield from words.find(cue, line)
    for match, line in screen.in_lines(_ROOT, _ROOTS):
        start, stop = _trim(text, *match.span("value"))
        if is_mixed(text[start:stop]) and not is_harmless(text[start:stop]) and _HOST.search(text, *line) and may(line):
            yield start, stop
    for match, line in screen.in_lines(_PAIR, _LOGINS):
        if may(line):
            yield from _paired_values(match)
    for line in screen.spans(screen.lines(_NAMES)):
        if may(line):
            for match in _BEFORE.finditer(text, *line):
                yield from _paired_values(match)


def _paired_values(match: re.Match[str]) -> Iterator[Span]:
    start, stop = _trim(match.string, *match.span("value"))
    value = match.string[start:stop]
    if is_chosen(value) and is_mixed(value) and not (is_harmless(value) or is_doubtful(value)):
        yield start, stop


def _values_after(text: str, cue: re.Match[str]) -> Iterator[Span]:
    if below := _NEXT_LINE.match(text, cue.end()):
        way = "alone" if below["announced"] is None else "announced"
        if _is_secret_below(below[way].strip(_TRAILING), cue, announced=way == "announced"):
            yield below.span(way)
            return
    stretch = _STRETCH.match(text, cue.end())
    end = stretch.end() if stretch else cue.end()
    if cue.lastgroup == "key" and not _DIGIT.search(text, cue.end(), end):
        return  # no key is without digits
    quoted = _QUOTED.search(text, cue.end(), end)
    if quoted and _leads_to_value(text[cue.end() : quoted.start()]) and _is_quotable(quoted["inside"], cue.lastgroup):
        yield quoted.span("inside")
        return
    yield from _pieces(text, cue, end)


def _is_secret_below(value: str, cue: re.Match[str], *, announced: bool) -> bool:
    if not is_chosen(value) or is_harmless(value) or _NEXT_NAME.match(value):
        return False
    return announced or (not is_doubtful(value) and (is_issued(value) if cue.lastgroup == "key" else is_mixed(value)))


def _leads_to_value(between: str) -> bool:
    return bool(_LINK.search(between) or _FILLER.fullmatch(between)) and not _END.search(between)


def _is_quotable(inside: str, family: str | None) -> bool:
    if is_harmless(inside) or inside.lower() in PLAIN_WORDS:
        return False
    if family == "password":
        return len(inside) >= _SHORTEST_WORD
    return " " not in inside and is_issued(inside)


def _pieces(text: str, cue: re.Match[str], end: int) -> Iterator[Span]:
    length: int | None = None
    position = cue.end()
    while match := _PIECE.search(text, position, end):
        start, stop = _trim(text, *match.span())
        position = match.end()
        between = text[cue.end() : start]
        # Another cue judges what follows it itself; this also keeps a text full of cues from costing their square.
        if (
            _END.search(between)
            or CUE.match(text, start)
            or (length is not None and not _BESIDE.fullmatch(text[length:start]))
        ):
            return
        last = not text[stop : stop + 2].partition("\n")[0].strip(" .,;!，。；")
        piece = _SecretCandidate(
            text[start:stop],
            linked=length is not None or bool(_LINK.search(between)),
            adjacent=bool(_FILLER.fullmatch(between) or (last and _PURPOSE.fullmatch(between))),
            named=bool(_NAMED.fullmatch(between)),
            last=last,
        )
        if _is_secret(piece, text, cue) and not _PERSON.search(between):
            rest = _REST.match(text, stop, end)
            if rest and is_mixed(piece.text) and is_mixed(rest[0]):
                stop = rest.end()
            yield start, stop
            length, position = stop, stop


def _trim(text: str, start: int, stop: int) -> Span:
    label = _LABEL.match(text, start, stop)
    if label:
        start = label.end()
    start = stop - len(text[start:stop].lstrip(_LEADING))
    if tag := _TAG.search(text, start, stop):
        stop = tag.start()
    return start, start + len(text[start:stop].rstrip(_TRAILING))


def _is_secret(piece: _SecretCandidate, text: str, cue: re.Match[str]) -> bool:
    if is_harmless(piece.text) and not piece.text.isdigit():
        return False
    if cue.lastgroup == "password":
        return _is_password(piece) or (
            piece.adjacent and _is_word_password(piece.text) and _stands_free(piece, text, cue)
        )
    if cue.lastgroup == "login":
        if not (piece.adjacent or piece.linked) or not is_chosen(piece.text):
            return False
        return bool(_ACCOUNT.search(text, cue.start() - _ACCOUNT_REACH, cue.start())) or is_issued(piece.text)
    if piece.adjacent or piece.linked:
        return is_issued(piece.text) or is_digest(piece.text)
    return len(piece.text) >= _SHORTEST_FAR and is_issued(piece.text)


def _stands_free(piece: _SecretCandidate, text: str, cue: re.Match[str]) -> bool:
    """Whether a word behind the name of a password is one among other words: `user tom password ...`, 密码...给你."""
    if _ACCOUNT_GIVEN.search(text, cue.start() - _ACCOUNT_REACH, cue.start()):
        return True
    if cue[0].isascii() or piece.text in _TERMS:
        return False
    is_pinyin = piece.last and len(piece.text) >= _SHORTEST_PASSPHRASE and _PINYIN.fullmatch(piece.text)
    return bool(is_pinyin or _GLUED.match(text, cue.end()))


def _is_password(piece: _SecretCandidate) -> bool:
    value = piece.text
    if value.isdigit():
        shortest = _SHORTEST_NUMBER if piece.linked else _SHORTEST_BARE_NUMBER
        return (piece.linked or piece.adjacent) and len(value) >= shortest
    if is_chosen(value):
        if piece.linked or piece.adjacent:
            return True
        return is_mixed(value) and not is_doubtful(value) and (not is_wordy(value) or value.lower() != value)
    if piece.linked and _is_marked_passphrase(value):
        return True
    return piece.named and piece.last and _is_word_password(value)


def _is_marked_passphrase(value: str) -> bool:
    words = value.lower().split("-")
    return len(value) >= _SHORTEST_PASSPHRASE and len(words) >= _FEWEST_WORDS and not _LINKING_WORDS & {*words}


def _is_word_password(value: str) -> bool:
    return len(value) >= _SHORTEST_WORD and value.islower() and not is_plain_word(value.replace("-", ""))
