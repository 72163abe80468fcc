"""The names of entities: which one a mention belongs to, and which may be the same."""

import hashlib
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from unicodedata import normalize

from pipeline.language.folding import flat
from pipeline.language.stems import of as stem_of
from pipeline.markdown.yaml_front import front_lines, yaml_fields

_DIGITS = 8
_PLAIN = re.compile(r"[^\W_]|[-_ ]")
_INSIDE = re.compile(r"(?<=[^\W_])[.'’](?=[^\W_])")  # noqa: RUF001
PAGES = "bank/entities/*.md"
"""The pages of entities, as a pattern; their front matter is people's."""


@dataclass(frozen=True)
class EntityNames:
    """The entities by their names. `aliases` has the name of an entity by each of its others; both in one form."""

    aliases: Mapping[str, str] = field(default_factory=dict)
    written: Mapping[str, str] = field(default_factory=dict)

    def name_of(self, mention: str) -> str:
        """The name of the entity that a mention belongs to; the mention itself when nobody gave it another."""
        key = same_name(mention)
        seen = {key}
        while key in self.aliases and self.aliases[key] not in seen:
            key = self.aliases[key]
            seen.add(key)
        return self.written.get(key, mention if key == same_name(mention) else key)

    def of(self, mentions: Iterable[str]) -> tuple[str, ...]:
        """The names of the entities of some mentions, each once."""
        return tuple(dict.fromkeys(map(self.name_of, mentions)))


@dataclass(frozen=True)
class PageNames:
    """What a page says of its entity in its front matter; without a `name`, which is then not `stated`, its file's."""

    path: str
    name: str
    aliases: tuple[str, ...]
    kind: str
    stated: bool


def same_name(name: str) -> str:
    """A name without its case and its kind of width and of hyphens; accents stay: Kasia is not Kąsia."""
    return normalize("NFKC", name.removeprefix("@")).casefold().replace("_", "-").replace(" ", "-")


def page_of(name: str) -> str:
    """The words of which the name of an entity's page is made; `page_name` makes the file's name of them.

    With a hash where it would lose marks by which names differ: C++ is not C#.
    """
    plain = normalize("NFKC", name.removeprefix("@")).strip()
    if all(_PLAIN.fullmatch(mark) for mark in _INSIDE.sub("-", plain)):
        return plain
    return f"{plain}-{hashlib.sha256(same_name(name).encode(errors='surrogatepass')).hexdigest()[:_DIGITS]}"


def names_in(pages: Iterable[tuple[str, str]]) -> EntityNames:
    """The names that people gave in the front matter of pages, each a path with a text: `name` and `aliases`.

    An alias that two pages claim belongs to neither. A page without a `name` is called as its file is, unless that is
    an alias on another page.
    """
    every = [names_of(path, text) for path, text in pages]
    taken = {same_name(alias) for page in every for alias in page.aliases}
    given = (
        (page.name, alias)
        for page in every
        for alias in (*([page.name] if page.stated or same_name(page.name) not in taken else ()), *page.aliases)
    )
    claims = [(same_name(name), same_name(alias), name) for name, alias in given]
    owners: dict[str, set[str]] = {}
    for owner, alias, _ in claims:
        owners.setdefault(alias, set()).add(owner)
    aliases = {alias: owner for owner, alias, _ in claims if alias != owner and len(owners[alias]) == 1}
    return EntityNames(aliases, {owner: name for owner, _, name in claims})


def names_of(path: str, text: str) -> PageNames:
    """The names that a page gives."""
    fields = yaml_fields("\n".join(front_lines(text.splitlines()))) or {}
    aliases = fields.get("aliases") or []
    listed = aliases if isinstance(aliases, list) else [aliases]
    return PageNames(
        path=path,
        name=str(fields.get("name") or "") or path.rpartition("/")[2].removesuffix(".md"),
        aliases=tuple(str(alias) for alias in listed if str(alias).strip()),
        kind=str(fields.get("kind") or ""),
        stated=bool(fields.get("name")),
    )


def alike(names: Sequence[str]) -> list[tuple[str, str]]:
    """Pairs of names that may be one entity's: alike without accents, or in their stems. The first was there before."""
    pairs, first = list[tuple[str, str]](), dict[str, str]()
    for name in names:
        for key in dict.fromkeys([flat(same_name(name)), _stems(name)]):
            other = first.setdefault(key, name)
            if same_name(other) != same_name(name) and (other, name) not in pairs:
                pairs.append((other, name))
    return pairs


def _stems(name: str) -> str:
    return "-".join(stem_of(part) for part in flat(same_name(name)).split("-"))


def front_of(name: str, aliases: Sequence[str]) -> str:
    """The front matter that gives an entity its names, as people have it: no mark of ours."""
    fields = {"name": name, "aliases": list(aliases)}
    lines = (f"{field}: {json.dumps(value, ensure_ascii=False)}" for field, value in fields.items())
    return "\n".join(["---", *lines, "---", ""])
