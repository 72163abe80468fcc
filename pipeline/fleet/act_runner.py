"""Carrying acts out on a workspace that is checked out, as the commands of the same names do."""

import json
from collections.abc import Callable
from dataclasses import dataclass, replace

from pipeline.app.corrections import own_words
from pipeline.backfill.plan import in_days, work_through
from pipeline.corrections.correct import correct, corrected_report, correction
from pipeline.corrections.decide import accept, accepted_report, decline, declined_report
from pipeline.corrections.forget import forget
from pipeline.engine.context import Engine
from pipeline.engine.runner import Runner
from pipeline.engine.suggestions import waiting
from pipeline.errors import (
    NameRefused,
    PipelineError,
    RequestRefused,
    SettingsInvalid,
    UnknownEntry,
    UnknownSuggestion,
)
from pipeline.errors.agents import AgentRefused
from pipeline.errors.corrections import CorrectionFailed, CorrectionRefused
from pipeline.errors.fleet import PushConflicts, PushOutdated, PushUnusable
from pipeline.fleet.acts import count_try
from pipeline.fleet.checkout import Checkout
from pipeline.fleet.database import FleetDatabase
from pipeline.fleet.pushes import PushedFiles
from pipeline.fleet.questions import SliceQuestions
from pipeline.process.context import ProcessContext
from pipeline.reports.suggestions import SuggestionFilter, chosen
from pipeline.scheduling.registry import jobs_named
from schemas.fleet_act import AcceptAct, BackfillAct, CorrectAct, DeclineAct, ForgetAct, PushAct, SettledAct, ShortAct
from schemas.json_line import json_line
from schemas.outcome import SUCCESSES, Ending

_ANSWERS = (
    AgentRefused,
    CorrectionFailed,
    CorrectionRefused,
    NameRefused,
    PushConflicts,
    PushOutdated,
    PushUnusable,
    RequestRefused,
    SettingsInvalid,
)
"""Errors that are an answer to a person. With any other the slice is given up, and the act waits for the next one."""


@dataclass(frozen=True)
class ActRunner:
    """Carries out acts on a checkout, whose folder the engine has open."""

    engine: Engine
    context: ProcessContext
    database: FleetDatabase
    checkout: Checkout
    questions: SliceQuestions

    def run(self, seq: int, act: ShortAct) -> SettledAct:
        """Carry out an act; what a person cannot have is its answer.

        Any other error says that the machine or the database cannot be used now, or is a bug.
        """
        with count_try(self.database, self.checkout, seq, self.context.clock.now()):
            try:
                answer = json.loads(json_line(self._report(seq, act)).replace("\\u0000", "\\ufffd"))
            except _ANSWERS as error:
                return refuse_act(seq, error)
        return SettledAct(seq=seq, refused=False, answer=answer)

    def run_backfill(
        self, seq: int, act: BackfillAct, endings: set[Ending], is_over: Callable[[], bool]
    ) -> SettledAct | None:
        """Run windows of a back-fill until the slice is over; `None` while some are left that a later slice can run.

        What has been run is covered in the ledger, so the next slice goes on behind it, whoever has it. Its endings are
        added to those of the slice. Errors are as of `run`.
        """
        with count_try(self.database, self.checkout, seq, self.context.clock.now()):
            return self._run_days(seq, act, endings, is_over)

    def _run_days(
        self, seq: int, act: BackfillAct, endings: set[Ending], is_over: Callable[[], bool]
    ) -> SettledAct | None:
        engine, own = self.engine, set[Ending]()
        try:
            jobs = jobs_named([*act.jobs], engine.jobs)
        except PipelineError as error:
            return refuse_act(seq, error)
        plan = in_days(engine, jobs, act.first, act.last)
        self.questions.collect_ahead(engine, plan)
        for outcome in work_through(Runner(engine), plan, again=True):
            own.add(outcome.ending)
            endings.add(outcome.ending)
            if is_over() and own & SUCCESSES:  # else the next slice would try the same again
                return None
        if self.questions.waits and Ending.WAITING in own:
            return None
        left = len(in_days(engine, jobs, act.first, act.last))
        return SettledAct(seq=seq, refused=False, answer={"left": left})

    def _report(self, seq: int, act: ShortAct) -> object:
        """The report on an act, as the command of the same name gives it."""
        engine = self.engine
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
                # An id is made of the words of its entry, and the answer stays in the database.
                return replace(receipt, entry_id=receipt.stand_in, also=())
            case PushAct():
                pushed = PushedFiles(self.database, self.checkout.workspace, act.base, seq)
                return {"paths": pushed.merge_into(engine)}


def refuse_act(seq: int, error: PipelineError) -> SettledAct:
    """The answer that an act was not carried out.

    It names no entry: an id is made of words, and the answer may come after the forgetting of them.
    """
    text = str(error)
    if isinstance(error, UnknownEntry | UnknownSuggestion):
        text = f"There is no such {error.sort}."
    text = text.replace("\0", "\ufffd")  # which the database cannot keep
    return SettledAct(seq=seq, refused=True, answer={"error": text, "exit_code": error.exit_code})
