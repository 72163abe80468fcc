"""Whether all values of a written line were said: the one check for entries, wrap-ups, pages and summaries.

Values are compared, and not their spelling: `3pm` is 15:00, `tomorrow` is the day after that of its message, `trzech`
is 3, and a name may stand in any case. What is refused costs a line that waits for a person; what is believed may be
wrong for years.
"""

import re
from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from fractions import Fraction
from functools import cached_property
from zoneinfo import ZoneInfo

from pipeline.entries.values import days, names
from pipeline.language.clocks import HOUR, clocks
from pipeline.language.dates import NamedDate
from pipeline.language.folding import flat
from pipeline.language.number_words import PlacedNumber, numbers
from pipeline.language.stopwords import FREQUENT
from pipeline.language.time_ranges.spans import PlacedText, flatten_text
from schemas.transcript import Message, Origin, Session

_ANSWERED = 2
"""The owner's messages before a named one that belong to it: what it answers, and what that answers."""


@dataclass(frozen=True)
class Said:
    """A text that somebody said or wrote, on its local day."""

    text: str
    day: date


def values_of(session: Session, named: Collection[Message], quote: str = "") -> "ValuesSaid":
    """The values of messages of a session and of what they answer; a name may stand anywhere before."""
    zone = ZoneInfo(session.zone)
    last = max(message.number for message in named)
    before = [message for message in session.conversation if message.number <= last]
    heard = [Said(message.text, message.time.astimezone(zone).date()) for message in _exchange(before, named)]
    return ValuesSaid(heard, [message.text for message in before], (session.agent, session.project), quote)


def _exchange(said: Sequence[Message], named: Collection[Message]) -> list[Message]:
    """The named messages with all that is said before each, back to the third of the owner's messages before it."""
    owners = [place for place, message in enumerate(said) if message.origin is Origin.OWNER]
    numbers, kept = {message.number for message in named}, set[int]()
    for last, message in enumerate(said):
        if message.number in numbers:
            far = owners[: bisect_left(owners, last)][:-_ANSWERED]
            kept.update(range(far[-1] + 1 if far else 0, last + 1))
    return [said[place] for place in sorted(kept)]


class ValuesSaid:
    """The values of what was said, in every reading that it allows."""

    def __init__(
        self,
        said: Iterable[Said],
        around: Sequence[str] = (),
        known: Collection[str] = (),
        quote: str = "",
        *,
        beginnings: bool = False,
    ) -> None:
        """`said` has the values; a name may also stand in a text `around` it, where the subject was named.

        `known` are names that anybody may use. `quote` are the words that the lines are about: lines without a name
        of it have put another in its place, and take none from around. With `beginnings` the first word of a sentence
        has to be said too, as in lines that use no words of their own.
        """
        self._beginnings = beginnings
        self._said = list(said)
        self._around_texts = around
        self._known = names.WordsSaid(" ".join(known))
        self._quote = quote

    def unsaid(self, lines: Sequence[str]) -> str | None:
        """The first value of some lines that was not said, as it is written there; `None` when all were."""
        named = {name.text for line in lines for name in names.names(line) if not name.begins}
        return next((value for line in lines if (value := self._unsaid(line, named, lines))), None)

    def has_end(self, day: date) -> bool:
        """Whether a day was said as the last of something, or the day after it as the first without it."""
        ends = [day] if day == date.max else [day, day + timedelta(days=1)]
        named = [NamedDate(end.month, end.day, end.year) for end in ends]
        if ends[-1].month != day.month:
            named.append(NamedDate(day.month, None, day.year))
        return any(self._days.has(end, self._whole_numbers) for end in named)

    def _unsaid(self, line: str, named: Collection[str], lines: Sequence[str]) -> str | None:
        text = _ValueLine(flatten_text(line))
        for name in (*names.addresses(line), *names.codes(line)):
            said = self._words.has_code(name.text) or self._known.has_code(name.text)
            if text.take(name.start, name.end) and not said:
                return name.text
        return self._unsaid_time(text) or self._unsaid_number(text) or self._unsaid_name(text, named, lines)

    def _unsaid_time(self, text: "_ValueLine") -> str | None:
        """The first date, day of the week, year or time of day of a line that was not said."""
        agreeing = set[str]()
        for _, named, start, end in days.dates_of(text.plain):
            if text.take_plain(start, end):
                if not self._days.has(named, self._whole_numbers):
                    return text.original_text(start, end)
                agreeing |= days.weekday_of(named, self._days.own)
        for start, end, weekday in days.placed_weekdays(text.plain):
            if text.take_plain(start, end) and weekday not in self._days.weekdays | agreeing:
                return text.original_text(start, end)
        for clock in clocks(text.plain):
            if clock.sure and text.take_plain(clock.start, clock.end) and not clock.minutes & self._minutes:
                return text.original_text(clock.start, clock.end)
        for match in days.years_of(text.plain):
            said = self._days.has_year(int(match[0])) or int(match[0]) in self._whole_numbers
            if not said and text.take_plain(*match.span()):
                return match[0]
        return None

    def _unsaid_number(self, text: "_ValueLine") -> str | None:
        for number in numbers(text.plain):
            if number.idle or not text.take_plain(number.start, number.end):
                continue
            other = _CURRENCY.match(text.plain, number.end) or _CURRENCY_BEFORE.search(
                text.plain, max(0, number.start - 4), number.start
            )
            if other and self._money and not _currencies(other[0]) & self._money:
                return text.original_text(number.start, number.end) + other[0]
            year = any(self._days.has_year(int(value)) for value in number.values if value.denominator == 1)
            if not year and not number.values & self._numbers:
                return text.original_text(number.start, number.end)
        return None

    def _unsaid_name(self, text: "_ValueLine", named: Collection[str], lines: Sequence[str]) -> str | None:
        for name in names.names(text.text.text):
            if not text.take(name.start, name.end) or self._was_named(name.text):
                continue
            # What follows looks through all that was said before: few lines have a name that was not said nearby.
            replaces = self._lacks_name(lines)
            if not replaces and self._words_around.has_name(name.text):
                continue
            if not name.begins or name.text in named or replaces or self._is_name(name.text):
                return name.text
        return None

    def _was_named(self, name: str) -> bool:
        spelled = self._words.spells(name, self._known)
        return spelled and (self._words.has_name(name) or self._known.has_name(name))

    def _lacks_name(self, lines: Sequence[str]) -> bool:
        """Whether the lines lack a name of the quote, so that a name of theirs may stand in its place."""
        written = names.WordsSaid("\n".join(lines))
        return any(not written.has_name(name) for name in self._names_quoted)

    def _is_name(self, word: str) -> bool:
        """Whether a word at the beginning of a sentence is known as a name."""
        if self._beginnings and flat(word) not in FREQUENT:
            return True
        return any(names.is_form(word, name) for name in self._names)

    @cached_property
    def _words_around(self) -> names.WordsSaid:
        return names.WordsSaid("\n".join(self._around_texts))

    @cached_property
    def _names(self) -> set[str]:
        texts = (*self._around_texts, *(message.text for message in self._said))
        return {name.text for text in texts for name in names.names(text) if not name.begins}

    @cached_property
    def _names_quoted(self) -> set[str]:
        """The words of the quote that are names, in whatever case they stand there."""
        quoted = names.WordsSaid(self._quote)
        return {name for name in self._names if self._quote and quoted.has_name(name)}

    @cached_property
    def _texts(self) -> list[PlacedText]:
        return [flatten_text(message.text) for message in self._said]

    @property
    def _flat(self) -> list[str]:
        return [text.plain for text in self._texts]

    @cached_property
    def _words(self) -> names.WordsSaid:
        return names.WordsSaid("\n".join(message.text for message in self._said))

    @cached_property
    def _days(self) -> days.DaysSaid:
        all_days = days.DaysSaid()
        for message, text in zip(self._said, self._texts, strict=True):
            all_days.add(message.text, text.plain, message.day)
        return all_days

    @cached_property
    def _minutes(self) -> frozenset[int]:
        return frozenset[int]().union(*(clock.minutes for text in self._flat for clock in clocks(text)))

    @cached_property
    def _money(self) -> set[str]:
        return set().union(*map(_currencies, self._flat))

    @cached_property
    def _numbers(self) -> frozenset[Fraction]:
        return frozenset[Fraction]().union(
            *(_convert(text, number) for text in self._flat for number in _counting(text))
        )

    @cached_property
    def _whole_numbers(self) -> set[int]:
        return {int(value) for value in self._numbers if value.denominator == 1}


# The beginnings of the words of a unit, and how much of the next smaller one it is.
_UNITS = (
    ("week tydzien tygodn 周 星期 礼拜", 7),
    ("day dni dzien dob 天", 24),
    ("hour hr godzin 小时", 60),
    ("minut min 分钟", 60),
    ("year rok lat 年", 12),
)
_UNIT_REACH = 12  # characters behind a number


_MONEY = {
    "eur": "eur|euro?s?|€|欧元",
    "pln": "pln|zl|zlot[a-z]{1,3}",
    "usd": "usd|dollars?|bucks|dolar[a-z]{0,3}|\\$|美元|美金",
    "gbp": "gbp|pounds?|quid|funt[a-z]{0,3}|£|英镑",
    "cny": "cny|rmb|yuan|¥|元|块钱?|人民币",
}
_ANY_MONEY = "|".join(f"(?P<{code}>(?<![a-z])(?:{forms})(?![a-z]))" for code, forms in _MONEY.items())
_CURRENCY = re.compile(rf"\s?(?:{_ANY_MONEY})")
_CURRENCY_BEFORE = re.compile(rf"(?:{_ANY_MONEY})\s?$")


def _currencies(flat: str) -> set[str]:
    return {str(match.lastgroup) for match in _CURRENCY.finditer(flat)}


def _counting(flat: str) -> Iterator[PlacedNumber]:
    """The numbers of a text without those of a time with minutes: 15:59 is no 15."""
    times = [clock for clock in clocks(flat) if clock.sure and any(minute % HOUR for minute in clock.minutes)]
    for number in numbers(flat):
        if not any(clock.start <= number.start and number.end <= clock.end for clock in times):
            yield number


def _convert(flat: str, number: PlacedNumber) -> frozenset[Fraction]:
    """The values of a number, and of its time in the next smaller unit: two weeks are 14 days."""
    behind = flat[number.end : number.end + _UNIT_REACH].lstrip(" -个")
    factor = next((factor for words, factor in _UNITS if behind.startswith(tuple(words.split()))), 0)
    return number.values | ({value * factor for value in number.values} if factor else set())


class _ValueLine:
    """A line of which each character belongs to one value."""

    def __init__(self, text: PlacedText) -> None:
        self.text = text
        self.plain = text.plain
        self._taken = bytearray(len(text.text) + 1)

    def take(self, start: int, end: int) -> bool:
        """Take a stretch of the line as written, if no other value has any of it."""
        if any(self._taken[start:end]):
            return False
        self._taken[start:end] = b"\1" * (end - start)
        return True

    def take_plain(self, start: int, end: int) -> bool:
        """The same for a stretch of the plain text."""
        return self.take(self.text.start(start), self.text.end(end))

    def original_text(self, start: int, end: int) -> str:
        """A stretch of the plain text as it is written."""
        return self.text.original_text(start, end)
