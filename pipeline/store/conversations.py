"""Conversations in the store: their messages in order, their summaries, and the preferences of users."""

import json
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from functools import reduce
from itertools import count
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, Select, delete, func, insert, select, update

from pipeline.errors.store import ConversationTaken, UnknownConversation
from pipeline.store.database import Database, insertion
from pipeline.store.tables import conversations, messages, preferences, summaries
from schemas.conversation import (
    ConversationMessage,
    ConversationRecord,
    ConversationSummary,
    ExtraContext,
    ListedConversation,
    NotedLine,
    Preferences,
    SessionSettings,
    SettingsChange,
    StoredPreferences,
)
from schemas.shipment import KeptTranscript, TranscriptRecord, record_key
from schemas.transcript import Role

_FEW = 100  # rows that are read at once


@dataclass(frozen=True)
class ConversationFilter:
    """Which conversations are meant; an empty field means any."""

    user_id: str | None = None
    agent_id: str | None = None


@dataclass(frozen=True)
class StatedPreferences:
    """The preferences of a user for all sessions, since when; with an agent's id, those that the agent stated."""

    agent_id: str
    preferences: Preferences
    changed_at: datetime


@dataclass(frozen=True)
class ConversationTable:
    """The conversations of one workspace."""

    database: Database
    workspace: str = ""

    def begin(self, conversation: ConversationRecord) -> ConversationRecord:
        """Keep a new conversation, unless its session has one; the conversation of the session."""
        with self.database.writing() as connection:
            self._add_row(connection, conversation)
            row = self._find_row(connection, conversation.session_id)
        return _read_conversation(row) if row else conversation

    def find(self, session_id: str) -> ConversationRecord | None:
        """The conversation of a session."""
        with self.database.reading() as connection:
            row = self._find_row(connection, session_id)
        return _read_conversation(row) if row else None

    def list_conversations(self, wanted: ConversationFilter = ConversationFilter()) -> list[ListedConversation]:
        """The conversations that fit, the oldest first."""
        query = self._count_query(wanted).order_by(conversations.c.created_at, conversations.c.id)
        with self.database.reading() as connection:
            return [_read_count(row) for row in connection.execute(query)]

    def latest(self, wanted: ConversationFilter, skip: int, limit: int) -> tuple[list[ListedConversation], int]:
        """Some of the conversations that fit, first where something was said last; and how many fit."""
        last = func.coalesce(func.max(messages.c.created_at), conversations.c.created_at)
        query = self._count_query(wanted).order_by(last.desc(), conversations.c.id).limit(limit).offset(skip)
        fitting = select(func.count()).select_from(conversations).where(self._fits_filter(wanted))
        with self.database.reading() as connection:
            return [_read_count(row) for row in connection.execute(query)], connection.execute(fitting).scalar_one()

    def append(self, conversation: ConversationRecord, new: Sequence[ConversationMessage]) -> list[ConversationMessage]:
        """Append messages, all or nothing; as they are numbered now. Whatever numbers they had do not count.

        Several may append at once: the numbers have no gap, and none is given twice.

        Raises:
            UnknownConversation: it was deleted meanwhile.
        """
        with self.database.writing() as connection:
            self._lock_row(connection, conversation)
            return _append(connection, conversation, new)

    def keep_records(
        self,
        conversation: ConversationRecord,
        new: Sequence[ConversationMessage],
        combine: Callable[[ConversationMessage, ConversationMessage], ConversationMessage],
        staying: frozenset[str] | None,
    ) -> tuple[ConversationRecord, int, int]:
        """Keep messages of a transcript: those whose record is there already in their places, the others at the end.

        Where it is said which records are `staying`, by their keys, the messages of all others go. A message is what
        `combine` makes of it and of each that is there: of its record, or of its role and time in a conversation whose
        name differs from this one's in its last part. The conversation is begun where there is none;
        else it gets the transcript, and begins as early as the earlier one of both. The conversation as it is now, and
        how many messages it had and has.

        Raises:
            ConversationRefused: its session has a conversation that holds no transcript of the owner.
            UnknownConversation: it was deleted meanwhile.
        """
        with self.database.writing() as connection:
            begun = self._add_row(connection, conversation)
            mine = (conversations.c.workspace == self.workspace) & (
                conversations.c.session_id == conversation.session_id
            )
            row = connection.execute(select(conversations).where(mine).with_for_update()).first()
            if row is None:
                raise UnknownConversation(conversation.session_id)
            kept = _read_conversation(row)
            if kept.transcript is None or not kept.is_owners:
                raise ConversationTaken(kept.session_id)
            if not begun:
                kept = _with_transcript_of(kept, conversation)
                changed = {"transcript": kept.model_dump(mode="json")["transcript"], "created_at": kept.created_at}
                connection.execute(update(conversations).where(conversations.c.id == kept.id).values(**changed))
            last = connection.execute(select(func.max(messages.c.number)).where(_is_of(messages, kept))).scalar() or 0
            there = self._same_messages(connection, kept, new)
            rows = _placed_records(connection, kept, [reduce(combine, there(one), one) for one in new], last)
            if rows:
                numbers = [message.number for message in rows if message.number <= last]
                connection.execute(delete(messages).where(_is_of(messages, kept) & messages.c.number.in_(numbers)))
                connection.execute(insert(messages), [_row_values(kept, message) for message in rows])
            if staying is not None:
                _drop_records(connection, kept, staying)
            has = connection.execute(select(func.max(messages.c.number)).where(_is_of(messages, kept))).scalar() or 0
            return kept, last, has

    def clear_and_append(
        self, conversation: ConversationRecord, new: Sequence[ConversationMessage]
    ) -> tuple[list[ConversationMessage], tuple[int, int]]:
        """`clear` and `append` in one, with what each of them gives.

        Raises:
            UnknownConversation: it was deleted meanwhile.
        """
        with self.database.writing() as connection:
            self._lock_row(connection, conversation)
            cleared = _clear(connection, conversation)
            return _append(connection, conversation, new), cleared

    def history(
        self, conversation: ConversationRecord, *, after: int = 0, with_cleared: bool = False
    ) -> list[ConversationMessage]:
        """The messages after a number, in order."""
        query = select(messages).where(_is_of(messages, conversation), messages.c.number > after)
        query = query if with_cleared else query.where(~messages.c.is_cleared)
        with self.database.reading() as connection:
            return [_read_message(row) for row in connection.execute(query.order_by(messages.c.number))]

    def sessions_among(self, names: Collection[str]) -> frozenset[str]:
        """The sessions that have a conversation, among these."""
        mine = (conversations.c.workspace == self.workspace) & conversations.c.session_id.in_(names)
        with self.database.reading() as connection:
            return frozenset(connection.execute(select(conversations.c.session_id).where(mine)).scalars())

    def texts(self) -> Iterator[str]:
        """All that was said, and what came along with it, also what was cleared; and what sums it up. In any order."""
        mine = conversations.c.workspace == self.workspace
        said = select(messages.c.text, messages.c.extra_context, messages.c.record).join(conversations).where(mine)
        summed = select(summaries.c.prose, summaries.c.ledger).join(conversations).where(mine)
        with self.database.reading() as connection:
            for query in (said, summed):
                for text, *more in connection.execute(query.execution_options(yield_per=_FEW)):
                    yield text
                    yield json.dumps(more, ensure_ascii=False)

    def clear(self, conversation: ConversationRecord) -> tuple[int, int]:
        """Take messages out of the context, and drop the summaries; how many of each."""
        with self.database.writing() as connection:
            self._lock_row(connection, conversation)
            return _clear(connection, conversation)

    def rewrite(
        self, conversation: ConversationRecord, said: Sequence[ConversationMessage], outdated: Collection[int]
    ) -> None:
        """Give messages other words, by their numbers, and drop the summaries that end with some numbers.

        Raises:
            UnknownConversation: it was deleted meanwhile.
        """
        with self.database.writing() as connection:
            self._lock_row(connection, conversation)
            for message in said:
                mine = _is_of(messages, conversation) & (messages.c.number == message.number)
                words = message.model_dump(mode="json", include={"text", "tokens", "extra_context", "record"})
                connection.execute(update(messages).where(mine).values(**words))
            last = _is_of(summaries, conversation) & summaries.c.last_number.in_(outdated)
            connection.execute(delete(summaries).where(last))

    def adjust(self, conversation: ConversationRecord, change: SettingsChange) -> ConversationRecord:
        """Change settings of a conversation; the others stay as they are now.

        Raises:
            UnknownConversation: it was deleted meanwhile.
        """
        with self.database.writing() as connection:
            self._lock_row(connection, conversation)
            mine = conversations.c.id == conversation.id
            now = _read_conversation(connection.execute(select(conversations).where(mine)).one())
            settings = change.apply_to(now.settings)
            connection.execute(update(conversations).where(mine).values(settings=settings.model_dump(mode="json")))
        return now.model_copy(update={"settings": settings})

    def extent(self, conversation: ConversationRecord) -> tuple[int, int]:
        """The number of its messages, with those that were cleared, and of its summaries."""
        said, summed_up = (
            select(func.count()).select_from(table).where(_is_of(table, conversation))
            for table in (messages, summaries)
        )
        with self.database.reading() as connection:
            return connection.execute(said).scalar_one(), connection.execute(summed_up).scalar_one()

    def delete(self, conversation: ConversationRecord) -> int:
        """Take a conversation out with all that belongs to it; how many messages went."""
        with suppress(UnknownConversation), self.database.writing() as connection:
            self._lock_row(connection, conversation)
            return _take_out(connection, conversation)
        return 0

    def delete_silent(self, conversation: ConversationRecord, since: datetime) -> bool:
        """The same, unless something was said in it since then, or it has gone meanwhile; whether it went."""
        newer = select(messages.c.number).where(_is_of(messages, conversation), messages.c.created_at >= since).limit(1)
        with suppress(UnknownConversation), self.database.writing() as connection:
            self._lock_row(connection, conversation)
            if connection.execute(newer).first() is None:
                _take_out(connection, conversation)
                return True
        return False

    def summary(self, conversation: ConversationRecord) -> ConversationSummary | None:
        """The last finished summary."""
        last = self.summaries(conversation, limit=1)
        return last[0] if last else None

    def summaries(self, conversation: ConversationRecord, limit: int | None = None) -> list[ConversationSummary]:
        """The finished summaries, the last one first."""
        query = select(summaries).where(_is_of(summaries, conversation)).order_by(summaries.c.last_number.desc())
        with self.database.reading() as connection:
            return [_read_summary(row) for row in connection.execute(query.limit(limit))]

    def last_summaries(self, wanted: ConversationFilter) -> dict[str, ConversationSummary]:
        """The last finished summary of the conversations that fit and have one, by their sessions."""
        joined = summaries.join(conversations, summaries.c.conversation_id == conversations.c.id)
        query = select(conversations.c.session_id, summaries).select_from(joined).where(self._fits_filter(wanted))
        with self.database.reading() as connection:
            rows = connection.execute(query.order_by(summaries.c.last_number)).all()
        return {row.session_id: _read_summary(row) for row in rows}

    def keep_summary(
        self, conversation: ConversationRecord, summary: ConversationSummary, said: Sequence[ConversationMessage] = ()
    ) -> bool:
        """Keep a summary in place of one of the same range.

        Whether its messages are still in the context, and those that are `said` have the words that it was made of.
        """
        with self.database.writing() as connection:
            self._lock_row(connection, conversation)
            mine = _is_of(messages, conversation) & (messages.c.number <= summary.last_number) & ~messages.c.is_cleared
            rows = connection.execute(select(messages.c.number, messages.c.text).where(mine))
            texts = {row.number: row.text for row in rows}
            if summary.last_number not in texts or any(texts.get(message.number) != message.text for message in said):
                return False
            same = _is_of(summaries, conversation) & (summaries.c.last_number == summary.last_number)
            connection.execute(delete(summaries).where(same))
            values = summary.model_dump(mode="json") | {"created_at": summary.created_at}
            connection.execute(insert(summaries).values(conversation_id=conversation.id, **values))
        return True

    def restore(
        self,
        conversation: ConversationRecord,
        said: Sequence[ConversationMessage],
        summed_up: Sequence[ConversationSummary] = (),
    ) -> bool:
        """Keep a whole conversation as it was exported; not when its session is known."""
        with self.database.writing() as connection:
            if not self._add_row(connection, conversation):
                return False
            if said:
                connection.execute(insert(messages), [_row_values(conversation, message) for message in said])
            for summary in summed_up:
                kept = summary.model_dump(mode="json") | {"created_at": summary.created_at}
                connection.execute(insert(summaries).values(conversation_id=conversation.id, **kept))
        return True

    def preferences(self, user_id: str, agent_id: str = "") -> Preferences:
        """The preferences of a user for all sessions; with an agent's id, those that the agent stated."""
        mine = self._is_of_user(user_id) & (preferences.c.agent_id == agent_id)
        with self.database.reading() as connection:
            kept = connection.execute(select(preferences.c.settings).where(mine)).scalar()
        return Preferences.model_validate(kept or {})

    def stated_preferences(self, user_id: str) -> list[StatedPreferences]:
        """The preferences of a user for all sessions: by their own word first, then by that of agents."""
        query = select(preferences).where(self._is_of_user(user_id)).order_by(preferences.c.agent_id)
        with self.database.reading() as connection:
            rows = connection.execute(query).all()
        kept = ((row, Preferences.model_validate(row.settings)) for row in rows)
        return [StatedPreferences(row.agent_id, wanted, row.changed_at) for row, wanted in kept]

    def every_preference(self) -> list[StoredPreferences]:
        """The preferences of all users for all sessions, by users and agents; in the same order in every database."""
        query = select(preferences).where(preferences.c.workspace == self.workspace)
        with self.database.reading() as connection:
            rows = sorted(connection.execute(query), key=lambda row: (row.user_id, row.agent_id))
        return [
            StoredPreferences(
                user_id=row.user_id, agent_id=row.agent_id, preferences=row.settings, changed_at=row.changed_at
            )
            for row in rows
        ]

    def prefer(self, who: tuple[str, str], wanted: Preferences, now: datetime) -> None:
        """Keep what a user wants in all sessions, in place of what was wanted before; `who` are user and agent."""
        changed = {"settings": wanted.model_dump(), "changed_at": now}
        with self.database.writing() as connection:
            own = {"workspace": self.workspace, "user_id": who[0], "agent_id": who[1]}
            new = insertion(connection, preferences).values(**own, **changed)
            connection.execute(new.on_conflict_do_update(index_elements=list(own), set_=changed))

    def forget_preferences(self, user_id: str) -> int:
        """Drop what a user wants in all sessions, also by the word of agents; how many rows there were."""
        mine = self._is_of_user(user_id)
        with self.database.writing() as connection:
            # In the order in which all do who drop several.
            connection.execute(select(preferences.c.agent_id).where(mine).order_by("agent_id").with_for_update())
            return connection.execute(delete(preferences).where(mine)).rowcount

    def _count_query(self, wanted: ConversationFilter) -> Select[Any]:
        numbers = func.max(messages.c.number).label("said"), func.max(messages.c.created_at).label("last")
        made = select(summaries.c.made_by).where(summaries.c.conversation_id == conversations.c.id)
        summary = made.order_by(summaries.c.last_number.desc()).limit(1).scalar_subquery().label("summary_by")
        joined = conversations.outerjoin(messages, messages.c.conversation_id == conversations.c.id)
        query = select(conversations, *numbers, summary).select_from(joined)
        return query.where(self._fits_filter(wanted)).group_by(conversations.c.id)

    def _find_row(self, connection: Connection, session_id: str) -> Row[Any] | None:
        mine = (conversations.c.workspace == self.workspace) & (conversations.c.session_id == session_id)
        return connection.execute(select(conversations).where(mine)).first()

    def _is_of_user(self, user_id: str) -> ColumnElement[bool]:
        return (preferences.c.workspace == self.workspace) & (preferences.c.user_id == user_id)

    def _fits_filter(self, wanted: ConversationFilter) -> ColumnElement[bool]:
        mine = conversations.c.workspace == self.workspace
        for column, value in ((conversations.c.user_id, wanted.user_id), (conversations.c.agent_id, wanted.agent_id)):
            mine = mine & (column == value) if value is not None else mine
        return mine

    def _add_row(self, connection: Connection, conversation: ConversationRecord) -> bool:
        """Add a conversation; whether its session had none yet."""
        values = conversation.model_dump(mode="json") | {"created_at": conversation.created_at}
        new = insertion(connection, conversations).values(workspace=self.workspace, **values)
        return connection.execute(new.on_conflict_do_nothing().returning(conversations.c.id)).first() is not None

    def _same_messages(
        self, connection: Connection, conversation: ConversationRecord, new: Sequence[ConversationMessage]
    ) -> Callable[[ConversationMessage], list[ConversationMessage]]:
        """The function that finds the messages there are already for one of these, whatever their ids and machine."""
        begin, _, _ = conversation.session_id.rpartition(":")
        mine = (conversations.c.workspace == self.workspace) & conversations.c.session_id.startswith(
            f"{begin}:", autoescape=True
        )
        keys = [record_key(message.record.entry_ids) for message in new if message.record]
        times = {message.created_at for message in new}
        same = messages.c.record_key.in_(keys) | messages.c.created_at.in_(times)
        places = defaultdict[object, list[ConversationMessage]](list)
        for row in connection.execute(select(messages).join(conversations).where(mine & same)):
            message = _read_message(row)
            places[message.role, message.created_at].append(message)
            places[row.record_key].append(message)
        return lambda message: [
            *places[message.role, message.created_at],
            *(places[record_key(message.record.entry_ids)] if message.record else ()),
        ]

    @staticmethod
    def _lock_row(connection: Connection, conversation: ConversationRecord) -> None:
        """Let writers of a conversation wait for each other: in PostgreSQL by its row, in SQLite they do so anyway."""
        mine = conversations.c.id == conversation.id
        if connection.execute(select(conversations.c.id).where(mine).with_for_update()).first() is None:
            raise UnknownConversation(conversation.session_id)


def _with_transcript_of(kept: ConversationRecord, new: ConversationRecord) -> ConversationRecord:
    """A conversation with the transcript of a later shipment of its session."""
    revision = kept.transcript.revision + 1 if kept.transcript else 1
    transcript = new.transcript.model_copy(update={"revision": revision}) if new.transcript else None
    return kept.model_copy(update={"transcript": transcript, "created_at": min(kept.created_at, new.created_at)})


def _placed_records(
    connection: Connection, conversation: ConversationRecord, new: Sequence[ConversationMessage], last: int
) -> list[ConversationMessage]:
    """The messages with their numbers: that of the row with the same record, else the next one after `last`."""
    by_key = {record_key(message.record.entry_ids): message for message in new if message.record}
    there = _is_of(messages, conversation) & messages.c.record_key.in_(by_key)
    rows = connection.execute(select(messages.c.record_key, messages.c.number).where(there))
    known = {row.record_key: row.number for row in rows}
    fresh = dict(zip((key for key in by_key if key not in known), count(last + 1), strict=False))
    placed = known | fresh
    return [message.model_copy(update={"number": placed[key]}) for key, message in by_key.items()]


def _drop_records(connection: Connection, conversation: ConversationRecord, staying: frozenset[str]) -> None:
    """Let the messages of other records go: their file has them no more."""
    rows = connection.execute(select(messages.c.number, messages.c.record_key).where(_is_of(messages, conversation)))
    gone = [number for number, key in rows if key not in staying]
    for place in range(0, len(gone), _FEW):
        numbers = gone[place : place + _FEW]
        connection.execute(delete(messages).where(_is_of(messages, conversation) & messages.c.number.in_(numbers)))


def _append(
    connection: Connection, conversation: ConversationRecord, new: Sequence[ConversationMessage]
) -> list[ConversationMessage]:
    last = connection.execute(select(func.max(messages.c.number)).where(_is_of(messages, conversation))).scalar()
    numbered = [message.model_copy(update={"number": number}) for number, message in enumerate(new, (last or 0) + 1)]
    if numbered:
        connection.execute(insert(messages), [_row_values(conversation, message) for message in numbered])
    return numbered


def _clear(connection: Connection, conversation: ConversationRecord) -> tuple[int, int]:
    mine = _is_of(messages, conversation) & ~messages.c.is_cleared
    cleared = connection.execute(update(messages).where(mine).values(is_cleared=True)).rowcount
    dropped = connection.execute(delete(summaries).where(_is_of(summaries, conversation))).rowcount
    return cleared, dropped


def _take_out(connection: Connection, conversation: ConversationRecord) -> int:
    gone = connection.execute(delete(messages).where(_is_of(messages, conversation))).rowcount
    connection.execute(delete(summaries).where(_is_of(summaries, conversation)))
    connection.execute(delete(conversations).where(conversations.c.id == conversation.id))
    return gone


def _is_of(table: Any, conversation: ConversationRecord) -> ColumnElement[bool]:  # noqa: ANN401 - a table of SQLAlchemy
    return table.c.conversation_id == conversation.id  # type: ignore[no-any-return]


def _row_values(conversation: ConversationRecord, message: ConversationMessage) -> dict[str, Any]:
    own = message.model_dump(mode="json", exclude={"cleared", "created_at"})
    return {
        "record": None,
        **own,
        "record_key": record_key(message.record.entry_ids) if message.record else None,
        "conversation_id": conversation.id,
        "is_cleared": message.cleared,
        "created_at": message.created_at,
    }


def _read_count(row: Row[Any]) -> ListedConversation:
    return ListedConversation(
        conversation=_read_conversation(row), messages=row.said or 0, last=row.last, summary_by=row.summary_by or ""
    )


def _read_conversation(row: Row[Any]) -> ConversationRecord:
    return ConversationRecord(
        id=row.id,
        session_id=row.session_id,
        user_id=row.user_id,
        agent_id=row.agent_id,
        by_person=row.by_person,
        settings=SessionSettings.model_validate(row.settings),
        created_at=row.created_at,
        transcript=None if row.transcript is None else KeptTranscript.model_validate(row.transcript),
    )


def _read_message(row: Row[Any]) -> ConversationMessage:
    return ConversationMessage(
        number=row.number,
        role=Role(row.role),
        text=row.text,
        tokens=row.tokens,
        by_person=row.by_person,
        extra_context=ExtraContext.model_validate(row.extra_context),
        cleared=row.is_cleared,
        created_at=row.created_at,
        record=None if row.record is None else TranscriptRecord.model_validate(row.record),
    )


def _read_summary(row: Row[Any]) -> ConversationSummary:
    return ConversationSummary(
        first_number=row.first_number,
        last_number=row.last_number,
        prose=row.prose,
        ledger=tuple(NotedLine.model_validate(line) for line in row.ledger),
        made_by=row.made_by,
        created_at=row.created_at,
    )
