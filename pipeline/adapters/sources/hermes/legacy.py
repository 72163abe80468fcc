"""The JSON files of older versions of Hermes: a session each, whose messages have no times of their own."""

from collections.abc import Sequence

from pipeline.adapters.sources.hermes.messages import HermesProgress
from pipeline.adapters.sources.hermes.store import profile
from pipeline.adapters.sources.reading.documents import document
from pipeline.adapters.sources.reading.files import SourceFile
from pipeline.adapters.sources.reading.records import identifier, local_moment, mapping, one_line, word
from pipeline.adapters.sources.speakers.owner import Owner
from schemas.transcript import Session

_MACHINES = frozenset({"cron", "tool"})


def parse(file: SourceFile) -> Sequence[Session]:
    """The session of a file; every message has the time at which the session began."""
    about = mapping(document(file.stream, b'"session_id"'))
    session_id, messages = identifier(about.get("session_id")), about.get("messages")
    if not session_id or not isinstance(messages, list):
        return ()
    reading = HermesProgress(Owner(file.place.settings.owner.ids), (), frozenset(), group=False)
    reading.assembly.clock = local_moment(about.get("session_start"), file.place.zone)
    for number, record in enumerate(messages, start=1):
        if isinstance(record, dict):
            reading.take(number, record)
        else:
            reading.assembly.skipped["bad_record"] += 1
    reading.assembly.skipped.pop("no_time", None)  # none has one
    session = file.place.session(
        file.path,
        session_id,
        reading.assembly,
        agent=profile(file.place, file.path),
        project=one_line(about.get("cwd")) or one_line(mapping(about.get("model_config")).get("cwd")),
        machine=word(about.get("platform")) in _MACHINES,
    )
    return (session,)
