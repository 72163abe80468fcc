"""The lines of a page that the records prove by their fields: what was approved, left open, done, and talked about."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby

from jobs.extraction.exchanges import own_words
from jobs.resolution.same_thing import features
from jobs.wrapup.points import Bullet, MessageNumbers, key_of
from pipeline.entries.voice.off_record import on_record
from pipeline.markdown.entries import one_line
from schemas.evidence import EvidenceKind, RecordEvidence
from schemas.summary import Part
from schemas.transcript import MASK, Message, Origin, Session
from schemas.window import Window

AGENT = "agent: "
"""The prefix of a line that rests on an agent's records alone: it is nobody's word."""

PLAN = "plan"
"""The prefix of the names of lines of approved plans; they stand with the decisions."""

_SAME = 0.6  # of what the line is about
_MOST_WORDS, _MOST_COMMAND = 100, 120  # characters
_MOST_TODOS, _MOST_COMMITS, _MOST_FILES = 10, 10, 5


@dataclass(frozen=True)
class RecordedLine:
    """A line of the page. `name` is that of its item, and begins with its section; it stays when the line grows."""

    name: str
    section: str
    text: str
    project: str
    time: datetime
    place: MessageNumbers

    def is_in(self, bullets: Iterable[Bullet]) -> bool:
        """Whether a point of a model says the same; of a talk any point about it does."""
        beside = [bullet for bullet in bullets if bullet.part.value == self.section]
        if self.section == Part.CONVERSATION.value:
            return any(place.session_id == self.place.session_id for bullet in beside for place in bullet.places)
        own = features(self.text)
        return any(len(own & features(bullet.text)) >= _SAME * len(own) for bullet in beside)


def recorded_lines(sessions: Sequence[Session], window: Window) -> list[RecordedLine]:
    """The lines of all sessions of a day, those of a project together, in the order of their records."""
    days = [_SessionDay(on_record(session), window) for session in sessions]
    lines = [line for day in days if day.owner for line in day.lines()]
    return sorted({line.name: line for line in lines}.values(), key=lambda line: (line.project, line.time))


class _SessionDay:
    """A session within a day; `owner` are the owner's messages in it."""

    def __init__(self, session: Session, window: Window) -> None:
        self._session = session
        self._evidence = [
            evidence for evidence in session.evidence if evidence.time in window and not _is_secret(evidence.text)
        ]
        self._said = [message for message in session.conversation if message.time in window]
        self.owner = [message for message in self._said if message.origin is Origin.OWNER]

    def lines(self) -> Iterator[RecordedLine]:
        """All its lines."""
        for plan in self._of(EvidenceKind.PLAN_APPROVED):
            yield self._line(PLAN, plan.number, f"Plan approved: {plan.text}", [plan])
        for last in self._of(EvidenceKind.TODOS)[-1:]:  # a task that the agent had begun is a loop
            for todo in [todo for todo in last.todos if not _is_secret(todo.text)][:_MOST_TODOS]:
                section = Part.LOOP if todo.begun else Part.ACTION
                begun = " (begun, not finished)" if todo.begun else ""
                yield self._line(section.value, todo.text, f"{AGENT}{todo.text}{begun}{self._where(last)}", [last])
        if not self._session.routine:
            yield self._opening()
        yield from self._deeds()

    def _opening(self) -> RecordedLine:
        """The session by the owner's first own words and its length."""
        own = (one_line(own_words(message)) for message in self.owner if not _is_secret(message.text))
        words = _cut_text(next((text for text in own if any(map(str.isalnum, text))), ""), _MOST_WORDS)
        times = [message.time for message in self._said]  # which are not in order where a clock went back
        minutes = round((max(times) - min(times)).total_seconds() / 60)
        length = f"{_count(len(self.owner), 'message')} of yours, {_count(minutes, 'minute')}"
        project = self._session.project_of(self.owner[0])
        where = f"{project}: " if project else ""
        said = f'"{words}" - ' if words else ""
        return self._line(Part.CONVERSATION.value, "opening", f"{where}{said}{length}", self._said)

    def _deeds(self) -> Iterator[RecordedLine]:
        commits = self._of(EvidenceKind.COMMIT)
        for commit in commits[:_MOST_COMMITS]:
            title = f'"{commit.text}"' if commit.text else "without a title in the command"
            yield self._technical(f"commit {commit.number} {commit.text}", f"committed {title}", [commit])
        if more := commits[_MOST_COMMITS:]:
            yield self._technical("commits", f"made {_count(len(more), 'more commit')}", more)
        for kind, did in ((EvidenceKind.PUSH, "pushed"), (EvidenceKind.RELEASE, "released")):
            if done := self._of(kind):
                places = ", ".join(dict.fromkeys(evidence.text for evidence in done if evidence.text))
                yield self._technical(did, f"{did} {places}".strip(), done)
        yield from self._files()
        last = self._of(EvidenceKind.FAILED, EvidenceKind.PASSED)[-1:]
        if last and last[0].kind is EvidenceKind.FAILED:
            command = _cut_text(last[0].text, _MOST_COMMAND).replace("`", "'")
            yield self._technical("failed", f"the last command failed: `{command}`", last)

    def _files(self) -> Iterator[RecordedLine]:
        """The files that were written, by project."""
        written = sorted(self._of(EvidenceKind.FILE), key=lambda evidence: evidence.project)
        for project, group in groupby(written, key=lambda evidence: evidence.project):
            files = list(group)
            names = list(dict.fromkeys(file.text.replace("\\", "/").rpartition("/")[2] for file in files))
            more = f" and {len(names) - _MOST_FILES} more" if len(names) > _MOST_FILES else ""
            yield self._technical(f"files {project}", f"wrote {', '.join(names[:_MOST_FILES])}{more}", files)

    def _of(self, *kinds: EvidenceKind) -> list[RecordEvidence]:
        return [evidence for evidence in self._evidence if evidence.kind in kinds]

    def _technical(self, key: str, text: str, rests_on: Sequence[RecordEvidence]) -> RecordedLine:
        return self._line(Part.TECHNICAL.value, key, f"{AGENT}{text}{self._where(rests_on[0])}", rests_on)

    def _where(self, evidence: RecordEvidence) -> str:
        project = evidence.project or self._session.project
        return f" in {project}" if project else ""

    def _line(
        self, section: str, key: object, text: str, rests_on: Sequence[RecordEvidence] | Sequence[Message]
    ) -> RecordedLine:
        name = f"{section}-{key_of(self._session.session_id)}-{key_of([section, key])}"
        numbers = [evidence.number for evidence in rests_on]
        whole = range(numbers[0], numbers[-1] + 1) if section == Part.CONVERSATION.value else dict.fromkeys(numbers)
        place = MessageNumbers(self._session.session_id, tuple(whole))
        return RecordedLine(name, section, text, rests_on[0].project or self._session.project, rests_on[0].time, place)


def _is_secret(text: str) -> bool:
    return MASK * 2 in text


def _cut_text(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1].rstrip()}…"


def _count(number: int, thing: str) -> str:
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"
