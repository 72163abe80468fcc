"""The pieces of a workspace in the database: added within the transaction that publishes, read in any order."""

import hashlib
from collections.abc import Generator, Sequence
from dataclasses import dataclass, field
from typing import BinaryIO
from uuid import UUID

from psycopg import Connection
from psycopg.rows import TupleRow

from pipeline.backup.pieces import SIZE, compress_piece, restore_piece

_BATCH = 256  # pieces that are sent at once: 16 MiB at most
_PASSED = 1024  # pieces that are there after which the server hears of us: it ends a transaction that stands still
_ADD = """
INSERT INTO piece (workspace_id, hash, content)
SELECT %s, given.* FROM unnest(%b::bytea[], %b::bytea[]) AS given ON CONFLICT DO NOTHING
RETURNING length(content)
"""
_READ = """
SELECT piece.content FROM unnest(%b::bytea[]) WITH ORDINALITY AS wanted (hash, place)
LEFT JOIN piece ON piece.workspace_id = %s AND piece.hash = wanted.hash ORDER BY wanted.place
"""


@dataclass
class PieceWriter:
    """Adds pieces of one workspace within a transaction; those that are `there` need no adding.

    `added` are the compressed sizes of those that were.
    """

    connection: Connection[TupleRow]
    workspace: UUID
    there: set[str]
    added: list[int] = field(default_factory=list)
    _waiting: dict[str, bytes] = field(default_factory=dict)
    _passed: int = 0

    def add_all(self, stream: BinaryIO) -> tuple[str, ...]:
        """Add the pieces of a stream; their names in its order. Some wait until `flush`."""
        return tuple(self._add(data) for data in iter(lambda: stream.read(SIZE), b""))

    def _add(self, data: bytes) -> str:
        name = hashlib.sha256(data).hexdigest()
        if name not in self.there:
            self.there.add(name)
            self._waiting[name] = compress_piece(data)
            if len(self._waiting) >= _BATCH:
                self.flush()
        else:
            self._passed += 1
            if self._passed % _PASSED == 0:
                self.connection.execute("SELECT")
        return name

    def flush(self) -> None:
        """Send the pieces that wait."""
        if self._waiting:
            given = [bytes.fromhex(name) for name in self._waiting], [*self._waiting.values()]
            self.added += (size for (size,) in self.connection.execute(_ADD, [self.workspace, *given]))
            self._waiting.clear()


def read_pieces(connection: Connection[TupleRow], workspace: UUID, names: Sequence[str]) -> Generator[bytes]:
    """The bytes of pieces in the order of their names, as they come from the database.

    Raises:
        ValueError: a piece is missing, or is not what its name says.
    """
    wanted = [bytes.fromhex(name) for name in names]
    with connection.cursor() as cursor:
        for name, (content,) in zip(names, cursor.stream(_READ, [wanted, workspace], binary=True), strict=True):
            yield restore_piece(name, content or b"")
