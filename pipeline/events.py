"""Events that the engine announces: one stable name for each, in structured log lines."""

from collections.abc import Callable
from enum import StrEnum

Emit = Callable[..., None]
"""Takes an `Event` and its fields as keyword arguments."""


class Event(StrEnum):
    """The names of all happenings. They are part of the interface: watchers match on them."""

    NOTHING_DUE = "run.nothing_due"
    RUN_BEGAN = "run.began"
    RUN_ENDED = "run.ended"
    RUN_EMPTY = "run.empty"
    RUN_WARNED = "run.warned"
    SERIES_PROGRESSED = "series.progressed"
    SERIES_ENDED = "series.ended"
    REJECTED = "candidate.rejected"
    MENDED = "file.mended"
    DELETED_BY_PERSON = "entry.deleted_by_person"
    CHANGED_IN_FILE = "entry.changed_in_file"
    STANDS_AGAIN = "entry.stands_again"
    ERASED_AGAIN = "entry.erased_again"
    LOSS_ACCEPTED = "loss.accepted"
    REMOVED_BY_PERSON = "item.removed_by_person"
    LEDGER_REBUILT = "ledger.rebuilt"
    LEDGER_PRUNED = "ledger.pruned"
    CONVERSATIONS_EXPIRED = "conversations.expired"
    DETAILS_PRUNED = "details.pruned"
    DETAILS_KEPT = "details.kept"
    SOURCE_UNREADABLE = "source.unreadable"
    SOURCES_READ = "sources.read"
    INDEX_UPDATED = "index.updated"
    INDEX_REBUILT = "index.rebuilt"
    INDEX_UNREADABLE = "index.unreadable"
    VECTORS_PROGRESSED = "vectors.progressed"
    SERVICE_READY = "service.ready"
    FRONT_READY = "front.ready"
    WORKER_READY = "worker.ready"
    SERVICE_STOPPING = "service.stopping"
    SERVICE_TROUBLED = "service.troubled"
    SETTINGS_READ = "settings.read"
    SETTINGS_REFUSED = "settings.refused"
    RECORDS_NOTICED = "records.noticed"
    TICK_MISSED = "tick.missed"
    CLOCK_CHANGED = "clock.changed"
    JOB_STARTED = "job.started"
    JOB_ENDED = "job.ended"
    JOB_RETRIED = "job.retried"
    JOB_PARKED = "job.parked"
    JOB_RESUMED = "job.resumed"
    QUESTION_FAILED = "question.failed"
    ACT_SETTLED = "act.settled"
    ACT_BROKEN = "act.broken"
    WORKSPACE_FAILED = "workspace.failed"
    WORKSPACE_PARKED = "workspace.parked"
    BATCH_SENT = "batch.sent"
    BATCH_ENDED = "batch.ended"
    BATCH_DELAYED = "batch.delayed"
    EMBEDDER_DROPPED = "embedder.dropped"
    PING_FAILED = "ping.failed"
    METRICS_FAILED = "metrics.failed"
    CONTEXT_ASSEMBLED = "context.assembled"
    SUMMARY_REFUSED = "summary.refused"


MEANINGS = {
    Event.NOTHING_DUE: "a run found no time it has to deal with",
    Event.RUN_BEGAN: "a partition's run begins",
    Event.RUN_ENDED: "a partition's run ended; `ending` says how",
    Event.RUN_EMPTY: "a partition's run ended and had found nothing",
    Event.RUN_WARNED: "a partition's run has something that a person should know; `warning` says what",
    Event.SERIES_PROGRESSED: "a command is at work; `done` of its `windows` are run, the others take `seconds_left`",
    Event.SERIES_ENDED: "all runs of a command are over; `endings` counts how they ended",
    Event.REJECTED: "a candidate was not written; `reason` says why",
    Event.MENDED: "what a crash had left half-written was completed or removed",
    Event.DELETED_BY_PERSON: "an entry is gone from its file and will not be extracted again",
    Event.CHANGED_IN_FILE: "words of an entry are others in its file: a correction `by_owner`, or else a suggestion",
    Event.STANDS_AGAIN: "an entry or a line that was out of its file stands there again, and counts as before",
    Event.ERASED_AGAIN: "what `memory forget` had erased stood in its file again, as out of a backup, and was erased "
    "again; `name` has none of its words",
    Event.LOSS_ACCEPTED: "entries that were missing were taken as deleted, because `--allow-shrink` said so",
    Event.REMOVED_BY_PERSON: "a line of ours was taken out of a page and will not be put there again",
    Event.LEDGER_REBUILT: "`state.db` was missing and has been rebuilt from the Markdown files",
    Event.LEDGER_PRUNED: "what is older than `retention` has left `state.db`: `answers` of the model, quotes of "
    "`runs`, `suggestions`",
    Event.CONVERSATIONS_EXPIRED: "conversations have left the store, with their details: their retention is over, and "
    "no job has to read them",
    Event.DETAILS_PRUNED: "stored texts that have expired, and that no transcript cites, have left the store",
    Event.DETAILS_KEPT: "the store could not be looked at for texts that have expired; they go on another day",
    Event.SOURCE_UNREADABLE: "a transcript file cannot be read; its time is run again when it can",
    Event.SOURCES_READ: "the transcript folders were looked at; `read` files were new or changed",
    Event.INDEX_UPDATED: "files have changed and the index follows them; `passages` were put in, `vectors` were made",
    Event.INDEX_REBUILT: "the index has been built anew; `rebuilt` says why",
    Event.SERVICE_READY: "`memory serve` is at work: it looks for due windows and answers searches",
    Event.FRONT_READY: "`memory fleet serve` answers at the address `http`",
    Event.WORKER_READY: "`memory fleet worker` has reached the database and begins to work",
    Event.SERVICE_STOPPING: "`memory serve` was asked to stop; a run under way reaches its safe point first",
    Event.SERVICE_TROUBLED: "it cannot look at the workspace, tell its state or keep the index fresh; `error` says why",
    Event.SETTINGS_READ: "settings were read anew and are in use",
    Event.SETTINGS_REFUSED: "settings that were read anew cannot be used, and the old ones go on; `error` says why",
    Event.RECORDS_NOTICED: "agents told of new records, so many times since the last time; they are read now",
    Event.TICK_MISSED: "nobody looked at a job at its time; `why` is `down`, `asleep` or `clock`",
    Event.CLOCK_CHANGED: "the machine slept or its clock was changed, by `seconds`; all jobs are looked at anew",
    Event.JOB_STARTED: "the service started a process that runs a job; `log` is where its output goes",
    Event.JOB_ENDED: "that process ended; `code` is its exit code",
    Event.JOB_RETRIED: "a job failed and is tried again at `at`",
    Event.JOB_PARKED: "a job failed too often and is left alone until somebody has run it well; `reason` says why",
    Event.JOB_RESUMED: "a parked job was run well, and the service looks after it again",
    Event.QUESTION_FAILED: "the service could not answer a question; `error` says why",
    Event.ACT_SETTLED: "a worker has carried out the act `act` of somebody in `workspace`, or `refused` it",
    Event.ACT_BROKEN: "an act of a person was refused because the workers that tried it died or met a bug",
    Event.WORKSPACE_FAILED: "work on a workspace of a fleet failed and is tried again; `memory fleet list` says why",
    Event.WORKSPACE_PARKED: "a workspace of a fleet is tried no more, because workers died with it again and again",
    Event.BATCH_SENT: "so many questions of a back-fill were sent to the model's server in one batch",
    Event.BATCH_ENDED: "a batch has ended with so many replies, or came to nothing for a reason; what has no reply is "
    "asked directly",
    Event.BATCH_DELAYED: "the model's server could not be asked about its batches, or sent one",
    Event.EMBEDDER_DROPPED: "nobody asked for a while, so the embedder was let go; the next question loads it",
    Event.PING_FAILED: "a ping could not be sent; the run is not affected",
    Event.METRICS_FAILED: "`service.metrics_file` could not be written; the run is not affected; `error` says why",
    Event.CONTEXT_ASSEMBLED: "a context was made for `session`: `tokens` of its `budget`; `cut` parts are not in it",
    Event.SUMMARY_REFUSED: "a model's summary of `session` was not used, or none came; `why` says so",
    Event.VECTORS_PROGRESSED: "vectors are being made: `made` of `wanted`; the others take about `seconds_left`",
    Event.INDEX_UNREADABLE: "`files` cannot be read, or are no text, and are left out of the index",
}


def silent(event: Event, **fields: object) -> None:
    """Announce nothing."""
    del event, fields
