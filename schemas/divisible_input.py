"""Inputs of questions that can be divided if they are too long for a model."""

from collections.abc import Sequence
from typing import Self

from schemas.base import Value


class DivisibleInput(Value):
    """The input of a question. The lists of the answers to its parts, in their order, are the answer to all of it."""

    @property
    def smallest(self) -> str:
        """The name of what is left when there are no parts, as a message to a person has it; may be empty."""
        return ""

    def render_for_question(self) -> str:
        """The input as a question shows it, between marks: as JSON where no shorter form is given."""
        return self.model_dump_json()

    def parts(self) -> Sequence[Self]:
        """Smaller inputs that together ask the same, in order; empty where nothing can be made smaller."""
        return ()


def halves(items: Sequence[object]) -> tuple[slice, ...]:
    """The places of the first and the second half of a list; empty for a list that cannot be halved."""
    middle = len(items) // 2
    return (slice(0, middle), slice(middle, len(items))) if middle else ()
