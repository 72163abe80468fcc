"""The sessions of Hermes: a SQLite store a profile, and in older versions a JSON file a session."""

import re
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from pathlib import PurePosixPath

from pipeline.adapters.sources.kind import SourceKind, named_folder
from pipeline.adapters.sources.reading.assembly import Assembly, DraftMessage
from pipeline.adapters.sources.reading.files import FileSource, SourceFile, SourcePlace
from pipeline.adapters.sources.reading.records import (
    Record,
    decode_json,
    document,
    identifier,
    local_moment,
    mapping,
    moment,
    nanoseconds,
    one_line,
    since_epoch,
    texts,
    word,
)
from pipeline.adapters.sources.reading.stores import (
    Database,
    JoinedSource,
    StoredSession,
    StoreSource,
    columns_of,
    rows_of,
)
from pipeline.adapters.sources.speakers.envelopes import Words
from pipeline.adapters.sources.speakers.headers import names
from pipeline.adapters.sources.speakers.owner import Owner, tool_origin
from pipeline.adapters.sources.speakers.typed import without_injections
from schemas.transcript import Origin, Role, Session

SUMMARIES = ("[CONTEXT COMPACTION", "[CONTEXT SUMMARY]:", "[PRIOR CONTEXT")
REVIEWS = (
    "Review the conversation above and update the skill library",
    "Review the conversation above and consider saving to memory",
)
"""The program asks for a look back: the answer to it is no answer to a person."""

_MACHINE = (
    "[SYSTEM:",
    "[System:",
    "[IMPORTANT: Background",
    "[IMPORTANT: You are running as a scheduled",
    "[Your active task list",
    "[Planning state preserved",
    "[ASYNC DELEGATION",
    "[OUT-OF-BAND",
    "[Continuing toward your standing goal",
    "[Content of ",
    "Cronjob Response:",
    "You've reached the maximum number of tool-calling iterations",
)
_NOTE = re.compile(
    r"\[(?:Triggering message id:|System note:|Note:|The user (?:sent|attached) (?!a voice message))"
    r"(?:[^\]]|\](?!\n\n|\s*\Z))*+\](?:\n\n|\s*\Z)"
)
_IMAGE = re.compile(r"\[The user (?:sent|attached) an image\b[^:\n]{0,20} Here's what ")
_IMAGE_END = re.compile(r"\]\n\[If you need a closer look, use vision_analyze with [^\n]{1,2000}\](?:\n\n|\s*\Z)")
_NOTE_END = "]\n\n"
_REPLY = re.compile(r"\[Replying to\b[^\n]{0,300}?: \"")
_REPLY_END = '"]\n\n'
_SKILL = re.compile(r"\[IMPORTANT: (?:The user has invoked the |The \"[^\"\n]*\" skill is auto-loaded)")
_INSTRUCTION = "The user has provided the following instruction alongside the skill invocation: "
_AFTER = ("\n\n--- Attached Context ---", "\n\n--- Context Warnings ---", "\n\n[Runtime note:")
_BACKLOG = "\n[New message]\n"
_NAMED = re.compile(r"\[[^\]\n]{1,200}\] ")


def is_machine(text: str) -> bool:
    """Whether a text in a person's place was made by the program as a whole."""
    return text.startswith(_MACHINE) or text.startswith(REVIEWS)


def is_named(text: str) -> bool:
    """Whether a text begins with a name in brackets, as the gateway puts it before each message of a shared session."""
    return _NAMED.match(text) is not None


def extract_typed_words(text: str) -> str:
    """The words that a person typed; empty when there are none.

    A quoted message ends at its last end: its text cannot end it early and go on as the person.
    """
    text = _without_notes(text.rpartition(_BACKLOG)[2].lstrip())
    if _SKILL.match(text):
        text = text.partition(_INSTRUCTION)[2]
    for mark in _AFTER:
        text = f"\n\n{text}".partition(mark)[0].removeprefix("\n\n")
    return text.strip()


def _behind_image(text: str) -> str:
    """The text behind the last image: a model tells what it sees, and there can be any words in an image."""
    if ends := [match.end() for match in _IMAGE_END.finditer(text)]:
        return text[ends[-1] :].lstrip()
    return text.rpartition(_NOTE_END)[2].lstrip() if _NOTE_END in text else ""


def _without_notes(text: str) -> str:
    while True:
        if _IMAGE.match(text):
            text = _behind_image(text)
        elif note := _NOTE.match(text):
            text = text[note.end() :].lstrip()
        elif _REPLY.match(text):
            text = text.rpartition(_REPLY_END)[2].lstrip() if _REPLY_END in text else ""
        else:
            return text


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
        self._inherited_texts = inherited
        self._copying = bool(inherited)
        self._rows = set[tuple[Said, object]]()
        self._answers_review = False

    def take(self, number: int, record: Record) -> None:
        """Add a message: `id`, `timestamp`, `role` and `content` of the record, and what else a version has."""
        said = key_of(record)
        row = said, moment(record.get("timestamp"))
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
        elif record.get("_compressed_summary") or (parts and parts[0].lstrip().startswith(SUMMARIES)):
            self.assembly.add(DraftMessage(number, [entry_id], Role.SYSTEM, Origin.SUMMARY, parts))
        elif role == "user":
            self._add(self._request(DraftMessage(number, [entry_id], Role.USER, Origin.OWNER, parts), record), said)
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

    def _request(self, draft: DraftMessage, record: Record) -> DraftMessage:
        text = "\n".join(draft.parts).lstrip()
        self._answers_review = text.startswith(REVIEWS)
        kind = one_line(record.get("display_kind"))
        if kind and kind != "hidden":
            self.assembly.pass_over("unknown_kind", kind)
        words, cut = without_injections(text)
        words = "" if kind or is_machine(words) else extract_typed_words(words)
        if not words or is_machine(words):
            draft.origin = cut if not words and cut is Origin.MEMORY else Origin.MACHINE
            return draft
        draft.origin = Origin.OTHER if record.get("observed") else self._origin(words)
        draft.parts = [words]
        return draft

    def _origin(self, words: str) -> Origin:
        """The speaker. In a group a person is known by the ids that the owner set; a name before the words is no id."""
        if self._group and (not self._owner.has_ids or is_named(words)):
            return Origin.OTHER
        return self._owner.origin(Words(words, self._sender, group=self._group))

    def _add(self, draft: DraftMessage, said: Said) -> None:
        self._copying = self._copying and said in self._inherited_texts
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
        return texts(decode_json(content.removeprefix(_JSON)))
    return texts(content)


_REQUIRED = frozenset({"id", "session_id", "role", "content", "timestamp"})
_OPTIONAL = ("tool_name", "observed", "_compressed_summary", "display_kind")
# The largest id shows that rows were written anew at their old times; a time has no more than microseconds.
_LISTING = """
SELECT session_id AS id, count(*) AS records, max(timestamp) AS time, max(id) % 1000 AS last
FROM messages GROUP BY session_id
"""
_MESSAGES = """
SELECT id, role, timestamp, CASE role WHEN 'tool' THEN substr(content, 1, 2000) ELSE content END AS content{more}
FROM messages WHERE session_id = ? ORDER BY id
"""
_ABOUT = "SELECT * FROM sessions WHERE id = ?"

_MACHINES = frozenset({"batch", "cron", "subagent", "tool", "webhook"})
_ALONE = frozenset({"", "direct", "dm", "private"})
_CONTINUED = frozenset(
    {
        "branched", "compression", "daily", "idle", "resume_pending_expired", "session_reset", "session_switch",
        "suspended",
    }
)  # fmt: skip
"""The ends after which a session goes on in another one; any other child of a session is a sub-agent's."""


class HermesStore:
    """Hermes' sessions in a database."""

    def __init__(self, place: SourcePlace) -> None:
        self._place = place

    def tables(self) -> dict[str, frozenset[str]]:
        """The messages; what else there is depends on the version."""
        return {"messages": _REQUIRED}

    def listing(self, store: Database) -> Iterator[StoredSession]:
        """The sessions that have messages."""
        for row in rows_of(store, _LISTING):
            if session_id := identifier(row["id"]):
                last = row["last"] if isinstance(row["last"], int) else 0
                yield StoredSession(session_id, row["records"], nanoseconds(since_epoch(row["time"])) + last)

    def read(self, store: Database, session_id: str, path: str) -> Session | None:
        """A session; `None` when it has no messages."""
        about = _session_row(store, session_id)
        parent = identifier(about.get("parent_session_id"))
        reading = HermesProgress(
            Owner(self._place.settings.owner.ids),
            names(about.get("user_id")),
            _inherited_texts(store, parent),
            group=word(about.get("chat_type")).lower() not in _ALONE,
        )
        number = 0
        for number, row in enumerate(_messages(store, session_id), start=1):
            reading.take(number, row)
        if not number:
            return None
        return self._place.session(
            path,
            session_id,
            reading.assembly,
            agent=profile(self._place, path),
            project=one_line(about.get("cwd")),
            parent=parent or None,
            machine=_is_machine(store, about, parent),
        )


def profile(place: SourcePlace, path: str) -> str:
    """The profile whose folder a file is in, `profiles/<profile>/`; the first one has the home folder to itself."""
    parts = [*place.root.parts, *PurePosixPath(path).parts]
    named = [
        name
        for above, name, below in zip(parts, parts[1:], parts[2:], strict=False)
        if above == "profiles" and below in ("state.db", "sessions")
    ]
    return one_line(named[-1]) if named else "default"


def _session_row(store: Database, session_id: str) -> Record:
    known = columns_of(store, "sessions")
    return next(rows_of(store, _ABOUT, session_id), {}) if "id" in known and session_id else {}


def _messages(store: Database, session_id: str) -> Iterator[Record]:
    known = columns_of(store, "messages")
    query = _MESSAGES.format(more="".join(f", {name}" for name in _OPTIONAL if name in known))
    for row in rows_of(store, query, session_id):
        yield row | {"id": str(row["id"]), "timestamp": since_epoch(row["timestamp"])}


def _inherited_texts(store: Database, parent: str) -> frozenset[Said]:
    return frozenset(key_of(row) for row in _messages(store, parent)) if parent else frozenset()


def _is_machine(store: Database, about: Record, parent: str) -> bool:
    if about.get("source") in _MACHINES:
        return True
    setting = mapping(decode_json(word(about.get("model_config"))))
    if not parent or setting.get("_branched_from") or setting.get("_reset_from"):
        return False
    return setting.get("_delegate_from") == parent or _session_row(store, parent).get("end_reason") not in _CONTINUED


_MACHINE_PLATFORMS = frozenset({"cron", "tool"})


def parse(file: SourceFile) -> Sequence[Session]:
    """The session of a file; every message has the time at which the session began."""
    about = mapping(document(file.stream, b'"session_id"'))
    session_id, messages = identifier(about.get("session_id")), about.get("messages")
    if not session_id or not isinstance(messages, list):
        return ()
    reading = HermesProgress(Owner(file.place.settings.owner.ids), (), frozenset(), group=False)
    reading.assembly.clock = local_moment(about.get("session_start"), file.place.zone)
    for number, record in enumerate(messages, start=1):
        if isinstance(record, dict):
            reading.take(number, record)
        else:
            reading.assembly.skipped["bad_record"] += 1
    reading.assembly.skipped.pop("no_time", None)  # none has one
    session = file.place.session(
        file.path,
        session_id,
        reading.assembly,
        agent=profile(file.place, file.path),
        project=one_line(about.get("cwd")) or one_line(mapping(about.get("model_config")).get("cwd")),
        machine=word(about.get("platform")) in _MACHINE_PLATFORMS,
    )
    return (session,)


_PREFIX = "session_"
_ASIDE = frozenset(
    {
        "audio_cache", "bin", "cache", "checkpoints", "document_cache", "hermes-agent", "image_cache", "logs",
        "memories", "node_modules", "plugins", "sandboxes", "skills", "state-snapshots", "venv", ".git",
    }
)  # fmt: skip
KIND = SourceKind(
    "hermes",
    lambda place: JoinedSource(
        StoreSource(place, lambda name: name == "state.db", HermesStore(place), _ASIDE),
        FileSource(place, lambda name: name.startswith(_PREFIX) and name.endswith(".json"), parse, _ASIDE),
        lambda path: PurePosixPath(path).stem.removeprefix(_PREFIX),
    ),
    lambda home, environment: (named_folder(environment, "HERMES_HOME", home / ".hermes"),),
)
