"""From sections and a question to the messages of a prompt that is never above its budget, with a receipt."""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache, lru_cache

from pipeline.context.notes import distinct, noted_lines, weightiest
from pipeline.context.sections import (
    ORDER,
    ContextSections,
    Shortening,
    note_text,
    placeholders_in,
    preference_lines,
    prompt_role,
    recalled_text,
    text_of,
)
from pipeline.context.summary import VERBATIM
from pipeline.errors.store import BudgetTooSmall
from pipeline.language.tokens import count_tokens
from schemas.conversation import ConversationMessage, NotedLine
from schemas.prompt_context import (
    AssembledContext,
    ContextPart,
    ContextReceipt,
    CutPart,
    PromptLayout,
    PromptMessage,
    PromptSection,
)
from schemas.transcript import Role

_FENCED = re.compile(r"^(?P<fence>```|~~~)[^\n]*\n.*?^(?P=fence)[ \t]*$", re.DOTALL | re.MULTILINE)


def prompt_text(message: ConversationMessage, shortening: Shortening) -> str:
    """A message as it goes into a prompt.

    The blocks are what a tool put out, code between fences, and the files that came along. Other words of a speaker
    are never replaced.
    """
    lines, extra = list[str](), message.extra_context
    if message.text.strip() and message.role is Role.TOOL:
        lines.append(f"(output of a tool) {shorten(message.text, shortening)}")
    elif message.text.strip():
        lines.append(_FENCED.sub(lambda block: shorten(block.group(), shortening), message.text))
    for name, values in (("path", extra.paths), ("link", extra.links), ("note", extra.notes)):
        lines += [f"(attached {name}) {value}" for value in values]
    lines += [f"(attached file) {shorten(value, shortening)}" for value in extra.files]
    return "\n".join(lines)


def says_something(message: ConversationMessage) -> bool:
    """Whether a prompt has anything of a message: its text, or what came along with it."""
    extra = message.extra_context
    came_along = (*extra.paths, *extra.links, *extra.notes, *extra.files)
    return bool(message.text.strip()) or any(value.strip() for value in came_along)


def plain_text(message: ConversationMessage) -> str:
    """A message as it would go into a prompt without placeholders."""
    return prompt_text(message, Shortening(threshold=0, placeholder=lambda text: text))


def shorten(text: str, shortening: Shortening) -> str:
    """The placeholder of a text above the threshold, where it is the shorter one; else the text."""
    if len(text) <= shortening.threshold or (tokens := count_tokens(text)) <= shortening.threshold:
        return text  # a token has at least one character
    placeholder = shortening.placeholder(text)
    return placeholder if count_tokens(placeholder) < tokens else text


NOTES_SHARE = 0.5
"""Of what is left beside the parts that are never cut, how much the noted lines may take from older history."""
_HEAD = 20
"""Tokens of the words above the noted lines, at least."""
_BUDGET = "over the budget"
_DETAIL = "stored as a detail; its placeholder stands in the message"
_OLDER = "older than the messages that are given word for word"
_EMPTY = "it says nothing, and a model's server refuses an empty message"
_SUMMED_UP = f"{_OLDER}, and summed up"


@dataclass(frozen=True)
class ContextPiece:
    """A text of a section with its tokens. `number` is that of its message, `plain` its tokens without placeholders."""

    section: PromptSection
    role: Role
    text: str
    tokens: int
    number: int = 0
    plain: int = 0


_OF_THE_PROGRAM = {PromptSection.SYSTEM, PromptSection.GLOBAL_PREFERENCES, PromptSection.SESSION_PREFERENCES}


def piece_of(section: PromptSection, body: str) -> ContextPiece:
    """A section as a piece. What quotes others never speaks as the system, whose word a model follows first."""
    text, role = text_of(section, body), Role.SYSTEM if section in _OF_THE_PROGRAM else Role.USER
    tokens = count_tokens(text)
    return ContextPiece(section, role, text, tokens, plain=tokens)


class Fitting:
    """The choice of what goes into the room that the parts leave which are never cut."""

    def __init__(self, sections: ContextSections, shortening: Shortening, room: int) -> None:
        """Nothing is chosen yet; `room` is in tokens."""
        self._room, self._summary = room, sections.summary
        self._is_stored = cache(shortening.is_stored)
        history = [message for message in sections.history if says_something(message)]
        self._empty = [_plain_piece(message) for message in sections.history if not says_something(message)]
        first = max(0, len(history) - sections.recent)
        self._beyond = [_hidden_piece(message, shortening) for message in history[:first]]
        self._recent = [_shown_piece(message, shortening) for message in history[first:]]
        self._forgotten = [
            _recalled_piece(recalled_text(passage), passage.text, shortening) for passage in sections.recalled
        ]
        summed_up = self._summary.last_number if self._summary else 0
        self._lines = list(self._summary.ledger if self._summary else ())  # of the messages up to `summed_up`
        for message in (message for message in sections.history if message.number > summed_up):
            self._lines += noted_lines(message.number, message.role, message.text)
        self._shown, self._memory = list[ContextPiece](), list[ContextPiece]()
        self._notes = list[NotedLine]()
        self._prose, self._lists_details = "", False

    def fill(self) -> None:
        """Take what there is room for: the last turns, noted lines up to their share, the summary, and the rest.

        The rest is the list of placeholders, the memory by its rank, older messages back from the last turns, and
        noted lines in what is left. A part without room is passed over, so that the context is never empty while any of
        them fits.
        """
        self._take_last_turns()
        prose = self._summary.prose.strip() if self._summary else ""
        left = self._room_left()
        needed = piece_of(PromptSection.SUMMARY, prose).tokens if prose else 0
        share = min(int(self._room * NOTES_SHARE), left - needed if left - needed > left // 3 else left)
        self._choose_notes(share)
        self._prose = prose if needed <= self._room_left() else ""
        self._lists_details = True  # of all that is not taken yet: whatever is taken now makes the list no longer
        self._lists_details = self._room_left() >= 0
        for piece in tuple(self._forgotten):
            if piece.tokens <= self._room_left():
                self._memory.append(piece)
                self._forgotten.remove(piece)
        self._take_older(share)
        self._choose_notes(self._room_left() + self._noted_tokens())

    def pieces(self) -> list[ContextPiece]:
        """The parts that were taken."""
        return [*self._small_pieces(), *self._memory, *self._shown]

    def cuts(self) -> Iterator[CutPart]:
        """The parts that were cut, each with the reason."""
        kept = Counter(line.number for line in self._notes)
        for piece in self._empty:
            yield _cut_part(piece, _EMPTY)
        for piece in self._beyond:
            yield _cut_part(piece, _SUMMED_UP if self._is_summed_up(piece.number) else _OLDER, kept[piece.number])
        for piece in self._without_room():
            yield _cut_part(piece, _BUDGET, kept[piece.number] if piece.number else 0)
        for piece in (*self._shown, *self._memory):
            if piece.plain != piece.tokens:
                yield _cut_part(replace(piece, tokens=piece.plain - piece.tokens), _DETAIL)
        if self._summary and self._summary.prose.strip() and not self._prose:
            yield _cut_part(piece_of(PromptSection.SUMMARY, self._summary.prose.strip()), _BUDGET)
        if not self._lists_details and (listed := self._list_details()):
            yield _cut_part(piece_of(PromptSection.CUT_DETAILS, listed), _BUDGET)

    def notices(self) -> Iterator[str]:
        """Sentences about what a reader of the context does not see."""
        if left := len(self._lines_to_note()) - len(self._notes):
            yield f"{left} lines of earlier messages are worth noting, and found no room."

    def _room_left(self) -> int:
        """The tokens that are left; below 0 the parts do not fit."""
        return self._room - sum(piece.tokens for piece in self.pieces())

    def _take_last_turns(self) -> None:
        """The last messages without a gap. Those at the end that do not even fit alone are passed over."""
        for piece in reversed(self._recent):
            if piece.tokens <= self._room_left():
                self._shown.insert(0, piece)
            elif self._shown:
                return
            if len(self._shown) == VERBATIM:
                return

    def _take_older(self, share: int) -> None:
        """The messages before those that are shown, as many as fit beside the noted lines of the others."""
        last_turns = self._shown
        if not last_turns:
            return
        older = [piece for piece in self._recent if piece.number < last_turns[0].number]

        def overflows(count: int) -> bool:
            self._shown = [*older[len(older) - count :], *last_turns]
            self._choose_notes(share)
            return self._room_left() < 0

        most = bisect_left(range(1, len(older) + 1), x=True, key=overflows)
        overflows(most)

    def _choose_notes(self, limit: int) -> None:
        """Choose the noted lines that take at most so many tokens with the words above them."""
        candidates, room = self._lines_to_note(), limit - _HEAD
        while room > 0:
            places = weightiest(candidates, room, [_tokens_of(line) for line in candidates])
            self._notes = [candidates[place] for place in places]
            over = self._noted_tokens() - limit
            if over <= 0:
                return
            room -= over
        self._notes = []

    def _noted_tokens(self) -> int:
        return sum(piece.tokens for piece in self._small_pieces() if piece.section is PromptSection.NOTES)

    def _without_room(self) -> list[ContextPiece]:
        shown = {piece.number for piece in self._shown}
        return [*(piece for piece in self._recent if piece.number not in shown), *self._forgotten]

    def _small_pieces(self) -> list[ContextPiece]:
        """The summary, the noted lines and the list of placeholders."""
        bodies = {
            PromptSection.SUMMARY: self._prose,
            PromptSection.NOTES: "\n".join(map(note_text, self._notes)),
            PromptSection.CUT_DETAILS: self._list_details() if self._lists_details else "",
        }
        return [piece_of(section, body) for section, body in bodies.items() if body]

    def _list_details(self) -> str:
        hidden = [piece.text for piece in (*self._beyond, *self._without_room())]
        return "\n".join(placeholders_in(hidden, self._is_stored))

    def _lines_to_note(self) -> list[NotedLine]:
        """The lines of the messages that are not shown."""
        shown = {piece.number for piece in self._shown}
        return distinct(line for line in self._lines if line.number not in shown)

    def _is_summed_up(self, number: int) -> bool:
        summary = self._summary
        return bool(self._prose and summary and summary.first_number <= number <= summary.last_number)


@lru_cache(maxsize=8192)
def _tokens_of(line: NotedLine) -> int:
    return count_tokens(note_text(line)) + 1


def _shown_piece(message: ConversationMessage, shortening: Shortening) -> ContextPiece:
    text, plain = prompt_text(message, shortening), plain_text(message)
    tokens = count_tokens(text)
    before = tokens if text == plain else count_tokens(plain)
    return ContextPiece(PromptSection.HISTORY, prompt_role(message), text, tokens, message.number, before)


def _hidden_piece(message: ConversationMessage, shortening: Shortening) -> ContextPiece:
    """A message that is not shown: only one with large blocks is made ready, for its placeholders are."""
    if message.tokens > shortening.threshold or message.extra_context.files:
        return _shown_piece(message, shortening)
    return _plain_piece(message)


def _plain_piece(message: ConversationMessage) -> ContextPiece:
    return ContextPiece(
        PromptSection.HISTORY, message.role, message.text, message.tokens, message.number, message.tokens
    )


def _recalled_piece(whole: str, text: str, shortening: Shortening) -> ContextPiece:
    short = shorten(text, shortening)
    plain = piece_of(PromptSection.MEMORY, whole)
    return (
        plain
        if short == text
        else replace(piece_of(PromptSection.MEMORY, whole.replace(text, short)), plain=plain.tokens)
    )


def _cut_part(piece: ContextPiece, why: str, lines: int = 0) -> CutPart:
    return CutPart(section=piece.section, tokens=piece.tokens, why=why, number=piece.number, lines=lines)


_NO_SHORTENING = Shortening(threshold=1 << 60)


def assemble(
    sections: ContextSections,
    question: str,
    budget: int,
    layout: PromptLayout = PromptLayout.CACHE,
    shortening: Shortening = _NO_SHORTENING,
) -> AssembledContext:
    """The messages of a prompt for a question, and what was cut of it.

    Tokens are those of the texts of the messages. What fits is taken in this order: the last turns, the weightiest
    lines of the history that is not shown, word for word, the summary, the list of placeholders, recalled memory by its
    rank, older history.

    Raises:
        BudgetTooSmall: what is never cut (system, preferences, question) takes more.
    """
    fixed = list(_fixed_pieces(sections, question))
    needed = sum(piece.tokens for piece in fixed)
    if needed > budget:
        raise BudgetTooSmall(budget, needed, [(piece.section.value.replace("_", " "), piece.tokens) for piece in fixed])
    fitting = Fitting(sections, shortening, budget - needed)
    fitting.fill()
    ordered = sorted([*fixed, *fitting.pieces()], key=lambda piece: ORDER[layout].index(piece.section))
    return AssembledContext(
        messages=tuple(PromptMessage(role=piece.role, content=piece.text) for piece in ordered),
        receipt=ContextReceipt(
            budget=budget,
            tokens=sum(piece.tokens for piece in ordered),
            layout=layout,
            parts=tuple(
                ContextPart(
                    section=piece.section,
                    tokens=piece.tokens,
                    number=piece.number,
                    replaced=bool(piece.plain and piece.plain != piece.tokens),
                )
                for piece in ordered
            ),
            cut=tuple(fitting.cuts()),
            notices=tuple(fitting.notices()),
        ),
    )


def _fixed_pieces(sections: ContextSections, question: str) -> Iterator[ContextPiece]:
    """The parts that are never cut: system, preferences and question."""
    everywhere = preference_lines(sections.global_preferences, sections.standing_preferences)
    here = [line for line in preference_lines(sections.session_preferences) if line not in everywhere]
    texts = {
        PromptSection.SYSTEM: sections.system,
        PromptSection.GLOBAL_PREFERENCES: "\n".join(everywhere),
        PromptSection.SESSION_PREFERENCES: "\n".join(here),
    }
    yield from (piece_of(section, body) for section, body in texts.items() if body.strip())
    if question.strip():  # a model's server refuses an empty message
        yield piece_of(PromptSection.QUESTION, question)
