"""The last session of an agent, in a few sentences: what it picks up where it left off."""

import json
import re
from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime

from jobs.agent_sessions import NAME as SESSIONS
from pipeline.agents.gate import READ_ONLY
from pipeline.drafts import Draft, ItemDraft
from pipeline.job import AfterEpisode, Job, Reads, Run, Target
from pipeline.markdown.blocks import FRONT_MATTER, find_blocks
from pipeline.markdown.item_names import text_name

_CLOSED = re.compile(r"^closed: (\S+)$", re.MULTILINE)


def run(run: Run) -> Sequence[Draft]:
    """The items of the page, without what is to be forgotten; those that stand when it is of a later session.

    A request has the words of a line that was taken out of the agent's memory.
    """
    from jobs.session_facts.claims import extractions
    from jobs.voice.forgetting import forgotten_facts, says_any

    facts = (fact for session in run.inputs.transcripts for fact in forgotten_facts(session, run.window))
    asked = [fact.replaces for fact in facts]
    asked += [run.request] if run.request else []
    items = [block for block in find_blocks(run.written.current.encode()) if block.item]
    blocks = [block for block in items if block.name == FRONT_MATTER or not says_any(block.text, asked)]
    front = next((block.text for block in blocks if block.name == FRONT_MATTER), "")
    standing = _closed_at(front)
    if standing and standing > run.window.end:
        return [ItemDraft(block.name, block.text) for block in blocks]
    said = [sentence for _, answer in extractions(run) for sentence in answer.sentences if sentence.strip()]
    lines = [sentence for sentence in said if not says_any(sentence, asked)]
    if not lines or run.agent.settings.autonomy == READ_ONLY:
        return [ItemDraft(block.name, block.text) for block in blocks]
    front = f"session: {json.dumps(run.key)}\nclosed: {run.window.end.astimezone(UTC).isoformat()}"
    sentences = [ItemDraft(text_name("sentence", line), f"- {line}") for line in dict.fromkeys(lines)]
    return [ItemDraft(FRONT_MATTER, front), ItemDraft("title", f"# {run.day.isoformat()}"), *sentences]


def _closed_at(front: str) -> datetime | None:
    """The end of the session of a page; `None` where a person made the field something else."""
    with suppress(ValueError):
        moment = datetime.fromisoformat(match[1]) if (match := _CLOSED.search(front)) else None
        return moment if moment and moment.tzinfo else None
    return None


JOB = Job(
    name="agent_context",
    purpose="Keeps the last session of an agent in a few sentences, for when it wakes up.",
    schedule=AfterEpisode(SESSIONS),
    reads=Reads(transcripts=True),
    writes=Target("{agents}/{agent}/memory/active_context.md"),
    run=run,
    per_agent=True,
    on_request=True,
)
