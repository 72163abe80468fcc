"""The lexicon of a language for summaries, beside the profile of the extraction: cues by their function."""

import re
from dataclasses import dataclass, fields
from functools import cached_property

from pipeline.language.cues import Cues
from pipeline.language.detection import Language


@dataclass(frozen=True)
class Lexicon:
    """The cue words of one language, as regular-expression fragments over folded text (see `language.folding.fold`).

    Each field after `assistant` is a class of words with one function; `finds` takes its name. `bounded` says that
    words are separated by spaces. Classes in `_OPENERS` only count at the start of a sentence or of a clause.
    """

    code: Language
    bounded: bool
    owner: str
    assistant: str
    # Deeds.
    promise: Cues
    looks: Cues
    begun: Cues
    done: Cues
    noted: Cues
    duty: Cues
    wanted: Cues
    # When.
    near: Cues
    dated: Cues
    # What stays open.
    postponed: Cues
    undecided: Cues
    undone: Cues
    yours: Cues
    depends: Cues
    left: Cues
    dropped: Cues
    # What was found out.
    fault: Cues
    cause: Cues
    finding: Cues
    # What is no news.
    hollow: Cues
    letter: Cues
    recalled: Cues
    pointing: Cues
    interjection: Cues

    def finds(self, function: str, folded: str) -> bool:
        """Whether a word with this function stands in the folded text."""
        return self._patterns[function].search(folded) is not None

    def trimmed(self, text: str, folded: str) -> str:
        """`text` without the interjections it opens with; `folded` is the same text folded."""
        opening = self._patterns["interjection"].match(folded)
        rest = text[opening.end() :].lstrip(" ,.!-\N{EN DASH}\N{FULLWIDTH COMMA}") if opening else text
        return rest if any(character.isalnum() for character in rest) else text

    @cached_property
    def _patterns(self) -> dict[str, re.Pattern[str]]:
        names = [field.name for field in fields(self) if field.name not in _PLAIN]
        return {name: self._compiled(name) for name in names}

    def _compiled(self, name: str) -> re.Pattern[str]:
        body = "|".join(getattr(self, name)) or "(?!)"
        if name == "interjection":
            edge = r"(?!\w)" if self.bounded else ""
            return re.compile(rf"\W*(?:(?:{body}){edge}\W*)+")
        start = _CLAUSE_START if name in _OPENERS else ""
        return re.compile(rf"{start}(?<!\w)(?:{body})(?!\w)" if self.bounded else f"{start}(?:{body})")


_PLAIN = frozenset({"code", "bounded", "owner", "assistant"})
_OPENERS = frozenset({"begun", "noted", "letter", "depends"})
_CLAUSE_START = "(?:^|[,;:\N{FULLWIDTH COMMA}\N{FULLWIDTH COLON}]|\N{EN DASH})\\W*"
