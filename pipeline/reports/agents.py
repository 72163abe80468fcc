"""The memory of an agent, read from its folder: what it gets when it wakes up, and what it knows."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import dropwhile, takewhile

from pipeline.agents.brain import REPLACED, PageLine, Waking, fit_waking, page_lines, text_of
from pipeline.agents.journal import parse_change
from pipeline.agents.standing import MemoryLine, Standings, stand
from pipeline.errors import ReadFailed
from pipeline.errors.agents import MayNotRead, UnknownAgent
from pipeline.language.folding import folded_words
from pipeline.ledger import Ledger
from pipeline.markdown.blocks import find_blocks, without_marks
from pipeline.markdown.encoding import NotText, faults, readable_text
from pipeline.reports.start_page import fitted_page, start_page
from pipeline.workspace.families import Slots, concrete
from pipeline.workspace.files import Workspace
from pipeline.workspace.layout import placed_pattern
from schemas.agent_settings import AgentsSettings
from schemas.hot_page import PAGE_BUDGET, WAKE_BUDGET
from schemas.hot_page import PATH as HOT_PAGE
from schemas.memory_change import MemoryChange
from schemas.reports.agents import KnownLine, WakePart, WakeUp

FOLDER = "{agents}/{agent}"
_BRAIN, _ARCHIVE = f"{FOLDER}/memory/brain.md", f"{FOLDER}/memory/brain_archive.md"
_CONTEXT = f"{FOLDER}/memory/active_context.md"
_IDENTITY, _JOURNAL = f"{FOLDER}/identity.md", f"{FOLDER}/memory/journal/*.md"


@dataclass(frozen=True)
class AgentFolder:
    """The folder of one declared agent. `reader` is the agent that looks, when that is another one."""

    settings: AgentsSettings
    workspace: Workspace
    ledger: Ledger
    agent: str
    reader: str = ""

    def __post_init__(self) -> None:
        """Refuse an agent that nobody declared, and one that may not be read."""
        named = self.settings.by_name
        for name in filter(None, (self.agent, self.reader)):
            if name not in named:
                raise UnknownAgent(name, sorted(named))
        if self.reader not in {"", self.agent} and not named[self.reader].reads(self.agent):
            raise MayNotRead(self.reader, self.agent)

    def wake(self, budget: int = WAKE_BUDGET, *, with_memory: bool = False, project: str | None = None) -> WakeUp:
        """The first text of an agent: who it is, what it always knows, its last session.

        `with_memory` is `MEMORY.md` besides, which one that knows nothing yet gets unasked; with a `project` what holds
        everywhere and what is about that project, in a budget of its own.

        Of another agent only what it always knows and its last session, without what nobody has confirmed.
        """
        problems = list[str]()
        waking = Waking(
            identity="" if self._foreign else without_marks(self._text(_IDENTITY, problems)).strip(),
            brain=tuple(self._brain(problems)),
            context=tuple(self._context(problems)),
        )
        kept, left_out = fit_waking(waking, budget, self._count)
        if with_memory or not (waking.brain or waking.context or self._foreign):
            page = start_page(without_marks(self._text(HOT_PAGE, problems)).strip(), project)
            shown, gone = fitted_page(page, PAGE_BUDGET, self._count) if project is not None else (page, 0)
            kept = replace(kept, memory=shown.text)
            left_out += (f"{gone} lines of {HOT_PAGE}",) if gone else ()
        parts = tuple(WakePart(name, text, self._count(text)) for name, text in kept.texts.items())
        return WakeUp(self.agent, parts, self._count(kept.text), left_out, tuple(problems))

    def know(self) -> list[KnownLine]:
        """The lines that the agent knows, numbered: those of its journal that hold, then those of other hands.

        A line has the words of the pages: a person may have corrected those that it rests on.
        """
        in_mind, words, ended = {line.name for line in self._brain([])}, self._words(), self._replaced_ids()
        standing = (line for line in self.standings().lines.values() if line.id not in ended)
        lines = [line for line in standing if line.is_confirmed or not self._foreign]
        own = [
            _known_line(number, line, words.get(line.id, ""), in_mind=line.id in in_mind)
            for number, line in enumerate(lines, 1)
        ]
        others = [line for line in self._brain([]) if not line.name and not line.heads]
        rest = enumerate(others, len(own) + 1)
        return own + [KnownLine(number, "", "", line.text, "", in_mind=True) for number, line in rest]

    def standings(self) -> Standings:
        """The lines of the journal that stand, with those that were replaced."""
        return stand(change for path in self.workspace.select(self.path(_JOURNAL)) for change in self._changes(path))

    def lines_in_mind(self) -> int:
        """The number of lines in the brain, by whatever hands."""
        return sum(not line.heads for line in self._brain([]))

    def tokens_in_mind(self) -> int:
        """The tokens of what the agent always knows, as it sees it."""
        return self._count(text_of(self._brain([])))

    @property
    def _foreign(self) -> bool:
        return self.reader not in {"", self.agent}

    def _brain(self, problems: list[str]) -> list[PageLine]:
        lines, standing = self._lines(_BRAIN, problems), self.standings().lines if self._foreign else {}
        return [line for line in lines if line.name not in standing or standing[line.name].is_confirmed]

    def _context(self, problems: list[str]) -> Iterator[str]:
        """The summary of the last session, without lines that left the memory since, and in a person's corrections."""
        now, shown = self.standings(), self._words()
        ended, replaced = self._replaced_ids(), {folded_words(replacement.line.text) for replacement in now.replaced}
        for line in self._lines(_CONTEXT, problems):
            standing = now.saying(line.text)
            words = shown.get(standing.id) if standing and standing.is_confirmed else None
            holds = standing.id not in ended if standing else folded_words(line.text) not in replaced
            if not line.heads and holds:
                yield f"- {words}" if words else line.text

    def _replaced_ids(self) -> set[str]:
        """The ids of lines that the archive lists as replaced: they may stand in the journal, and hold no more."""
        return {line.name for line in dropwhile(lambda line: line.name != REPLACED, self._lines(_ARCHIVE, []))}

    def _words(self) -> dict[str, str]:
        """The words of the lines that stand, as the pages have them, by id."""
        pages = (self._lines(pattern, []) for pattern in (_BRAIN, _ARCHIVE))
        standing = (line for page in pages for line in takewhile(lambda line: line.name != REPLACED, page))
        return {line.name: line.text.removeprefix("- ") for line in standing}

    def path(self, pattern: str = FOLDER) -> str:
        """The path of the folder, or of a pattern with the agent's name put in."""
        return concrete(placed_pattern(pattern, self.settings.root), Slots(agent=self.agent))

    def _text(self, pattern: str, problems: list[str]) -> str:
        """The text of a file; empty when there is none, and a problem when it cannot be read."""
        path = self.path(pattern)
        try:
            data = self.workspace.read(path) or b""
            problems += (f"{path}, line {fault.line}: it {fault.what}" for fault in faults(data))
            return readable_text(data)
        except (ReadFailed, NotText) as error:
            problems.append(str(error))
        return ""

    def _lines(self, pattern: str, problems: list[str]) -> list[PageLine]:
        path = self.path(pattern)
        known = {(block.name, block.digest) for block in self.ledger.changes.standing_in(path)}
        return page_lines(self._text(pattern, problems).encode(), known)

    def _changes(self, path: str) -> Iterator[MemoryChange]:
        known = {(block.name, block.digest) for block in self.ledger.changes.standing_in(path)}
        for block in find_blocks(self.workspace.read(path) or b""):
            change = parse_change(block.name, block.text) if (block.name, block.digest) in known else None
            if change:
                yield change

    def _count(self, text: str) -> int:
        return self.ledger.token_counts.of(text)


def _known_line(number: int, line: MemoryLine, shown: str, *, in_mind: bool) -> KnownLine:
    """A line as it is listed, in the words that a page has `shown`: corrected by a person, or marked as replaced."""
    change, words = line.change, shown if shown and line.is_confirmed else line.text
    corrected = not words.startswith(line.text)
    return KnownLine(
        number=number,
        id=line.id,
        section=line.section.value,
        text=words,
        word=line.word.value,
        in_mind=in_mind,
        quote=shown if corrected else change.quote if change else "",
        session_id=change.session_id if change else "",
        message=change.number if change else 0,
        asked_by=change.asked_by if change else "",
        date=line.at,
        pinned=line.pinned,
    )
