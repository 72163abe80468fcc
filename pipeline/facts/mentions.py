"""The entities that a text names: by a name or an alias, as whole words, whatever the case; accents stay."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from unicodedata import normalize

from pipeline.facts.names import EntityNames, same_name
from pipeline.language.folding import flat
from pipeline.language.stems import of as stem_of


@dataclass(frozen=True)
class MentionFinder:
    """Looks for names in texts. `names` are in the form of `same_name`."""

    names: frozenset[str] = frozenset()

    def named_in(self, text: str) -> list[str]:
        """Those of the names that stand in the text, in order."""
        if not self.names:
            return []
        words = _words(text)
        named = set[str]()
        for at, word in enumerate(words):
            for name, parts in self._by_first.get(word, ()):
                if words[at : at + len(parts)] == parts:
                    named.add(name)
        return sorted(named)

    @cached_property
    def _by_first(self) -> dict[str, list[tuple[str, Sequence[str]]]]:
        """The names with their words, by the first of these."""
        by_first = defaultdict[str, list[tuple[str, Sequence[str]]]](list)
        for name in self.names:
            if parts := _words(name):
                by_first[parts[0]].append((name, parts))
        return dict(by_first)


def mentions(text: str, name: str) -> bool:
    """Whether a text names an entity, in whatever form of the word; accents do not count."""
    words, parts = [[stem_of(flat(word)) for word in _words(part)] for part in (text, name.replace("-", " "))]
    return any(words[at : at + len(parts)] == parts for at in range(len(words) - len(parts) + 1)) if parts else False


def all_names(names: EntityNames) -> frozenset[str]:
    """Every name and alias of the known entities, in the form of `same_name`."""
    return frozenset({*names.written, *names.aliases} - {""})


def forms_of(names: EntityNames, mention: str) -> Collection[str]:
    """All names of the entity that a mention belongs to, itself included, in the form of `same_name`."""
    owner = same_name(names.name_of(mention))
    aliases = (alias for alias in names.aliases if same_name(names.name_of(alias)) == owner)
    return sorted({owner, same_name(mention), *aliases} - {""})


def _words(text: str) -> list[str]:
    from pipeline.entries.topics import tokens  # noqa: PLC0415 - a search without names needs none of its expressions

    return tokens(normalize("NFKC", text))
