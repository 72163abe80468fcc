"""The sessions of OpenCode: a SQLite store, and before version 1.2 a folder of JSON files."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from pathlib import Path

from pipeline.adapters.sources.evidence import CallResult, by_status, short
from pipeline.adapters.sources.kind import SourceKind, named_folder
from pipeline.adapters.sources.reading.assembly import Assembly, DraftMessage
from pipeline.adapters.sources.reading.files import FileSource, SourceFile, SourcePlace
from pipeline.adapters.sources.reading.records import (
    Record,
    answer_text,
    blocks,
    clean,
    companion,
    decode_json,
    document,
    identifier,
    mapping,
    moment,
    nanoseconds,
    one_line,
    strings,
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
from pipeline.adapters.sources.speakers import opencode as marks
from pipeline.adapters.sources.speakers.typed import typed_words
from schemas.evidence import EvidenceKind
from schemas.transcript import Origin, Role, Session

_PARTS = frozenset(
    {
        "text", "reasoning", "tool", "file", "step-start", "step-finish", "compaction", "patch", "snapshot", "agent",
        "subtask", "retry",
    }
)  # fmt: skip
# The commands that come with the program: their whole text stands in the person's place, without a mark.
_TEMPLATES = (
    "Please analyze this codebase and create an AGENTS.md",
    "Create or update `AGENTS.md` for this repository",
    "You are a code reviewer. Your job is to review code changes",
)
_ROLES = {
    "synthetic": (Role.USER, Origin.MACHINE),
    "skill": (Role.USER, Origin.MACHINE),
    "system": (Role.SYSTEM, Origin.MACHINE),
    "shell": (Role.TOOL, Origin.TOOL),
    "compaction": (Role.SYSTEM, Origin.SUMMARY),
}
"""The side and the speaker of records that say it by their own name."""
_OUTCOMES = {"completed": True, "error": False}
_SILENT = frozenset({"agent-switched", "model-switched"})


class OpenCodeProgress:
    """The state of a session after the messages read so far.

    A fork is a session with copies of an older one's messages, at their old times: what is older than `begin`, the
    beginning of this session, counts in the session it was said in.
    """

    def __init__(self, begin: datetime | None) -> None:
        self.assembly = Assembly()
        self._begin = begin
        self._answers = 0

    def take(self, number: int, record: Record, parts: Sequence[Record]) -> None:
        """Add a message: `id`, `timestamp`, `role` and `summary` of the record, and its parts in their order.

        An answer of the owner's in a dialogue is a message of its own, with the next number.
        """
        number += self._answers
        entry_id = self.assembly.admit(number, record, "id")
        if not entry_id:
            return
        self.assembly.check(list(parts), _PARTS)
        role, ids = word(record.get("role")), [entry_id]
        typed, injected = _texts(parts, injected=False), _texts(parts, injected=True)
        if role == "user":
            words = [text for text in map(marks.extract_typed_words, typed) if text]
            origin, said = typed_words(words, lambda text: text.startswith(_TEMPLATES))
            self._add(DraftMessage(number, ids, Role.USER, origin, said or typed or injected))
        elif role == "assistant" and record.get("summary"):
            self._add(DraftMessage(number, ids, Role.SYSTEM, Origin.SUMMARY, typed))
        elif role == "assistant":
            typed += [question for part in parts for question in _questions(part)]
            origin = Origin.ASSISTANT if typed or not injected else Origin.MACHINE
            self._add(DraftMessage(number, ids, Role.ASSISTANT, origin, typed or injected))
            if not self._is_copied():
                self._note_calls(number, parts)
            self._add_answers(number, record, parts)
        elif role in _ROLES:
            self._add(DraftMessage(number, ids, *_ROLES[role], typed))
        elif role in _SILENT:
            self.assembly.skipped["no_conversation"] += 1
        else:
            self.assembly.pass_over("unknown_record", role)

    def _add_answers(self, number: int, record: Record, parts: Sequence[Record]) -> None:
        asked = [(identifier(part.get("id")), given) for part in parts if (given := _answers(part))]
        for part_id, given in asked:
            entry_id = self.assembly.admit(number + 1, {"id": part_id, "timestamp": record.get("timestamp")}, "id")
            if entry_id:
                number += 1
                self._answers += 1
                said = answer_text(choice for _, choice in given)
                self._add(DraftMessage(number, [entry_id], Role.USER, Origin.OWNER, [said]))
                for question, choice in given if not self._is_copied() else ():
                    place = self.assembly.place(number)
                    self.assembly.calls.take_act(EvidenceKind.ANSWER, place, short(choice), short(question))

    def _note_calls(self, number: int, parts: Sequence[Record]) -> None:
        calls, place = self.assembly.calls, self.assembly.place(number)
        for part in parts:
            if part.get("type") == "tool":
                state, call_id = _state(part), part.get("callID")
                calls.take_call(KIND.name, word(part.get("tool")), call_id, state.get("input"), place)
                calls.take_result(call_id, CallResult(_has_succeeded(state)))

    def _is_copied(self) -> bool:
        clock = self.assembly.clock
        return self._begin is not None and clock is not None and clock < self._begin

    def _add(self, draft: DraftMessage) -> None:
        if draft.parts and self._is_copied():
            draft.origin = Origin.MEMORY
            self.assembly.skipped["copied"] += 1
        self.assembly.add(draft)


def _texts(parts: Sequence[Record], *, injected: bool) -> list[str]:
    """The texts of a message: those that the program or a plugin put in, or the others."""
    chosen = (part for part in parts if bool(part.get("synthetic") or part.get("ignored")) is injected)
    return [text for part in chosen for text in texts([part])]


def _questions(part: Record) -> list[str]:
    asked = (
        word(question.get("question")) for question in blocks(mapping(_dialogue(part).get("input")).get("questions"))
    )
    return [clean(question) for question in asked if question.strip()]


def _answers(part: Record) -> list[tuple[str, str]]:
    """The owner's answers of a dialogue, behind their questions."""
    given, asked = mapping(_dialogue(part).get("metadata")).get("answers"), _questions(part)
    lists = given if isinstance(given, list) else []
    said = [(place, answer.strip()) for place, chosen in enumerate(lists) for answer in strings(chosen)]
    return [(asked[place] if place < len(asked) else "", answer) for place, answer in said if answer]


def _dialogue(part: Record) -> Record:
    """The state of a call of the program's tool for questions."""
    return _state(part) if part.get("type") == "tool" and part.get("tool") == "question" else {}


def _state(part: Record) -> Record:
    """The state of a call: an object in a file, and its text from a store."""
    state = part.get("state")
    return mapping(decode_json(state) if isinstance(state, str) else state)


def _has_succeeded(state: Record) -> bool | None:
    """Whether a call succeeded: by the status of a command, else by the program's mark."""
    return by_status(mapping(state.get("metadata")).get("exit"), otherwise=_OUTCOMES.get(word(state.get("status"))))


_DEPTH = 3  # folders from the one of all files to a session's


def parse(file: SourceFile) -> Sequence[Session]:
    """The session whose own file is open; its messages and parts are read beside it."""
    about = mapping(document(file.stream, b'"time"'))
    session_id, times = identifier(about.get("id")), mapping(about.get("time"))
    parents = file.location.parents
    if not session_id or not times or len(parents) < _DEPTH or parents[1].name != "session":
        return ()
    reading = OpenCodeProgress(moment(times.get("created")))
    for number, (record, parts) in enumerate(_messages(parents[2], session_id, reading.assembly.skipped), start=1):
        reading.take(number, record, parts)
    parent = one_line(about.get("parentID"))
    session = file.place.session(
        file.path,
        session_id,
        reading.assembly,
        project=one_line(about.get("directory")),
        parent=parent or None,
        machine=bool(parent),
    )
    return (session,)


def _messages(storage: Path, session_id: str, skipped: Counter[str]) -> list[tuple[Record, list[Record]]]:
    """A session's messages with their parts, by their times and then by their ids, which increase."""
    messages = []
    for record in _records(storage / "message" / session_id, skipped):
        record["timestamp"] = mapping(record.get("time")).get("created")
        record["summary"] = record.get("summary") is True
        message_id = identifier(record.get("id"))
        parts = _records(storage / "part" / message_id, skipped) if message_id.strip(".") else []
        messages.append((record, parts))
    return sorted(messages, key=lambda message: _order(message[0]))


def _records(folder: Path, skipped: Counter[str]) -> list[Record]:
    try:
        files = sorted(folder.glob("*.json"))
    except OSError:
        return []
    read = [companion(file) for file in files]
    records = [record for record in read if record]
    if bad := len(read) - len(records):
        skipped["bad_record"] += bad
    return records


def _order(record: Record) -> tuple[float, str]:
    time = moment(record["timestamp"])
    return (time.timestamp() if time else 0, identifier(record.get("id")))


_CHANGES = "SELECT session_id AS id, count(*) AS records, max({{time}}) AS time FROM {table} GROUP BY session_id"
CHANGES = {table: _CHANGES.format(table=table) for table in ("message", "session_message")}
"""By table: each session with the number of its messages and the latest value of a column that is a time."""

ABOUT = {
    "session_v2": "SELECT * FROM session_v2 WHERE id = ?",
    "session": "SELECT * FROM session WHERE id = ?",
}
"""By table, the newer one first: what the store says of a session."""

MESSAGES = """
SELECT id, time_created AS stored,
    json_extract(json, '$.time.created') AS time,
    json_extract(json, '$.role') AS role,
    json_type(json, '$.summary') AS summary
FROM (
    SELECT id, time_created, CASE WHEN json_valid(data) THEN data ELSE '{}' END AS json
    FROM message WHERE session_id = ?
)
ORDER BY time_created, id
"""

PARTS = """
SELECT message_id, id,
    json_extract(json, '$.type') AS type,
    json_extract(json, '$.tool') AS tool,
    json_extract(json, '$.callID') AS callID,
    CASE
        WHEN json_extract(json, '$.tool') = 'question' THEN json_extract(json, '$.state')
        WHEN json_extract(json, '$.type') = 'tool' THEN json_object(
            'status', json_extract(json, '$.state.status'),
            'input', json_patch(
                json_object(
                    'todos', json_extract(json, '$.state.input.todos'),
                    'command', substr(json_extract(json, '$.state.input.command'), 1, 100000),
                    'filePath', json_extract(json, '$.state.input.filePath')
                ),
                CASE  -- what is written into a file that may be one of notes
                    WHEN json_extract(json, '$.state.input.filePath') LIKE '%.md'
                    OR json_extract(json, '$.state.input.filePath') LIKE '%rules%' THEN json_object(
                        'content', substr(json_extract(json, '$.state.input.content'), 1, 100000),
                        'oldString', substr(json_extract(json, '$.state.input.oldString'), 1, 100000),
                        'newString', substr(json_extract(json, '$.state.input.newString'), 1, 100000)
                    )
                    ELSE '{}'
                END
            ),
            'metadata', json_object('exit', json_extract(json, '$.state.metadata.exit'))
        )
    END AS state,
    CASE json_extract(json, '$.type') WHEN 'text' THEN json_extract(json, '$.text') END AS text,
    json_extract(json, '$.synthetic') AS synthetic,
    json_extract(json, '$.ignored') AS ignored
FROM (
    SELECT part.id, part.message_id, CASE WHEN json_valid(part.data) THEN part.data ELSE '{}' END AS json
    FROM message JOIN part ON part.message_id = message.id
    WHERE message.session_id = ?
)
ORDER BY message_id, id
"""

RECORDS = """
SELECT id, time_created AS stored, type AS role,
    json_extract(json, '$.time.created') AS time,
    CASE type
        WHEN 'assistant' THEN NULL
        WHEN 'compaction' THEN json_extract(json, '$.summary')
        WHEN 'shell' THEN substr(json_extract(json, '$.output'), 1, 2000)
        ELSE json_extract(json, '$.text')
    END AS text
FROM (
    SELECT *, CASE WHEN json_valid(data) THEN data ELSE '{}' END AS json
    FROM session_message WHERE session_id = ?
)
ORDER BY time_created, id
"""

CONTENT = """
SELECT record.id AS message_id,
    json_extract(block.value, '$.type') AS type,
    CASE json_extract(block.value, '$.type') WHEN 'text' THEN json_extract(block.value, '$.text') END AS text,
    json_extract(block.value, '$.synthetic') AS synthetic,
    json_extract(block.value, '$.ignored') AS ignored
FROM session_message AS record,
    json_each(CASE WHEN json_valid(record.data) THEN record.data ELSE '{}' END, '$.content') AS block
WHERE record.session_id = ? AND record.type = 'assistant' AND block.type = 'object'
ORDER BY record.id, block.id
"""


_OVERLAP = timedelta(minutes=1)  # for a while some versions wrote a message into both tables, at nearly the same time


class OpenCodeStore:
    """OpenCode's sessions in a database."""

    def __init__(self, place: SourcePlace) -> None:
        self._place = place

    def tables(self) -> dict[str, frozenset[str]]:
        """No required table: each is missing in some version; a store without a table of messages has no session."""
        return {}

    def listing(self, store: Database) -> Iterator[StoredSession]:
        """The sessions with their messages; a row of a message is written again when its last part is complete."""
        listed = dict[str, StoredSession]()
        for table, query in CHANGES.items():
            columns = columns_of(store, table)
            time = "time_updated" if "time_updated" in columns else "time_created"
            for row in rows_of(store, query.format(time=time)) if columns else ():
                if session_id := identifier(row["id"]):
                    before = listed.get(session_id, StoredSession(session_id, 0, 0))
                    change = max(before.change, nanoseconds(row["time"]))
                    listed[session_id] = StoredSession(session_id, before.records + row["records"], change)
        yield from listed.values()

    def read(self, store: Database, session_id: str, path: str) -> Session | None:
        """A session; its older messages first, then those of the newer table that came after them."""
        about = _session_row(store, session_id)
        reading = OpenCodeProgress(moment(about.get("time_created")))
        number, last = 0, None
        for number, (record, parts) in enumerate(_older(store, session_id), start=1):
            reading.take(number, record, parts)
            last = reading.assembly.clock
        for record, parts in _newer(store, session_id):
            time = moment(record["timestamp"])
            if last and (time is None or time < last + _OVERLAP):
                reading.assembly.skipped["repeated"] += 1
                continue
            number += 1
            reading.take(number, record, parts)
        if not number:
            return None
        parent = one_line(about.get("parent_id"))
        return self._place.session(
            path,
            session_id,
            reading.assembly,
            project=one_line(about.get("directory")),
            parent=parent or None,
            machine=bool(parent),
        )


def _session_row(store: Database, session_id: str) -> Record:
    """The row of a session in the store."""
    for table, query in ABOUT.items():
        row = next(rows_of(store, query, session_id), None) if columns_of(store, table) else None
        if row:
            return row
    return {}


def _older(store: Database, session_id: str) -> Iterator[tuple[Record, list[Record]]]:
    if not columns_of(store, "message"):
        return
    parts = _by_message(store, PARTS, session_id)
    for row in rows_of(store, MESSAGES, session_id):
        record = {"id": row["id"], "timestamp": _time(row), "role": row["role"], "summary": row["summary"] == "true"}
        yield record, parts[row["id"]]


def _newer(store: Database, session_id: str) -> Iterator[tuple[Record, list[Record]]]:
    if not columns_of(store, "session_message"):
        return
    content = _by_message(store, CONTENT, session_id)
    for row in rows_of(store, RECORDS, session_id):
        own = [{"type": "text", "text": row["text"]}] if row["text"] else content[row["id"]]
        yield {"id": row["id"], "timestamp": _time(row), "role": row["role"]}, own


def _by_message(store: Database, query: str, session_id: str) -> defaultdict[str, list[Record]]:
    parts = defaultdict[str, list[Record]](list)
    for row in rows_of(store, query, session_id):
        parts[row["message_id"]].append(row)
    return parts


def _time(row: Record) -> object:
    return row["time"] if moment(row["time"]) else row["stored"]


_STORE = re.compile(r"opencode.*\.db")
"""The name of a store; a build of another channel has its name in it, as in `opencode-dev.db`."""
_FILE = re.compile(r"ses_.*\.json")

# Copies of work trees, logs and programs; the parts of messages are read with their session.
_ASIDE = frozenset(
    {"bin", "log", "message", "part", "repos", "session_diff", "snapshot", "todo", "tool-output", "worktree"}
)
KIND = SourceKind(
    "opencode",
    lambda place: JoinedSource(
        StoreSource(place, _STORE.fullmatch, OpenCodeStore(place), _ASIDE),
        FileSource(place, _FILE.fullmatch, parse, _ASIDE),
    ),
    lambda home, environment: (named_folder(environment, "XDG_DATA_HOME", home / ".local" / "share") / "opencode",),
)
