"""Secrets that their own form gives away: prefixed keys, key blocks, headers, passwords in commands, random strings."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from pipeline.adapters.redaction.screening import ALPHANUMERIC, CAPITAL, DIGIT, GROUP, Screen, Stems, register_stems
from pipeline.adapters.redaction.spans import Span
from pipeline.adapters.redaction.values import (
    is_chosen,
    is_doubtful,
    is_harmless,
    is_mixed,
    is_reference,
    is_stand_in,
    is_wordy,
    looks_random,
)


def _accepts_any(_value: str) -> bool:
    return True


@dataclass(frozen=True, eq=False)
class Format:
    """One form. `hints` are strings of which one must occur, in any case: a cheap test that spares the pattern.

    The secret is the pattern's group `secret`, or all of the match; it counts if it is `sure`. The match `begins` with
    a hint, or has one in it and is no longer than its line.
    """

    hints: tuple[str, ...]
    pattern: re.Pattern[str]
    sure: Callable[[str], bool] = _accepts_any
    begins: bool = False
    stems: Stems = field(init=False)

    def __post_init__(self) -> None:
        """The stems are known before the first text."""
        object.__setattr__(self, "stems", register_stems(hint.lower() for hint in self.hints))

    def find(self, screen: Screen) -> Iterator[Span]:
        """The spans of this form in a text."""
        group = "secret" if "secret" in self.pattern.groupindex else 0
        for match in self._matches(screen):
            if self.sure(match[group]):
                yield match.span(group)

    def _matches(self, screen: Screen) -> Iterator[re.Match[str]]:
        if self.begins:
            yield from screen.matches(self.pattern, screen.occurrences(self.stems))
            return
        for line in screen.spans(screen.lines(self.stems)):
            yield from self.pattern.finditer(screen.text, *line)


def _prefixed_format(hints: str, pattern: str) -> Format:
    return Format(tuple(hints.split()), re.compile(rf"(?<![A-Za-z0-9_])(?:{pattern})"), _is_no_filler)


def _glued_format(hints: str, pattern: str) -> Format:
    """The pattern of formats with an unmistakable beginning, which may follow other letters directly."""
    return Format(tuple(hints.split()), re.compile(pattern), lambda value: is_mixed(value) and _is_no_filler(value))


def _is_no_filler(value: str) -> bool:
    # `ghp_xxxxxxxxxxxxxxxx` in a manual is not a key: its body repeats one character.
    body = max(re.split(r"[-_.:]", value), key=len)
    return len(set(body.lower())) > _FILLER_CHARACTERS


def _is_keylike(value: str) -> bool:
    return is_mixed(value) and not is_wordy(value)


def _is_typed(value: str) -> bool:
    """Whether something is opened with this: it has letters and digits, and is no version, file or name of a user."""
    return is_chosen(value) and is_mixed(value) and not (is_harmless(value) or is_doubtful(value) or is_wordy(value))


def _is_base32(value: str) -> bool:
    """Whether groups of letters and of the digits 2 to 7 are a key, and no words."""
    groups = re.split(r"[ -]", value)
    return any(map(is_mixed, groups)) and (value.isupper() or sum(map(is_mixed, groups)) > 1)


def _is_credential(value: str) -> bool:
    return not (is_stand_in(value) or is_reference(value)) and (is_chosen(value) or len(value) >= _LONG_CREDENTIAL)


def _is_given(value: str) -> bool:
    """Whether a value in the place of a password is one, however plain: a shell marks its references."""
    return not is_stand_in(value)


_PART = b"A" * 16
"""In what looks random stand as many letters and digits together."""
_FILLER_CHARACTERS = 2
_LONG_CREDENTIAL = 20

_HEX = r"(?:[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64})(?![\w])"
_PRIVATE_KEY = (
    r"-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----"
    r"(?:(?:[^-]|-(?!----)){1,20000}?-----END [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----"
    # A block that was cut off: the lines that look like one, to the last.
    r"|(?:(?:\\r)?\\n|[\r\n]+[ \t>]*(?=[A-Za-z0-9+/=\\:, -]{16}|[A-Za-z0-9+/=]{1,76}(?:\r?\n|$)|Version|Comment)"
    r"|[A-Za-z0-9+/=:,\\ -])+)"
)

_SECOND_FACTOR = (
    r"(?:2fa|totp|otp|authenticator|uwierzytelnia|dwuetapow|两步|兩步|二次验证|身份验证器|验证器|驗證器)[^\n•]{0,40}?"
)
_OPENING = (
    r"(?:log(?:ging)?\s?in|logon|sign(?:ing)?\sin|unlock|decrypt|open|unzip|extract|zaloguj|loguj|odblokuj|otw[oói]"
    r"|rozpakuj|odszyfruj)[^\n•。]{0,60}?\s(?:with|using|by|has[łl]em|przez|kodem)\s[\"'`„“]?"
)

FORMATS = (
    # host:port:database:user:password, a line of .pgpass
    Format(
        (":5432:", ":5433:", ":*:", "pgpass"),
        re.compile(
            r"(?<![\w/.:*-])(?:[\w.-]{1,120}|\*):(?:\d{2,5}|\*):(?:[\w-]{1,63}|\*):(?:[\w.-]{1,63}|\*):(?P<secret>[^\s:•\"'`]{3,128})"
        ),
        _is_given,
    ),
    Format(
        (
            "2fa",
            "totp",
            "otp",
            "authenticator",
            "uwierzytelni",
            "dwuetap",
            "两步",
            "兩步",
            "二次",
            "身份",
            "验证",
            "驗證",
        ),
        re.compile(
            rf"{_SECOND_FACTOR}(?<![a-z0-9])(?P<secret>(?:[a-z2-7]{{3,12}}[ -]){{2,15}}[a-z2-7]{{2,12}})(?![a-z0-9])",
            re.IGNORECASE,
        ),
        _is_base32,
        begins=True,
    ),
    # What opens a shared folder, in Chinese clouds.
    Format(
        ("提取", "访问", "訪問", "分享"),
        re.compile(
            r"(?:提取密?[码碼]|访问[码碼]|訪問碼|分享[码碼])(?:[\s:\uff1a=]|是|为|為){0,4}(?P<secret>[A-Za-z0-9]{4,8})(?![A-Za-z0-9])"
        ),
        begins=True,
    ),
    Format(
        (
            "log",
            "sign",
            "unlock",
            "decrypt",
            "open",
            "unzip",
            "extract",
            "zaloguj",
            "odblokuj",
            "otw",
            "rozpakuj",
            "odszyfruj",
        ),
        re.compile(rf"{_OPENING}(?P<secret>[!-~]{{5,63}}[^\s,.;:?)\"'`])(?=[\"'`”,.;:?)]*(?:\s|$))", re.IGNORECASE),
        _is_typed,
        begins=True,
    ),
    Format(
        ("用",),
        re.compile(
            r"用(?:密[码碼]|口令)?\s?(?P<secret>[!-~]{6,64}?)\s?(?:登[录錄陆]|解压|解壓|解锁|解鎖|解密|打开|打開)"
        ),
        _is_typed,
        begins=True,
    ),
    _prefixed_format("ghp_ gho_ ghu_ ghs_ ghr_", r"gh[pousr]_[A-Za-z0-9]{16,255}"),
    _prefixed_format("github_pat_", r"github_pat_\w{20,255}"),
    _prefixed_format(
        "glpat- gldt- glrt- glptt- glsoat- glcbt- glft- glimt- glagent- gloas-",
        r"gl(?:pat|dt|rt|ptt|soat|cbt|ft|imt|agent|oas)-[\w-]{16,255}",
    ),
    _prefixed_format("k_live_ k_test_ whsec_", r"(?:[rs]k_(?:live|test)|whsec)_[A-Za-z0-9]{10,255}"),
    _prefixed_format("sk-", r"sk-(?=[\w-]{0,200}\d)[A-Za-z0-9][\w-]{19,300}"),
    _prefixed_format("AIza GOCSPX- ya29.", r"AIza[\w-]{20,60}|GOCSPX-[\w-]{16,60}|ya29\.[\w-]{20,255}"),
    _prefixed_format("AKIA ASIA ABIA ACCA", r"A(?:KIA|SIA|BIA|CCA)[0-9A-Z]{12,28}"),
    _prefixed_format("AKID LTAI", r"(?:AKID|LTAI)[A-Za-z0-9]{12,60}"),
    _prefixed_format(
        "xoxa xoxb xoxp xoxo xoxs xoxr xoxe xoxc xoxd xapp-",
        r"xox[a-z](?:\.xox[a-z])?-[\w-]{10,255}|xapp-\d-[\w-]{10,255}",
    ),
    _prefixed_format(
        "hf_ gsk_ npm_ r8_ nvapi- pplx- tvly- xai-", r"(?:hf_|gsk_|npm_|r8_|nvapi-|pplx-|tvly-|xai-)[\w-]{20,255}"
    ),
    _prefixed_format("pypi- dop_v1_ dckr_pat_ sbp_", r"(?:pypi-|dop_v1_|dckr_pat_|sbp_)[\w-]{20,255}"),
    _prefixed_format("shpat_ shpca_ shppa_ shpss_", r"shp(?:at|ca|pa|ss)_[A-Za-z0-9]{16,64}"),
    _prefixed_format("SG.", r"SG\.[\w-]{16,64}\.[\w-]{16,64}"),
    _prefixed_format(
        "hvs. lin_api_ figd_ sntrys_ ATATT PMAK-", r"(?:hvs\.|lin_api_|figd_|sntrys_|ATATT|PMAK-)[\w=-]{20,255}"
    ),
    _prefixed_format("AGE-SECRET-KEY-", r"AGE-SECRET-KEY-1[0-9A-Z]{20,80}"),
    _prefixed_format("eyJ", r"eyJ[\w-]{8,4000}+={0,2}\.[\w-]{8,8000}+={0,2}(?:\.[\w-]{0,1000})?"),
    _glued_format(
        "eyJhb eyJ0e eyJra", r"eyJ(?:hb|0e|ra)[\w-]{8,4000}+={0,2}\.[\w-]{8,8000}+={0,2}(?:\.[\w-]{0,1000})?"
    ),
    _glued_format("T3BlbkFJ", r"sk-[\w-]{0,100}?T3BlbkFJ[A-Za-z0-9]{20,255}"),
    _glued_format("ghp_ gho_ ghu_ ghs_ ghr_ github_pat_", r"gh[pousr]_[A-Za-z0-9]{20,255}|github_pat_\w{20,255}"),
    _glued_format("sk-ant- sk-proj- sk-or- sk-svcacct-", r"sk-(?:ant|proj|or|svcacct)-[\w-]{20,255}"),
    _glued_format("glpat- xoxb- xoxp- xapp-", r"(?:glpat-|xox[bp]-|xapp-)[\w-]{20,255}"),
    _glued_format("AIza AKIA ASIA", r"AIza[\w-]{33,60}|A[KS]IA[0-9A-Z]{16}"),
    _glued_format("_live_ _test_ _prod_ _secret_", r"[a-z]{2,12}_(?:live|test|prod|secret)_[A-Za-z0-9]{16,255}(?!\w)"),
    _glued_format(
        "hvs. npm_ dop_v1_ shpat_ lin_api_", r"hvs\.[\w-]{24,255}|(?:npm_|dop_v1_|shpat_|lin_api_)[A-Za-z0-9]{32,255}"
    ),
    _prefixed_format(
        "key- key_ token- token_ secret- secret_ salt- salt_ dapi keysib-",
        rf"(?:[a-z]{{2,12}}_)?(?:(?:key|token|secret|salt)[-_](?:[A-Za-z]{{2,12}}_)?|dapi|xkeysib-){_HEX}",
    ),
    Format(("-----begin",), re.compile(_PRIVATE_KEY), begins=True),
    Format(
        ("authorization",),
        re.compile(
            r"(?<![A-Za-z_])authorization[\"']?\s{0,3}[:=]\s{0,3}[\"']?(?:(?:basic|bearer|token|digest|apikey|bot)\s{1,3})?(?P<secret>[\w.~+/:-]{6,4000}={0,2})",
            re.IGNORECASE,
        ),
        _is_credential,
        begins=True,
    ),
    Format(
        ("bearer", "basic"),
        re.compile(r"\b(?:bearer|basic)\s{1,3}(?P<secret>[\w.~+/-]{8,4000}={0,2})", re.IGNORECASE),
        lambda value: _is_credential(value) and not is_wordy(value),
        begins=True,
    ),
    Format(
        ("cookie:",),
        re.compile(r"cookie:[^\n•]{0,200}?=(?P<secret>[^\s;\"'•]{12,400})", re.IGNORECASE),
        _is_keylike,
        begins=True,
    ),
    Format(("sshpass",), re.compile(r"sshpass\s+-p\s*[\"']?(?P<secret>[^\s\"']+)"), _is_given, begins=True),
    Format(
        ("mysql", "mariadb"),
        re.compile(
            r"\b(?:mysql(?:dump|admin)?|mariadb)\b[^\n|;]{0,120}?\s-p[\"']?(?P<secret>(?=\S*[A-Za-z])[^\s\"'-][^\s\"']*)"
        ),
        _is_given,
        begins=True,
    ),
    Format(
        ("redis-cli",),
        re.compile(r"redis-cli\b[^\n|;]{0,120}?\s-a\s+[\"']?(?P<secret>[^\s\"']+)"),
        _is_given,
        begins=True,
    ),
    Format(
        ("curl",),
        re.compile(r"curl\b[^\n|;]{0,300}?\s(?:-u|--(?:proxy-)?user)[ =]?[\"']?[^\s:\"']{1,60}:(?P<secret>[^\s\"']+)"),
        _is_given,
        begins=True,
    ),
    Format(
        ("_authToken",),
        re.compile(r"_authToken\s{0,3}=\s{0,3}[\"']?(?P<secret>[^\s\"']{8,400})"),
        _is_credential,
        begins=True,
    ),
)
_BY_STEM = {stem: [form for form in FORMATS if stem in form.stems] for form in FORMATS for stem in form.stems}
_BOT_NAMES, _BOT_MARK = register_stems(["bot", "telegram"]), ":AA"
_BOT = re.compile(r"(?<![A-Za-z0-9_])\d{8,10}:[\w-]{30,64}")
_BOT_NUMBER = b"0" * 8


def find(screen: Screen) -> Iterator[Span]:
    """The spans of all known formats in a text, which may have many lines."""
    for form in {form for stem in _BY_STEM.keys() & screen.places.keys() for form in _BY_STEM[stem]}:
        yield from form.find(screen)


def find_numbered(screen: Screen) -> Iterator[Span]:
    """The spans of keys in groups of four, as authenticators show them, and of tokens behind the number of a bot."""
    if screen.has_shape(CAPITAL, _PART, b" -"):
        for line in screen.spans(screen.lines_of_shape(CAPITAL, _PART, b" -")):
            for match in _BASE32.finditer(screen.text, *line):
                if _is_base32(match[0]):
                    yield match.span()
    if screen.has(_BOT_NAMES) or _BOT_MARK in screen.text:
        for line in screen.spans(screen.lines_of_shape(DIGIT, _BOT_NUMBER)):
            for match in _BOT.finditer(screen.text, *line):
                if _is_no_filler(match[0]):
                    yield match.span()


_BARE = re.compile(
    r"(?<![\w+/.@:%&?#-])(?:[A-Za-z0-9+/]{40}(?![\w+/@-])|[\w+/-]{20,512}={0,2}(?![\w@/+-]|\.[a-z]))", re.ASCII
)
_NO_SECRET = re.compile(
    r"AAAA[A-D][0-9]Nza|sha[0-9]{3}-|(?:(?:srv)?toolu|gen|rs|call|msg|req|run|chatcmpl|resp|thread|asst|file|session|sess|cmpl)[-_]"
)
_PARTS = re.compile(r"[A-Za-z0-9]{16,}")
_GROUPS = re.compile(r"(?<![\w-])[A-Z0-9]{3,10}(?:-[A-Z0-9]{3,10}){3,7}(?![\w-])", re.ASCII)
_BASE32 = re.compile(r"(?<![\w-])[A-Z2-7]{4}(?:([ -])[A-Z2-7]{4})(?:\1[A-Z2-7]{4}){2,14}(?![\w-])", re.ASCII)
_FEWEST_MIXED = 2
_SHORTEST_PART, _LONGEST_PART = 4, 6
_REACH = 200


def find_bare(screen: Screen) -> Iterator[Span]:
    """The spans of what only a generator makes: groups of capitals and digits; long runs of both cases and digits.

    A digest, a commit or a UUID has one case; a part of a URL or a path has a mark before it; both stay.
    """
    text = screen.text
    for line in screen.spans(screen.lines_of_shape(GROUP, b"AAA-AAA")):
        for match in _GROUPS.finditer(text, *line):
            parts = match[0].split("-")
            if sum(map(is_mixed, parts)) >= _FEWEST_MIXED or (is_mixed(match[0]) and all(map(_has_key_length, parts))):
                yield match.span()
    for line in screen.spans(screen.lines_of_shape(ALPHANUMERIC, _PART)):
        if not any(map(_has_both_cases, _PARTS.findall(text, *line))):
            continue
        for match in _BARE.finditer(text, *line):
            if looks_random(match[0]) and not (_NO_SECRET.match(match[0]) or _is_in_address(text, match.start())):
                yield match.span()


def _has_both_cases(part: str) -> bool:
    return not (part.isalpha() or part.islower() or part.isupper())


def _has_key_length(part: str) -> bool:
    return _SHORTEST_PART <= len(part) <= _LONGEST_PART


def _is_in_address(text: str, start: int) -> bool:
    """Whether what begins at `start` belongs to a URL, or to an image that is written out."""
    before = text[max(0, start - _REACH) : start].rsplit(" ", maxsplit=1)[-1]
    return "://" in before or before.endswith("base64,")
