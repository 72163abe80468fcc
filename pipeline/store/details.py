"""Details in the store: their rows, and their texts in compressed chunks."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import count
from typing import Any

import zstandard
from sqlalchemy import ColumnElement, Connection, Row, Select, delete, func, insert, or_, select, true, update

from pipeline.store.database import Database, insertion
from pipeline.store.tables import chunks, details
from schemas.detail import Detail, DetailFilter, DetailScope, DetailType, Placement

SIZE = 65_536
"""Bytes of a chunk at most; a longer line takes several."""


@dataclass(frozen=True)
class Chunk:
    """A part of a text. `first_line`, from 1, is the line of its first byte; `first_byte` counts from 0."""

    ordinal: int
    first_line: int
    first_byte: int
    content: bytes


def cut_chunks(blocks: Iterable[bytes]) -> Iterator[Chunk]:
    """The chunks of a text that comes in blocks of any size. A line longer than a chunk begins one of its own."""
    line, place = 1, 0
    for ordinal, content in zip(count(), _split_blocks(blocks), strict=False):
        yield Chunk(ordinal, line, place, content)
        line += content.count(b"\n")
        place += len(content)


def _split_blocks(blocks: Iterable[bytes]) -> Iterator[bytes]:
    rest = bytearray()
    for block in blocks:
        rest += block
        start = 0
        while len(rest) - start >= SIZE:
            stop = rest.rfind(b"\n", start, start + SIZE) + 1 or start + SIZE
            yield bytes(rest[start:stop])
            start = stop
        del rest[:start]
    if rest:
        yield bytes(rest)


_LEVEL = 3
_BATCH = 16
"""Chunks that are written, or read, at once."""
_FEW = 2
"""Chunks that are read first: a page needs no more as a rule."""


@dataclass(frozen=True)
class DetailTable:
    """The details of one workspace."""

    database: Database
    workspace: str = ""

    def add(self, detail: Detail, content: Iterable[bytes]) -> Detail:
        """Keep a detail with its text, all or nothing; the present one when its key is taken.

        Raises:
            StoreError: nothing was kept.
        """
        with self.database.writing() as connection:
            present = self._find_row(connection, detail.key)
            if present and present.is_active:
                return _read_detail(present)
            values = self._row_values(detail)
            new = insertion(connection, details).values(**values)
            # PostgreSQL waits for the writer that is about to take the key. What has gone has no chunks any more.
            in_place = {"index_elements": ["workspace", "memory_key"], "set_": values, "where": ~details.c.is_active}
            if connection.execute(new.on_conflict_do_update(**in_place).returning(details.c.id)).first() is None:
                return _read_detail(self._find_row(connection, detail.key))  # another writer was first, a moment ago
            _write_chunks(connection, detail.id, content)
        return detail

    def find(self, key: str) -> Detail | None:
        """The detail with this key, also one that has gone."""
        with self.database.reading() as connection:
            row = self._find_row(connection, key)
        return _read_detail(row) if row else None

    def renew(self, detail: Detail, expires_at: datetime | None) -> Detail:
        """Keep a detail at least to a later time; a detail that never expires stays so."""
        if detail.expires_at is None or (expires_at and expires_at <= detail.expires_at):
            return detail
        with self.database.writing() as connection:
            mine = self._is_key([detail.key]) & details.c.is_active
            connection.execute(update(details).where(mine).values(expires_at=expires_at))
        return detail.model_copy(update={"expires_at": expires_at})

    def list_details(self, wanted: DetailFilter, limit: int = 0, skip: int = 0) -> list[Detail]:
        """The active details that fit, the newest first, without those that are skipped."""
        query = self._fitting_query(wanted).order_by(details.c.created_at.desc(), details.c.id)
        query = query.limit(limit).offset(skip) if limit else query
        with self.database.reading() as connection:
            return [_read_detail(row) for row in connection.execute(query)]

    def count(self, wanted: DetailFilter) -> int:
        """The number of active details that fit."""
        with self.database.reading() as connection:
            return connection.execute(
                select(func.count()).select_from(self._fitting_query(wanted).subquery())
            ).scalar_one()

    def threads(self, limit: int) -> list[tuple[str, int]]:
        """The threads with active details, first those with the newest, and how many each has."""
        mine = (details.c.workspace == self.workspace) & details.c.is_active
        query = select(details.c.thread_id, func.count().label("kept")).where(mine).group_by(details.c.thread_id)
        query = query.order_by(func.max(details.c.created_at).desc(), details.c.thread_id).limit(limit)
        with self.database.reading() as connection:
            return [(row.thread_id, row.kept) for row in connection.execute(query)]

    def every(self) -> list[Detail]:
        """All details, those that have gone too, by their keys."""
        query = select(details).where(details.c.workspace == self.workspace).order_by(details.c.memory_key)
        with self.database.reading() as connection:
            return [_read_detail(row) for row in connection.execute(query)]

    def read(self, detail: Detail, line: int = 1) -> Iterator[Chunk]:
        """The chunks of a text from the one in which a line begins; a few at a time, in one state of the store."""
        mine = chunks.c.memory_id == detail.id
        # The chunk before may end in the middle of the line, when the line is what it was cut in.
        before = select(func.max(chunks.c.first_line)).where(mine, chunks.c.first_line < line).scalar_subquery()
        # As it stands, SQLite would walk down the ordinals from the last one; of a sum it uses the index of lines.
        start = select(func.max(chunks.c.ordinal + 0)).where(mine, chunks.c.first_line == before)
        with self.database.reading() as connection:
            yield from _read_chunks(connection, detail.id, connection.execute(start).scalar() or 0)

    def read_bytes(self, detail: Detail, byte: int) -> Iterator[Chunk]:
        """The chunks of a text from the one with a byte, which counts from 0; as `read`."""
        with self.database.reading() as connection:
            yield from _read_chunks(connection, detail.id, _find_chunk(connection, detail.id, byte))

    def pin(self, keys: Collection[str], *, pinned: bool) -> int:
        """Pin active details, or unpin them; how many are there."""
        with self.database.writing() as connection:
            mine = details.c.id.in_(_lock_rows(connection, self._is_key(keys) & details.c.is_active))
            return connection.execute(update(details).where(mine).values(pinned=pinned)).rowcount

    def retire(self, keys: Collection[str]) -> int:
        """Let the texts of details go, and keep what answers a placeholder; how many went."""
        with self.database.writing() as connection:
            names = _lock_rows(connection, self._is_key(keys) & details.c.is_active)
            connection.execute(delete(chunks).where(chunks.c.memory_id.in_(names)))
            gone = update(details).where(details.c.id.in_(names)).values(is_active=False, summary="")
            return connection.execute(gone).rowcount

    def erase(self, keys: Collection[str]) -> int:
        """Take details out without a trace; how many were there."""
        with self.database.writing() as connection:
            mine = details.c.id.in_(_lock_rows(connection, self._is_key(keys)))
            return connection.execute(delete(details).where(mine)).rowcount

    def find_expired(self, now: datetime) -> list[Detail]:
        """The active details that may go: past their time, and not pinned."""
        late = self._fitting_query(DetailFilter(pinned=False)).where(details.c.expires_at <= now)
        with self.database.reading() as connection:
            return [_read_detail(row) for row in connection.execute(late)]

    def _find_row(self, connection: Connection, key: str) -> Row[Any] | None:
        return connection.execute(select(details).where(self._is_key([key]))).first()

    def _is_key(self, keys: Collection[str]) -> ColumnElement[bool]:
        return (details.c.workspace == self.workspace) & details.c.memory_key.in_(keys)

    def _fitting_query(self, wanted: DetailFilter) -> Select[Any]:
        query = select(details).where(details.c.workspace == self.workspace, details.c.is_active)
        for column, value in ((details.c.thread_id, wanted.thread_id), (details.c.agent_id, wanted.agent_id)):
            query = query.where(column == value) if value else query
        if wanted.type:
            query = query.where(details.c.memory_type == wanted.type.value)
        if wanted.pinned is not None:
            query = query.where(details.c.pinned.is_(wanted.pinned))
        if wanted.words:
            texts = (details.c.description, details.c.summary)
            query = query.where(or_(*(column.icontains(wanted.words, autoescape=True) for column in texts)))
        # `DetailReader.may_read` in the words of the database.
        row = details.c
        nobodys = (row.agent_id == "") & (row.user_id == "") & ~row.by_person
        theirs: ColumnElement[bool] = true() if wanted.reader.users is None else row.user_id.in_(wanted.reader.users)
        if wanted.reader.agents is not None:
            own = (row.agent_id != "") & ~row.by_person & row.agent_id.in_(wanted.reader.agents)
            theirs = theirs & (own | ((row.scope == DetailScope.USER.value) & (row.user_id != "")))
        return query.where((row.scope == DetailScope.GLOBAL.value) | nobodys | theirs)

    def _row_values(self, detail: Detail) -> dict[str, Any]:
        own = detail.model_dump(exclude={"key", "type", "metadata", "placement", "size", "active"})
        return {
            **own,
            **detail.placement.model_dump(),
            "scope": detail.placement.scope.value,
            "workspace": self.workspace,
            "memory_key": detail.key,
            "memory_type": detail.type.value,
            "content_metadata": detail.metadata,
            "bytes": detail.size,
            "is_active": detail.active,
        }


def _lock_rows(connection: Connection, mine: ColumnElement[bool]) -> Sequence[str]:
    """Lock rows in the order of their ids, as all do who change several, so that none waits for another; the ids."""
    return connection.execute(select(details.c.id).where(mine).order_by(details.c.id).with_for_update()).scalars().all()


def _write_chunks(connection: Connection, name: str, content: Iterable[bytes]) -> None:
    batch = list[dict[str, Any]]()
    for chunk in cut_chunks(content):
        place = {"ordinal": chunk.ordinal, "first_line": chunk.first_line, "first_byte": chunk.first_byte}
        batch.append({"memory_id": name, **place, "content": zstandard.compress(chunk.content, _LEVEL)})
        if len(batch) >= _BATCH:
            connection.execute(insert(chunks), batch)
            batch.clear()
    if batch:
        connection.execute(insert(chunks), batch)


def _read_chunks(connection: Connection, name: str, start: int) -> Iterator[Chunk]:
    mine, many = select(chunks).where(chunks.c.memory_id == name).order_by(chunks.c.ordinal), _FEW
    while rows := connection.execute(mine.where(chunks.c.ordinal >= start).limit(many)).all():
        for row in rows:
            yield Chunk(row.ordinal, row.first_line, row.first_byte, zstandard.decompress(row.content))
        start, many = rows[-1].ordinal + 1, _BATCH


def _find_chunk(connection: Connection, name: str, byte: int) -> int:
    """The ordinal of the chunk with a byte: a search in halves, as no index has the bytes."""
    mine = chunks.c.memory_id == name
    low, high = 0, connection.execute(select(func.max(chunks.c.ordinal)).where(mine)).scalar() or 0
    while low < high:
        middle = (low + high + 1) // 2
        first = select(chunks.c.first_byte).where(mine, chunks.c.ordinal == middle)
        if connection.execute(first).scalar_one() <= byte:
            low = middle
        else:
            high = middle - 1
    return low


def _read_detail(row: Any) -> Detail:  # noqa: ANN401 - a row of the table
    return Detail(
        id=row.id,
        key=row.memory_key,
        type=DetailType(row.memory_type),
        summary=row.summary,
        description=row.description,
        metadata=row.content_metadata,
        placement=Placement(
            agent_id=row.agent_id,
            thread_id=row.thread_id,
            user_id=row.user_id,
            scope=DetailScope(row.scope),
            by_person=row.by_person,
        ),
        created_at=row.created_at,
        pinned=row.pinned,
        tokens=row.tokens,
        size=row.bytes,
        lines=row.lines,
        sha256=row.sha256,
        expires_at=row.expires_at,
        active=row.is_active,
    )
