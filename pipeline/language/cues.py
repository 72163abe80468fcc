"""The notation of lists of words: several to a line."""


def cues(*lines: str) -> tuple[str, ...]:
    """The words, or fragments of regular expressions, that stand in `lines` separated by `; `."""
    return tuple(cue for line in lines for cue in line.split("; "))
