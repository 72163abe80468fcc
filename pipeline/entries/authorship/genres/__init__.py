"""Genres: the words by which a pasted text is recognised that has no mark and no colon.

The tables stand apart from those of the package for their size only; all languages are searched at once.
"""

from pipeline.entries.authorship.cues import LanguageCues
from pipeline.entries.authorship.genres.chinese import CHINESE
from pipeline.entries.authorship.genres.english import ENGLISH
from pipeline.entries.authorship.genres.polish import POLISH

GENRES = LanguageCues((ENGLISH, POLISH, CHINESE))
