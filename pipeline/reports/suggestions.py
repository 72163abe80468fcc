"""Suggestions that wait for a person, for programs, and the choice of those that a person names."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from pipeline.entries.project_names import goes_by
from pipeline.errors import UnknownSuggestion
from pipeline.facts.sections import render_fact
from pipeline.ledger.suggestions import KeptSuggestion
from pipeline.markdown.entries import render_entry
from pipeline.workspace.file_access import FileAccess
from pipeline.workspace.layout import short_names, whole_name
from schemas.entry import Trust
from schemas.extraction import WordsDoubt
from schemas.memory_change import MemoryChange, Operation
from schemas.suggestion import (
    NewEntry,
    ProposedAlias,
    ProposedChange,
    ProposedCorrection,
    ProposedFact,
    StandingEntry,
    StandingLink,
    Suggestion,
)

SHOWN = 7
"""The number of suggestions that are shown; the others are behind `--all`, or on the next part of the page."""

SHORTEST = 8  # hex digits of an id that are shown
_ASKED_FOR = 1.0  # as confidence: of what a person, an agent or a review put forward
_BESIDES = 0.5  # of facts and names, which no agent reads first


@dataclass(frozen=True)
class SuggestionFilter:
    """The choice of suggestions; an empty field does not matter. The beginning of a session's id is enough."""

    kind: str | None = None
    reason: str | None = None
    session: str | None = None
    project: str = ""

    def __bool__(self) -> bool:
        """Whether it leaves anything out."""
        return bool(self.kind or self.reason or self.session or self.project)

    def __call__(self, suggestion: Suggestion) -> bool:
        """Whether a suggestion is meant."""
        return (
            self.kind in {None, suggestion.kind}
            and self.reason in {None, suggestion.reason, suggestion.reason.partition(":")[0]}
            and suggestion.source.session_id.startswith(self.session or "")
            and goes_by(suggestion.project, self.project)
        )


def chosen(waiting: Sequence[KeptSuggestion], ids: Sequence[str], wanted: SuggestionFilter) -> list[KeptSuggestion]:
    """The suggestions of these ids, of which the beginning is enough, or without ids all that the filter keeps.

    Raises:
        NameRefused: none has such an id; several ids begin so.
    """
    if not ids:
        return [suggestion for suggestion in waiting if wanted(suggestion.shown)]
    by_id = {suggestion.id: suggestion for suggestion in waiting}
    titles = {name: suggestion.shown.title for name, suggestion in by_id.items()}
    return [by_id[name] for name in dict.fromkeys(whole_name(given, titles, UnknownSuggestion) for given in ids)]


def rank_suggestions(suggestions: Iterable[KeptSuggestion]) -> list[KeptSuggestion]:
    """The suggestions, the best first; of equal ones the newest."""
    return sorted(suggestions, key=lambda suggestion: (_worth(suggestion), suggestion.shown.date), reverse=True)


def _worth(suggestion: KeptSuggestion) -> float:
    """The worth of a suggestion: the confidence of a new entry; a thing that somebody asked for is before all.

    Words that were perhaps taken back come last, however clear they were.
    """
    about = suggestion.about
    if suggestion.reason == WordsDoubt.TAKEN_BACK:
        return 0.0
    if isinstance(about, NewEntry):
        return about.entry.confidence
    return _ASKED_FOR if isinstance(about, ProposedChange | ProposedCorrection) else _BESIDES


def short_ids(suggestions: Sequence[KeptSuggestion]) -> dict[str, str]:
    """The beginning of each id with which no other id begins."""
    return short_names((suggestion.id for suggestion in suggestions), SHORTEST)


def wait_sentence(waiting: int) -> str:
    """A sentence with the number of suggestions that wait, and the command to type."""
    wait = "1 suggestion waits" if waiting == 1 else f"{waiting} suggestions wait"
    listed = "it" if waiting == 1 else "them" if waiting <= SHOWN else f"the best {SHOWN}"
    return f"{wait} for you; `memory suggestions` lists {listed}."


def difference(suggestion: KeptSuggestion) -> list[str]:
    """The diff that accepting would write; of an entry or link that stands, the lines that declining would take out."""
    about = suggestion.about
    if isinstance(about, ProposedChange):
        return _change_lines(about.change)
    if isinstance(about, StandingEntry):
        return _mark_lines("-", render_entry(about.entry))
    if isinstance(about, StandingLink):
        return [f"-- {about.kind}: {about.target}"]
    if isinstance(about, ProposedCorrection):
        return [*_mark_lines("-", about.entry.conclusion), *_mark_lines("+", about.words_of.conclusion)]
    if isinstance(about, NewEntry):  # a person who accepts it is sure of it
        return _mark_lines("+", render_entry(about.entry.model_copy(update={"confidence": 1.0})))
    return _mark_lines(
        "+", render_fact(about.fact).partition("\n")[0] if isinstance(about, ProposedFact) else about.text
    )


def sentence_of(suggestion: KeptSuggestion) -> str:
    """The sentence that accepting would write, or that stands; empty for a line that would go."""
    about = suggestion.about
    if isinstance(about, ProposedChange):
        return about.change.text if _writes(about.change) else ""
    if isinstance(about, ProposedFact | ProposedCorrection):
        return suggestion.shown.title
    return about.text if isinstance(about, ProposedAlias) else about.entry.conclusion


def replaced_words(suggestion: KeptSuggestion) -> str:
    """The words in place of which, or after which, the sentence would hold; empty without any."""
    about = suggestion.about
    if isinstance(about, ProposedChange):
        return about.change.before or ("" if _writes(about.change) else about.change.text)
    if isinstance(about, StandingLink):
        return about.target_text
    return about.entry.conclusion if isinstance(about, ProposedCorrection) else ""


def may_edit(suggestion: KeptSuggestion) -> bool:
    """Whether it may be accepted in other words: a link, an alias, and the removal of a line have none of their own."""
    about = suggestion.about
    if isinstance(about, ProposedChange):
        return _writes(about.change)
    return isinstance(about, NewEntry | ProposedFact | ProposedCorrection | StandingEntry)


def agent_of(suggestion: KeptSuggestion) -> str:
    """The agent whose memory would change; empty for all else."""
    return suggestion.about.agent if isinstance(suggestion.about, ProposedChange) else ""


def may_see(suggestion: KeptSuggestion, access: FileAccess, stores: Collection[str]) -> bool:
    """Whether a suggestion quotes nothing of another agent: its memory, its files, or a conversation.

    `stores` are the names of the sources that are conversations in progress: what waits of them is for a person.
    """
    about = suggestion.about
    if isinstance(about, ProposedChange):
        return access.of_agent(about.agent)
    if isinstance(about, ProposedFact):
        return access(about.fact.path) if about.fact.path else access.reader is None
    return access.reader is None or suggestion.shown.source.session_path.partition(":")[0] not in stores


def word_of(suggestion: KeptSuggestion) -> str:
    """The word that a suggestion rests on, as the page of an entry, a journal or a fact says it; empty for names."""
    about = suggestion.about
    if isinstance(about, ProposedChange):
        return about.change.word.value
    if isinstance(about, NewEntry | StandingEntry | StandingLink):
        return about.entry.trust.value
    if isinstance(about, ProposedCorrection):
        return Trust.UNVERIFIED.value
    return about.fact.word.value if isinstance(about, ProposedFact) else ""


def _writes(change: MemoryChange) -> bool:
    return change.operation.adds or change.operation is Operation.UPDATE


def _change_lines(change: MemoryChange) -> list[str]:
    """The line that an agent's memory would lose, and the one that it would get."""
    if _writes(change):
        return [*_mark_lines("-", change.before), *_mark_lines("+", change.text)]
    return _mark_lines("-", change.before or change.text)


def _mark_lines(mark: str, text: str) -> list[str]:
    return [f"{mark}{line}" for line in text.splitlines()]
