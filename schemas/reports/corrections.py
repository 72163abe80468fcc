"""Reports on corrections, for programs."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True)
class Forgotten:
    """The traces of an entry that was forgotten. `index` is `rebuilt`, `none` or `left`.

    `files` are those it was taken out of, or where a stand-in took the place of its id. `stand_in` is the name under
    which the entry stands in `memory/forgotten.md`: ids are made of an entry's words, so the id goes too. Places are
    `path:line`: `removed` of what went, as it stood; `reworded` of what names the stand-in now; `mentioned_in` of what
    still names the entry or says its words, because it is a person's or another entry's, or an item of ours that is
    about something else. `said_by` are the ids of other entries that say its words. `changes` and `answers` count the
    stored changes and the cached answers that held it, `suggestions` those that went with it; `logs` are the files in
    `.memory/` in which its words were overwritten, `details` the keys of the stored outputs that went. `messages` are
    those of conversations in the store in which its words were masked, as `SESSION#NUMBER`, and `summaries` counts the
    summaries of conversations that went. `also` are the ids of its corrections and of what it corrects, which went
    with it. `said` are the addresses of the messages of transcripts that no search finds any more.
    """

    entry_id: str
    stand_in: str
    files: tuple[str, ...]
    removed: tuple[str, ...]
    reworded: tuple[str, ...]
    mentioned_in: tuple[str, ...]
    said_by: tuple[str, ...]
    changes: int
    answers: int
    suggestions: int
    logs: tuple[str, ...]
    out_of_reach: tuple[str, ...]
    index: str = "none"
    details: tuple[str, ...] = ()
    messages: tuple[str, ...] = ()
    summaries: int = 0
    also: tuple[str, ...] = ()
    said: tuple[str, ...] = ()


@dataclass(frozen=True)
class CorrectedEntry:
    """A correction: the entry `id` has the words in `conclusion`, in place of those `before`, of `corrects`.

    `undo` is the command that brings the old words back. With `left` the next run writes it, for another process
    is at work, or the run failed; then there is no `id` yet.
    """

    id: str
    corrects: str
    before: str
    conclusion: str
    run_id: str
    undo: str
    paths: tuple[str, ...]
    left: bool = False


@dataclass(frozen=True)
class TracedLine:
    """A place as `path:line`, and the first line that stands there, without marks."""

    where: str
    text: str


@dataclass(frozen=True)
class TracedEntry:
    """An entry by its id, its title and its place as `path:line`."""

    id: str
    title: str
    where: str


@dataclass(frozen=True)
class TopicTraces:
    """The places at which the names of a topic stand.

    `entries` and `lines` are ours, and would go; each entry with its title. `kept` are lines that people wrote or
    changed, which stay. `waiting` counts the suggestions about it. `alike` are other words in the files that may mean
    it too: nothing with these alone would go. `details` are the stored outputs that have the names, by their keys; they
    would go. `messages` are those of conversations in the store that would be masked, as `SESSION#NUMBER`, and the
    preferences that would go, as `SESSION#preferences`. `said` are the addresses of the messages of transcripts that no
    search would find any more.
    """

    names: tuple[str, ...]
    entries: tuple[TracedEntry, ...]
    lines: tuple[TracedLine, ...]
    kept: tuple[TracedLine, ...]
    waiting: int
    alike: tuple[str, ...]
    details: tuple[str, ...] = ()
    messages: tuple[str, ...] = ()
    said: tuple[str, ...] = ()

    @property
    def empty(self) -> bool:
        """Whether nothing would go."""
        return not (self.entries or self.lines or self.waiting or self.details or self.messages or self.said)


@dataclass(frozen=True)
class ForgottenWords:
    """The traces that were forgotten of a topic, or of a line of an agent's memory.

    `entries` are the ids of the entries that went, `removed` the lines of ours as `path:line` as they stood, `reworded`
    those that stay in other words. `kept` are lines that people wrote or changed and that still have the names.
    `changes`, `answers` and `suggestions` count what held them in the ledger, `logs` are the files in `.memory/` in
    which they were overwritten, `details` the keys of the stored outputs that went. `messages` are those of
    conversations in the store that were masked, as `SESSION#NUMBER`, and `summaries` counts the summaries of
    conversations that went. `said` are the addresses of the messages of transcripts that no search finds any more.
    `index` is `rebuilt`, `none` or `left`.
    """

    names: tuple[str, ...]
    entries: tuple[str, ...]
    removed: tuple[str, ...]
    reworded: tuple[str, ...]
    kept: tuple[str, ...]
    changes: int
    answers: int
    suggestions: int
    logs: tuple[str, ...]
    out_of_reach: tuple[str, ...]
    index: str = "none"
    details: tuple[str, ...] = ()
    messages: tuple[str, ...] = ()
    summaries: int = 0
    said: tuple[str, ...] = ()


@dataclass(frozen=True)
class OwnBlock:
    """A person's text under a heading of `MEMORY.md`; see `pipeline.corrections.adopt.PersonsBlock`."""

    number: int
    level: int
    title: str
    headed: bool
    line: int
    lines: int
    characters: int
    begins: str


@dataclass(frozen=True)
class OwnBlocks:
    """The person's part of the page, and the room that it leaves. `seen` marks the page as it is."""

    path: str
    seen: str
    blocks: tuple[OwnBlock, ...]
    lines: int
    characters: int
    room_lines: int
    room_characters: int


@dataclass(frozen=True)
class MovePlanned:
    """A move of the `blocks` of these numbers before it is made, and the room that there would be."""

    seen: str
    diff: str
    blocks: tuple[int, ...]
    lines: int
    characters: int
    archive: str
    room_lines: int
    room_characters: int


@dataclass(frozen=True)
class MoveDone:
    """A move and its run; `undo` is the command that takes it back, `due` that the next run uses the room."""

    run_id: str
    undo: str
    due: bool
    blocks: tuple[int, ...]
    lines: int
    characters: int
    archive: str
    room_lines: int
    room_characters: int


@dataclass(frozen=True)
class CorrectedLink:
    """A link as an entry has it: `kind` is the line, such as `supersedes`, and `grounds` what it rests on."""

    entry: str
    kind: str
    target: str
    grounds: str


@dataclass(frozen=True)
class LinksReport:
    """A correction of links: those that went and those that came. `undo` is the command that takes it back."""

    run_id: str
    undo: str
    removed: tuple[CorrectedLink, ...]
    made: tuple[CorrectedLink, ...]
    paths: tuple[str, ...]


@dataclass(frozen=True)
class DoubtedEntry:
    """An entry that today's reading would not write: its words, when the quoted ones were said, and the reason."""

    id: str
    date: datetime
    text: str
    reason: str
    path: str


@dataclass(frozen=True)
class ReviewReport:
    """The result of a review. `unread` counts the entries whose source is gone. With a run they are suggestions now.

    `run_id`, and the command `undo` that takes the run back, are empty without `--apply`, and when nothing was listed.
    """

    run_id: str
    undo: str
    entries: tuple[DoubtedEntry, ...]
    links: tuple[CorrectedLink, ...]
    unread: int


@dataclass(frozen=True)
class DecidedSuggestions:
    """A person's decision: `decision` is `accepted` or `declined`, about the suggestions of these `ids`.

    `entries` were written to `paths`, or taken out, by the runs `run_ids`, which `memory undo` takes back. What was
    accepted and is `left`, for another process is at work, is kept, and the next run writes it.
    """

    decision: str
    ids: tuple[str, ...]
    entries: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    run_ids: tuple[str, ...] = ()
    left: bool = False
