"""The words of the pages that no person said, in each language."""

from dataclasses import dataclass

from schemas.memory_change import BrainSection


@dataclass(frozen=True)
class PageWords:
    """The headings of a page, and the words behind a line."""

    sections: dict[BrainSection, str]
    archive: str
    left_over: str
    replaced: str
    not_confirmed: str


_ENGLISH = ("User", "Preferences", "Agreements", "Current")
_POLISH = ("User", "Preferencje", "Ustalenia", "Bieżące")
_CHINESE = ("用户", "偏好", "约定", "当前")

WORDS = {
    "en": PageWords(
        dict(zip(BrainSection, _ENGLISH, strict=True)), "Archive", "Without room", "Replaced", "not confirmed"
    ),
    "pl": PageWords(
        dict(zip(BrainSection, _POLISH, strict=True)), "Archiwum", "Bez miejsca", "Zastąpione", "niepotwierdzone"
    ),
    "zh": PageWords(dict(zip(BrainSection, _CHINESE, strict=True)), "归档", "放不下的", "已被取代", "未确认"),
}
"""By the `language` of an agent's settings."""
