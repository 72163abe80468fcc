"""The profile of each language that is known."""

from jobs.extraction.profile import Profile
from pipeline.language.detection import Language, detect

PROFILES = {language: Profile(language) for language in Language}


def profile_of(text: str) -> Profile:
    """The profile of a text's language; the English one without evidence."""
    language = detect(text)
    return PROFILES[language or Language.ENGLISH]
