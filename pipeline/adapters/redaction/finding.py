"""Where secrets stand in a text: each line goes only to the finders whose cues it shows."""

import re
from collections.abc import Iterator

from pipeline.adapters.redaction import assignments, codes, formats, library, numbers, operating, said, urls, words
from pipeline.adapters.redaction.spans import Span, lowered, plain

# A line (in lower case) or a text without any of these needs none of the patterns behind it: one cheap search decides.
_CUES = re.compile(
    "pass|pwd|pw|psw|psk|has[łl]|token|se[ck]ret|key|klucz|cred|kod |code|licen|serial|seryjn|login|logow|zalog|root"
    "|pin |combin|szyfr"
    "|admin|[密令鑰钥凭憑码碼序账帐帳]|口令|通行|许可"
)
_CODE_CUES = re.compile(
    "pin|kod|cvv|cvc|otp|puk|code|blik|2fa|szyfr|kombin|combin|combo|pass|has[łl]o|type|enter|punch|key in|press|dial"
    "|put in|input|use |box|hit|tap|buzz"
    "|wpis|wstuk|wystuk|wklep|wbi[jćc]|ci[śs]n|ciska|wprowad|wybier|u[żz]y|open|unlock|disarm|otwier|rozbr"
    "|[0-9]#|key ?pad|safe|sejf|k[łl][óo]dk|[码碼入输輸按摁打拨撥开開令号號禁用柜櫃箱]"
)
_ASSIGNED = re.compile("[=:\uff1a>\"'`(_]|--|[a-z][A-Z]")
_NUMBER_NAMES = re.compile("pin|puk|cv[vc]|otp|code")
_SPELLED = re.compile(
    "(?:zero|one|two|three|four|five|six|seven|eight|nine|double|triple|teen|ten|eleven|twelve|ty|jeden|dwa|trzy|cztery"
    "|pi[eę][cć]|sze[sś][cć]|siedem|osiem|dziewi[eę][cć])[ ,-]{1,2}[a-z]|[零〇一二三四五六七八九幺两]{3}"
)
_DEVICES = re.compile(
    "gate|door|garage|safe|lock|alarm|pad|intercom|buzz|barrier|shed|box|vault|suitcase|cabin|cellar|combination"
    "|bram|furt|drzwi|gara[żz]|sejf|domofon|k[łl][óo]dk|skrytk|skrzynk|piwnic|szlaban|walizk|klawiatur|zam[ek]|zapi[eę]ci"
    "|szaf|altan|schowk|szyfr|kombinacj|[门門柜櫃锁鎖闸閘箱]|车库|車庫|保[险險]|[报報]警|警[报報]|键盘|鍵盤"
)
_PHRASE_CUES = re.compile("phrase|mnemonic|seed|words|fraz|s[łl]owa|助[记記]|种子|恢[复復]")
_DIGITS = re.compile(r"[0-9]{3}|[0-9]{2}#|[0-9][ -]{1,3}[0-9]")
_LONG_NUMBER = re.compile(r"[0-9](?:[ -]?[A-Z0-9]){5}")
_LONG_WORD = 19
_LONG = re.compile(r"[\w+/=.:-]{19}", re.ASCII)


def find(text: str) -> set[Span]:
    """Where secrets stand in a text, by all finders."""
    seen, places = plain(text)
    spans = {*_spans(seen), *_spelled(seen)}
    if places is None:
        return spans
    return {(places[start], places[end - 1] + 1) for start, end in spans if end > start}


def _spelled(text: str) -> Iterator[Span]:
    """The spans of codes that are said in digit words."""
    if not _SPELLED.search(lowered(text)) or not (read := operating.digits(text)):
        return
    seen, places = read
    for start, end in _numbered(seen):
        yield places[start], places[end - 1] + 1


def _numbered(text: str) -> Iterator[Span]:
    low, start = lowered(text), 0
    for line in text.split("\n"):
        end = start + len(line)
        if _CODE_CUES.search(low, start, end):
            yield from codes.find(text, (start, end))
        if _DEVICES.search(low, start, end):
            yield from operating.find(text, (start, end))
        start = end + 1


def _spans(text: str) -> Iterator[Span]:
    low = lowered(text)
    yield from formats.find(text)
    yield from urls.find(text)
    if _PHRASE_CUES.search(low):
        yield from numbers.find_phrases(text)
    if _has_long_word(text):
        yield from formats.find_bare(text)
        yield from _by_line(text, low)
    elif _CUES.search(low) or _DIGITS.search(low):
        yield from _by_line(text, low)


def _has_long_word(text: str) -> bool:
    # Splitting is several times as fast as the pattern, and most of what people write ends here.
    return any(len(word) >= _LONG_WORD for word in text.split()) and bool(_LONG.search(text))


def _by_line(text: str, low: str) -> Iterator[Span]:
    numbered = bool(_DIGITS.search(low) or _SPELLED.search(low))
    start = 0
    for line in text.split("\n"):
        end = start + len(line)
        for first, last in _in_line(line, low[start:end]):
            yield start + first, start + last
        if _CUES.search(low, start, end):
            yield from said.find(text, (start, end))
            yield from words.find(text, (start, end))
        if numbered and _CODE_CUES.search(low, start, end):
            yield from codes.find(text, (start, end))
        if numbered and _DEVICES.search(low, start, end):
            yield from operating.find(text, (start, end))
        start = end + 1


def _in_line(line: str, low: str) -> Iterator[Span]:
    if _LONG.search(line):
        yield from library.find(line)
    if _ASSIGNED.search(line) and (_CUES.search(low) or _NUMBER_NAMES.search(low)):
        yield from assignments.find(line)
    if _LONG_NUMBER.search(line):
        yield from numbers.find_numbers(line)
