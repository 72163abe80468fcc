"""Erase in an earlier state of a workspace, out of a back-up, what a person has forgotten since.

`memory/forgotten.md` of today has hashes and no words. An entry is known by its identity, a fact and a line of an agent
by their ids; the name of a topic is found again where it still stands, because its hash is that of the list.
"""

from collections.abc import Iterable
from contextlib import suppress

from pipeline.corrections.forget import forget
from pipeline.corrections.forget_fact import fact_topic
from pipeline.corrections.forget_topic import forget_topic, forget_words, line_topic, topic
from pipeline.corrections.forgotten_before import returned_entries
from pipeline.engine.context import Engine
from pipeline.engine.deletions import LOCK
from pipeline.entries.mentions import tokens
from pipeline.errors import NameRefused
from pipeline.errors.corrections import FactOfOthers, TopicUnknown
from pipeline.reports.entries import is_line
from pipeline.reports.facts import is_fact
from pipeline.workspace.forgotten import read_forgotten, read_topics
from pipeline.workspace.layout import FORGOTTEN


def forget_since(engine: Engine, today: bytes, texts: Iterable[str]) -> int:
    """Put the list of `today` in place of that of the workspace, and erase what it adds; how many things went.

    `texts` are all that the state holds, also of its databases: a name may stand in these alone.

    Raises:
        WorkspaceError: somebody is at work on the files; the system refuses.
    """
    before, known = set(read_forgotten(engine.workspace)), set(read_topics(engine.workspace))
    _put_list(engine, today)
    erased = 0
    for returned in list(returned_entries(engine)):
        with suppress(NameRefused):  # it went with another one that says the same
            forget(engine, returned.entry.id)
            erased += 1
    for name in (tombstone.entry_id for tombstone in read_forgotten(engine.workspace) if tombstone not in before):
        with suppress(NameRefused, FactOfOthers, TopicUnknown):  # it is of a later day than this state
            if is_fact(name):
                forget_words(engine, fact_topic(engine, name))
                erased += 1
            elif is_line(name):
                forget_words(engine, line_topic(engine, name))
                erased += 1
    new = [one for one in read_topics(engine.workspace) if one not in known]
    words = map(tokens, texts if new else ())
    names = {" ".join(run) for part in words for one in new for run in one.runs_in(part)}
    if names:
        forget_topic(engine, topic(sorted(names)))
    _put_list(engine, today)
    return erased + len(names)


def _put_list(engine: Engine, today: bytes) -> None:
    """The list of today, also after the erasures above, which have noted them once more, with a later day."""
    with engine.locks.hold([LOCK], "forget", engine.clock.now()):
        known = engine.workspace.read(FORGOTTEN)
        if (known or b"") != today:
            engine.workspace.put_file(FORGOTTEN, known, today)
