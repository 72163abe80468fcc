"""Small jobs, one for each thing that can make a job due: a month, an episode, a group, a request, a change."""

from collections.abc import Sequence
from datetime import timedelta
from hashlib import sha256
from json import dumps

from pipeline.drafts import BlockDraft, Draft, ItemDraft, Skip
from pipeline.job import EveryNth, Job, OnChange, OnRequest, PerEpisode, Period, Reads, Run, Schedule, Target
from schemas.transcript import Origin


def _said(run: Run) -> list[str]:
    """What the owner said inside the window."""
    return [
        message.text
        for session in run.inputs.transcripts
        for message in session.conversation
        if message.origin is Origin.OWNER and message.time in run.window
    ]


def _month(run: Run) -> Sequence[Draft]:
    lines = [ItemDraft(f"said-{number}", f"- {text}") for number, text in enumerate(_said(run), 1)]
    return [ItemDraft("title", f"# {run.key}"), *lines] if lines else []


def _episode(run: Run) -> Sequence[Draft]:
    return _block(run, "episode", f"- {len(_said(run))} messages: {' | '.join(_said(run))}")


def _request(run: Run) -> Sequence[Draft]:
    return _block(run, "asked", f"- {run.request}")


def _block(run: Run, kind: str, text: str) -> Sequence[Draft]:
    name = f"{kind}-{sha256(run.key.encode()).hexdigest()[:8]}"
    if name in {item.name for item in run.inputs.items} or name in run.refusals.forgotten:
        return [Skip("known")]
    return [BlockDraft(name, text, identity=name)]


def _talk(run: Run) -> Sequence[Draft]:
    fields = {"episode": run.key, "start": run.window.start.isoformat(), "closed": run.window.end.isoformat()}
    front = "\n".join(f"{name}: {dumps(value)}" for name, value in (fields | {"ordinal": run.written.ordinal}).items())
    lines = [ItemDraft(f"said-{number}", f"- {text}") for number, text in enumerate(_said(run), 1)]
    return [ItemDraft("front-matter", front), *lines] if lines else []


def _group(run: Run) -> Sequence[Draft]:
    names = [document.path.rpartition("/")[2].removesuffix(".md") for document in run.inputs.documents]
    said = [line for document in run.inputs.documents for line in document.text.splitlines() if line.startswith("- ")]
    lines = [ItemDraft(f"of-{number}", line.partition(" <!--")[0]) for number, line in enumerate(said)]
    return [ItemDraft("front-matter", f"talks: {dumps(names)}"), *lines] if lines else []


def _fold(run: Run) -> Sequence[Draft]:
    """A page for each first word of a line in the notes, with those lines."""
    lines = sorted({line for document in run.inputs.documents for line in document.text.splitlines() if line.strip()})
    pages = [(line.split()[0], f"line-{number}", f"- {line}") for number, line in enumerate(lines)]
    return [ItemDraft(name, text, page=page) for page, name, text in pages]


NOTES = ("second-brain/notes/*.md",)

MONTH = Job(
    name="month",
    purpose="a page of what was said in a month",
    schedule=Schedule("0 5 * * *", period=Period.MONTH),
    reads=Reads(transcripts=True),
    writes=Target("second-brain/months/{month}.md"),
    run=_month,
)
EPISODE = Job(
    name="episode",
    purpose="a block for each conversation",
    schedule=PerEpisode(timedelta(minutes=30)),
    reads=Reads(transcripts=True, items=("memory/episodes/*.md",)),
    writes=Target("memory/episodes/{day}.md", append=True, listed=True),
    run=_episode,
)
BOTH = Job(
    name="both",
    purpose="a block for each conversation, and for what somebody asked to have written",
    schedule=PerEpisode(timedelta(minutes=30)),
    reads=Reads(transcripts=True, items=("memory/both/*.md",)),
    writes=Target("memory/both/{day}.md", append=True, listed=True),
    run=lambda run: _request(run) if run.request else _episode(run),
    on_request=True,
)
TALK = Job(
    name="talk",
    purpose="a page for each conversation",
    schedule=PerEpisode(timedelta(minutes=30)),
    reads=Reads(transcripts=True),
    writes=Target("second-brain/talks/{day}_{number}.md"),
    run=_talk,
)
GROUP = Job(
    name="group",
    purpose="a page for every two conversations",
    schedule=EveryNth("talk", size=2, field="talks"),
    reads=Reads(documents=("second-brain/talks/*.md",)),
    writes=Target("second-brain/groups/{number}.md"),
    run=_group,
)
REQUEST = Job(
    name="request",
    purpose="a block for what somebody asked to have written",
    schedule=OnRequest(),
    reads=Reads(items=("memory/requests/*.md",)),
    writes=Target("memory/requests/{day}.md", append=True, listed=True),
    run=_request,
)
FOLD = Job(
    name="fold",
    purpose="pages out of all notes",
    schedule=OnChange(),
    reads=Reads(documents=NOTES),
    writes=Target("bank/{page}.md"),
    run=_fold,
)
ALL = (MONTH, EPISODE, BOTH, TALK, GROUP, REQUEST, FOLD)
