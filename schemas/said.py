"""Messages of transcripts that were found, each with its place, its time and its neighbours."""

from typing import Literal

from pydantic import AwareDatetime

from schemas.base import Value

Speaker = Literal["owner", "assistant", "summary"]
"""The speaker of a message; `summary` is an agent's summary of earlier messages: its note, not a person's words."""

ADDRESS = "said:"
"""The beginning of the address of a message: `said:SESSION#41`, or `said:SESSION#41-43`."""


TAKEN_BACK = "taken_back"
"""The status of an entry that an undo took out."""


class CitedWords(Value):
    """Cited words, and the state of the memory about them.

    `entry_ids` are the entries and facts of these words that hold no more, and `status` is theirs: `superseded`,
    `archived` or `in_review`. All three are empty where the memory knows nothing against the words. `superseded_by` are
    the entries and facts in force that took their place, and `now` is what these say. `in_part` means that the rest of
    the words still holds.
    """

    entry_ids: tuple[str, ...] = ()
    status: str = ""
    in_part: bool = False
    superseded_by: tuple[str, ...] = ()
    now: str = ""


class SaidMessage(CitedWords):
    """A neighbour of a found message. Of a long message `text` is a part; `number` counts as in a hit."""

    number: int
    time: AwareDatetime
    speaker: Speaker
    text: str


class SaidHit(CitedWords):
    """A found message, as in its transcript, with secrets masked. It is cited, and not believed.

    `at` is its address. `message_range` are the numbers of its first and its last message, as `memory show transcript`
    counts them; `number`, `time`, at the owner's local time, and `speaker` are those of the message that answers best,
    and `snippet` is the part of it that answers, on one line. `text` is what was said, or the part of a long message
    that was found; of several messages each begins with its speaker, and `…` stands where something is left out.
    `before` and `after` are the neighbours, shortened; behind words of the owner `after` is the part of their answer
    that says most of the question. `project` is that of the message. `terms` are the words of the question that it has.
    `also` are the addresses of copies of the message in other sessions. `score` only orders the hits of this list.
    `trust` is `agent's note` of a summary, which tells again what others said, and else empty.
    `source_gone` says that its transcript is gone, and that it is read from what the workspace keeps.
    """

    at: str
    session_id: str
    session_path: str
    message_range: tuple[int, int]
    number: int
    time: AwareDatetime
    speaker: Speaker
    text: str
    snippet: str
    score: float
    trust: str = ""
    agent: str = ""
    project: str = ""
    before: SaidMessage | None = None
    after: SaidMessage | None = None
    terms: tuple[str, ...] = ()
    also: tuple[str, ...] = ()
    source_gone: bool = False


class SaidPage(Value):
    """Some messages of a session, and those before and after them, in order. `text` is all of them, as people read it.

    `at` is the address, and `message_range` are the numbers, of those that were asked for; `project` is that of the
    first of them, and `source_gone` is as in a hit.
    """

    at: str
    session_id: str
    session_path: str
    message_range: tuple[int, int]
    agent: str = ""
    project: str = ""
    messages: tuple[SaidMessage, ...]
    text: str
    source_gone: bool = False
