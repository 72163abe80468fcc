"""Carrying acts out on a workspace that is checked out, as the commands of the same names do."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from pipeline.app.agents import change_memory, propose_correction
from pipeline.app.corrections import own_words, undo_reported, undo_run
from pipeline.backfill.plan import in_days, work_through
from pipeline.corrections.correct import correct, corrected_report, correction
from pipeline.corrections.decide import accept, accepted_report, decline, declined_report, require_written, take_back
from pipeline.corrections.entities import change_names
from pipeline.corrections.forget_subject import (
    find_matcher,
    find_traces,
    find_words,
    forget_subject,
    wordless_fields,
)
from pipeline.corrections.page_lines import edit_line
from pipeline.engine.context import Engine
from pipeline.engine.runner import Runner
from pipeline.engine.suggestions import waiting
from pipeline.errors import (
    NameRefused,
    PipelineError,
    RequestRefused,
    SettingsInvalid,
    UndoRefused,
    UnknownEntry,
    UnknownSuggestion,
)
from pipeline.errors.agents import AgentRefused
from pipeline.errors.corrections import CorrectionFailed, CorrectionRefused, TopicUnknown
from pipeline.errors.fleet import ActForgotten, PushConflicts, PushOutdated, PushUnusable
from pipeline.errors.service import NothingWritten, PageError
from pipeline.fleet.acts import count_try, read_earlier_acts
from pipeline.fleet.checkout import Checkout
from pipeline.fleet.database import FleetDatabase
from pipeline.fleet.pushes import PushedFiles
from pipeline.fleet.questions import SliceQuestions
from pipeline.process.context import ProcessContext
from pipeline.reports.suggestions import SuggestionFilter, chosen
from pipeline.scheduling.registry import jobs_named
from schemas.correction import UndoSort
from schemas.detail import storable
from schemas.fleet_act import (
    AcceptAct,
    BackfillAct,
    CorrectAct,
    DeclineAct,
    ForgetAct,
    MemoryAct,
    PushAct,
    SettledAct,
    ShortAct,
    TakeBackAct,
    UndoAct,
)
from schemas.json_line import json_line
from schemas.outcome import SUCCESSES, Ending, Outcome

_ANSWERS = (
    AgentRefused,
    CorrectionFailed,
    CorrectionRefused,
    NameRefused,
    PageError,
    PushConflicts,
    PushOutdated,
    PushUnusable,
    RequestRefused,
    SettingsInvalid,
    UndoRefused,
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
    outdated: dict[int, SettledAct] = field(default_factory=dict)
    """The answers of earlier acts that name what this slice has forgotten: they are not to bring it back."""

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
        self, seq: int, act: BackfillAct, endings: dict[Ending, Outcome], is_over: Callable[[], bool]
    ) -> SettledAct | None:
        """Run windows of a back-fill until the slice is over; `None` while some are left that a later slice can run.

        What has been run is covered in the ledger, so the next slice goes on behind it, whoever has it. Its endings are
        added to those of the slice, each with the first run that ended so. Errors are as of `run`.
        """
        with count_try(self.database, self.checkout, seq, self.context.clock.now()):
            return self._run_days(seq, act, endings, is_over)

    def _run_days(
        self, seq: int, act: BackfillAct, endings: dict[Ending, Outcome], is_over: Callable[[], bool]
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
            endings.setdefault(outcome.ending, outcome)
            if is_over() and own & SUCCESSES:  # else the next slice would try the same again
                return None
        if self.questions.waits and Ending.WAITING in own:
            return None
        left = len(in_days(engine, jobs, act.first, act.last))
        return SettledAct(seq=seq, refused=False, answer={"left": left})

    def _report(self, seq: int, act: ShortAct) -> object:
        """The report on an act, as the command of the same name gives it."""
        if isinstance(act, PushAct):
            pushed = PushedFiles(self.database, self.checkout.workspace, act.base, seq)
            return {"paths": pushed.merge_into(self.engine)}
        if isinstance(act, ForgetAct):
            words, report = find_words(self.engine, act), _forget(self.engine, act)
            with self.database.transaction() as connection:
                earlier = read_earlier_acts(connection, self.checkout.workspace, seq)
            named = (number for number, body in earlier if words.answered_in(body))
            self.outdated.update({number: refuse_act(number, ActForgotten(number)) for number in named})
            return report
        return _WAYS[act.kind](self.engine, act)


def _correct(engine: Engine, act: CorrectAct) -> object:
    meant = correction(engine, act.id, act.words, act.title)
    return corrected_report(meant, correct(engine, meant))


def _accept(engine: Engine, act: AcceptAct) -> object:
    suggestions = chosen(waiting(engine), [act.id], SuggestionFilter())
    text = own_words(engine, suggestions[0], act.text) if act.text else ""
    report = accepted_report(suggestions, outcomes := accept(engine, suggestions, text))
    require_written(engine, report, outcomes)
    return report


def _decline(engine: Engine, act: DeclineAct) -> object:
    suggestions = chosen(waiting(engine), [act.id], SuggestionFilter())
    return declined_report(suggestions, decline(engine, suggestions))


def _take_back(engine: Engine, act: TakeBackAct) -> object:
    take_back(engine, [act.id], act.run_ids)
    return {"ids": (act.id,)}


def _forget(engine: Engine, act: ForgetAct) -> object:
    """Forget what is there still; the answer stays in the database, and so has no words of what went."""
    find_traces(engine, act)
    matcher = find_matcher(engine, act)
    return wordless_fields(forget_subject(engine, act), matcher)


def _undo(engine: Engine, act: UndoAct) -> object:
    if act.sort is UndoSort.RUN:
        return undo_run(engine, act.name)
    return replace(undo_reported(engine, act.sort, act.name), changes=())  # which may be as large as the workspace


def _change_memory(engine: Engine, act: MemoryAct) -> object:
    """Change the memory of an agent, if the gate does not refuse it."""
    answer = change_memory(engine, act)
    if answer.result == "refused" or (act.change.operation.pins and answer.result == "unchanged"):
        raise NothingWritten([answer.message])
    return answer


_WAYS: Mapping[str, Callable[[Engine, Any], object]] = {
    "correct": _correct,
    "accept": _accept,
    "decline": _decline,
    "take_back": _take_back,
    "undo": _undo,
    "edit_line": lambda engine, act: {"run_id": edit_line(engine, act.line, act.text, act.edit).run_id},
    "merge": lambda engine, act: change_names(engine, act.kind, act.name, act.other),
    "split": lambda engine, act: change_names(engine, act.kind, act.name, act.other),
    "memory": _change_memory,
    "propose": propose_correction,
}
"""By the kind of an act how it is carried out."""


def refuse_act(seq: int, error: PipelineError) -> SettledAct:
    """The answer that an act was not carried out.

    It names no entry and no topic: an id is made of words, and the answer may come after the forgetting of them.
    """
    text = str(error)
    if isinstance(error, UnknownEntry | UnknownSuggestion):
        text = f"There is no such {error.sort}."
    elif isinstance(error, TopicUnknown):
        text = "Nothing that the memory wrote has these names."
    return SettledAct(seq=seq, refused=True, answer={"error": storable(text), "exit_code": error.exit_code})
