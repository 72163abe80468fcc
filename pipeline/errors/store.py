"""The expected errors of the store, of the details in it, and of conversations."""

from collections.abc import Sequence

from pipeline.errors import PipelineError, UnknownName
from schemas import exit_codes

_SHOWN = 5


class StoreError(PipelineError):
    """The store did not carry out a request."""


class StoreUnusable(StoreError):
    """The store as a whole is not to be had: no request can be mended so that it is."""


class StoreUnavailable(StoreUnusable):
    """The store cannot be reached; nothing was lost, and nothing stored."""

    sentence = "The store {where} cannot be reached: {reason}."
    advice = "Nothing was stored; try again once it is back."
    where: str
    reason: str


class StoreBusy(StoreUnusable):
    """Another process holds the store for too long."""

    exit_code = exit_codes.HELD
    sentence = "Another process holds the store {where}."
    advice = "Nothing was stored; try again."
    where: str


class StoreDamaged(StoreUnusable):
    """The file is no store, or was damaged."""

    sentence = "{where} cannot be read as a store: {reason}."
    advice = "Put it back from a backup, or move it away to begin anew."
    where: str
    reason: str


class StoreNewer(StoreUnusable):
    """A newer program has written the store."""

    exit_code = exit_codes.UNUSABLE
    sentence = "The store {where} has version {version}, which is newer than this program."
    advice = "Nothing was changed; update the program."
    where: str
    version: str


class StoreDriverMissing(StoreUnusable):
    """The settings name a PostgreSQL server, and its client is not installed."""

    exit_code = exit_codes.UNUSABLE
    sentence = "store.url names a PostgreSQL server, and its client is not installed."
    advice = "Install it with `pip install 'agent-memory-pipeline[postgres]'`."


class StoreRefused(StoreError):
    """The database does not take a value, such as a text with a zero byte in PostgreSQL."""

    exit_code = exit_codes.UNUSABLE
    sentence = "The store does not take this value: {reason}."
    advice = "Nothing was stored; change the value."
    reason: str


class StoreFull(StoreError):
    """There is no room for the value that was to be stored."""

    sentence = "There is no room left for the store {where}. Nothing was stored."
    advice = "Make room there, or drop what is old with `memory store prune`."
    where: str


class UnknownDetail(UnknownName):
    """No detail has this key, or it has expired."""

    sort = "stored detail"
    advice = "It may have expired. `memory store list` lists what is kept; do not try this key again."


class DetailRefused(PipelineError):
    """A detail cannot be shown as requested."""

    exit_code = exit_codes.UNUSABLE


class PlaceholderNotKey(DetailRefused):
    """A whole placeholder was given as a key."""

    sentence = "This is a placeholder, and not a key."
    advice = "Its key is {key!r}: ask with that alone."
    key: str


class LinesUnclear(DetailRefused):
    """The text for a range of lines names no lines."""

    sentence = '{lines!r} names no lines; write them as lines="100-180", or one as lines="7".'
    lines: str


class LinesNotThere(DetailRefused):
    """The text ends before the requested lines."""

    sentence = "There are no lines {wanted}: the text has {total}."
    advice = "Ask for some from 1 to {total}."
    wanted: str
    total: int


class PagesNotThere(DetailRefused):
    """There are fewer pages than the requested page."""

    sentence = "There is no page {wanted}: the last one is page {total}."
    wanted: int
    total: int


class DetailGone(DetailRefused):
    """A detail has expired: only the command that made it can bring it back."""

    key: str
    command: str = ""

    def __str__(self) -> str:
        anew = f" Run `{self.command}` to make it anew." if self.command else ""
        return f"The stored detail {self.key!r} has expired and is gone; do not try this key again.{anew}"


class ExportDamaged(StoreError):
    """A file of an export differs from the export."""

    sentence = "{where} is not what was exported."
    advice = "What stands before it was imported; export it anew."
    where: str


class PinnedInTheWay(DetailRefused):
    """Some of the details that are to be deleted are pinned."""

    keys: Sequence[str]

    def __str__(self) -> str:
        shown = ", ".join(self.keys[:_SHOWN]) + (" and others" if len(self.keys) > _SHOWN else "")
        return f"Pinned details would go: {shown}. Nothing was deleted; unpin them, or use force."


class UnknownConversation(UnknownName):
    """There is no conversation of this session, or it belongs to another user."""

    sort = "conversation"
    advice = "It may be another user's or another agent's, or deleted; begin one first."


class ConversationRefused(PipelineError):
    """A request about a conversation cannot be met."""

    exit_code = exit_codes.UNUSABLE


class ConversationTaken(ConversationRefused):
    """A conversation is to begin, or to be imported, under a session that has a conversation."""

    sentence = "There is a conversation {session_id!r} already."
    advice = "Choose another session_id, or delete it first."
    session_id: str


class TranscriptKept(ConversationRefused):
    """A message is to be appended to a conversation that holds the session of a transcript."""

    sentence = "The conversation {session_id!r} is a transcript of another machine, which alone adds to it."
    advice = "Begin a conversation under another session_id."
    session_id: str


class NoOwnerShips(ConversationRefused):
    """Somebody else than the owner of the workspace wants to send transcripts to it."""

    exit_code = exit_codes.NO_PERSON
    sentence = "Only the owner of the workspace ships transcripts to it: they hold the owner's own words."
    advice = "Ship with a person's token, and without user_id."


class NotThatAgent(ConversationRefused):
    """An agent requests a conversation in the name of another agent."""

    sentence = "Your token is not that of {agent!r}."
    advice = "Leave agent out: the conversation is with you."
    agent: str


class ConversationUnreadable(ConversationRefused):
    """The file that is to be imported is no conversation."""

    sentence = "Line {line} is no part of an exported conversation: {reason}."
    advice = "Nothing was imported; give the JSONL that the export made, unchanged."
    line: int
    reason: str


class BudgetTooSmall(ConversationRefused):
    """The parts that are never cut take more tokens than the budget has."""

    budget: int
    needed: int
    parts: Sequence[tuple[str, int]]
    """The names of the parts that are never cut, with their tokens."""

    def __str__(self) -> str:
        named = ", ".join(f"{name} {tokens}" for name, tokens in self.parts if tokens)
        return (
            f"The budget is {self.budget} tokens, and what is never cut takes {self.needed}: {named}. "
            f"Give a budget of at least {self.needed}, or a shorter question."
        )


class StatedByPerson(ConversationRefused):
    """An agent wants to change the preferences in a conversation that a person began."""

    exit_code = exit_codes.NO_PERSON
    sentence = "A person began the conversation {session_id!r} and says what is wanted in it."
    advice = "Change its preferences with a person's token."
    session_id: str


class QuestionMissing(ConversationRefused):
    """A context is requested without a question."""

    sentence = "There is no question, and a model's server refuses an empty message."
    advice = "Give what the user asks now as the question."
