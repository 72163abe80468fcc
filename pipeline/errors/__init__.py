"""Every expected error: a class that writes its own sentence, says what to do next and knows its exit code.

An exception that is not a `PipelineError` is a bug; the command line reports it with exit code 70.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar, Self

if TYPE_CHECKING:
    from schemas.usage import Usage


class PipelineError(Exception):
    """An error that a person can do something about. `str()` is the whole message."""

    exit_code: int = 1


class SettingsInvalid(PipelineError):
    """The settings cannot be used; all problems are named at once, each with its path."""

    exit_code = 2

    def __init__(self, where: str, problems: Sequence[str]) -> None:
        """`where` names the file or the environment; `problems` are `path: sentence`."""
        self.problems = tuple(problems)
        lines = "".join(f"\n  - {problem}" for problem in problems)
        has = f"{where} has {len(problems)} problem{'s' * (len(problems) > 1)}"
        super().__init__(f"{has}:{lines}\nCorrect it, then try `memory config check`.")


class WorkspaceMissing(PipelineError):
    """No workspace where one was looked for."""

    exit_code = 2

    def __init__(self, looked: str, *, upward: bool = False) -> None:
        """`looked` is the folder; `upward` says that those above it were looked at too."""
        above = ", nor in any folder above it" if upward else ""
        super().__init__(
            f"There is no memory.toml in {looked}{above}. "
            f"Make a workspace with `memory init DIR`, or name one with --workspace."
        )


class UnknownName(PipelineError):
    """A name that was given is not one we know. A subclass says what sort of thing it should have named.

    `listed` completes the sentence about where such names are found.
    """

    exit_code = 2
    sort: ClassVar[str]
    listed: ClassVar[str]
    offer: ClassVar[str] = "Known"

    def __init__(self, name: str, known: Sequence[str] = ()) -> None:
        """`known` are names to offer instead."""
        self.known = tuple(known)
        advice = f"{self.offer}: {', '.join(known)}." if known else f"{self.listed}."
        super().__init__(f"There is no {self.sort} {name!r}. {advice}")


class UnknownJob(UnknownName):
    """No job has this name."""

    sort = "job"
    listed = "`memory jobs` lists the jobs"


class UnknownEntry(UnknownName):
    """No entry has this id."""

    sort = "entry"
    listed = "`memory entries` lists the entries"
    offer = "Did you mean one of these"


class UnknownSession(UnknownName):
    """No session has this id."""

    sort = "session"
    listed = "`memory transcripts` lists the sessions"


class UnknownRun(UnknownName):
    """No run has this id."""

    sort = "run"
    listed = "`memory runs --all` lists the runs"


class UnknownSuggestion(UnknownName):
    """No suggestion that waits has this id."""

    sort = "suggestion"
    listed = "`memory suggestions --all` lists those that wait"


class UnknownBackfill(UnknownName):
    """No back-fill that can be resumed has this id."""

    sort = "back-fill to resume"
    listed = "`memory status` lists those that were stopped"


class SeveralNames(PipelineError):
    """More than one thing has an id that begins so."""

    exit_code = 2
    most: ClassVar[int] = 10

    def __init__(self, sort: str, beginning: str, titles: Mapping[str, str]) -> None:
        """`titles` are those of the things that begin so, by their ids."""
        self.sort, self.names = sort, tuple(titles)
        lines = "".join(f"\n  {name}  {title}".rstrip() for name, title in [*titles.items()][: self.most])
        more = "\n  and others" if len(titles) > self.most else ""
        super().__init__(f"More than one {sort} begins with {beginning!r}; name one of them:{lines}{more}")


class PathRefused(PipelineError):
    """A path points outside the workspace, or is not a file we may write."""

    exit_code = 2

    def __init__(self, path: str, why: str) -> None:
        """`why` completes the sentence."""
        super().__init__(f"{path} {why}.")


class Held(PipelineError):
    """Another run holds a lock that this one needs."""

    exit_code = 75

    def __init__(self, name: str, holder: str, advice: str = "") -> None:
        """`holder` is what stands in the lock file; `advice` is a sentence for a lock that `--wait` does not reach."""
        self.name = name
        advice = advice or "Try again later; `run`, `backfill` and `reindex` can --wait."
        super().__init__(f"{name} is at work elsewhere ({holder}). {advice}")


class LockGone(PipelineError):
    """A lock file was removed or replaced under the run that held it, so another run may be at work as well."""

    exit_code = 75

    def __init__(self, path: str) -> None:
        """`path` is that of the lock file in the workspace."""
        super().__init__(
            f"{path} was removed or replaced while this run went on, so another one may be at work by now. "
            f"It stopped before it wrote anything more; what it had not finished stays due. Leave the lock files alone."
        )


class OwnedElsewhere(PipelineError):
    """The workspace belongs to another host; locks do not reach across hosts."""

    exit_code = 75

    def __init__(self, owner: str, here: str) -> None:
        """Both are host names."""
        super().__init__(
            f"This workspace is run by host {owner}, and this is {here}. File locks do not reach across hosts: "
            f"stop the runs on {owner}, then use --take-over."
        )


class Overdue(PipelineError):
    """A run went on past its deadline."""

    exit_code = 124

    def __init__(self, job: str, seconds: float) -> None:
        """`seconds` is the time the job may take."""
        super().__init__(
            f"{job} did not end within {seconds:g} s and was stopped. What it had not finished stays due; "
            f"give it more time with jobs.{job}.timeout."
        )


class Interrupted(PipelineError):
    """The run was asked to stop and did so at a safe point."""

    exit_code = 130

    def __init__(self, signal_number: int) -> None:
        """`signal_number` decides the exit code: 128 more than it, as a shell has it."""
        self.exit_code = 128 + signal_number
        super().__init__("Stopped as asked. What was not finished stays due.")


class WriteFailed(PipelineError):
    """The system refused a write."""

    def __init__(self, path: str, reason: str) -> None:
        """`reason` is the system's own word."""
        self.path, self.reason = path, reason
        super().__init__(
            f"Cannot write {path}: {reason}. Nothing half-written was left; "
            f"make room or give the right to write (`memory doctor` looks at both), then run again."
        )


class ReadFailed(PipelineError):
    """The system refused a read."""

    def __init__(self, path: str, reason: str) -> None:
        """`reason` is the system's own word."""
        super().__init__(f"Cannot read {path}: {reason}.")
        self.reason = reason


class TranscriptUnreadable(ReadFailed):
    """A transcript that a window needs cannot be read; windows that do not need it can be run."""

    def __init__(self, path: str, reason: str) -> None:
        """`path` is that of the file in its source, `reason` the system's own word."""
        super().__init__(path, reason)
        mend = "`memory doctor` says what mends it; until then the windows that need it are not run."
        self.args = (f"Cannot read the transcript {path}: {reason.rstrip('.')}. {mend}",)


class ChangedMeanwhile(PipelineError):
    """A file kept changing under a rewrite."""

    def __init__(self, path: str) -> None:
        """`path` is relative to the workspace."""
        super().__init__(
            f"{path} changed again and again while it was being rewritten; nothing was written. "
            f"Run again when it rests."
        )


class EntriesVanished(PipelineError):
    """Many entries went missing at once, which looks more like a lost folder than like a person's wish."""

    def __init__(self, gone: int, known: int) -> None:
        """`gone` of `known` recorded entries are no longer in the files."""
        super().__init__(
            f"{gone} of {known} recorded entries are no longer in the Markdown files. If the folder is not mounted or "
            f"not yet synced, bring it back and run again. If you deleted them, run once with --allow-shrink."
        )


class FileAway(PipelineError):
    """A file that we have written entries into is gone as a whole, or cannot be read, and so may come back."""

    exit_code = 3

    def __init__(self, paths: Sequence[str], entries: int, fault: str = "") -> None:
        """`paths` are such files, with so many entries of ours; `fault` says what is wrong with the first."""
        others = f" and {len(paths) - 1} other file(s)" if len(paths) > 1 else ""
        super().__init__(
            f"{paths[0]}{others}, with {entries} recorded entries, {fault or 'is gone as a whole'}. What rests on it "
            "is not written and stays due: bring it back and run again. If you deleted it, run once with "
            "--allow-shrink."
        )


class FileDamaged(FileAway):
    """Nothing is written into a file that is no UTF-8 text, has zero bytes, or holds both sides of a merge."""

    def __init__(self, path: str, fault: str, line: int) -> None:
        """`fault` completes the sentence that begins with the path; `line` counts from 1."""
        PipelineError.__init__(
            self,
            f"{path} {fault}, in line {line}, so nothing is written into it, and what rests on it stays due. Mend it "
            "in an editor or bring it back, and run again; `memory doctor` names all such files.",
        )


class ShrinkRefused(PipelineError):
    """A rewrite would lose entries."""

    def __init__(self, path: str, ids: Sequence[str]) -> None:
        """`ids` are the entries that would be lost."""
        super().__init__(
            f"Rewriting {path} would lose {', '.join(ids)}, which stand in no archive. Allow it with --allow-shrink."
        )


class LedgerDamaged(PipelineError):
    """`state.db` cannot be used."""

    def __init__(self, path: str, reason: str) -> None:
        """`reason` is SQLite's own word."""
        super().__init__(
            f"{path} cannot be used ({reason}). Move it away and run again: it is rebuilt from the Markdown files "
            f"(undo, spend and the model's cached answers are lost)."
        )


class LedgerNewer(PipelineError):
    """`state.db` is of a version that this program does not know."""

    def __init__(self, path: str, version: int, known: int) -> None:
        """`version` is that of the file, `known` the newest that is known."""
        super().__init__(
            f"{path} is of version {version}, which a newer program has written; this one knows {known}. "
            f"Use the newer program, and restart what still runs as this one (`memory serve`, `memory mcp`)."
        )


class NothingToUndo(PipelineError):
    """The run named is unknown, wrote nothing, or has been undone."""

    exit_code = 2

    def __init__(self, name: str, why: str, sort: str = "run") -> None:
        """`why` completes the sentence; `sort` is what was named: a run, or a day, week or month."""
        super().__init__(f"{sort.capitalize()} {name} {why}. `memory runs` lists the runs.")


class UndoNewestFirst(PipelineError):
    """A later run rests on what the run named wrote."""

    exit_code = 2

    def __init__(self, run_id: str, later: str, backfill: str = "") -> None:
        """`later` is the run, or the day, week or month, that is to be undone first; `backfill` is the one it is of."""
        whole = f", or all of its back-fill: `memory undo --backfill {backfill}`" if backfill else ""
        super().__init__(
            f"{later} came later and rests on what run {run_id} wrote: first `memory undo {later}`{whole}."
        )


class UndoInputs(PipelineError):
    """The run named rendered what other runs wrote, and would do so again."""

    exit_code = 2

    def __init__(self, run_id: str, name: str) -> None:
        """`name` is the newest of those runs, or its day, week or month."""
        super().__init__(
            f"Run {run_id} rendered what others wrote: `memory undo {name}`, and its page is rendered again without it."
        )


class RegistryRefused(PipelineError):
    """Two jobs, or a job and a rule, do not go together."""

    exit_code = 2


class ModelUnavailable(PipelineError):
    """The configured model does not answer, or not in a form that can be used."""

    exit_code = 4

    def __init__(
        self, model: str, reason: str, *, busy: bool = False, late: bool = False, too_long: bool = False
    ) -> None:
        """`reason` says what the server did.

        Among others, that it is too `busy`, that its answer was `late`, or that the question was `too_long` for it.
        """
        self.reason, self.busy, self.late, self.too_long = reason, busy, late, too_long
        self.spent: Usage | None = None
        super().__init__(f"The model {model} cannot be used now: {reason}. Nothing was written and the time stays due.")

    def costing(self, spent: "Usage | None") -> Self:
        """The same, of a model whose answer cost something, and cannot be used."""
        self.spent = spent
        return self


class ModelWaits(ModelUnavailable):
    """The model answers again when its owner has signed in, or a limit of the account has ended: it is not given up."""


class BatchRefused(ModelUnavailable):
    """The server takes no such batch; its questions are asked one by one."""


class BudgetSpent(PipelineError):
    """A budget for the model is used up: of a run, a day, a back-fill or the workspace."""

    exit_code = 5

    def __init__(self, spent: int, limit: int, of_what: str, *, needed: int = 0) -> None:
        """All in tokens; `of_what` says whose they are. `needed` is what the next window takes, if that is more."""
        amount = f"{spent} of {limit} tokens {of_what}"
        why = f"The next window needs about {needed} tokens, and" if needed else "The model's budget is used up:"
        super().__init__(f"{why} {amount}{' are used' * bool(needed)}. What is left stays due.")


class IndexUnavailable(PipelineError):
    """The index cannot be read or written."""

    def __init__(self, why: str, advice: str = "`memory reindex --full` builds it anew from the files.") -> None:
        """`why` completes the sentence; `advice` says what to do."""
        super().__init__(f"The index cannot be used: {why}. {advice}")


class EmbedderUnavailable(PipelineError):
    """What makes vectors cannot be had now."""

    exit_code = 4

    def __init__(self, name: str, why: str, *, refused: bool = False) -> None:
        """`name` is the embedder or reranker; `why` completes the sentence.

        With `refused` it does not take these texts, and may take others.
        """
        self.refused = refused
        super().__init__(
            f"{name} makes no vectors: {why}. `memory doctor` says what to do; search works without, by words."
        )


class UnknownPlace(PipelineError):
    """There is no such file, line or id to show."""

    exit_code = 2

    def __init__(self, place: str, why: str) -> None:
        """`why` completes the sentence."""
        super().__init__(f"{place} {why}. Name a file as PATH, PATH#L10 or PATH#L10-L20, or an entry by its id.")


class ChecksInvalid(PipelineError):
    """The questions of a person for `memory check` cannot be used; all problems are named at once."""

    exit_code = 2

    def __init__(self, where: str, problems: Sequence[str]) -> None:
        """`where` names the file; `problems` are `path: sentence`."""
        self.problems = tuple(problems)
        lines = "".join(f"\n  - {problem}" for problem in problems)
        has = f"{where} has {len(problems)} problem{'s' * (len(problems) > 1)}"
        super().__init__(f"{has}:{lines}\nCorrect it, then try `memory check` again.")
