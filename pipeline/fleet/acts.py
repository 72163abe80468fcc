"""Acts of persons: rows that a front writes, and a worker settles with the generation in which they are carried out.

An act is carried out once: until its row is settled, in the transaction that publishes, nobody has seen anything of it.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from psycopg import Connection
from psycopg.rows import TupleRow
from psycopg.types.json import Jsonb
from pydantic import TypeAdapter, ValidationError

from pipeline.errors.fleet import ActUnknown, CheckoutLost
from pipeline.fleet.checkout import Checkout
from schemas.fleet_act import FleetAct, SettledAct
from schemas.reports.fleet import FleetActReport

AT_ONCE = 100
"""Acts of a workspace that are read at once."""

_NUMBER = """
UPDATE workspace SET acts = acts + 1, next_due = least(next_due, %s) WHERE id = %s RETURNING acts
"""
_ASK = "INSERT INTO act (workspace_id, seq, kind, body, asked) VALUES (%s, %s, %s, %s, %s)"
_ASKED = "SELECT acts FROM workspace WHERE id = %s"
_SHORT = """
SELECT seq, body FROM act WHERE workspace_id = %s AND state = 'waiting' AND kind <> 'backfill' ORDER BY seq LIMIT %s
"""
_LONG = """
SELECT seq, body FROM act WHERE workspace_id = %s AND state = 'waiting' AND kind = 'backfill' ORDER BY seq LIMIT %s
"""
_SETTLE = """
UPDATE act SET state = %(state)s, settled = %(now)s, body = '{}',
  answer = CASE WHEN kind = 'forget' OR NOT %(forgot)s THEN %(answer)s ELSE '{}' END
WHERE workspace_id = %(workspace)s AND seq = %(seq)s AND state = 'waiting'
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


@dataclass(frozen=True)
class WaitingActs:
    """The first acts that wait, each with its number: short ones in their order, then back-fills in theirs.

    Later ones than `newest` were asked for meanwhile.
    """

    acts: list[tuple[int, FleetAct]] = field(default_factory=list)
    newest: int = 0


def waiting_acts(connection: Connection[TupleRow], workspace: UUID) -> WaitingActs:
    """The first acts that wait, up to those that this program does not know; an error if that is the first one."""
    (newest,) = connection.execute(_ASKED, [workspace]).fetchone() or (0,)
    waiting = WaitingActs(newest=newest)
    for query in (_SHORT, _LONG):
        for seq, body in connection.execute(query, [workspace, AT_ONCE]):
            try:
                waiting.acts.append((seq, _ACT.validate_python(body)))
            except ValidationError as error:
                if waiting.acts:
                    return waiting  # the ones before it first
                raise ActUnknown(seq) from error
    return waiting


def read_act(connection: Connection[TupleRow], workspace: UUID, seq: int) -> FleetActReport | None:
    """An act of a workspace, with its answer once there is one; `None` where none has this number any more."""
    row = connection.execute(_READ, [workspace, seq]).fetchone()
    return FleetActReport(*row) if row else None


def settle_acts(
    connection: Connection[TupleRow],
    checkout: Checkout,
    settled: Iterable[SettledAct],
    now: datetime,
    *,
    forgot: bool,
) -> None:
    """Write the answers of acts, in the transaction that has passed the fence; what was asked goes.

    Where the slice `forgot` something, no other answer of it is kept than those of forgetting: it may have the words.
    """
    for one in settled:
        values = {
            "state": "refused" if one.refused else "done",
            "answer": Jsonb(one.answer),
            "now": now,
            "forgot": forgot,
            "workspace": checkout.workspace,
            "seq": one.seq,
        }
        connection.execute(_SETTLE, values)
        connection.execute(_DROP_PUSH, [checkout.workspace, -one.seq])
