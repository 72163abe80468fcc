"""The sayings in a sentence: each an attribute of the owner or of a named thing."""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Literal, get_args

from jobs.extraction.profile import PROFILES, profile_of
from jobs.facts.mentions import is_name
from pipeline.language.chinese import han_runs
from pipeline.language.detection import Language
from pipeline.language.folding import flat, fold
from pipeline.language.lexicon import Lexicon
from pipeline.language.text import Span, clauses, weight
from schemas.fact import FactKind

OWNER = "Owner"
"""The name of the owner as an entity."""

Attribute = Literal[
    "home", "origin", "name", "work", "birthday", "called", "diet", "allergy", "has", "speaks", "role",
    "likes", "prefers", "habit", "favourite",
]  # fmt: skip
"""The attribute that a sentence states of somebody; they are looked for in this order."""

SayingWord = Literal[Attribute, "lead", "relatives", "contextual", "goes_on", "done"]
"""The classes of words."""

SAYINGS: Lexicon[SayingWord] = Lexicon("sayings", get_args(SayingWord))

_OPINIONS = frozenset({"likes", "prefers", "habit", "favourite"})
_SINGLE = frozenset({"home", "origin", "name", "work", "birthday", "favourite"})
_PASSING = frozenset({"home", "origin", "name", "work", "birthday", "habit"})
_ACCENTS = re.compile("[ąćęłńóśźż]")


@dataclass(frozen=True)
class Saying:
    """A way to say one thing, over folded text (see `folding.fold`), from where a clause begins.

    The group `value` is what is said. `who` is its subject, which has to be a name or a relative; without that group
    the owner is. A group `no` denies it. `what` is a part of the attribute, as in `my favourite WHAT is`. Of a `single`
    attribute there is one value at a time. With `passing` the sentence may have words such as `now`. Where accents
    tell who speaks, `exact` has to fit too, on the text as written in lower case.
    """

    kind: FactKind
    attribute: str
    pattern: re.Pattern[str]
    single: bool
    passing: bool
    exact: re.Pattern[str] | None


@dataclass(frozen=True)
class SayingWords:
    """The patterns of one language.

    `lead` is what may stand before a saying. `relatives` are the words that name a subject without a name, and
    `contextual` values mean something that only the conversation tells. `goes_on` begins a clause that belongs to the
    one before it. `done` is how the assistant says that it repaired something.
    """

    code: Language
    lead: re.Pattern[str]
    sayings: tuple[Saying, ...]
    relatives: re.Pattern[str]
    contextual: re.Pattern[str]
    goes_on: re.Pattern[str]
    done: tuple[re.Pattern[str], ...]


def read_sayings(language: Language) -> SayingWords:
    """The patterns of a language, of its file of words."""
    behind = "[，,：: ]*" if language is Language.CHINESE else r"[,:.!]?\s+"  # noqa: RUF001 - of Chinese
    return SayingWords(
        code=language,
        lead=re.compile(rf"\W*(?:(?:{SAYINGS.either('lead', language)}){behind})*"),
        sayings=tuple(_sayings(language)),
        relatives=re.compile(SAYINGS.either("relatives", language)),
        contextual=re.compile(SAYINGS.either("contextual", language)),
        goes_on=re.compile(SAYINGS.either("goes_on", language)),
        done=tuple(map(re.compile, SAYINGS.fragments("done", language))),
    )


def _sayings(language: Language) -> Iterator[Saying]:
    for attribute in get_args(Attribute):
        for whole in SAYINGS.fragments(attribute, language):
            yield Saying(
                kind=FactKind.OPINION if attribute in _OPINIONS else FactKind.WORLD,
                attribute=attribute,
                pattern=re.compile(_ACCENTS.sub(lambda letter: fold(letter[0]), whole)),
                single=attribute in _SINGLE,
                passing=attribute in _PASSING,
                exact=re.compile(whole) if _ACCENTS.search(whole) else None,
            )


WORDS = {language: read_sayings(language) for language in Language}
_NAMED = {"origin", "name", "called"}
"""Attributes with a name as their value."""
_CAPITAL = {Language.ENGLISH: {*_NAMED, "speaks"}, Language.POLISH: _NAMED}
"""Attributes whose value begins with a capital letter, by language."""
_OF_PERSONS = {"home", "work", "birthday", "allergy", "speaks", "called"}
"""Attributes that only people have: who has one is a name also at the beginning of a sentence."""
NOISE = ("counterfactual", "condition", "hedge", "reported", "interrogative", "defer", "attempt")
"""Words of a sentence that supposes, reports or asks, and so states nothing."""
_LONGEST = 80  # in Latin letters, of a value
_GAP = re.compile(r"[\s,，;；、(（–-]*")  # noqa: RUF001 - as written in Chinese


@dataclass(frozen=True)
class SaidThing:
    """A saying found in a sentence.

    `span` is its place in the text of the sentence. `who` is the subject as said, or `OWNER`. `attribute` has what a
    pattern names, such as `favourite tea`. `value` is folded; with `denied` it is said not to be so.
    """

    saying: Saying
    span: tuple[int, int]
    who: str
    attribute: str
    value: str
    denied: bool


def find_sayings(text: str, language: Language | None = None) -> list[SaidThing]:
    """The sayings of a sentence about the owner or named things; empty when it asks, supposes or reports.

    It is read in its language, else in the others: a name may make a short sentence look like another language.
    """
    detected = language or profile_of(text).code
    for code in sorted(WORDS, key=lambda code: code is not detected):
        if said := _sayings_in(text, code, {code, detected}):
            return said
    return []


def _sayings_in(text: str, language: Language, languages: Collection[Language]) -> list[SaidThing]:
    """The same in one language; what stands in the way is looked for in all `languages`."""
    words, folded, profiles = WORDS[language], fold(text), [PROFILES[code] for code in languages]
    whole = Span(0, len(text), text)
    if whole.asks or any(profile.finds_any(NOISE, folded) for profile in profiles):
        return []
    passing = any(profile.finds("momentary", folded) for profile in profiles)
    things, end = list[SaidThing](), 0
    for clause in clauses(whole):
        if clause.start < end:
            continue
        lead = words.lead.match(folded, clause.start, clause.end)
        said = _saying_at(text, folded, lead.end() if lead else clause.start, words)
        if said and (said.saying.passing or not passing):
            things.append(said)
            end = said.span[1]
    return things


def _saying_at(text: str, folded: str, start: int, words: SayingWords) -> SaidThing | None:
    for saying in words.sayings:
        match = saying.pattern.match(folded, start)
        if match is None or (saying.exact and not saying.exact.match(text.lower(), start)):
            continue
        groups = match.groupdict()
        who = text[slice(*match.span("who"))] if "who" in groups else ""
        if _is_clear_value(saying, match, text, words) and (not who or _is_subject(who, saying, words, start)):
            what = groups.get("what") or ""
            return SaidThing(
                saying=saying,
                span=(match.start(), _end_of(match, text, folded, words)),
                who=_subject_of(who, words),
                attribute=f"{saying.attribute} {what}".strip(),
                value=match["value"].strip(),
                denied=bool(groups.get("no")),
            )
    return None


def _is_clear_value(saying: Saying, match: re.Match[str], text: str, words: SayingWords) -> bool:
    """Whether the value means something without the conversation."""
    value = match["value"].strip()
    if not any(map(str.isalnum, value)) or weight(value) > _LONGEST or words.contextual.match(value):
        return False
    first = text[match.start("value") :].lstrip()
    return saying.attribute not in _CAPITAL.get(words.code, set()) or first[:1].isupper()


def _is_subject(who: str, saying: Saying, words: SayingWords, start: int) -> bool:
    kin = words.relatives.match(fold(who))
    if kin:
        name = who[kin.end() :].strip()
        return not name or name[:1].isupper()
    return is_name(who) and (start > 0 or saying.attribute in _OF_PERSONS or " " in who)


def _subject_of(who: str, words: SayingWords) -> str:
    """The subject of an attribute: a name where there is one, else the relative; of `my` and of nothing the owner."""
    kin = words.relatives.match(fold(who)) if who else None
    name = who[kin.end() :].strip() if kin else who
    if kin and not name:
        return flat(kin[0])
    return name if (name and name[:1].isupper()) or (name and not name.isascii()) else OWNER


def _end_of(match: re.Match[str], text: str, folded: str, words: SayingWords) -> int:
    """The end of the saying: that of its clause, and of the clauses that continue it."""
    end = match.end()
    while gap := _GAP.match(folded, end):
        if not gap[0] or not words.goes_on.match(folded, gap.end()):
            break
        following = next((clause for clause in clauses(Span(gap.end(), len(text), text[gap.end() :]))), None)
        if following is None or following.end <= end:
            break
        end = following.end
    return len(text[:end].rstrip(" .,;!，。；！"))  # noqa: RUF001 - as above


def given_name(thing: SaidThing) -> tuple[str, ...]:
    """The name that a saying gives in Chinese, where no capital letter tells it."""
    runs = han_runs(thing.value)
    return tuple(runs[:1]) if thing.saying.attribute in {"name", "called"} else ()
