"""The page of a subject: what holds, how it came about, facts, stored outputs, and where all of it was said."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from jobs.article.subjects import ArticleEntry, Subject, noted_entries, subjects
from jobs.bank.known import KnownFacts, digest, order, read_known
from jobs.bank.page import BankPage
from jobs.wrapup.line_text import citation, inline, link
from pipeline.drafts import Draft, ItemDraft
from pipeline.entries.reference import item_name, reference
from pipeline.facts.standing import StandingFact
from pipeline.job import Run
from pipeline.language.folding import folded_words
from schemas.entry import NOT_STATED
from schemas.fact import FactWord

_UP = "../../"
_DIGITS = 8
_MOST = 50  # lines of a section: the newest
_LONGEST = 300  # characters of a quote, or of a reason
_WORD = 30  # letters: a longer one is cut
_LEAD = 24  # letters: "New rule:" in front of what was settled says no more
_OUTPUT = re.compile(
    r"\[MemoryRef: (?P<key>(?:cmd|json|csv|log|code|diff|text)_[^\W_]+(?:-[^\W_]+)*_[0-9a-f]{10,64})"
    r" - (?P<description>[^\[\]\n]*)\]"
)
"""A placeholder of the store; the key is that of `pipeline.details.placeholder`."""


@dataclass(frozen=True)
class Article:
    """A subject with its page, and the entries and facts on it that no person took out, in the order of time."""

    subject: Subject
    page: BankPage
    entries: tuple[ArticleEntry, ...]
    facts: tuple[StandingFact, ...]


def articles(run: Run) -> list[Draft]:
    """The items of the articles. An entity whose own page says as much has none."""
    known, noted = read_known(run), noted_entries(run.inputs.entries)
    made = list[Article]()
    for subject in subjects(known, noted, run.inputs.by_people):
        page = BankPage(known, f"article {subject.key}", subject.key, _UP)
        linked = [one for one in noted.with_linked(subject.entries) if not page.lacks(item_name(one.entry.id))]
        entries = tuple(linked[place] for place in _newest([one.holds for one in linked]))
        standings = [one for one in subject.facts if not page.lacks(one.fact.id)]
        standings.sort(key=lambda one: order(one.fact))
        facts = tuple(standings[place] for place in _newest([one.holds for one in standings]))
        made.append(Article(subject, page, entries, facts))
    return [item for article in made if _says_more(known, article) for item in _items(article)]


def _newest(holding: Sequence[bool]) -> list[int]:
    """The places of the newest of what holds, and of what holds no more."""
    standing = [place for place, holds in enumerate(holding) if holds]
    gone = [place for place, holds in enumerate(holding) if not holds]
    return sorted([*standing[-_MOST:], *gone[-_MOST:]])


def _says_more(known: KnownFacts, article: Article) -> bool:
    """Whether something holds, and the page of the entity has not all of it: a reason, what was said, what changed."""
    if not any(entry.holds for entry in article.entries):
        return False
    entity = known.entities.get(article.subject.key)
    if entity is None or not entity.known:
        return True
    named = {entry.entry.id for entry in article.subject.entries}
    return any(entry.entry.id not in named or not entry.holds or _tells_more(entry) for entry in article.entries)


def _tells_more(entry: ArticleEntry) -> bool:
    """Whether its line has more than its title, which is cut where it is long."""
    return bool(_explanation(entry)) or folded_words(entry.statement) not in folded_words(entry.entry.title)


def _items(article: Article) -> list[ItemDraft]:
    page, facts = article.page, article.facts
    gone = [standing for standing in facts if not standing.holds]
    return page.under(
        f"# {inline(article.subject.name)}",
        [
            *page.with_heading("holds", "## What holds", _lines_in_force(article)),
            *page.with_heading("changes", "## How it came about", [*_change_lines(article), *page.past(gone)]),
            *page.section("facts", "## Facts", [standing.fact for standing in facts if standing.holds]),
            *page.with_heading("outputs", "## Stored outputs", _outputs(article)),
            *page.with_heading("sources", "## Sources", list(_sources(article))),
        ],
    )


def _lines_in_force(article: Article) -> list[ItemDraft]:
    """The lines in force, the newest first. A repeated line stands once, where it was said first."""
    holding = {entry.entry.id: entry for entry in article.entries if entry.holds}
    first = _said_first(holding)
    again = defaultdict[str, set[date]](set)
    for name, entry in holding.items():
        again[first[name]].add(entry.day)
    lines = [entry for name, entry in holding.items() if first[name] == name]
    return [
        article.page.item(
            item_name(entry.entry.id), "holds", _entry_line(entry, sorted(again[entry.entry.id] - {entry.day}))
        )
        for entry in reversed(lines)
    ]


def _said_first(holding: Mapping[str, ArticleEntry]) -> dict[str, str]:
    """The earliest entry that each entry, in the order of time, says again, or itself."""
    first = dict[str, str]()
    for name, entry in holding.items():
        first.setdefault(name, name)
        for later in entry.state.reinforced_by:
            if later in holding:
                first.setdefault(later, first[name])
    return first


def _entry_line(one: ArticleEntry, again: Sequence[date]) -> str:
    """The conclusion of an entry with its day and id; below it the words and the reason where they say more."""
    entry = one.entry
    said = [f"said again {', '.join(map(str, again))}"] if again else []
    first = f"- {inline(_short(one.statement))} ({'; '.join([f'{entry.kind}, {one.day}', *said, _link(one)])})"
    return "\n".join([first, *(f"  {line}" for line in _explanation(one))])


def _explanation(one: ArticleEntry) -> list[str]:
    """The quote, where it differs from the conclusion, and the reason."""
    entry, settled, said = one.entry, folded_words(one.statement), folded_words(one.entry.quote)
    same = said in settled or (settled in said and len(said) - len(settled) <= _LEAD)
    quoted = [] if same else [f'"{inline(_short(entry.quote))}"']
    why = [] if entry.why in {"", NOT_STATED} else [f"Why: {inline(_short(entry.why))}"]
    return [*quoted, *why]


def _change_lines(article: Article) -> Iterator[ItemDraft]:
    """The replaced entries, each with its replacement and the day."""
    known = {entry.entry.id: entry for entry in article.entries}
    for entry in article.entries:
        if not entry.holds:
            by = next((known[name] for name in entry.state.superseded_by if name in known), None)
            until = [f"from {entry.day} until {by.day}", f"replaced by {_link(by)}"] if by else [f"from {entry.day}"]
            text = f"- {inline(_short(entry.statement))} ({'; '.join([*until, _link(entry)])})"
            yield article.page.item(item_name(entry.entry.id), "changes", text)


def _outputs(article: Article) -> list[ItemDraft]:
    """The stored outputs that the entries name."""
    page, keys = article.page, dict[str, ItemDraft]()
    for one in article.entries:
        entry = one.entry
        for match in _OUTPUT.finditer(f"{entry.conclusion}\n{entry.quote}\n{entry.why}\n{entry.finding}"):
            key, name = match["key"], f"output-{digest(match['key'])[:_DIGITS]}"
            text = f"- `{key}`: {inline(match['description'])} ({one.day}; {_link(one)})"
            if key not in keys and not page.lacks(name):
                keys[key] = page.item(name, "outputs", text)
    return list(keys.values())


def _sources(article: Article) -> Iterator[ItemDraft]:
    """The sessions with their messages, and the files of memory in which they are noted."""
    ranges, files = defaultdict[str, set[tuple[int, int]]](set), defaultdict[str, set[str]](set)
    for entry in article.entries:
        source = entry.entry.source
        ranges[source.session_id].add(source.message_range)
        files[source.session_id].add(entry.path)
    for fact in (standing.fact for standing in article.facts):
        if fact.session_id and fact.word is not FactWord.ACCEPTED:  # of those it is the path of a file
            ranges[fact.session_id].add(fact.numbers)
            files[fact.session_id].add(fact.path)
    for session in sorted(files, key=lambda name: (min(files[name]), name)):
        name = f"session-{digest(session)[:_DIGITS]}"
        if not article.page.lacks(name):
            numbers = ", ".join(str(one) if one == last else f"{one}-{last}" for one, last in sorted(ranges[session]))
            noted = (link(path.rpartition("/")[2].removesuffix(".md"), _UP + path) for path in sorted(files[session]))
            yield article.page.item(name, "sources", f"- {citation(session, numbers)}: {', '.join(noted)}")


def _link(entry: ArticleEntry) -> str:
    return link(reference(entry.entry), _UP + entry.path)


def _short(text: str) -> str:
    """The beginning of a long text, up to the end of a word where one is near."""
    if len(text) <= _LONGEST:
        return text
    begin = text[:_LONGEST]
    words, _, rest = begin.rpartition(" ")
    return f"{words if words and len(rest) <= _WORD else begin}…"
