"""The words of a person among what the program wrote into the same record."""

from pipeline.adapters.sources.speakers.typed import typed_words
from schemas.transcript import Origin
from tests.support.tables import table


@table(
    ("parts", "origin", "words"),
    [
        (["one", "two"], Origin.OWNER, ["one", "two"]),
        (["<date>today</date>\none"], Origin.OWNER, ["one"]),
        (["[notice] x", "one"], Origin.OWNER, ["one"]),
        (["[notice] x"], Origin.MACHINE, ["[notice] x"]),
        (["<recalled-memories>tea</recalled-memories>"], Origin.MEMORY, ["<recalled-memories>tea</recalled-memories>"]),
        ([], Origin.MACHINE, []),
    ],
)
def test_a_record_is_the_persons_when_words_are_left(parts: list[str], origin: Origin, words: list[str]) -> None:
    """Injected blocks and the program's own parts are cut; with nothing left the record is theirs, as it stands."""
    assert (origin, words) == typed_words(parts, lambda text: text.startswith("[notice]"))
