"""The files of a generation, and what of them a new generation changes."""

from collections.abc import Collection
from itertools import islice
from uuid import UUID

from psycopg import Connection
from psycopg.rows import TupleRow

from pipeline.backup.manifest import SavedFile
from pipeline.workspace.regular_files import LATEST_CHANGE

_READ = """
SELECT path, size, mode, mtime_ns, array_remove(array_agg(encode(hash, 'hex') ORDER BY ordinal), NULL)
FROM manifest LEFT JOIN manifest_piece ON manifest_id = manifest.id
WHERE manifest.workspace_id = %s AND since <= %s AND (until IS NULL OR until > %s)
GROUP BY manifest.id
"""
_END = "UPDATE manifest SET until = %s WHERE workspace_id = %s AND until IS NULL AND path = ANY(%s)"
_BEGIN = """
INSERT INTO manifest (workspace_id, since, until, path, size, mode, mtime_ns)
SELECT %s, %s, %s, given.* FROM unnest(%s::text[], %s::bigint[], %s::integer[], %s::bigint[]) AS given
RETURNING path, id
"""
_BATCH = 10_000  # pieces that are named at once
_NAME_PIECES = """
INSERT INTO manifest_piece (manifest_id, workspace_id, ordinal, hash)
SELECT id, %s, ordinal, hash FROM unnest(%s::bigint[], %s::integer[], %b::bytea[]) AS given (id, ordinal, hash)
"""


def read_manifest(connection: Connection[TupleRow], workspace: UUID, generation: int) -> dict[str, SavedFile]:
    """The files of a generation, by path."""
    rows = connection.execute(_READ, [workspace, generation, generation])
    return {
        path: SavedFile(path=path, size=size, mode=mode, mtime_ns=mtime_ns, ctime_ns=0, inode=0, pieces=tuple(pieces))
        for path, size, mode, mtime_ns, pieces in rows
    }


def is_same(before: SavedFile | None, now: SavedFile) -> bool:
    """Whether a file has the content and mode that it had; another time alone is no change."""
    return before is not None and (before.pieces, before.mode) == (now.pieces, now.mode)


def note_end(connection: Connection[TupleRow], workspace: UUID, generation: int, paths: Collection[str]) -> None:
    """Note that files are as they were only until a generation: they are changed in it, or gone."""
    connection.execute(_END, [generation, workspace, [*paths]])


def note_files(
    connection: Connection[TupleRow],
    workspace: UUID,
    since: int,
    files: Collection[SavedFile],
    until: int | None = None,
) -> None:
    """Note files as they are from one generation on, up to another one where that is known."""
    columns = [[getattr(file, name) for file in files] for name in ("path", "size", "mode")]
    # A broken date may be beyond what a `bigint` holds; the time of a file alone is no change of it.
    columns.append([max(-LATEST_CHANGE, min(file.mtime_ns, LATEST_CHANGE)) for file in files])
    ids = dict[str, int](connection.execute(_BEGIN, [workspace, since, until, *columns]).fetchall())
    named = ((ids[file.path], *piece) for file in files for piece in enumerate(map(bytes.fromhex, file.pieces)))
    # Not by COPY: the server would wait without an end for the rows of a process that stands still.
    while batch := [*islice(named, _BATCH)]:
        connection.execute(_NAME_PIECES, [workspace, *map(list, zip(*batch, strict=True))])
