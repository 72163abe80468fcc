"""The messages of one Hermes session, from a store or from a file."""

from collections.abc import Set as AbstractSet

from pipeline.adapters.sources.reading.assembly import Assembly, DraftMessage
from pipeline.adapters.sources.reading.records import Record, decoded, one_line, texts, word
from pipeline.adapters.sources.speakers import hermes as marks
from pipeline.adapters.sources.speakers.channels.envelopes import Words
from pipeline.adapters.sources.speakers.injections import without_injections
from pipeline.adapters.sources.speakers.owner import Owner, tool_origin
from schemas.transcript import Origin, Role

Said = tuple[str, str]
"""A side and its words, by which a copied message is recognized."""

_JSON = "\x00json:"


class HermesProgress:
    """The state of a session after the messages read so far.

    `inherited` is what the session before it holds: after a compaction, and in a branch, a session begins with copies.
    `sender` is the one person of a chat, `group` says that others are in the room.
    """

    def __init__(self, owner: Owner, sender: tuple[str, ...], inherited: AbstractSet[Said], *, group: bool) -> None:
        self.assembly = Assembly()
        self._owner = owner
        self._sender = sender
        self._group = group
        self._inherited = inherited
        self._copying = bool(inherited)
        self._rows = set[tuple[Said, object]]()
        self._answers_review = False

    def take(self, number: int, record: Record) -> None:
        """Adds a message: `id`, `timestamp`, `role` and `content` of the record, and what else a version has."""
        said = key_of(record)
        row = said, record.get("timestamp")
        if row[1] is not None and row in self._rows:  # a compaction writes the newest messages once more
            self.assembly.skipped["repeated"] += 1
            return
        self._rows.add(row)
        entry_id = self.assembly.admit(number, record, "id")
        if not entry_id:
            return
        parts = contents(record.get("content"))
        role = word(record.get("role"))
        if role == "session_meta":
            self.assembly.skipped["no_conversation"] += 1
        elif record.get("_compressed_summary") or (parts and parts[0].lstrip().startswith(marks.SUMMARIES)):
            self.assembly.add(DraftMessage(number, [entry_id], Role.SYSTEM, Origin.SUMMARY, parts))
        elif role == "user":
            self._add(self._user(DraftMessage(number, [entry_id], Role.USER, Origin.OWNER, parts), record), said)
        elif role == "assistant":
            origin = Origin.MACHINE if self._answers_review else Origin.ASSISTANT
            self._answers_review = self._answers_review and not parts
            self._add(DraftMessage(number, [entry_id], Role.ASSISTANT, origin, parts), said)
        elif role == "tool":
            origin = tool_origin(record.get("tool_name"))
            self._add(DraftMessage(number, [entry_id], Role.TOOL, origin, parts), said)
        elif role == "system":
            self._add(DraftMessage(number, [entry_id], Role.SYSTEM, Origin.MACHINE, parts), said)
        else:
            self.assembly.pass_over("unknown_role", role)

    def _user(self, draft: DraftMessage, record: Record) -> DraftMessage:
        text = "\n".join(draft.parts).lstrip()
        self._answers_review = text.startswith(marks.REVIEWS)
        kind = one_line(record.get("display_kind"))
        if kind and kind != "hidden":
            self.assembly.pass_over("unknown_kind", kind)
        words, cut = without_injections(text)
        words = "" if kind or marks.is_machine(words) else marks.typed(words)
        if not words or marks.is_machine(words):
            draft.origin = cut if not words and cut is Origin.MEMORY else Origin.MACHINE
            return draft
        draft.origin = Origin.OTHER if record.get("observed") else self._origin(words)
        draft.parts = [words]
        return draft

    def _origin(self, words: str) -> Origin:
        """In a group a person is known by the ids that the owner has set, and a name before the words is no id."""
        if self._group and (not self._owner.named or marks.is_named(words)):
            return Origin.OTHER
        return self._owner.origin(Words(words, self._sender, group=self._group))

    def _add(self, draft: DraftMessage, said: Said) -> None:
        self._copying = self._copying and said in self._inherited
        if self._copying and draft.parts:
            draft.origin = Origin.MEMORY
            self.assembly.skipped["copied"] += 1
        self.assembly.add(draft)


def key_of(record: Record) -> Said:
    """The side and the words of a message, as they stand in the store."""
    return word(record.get("role")), word(record.get("content"))


def contents(content: object) -> list[str]:
    """The texts of a content, which is a text, or blocks that the store holds as JSON behind a mark."""
    if isinstance(content, str) and content.startswith(_JSON):
        return texts(decoded(content.removeprefix(_JSON)))
    return texts(content)
