"""Headings for promoted entries, of words that they share: the same entries always give the same headings."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from math import log

from jobs.consolidation.page import HEADINGS, SUBJECT, without_identifiers
from jobs.extraction.persons import NAMES_FOR_PERSONS
from jobs.extraction.profile import profile_of
from jobs.resolution.same_thing import BACKGROUND, Weights, features
from pipeline.language.chinese import han_runs, letter_runs
from pipeline.language.folding import fold
from pipeline.language.stopwords import FUNCTION
from schemas.entry import Entry

SHARED_WEIGHT = 1.5
"""The weight of shared words, in words that no other entry has, from which an entry joins the heading of another."""

MANY = 3
"""The entries of one week that make a shared word a heading; for a name, two are enough."""

SHORTEST = 4
"""The fewest letters of a word that can be a heading."""

LONGEST_HAN = 6
"""The most Chinese characters of a heading."""

_PAIR = 2 / 3
_INSIDE = re.compile(r"(?<=[^\W_] )[^\W_]+")
_FUNCTION = FUNCTION | frozenset("您只有无别再在或要能会可以上下来去")
_NO_SUBJECT = ("remember", "universal", "scope", "lasting", "standing", "decide", "settle", "adopt", "directive",
               "dismiss", "momentary", "light")  # fmt: skip
"""Functions of the words of a conversation that name nothing."""


class Subjects:
    """The present headings, with the entries under each."""

    def __init__(self, placed: Iterable[tuple[Entry, str]], new: Sequence[Entry]) -> None:
        """`placed` are the hot entries with their headings; `new` are entries that need one."""
        self._under: dict[str, list[frozenset[str]]] = defaultdict(list)
        placed = list(placed)
        texts = [_words_of(entry) for entry, _ in placed] + [_words_of(entry) for entry in new]
        self._weights, self._scale = Weights(texts), log(BACKGROUND + len(set(texts)))
        for entry, subject in placed:
            self._under[subject].append(features(_words_of(entry)))

    def assign(self, new: Sequence[Entry]) -> dict[str, str]:
        """A heading for each of `new`, by id: a present one, or a new one that they share, or that of their kind."""
        subjects = {entry.id: subject for entry in new if (subject := self._nearest(entry))}
        left = [entry for entry in new if entry.id not in subjects]
        while len(left) > 1 and (shared := self._find_shared(left)):
            subject, together = shared
            subjects |= dict.fromkeys(together, subject)
            left = [entry for entry in left if entry.id not in together]
        return subjects | {entry.id: HEADINGS[entry.kind] for entry in left}

    def _nearest(self, entry: Entry) -> str:
        """The heading with the entry that has most in common with this one; empty when that is little."""
        ours = features(_words_of(entry))
        best, telling = "", SHARED_WEIGHT
        for subject in sorted(self._under.keys() - frozenset(HEADINGS.values())):
            named = 1.0 if features(subject) & ours else 0.0
            much = max(self._worth_of(ours & theirs) for theirs in self._under[subject]) + named
            if much > telling:
                best, telling = subject, much
        return best

    def _worth_of(self, shared: Iterable[str]) -> float:
        # A pair of Chinese characters counts less than a word: the pairs of a longer word overlap.
        return (
            sum(self._weights.weight_of(feature) * (_PAIR if han_runs(feature) else 1.0) for feature in sorted(shared))
            / self._scale
        )

    def _find_shared(self, entries: Sequence[Entry]) -> tuple[str, frozenset[str]] | None:
        """The rarest word that enough of `entries` share, as they write it, and their ids."""
        holders: dict[str, list[Entry]] = defaultdict(list)
        for entry in entries:
            for feature in _heading_words(_words_of(entry)):
                holders[feature].append(entry)
        shared = {feature: sharers for feature, sharers in holders.items() if _is_shared_enough(feature, sharers)}
        best = max(
            shared,
            key=lambda feature: (len(shared[feature]) * self._worth_of([feature]), len(feature), feature),
            default="",
        )
        together = shared.get(best, [])
        if not together:
            return None
        return _spelling_of(best, [_words_of(entry) for entry in together]), frozenset(entry.id for entry in together)


def _is_shared_enough(feature: str, holders: Sequence[Entry]) -> bool:
    """Whether entries that share a word are about one matter: two are only if the word is a name."""
    return len(holders) >= MANY or (len(holders) > 1 and _is_name(feature, [_words_of(entry) for entry in holders]))


def _words_of(entry: Entry) -> str:
    return f"{entry.conclusion}\n{entry.quote}"


@lru_cache(maxsize=4096)
def _heading_words(text: str) -> Mapping[str, tuple[str, ...]]:
    """The words of `text` that can be a heading, as they are written, by feature."""
    profile = profile_of(text)
    forms: dict[str, list[str]] = defaultdict(list)
    for run in han_runs(text):
        for feature in features(run):
            if feature not in NAMES_FOR_PERSONS and not _FUNCTION.intersection(feature):
                forms[feature].append(run)
    for word in letter_runs(without_identifiers(text)):
        if SHORTEST <= len(word) <= SUBJECT and not profile.finds_any(_NO_SUBJECT, fold(word)):
            for feature in features(word) - NAMES_FOR_PERSONS:
                forms[feature].append(word)
    return {feature: tuple(words) for feature, words in forms.items()}


def _is_name(feature: str, texts: Sequence[str]) -> bool:
    """Whether the word is always written with a capital letter, and once at least where no sentence begins."""
    forms = {form for text in texts for form in _heading_words(text)[feature]}
    inside = {word for text in texts for word in _INSIDE.findall(text)}
    return all(form[0].isupper() for form in forms) and not forms.isdisjoint(inside)


def _spelling_of(feature: str, texts: Sequence[str]) -> str:
    """The most frequent spelling of a word; in Chinese, the longest common text around the two characters."""
    words = [_heading_words(text)[feature] for text in texts]
    if han_runs(feature):
        return _shared_run(feature, words)
    counts = Counter(word.lower() for group in words for word in group)
    common = min(counts, key=lambda form: (-counts[form], len(form), form))
    written = Counter(word for group in words for word in group if word.lower() == common)
    word = min(written, key=lambda form: (-written[form], form))
    return word[:1].upper() + word[1:] if word.islower() else word


def _shared_run(pair: str, groups: Sequence[Sequence[str]]) -> str:
    runs = [[(fold(run), run) for run in group] for group in groups]
    plain, written = runs[0][0]
    start = plain.find(pair)
    best = written[start : start + 2]
    for length in range(3, LONGEST_HAN + 1):
        for first in range(max(0, start + 2 - length), min(start, len(plain) - length) + 1):
            piece = plain[first : first + length]
            if all(any(piece in other for other, _ in group) for group in runs):
                best = written[first : first + length]
                break
    return best
