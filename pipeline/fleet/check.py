"""The check of a fleet: every piece is read, and every file of a generation has all of its pieces."""

from collections.abc import Iterator

from psycopg import Connection
from psycopg.rows import TupleRow

from pipeline.backup.pieces import SIZE, restore_piece

_WORKSPACES = "SELECT id, name FROM workspace ORDER BY name"
# Of one workspace by its key: to sort the pieces of all would take the room of all on the disk of the server.
_READ = "SELECT encode(hash, 'hex'), content FROM piece WHERE workspace_id = %s ORDER BY hash"
_INCOMPLETE = """
SELECT path, since FROM manifest LEFT JOIN manifest_piece ON manifest_id = manifest.id
WHERE manifest.workspace_id = %s GROUP BY manifest.id
HAVING count(ordinal) <> ceil(size / %s::numeric) OR count(ordinal) <> coalesce(max(ordinal) + 1, 0)
ORDER BY path
"""
_WITHOUT_NEWEST = """
SELECT name, workspace.generation FROM workspace
LEFT JOIN generation ON workspace_id = id AND number = workspace.generation
WHERE workspace.generation > 0 AND number IS NULL ORDER BY name
"""


def check_pieces(connection: Connection[TupleRow]) -> tuple[int, list[str]]:
    """Read every piece; how many there are, and a sentence for each that cannot be used."""
    damaged, number = list[str](), 0
    for workspace, owner in connection.execute(_WORKSPACES).fetchall():
        with connection.cursor() as cursor:
            for name, content in cursor.stream(_READ, [workspace]):
                number += 1
                try:
                    restore_piece(name, content)
                except ValueError as error:
                    damaged.append(f"{owner}: the piece {name} {error}")
    return number, damaged


def check_generations(connection: Connection[TupleRow]) -> Iterator[str]:
    """A sentence for each file that has not all of its pieces, and each workspace without its newest generation."""
    for workspace, owner in connection.execute(_WORKSPACES).fetchall():
        for path, since in connection.execute(_INCOMPLETE, [workspace, SIZE]):
            yield f"{owner}: {path} of generation {since} does not have all of its pieces"
    for owner, generation in connection.execute(_WITHOUT_NEWEST):
        yield f"{owner}: generation {generation}, the newest, is missing"
