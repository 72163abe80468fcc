"""What finds room in a wake-up, and what is left out first."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from pipeline.agents.brain import PageLine, text_of

CURRENT = "section-current"
"""The name of the heading of what is worked on now."""

Count = Callable[[str], int]
"""From a text to its tokens."""


@dataclass(frozen=True)
class Waking:
    """The parts of a wake-up as text and lines; each may be empty. The identity is always given whole."""

    identity: str = ""
    brain: tuple[PageLine, ...] = ()
    context: tuple[str, ...] = ()
    memory: str = ""

    @property
    def texts(self) -> dict[str, str]:
        """The texts of the parts that are not empty, by their names in their order."""
        sentences = "\n".join(self.context)
        texts = {"identity": self.identity, "brain": text_of(self.brain), "context": sentences, "memory": self.memory}
        return {name: text for name, text in texts.items() if text}

    @property
    def text(self) -> str:
        """All parts, as they are printed."""
        return "\n\n".join(self.texts.values())


def fitted(waking: Waking, budget: int, count: Count) -> tuple[Waking, tuple[str, ...]]:
    """What fits into `budget` tokens, and what was left out, in words.

    First goes what is worked on now, then the end of the context, then the brain from its end.
    """
    now = waking
    for shorter in (_without_current, _without_sentence, _without_line):
        while count(now.text) > budget and (next_one := shorter(now)):
            now = next_one
    lines, sentences = len(waking.brain) - len(now.brain), len(waking.context) - len(now.context)
    left = {f"{lines} lines of the brain": lines, f"{sentences} sentences of the context": sentences}
    return now, tuple(words for words, number in left.items() if number)


def _without_current(waking: Waking) -> Waking | None:
    place = next((place for place, line in enumerate(waking.brain) if line.name == CURRENT), len(waking.brain))
    end = next((end for end in range(place + 1, len(waking.brain)) if waking.brain[end].heads), len(waking.brain))
    if end - place < len((CURRENT, "a line")):
        return None
    return replace(waking, brain=(*waking.brain[: end - 1], *waking.brain[end:]))


def _without_sentence(waking: Waking) -> Waking | None:
    return replace(waking, context=waking.context[:-1]) if waking.context else None


def _without_line(waking: Waking) -> Waking | None:
    last = _last_line(waking.brain)
    return replace(waking, brain=(*waking.brain[:last], *waking.brain[last + 1 :])) if last >= 0 else None


def _last_line(lines: Sequence[PageLine]) -> int:
    """The place of the last line that is no heading; -1 without one."""
    return next((place for place in reversed(range(len(lines))) if not lines[place].heads), -1)
