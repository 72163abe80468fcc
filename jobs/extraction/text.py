"""Text as the extractor sees it: folded for comparing, cut into sentences that keep their place."""

# ruff: noqa: RUF001  (full-width marks are what Chinese is written with)

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

from jobs.extraction.cues import cues

# Traditional forms of the characters that stand in cue words, so that one Chinese profile serves both scripts.
_TRADITIONAL = (
    "並佈來個們備傳僅價儘兩別刪則劃務勵卻員問啟單嗎嚴圖執報夠夢媽學定實寫將對導層屬師帶幣幫幾庫廠廢廣張後從復徹悶態慣慮憶應戶換擇據擬擱斷於時暫會東查條棄業極構樓標樣樹機檢權歡歲歷歸氣決"
    "沒況減測準潤潰為無煩燒爲爾猶獎獨現產畢畫異當發盡確祇禁種糾約紅納級終組結絕絡給統經綠維網線編緩總繼續纔聞聽腦臥臨臺與舊萬著處號裏補裡複見規覺觀訂計討記設許訴註評試話該認語說説誰談請"
    "論講譯議護讀變讓讚買費貼賣質贊較載輩輪輯轉辦這週進運過達遠適遷選還邊郵錄錢錯鐘長門閉開間闆關陣隊際隨險隻雙雜離難雲電頁項順須預領頭題願類顧風馬體麵麼點"
)
_SIMPLIFIED = (
    "并布来个们备传仅价尽两别删则划务励却员问启单吗严图执报够梦妈学定实写将对导层属师带币帮几库厂废广张后从复彻闷态惯虑忆应户换择据拟搁断于时暂会东查条弃业极构楼标样树机检权欢岁历归气决"
    "没况减测准润溃为无烦烧为尔犹奖独现产毕画异当发尽确只禁种纠约红纳级终组结绝络给统经绿维网线编缓总继续才闻听脑卧临台与旧万着处号里补里复见规觉观订计讨记设许诉注评试话该认语说说谁谈请"
    "论讲译议护读变让赞买费贴卖质赞较载辈轮辑转办这周进运过达远适迁选还边邮录钱错钟长门闭开间板关阵队际随险只双杂离难云电页项顺须预领头题愿类顾风马体面么点"
)
_VARIANTS = dict(zip(_TRADITIONAL, _SIMPLIFIED, strict=True)) | {"ł": "l", "Ł": "l", "’": "'", "‘": "'", "`": "'"}

# A mark ends a sentence only where a space follows, so that `?page=` and `4.5.1` stay whole; so do initials.
_SENTENCE = re.compile(r"(?:[^.!?;\n。！？；…]|[.!?;](?=[^\s.!?;])|(?<=\s[A-Z])[.])+[.!?;。！？；…]*")
_CLAUSE = re.compile(r"(?:[^,，、]|(?<=\d),(?=\d))+")
_WORD = re.compile(r"\d+(?:[.:]\d+)*|[^\W\d_]+")
_CJK = re.compile(r"[\u3400-\u9fff]")


@dataclass(frozen=True)
class Span:
    """A piece of a message: `start` and `end` are offsets in its text."""

    start: int
    end: int
    text: str

    @property
    def folded(self) -> str:
        """The text for comparing; as long as the text."""
        return fold(self.text)

    @property
    def asks(self) -> bool:
        """Whether it ends as a question does."""
        return self.text.rstrip(" \"'”’)」』").endswith(("?", "？"))


@lru_cache(maxsize=4096)
def fold(text: str) -> str:
    """Lower case, no diacritics, simplified characters, straight apostrophes; the length stays."""
    return "".join(_folded(character) for character in text)


@lru_cache(maxsize=8192)
def _folded(character: str) -> str:
    character = _VARIANTS.get(character, character)
    base = unicodedata.normalize("NFD", character)[:1]
    lower = base.lower()
    return lower if len(lower) == 1 else base


def sentences(text: str) -> list[Span]:
    """The sentences of `text`, without the white space around them."""
    return _stripped(text, _SENTENCE, 0, len(text))


def clauses(span: Span) -> list[Span]:
    """The parts of a sentence between commas, at their place in the message."""
    inner = _stripped(span.text, _CLAUSE, 0, len(span.text))
    return [Span(span.start + part.start, span.start + part.end, part.text) for part in inner]


def _stripped(text: str, pattern: re.Pattern[str], start: int, end: int) -> list[Span]:
    found = []
    for match in pattern.finditer(text, start, end):
        piece = match.group()
        left = match.start() + len(piece) - len(piece.lstrip())
        right = left + len(piece.strip())
        if any(character.isalnum() for character in piece):
            found.append(Span(left, right, text[left:right]))
    return found


def weight(text: str) -> int:
    """The length of `text` in Latin letters; a Chinese character counts for three."""
    return sum(3 if _CJK.match(character) else 1 for character in text)


def values(text: str) -> frozenset[str]:
    """The numbers among the terms."""
    return frozenset(term for term in terms(text) if term[0].isdigit())


@lru_cache(maxsize=4096)
def terms(text: str) -> frozenset[str]:
    """What `text` is about, for comparing: numbers, stems of longer words, pairs of Chinese characters."""
    found: set[str] = set()
    for word in _WORD.findall(fold(text)):
        if word[0].isdigit():
            found.update(part.lstrip("0") or "0" for part in re.split("[.:]", word))
        elif _CJK.search(word):
            found.update(_pairs(word))
        elif len(word) >= _STEM - 1 and word not in _EMPTY:
            found.add(word[:_STEM])
    return frozenset(found)


_STEM = 5
# Longer words that are about nothing.
_EMPTY = frozenset(
    cues(
        "that; this; then; than; them; they; what; when; where; which; with; will; would; from; have; here; there",
        "your; yours; just; like; also; some; only; into; about; over; been; were; does; dont; should; could",
        "still; more; most; much; very; want; need; make; made; back; good; okay; yeah; jest; jestem; tylko",
        "jeszcze; teraz; moze; bardzo; albo; zeby; kiedy; ktory; ktora; ktore; tego; tych; temu; jako; przez",
        "nich; mnie; sobie; bedzie; beda; dobra; dobrze; wiec; oraz; jednak; wszystko; trzeba; mamy; byla; bylo",
    )
)


def _pairs(word: str) -> set[str]:
    runs = re.findall(r"[\u3400-\u9fff]+|[a-z]+", word)
    pairs = {run[i : i + 2] for run in runs if _CJK.match(run) for i in range(len(run) - 1)}
    return pairs | {run[:_STEM] for run in runs if not _CJK.match(run)}
