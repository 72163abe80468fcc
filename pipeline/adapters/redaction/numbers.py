"""Secrets made of digits, or of words one after another: cards, accounts, numbers of a person, recovery phrases."""

import re
from collections.abc import Callable, Iterable, Iterator

from pipeline.adapters.redaction.screening import CAPITAL, DIGIT, Screen, register_stems
from pipeline.adapters.redaction.spans import Span

_SPELLED_WORD = (
    r"(?:zero|oh|one|two|three|four|five|six|seven|eight|nine|double|triple|(?:thir|four|fif|six|seven|eigh|nine)teen|ten"
    r"|eleven|twelve|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|jeden|dwa|trzy|cztery|pi[eę][cć]|sze[sś][cć]"
    r"|siedem|osiem|dziewi[eę][cć])"
)
SPELLED = rf"{_SPELLED_WORD}(?:[ ,-]{{1,2}}{_SPELLED_WORD}){{2,11}}(?![^\W_])|[零〇一二三四五六七八九幺两]{{4,10}}"
"""A pattern: the words or signs of a number, one after another."""
_SPOKEN = register_stems(
    re.findall(
        r"\S+",
        """
        zero oh one two three four five six seven eight nine double triple thirteen fourteen fifteen sixteen seventeen
        eighteen nineteen ten eleven twelve twenty thirty forty fifty sixty seventy eighty ninety jeden dwa trzy cztery
        pięć pięc pieć piec sześć sześc szesć szesc siedem osiem dziewięć dziewięc dziewieć dziewiec
        """,
    )
)
_SPOKEN_TWICE = re.compile(rf"(?<![a-z]){_SPELLED_WORD}[\0-`{{-\x7f]+{_SPELLED_WORD}")
_HAN_DIGITS = register_stems("零〇一二三四五六七八九幺两")


def spoken_lines(screen: Screen) -> set[int]:
    """The numbers of the lines that may say a number: two words or signs in a row."""
    if not screen.places:
        return set()
    said = [place for place in screen.occurrences(_SPOKEN) if _SPOKEN_TWICE.match(screen.folded, place)]
    signs = set(screen.occurrences(_HAN_DIGITS))
    return {*map(screen.number, said), *(screen.number(place) for place in signs if place + 1 in signs)}


# ruff: noqa: RUF001 - Chinese punctuation and typographic quotes are meant


_CARD = re.compile(
    r"(?<![\w.,/:=#-])(?:[45]\d{3}([ -]?)\d{4}\1\d{4}\1\d{4}|2[2-7]\d{2}([ -]?)\d{4}\2\d{4}\2\d{4}"
    r"|3[47]\d{2}([ -]?)\d{6}\3\d{5}|6[025]\d{2}([ -]?)\d{4}\4\d{4}\4\d{4}(?:\4\d{3})?)(?![\w-]|[.,]\d)"
)
_IBAN = re.compile(r"(?<![A-Za-z0-9])[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,4})?(?![A-Za-z0-9])")
_NAMED_NUMBER = re.compile(
    r"""(?:iban|swift|(?:bank|card|account|credit|debit)\s?(?:card|account)?\s?(?:number|no\.?|nr|num)|numer(?:em|u)?\s(?:karty|konta|rachunku)
    |nr\.?\s(?:karty|konta|rachunku)|(?:konto|rachunek|kart[aęy])\s(?:bankow|kredytow|debetow|płatnicz)\w{1,3}|konto|rachunek|card|kart[aęy]
    |银行卡|銀行卡|信用卡|卡号|卡號|帳號|账号|帐号|账户|帳戶)
    [^\n。!?！？\d•]{0,40}?(?P<secret>(?-i:(?:[A-Z]{2}[ ]?)?\d(?:[ -]?[A-Z0-9]){9,33})(?![A-Za-z0-9]))""",
    re.VERBOSE | re.IGNORECASE,
)
_IDENTITY = re.compile(
    r"""(?:(?P<pesel>pesel)|(?P<ssn>(?<![A-Za-z])(?:ssn|social\ssecurity)(?![A-Za-z]))
    |(?P<card>身[份分][证證])
    |(?P<passport>passport|paszport|dow[oó]d\w{0,3}\sosobist|护照|護照))
    [^\n•\d。!?]{0,30}?(?P<secret>(?-i:(?<![A-Za-z0-9])[A-Z]{0,3}[ ]?\d(?:[ -]?[\dX]){5,19})(?![A-Za-z0-9]))""",
    re.VERBOSE | re.IGNORECASE,
)
_POLISH_ACCOUNT = re.compile(r"(?<![\w.,/-])\d{2}(?:[ -]?\d{4}){6}(?![\w/-]|[.,]\d)")
_UNION_PAY = re.compile(r"(?<![\w.,/:=#-])62\d{2}(?: \d{4}){3}(?: \d{1,3})?(?![\w-]|[.,]\d)")
_BANK = re.compile(
    r"(?:routing|sort\scode|aba|acc(?:(?:oun)?t)?\.?)(?:\s(?:no\.?|number|nr|is|#))?[\s:#]{1,3}"
    r"(?P<secret>\d(?:[ -]?\d){5,16})(?![\w-])",
    re.IGNORECASE,
)
_BANK_WORDS = re.compile(r"routing|sort\scode|\baba\b|bank|transfer|wire|\bpay", re.IGNORECASE)
_BANKS = register_stems(["routing", "sort", "aba", "acc"])
_IDENTITIES = register_stems(re.findall(r"\S+", "pesel ssn social 身 passport paszport dow 护照 護照"))
_ACCOUNTS = register_stems(
    re.findall(
        r"\S+",
        """
        iban swift bank card account credit debit numer nr konto rachun kart
        银行卡 銀行卡 信用卡 卡号 卡號 帳號 账号 帐号 账户 帳戶
        """,
    )
)
_DIGITS_OF = {"pesel": {11}, "ssn": {9}, "card": {15, 17, 18}, "passport": {6, 7, 8, 9}}
_PHRASE = re.compile(
    r"""(?:12|24|twelve|twenty-four)\s(?:backup\s|seed\s)?(?:words|s[łl][óo]w)|(?:ledger|trezor|metamask)(?:'s)?\s(?:backup|words|phrase)
    |(?:seed|recovery|mnemonic|backup|secret|wallet)[ -](?:phrase|words?|seed)|mnemonic
    |(?:fraz[aęy]|s[łl]owa)\s(?:odzyskiwania|seed|portfela|zapasow\w+|do\sportfela)
    |助记词|助記詞|种子短语|恢复短语|恢復短語|钱包的?(?:单?词|助记)|[备備]份的?[词詞]|(?:12|24|十二|二十四)\s?[个個](?:[单單]?[词詞]|助记)""",
    re.VERBOSE | re.IGNORECASE,
)
_NUMBER_OF_WORD = r"(?:\d{1,2}(?:[.):-][ ]?|[ ]))?"
_WORDS = re.compile(rf"(?:{_NUMBER_OF_WORD}[a-z]{{3,8}}[\s,]{{1,3}}){{11,23}}{_NUMBER_OF_WORD}[a-z]{{3,8}}(?![a-z])")
_SIGNS = re.compile(r"(?:[一-鿿][ 、,，]{1,2}){11,23}[一-鿿]")
_PHRASE_GAP = 60
_PHRASE_REACH = 400
_SHORTEST_ACCOUNT = 10
_LONG_NUMBER = re.compile(r"[0-9](?:[ -]?[A-Z0-9]){5}")
_CARD_DIGITS, _ID_DIGITS, _IBAN_CHARACTERS, _ID_CHARACTERS = b"0" * 14, b"0" * 6, b"A" * 12, b"A" * 6
"""The fewest that stand together, once blanks and dashes are taken out."""


def find_numbers(screen: Screen) -> Iterator[Span]:
    """The spans of numbers of cards, accounts and persons."""
    if not screen.has_shape(CAPITAL, _ID_CHARACTERS, b" -"):
        return
    yield from _matches_in(screen, screen.lines_of_shape(DIGIT, _CARD_DIGITS, b" -"), _cards_and_accounts)
    yield from _matches_in(screen, screen.lines_of_shape(CAPITAL, _IBAN_CHARACTERS, b" "), _ibans)
    if screen.has(_BANKS) and screen.has_shape(DIGIT, _ID_DIGITS, b" -"):
        yield from _matches_in(screen, screen.lines(_BANKS), _beside_bank)
    yield from _named_numbers(screen)


def _matches_in(screen: Screen, lines: Iterable[int], find: Callable[[str, Span], Iterator[Span]]) -> Iterator[Span]:
    for line in screen.spans(lines):
        if _LONG_NUMBER.search(screen.text, *line):
            yield from find(screen.text, line)


def _cards_and_accounts(text: str, line: Span) -> Iterator[Span]:
    """Numbers that their own form tells: by their check, or, those of UnionPay, by their groups."""
    for match in _CARD.finditer(text, *line):
        if _passes_luhn(match[0]):
            yield match.span()
    for match in _POLISH_ACCOUNT.finditer(text, *line):
        if _passes_mod97(f"PL{match[0].replace('-', '')}"):
            yield match.span()
    for match in _UNION_PAY.finditer(text, *line):
        yield match.span()


def _beside_bank(text: str, line: Span) -> Iterator[Span]:
    if _BANK_WORDS.search(text, *line):
        for match in _BANK.finditer(text, *line):
            yield match.span("secret")


def _ibans(text: str, line: Span) -> Iterator[Span]:
    for match in _IBAN.finditer(text, *line):
        if _passes_mod97(match[0]):
            yield match.span()


def _named_numbers(screen: Screen) -> Iterator[Span]:
    for match, _ in screen.in_lines(_IDENTITY, _IDENTITIES):
        digits = sum(one.isdigit() for one in match["secret"])
        if digits in _DIGITS_OF[_family(match)]:
            yield match.span("secret")
    for match, _ in screen.in_lines(_NAMED_NUMBER, _ACCOUNTS):
        digits = sum(one.isdigit() for one in match["secret"])
        if digits >= _SHORTEST_ACCOUNT:
            yield match.span("secret")


def _family(match: re.Match[str]) -> str:
    return next(family for family in _DIGITS_OF if match[family])


_PHRASE_WORDS = register_stems(
    re.findall(
        r"\S+",
        "phrase mnemonic seed word fraz słowa slowa słów slów słow slow ledger trezor metamask"
        " 助记 助記 种子 恢复 恢復 钱包 备份 備份 个 個",
    )
)
_PHRASE_STEMS = register_stems(
    re.findall(
        r"\S+",
        "seed recovery mnemonic backup secret wallet fraz słowa slowa 12 24 twelve twenty-four ledger trezor metamask"
        " 钱包 备份 備份 十二 二十四 助记词 助記詞 种子短语 恢复短语 恢復短語",
    )
)


def find_phrases(screen: Screen) -> Iterator[Span]:
    """The spans of recovery phrases, which may run over several lines."""
    if not (screen.has(_PHRASE_STEMS) and screen.has(_PHRASE_WORDS)):
        return
    text = screen.text
    for cue in screen.matches(_PHRASE, screen.occurrences(_PHRASE_STEMS)):
        for pattern in (_WORDS, _SIGNS):
            words = pattern.search(text, cue.end(), cue.end() + _PHRASE_REACH)
            if words and words.start() - cue.end() <= _PHRASE_GAP:
                yield words.span()


def _passes_luhn(number: str) -> bool:
    digits = [int(one) for one in reversed(number) if one.isdigit()]
    doubled = sum(sum(divmod(2 * digit, 10)) for digit in digits[1::2])
    return (sum(digits[::2]) + doubled) % 10 == 0


def _passes_mod97(iban: str) -> bool:
    compact = iban.replace(" ", "")
    return int("".join(str(int(one, 36)) for one in compact[4:] + compact[:4])) % 97 == 1
