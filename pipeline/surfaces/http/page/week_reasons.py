"""The reasons of a week's plan in the reader's language, as far as they are fixed words; others stay as they are."""

import re
from collections.abc import Mapping

from pipeline.surfaces.http.page.texts import DEFAULT, texts_of

_GROUP = "hot.reasons"
_WHOLE = re.compile(
    r"score (?P<score>\d\.\d\d)(?:: (?P<signals>[^;]+))?; "
    r"(?:(?P<place>under \"(?:[^\"\\]|\\.)*\" since \S+|into \S+), )?because (?P<why>.+)"
)
_SIGNALS = {
    "lasting": r"its words say that it lasts",
    "said": r"said (?P<times>\d+) times on (?P<days>\d+) days?",
    "returns": r"came up on (?P<days>\d+) later days?",
    "age": r"(?P<days>\d+) days? old",
    "changes": r"it replaces an earlier entry",
    "soon": r"it is over soon",
    "opinion": r"a model gives it (?P<number>\d\.\d\d)",
}
_PLACES = {
    "under": r"under \"(?P<subject>.*)\" since (?P<week>\S+)",
    "into": r"into (?P<name>\S+)",
}
_WHY = {
    "gone": r"it is gone from the daily files",
    "doubted": r"it does not verify",
    "waits": r"it waits for a person's decision: `memory suggestions`",
    "archived": r"a person archived it",
    "taken_out": r"a person took it out of (?P<page>\S+)",
    "aged": r"it has aged: less than (?P<score>\d\.\d\d) is left of its score",
    "below": r"its score is below (?P<score>\d\.\d\d)",
    "still": r"its score is still (?P<score>\d\.\d\d) or more",
    "enough": r"its score is (?P<score>\d\.\d\d) or more",
    "again": r"(?P<name>\S+) says it again",
    "heir": r"it takes the place of (?P<name>\S+)",
    "same": r"it says the same",
    "goal": r"it is a goal, and no fact",
    "ended": r"its last day is over",
    "replaced": r"that took its place on (?P<day>\d{4}-\d\d-\d\d)",
}
_CONFIDENCE = re.compile(r"confidence (?P<number>\d\.\d\d)")


def week_reason(reason: str, language: str) -> str:
    """The reason in a language; as it stands where a part of it has other words."""
    whole = _WHOLE.fullmatch(reason)
    if language == DEFAULT or whole is None:
        return reason
    texts = texts_of(language)
    signals = [_signal_in_words(signal, texts) for signal in (whole["signals"] or "").split(", ") if signal]
    parts = [
        texts[f"{_GROUP}.score"].format(score=whole["score"]),
        *signals,
        *([_fill_pattern(_PLACES, whole["place"], texts)] if whole["place"] else []),
        _fill_pattern(_WHY, whole["why"], texts),
    ]
    return "; ".join(parts) if all(parts) else reason


_PLAIN = {"said": "times", "returns": "returns", "lasting": "lasting", "changes": "changes"}
"""The signals that a margin tells, each with its text."""


def plain_reason(reason: str, language: str) -> str:
    """The signals of a reason that a person cares for; empty where the reason is not as ours are."""
    whole = _WHOLE.fullmatch(reason)
    if whole is None or not whole["signals"]:
        return ""
    texts, signals = texts_of(language), whole["signals"].split(", ")
    known = {name: next(filter(None, (re.fullmatch(_SIGNALS[name], one) for one in signals)), None) for name in _PLAIN}
    parts = [texts[f"{_GROUP}.{_PLAIN[name]}"].format(**match.groupdict()) for name, match in known.items() if match]
    return ", ".join(parts if known["said"] else [texts[f"{_GROUP}.once"], *parts])


def _signal_in_words(text: str, texts: Mapping[str, str]) -> str:
    if sure := _CONFIDENCE.fullmatch(text):
        return texts["page.confidence"].format(number=sure["number"])
    named = texts.get(f"page.kinds.{text}") or texts.get(f"page.trusts.{text}")
    return named or _fill_pattern(_SIGNALS, text, texts)


def _fill_pattern(patterns: Mapping[str, str], text: str, texts: Mapping[str, str]) -> str:
    """Fill the text of the first pattern that fits with the groups of its match; empty when no pattern fits."""
    for name, pattern in patterns.items():
        if match := re.fullmatch(pattern, text):
            return texts[f"{_GROUP}.{name}"].format(**match.groupdict())
    return ""
