"""Acts of persons: rows that a front writes, and a worker settles with the generation in which they are carried out.

An act is carried out once: until its row is settled, in the transaction that publishes, nobody has seen anything of it.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from uuid import UUID

from psycopg import Connection
from psycopg.rows import TupleRow
from psycopg.types.json import Jsonb
from pydantic import TypeAdapter, ValidationError

from pipeline.errors import PipelineError
from pipeline.errors.fleet import ActBroken, ActTooLong, ActUnknown, CheckoutLost, TooManyActs, WorkspaceTakenOut
from pipeline.fleet.checkout import Checkout, drop_unnamed
from pipeline.fleet.database import FleetDatabase
from schemas.detail import storable
from schemas.fleet_act import BackfillAct, FleetAct, MemoryAct, ProposeAct, SettledAct, ShortAct
from schemas.reports.fleet import FleetActReport

MOST_WAITING_ACTS = 1_000
"""Acts of a workspace that wait at most."""
MOST_WAITING_OF_AGENTS = 100
"""Those of its agents among them: one that goes astray must leave room for the owner's."""
LONGEST_ACT = 20_000
"""Characters of an act at most; one thing that is said has far less."""
ANSWERS_KEPT_FOR = timedelta(days=30)
"""How long the answer of an act is kept."""
MOST_TRIES = 2
"""Times that an act is begun, and its worker dies or meets a bug, before it is refused."""
MOST_FAILURES = 3
"""Times in a row that an act meets the same error of the machine, before it is set aside."""
ACTS_AT_ONCE = 100
"""Acts of a workspace that are read at once."""

_NUMBER = """
UPDATE workspace SET acts = acts + 1, next_due = least(next_due, %s) WHERE id = %s RETURNING acts
"""
_ASK = "INSERT INTO act (workspace_id, seq, kind, asker, body, asked) VALUES (%s, %s, %s, %s, %s, %s)"
_LAST_ALLOWED = """
SELECT FROM act WHERE workspace_id = %s AND state IN ('waiting', 'aside') AND (%s OR asker <> '') LIMIT 1 OFFSET %s
"""
_ASKED = "SELECT acts FROM workspace WHERE id = %s"
_WAITING = """
SELECT seq, body, tried, failures >= %s AND (failing < %s) IS NOT TRUE FROM act
WHERE workspace_id = %s AND state = 'waiting' AND (kind = 'backfill') = %s
ORDER BY seq LIMIT %s
"""
_EARLIER = """
SELECT seq, body::text FROM act WHERE workspace_id = %s AND seq < %s AND state IN ('waiting', 'aside')
"""
_TRY = """
UPDATE act SET tried = CASE WHEN %(begins)s THEN tried + 1 ELSE 0 END,
  failures = CASE WHEN %(begins)s THEN failures ELSE 0 END
WHERE workspace_id = %(workspace)s AND seq = %(seq)s
  AND EXISTS (SELECT FROM workspace WHERE id = workspace_id AND epoch = %(epoch)s)
"""
_FAIL = """
UPDATE act SET tried = 0, failure = %(failure)s,
  failures = CASE WHEN failure = %(failure)s THEN failures + 1 ELSE 1 END,
  failing = CASE WHEN failure = %(failure)s THEN failing ELSE %(now)s END
WHERE workspace_id = %(workspace)s AND seq = %(seq)s AND state = 'waiting'
  AND EXISTS (SELECT FROM workspace WHERE id = workspace_id AND epoch = %(epoch)s)
"""
_SET_ASIDE = """
UPDATE act SET state = 'aside' WHERE workspace_id = %s AND state = 'waiting' AND failures >= %s AND failing < %s
"""
# Not forgetting, which nothing shall keep waiting: what wants to change the entry finds later that it has gone.
_FOLLOW = """
UPDATE act SET state = 'aside' WHERE workspace_id = %s AND seq >= %s AND state = 'waiting' AND kind <> 'forget'
AND EXISTS (
  SELECT FROM act AS earlier WHERE earlier.workspace_id = act.workspace_id AND earlier.state = 'aside'
  AND earlier.seq < act.seq
  AND coalesce(earlier.body ->> 'id', earlier.body #>> '{change,line}')
    = nullif(coalesce(act.body ->> 'id', act.body #>> '{change,line}'), '')
)
"""
_SETTLE = """
UPDATE act SET state = %(state)s, settled = %(now)s, body = '{}', failure = '',
  answer = CASE WHEN kind = 'forget' OR NOT %(forgot)s THEN %(answer)s ELSE '{}' END
WHERE workspace_id = %(workspace)s AND seq = %(seq)s AND state IN ('waiting', 'aside')
"""
_READ = """
SELECT seq, kind, act.state, answer, asked, settled, workspace.state = 'parked'
FROM act JOIN workspace ON id = workspace_id
WHERE workspace_id = %s AND seq = %s AND (%s::text IS NULL OR asker = %s)
"""
_DECISIONS = """
SELECT body->>'id', seq, kind, act.state, answer, asked, settled, workspace.state = 'parked'
FROM act JOIN workspace ON id = workspace_id
WHERE workspace_id = %s AND act.state IN ('waiting', 'aside')
AND kind IN ('accept', 'decline', 'take_back') ORDER BY seq
"""
_DROP_SETTLED = "DELETE FROM act WHERE workspace_id = %s AND settled < %s"
_DROP_PUSH = "DELETE FROM generation WHERE workspace_id = %s AND number = %s"
_ACT: TypeAdapter[FleetAct] = TypeAdapter(FleetAct)


def ask(connection: Connection[TupleRow], workspace: UUID, name: str, act: FleetAct, now: datetime) -> int:
    """Ask for an act; its number. Acts of a workspace are numbered in the order in which they become visible.

    It is refused where it is too long, or too many wait already; of those of agents there are fewer.
    """
    body = act.model_dump_json()
    if len(body) > LONGEST_ACT:
        raise ActTooLong(LONGEST_ACT)
    numbered = connection.execute(_NUMBER, [now, workspace]).fetchone()
    if numbered is None:
        raise WorkspaceTakenOut(name)
    asker = act.asker if isinstance(act, MemoryAct | ProposeAct) else ""
    for most in (MOST_WAITING_ACTS, *([MOST_WAITING_OF_AGENTS] if asker else [])):
        if connection.execute(_LAST_ALLOWED, [workspace, most == MOST_WAITING_ACTS, most - 1]).rowcount:
            raise TooManyActs(most)
    connection.execute(_ASK, [workspace, numbered[0], act.kind, asker, body, now])
    connection.execute(_FOLLOW, [workspace, numbered[0]])
    return int(numbered[0])


@dataclass(frozen=True)
class WaitingActs:
    """The first acts that wait, each with its number, in their order. Later ones than `newest` were asked meanwhile.

    Those that are `held` are not tried before other work has ended well: it may be they that fail, or the machine.
    """

    newest: int
    held: list[int] = field(default_factory=list)
    short: list[tuple[int, ShortAct]] = field(default_factory=list)
    backfills: list[tuple[int, BackfillAct]] = field(default_factory=list)


def read_waiting_acts(
    connection: Connection[TupleRow], workspace: UUID, went_on: datetime | None = None
) -> WaitingActs:
    """The first acts that wait, up to those that this program does not know; an error if that is the first one.

    `ActBroken` names one that has been tried too often. One that met an error again and again is held, if no work of
    the machine `went_on` since, and so are later ones that change the same entry.
    """
    (newest,) = connection.execute(_ASKED, [workspace]).fetchone() or (0,)
    waiting, about = WaitingActs(newest), set[str]()
    for is_backfill in (False, True):
        values = [MOST_FAILURES, went_on, workspace, is_backfill, ACTS_AT_ONCE]
        for seq, body, tried, is_failing in connection.execute(_WAITING, values):
            if tried >= MOST_TRIES:
                raise ActBroken(seq)
            entry = body.get("id") or body.get("change", {}).get("line", "")
            if is_failing or (entry in about and body["kind"] != "forget"):
                about |= {entry} if entry else set()
                waiting.held.append(seq)
                continue
            try:
                act = _ACT.validate_python(body)
            except ValidationError as error:
                if waiting.short or waiting.backfills:
                    return waiting  # the ones before it first
                raise ActUnknown(seq) from error
            if isinstance(act, BackfillAct):
                waiting.backfills.append((seq, act))
            else:
                waiting.short.append((seq, act))
    return waiting


def read_earlier_acts(connection: Connection[TupleRow], workspace: UUID, seq: int) -> list[tuple[int, str]]:
    """The acts that were asked for before another one and are not settled, each with its number and its JSON."""
    return [(number, body) for number, body in connection.execute(_EARLIER, [workspace, seq])]


@contextmanager
def count_try(database: FleetDatabase, checkout: Checkout, seq: int, now: datetime) -> Iterator[None]:
    """Count an act as tried, until work on it comes to an end: an expected error may be one, and a bug is none.

    The error is noted with the act, with the number of times that it came in a row.
    """
    fence = {"workspace": checkout.workspace, "seq": seq, "epoch": checkout.epoch}
    with database.transaction() as connection:
        if not connection.execute(_TRY, {"begins": True, **fence}).rowcount:
            raise CheckoutLost(checkout.name)
    expected = None
    try:
        yield
    except PipelineError as error:
        expected = error
    with database.transaction() as connection:
        if expected:
            connection.execute(_FAIL, {"failure": storable(str(expected)), "now": now, **fence})
        else:
            connection.execute(_TRY, {"begins": False, **fence})
    if expected:
        raise expected


def set_failing_aside(connection: Connection[TupleRow], workspace: UUID, went_on: datetime) -> bool:
    """Set the act of a workspace aside that met one error of the machine again and again, while other work `went_on`.

    Whether there was such an act. Later ones that change the same entry go with it, so that the last words hold. The
    row of the workspace is locked.
    """
    if not connection.execute(_SET_ASIDE, [workspace, MOST_FAILURES, went_on]).rowcount:
        return False
    connection.execute(_FOLLOW, [workspace, 0])
    return True


def read_act(
    connection: Connection[TupleRow], workspace: UUID, seq: int, asker: str | None = None
) -> FleetActReport | None:
    """An act of a workspace, with its answer once there is one; `None` where none has this number any more.

    With the name of an agent as `asker`, it is `None` for what others have asked too.
    """
    row = connection.execute(_READ, [workspace, seq, asker, asker]).fetchone()
    return FleetActReport(*row) if row else None


def read_decisions(connection: Connection[TupleRow], workspace: UUID) -> dict[str, FleetActReport]:
    """The acts to come that decide about suggestions, by the ids of these; of several about the same the last."""
    return {suggestion: FleetActReport(*row) for suggestion, *row in connection.execute(_DECISIONS, [workspace])}


def settle_acts(
    connection: Connection[TupleRow],
    checkout: Checkout,
    settled: Iterable[SettledAct],
    now: datetime,
    *,
    forgot: bool,
) -> None:
    """Write the answers of acts, in the transaction that has passed the fence; what was asked goes, and old answers do.

    Where the slice `forgot` something, no other answer of it is kept than those of forgetting: it may have the words.
    """
    connection.execute(_DROP_SETTLED, [checkout.workspace, now - ANSWERS_KEPT_FOR])
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
        if connection.execute(_DROP_PUSH, [checkout.workspace, -one.seq]).rowcount:
            drop_unnamed(connection, checkout.workspace)
