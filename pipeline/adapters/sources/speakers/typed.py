"""The words that a person typed, in an agent whose program writes into the same record."""

from collections.abc import Callable, Sequence

from pipeline.adapters.sources.speakers.injections import bare, without_injections
from schemas.transcript import Origin


def typed_words(parts: Sequence[str], is_program: Callable[[str], bool] = lambda _: False) -> tuple[Origin, list[str]]:
    """The words of a person in a record's parts, and whose the record is; without such words the parts stay.

    `is_program` recognizes a part that the agent's program wrote, by its first words.
    """
    origin, words = Origin.MACHINE, []
    for part in parts:
        text, cut = without_injections(part, any_tag=True)
        if text.strip() and not is_program(bare(text)):
            words.append(text)
        elif cut is Origin.MEMORY:
            origin = cut
    return (Origin.OWNER, words) if words else (origin, list(parts))
