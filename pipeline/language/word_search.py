"""The places of many words in a text, found in one pass over it."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

from ahocorasick_rs import BytesAhoCorasick, Implementation

_PIECE = 1 << 16
"""Characters that are searched at once."""
_ASCII = bytes(range(128))


def foreign_signs(text: str) -> set[str]:
    """The different characters of a text outside of ASCII."""
    if text.isascii():
        return set()
    return set(text.encode(errors="surrogatepass").translate(None, _ASCII).decode(errors="surrogatepass"))


class WordSearch:
    """A search for words, of which those outside of ASCII should be few."""

    def __init__(self, words: Iterable[str]) -> None:
        """Its size grows with the letters of all words."""
        different = dict.fromkeys(words)
        self._plain = tuple(filter(str.isascii, different))
        self._others = defaultdict[str, list[str]](list)  # by a sign that is not of ASCII
        for word in different.keys() - self._plain:
            self._others[next(sign for sign in word if not sign.isascii())].append(word)
        # Of some hundred words, this form takes half a megabyte and is three times as fast as the others.
        self._longest = max(map(len, self._plain), default=0)
        self._automaton = BytesAhoCorasick([word.encode() for word in self._plain], implementation=Implementation.DFA)

    def places(self, text: str) -> Mapping[str, list[int]]:
        """For each of the words in the text the places where it begins, in order, also where it overlaps with another.

        A word that is not in the text is no key.
        """
        begins = defaultdict[str, list[int]](list)
        content = text.encode("ascii", "replace")  # of one byte for each character
        for place in range(0, len(content), _PIECE):  # the matches of a piece are in memory at once
            piece = content[place : place + _PIECE + self._longest - 1]
            for word, start, _ in self._automaton.find_matches_as_indexes(piece, overlapping=True):
                if start < _PIECE:
                    begins[self._plain[word]].append(place + start)
        for sign in foreign_signs(text) & self._others.keys():
            begins.update((word, [*_places(word, text)]) for word in self._others[sign] if word in text)
        return begins


def _places(word: str, text: str) -> Iterator[int]:
    place = text.find(word)
    while place >= 0:
        yield place
        place = text.find(word, place + 1)
