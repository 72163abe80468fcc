"""Whether a clause speaks of what was or of what will be, where its words say so."""

import re
from enum import Enum, auto


class Tense(Enum):
    """The time of a clause."""

    PAST = auto()
    FUTURE = auto()


_FUTURE = re.compile(
    r"\b(?:will|shall|going to|gonna|won't|plan(?:s|ning)? to|"
    r"bed[ea]|bedzie(?:my|cie|sz)?|zamierza\w{0,3}|planuj\w{0,3}|mam zamiar)\b|'ll\b|"
    r"将|(?<![开社机协聚约晚体都误学])会(?![议员计])|要(?!求)|打算|计划|准备|预计"
)
# Verbs of plans and promises tell when they were made, and not when the thing is.
_NO_PAST = (
    "scheduled|planned|expected|supposed|needed|required|based|hundred|limited|booked|reserved|promised|announced|"
    "confirmed|offered|requested|ordered|invited|proposed|suggested|postponed|rescheduled|pushed|shifted|embed"
)
_PAST = re.compile(
    r"\b(?:was|were|did|didn't|had|went|came|met|saw|got|took|made|began|bought|sent|wrote|left|ran|spoke|flew|slept|"
    rf"ate|drove|spent|(?!{_NO_PAST})[a-z]{{2,12}}(?<!e)ed|byl[aioy]?|mial[aioy]?|mieli|"
    r"\w{2,20}(?:l[ae]m|[ial]ismy|alysmy|ilysmy)|posz(?:edl|la|li)|przysz(?:edl|la|li)|pojechal\w{0,3}|"
    r"przyjechal\w{0,3}|wrocil\w{0,3}|spotkal\w{0,3}|zrobil[aioy]?|napisal[aioy]?|kupil[aioy]?|wyslal[aioy]?|"
    r"ustalil[aioy]?|wdrozyl[aioy]?|dzialo|odbyl[aioy]?)\b|了|过(?![去程年])|曾"
)
# A promise was made, and what it is about lies ahead: "agreed to ship on Friday".
_OPEN = re.compile(
    r"\b(?:to(?! the| our| my| a )|should|must|can|could|would|may|is|are|musi\w{0,3}|trzeba|nalezy|ma(?:m|ja)?|"
    r"if|jesli|jezeli)\b|'s\b|'re\b|应该|如果"
)


def tense_of(clause: str) -> Tense | None:
    """The tense of a clause of a plain text; nothing when its words do not say it, or say both."""
    if _FUTURE.search(clause):
        return None if _PAST.search(clause) else Tense.FUTURE
    return Tense.PAST if _PAST.search(clause) and not _OPEN.search(clause) else None
