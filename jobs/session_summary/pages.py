"""The paragraphs of a summary, by a model or of the speakers' own words."""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from math import ceil

from jobs.reading.asking import cut_middle, read_prompt
from jobs.session_facts.claims import owners_words, read
from jobs.session_summary.archive import escape, read_text
from pipeline.agents.journal import one_line, parse_change, session_word
from pipeline.agents.standing import stand
from pipeline.drafts import ItemDraft
from pipeline.entries.values.check import Said, ValuesSaid
from pipeline.job import OFFLINE, Document, NotedItem, Run, Task
from pipeline.language.chinese import han_runs
from pipeline.language.text import sentences
from pipeline.language.tokens import count_tokens
from pipeline.markdown.front_matter import front_fields
from schemas.judgement import LayerSummary, SummaryRequest
from schemas.memory_change import ChangeWord, MemoryChange, Operation
from schemas.transcript import Message, Origin, Role, Session
from schemas.window import Window


@dataclass(frozen=True)
class SummaryWords:
    """The headings of a page, the words around its links, and the speakers. `more` has a place for a number."""

    decisions: str
    sessions: str
    summaries: str
    session: str
    more: str
    owner: str
    assistant: str


_ENGLISH = ("Decisions", "Sessions", "Summaries", "session", "{} more, in the pages below", "Owner", "Assistant")
_POLISH = ("Ustalenia", "Sesje", "Podsumowania", "sesja", "jeszcze {}, na stronach poniżej", "Właściciel", "Asystent")
_CHINESE = ("决定", "会话", "摘要", "会话", "下列页面中另有 {} 项", "本人", "助手")

WORDS = {"en": SummaryWords(*_ENGLISH), "pl": SummaryWords(*_POLISH), "zh": SummaryWords(*_CHINESE)}
"""The words by the `language` of an agent's settings."""


def front_matter(
    run: Run, members: dict[str, list[str]], window: tuple[str, str], day: str, texts: Sequence[str]
) -> str:
    """The sources of a page: its members by their kind, and their time; then the day and the size of its text.

    A deleted member leaves a hole. A page of an earlier version stays without the day and the size.
    """
    fields: dict[str, object] = {"agent": run.agent.name, "number": run.written.number, **members}
    fields |= dict(zip(("start", "end"), window, strict=True))
    if not run.written.current.strip() or "created" in front_fields(run.written.current.encode()):
        fields |= {"created": day, "token_count": count_tokens("\n\n".join(texts))}
    return "\n".join(f"{name}: {json.dumps(value, ensure_ascii=False)}" for name, value in fields.items())


def title(first: str, last: str) -> str:
    """The heading of a page that is about the days from `first` to `last`, in ISO form."""
    return f"# {first}" if first == last else f"# {first} - {last}"


_SAID = re.compile(r"- (?P<time>\d\d:\d\d:\d\d) (?P<who>.+?): (?P<text>.*)", re.DOTALL)
_DAY = timedelta(days=1)
_BACK = timedelta(minutes=5)  # by which a record can be of an earlier time than the one before it
_REPEATED = timedelta(hours=1)  # the same on the day in autumn on which an hour comes twice


@dataclass(frozen=True)
class ArchivedSession:
    """A session by its page. `number` is that of its day; `window` holds all its messages."""

    name: str
    session: Session
    window: Window
    day: str

    @property
    def number(self) -> int:
        """Its number on its day."""
        return int(self.name.rpartition("_")[2])


def archived_sessions(run: Run) -> list[ArchivedSession]:
    """The sessions of the pages that a run sees, in their order; those whose front matter is ours."""
    sessions = filter(None, (_archived_session(run, page) for page in run.inputs.documents))
    return sorted(sessions, key=lambda session: session.window.start)


def _archived_session(run: Run, page: Document) -> ArchivedSession | None:
    fields = front_fields(page.text.encode())
    if not fields.keys() >= {"session_id", "start", "closed"}:
        return None
    start = datetime.fromisoformat(fields["start"]).replace(microsecond=0)  # the messages have whole seconds
    window = Window(start=start, end=datetime.fromisoformat(fields["closed"]))
    items = [item for item in run.inputs.items if item.path == page.path]
    session = Session(
        session_id=fields["session_id"],
        source="archive",
        path=page.path,
        messages=tuple(_messages(run, window.start, items)),
    )
    name = page.path.rpartition("/")[2].removesuffix(".md")
    return ArchivedSession(name, session, window, name.rpartition("_")[0]) if session.messages else None


def _messages(run: Run, start: datetime, items: Iterable[NotedItem]) -> Iterator[Message]:
    """The messages of a page, each on the first day on which it is not long before the last: a page has no days."""
    last = start.astimezone(run.now.tzinfo)
    said = ((item.name, match) for item in items if (match := _SAID.fullmatch(item.text.strip())))
    for number, (name, match) in enumerate(said, 1):
        clock = datetime.strptime(match["time"], "%H:%M:%S").time()  # noqa: DTZ007 - a time of day has no zone
        today = datetime.combine(last.date(), clock, run.now.tzinfo)
        midnight = datetime.combine(last.date(), time(), run.now.tzinfo)
        back = _BACK if midnight.utcoffset() == (midnight + _DAY).utcoffset() else _REPEATED
        last = next(moment for moment in (today - _DAY, today, today + _DAY) if moment >= last - back)
        owner = match["who"] == "owner"
        yield Message(
            number=number,
            entry_ids=(name,),
            role=Role.USER if owner else Role.ASSISTANT,
            origin=Origin.OWNER if owner else Origin.ASSISTANT,
            time=max(last, start),  # of an hour that comes twice in autumn the page does not say which
            text=read_text(match["text"]),
        )


MOST = 10
NAME = "decision-"
"""The prefix of the name of a decision's item."""
_AGREED = (Operation.DECISION, Operation.PREFERENCE)
"""Operations that count as decided: also how the agent is to work from then on."""
_TAKEN_BACK = {Operation.DELETE, Operation.WITHDRAW}


def decided_lines(run: Run, sessions: Sequence[ArchivedSession]) -> list[ItemDraft]:
    """The decisions that the owner made in these sessions and did not take back, the most important first."""
    changes = list(filter(None, (parse_change(item.name, item.text) for item in run.inputs.items)))
    gone = {replaced.line.id for replaced in stand(changes).replaced if replaced.by.operation in _TAKEN_BACK}
    confirmed = (change for change in changes if change.word is not ChangeWord.NOT_CONFIRMED and change.id not in gone)
    agreed = (change for change in confirmed if change.operation in _AGREED)
    mine = [change for change in agreed if any(_is_of(change, session) for session in sessions)]
    return [
        ItemDraft(f"{NAME}{change.id}", f"- {change.text} ({change.id}, {change.at.date().isoformat()})")
        for change in sorted(mine, key=lambda change: (-change.importance, _AGREED.index(change.operation), change.at))
    ]


def list_lines(items: Sequence[ItemDraft], heading: str, more: str) -> list[ItemDraft]:
    """The first ten items under a heading, and the number of the others; nothing without an item."""
    rest = [ItemDraft("more", f"- {more.format(len(items) - MOST)}")] if len(items) > MOST else []
    return [ItemDraft("decisions", f"## {heading}"), *items[:MOST], *rest] if items else []


def _is_of(change: MemoryChange, archived: ArchivedSession) -> bool:
    """Whether it was said in the session; the journal has minutes."""
    if change.session_id != session_word(archived.session.session_id):
        return False
    return archived.window.start.replace(second=0, microsecond=0) <= change.at <= archived.window.end


_ARROW = "→"
"""The sign between a matter and its outcome on pages of earlier versions."""


def lines(member: ArchivedSession, words: SummaryWords) -> list[str]:
    """The lines of a session: what the owner settled, without a speaker, then the owner's first and last words."""
    facts = read(member.session, member.window).facts
    said = owners_words(member.session, member.window, facts)
    return [*(one_line(fact.text) for fact in facts), *(f"{words.owner}: {line}" for line in said)]


def units(paragraph: str) -> list[str]:
    """The sentences of a paragraph of such lines, in their order; a matter and its outcome are one."""
    whole = list[str]()
    for span in sentences(paragraph):
        if whole and (span.text.startswith(_ARROW) or whole[-1].endswith(_ARROW)):
            whole[-1] = f"{whole[-1]} {span.text}"
        else:
            whole.append(span.text)
    return whole


_TOKENS = 300
"""The tokens that a summary should take."""
_MOST_TOKENS = 2 * _TOKENS
"""The tokens that the summary of a model may take."""
_SHOWN = 48_000
"""Characters of all texts in a question; of each that is too long the middle is left out."""
Extracts = Sequence[Sequence[str]]
"""The sentences of each text, the most telling first."""


def paragraphs(
    run: Run, texts: Sequence[str], extracts: Callable[[], Extracts], most: int, sources: Iterable[str]
) -> list[str]:
    """Lines of plain text, at most so many, each a paragraph; `sources` are those of all texts.

    A model's answer that says nothing, or more than the texts do, is not used; nor is a paragraph with a value that
    stands in none of them.
    """

    def offline() -> LayerSummary:
        """The first sentences of the texts, in their order, as many as there is room for."""
        telling = [sentences for sentences in extracts() if sentences]
        size = max(1, ceil(len(telling) / most))  # neighbours stand in one paragraph
        parts = [telling[first : first + size] for first in range(0, len(telling), size)]
        room = _TOKENS // max(1, len(parts))
        return LayerSummary(paragraphs=tuple(_paragraph(part, room) for part in parts))

    half = _SHOWN // max(1, len(texts)) // 2
    shown = tuple(cut_middle(text, 2 * half) for text in texts)
    asked = SummaryRequest(language=run.agent.settings.language, most=most, texts=shown)
    prompt = read_prompt("agent_summary")
    task = Task("agent_summary", prompt, asked, LayerSummary, offline, frozenset(sources), background=True)
    lines = _plain_lines(run.models.ask([task])[0], most)
    if run.models.way_of(task.sources) == OFFLINE:
        return lines
    room = min(_MOST_TOKENS, sum(map(count_tokens, texts)))
    values = ValuesSaid([Said(text, run.day) for text in texts], known=[run.agent.name])
    lines = [line for line in lines if values.unsaid([line]) is None]
    return lines if 0 < sum(map(count_tokens, lines)) <= room else _plain_lines(offline(), most)


def _plain_lines(answer: LayerSummary, most: int) -> list[str]:
    return [escape(line) for text in answer.paragraphs[:most] if (line := one_line(text))]


def _paragraph(extracts: Extracts, room: int) -> str:
    """The first sentence of each text, then the second ones, and so on; those of one text stay together.

    What finds no room ends its text: a sentence may need the one before it, as the first one has the date.
    """
    kept = [list[str]() for _ in extracts]
    for rank in range(max(map(len, extracts))):
        for mine, extract in zip(kept, extracts, strict=True):
            size = count_tokens(extract[rank]) if len(mine) == rank < len(extract) else 0
            if size and (size <= room or not any(kept)):
                mine.append(extract[rank])
                room -= size
    return " ".join(_with_full_stop(sentence) for mine in kept for sentence in mine)


def _with_full_stop(sentence: str) -> str:
    """The sentence with a full stop, where it ends with a word."""
    last = sentence[-1:]
    return sentence + ("。" if han_runs(last) else ".") if last.isalnum() else sentence
