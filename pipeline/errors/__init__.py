"""The expected errors: each is a class that declares its sentence, its advice for the next step, and its exit code.

An exception that is not a `PipelineError` is a bug; the command line reports it with exit code 70.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, dataclass_transform

from schemas import exit_codes

if TYPE_CHECKING:
    from schemas.outcome import Usage


@dataclass_transform(eq_default=False)
class PipelineError(Exception):
    """An error that a person can do something about. `str()` is the whole message.

    A class annotates its fields, which are the arguments of its constructor in their order, and declares a `sentence`
    and an `advice` about the next step: format strings that name attributes. A message with choices is a `__str__`.
    """

    sentence = ""
    advice = ""
    exit_code = exit_codes.FAILED

    def __init__(self, *values: object, **named: object) -> None:
        """Take the fields by position or by name; a field with a default may be left out."""
        fields = self.fields()
        self.__dict__.update(zip(fields[: len(values)], values, strict=True), **named)
        super().__init__(*(getattr(self, field) for field in fields))  # pickle gives these to the constructor

    def __str__(self) -> str:
        return self.fill_sentence(" ".join(filter(None, (self.sentence, self.advice))))

    def fill_sentence(self, sentence: str, **values: object) -> str:
        """Another sentence, such as that of another language, with the values of the error, or `values` instead."""
        return sentence.format_map(_Attributes(self, values))

    @classmethod
    def fields(cls) -> list[str]:
        """The names of the fields, which are the annotated attributes."""
        kinds = [kind for kind in reversed(cls.__mro__) if issubclass(kind, PipelineError)]
        return [field for kind in kinds for field in kind.__annotations__]


class _Attributes:
    """The attributes of an error by their names, for a format string. A list is shown with commas."""

    def __init__(self, error: PipelineError, values: Mapping[str, object]) -> None:
        self._error, self._values = error, values

    def __getitem__(self, name: str) -> object:
        value = self._values[name] if name in self._values else getattr(self._error, name)
        return ", ".join(map(str, value)) if isinstance(value, list | tuple) else value


class NoQuestion(PipelineError):
    """A question whose fields are not those that it has."""

    exit_code = exit_codes.UNUSABLE
    sentence = "{why}"
    why: str


class NoTurn(PipelineError):
    """There are so many questions that this one does not get its turn, or no more are taken."""

    exit_code = exit_codes.HELD
    sentence = "Too many questions are asked at once, or no more are answered."
    advice = "Ask again."


class FileInvalid(PipelineError):
    """The problems of a file or of the environment, each as `path: sentence`."""

    exit_code = exit_codes.UNUSABLE
    where: str
    problems: Sequence[str]

    def __str__(self) -> str:
        lines, number = "".join(f"\n  - {problem}" for problem in self.problems), len(self.problems)
        return f"{self.where} has {number} {'problems' if number > 1 else 'problem'}:{lines}\n{self.advice}"


class SettingsInvalid(FileInvalid):
    """The settings cannot be used; all problems are named at once, each with its path."""

    advice = "Correct it, then try `memory config check`."


class ChecksInvalid(FileInvalid):
    """The questions of a person for `memory doctor search` cannot be used; all problems are named at once."""

    advice = "Correct it, then try `memory doctor search` again."


class WorkspaceError(PipelineError):
    """A workspace, its files or its locks cannot be used as they are."""


class WorkspaceMissing(WorkspaceError):
    """There is no workspace at a path."""

    exit_code = exit_codes.UNUSABLE
    looked: str
    upward: bool = False

    def __str__(self) -> str:
        above = ", nor in any folder above it" if self.upward else ""
        return (
            f"There is no memory.toml in {self.looked}{above}. "
            "Make a workspace with `memory init DIR`, or name one with --workspace (`memory workspaces` lists yours)."
        )


class NameRefused(PipelineError):
    """A given name is unknown, or fits several things."""

    exit_code = exit_codes.UNUSABLE


class UnknownName(NameRefused):
    """A given name is unknown. A subclass names the sort of thing, and the command that lists things of it."""

    sentence = "There is no {sort} {name!r}."
    sort = ""
    offer = "Known"
    """The word before the names that are known; where these are only some of them, the advice follows."""
    name: str
    known: Sequence[str] = ()

    def __str__(self) -> str:
        from difflib import get_close_matches  # noqa: PLC0415 - nothing else of an error needs it

        close = get_close_matches(self.name, self.known, n=1)
        meant = f" Did you mean {close[0]!r}?" if close and len(self.known) > 1 else ""
        offered = f"There is no {self.sort} {self.name!r}.{meant} {self.offer}: {', '.join(self.known)}."
        if self.offer != UnknownName.offer:
            offered = f"{offered} {self.advice}"
        return offered if self.known else super().__str__()


class UnknownJob(UnknownName):
    """No job has this name."""

    sort = "job"
    advice = "`memory show jobs` lists the jobs."


class UnknownEntry(UnknownName):
    """No entry has this id."""

    sort = "entry"
    advice = "`memory show entries` lists the entries."
    offer = "Did you mean one of these"


class UnknownSession(UnknownName):
    """No session has this id."""

    sort = "session"
    offer = "Some are"
    advice = "`memory show transcripts` lists the sessions."


class UnknownRun(UnknownName):
    """No run has this id."""

    sort = "run"
    offer = "Some are"
    advice = "`memory show runs --all` lists the runs."


class UnknownSuggestion(UnknownName):
    """No suggestion that waits has this id."""

    sort = "suggestion"
    advice = "`memory suggestions --all` lists those that wait."


class UnknownBackfill(UnknownName):
    """No back-fill that can be resumed has this id."""

    sort = "back-fill to resume"
    advice = "`memory status` lists those that were stopped."


class SeveralNames(NameRefused):
    """Several things have an id with this beginning."""

    most = 10
    sort: str
    beginning: str
    titles: Mapping[str, str]
    """The titles of the things with this beginning, by their ids."""

    @property
    def names(self) -> tuple[str, ...]:
        """The ids with this beginning."""
        return tuple(self.titles)

    def __str__(self) -> str:
        lines = "".join(f"\n  {name}  {title}".rstrip() for name, title in [*self.titles.items()][: self.most])
        more = "\n  and others" if len(self.titles) > self.most else ""
        return f"More than one {self.sort} begins with {self.beginning!r}; name one of them:{lines}{more}"


class PathRefused(WorkspaceError):
    """A path points outside the workspace, or is not a file we may write."""

    exit_code = exit_codes.UNUSABLE
    sentence = "{path} {why}."
    path: str
    why: str


class Held(WorkspaceError):
    """Another run holds a lock that this run needs."""

    exit_code = exit_codes.HELD
    sentence = "{name} is at work elsewhere ({holder})."
    advice = "{next_step}"
    name: str
    holder: str
    next_step: str = "Try again later; `run`, `backfill` and `reindex` can --wait."
    """Another sentence for a lock that `--wait` does not reach."""


class LockGone(WorkspaceError):
    """A lock file was removed or replaced under the run that held it, so another run may be at work as well."""

    exit_code = exit_codes.HELD
    sentence = (
        "{path} was removed or replaced while this run went on, so another one may be at work by now. "
        "It stopped before it wrote anything more; what it had not finished stays due."
    )
    advice = "Leave the lock files alone."
    path: str


class OwnedElsewhere(WorkspaceError):
    """The workspace belongs to another host; locks do not reach across hosts."""

    exit_code = exit_codes.HELD
    sentence = "This workspace is run by host {owner}, and this is {here}. File locks do not reach across hosts:"
    advice = "stop the runs on {owner}, then use --take-over."
    owner: str
    here: str


class Overdue(PipelineError):
    """A run went on past its deadline."""

    exit_code = exit_codes.OVERDUE
    sentence = "{job} did not end within {seconds:g} s and was stopped."
    advice = "What it had not finished stays due; give it more time with jobs.{job}.timeout."
    job: str
    seconds: float


class Interrupted(PipelineError):
    """The run was asked to stop and did so at a safe point."""

    exit_code = exit_codes.INTERRUPTED
    sentence = "Stopped as asked. What was not finished stays due."

    def __init__(self, signal_number: int) -> None:
        """`signal_number` decides the exit code: 128 more than it, as a shell has it."""
        self.exit_code = exit_codes.SIGNALLED + signal_number
        Exception.__init__(self, signal_number)


class WriteFailed(WorkspaceError):
    """The system refused a write, for a reason in its own words."""

    sentence = "Cannot write {path}: {reason}."
    advice = (
        "Nothing half-written was left; make room or give the right to write (`memory doctor` looks at both), "
        "then run again."
    )
    path: str
    reason: str


class ReadFailed(WorkspaceError):
    """The system refused a read, for a reason in its own words."""

    sentence = "Cannot read {path}: {reason}."
    path: str
    reason: str


class TranscriptUnreadable(ReadFailed):
    """A transcript that a window needs cannot be read; windows that do not need it can be run."""

    def __str__(self) -> str:
        mend = "`memory doctor` says what mends it; until then the windows that need it are not run."
        return f"Cannot read the transcript {self.path}: {self.reason.rstrip('.')}. {mend}"


class ChangedMeanwhile(WorkspaceError):
    """A file kept changing under a rewrite."""

    sentence = "{path} changed again and again while it was being rewritten; nothing was written."
    advice = "Run again when it rests."
    path: str


class EntriesVanished(WorkspaceError):
    """Many entries went missing at once, which looks more like a lost folder than like a person's wish."""

    sentence = "{gone} of {known} recorded entries are no longer in the Markdown files."
    advice = (
        "If the folder is not mounted or not yet synced, bring it back and run again. "
        "If you deleted them, run once with --allow-shrink."
    )
    gone: int
    known: int


class FileUnusable(WorkspaceError):
    """A file with entries of ours cannot be used as it is; work that rests on it stays due."""

    exit_code = exit_codes.PARTIAL


class FileAway(FileUnusable):
    """A file that we have written entries into is gone as a whole, or cannot be read, and so may come back."""

    paths: Sequence[str]
    entries: int
    """The number of our entries in these files."""
    fault: str = "is gone as a whole"

    def __str__(self) -> str:
        others = f" and {len(self.paths) - 1} other file(s)" if len(self.paths) > 1 else ""
        return (
            f"{self.paths[0]}{others}, with {self.entries} recorded entries, {self.fault}. What rests on it "
            "is not written and stays due: bring it back and run again. If you deleted it, run once with "
            "--allow-shrink."
        )


class FileDamaged(FileUnusable):
    """Nothing is written into a file that is no UTF-8 text, has zero bytes, or holds both sides of a merge."""

    sentence = "{path} {fault}, in line {line}, so nothing is written into it, and what rests on it stays due."
    advice = "Mend it in an editor or bring it back, and run again; `memory doctor` names all such files."
    path: str
    fault: str
    line: int


class ShrinkRefused(WorkspaceError):
    """A rewrite would lose entries."""

    sentence = "Rewriting {path} would lose {ids}, which stand in no archive."
    advice = "Allow it with --allow-shrink."
    path: str
    ids: Sequence[str]


class LedgerError(PipelineError):
    """The ledger, `state.db`, cannot be used."""


class LedgerDamaged(LedgerError):
    """`state.db` cannot be used, for a reason in SQLite's own words."""

    sentence = "{path} cannot be used ({reason})."
    advice = (
        "Move it away and run again: it is rebuilt from the Markdown files "
        "(undo, spend and the model's cached answers are lost)."
    )
    path: str
    reason: str


class LedgerNewer(LedgerError):
    """`state.db` is of a version that this program does not know."""

    sentence = "{path} is of version {version}, which a newer program has written; this one knows {known}."
    advice = (
        "Use the newer program, and restart what still runs as this one (`memory serve`, `memory mcp`). "
        "To stay with this one: `memory upgrade --back` puts back the ledger from before."
    )
    path: str
    version: int
    known: int


class UndoRefused(PipelineError):
    """A run cannot be undone, or not yet."""

    exit_code = exit_codes.UNUSABLE


class NothingToUndo(UndoRefused):
    """The run named is unknown, wrote nothing, or has been undone."""

    name: str
    why: str
    sort: str = "run"
    """A run, or a day, week or month."""

    def __str__(self) -> str:
        return f"{self.sort.capitalize()} {self.name} {self.why}. `memory show runs` lists the runs."


class UndoNewestFirst(UndoRefused):
    """A later run rests on the output of the named run."""

    run_id: str
    later: str
    """The run, or the day, week or month, that is to be undone first."""
    backfill: str = ""

    def __str__(self) -> str:
        whole = f", or all of its back-fill: `memory undo --backfill {self.backfill}`" if self.backfill else ""
        rests = f"{self.later} came later and rests on what run {self.run_id} wrote"
        return f"{rests}: first `memory undo {self.later}`{whole}."


class UndoInputs(UndoRefused):
    """The named run rendered the output of other runs, and would do so again."""

    sentence = "Run {run_id} rendered what others wrote:"
    advice = "`memory undo {name}`, and its page is rendered again without it."
    run_id: str
    name: str


class PageRefused(PipelineError):
    """A job names a page of a family without page names, or no page of a family with page names."""

    job: str
    family: str
    page: str

    def __str__(self) -> str:
        why = f"wrote for the page {self.page!r}, but its family {self.family} names no pages"
        if not self.page.strip():
            why = f"wrote an item without the name of a page, which its family {self.family} needs"
        return f"Job {self.job} {why}. Nothing was written; the `page` of its items has to be mended."


class PageEmptied(PipelineError):
    """All our lines of a page are gone: it may be another version of the page, not a wish of a person."""

    sentence = "None of the {gone} lines that we wrote into {path} is there any more."
    advice = (
        "If it is the file of another time or place, bring ours back, or take the file away to have it rendered anew. "
        "If you took the lines out, run once with --allow-shrink: they stay out then."
    )
    path: str
    gone: int


class RegistryRefused(PipelineError):
    """Two jobs, or a job and a rule, do not go together."""

    exit_code = exit_codes.UNUSABLE
    sentence = "{message}"
    message: str


class RequestRefused(PipelineError):
    """A field of a request, from a command line, an agent or a program, has a value that makes no sense now."""

    exit_code = exit_codes.UNUSABLE
    field: str
    problem: str
    """A sentence with `{field}` where the field is named: a surface calls it by its own name."""

    def __str__(self) -> str:
        return self.sentence_for(self.field)

    def sentence_for(self, name: str) -> str:
        """The sentence with the field's name on a surface."""
        return self.problem.replace("{field}", name)


class NothingToRead(PipelineError):
    """A back-fill of a job that reads transcripts has no source that can be read."""

    exit_code = exit_codes.UNUSABLE
    reasons: Mapping[str, str]
    """Why a source cannot be listed, by its name; empty when the settings name no source."""

    def __str__(self) -> str:
        why, advice = "memory.toml names no [[sources]]", "Add one; `memory config check` says what is read of it."
        if self.reasons:
            named = "; ".join(f"{name}: {text}" for name, text in self.reasons.items())
            why, advice = f"none of the sources can be read ({named})", "`memory doctor` says what mends it."
        return f"There is nothing to fill back from: {why}. {advice}"


class ModelUnavailable(PipelineError):
    """The configured model does not answer, or not in a form that can be used."""

    exit_code = exit_codes.WAITING
    sentence = "The model {model} cannot be used now: {reason}. Nothing was written and the time stays due."
    model: str
    reason: str
    busy: bool = False
    late: bool = False
    too_long: bool = False
    """Whether the question was too long for the model."""
    spent: "Usage | None" = None
    """The cost of an answer that cannot be used."""


class ModelWaits(ModelUnavailable):
    """The model answers again when its owner has signed in, or a limit of the account has ended: it is not given up."""


class AnswerAwaited(ModelWaits):
    """The question is under way, and a later run has its answer: until then nothing is answered the offline way."""


class BatchRefused(ModelUnavailable):
    """The server refuses the batch; its questions are asked one by one."""


class BudgetSpent(PipelineError):
    """A budget for the model is used up: of a run, a day, a back-fill or the workspace."""

    exit_code = exit_codes.OVER_BUDGET
    spent: int
    limit: int
    of_what: str
    """The scope of the budget, to complete the sentence."""
    needed: int = 0
    """The tokens of the next window, if they are more than the rest of the budget."""

    def __str__(self) -> str:
        amount = f"{self.spent} of {self.limit} tokens {self.of_what}"
        if self.needed:
            return f"The next window needs about {self.needed} tokens, and {amount} are used. What is left stays due."
        return f"The model's budget is used up: {amount}. What is left stays due."


class IndexUnavailable(PipelineError):
    """The index cannot be read or written."""

    sentence = "The index cannot be used: {why}."
    advice = "{next_step}"
    why: str
    next_step: str = "`memory doctor reindex --full` builds it anew from the files."


class EmbedderUnavailable(PipelineError):
    """The embedder or reranker makes no vectors now."""

    exit_code = exit_codes.WAITING
    sentence = "{name} makes no vectors: {why}."
    advice = "`memory doctor` says what to do; search works without, by words."
    name: str
    why: str
    refused: bool = False
    """Whether it refuses these texts, and may take others."""


class UnknownPlace(PipelineError):
    """There is no such file, line or id to show."""

    exit_code = exit_codes.UNUSABLE
    sentence = "{place} {why}."
    advice = "Name a file as PATH, PATH#L10 or PATH#L10-L20, or an entry by its id."
    place: str
    why: str
