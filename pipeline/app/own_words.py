"""Words of a person in place of those of a suggestion."""

from pipeline.agents.journal import one_line
from pipeline.app.redaction import open_redactor
from pipeline.engine.context import Engine
from pipeline.errors.agents import NothingToChange
from pipeline.ledger.suggestions import KeptSuggestion
from pipeline.reports.suggestions import may_edit
from schemas.memory_change import LONGEST
from schemas.suggestion import NewEntry, ProposedCorrection, StandingEntry


def own_words(engine: Engine, suggestion: KeptSuggestion, text: str) -> str:
    """The words on one line, without secrets.

    Raises:
        NothingToChange: there are no words, too many, or the suggestion has none that could be others.
    """
    if not may_edit(suggestion):
        message = "This has no words of its own: accept it or decline it."
        raise NothingToChange(message)
    words = one_line(open_redactor(engine.settings).redact(text))
    if not any(character.isalnum() for character in words):
        message = "There are no words, so nothing was decided."
        raise NothingToChange(message)
    if len(words) > LONGEST and not isinstance(suggestion.about, NewEntry | ProposedCorrection | StandingEntry):
        message = f"This is too long to be one thing to remember: say one thing, in at most {LONGEST} characters."
        raise NothingToChange(message)
    return words
