"""Acts of persons: rows that a front writes, and a worker settles with the generation in which they are carried out.

An act is carried out once: until its row is settled, in the transaction that publishes, nobody has seen anything of it.
"""

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime
from uuid import UUID

from psycopg import Connection
from psycopg.rows import TupleRow
from psycopg.types.json import Jsonb
from pydantic import TypeAdapter

from pipeline.app.corrections import forget_in_index, own_words
from pipeline.corrections.correct import correct, corrected_report, correction
from pipeline.corrections.decide import accept, accepted_report, decline, declined_report
from pipeline.corrections.forget import forget
from pipeline.engine.context import Engine
from pipeline.engine.suggestions import waiting
from pipeline.errors import PipelineError
from pipeline.errors.fleet import CheckoutLost
from pipeline.fleet.checkout import Checkout
from pipeline.process.context import ProcessContext
from pipeline.reports.suggestions import SuggestionFilter, chosen
from schemas.fleet_act import AcceptAct, CorrectAct, DeclineAct, FleetAct, ForgetAct, SettledAct
from schemas.json_line import plain

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
UPDATE act SET state = %s, answer = %s, settled = %s, body = '{}' WHERE workspace_id = %s AND seq = %s AND state = 'waiting'
"""
_STATE = "SELECT state, answer FROM act WHERE workspace_id = %s AND seq = %s"
_ACT: TypeAdapter[FleetAct] = TypeAdapter(FleetAct)


def ask(connection: Connection[TupleRow], workspace: UUID, name: str, act: FleetAct, now: datetime) -> int:
    """Ask for an act; its number. Acts of a workspace are numbered in the order in which they become visible.

    Raises:
        CheckoutLost: the workspace was removed.
    """
    numbered = connection.execute(_NUMBER, [now, workspace]).fetchone()
    if numbered is None:
        raise CheckoutLost(name)
    connection.execute(_ASK, [workspace, numbered[0], act.kind, Jsonb(act.model_dump(mode="json")), now])
    return int(numbered[0])


def waiting_acts(connection: Connection[TupleRow], workspace: UUID) -> list[tuple[int, FleetAct]]:
    """The first acts that wait, in their order, each with its number."""
    rows = connection.execute(_WAITING, [workspace, AT_ONCE])
    return [(seq, _ACT.validate_python(body)) for seq, body in rows]


def carry_out(engine: Engine, context: ProcessContext, seq: int, act: FleetAct) -> SettledAct:
    """Carry out an act on the workspace of an engine; an expected error is its answer."""
    try:
        return SettledAct(seq=seq, refused=False, answer=plain(_carried_out(engine, context, act)))
    except PipelineError as error:
        return SettledAct(seq=seq, refused=True, answer={"error": str(error), "exit_code": error.exit_code})


def _carried_out(engine: Engine, context: ProcessContext, act: FleetAct) -> object:
    """The report on an act, as the command of the same name gives it."""
    match act:
        case CorrectAct():
            meant = correction(engine, act.id, act.words, act.title)
            return corrected_report(meant, correct(engine, meant))
        case AcceptAct():
            suggestions = chosen(waiting(engine), [act.id], SuggestionFilter())
            text = own_words(engine, suggestions[0], act.text) if act.text else ""
            return accepted_report(suggestions, accept(engine, suggestions, text))
        case DeclineAct():
            suggestions = chosen(waiting(engine), [act.id], SuggestionFilter())
            return declined_report(suggestions, decline(engine, suggestions))
        case ForgetAct():
            receipt = forget(engine, act.id)
            forget_in_index(engine.workspace.root, context)
            # An id is made of the words of its entry, and the answer stays in the database.
            return replace(receipt, entry_id=receipt.stand_in, also=())


def settle_acts(
    connection: Connection[TupleRow], checkout: Checkout, settled: Iterable[SettledAct], now: datetime
) -> None:
    """Write the answers of acts, in the transaction that has passed the fence; what was asked need not be kept."""
    for one in settled:
        state = "refused" if one.refused else "done"
        connection.execute(_SETTLE, [state, Jsonb(one.answer), now, checkout.workspace, one.seq])
