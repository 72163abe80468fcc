"""The cues of one language for texts that are pasted without marks: tickets, recipes, minutes, notes."""

from dataclasses import dataclass

from pipeline.language.cues import Cues


@dataclass(frozen=True)
class Genres:
    """The cues of one language, as regular-expression fragments over folded text; see `Wording`."""

    bounded: bool
    # Records: what heads a ticket or minutes, before a colon; who made it; what names minutes and whose they are.
    field: Cues
    person: Cues
    minutes: Cues
    # Titled texts: what a title names, a title's own verb or speaker, and how the body speaks to whoever reads it.
    title: Cues
    sentence: Cues
    handles: Cues
    bids: Cues
    offers: Cues
    measure: Cues
    myself: Cues
    # Attributions: what carries a text and how it is there, who was asked, how a person and a channel are named.
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
