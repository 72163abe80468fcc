"""Requests about agents' own memory: a change, kept before it is made, and a new agent in the settings."""

import json
import re
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from pydantic import ValidationError

from pipeline.agents.journal import one_line
from pipeline.app.agent_folder import only_agent
from pipeline.app.engine import setting_problems
from pipeline.app.entry_proposals import propose_entry
from pipeline.app.redaction import open_redactor
from pipeline.backfill.plan import Planned, work_through
from pipeline.corrections.correct import propose
from pipeline.engine.context import Engine
from pipeline.engine.partitioning.base import partition_of
from pipeline.engine.runner import Runner
from pipeline.errors import ChangedMeanwhile, SettingsInvalid
from pipeline.errors.agents import AgentKnown, NothingToChange, UnknownAgent, UnknownLine
from pipeline.job import JobName
from pipeline.ledger.requests import Request
from pipeline.reports.agent_list import count_wake_ups
from pipeline.reports.agents import AgentFolder
from pipeline.scheduling.registry import discover, jobs_named
from pipeline.settings.load import parse_settings, toml_values
from pipeline.settings.locate import SETTINGS_FILE
from pipeline.workspace.files import Workspace
from schemas.detail import storable
from schemas.fleet_act import MemoryAct, ProposeAct
from schemas.memory_change import LONGEST, ChangeRequest, ChangeWord, Operation, ProposedWords
from schemas.outcome import Ending, Outcome
from schemas.reports.agents import ChangeAnswer
from schemas.settings import Settings

_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
_WAIT = 10.0  # seconds for a run that is at work; the request is kept, and the next run carries it out
_NO_ENTRY = ProposedWords("", "")
_REFUSED = {
    "read_only": "its autonomy is 0, so only a person changes it",
    "only_a_person": "only a person pins a line, with `memory agents pin`",
    "no_right": "the agent that asks has no right to; name it in `may_write`",
}


def agent_meant(engine: Engine, name: str) -> str:
    """The agent that a request is about: the named one, else the only one.

    Raises:
        UnknownAgent: there is no such agent.
        AgentNotChosen: none is named, and there are several or none.
    """
    known = sorted(engine.settings.agents.by_name)
    if name and name not in known:
        raise UnknownAgent(name, known)
    return name or only_agent(engine.settings.agents)


def standing_line(engine: Engine, line: str) -> tuple[str, str]:
    """The agent that has a line of this id, and the text of the line.

    Raises:
        UnknownLine: none has.
    """
    agents = engine.settings.agents
    for name in sorted(agents.by_name):
        lines = AgentFolder(agents, engine.workspace, engine.ledger, name).standings().lines
        if line in lines:
            return name, lines[line].text
    raise UnknownLine(line)


def change_request(settings: Settings, operation: Operation, text: str, **fields: object) -> ChangeRequest:
    """A request with a text that can stand on one line, without secrets.

    Raises:
        NothingToChange: there is no text, or more than one thing to remember.
    """
    line = one_line(open_redactor(settings).redact(text))
    if (operation.adds or operation is Operation.UPDATE) and not any(character.isalnum() for character in line):
        message = "There is nothing to remember in this text; say it in a sentence."
        raise NothingToChange(message)
    try:
        names = {"line": one_line(str(fields.get("line", "")))}
        return ChangeRequest.model_validate({"operation": operation, "text": line, **fields, **names})
    except ValidationError as error:
        message = f"This is too long to be one thing to remember: say one thing, in at most {LONGEST} characters."
        raise NothingToChange(message) from error


def memory_act(
    engine: Engine, agent: str, change: ChangeRequest, words: ProposedWords = _NO_ENTRY, asker: str = ""
) -> MemoryAct:
    """The change of an agent's memory that is asked for now; the words for an entry without secrets."""
    quote = storable(open_redactor(engine.settings).redact(words.quote.strip()))
    entry = replace(words, quote=quote)
    return MemoryAct(agent=agent, change=change, at=engine.clock.now(), asker=asker, entry=entry)


def change_memory(engine: Engine, wanted: MemoryAct) -> ChangeAnswer:
    """Change the memory of an agent, and propose the entry that comes with it; what became of both.

    Raises:
        WorkspaceError: as `request_change`.
    """
    change, proposed = wanted.change, ""
    if change.operation.adds:
        proposed = propose_entry(engine, wanted.asker or wanted.agent, change.text, wanted.entry, wanted.at)
    return request_change(engine, wanted.agent, change, wanted.at).with_note(proposed)


def propose_correction(engine: Engine, wanted: ProposeAct) -> ChangeAnswer:
    """Propose other words for an entry of the workspace, for a person to decide; what became of it.

    Raises:
        NameRefused: there is no such entry, or more than one.
        CorrectionRefused: it does not hold; the words cannot stand in it.
    """
    if waits := propose(engine, wanted.id, wanted.words, wanted.asker):
        return ChangeAnswer("suggested", "It waits for a person: nothing has changed.", waits)
    return ChangeAnswer("unchanged", "It was proposed before, or declined.")


def request_change(engine: Engine, agent: str, wanted: ChangeRequest, at: datetime | None = None) -> ChangeAnswer:
    """Keep a request for a change of an agent's memory, made `at` a moment or now, and carry it out; what became of it.

    Raises:
        WorkspaceError: somebody else is at work, for longer than a moment; the request could not be kept.
    """
    standing = AgentFolder(engine.settings.agents, engine.workspace, engine.ledger, agent).standings().lines
    asked = at or engine.clock.now()
    request = Request(f"ask-{engine.new_run_id(asked)}", JobName.JOURNAL, agent, wanted.model_dump_json(), asked)
    outcomes = _carry_out(engine, request)
    count_wake_ups(engine, outcomes)
    outcome = next((outcome for outcome in outcomes if outcome.job == JobName.JOURNAL), None)
    if outcome and outcome.written and wanted.operation is Operation.DELETE and wanted.line in standing:
        said = standing[wanted.line].text
        _carry_out(engine, replace(request, id=f"{request.id}-said", job=JobName.CONTEXT, body=said))
    return _answer(agent, wanted, outcome)


def _carry_out(engine: Engine, request: Request) -> list[Outcome]:
    """Keep a request to a job of an agent's memory, and run it."""
    (job,) = jobs_named([request.job], engine.jobs)
    with engine.ledger.store.transaction():
        engine.ledger.requests.keep(request)
    return list(work_through(Runner(engine), [Planned(job, partition_of(request))], wait_seconds=_WAIT))


def _answer(agent: str, wanted: ChangeRequest, outcome: Outcome | None) -> ChangeAnswer:
    if outcome is None or outcome.ending is Ending.LOCKED:
        return ChangeAnswer("kept", "Kept; another process is at work, and the next run carries it out.")
    if outcome.rejected:
        why = _REFUSED.get(outcome.rejected[0].reason, outcome.rejected[0].reason)
        return ChangeAnswer("refused", f"Refused: {why}.", run_id=outcome.run_id)
    if outcome.suggested:
        message = "Suggested: it waits until a person decides with `memory suggestions`."
        return ChangeAnswer("suggested", message, outcome.suggested, outcome.run_id)
    if outcome.written:
        if wanted.operation.pins:
            done = "Pinned" if wanted.operation is Operation.PIN else "Not pinned any more"
            return ChangeAnswer("written", f"{done}, in the memory of {agent}.", outcome.written, outcome.run_id)
        doubt = ", not confirmed until the owner says so" if wanted.word is ChangeWord.NOT_CONFIRMED else ""
        return ChangeAnswer("written", f"Written into the memory of {agent}{doubt}.", outcome.written, outcome.run_id)
    messages = [*outcome.notices, outcome.warning or "Nothing has changed."]
    return ChangeAnswer("unchanged", messages[0], run_id=outcome.run_id)


@dataclass(frozen=True)
class NewAgent:
    """An agent to be added to the settings; without `may_read` it may read what others know."""

    name: str
    autonomy: int = 2
    sources: tuple[str, ...] = ()
    language: str = "en"
    may_read: tuple[str, ...] | None = None

    @property
    def table(self) -> str:
        """Its table in `memory.toml`."""
        name = self.name if _BARE_KEY.fullmatch(self.name) else json.dumps(self.name, ensure_ascii=False)
        sources = json.dumps(list(self.sources), ensure_ascii=False)
        lines = [f"[agents.{name}]", f"autonomy = {self.autonomy}", f"sources = {sources}"]
        if self.may_read is not None:
            lines.append(f"may_read = {json.dumps(list(self.may_read), ensure_ascii=False)}")
        return "\n".join(["", *lines, f"language = {json.dumps(self.language)}", ""])


def add_agent(root: Path, wanted: NewAgent) -> None:
    """Append an agent's table to `memory.toml`; every other byte stays.

    Raises:
        AgentKnown: it is there.
        SettingsInvalid: the settings are no TOML, or would not be usable.
        WorkspaceError: somebody keeps writing to the file; the system refuses.
    """
    workspace, where = Workspace(root), str(root / SETTINGS_FILE)
    before = workspace.read(SETTINGS_FILE) or b""
    after = before + (b"" if before.endswith(b"\n") or not before else b"\n") + wanted.table.encode()
    if wanted.name in parse_settings(toml_values(before, where), where).agents.by_name:
        raise AgentKnown(wanted.name)
    settings = parse_settings(toml_values(after, where), where)
    if problems := setting_problems(settings, discover(), {}):
        raise SettingsInvalid(where, problems)
    if not workspace.put_file(SETTINGS_FILE, before, after):
        raise ChangedMeanwhile(SETTINGS_FILE)
