"""The tier of a file. Light to import: all that opens a workspace needs it."""

from enum import StrEnum


class Tier(StrEnum):
    """The tier of a file, by its path.

    Two are no files: `detail` is a text of the store, and `said` what was said in transcripts.
    """

    HOT = "hot"
    WARM = "warm"
    COLD = "cold"
    RESEARCH = "research"
    ARCHIVE = "archive"
    DETAIL = "detail"
    SAID = "said"
