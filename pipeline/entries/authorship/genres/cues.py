"""The cues of one language for texts that are pasted without marks: tickets, recipes, minutes, notes."""

from dataclasses import dataclass

from pipeline.language.cues import Cues


@dataclass(frozen=True)
class Genres:
    """The cues of one language, as regular-expression fragments over folded text; see `Wording`."""

    bounded: bool
    # Records: the heading of a ticket or of minutes, before a colon; its author; the names of minutes and of their
    # owners.
    field: Cues
    person: Cues
    minutes: Cues
    # Titled texts: the nouns of a title, a title's own verb or speaker, and the words with which the body addresses a
    # reader.
    title: Cues
    sentence: Cues
    handles: Cues
    bids: Cues
    offers: Cues
    measure: Cues
    myself: Cues
    # Attributions: the carrier of a text and its verb, the person asked, the forms of persons and channels.
    posted: Cues
    placed: Cues
    carrier: Cues
    where: Cues
    asked: Cues
    thus: Cues
    sent_by: Cues
    channel: Cues
    acted: Cues
    acclaimed: Cues
    votes: Cues
    group: Cues
    # What the owner says of the own work, or has to do for others, or wants to be done with what was settled.
    busy: Cues
    errand: Cues
    task: Cues
