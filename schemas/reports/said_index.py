"""The report on the index of what was said, in a module of its own: a search loads it."""

from dataclasses import dataclass


@dataclass(frozen=True)
class SaidIndexReport:
    """The index of what was said: `fresh`, `behind`, `none` or `unusable` because of an `error`.

    It has so many `messages` of so many `sessions`. `behind` is how many sessions came, changed or went since;
    `source_gone` is how many have no transcript any more and are found by what was kept. `owed` says that words of
    messages that are gone stand in its files yet, though nothing finds them; `erase` is the command that erases these.
    """

    said: str
    sessions: int = 0
    messages: int = 0
    behind: int = 0
    source_gone: int = 0
    owed: bool = False
    erase: str | None = None
    error: str | None = None

    @property
    def sentence(self) -> str:
        """The state of the index, without what it owes."""
        parts = [f"{self.messages} message(s) of {self.sessions} session(s)"]
        if self.said == "none":
            parts = ["there is none yet"]
        parts += [f"the transcripts of {self.source_gone} are gone"] if self.source_gone else []
        parts += [f"{self.behind} session(s) to take in"] if self.behind else []
        return self.error or ", ".join(parts)
