"""Names and codes of a line: words with capitals, identifiers, addresses, Chinese names with a title."""

# ruff: noqa: RUF001  (full-width marks are what Chinese is written with)

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import takewhile

from pipeline.language.chinese import HAN
from pipeline.language.date_terms import MONTHS
from pipeline.language.folding import flat
from pipeline.language.lexicon import cues
from pipeline.language.stems import of as stem_of
from pipeline.language.stopwords import FREQUENT

_LETTER = rf"(?:(?![{HAN}])[^\W\d_])"
_ADDRESS = re.compile(r"(?:https?://|www\.)[^\s<>\"'，。；、）)\]]+|[\w.+-]+@[\w-]+(?:\.[\w-]+)+", re.ASCII)
_CODE = re.compile(  # `user_id`, `@types/node`, `main()`
    rf"(?<![^\W{HAN}])[#@./~?]{{0,3}}[A-Za-z0-9_]+(?:[-_./\\:@#=+&][A-Za-z0-9_]+)*[()=?/]{{0,3}}", re.ASCII
)
_RUN = re.compile(rf"{_LETTER}+|\d+|[{HAN}]")
# `a1`, `user_id`, `userId`, `app.py`, `1.2.3`; the first only where the word begins, so that a long one is read once.
_MIXED = re.compile(r"\A(?=.*[A-Za-z])(?=.*\d)|.[_/\\@#=]|[a-z][A-Z]|\w\.[a-zA-Z]\w|\d+\.\d+\.\d")
_UNIT_NAME = (
    "am|pm|k|m|h|s|ms|min|st|nd|rd|th|x|d|w|gb|mb|kb|tb|km|kg|cm|mm|px|pt|eur|usd|pln|zl|tys|mln|go|ej|tej|[a-z]{1,2}-"
)
_UNIT = re.compile(  # a number with its unit: `15gb`, `9:30-11`, `19th`
    rf"\d+(?:[.,:]\d+)*(?:{_UNIT_NAME})?(?:[-/](?:[a-z]+|\d+(?:[.,:]\d+)*(?:am|pm|th|h|gb|mb|%)?))*", re.IGNORECASE
)
_VERSION = re.compile(r"v?(?!\d{1,2}\.\d{1,2}\.(?:19|20)\d\d$)(?!(?:19|20)\d\d\.\d)\d+(?:\.\d+){2,}", re.IGNORECASE)
_MEASURED = re.compile(r"\d\s?$")
_LONGEST_UNIT = 4  # letters behind a number: 2.5 GB, 19 EUR
_HAN_BEFORE = re.compile(rf"[{HAN}]")
_CALLED = re.compile(  # behind the first word of a sentence, which then is a name: ` prefers`, ` wystawia`
    r"\s+(?:never |always |only |nie )?(?:handles|prefers|wants|likes|needs|takes|lives|sends|writes|owns"
    r"|pays|asks|says|does|knows|gets|keeps|stays|uses|goes|comes|leaves|meets|joins|moves|manages|decides"
    r"|wystawia|odbiera|wysyła|dzwoni|prowadzi|pracuje"
    r"|robi|jedzie|idzie|kupuje|płaci|chce|woli|lubi|mieszka|wraca|bierze|pisze|pilnuje|odpowiada|zajmuje|dostaje"
    r"|przejmuje|przygotowuje|mówi|ustala|decyduje|ma)\b"
)
_OF_THINGS = re.compile(r"(?:s|ing|tion|sion|ment|ness|ity|ance|ence|age|ure)$")
_WORD = re.compile(rf"(?P<word>{_LETTER}+(?:['\u2019-]{_LETTER}+)*)|(?P<end>[.!?:;。！？：；\n\"„“”「『(|]|\s[-–—]\s)")
_ENDING = re.compile(  # of a name in another case or number: `Tomka`, `Tests`
    r"(?:a|u|y|i|e|o|ie|em|iem|owi|owie|ow|om|ami|ach|ego|emu|ej|ym|im|ych|ich|ze|rze|cie|dzie|nie|s|es|'s"
    r"|ek|ka|ku|kiem|kowi|ec|ca|cu|iel|la|lu|le|l|ia|iu|io|sku|ska|skiem|ski|skiej|skim|z|n|t|d|m|r|k)?"
)
_LONGEST_ENDING = 4  # letters
_SHORTEST_NAME = 4
"""Letters of a name from which on a longer name may begin with it: Postgres, PostgreSQL."""
_SHORTEST_PART = 6
"""Letters of a name from which on it may stand inside of another word."""
_MOST_CAPITALS = 0.6
"""The share of capitals from which on a line has them throughout, as headings do."""
_OWN = frozenset(
    cues(
        "i; owner; owners; user; assistant; agent; ai; wlasciciel; wlascicielka; wlascicielki; wlasciciela",
        "uzytkownik; uzytkowniczka; asystent; asystentka",
    )
)
_HEAD = 3  # letters of a name that have to be the same with their accents
_SURNAMES = (
    "王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗梁宋郑谢韩唐冯于董萧程曹袁邓许傅沈曾彭吕苏卢蒋蔡贾丁魏薛叶阎"
    "余潘杜戴夏钟汪田任姜范方石姚谭廖邹熊金陆郝孔白崔康毛邱秦江史顾侯邵孟龙万段雷钱汤尹黎易常武乔贺赖龚文"
)
_HAN_NAME = re.compile(  # `小王`; `李` in `李老师`
    rf"(?<![大较缩变最很多不从更太])[小老阿](?P<short>[{_SURNAMES}])(?![大的])"
    rf"|(?P<titled>[{_SURNAMES}](?:[{HAN}]{{1,2}})?)(?=老师|先生|女士|经理|总监|医生|同学|师傅|工程师|教授|阿姨|叔叔|律师)"
)


@dataclass(frozen=True, slots=True)
class PlacedName:
    """A name or a code from `start` to `end` of a text; a word that begins a sentence may be no name."""

    start: int
    end: int
    text: str
    begins: bool = False


def addresses(text: str) -> Iterator[PlacedName]:
    """Addresses of the web and of mail."""
    for match in _ADDRESS.finditer(text):
        yield PlacedName(match.start(), match.end(), match[0].rstrip(".,;:!?"))


def codes(text: str) -> Iterator[PlacedName]:
    """Identifiers, paths, versions: letters with digits or with marks between them; no number with its unit."""
    for match in _CODE.finditer(text):
        word = match[0].strip("./?=()~")
        if _MIXED.search(word) and (_VERSION.fullmatch(word) or not _UNIT.fullmatch(word)):
            yield PlacedName(match.start(), match.end(), word)


def names(text: str) -> Iterator[PlacedName]:
    """Words with a capital, and Chinese names with what marks them; none of a line that has capitals throughout."""
    chinese = bool(_HAN_BEFORE.search(text))
    words = [match["word"] for match in _WORD.finditer(text) if match["word"]]
    capitals = sum(word[0].isupper() for word in words)
    throughout = bool(words[1:]) and capitals > _MOST_CAPITALS * len(words) and not chinese
    begins = not chinese
    for match in _WORD.finditer(text):
        if match["end"] and not chinese:
            begins = True
        if match["end"]:
            continue
        word = match["word"]
        shouted = len(word) > 1 and word.isupper()
        if _MEASURED.search(text, max(0, match.start() - 2), match.start()) and len(word) <= _LONGEST_UNIT:
            begins = False
            continue
        if (word[0].isupper() or any(map(str.isupper, word))) and flat(word).partition("'")[0] not in _OWN:
            doubtful = (begins or throughout) and not shouted and not _is_called(word, text, match.end())
            yield PlacedName(*match.span(), word, begins=doubtful)
        begins = False
    for match in _HAN_NAME.finditer(text):
        yield PlacedName(match.start(), match.end(), match[0])


def _is_called(word: str, text: str, end: int) -> bool:
    """Whether the words behind the first word of a sentence make it a name: `Heron's tests`, `Anna handles ...`.

    A thing in the singular has an article there.
    """
    if not word[0].isupper() or "-" in word or flat(word) in FREQUENT | MONTHS.keys():
        return False
    bare = flat(word).removesuffix("'s")
    if bare != flat(word):
        return bare not in FREQUENT
    return bool(_CALLED.match(text, end)) and not _OF_THINGS.search(bare)


class WordsSaid:
    """The words of messages, in which names and codes are looked for whatever their case and ending."""

    def __init__(self, text: str) -> None:
        """`text` is all that was said."""
        runs = _RUN.findall(flat(text))
        self._runs = f" {' '.join(runs)} "
        self._squeezed = "".join(runs)
        self._words = {run for run in runs if run.isalpha() and run.isascii()}
        self.accented = {
            match["word"].casefold()[:_HEAD] for match in _WORD.finditer(text) if match["word"] and not text.isascii()
        }
        self._stems = {stem_of(word) for word in self._words}
        self._heads: dict[str, set[str]] = {}
        for word in self._words:
            self._heads.setdefault(word[:2], set()).add(word)

    def has_code(self, code: str) -> bool:
        """Whether an identifier stands there: all of its parts side by side, but for ordinary words joined to it."""
        runs = _RUN.findall(flat(code))
        if self._has_runs(runs) or (runs[:1] in (["https"], ["http"]) and self._has_runs(runs[1:])):
            return True
        if runs[:1] == ["v"] and self._has_runs(runs[1:]):
            return True
        parts = re.split(r"[-\s]", code)
        plain = [part for part in parts if part.isalpha() and part.islower()]
        return (
            bool(plain) and len(plain) < len(parts) and all(self.has_code(part) for part in parts if part not in plain)
        )

    def _has_runs(self, runs: list[str]) -> bool:
        return bool(runs) and f" {' '.join(runs)} " in self._runs

    def has_name(self, name: str) -> bool:
        """Whether a name stands there in any case: as a word, in another form of it, or joined to others."""
        whole = flat(name)
        if not whole.isascii() or not whole[0].isalpha():
            return whole in self._squeezed
        return any(map(self._has_word, {whole.removesuffix("'s"), whole.replace("-", "").replace("'", "")})) or (
            "-" in whole and all(map(self._has_word, whole.split("-")))
        )

    def spells(self, name: str, known: "WordsSaid") -> bool:
        """Whether a name may be spelled so, here or where it is `known`: who writes accents means them."""
        head = name.casefold()[:_HEAD]
        heads = self.accented | known.accented
        return head.isascii() or head in heads or all(map(str.isascii, heads))

    def _has_word(self, word: str) -> bool:
        if word in self._words or stem_of(word) in self._stems:
            return True
        if len(word) >= _SHORTEST_PART and word in self._squeezed:
            return True
        return any(_same(word, other) for other in self._heads.get(word[:2], ()))


def is_form(one: str, other: str) -> bool:
    """Whether two words as they are written are forms of one name."""
    return _same(flat(one), flat(other))


def _same(one: str, other: str) -> bool:
    """Whether two words are forms of one name, or one is a longer name of the other: Postgres is PostgreSQL."""
    common = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))
    shortest, longest = sorted((len(one), len(other)))
    if common == shortest >= _SHORTEST_NAME:
        return True
    ends = (word[common:] for word in (one, other))
    return (
        common > 1
        and 2 * common >= longest - 1
        and all(_ENDING.fullmatch(end) and len(end) <= _LONGEST_ENDING for end in ends)
    )
