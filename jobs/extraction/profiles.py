"""The profile of each language that is known."""

from jobs.extraction.chinese import CHINESE
from jobs.extraction.english import ENGLISH
from jobs.extraction.polish import POLISH
from jobs.extraction.profile import Profile
from pipeline.language.detection import detect

PROFILES = {profile.code: profile for profile in (ENGLISH, POLISH, CHINESE)}


def profile_of(text: str) -> Profile:
    """The profile of a text's language; the English one without evidence."""
    language = detect(text)
    return PROFILES[language] if language else ENGLISH
