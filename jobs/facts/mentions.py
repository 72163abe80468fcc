"""The names in a sentence: written with `@`, given by people, or with a capital letter where no sentence begins."""

# ruff: noqa: RUF001  (full-width marks are what Chinese is written with)

import re
from collections.abc import Iterator

from pipeline.facts.names import EntityNames, same_name
from pipeline.language.chinese import han_runs
from pipeline.language.date_terms import MONTHS
from pipeline.language.folding import flat
from pipeline.language.lexicon import cues

_AT = re.compile(r"(?<![\w.@/])@([^\W\d_][\w-]*)(?![\w.]*\()")
_WORD = re.compile(r"[^\W\d_][\w'’-]*")
_BEGINS = re.compile(r"(?:^|[.!?:;。！？：；\n\"“„«(]\s*|[-*•]\s+)$")
_CALENDAR = re.compile(r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?")
_ORDINARY = frozenset(
    cues(
        "i; i'm; i'll; i've; i'd; ok; tv; pc; usb; pdf; api; ui; ux; css; html; json; yaml; sql; http; https; url; faq",
        "ceo; cto; hr; it; ai; eu; uk; us; usa; english; polish; chinese; german; french; spanish; italian; russian",
        "ukrainian; czech; american; european; british; mr; mrs; ms; dr; christmas; easter; internet; markdown",
        "pan; pani; panu; pana; mam; nie; tak",
    )
)
_PRONOUNS = frozenset(
    cues(
        "he; she; it; this; that; they; we; who; what; there; here; nobody; somebody; someone; everyone; everybody",
        "everything; nothing; the; a; an; my; our; your; his; her; their; each; every; today; tomorrow; yesterday; and",
        "but; so; if; when; which; one; both; some; most; all; no; yes; then; now; work; working; only; also; please",
        "remember; note; to; ten; ta; on; ona; ono; oni; kto; co; nikt; ktos; wszystko; tam; tu; tutaj; jest; czy; jak",
        "gdzie; kiedy; moj; moja; moje; nasz; nasza; te; ci; ale; bo; oraz; tata; mama",
    )
)
_NOT_CALLED = frozenset(
    cues(
        "老是; 老师; 老实; 小时; 小说; 小心; 老家; 小区; 老婆; 老公; 老板; 小孩; 阿姨; 小组; 小号; 小队; 老版; 小版",
    )
)
"""Words that begin as a Chinese name among friends does."""
_MOST = 4
_SHOUTED = 2  # words in capitals: a name, and an abbreviation


def mentions(text: str) -> tuple[str, ...]:
    """The names in a text as they were said, in their order: with `@` or with a capital inside of a sentence.

    Several words of one name are joined by hyphens. Days, months, languages and abbreviations are no names.
    """
    names = sorted([*((match.start(), match[1]) for match in _AT.finditer(text)), *_capitalised_names(text)])
    return tuple(dict.fromkeys(name for _, name in names))[:_MOST]


def known_names(text: str, names: EntityNames) -> tuple[str, ...]:
    """The names that people gave to entities which stand in a text, in their order."""
    folded, placed = same_name(text), list[tuple[int, str]]()
    for key in {*names.written, *names.aliases}:
        if len(key) > 1 and key in folded:  # of thousands of names few are, and a pattern takes long to make
            pattern = re.escape(key) if han_runs(key) else rf"(?<!\w){re.escape(key)}(?!\w)"
            placed += [(match.start(), key) for match in re.finditer(pattern, folded)][:1]
    return tuple(name for _, name in sorted(placed))


def is_name(text: str) -> bool:
    """Whether words that begin a sentence may be the name of somebody or something."""
    if han_runs(text):
        return text not in _NOT_CALLED
    words = text.split()
    return all(word[:1].isupper() and not _is_ordinary(word) and flat(word) not in _PRONOUNS for word in words)


def hyphenate(name: str) -> str:
    """A name as it stands behind `@`."""
    return re.sub(r"[\s:：,，、()（）@]+", "-", name.strip()).strip("-.'’")


def _capitalised_names(text: str) -> Iterator[tuple[int, str]]:
    run = list[re.Match[str]]()
    for match in [*_WORD.finditer(text), None]:
        if run and (match is None or text[run[-1].end() : match.start()] != " " or not _is_capital(match, text)):
            yield run[0].start(), hyphenate(" ".join(_without_possessive(word[0]) for word in run))
            run = []
        if match is not None and _is_capital(match, text):
            run.append(match)


def _is_capital(match: re.Match[str], text: str) -> bool:
    word, before = match[0], text[: match.start()]
    if (
        not word[0].isupper()
        or (word.isupper() and _is_shouted(text))
        or _BEGINS.search(before)
        or before.endswith(("@", "/", "`", "_", ".", "-"))
    ):
        return False
    following = text[match.end() : match.end() + 1]
    return len(word) > 1 and following not in {"(", "_", "/", "`", "="} and not _is_ordinary(word)


def _is_shouted(text: str) -> bool:
    """Whether whole words of a text are in capitals for stress: `NEVER DELETE THE uploads FOLDER` names nobody."""
    return len([word for word in _WORD.findall(text) if len(word) > 1 and word.isupper()]) > _SHOUTED


def _without_possessive(word: str) -> str:
    return re.sub(r"['’]s$", "", word)


def _is_ordinary(word: str) -> bool:
    plain = flat(_without_possessive(word))
    code = word.isupper() and any(map(str.isdigit, word))
    acronym = code or (word.isupper() and len(word) <= len("HTTPS") and not han_runs(word))
    return acronym or plain in _ORDINARY or plain in MONTHS or bool(_CALENDAR.fullmatch(plain))
