"""Lines of a text by words that stand in them, without a look at all others."""

from collections.abc import Iterable, Iterator


def spans_with(text: str, words: Iterable[str]) -> dict[int, int]:
    """The beginnings of the lines in which one of the words stands, in any order, and their ends."""
    spans = dict[int, int]()
    for word in words:
        place = text.find(word)
        while place >= 0:
            start, end = text.rfind("\n", 0, place) + 1, text.find("\n", place)
            spans[start] = end if end >= 0 else len(text)
            place = text.find(word, spans[start])
    return spans


def numbered(text: str, spans: dict[int, int], first: int = 1) -> Iterator[tuple[int, int, int]]:
    """The beginnings, the ends and the numbers of lines, in order; `first` is the number of the first of the text."""
    number, counted = first, 0
    for start, end in sorted(spans.items()):
        number += text.count("\n", counted, start)
        counted = start
        yield start, end, number
