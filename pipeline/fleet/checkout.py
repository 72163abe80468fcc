"""The right to publish. Who takes a workspace raises its epoch; with an earlier epoch nothing is published any more.

A worker that dies has published nothing. One that stood still, and goes on after another has taken the workspace, finds
the fence: uuid, epoch and generation are compared in the transaction that publishes.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from uuid import UUID

from psycopg import Connection
from psycopg.errors import ForeignKeyViolation
from psycopg.rows import TupleRow

from pipeline.backup.manifest import SavedFile
from pipeline.errors.fleet import CheckoutLost
from pipeline.fleet.manifest import is_same, note_end, note_files, read_manifest
from pipeline.fleet.pieces import PieceWriter
from pipeline.workspace.layout import FORGOTTEN
from schemas.detail import storable

GENERATIONS_KEPT = 5
"""Generations of a workspace that are kept."""
GENERATIONS_KEPT_FOR = timedelta(hours=1)
"""How long every generation is kept, however many there are; forgetting is the exception."""

NOTED_AGAIN = timedelta(minutes=1)
"""So long after words have arrived no others are noted."""

HOLD_STORE = "SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))"
"""Said of a workspace in a transaction that writes in its store, so that others find that."""
_END_STORE = """
SELECT pg_terminate_backend(pid) FROM pg_locks
WHERE locktype = 'advisory' AND objsubid = 1 AND pid <> pg_backend_pid()
AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
AND (classid::bigint << 32) | objid::bigint = hashtextextended(%s, 0)
"""
_TAKE = """
UPDATE workspace SET epoch = epoch + 1, deaths = deaths + 1 WHERE id = %s RETURNING epoch, generation
"""
_HOLDS = "SELECT FROM workspace WHERE id = %s AND epoch = %s AND generation = %s"
_ADVANCE = """
UPDATE workspace SET generation = generation + 1 WHERE id = %s AND epoch = %s AND generation = %s RETURNING generation
"""
_LOCK = "SELECT FROM workspace WHERE id = %s FOR NO KEY UPDATE"
_END = """
UPDATE workspace SET deaths = 0, failure = coalesce((
    SELECT format('Act %%s is set aside: %%s', seq, act.failure) FROM act
    WHERE workspace_id = id AND act.state = 'aside' ORDER BY seq LIMIT 1
  ), %(failure)s), next_due =
  CASE WHEN EXISTS (
    -- A back-fill that the work has seen waits for a model.
    SELECT FROM act WHERE workspace_id = id AND act.state = 'waiting' AND (kind <> 'backfill' OR seq > %(seen)s)
  ) THEN %(now)s ELSE least(%(next_due)s, CASE WHEN heard + %(silence)s > %(begun)s THEN heard + %(silence)s END) END
WHERE id = %(workspace)s AND epoch = %(epoch)s AND generation = %(generation)s
"""
_FAIL = """
UPDATE workspace SET deaths = 0, failure = %s, next_due = %s WHERE id = %s AND epoch = %s AND generation = %s
"""
_NOTE = """
INSERT INTO generation (workspace_id, number, made, files, size, pieces, written) VALUES (%s, %s, %s, %s, %s, %s, %s)
"""
_DROP_OLD = """
DELETE FROM generation WHERE workspace_id = %(workspace)s AND number > 0 AND number <= %(newest)s - %(kept)s
AND made <= %(before)s
AND NOT EXISTS (
  SELECT FROM lease
  WHERE lease.workspace_id = generation.workspace_id AND lease.generation = generation.number AND until > %(now)s
)
"""
_DROP_ALL_BEFORE = "DELETE FROM generation WHERE workspace_id = %s AND number < %s"
_DROP_QUESTIONS = "DELETE FROM question WHERE workspace_id = %s"
_DROP_ACTS = "DELETE FROM act WHERE workspace_id = %s AND settled IS NOT NULL"
_DROP_FILES = """
DELETE FROM manifest WHERE workspace_id = %s AND until IS NOT NULL AND NOT EXISTS (
  SELECT FROM generation
  WHERE generation.workspace_id = manifest.workspace_id AND number >= since AND number < until
)
"""
_COLLECT = """
DELETE FROM piece WHERE workspace_id = %s AND NOT EXISTS (
  SELECT FROM manifest_piece
  WHERE manifest_piece.workspace_id = piece.workspace_id AND manifest_piece.hash = piece.hash
)
"""


@dataclass(frozen=True)
class Checkout:
    """The right to publish the generation after this one, until somebody else takes the workspace; with its files."""

    workspace: UUID
    name: str
    epoch: int
    generation: int
    files: Mapping[str, SavedFile]


@dataclass(frozen=True)
class Published:
    """A generation that was published: the checkout to go on with, and the pieces and bytes that were added for it."""

    checkout: Checkout
    pieces: int
    written: int


def take_workspace(connection: Connection[TupleRow], workspace: UUID, name: str) -> Checkout:
    """Take a workspace, whoever has it: from now on nobody publishes with an earlier checkout.

    It counts as the death of a worker until `end_work`: a process that dies cannot say so.
    """
    end_store_transaction(connection, workspace)
    connection.execute(HOLD_STORE, [str(workspace)])  # so that none begins before this is done
    taken = connection.execute(_TAKE, [workspace]).fetchone()
    if taken is None:
        raise CheckoutLost(name)
    epoch, generation = taken
    return Checkout(workspace, name, epoch, generation, read_manifest(connection, workspace, generation))


def end_store_transaction(connection: Connection[TupleRow], workspace: UUID) -> None:
    """End the transaction of a worker that has written in the store of a workspace, and not published: it is undone.

    Otherwise the rows of a worker that stands still would keep others waiting.
    """
    connection.execute(_END_STORE, [str(workspace)])


def is_lost(connection: Connection[TupleRow], checkout: Checkout) -> bool:
    """Whether somebody else has taken the workspace of a checkout since, or it was removed."""
    return connection.execute(_HOLDS, [checkout.workspace, checkout.epoch, checkout.generation]).rowcount == 0


def publish(
    connection: Connection[TupleRow],
    checkout: Checkout,
    take: Callable[[PieceWriter], Sequence[SavedFile]],
    now: datetime,
) -> Published | None:
    """Publish a state of a workspace within a transaction; `None`, and nothing, when it is that of the checkout.

    `take` adds the pieces of all files, and gives the files. The order is that of what others can see: all of it, or
    nothing, when the transaction ends.
    """
    before = checkout.files
    writer = PieceWriter(connection, checkout.workspace, {name for file in before.values() for name in file.pieces})
    try:
        files = {file.path: file for file in take(writer)}
        writer.flush()
    except ForeignKeyViolation as error:
        raise CheckoutLost(checkout.name) from error
    changed = {path: file for path, file in files.items() if not is_same(before.get(path), file)}
    gone = before.keys() - files.keys()
    if not changed and not gone:
        return None
    number = _advance(connection, checkout)
    note_end(connection, checkout.workspace, number, {*changed, *gone})
    note_files(connection, checkout.workspace, number, changed.values())
    size = sum(file.size for file in files.values())
    written = sum(writer.added)
    values = [checkout.workspace, number, now, len(files), size, len(writer.added), written]
    connection.execute(_NOTE, values)
    kept = {path: file for path, file in before.items() if path in files}
    later = replace(checkout, generation=number, files=kept | changed)
    _drop_earlier(connection, checkout.workspace, number, now, all_of_them=has_forgotten(checkout, later))
    return Published(later, len(writer.added), written)


def has_forgotten(before: Checkout, later: Checkout) -> bool:
    """Whether something was forgotten between two generations."""
    earlier, now = before.files.get(FORGOTTEN), later.files.get(FORGOTTEN)
    return earlier is not now and not (now and is_same(earlier, now))


@dataclass(frozen=True)
class WorkEnd:
    """The end of work at the moment `now`: it goes on at `next_due`, or at once if acts wait.

    `seen` is the number of the last act that had been asked for when the work had `begun`. Where words arrived later
    than a `silence` before that, it goes on after such a silence, for jobs that read an episode when it is over.
    `failure` says which run has failed; empty where none has.
    """

    now: datetime
    next_due: datetime
    seen: int
    begun: datetime
    silence: timedelta
    failure: str = ""


def lock_workspace(connection: Connection[TupleRow], workspace: UUID) -> None:
    """Lock the row of a workspace before its acts, questions and tokens, as everybody does who writes in several.

    An act that is asked for at this moment is seen afterwards, and a removal that comes waits.
    """
    connection.execute(_LOCK, [workspace])


def end_work(connection: Connection[TupleRow], checkout: Checkout, end: WorkEnd) -> None:
    """Note that work on a workspace, which is locked, came to its end."""
    values = {
        **vars(end),
        "failure": storable(end.failure),
        "silence": end.silence + NOTED_AGAIN,
        "workspace": checkout.workspace,
        "epoch": checkout.epoch,
        "generation": checkout.generation,
    }
    if not connection.execute(_END, values).rowcount:
        raise CheckoutLost(checkout.name)


def fail_work(connection: Connection[TupleRow], checkout: Checkout, failure: str, next_due: datetime) -> None:
    """Note that work on a workspace came to an error; it is tried again at `next_due`, acts too."""
    fence = [checkout.workspace, checkout.epoch, checkout.generation]
    if not connection.execute(_FAIL, [storable(failure), next_due, *fence]).rowcount:
        raise CheckoutLost(checkout.name)


def _advance(connection: Connection[TupleRow], checkout: Checkout) -> int:
    """Pass the fence; the number of the next generation, which is this checkout's to write."""
    known = [checkout.workspace, checkout.epoch, checkout.generation]
    passed = connection.execute(_ADVANCE, known).fetchone()
    if passed is None:
        raise CheckoutLost(checkout.name)
    return int(passed[0])


def _drop_earlier(
    connection: Connection[TupleRow], workspace: UUID, newest: int, now: datetime, *, all_of_them: bool
) -> None:
    """Drop earlier generations that are not kept any more, then the files and the pieces that only they had.

    No other publication of the workspace can end well beside this one, which has passed the fence: so none needs a
    piece that nothing names now.
    """
    if all_of_them:
        connection.execute(_DROP_ACTS, [workspace])
        connection.execute(_DROP_QUESTIONS, [workspace])
        dropped = connection.execute(_DROP_ALL_BEFORE, [workspace, newest]).rowcount
    else:
        limits = {
            "workspace": workspace,
            "newest": newest,
            "kept": GENERATIONS_KEPT,
            "before": now - GENERATIONS_KEPT_FOR,
            "now": now,
        }
        dropped = connection.execute(_DROP_OLD, limits).rowcount
    if dropped:
        drop_unnamed(connection, workspace)


def drop_unnamed(connection: Connection[TupleRow], workspace: UUID) -> None:
    """Drop the files of generations that have gone, then the pieces that only they had."""
    if connection.execute(_DROP_FILES, [workspace]).rowcount:
        connection.execute(_COLLECT, [workspace])
