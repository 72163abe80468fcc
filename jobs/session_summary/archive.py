"""A session as a page: front matter, a title, and an item for each message.

Lines of a message are escaped, so that none of them begins a structure of Markdown, and indented under the message. A
backslash alone, which breaks a line in Markdown, is an empty line: paragraphs tell what was typed and what was pasted.
"""

import hashlib
import json
import re
from collections.abc import Sequence

from pipeline.drafts import ItemDraft
from pipeline.entries.voice.off_record import on_record
from pipeline.job import Run
from pipeline.language.tokens import count_tokens
from pipeline.markdown.blocks import FRONT_MATTER
from schemas.transcript import Message, Origin, Session

_BEGINS_STRUCTURE = re.compile(r"^(?=[\\#>*+=~`|<-])|^\d+(?=\\*[.)]\s)")
_ESCAPED = re.compile(r"^\\(?=[\\#>*+=~`|<-])|^(\d+)\\(?=\\*[.)]\s)")
_COMMENT, _ESCAPED_COMMENT = "<!--", "&lt;!--"  # one that never ends would hide the rest of the page
_EMPTY_LINE = "\\"
_LONG, _SHORT = 16, 8  # hex digits that name a message


def page(run: Run) -> list[ItemDraft]:
    """The items of the page of an episode, in the order of its messages; none without a message."""
    for session in map(on_record, run.inputs.transcripts):
        if said := [message for message in session.conversation if message.time in run.window]:
            title = f"# {run.day.isoformat()}, session {run.written.number}"
            sources = {
                "agent": run.agent.name,
                "session_id": session.session_id,
                "session_path": session.session_path,
                "episode": run.key,
                "first": said[0].entry_ids[0],
                "last": said[-1].entry_ids[0],
                "start": run.window.start.isoformat(),
                "end": said[-1].time.isoformat(),
                "closed": run.window.end.isoformat(),  # the window holds messages that come late
                "ordinal": run.written.ordinal,
                "messages": len(said),
                "tokens": sum(count_tokens(message.text) for message in said),
            }
            fields = [f"{name}: {json.dumps(value, ensure_ascii=False)}" for name, value in sources.items()]
            front = ItemDraft(FRONT_MATTER, "\n".join(fields))
            names = _names(session, said)
            messages = [ItemDraft(name, _item(run, message)) for name, message in zip(names, said, strict=True)]
            return [front, ItemDraft("title", title), *messages]
    return []


def _names(session: Session, said: Sequence[Message]) -> list[str]:
    """A name for each message, the same whenever the page is made; longer ones where two would be equal."""
    named = (f"{session.session_id}\0{message.entry_ids[0]}\0{message.number}" for message in said)
    hashes = [hashlib.sha256(name.encode()).hexdigest() for name in named]
    short = [digits[:_SHORT] for digits in hashes]
    twice = {name for name in short if short.count(name) > 1} if len(set(short)) < len(short) else set[str]()
    return [f"m-{digits[: _LONG if digits[:_SHORT] in twice else _SHORT]}" for digits in hashes]


def _item(run: Run, message: Message) -> str:
    who = "owner" if message.origin is Origin.OWNER else run.agent.name or "assistant"
    first, *more = message.text.replace(_COMMENT, _ESCAPED_COMMENT).strip().splitlines() or [""]
    time = f"{message.time.astimezone(run.now.tzinfo):%H:%M:%S}"
    return "\n".join([f"- {time} {who}: {first.strip()}", *(escape(line) or _EMPTY_LINE for line in more)])


def escape(line: str) -> str:
    """A line that begins no structure of Markdown."""
    return _BEGINS_STRUCTURE.sub(lambda match: f"{match[0]}\\", line.strip())


def read_text(shown: str) -> str:
    """The text of a message that an item of the page shows."""
    first, *more = (line.strip() for line in shown.replace(_ESCAPED_COMMENT, _COMMENT).split("\n"))
    return "\n".join([first, *("" if line == _EMPTY_LINE else _ESCAPED.sub(r"\1", line) for line in more)])
