"""Short secrets that only words mark: PINs, the code of a gate or a safe, one-time codes; in digits and in number words."""

# ruff: noqa: RUF001 - Chinese punctuation and typographic quotes are meant

import re
from collections.abc import Iterator

from pipeline.adapters.redaction.spans import Span

_SENTENCE = re.compile(r"(?:[^.!?。！？;；\n•]|[.!?](?!\s|$)|(?<=[:：=])\n)+")
_SPELLED = (
    r"(?:(?:zero|oh|one|two|three|four|five|six|seven|eight|nine|double|triple|(?:thir|four|fif|six|seven|eigh|nine)teen|ten|eleven"
    r"|twelve|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|jeden|dwa|trzy|cztery|pi[eę][cć]|sze[sś][cć]|siedem|osiem"
    r"|dziewi[eę][cć])(?:[ ,-]{1,2}|(?![^\W_]))){3,12}|[零〇一二三四五六七八九幺两]{4,10}"
)
_VALUE = re.compile(
    rf"""(?<![A-Za-z0-9_.,:/$€£¥+#*-])(?P<quote>["'`*「“„]{{0,2}})(?P<secret>(?:\#?\*?(?:[A-Z]\d{{3,8}}|\d{{3,10}}[A-Z]?)[\#*]?
    |\d{{1,4}}(?:[ ]?[ -][ ]?\d{{1,4}}){{1,4}}[\#*]?)(?![A-Za-z0-9_%°€£¥$]|[-/:]\w|[.,]\d|\#\w)|{_SPELLED})
    (?![ ]?(?:px|ms|kb|mb|gb|sek|sec|min|%|°|zł|zl|pln|eur|usd|€|\$|lines?|rows?|lini|wiersz|hours?|days?|weeks?|minut|second
    |godzin|dni|tygodni|users?|people|os[oó]b|times|raz|char|digit|cyfr|znak|byte|word|s[łl][oó]w|page|stron|test|file|plik|item|mile|km|m\b
    |of\s\d|行|位|个字|個字|元|块钱|次|天|年|月|分钟|小时|字|页|頁|人|米))""",
    re.VERBOSE | re.IGNORECASE,
)
_STRONG = re.compile(
    r"(?<![A-Za-z])(?:(?P<pin>pin)(?:[- ]?(?:code|number|kod(?:em|u)?|em|u|y))?|cvv2?|cvc2?|otp|totp|puk|passcode|blik|2fa)(?![A-Za-z])"
    r"|(?<![A-Za-z])kod(?:em|u)?\s(?:blik|sms|pin)(?![A-Za-z])|验证码|驗證碼|[门門]禁[码碼]|校[验驗][码碼]|PIN\s?[码碼]|[动動][态態]密?[码碼]|取件[码碼]"
    r"|[开開][门門锁鎖][码碼]",
    re.IGNORECASE,
)
_CODE = re.compile(
    r"(?<![A-Za-z])(?:codes?|(?P<password>passwords?|has[łl](?:o|em|a))|combination|combo|kod(?:em|u|zie|y)?|szyfr(?:em|u)?|kombinacj[aąeęi])(?![a-ząćęłńóśźż])"
    r"|(?P<zh>密[码碼]|口令)|暗[号號]",
    re.IGNORECASE,
)
_PLACE = re.compile(
    r"(?<![A-Za-z])(?:(?:gates?|doors?|garage|safe|locker|alarm|entry|entrance|building|lobby|lift|elevator|keypad|key\s?pad|intercom|buzzer"
    r"|barrier|shed|cabin|flat|apartment|house|office|front|back|key\s?box|lock\s?box|padlock|lock|vault|suitcase|bike|cellar|basement|gym"
    r"|mailbox|parking|pool|phone|tablet|laptop|sim|card|bank|atm|voicemail|tv|parental|security|access|verification|confirmation|one-time|sms"
    r"|text message|two-factor|login|sign-in|auth\w*|unlock|disarm|arming|storage|warehouse|closet|cupboard|cabinet|panel)(?![A-Za-z])"
    r"|bram|furt|drzwi|gara[żz]|sejf|szaf|alarm|domofon|wej[śs]ci|klatk|klatc|wind[ayzęe]|k[łl][óo]dk|skryt|skrzyn|piwnic|biur|budyn|szlaban"
    r"|walizk|rower|kart[ayęe]|telefon|weryfikac|jednoraz|autoryz|logowan|bankomat|zam(?:ka|ku|ek)|schow|domk|mieszkan|magazyn|klawiatur|recepcj)[a-ząćęłńóśźż]*"
    r"|[门門]|车库|車庫|保[险險]|柜|櫃|小区|小區|[单單]元|报警|報警|警[报報]|[电電]梯|手机|手機|银行|銀行|信用卡|取款|短信|簡訊|[锁鎖]|箱|闸|閘|登[录錄]",
    re.IGNORECASE,
)
_ORDINARY = re.compile(
    r"(?<![A-Za-z])(?:(?:error|exit|status|response|return|http|https|zip|postal|post|area|country|dial|dialling|dialing|colou?r|source|byte|hex"
    r"|product|discount|promo|coupon|item|order|course|airport|currency|language|char|unicode|ascii|dress|tax|swift|phone number|number of"
    r"|tel|telephone|room|line|page|version|port|price|year)s?(?![A-Za-z])|b[łl][eę]d|poczt|produkt|rabat|zam[oó]wieni|numer(?:u)? tel|pok[oó]j|wersj|stron|linij)"
    r"|错误|錯誤|邮|郵|订单|訂單|电话|電話|房[间間]号|版本|状态|狀態|退出|优惠|商品",
    re.IGNORECASE,
)
_LINK = re.compile(
    r"(?:[:=：→>]|->|(?<![^\W\d_])(?:is|it'?s|to|was|are|still|now|jest|b[eę]dzie|brzmi|by[łl]o?|na|ma|mamy|nadal|with|by|using|kodem|code|kod|pin"
    r"|combination|szyfr)|[是为為成用])[\s\"'`*「“„]*$",
    re.IGNORECASE,
)
_GLUE = re.compile(
    r"(?:[\s:=：#*_\"'`「“„,—–-]|(?<![^\W\d_])(?:for|do|od|dla|of|the|my|our|new|nowy|a|this|here|again|from|z|ze|in|on|u|our|your|tw[oó]j|nasz)(?![^\W\d_])"
    r"|(?:是|为|為|还是|改成|改为|在这|的))*"
)
_ENTER = re.compile(
    r"(?:(?<![A-Za-z])(?:type|enter|punch|punch\sin|key\sin|press|dial|input|put\sin|wpisz|wpisa[ćc]|wpisuj\w*|wstuka\w*|wklep\w*|wci[śs]nij|naci[śs]nij"
    r"|wprowad[źz]\w*|wybierz)|输入|輸入|[输按拨撥])\s*(?:in|kod|code|the\scode|密[码碼])?[\s:：\"'`「“„]*$",
    re.IGNORECASE,
)
_OPENS = re.compile(
    r"[\"'`*」”]{0,2}\s*(?:(?:is|was|to|jest|opens?|unlocks?|disarms?|otwiera|rozbraja|for|for\sthe|do|works\s(?:on|for))(?![^\W\d_])|—|-|就?是|[开開打]|能)",
    re.IGNORECASE,
)
_FREE = re.compile(r"(?:^|[,:(—–-]|(?<![^\W\d_])(?:the|my|our|your|new|this|that|and|a|secret|nowy|m[oó]j|nasz|tw[oó]j|i|ten))\s*$", re.IGNORECASE)
_REST = re.compile(r"[\"'`*」”)]{0,2}\s*(?:$|[,;—–(-]|(?:and|please|thanks|ok|don|keep|remember|i|nie|zapami|dzi[eę]k)|[，、）])", re.IGNORECASE)
_MORE = re.compile(r"\d[\d#*]*[\"'`]?\s*(?:,|and|i|oraz|a|和)?")
_DIGIT = re.compile(r"\d")
_DIRECT = re.compile(r"[\"'`*」”]{0,2}\s*(?:is|it'?s|to|jest|就?是|为|為|[:：=])[\s\"'`*「“„]*", re.IGNORECASE)
_OPENING = re.compile(r"\s*(?:opens?|unlocks?|disarms?|otwiera|rozbraja|能?[开開打])", re.IGNORECASE)
_OPENED = re.compile(
    r"(?<![A-Za-z])(?:open(?:s|ed)?|unlock(?:s|ed)?|disarm(?:s|ed)?|otwier\w+|otw[oó]rz\w*|rozbr\w+)\s(?:it\s)?(?:with|by|using|na|przez|kodem)\s$",
    re.IGNORECASE,
)
_OWNER = re.compile(r"[^\W\d_]{2,12}\s*$")  # the PIN of the phone of somebody
_REACH = 48
_QUALIFIERS_REACH = 16
_SHORTEST_PLAIN = 4


def find(text: str, line: Span) -> Iterator[Span]:
    """The spans of PINs, door codes and one-time codes in one line of `text`, and below it if it ends in a colon."""
    start, end = line
    if text[start:end].endswith((":", "：", "=")):
        end = max(end, text.find("\n", end + 1)) if "\n" in text[end + 1 :] else len(text)
    for sentence in _SENTENCE.finditer(text, start, end):
        said = sentence[0]
        placed = bool(_PLACE.search(said))
        if placed or _STRONG.search(said) or _CODE.search(said):
            for value in _VALUE.finditer(said):
                if _secret(said, value, placed=placed):
                    yield sentence.start() + value.start("secret"), sentence.start() + value.end("secret")


def _secret(text: str, value: re.Match[str], *, placed: bool) -> bool:
    before = text[max(0, value.start() - _REACH) : value.start()]
    behind = text[value.end() : value.end() + _REACH]
    if _strong(before) or _said_first(behind, placed=placed):
        return True
    if entered := _ENTER.search(before):
        return placed or bool(_CODE.search(entered[0]))
    if placed and _OPENED.search(before):
        return True
    cue = _last(_CODE, before)
    if not cue or _ORDINARY.search(before, max(0, cue.start() - _QUALIFIERS_REACH)):
        return False
    return (placed and _hangs(before, cue.end())) or _plain(before, cue, behind, value["secret"])


def _last(pattern: re.Pattern[str], text: str) -> re.Match[str] | None:
    found = None
    for found in pattern.finditer(text):
        pass
    return found


def _strong(before: str) -> bool:
    cue = _last(_STRONG, before)
    if not cue or _ORDINARY.search(before, cue.end()):
        return False
    between = before[cue.end() :]
    if cue["pin"] and re.search(r"\w\s+to\s*$", between):  # to pin a package to a number is another thing
        return bool(_PLACE.search(between) or re.match(r"\s+(?:do|od)\s", between))
    if _hangs(before, cue.end()):
        return True
    return bool(_PLACE.search(between) and _GLUE.fullmatch(_OWNER.sub(" ", _PLACE.sub(" ", between))))


def _hangs(before: str, start: int) -> bool:
    """Whether what stands behind a cue leads to the value, with no more between them than what the code is for."""
    between = before[start:]
    if not _DIGIT.search(between) and _LINK.search(before):
        return True
    return bool(_GLUE.fullmatch(_PLACE.sub(" ", _MORE.sub(" ", between))))


def _said_first(behind: str, *, placed: bool) -> bool:
    """`4471 opens the garage`, `482913 is your verification code`."""
    opens = _OPENS.match(behind)
    if not opens or _ORDINARY.search(behind):
        return False
    if _OPENING.match(behind):
        return bool(_PLACE.search(behind))
    return bool(_STRONG.search(behind)) or (placed and bool(_CODE.search(behind)))


def _plain(before: str, cue: re.Match[str], behind: str, value: str) -> bool:
    """`the code is 4471`, where nothing is said of what it opens: it stands alone, and is no number of something."""
    if not _DIRECT.fullmatch(before, cue.end()) or len(value) < _SHORTEST_PLAIN or not _REST.match(behind):
        return False
    return bool(cue["password"] or cue["zh"] or _FREE.search(before[: cue.start()]))
