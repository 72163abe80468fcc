"""Acts of persons: rows that a front writes, and a worker settles with the generation in which they are carried out.

An act is carried out once: until its row is settled, in the transaction that publishes, nobody has seen anything of it.
"""

from collections.abc import Iterable
from datetime import datetime
from uuid import UUID

from psycopg import Connection
from psycopg.rows import TupleRow
from psycopg.types.json import Jsonb
from pydantic import TypeAdapter

from pipeline.errors.fleet import CheckoutLost
from pipeline.fleet.checkout import Checkout
from schemas.fleet_act import FleetAct, SettledAct
from schemas.reports.fleet import FleetActReport

AT_ONCE = 100
"""Acts of a workspace that are read at once."""

_NUMBER = """
UPDATE workspace SET acts = acts + 1, next_due = least(next_due, %s) WHERE id = %s RETURNING acts
"""
_ASK = "INSERT INTO act (workspace_id, seq, kind, body, asked) VALUES (%s, %s, %s, %s, %s)"
_WAITING = """
SELECT seq, body FROM act WHERE workspace_id = %s AND state = 'waiting' ORDER BY seq LIMIT %s
"""
_SETTLE = """
UPDATE act SET state = %s, answer = %s, settled = %s, body = '{}'
WHERE workspace_id = %s AND seq = %s AND state = 'waiting'
"""
_READ = "SELECT seq, kind, state, answer, asked, settled FROM act WHERE workspace_id = %s AND seq = %s"
_DROP_PUSH = "DELETE FROM generation WHERE workspace_id = %s AND number = %s"
_ACT: TypeAdapter[FleetAct] = TypeAdapter(FleetAct)


def ask(connection: Connection[TupleRow], workspace: UUID, name: str, act: FleetAct, now: datetime) -> int:
    """Ask for an act; its number. Acts of a workspace are numbered in the order in which they become visible."""
    numbered = connection.execute(_NUMBER, [now, workspace]).fetchone()
    if numbered is None:
        raise CheckoutLost(name)
    connection.execute(_ASK, [workspace, numbered[0], act.kind, Jsonb(act.model_dump(mode="json")), now])
    return int(numbered[0])


def waiting_acts(connection: Connection[TupleRow], workspace: UUID) -> list[tuple[int, FleetAct]]:
    """The first acts that wait, in their order, each with its number."""
    rows = connection.execute(_WAITING, [workspace, AT_ONCE])
    return [(seq, _ACT.validate_python(body)) for seq, body in rows]


def read_act(connection: Connection[TupleRow], workspace: UUID, seq: int) -> FleetActReport | None:
    """An act of a workspace, with its answer once there is one; `None` where none has this number any more."""
    row = connection.execute(_READ, [workspace, seq]).fetchone()
    return FleetActReport(*row) if row else None


def settle_acts(
    connection: Connection[TupleRow], checkout: Checkout, settled: Iterable[SettledAct], now: datetime
) -> None:
    """Write the answers of acts, in the transaction that has passed the fence; what was asked goes."""
    for one in settled:
        state = "refused" if one.refused else "done"
        connection.execute(_SETTLE, [state, Jsonb(one.answer), now, checkout.workspace, one.seq])
        connection.execute(_DROP_PUSH, [checkout.workspace, -one.seq])
