"""Which language a message is in: its script, then its closed-class words."""

import re
from functools import lru_cache

from jobs.extraction.chinese import CHINESE
from jobs.extraction.cues import cues
from jobs.extraction.english import ENGLISH
from jobs.extraction.polish import POLISH
from jobs.extraction.profile import Profile
from jobs.extraction.text import fold

_HAN = re.compile(r"[\u3400-\u9fff]")
_LATIN = re.compile(r"[^\W\d_]{2,}")
_POLISH_SOUND = re.compile("cz|sz|rz|dz|uje|owa(?=[^r]|$)|emy$|amy$|ego$|ych$")
_POLISH_LETTER = re.compile("[ąćęłńśźżĄĆĘŁŃŚŹŻ]")
_POLISH_WORDS = frozenset(
    cues(
        "nie; sie; na; ze; jest; tak; jak; ale; co; czy; dla; od; po; za; juz; tylko; bo; przy; tez; jeszcze",
        "moze; mam; ma; mi; ja; ty; wiec; bez; albo; zeby; kiedy; teraz; dobra; dobrze; bedzie; beda; jestem",
        "mamy; byl; byla; bylo; sa; te; ta; tego; tej; tym; czyli; oraz; pod; nad; przez",
    )
)
_ENGLISH_WORDS = frozenset(
    cues(
        "the; an; is; are; was; be; of; and; in; that; it; for; with; as; at; this; not; but; or; we; you; he",
        "she; our; your; its; from; have; has; does; will; would; can; yes; so; if; then; what; all; only; just",
        "let; use; keep; never; always",
    )
)


@lru_cache(maxsize=1024)
def detect(text: str) -> Profile | None:
    """The language of `text`, or `None` when nothing in it tells."""
    if len(_HAN.findall(text)) * 2 >= max(1, len(_LATIN.findall(text))):
        return CHINESE if _HAN.search(text) else None
    words = _LATIN.findall(fold(text))
    polish = sum(word in _POLISH_WORDS for word in words) + 2 * len(_POLISH_LETTER.findall(text))
    polish += sum(_POLISH_SOUND.search(word) is not None for word in words)
    english = sum(word in _ENGLISH_WORDS for word in words)
    if polish == english:
        return None
    return POLISH if polish > english else ENGLISH


def profiles(texts: list[str]) -> list[Profile]:
    """The language of each message; one that does not tell takes that of the nearest before it, else of the next."""
    found = [detect(text) for text in texts]
    fallback = next((profile for profile in found if profile), ENGLISH)
    result = []
    for profile in found:
        fallback = profile or fallback
        result.append(fallback)
    return result
