"""The check of a fleet: every piece is read, and every file of a generation has all of its pieces."""

from collections.abc import Iterator

from psycopg import Connection
from psycopg.rows import TupleRow

from pipeline.backup.pieces import SIZE, restore_piece

_READ_ALL = """
SELECT name, encode(hash, 'hex'), content FROM piece JOIN workspace ON workspace.id = workspace_id ORDER BY name, hash
"""
_INCOMPLETE = """
SELECT name, path, since FROM manifest JOIN workspace ON workspace.id = manifest.workspace_id
LEFT JOIN manifest_piece ON manifest_id = manifest.id
GROUP BY name, manifest.id
HAVING count(ordinal) <> ceil(size / %s::numeric) OR count(ordinal) <> coalesce(max(ordinal) + 1, 0)
ORDER BY name, path
"""
_WITHOUT_NEWEST = """
SELECT name, workspace.generation FROM workspace
LEFT JOIN generation ON workspace_id = id AND number = workspace.generation
WHERE workspace.generation > 0 AND number IS NULL ORDER BY name
"""


def check_pieces(connection: Connection[TupleRow]) -> tuple[int, list[str]]:
    """Read every piece; how many there are, and a sentence for each that cannot be used."""
    damaged, number = list[str](), 0
    with connection.cursor() as cursor:
        for workspace, name, content in cursor.stream(_READ_ALL):
            number += 1
            try:
                restore_piece(name, content)
            except ValueError as error:
                damaged.append(f"{workspace}: the piece {name} {error}")
    return number, damaged


def check_generations(connection: Connection[TupleRow]) -> Iterator[str]:
    """A sentence for each file that has not all of its pieces, and each workspace without its newest generation."""
    for workspace, path, since in connection.execute(_INCOMPLETE, [SIZE]):
        yield f"{workspace}: {path} of generation {since} does not have all of its pieces"
    for workspace, generation in connection.execute(_WITHOUT_NEWEST):
        yield f"{workspace}: generation {generation}, the newest, is missing"
