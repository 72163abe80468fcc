"""The ports of the engine: small Protocols, each with one contract suite in `tests.support.ports`."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Protocol

from schemas.outcome import Usage
from schemas.transcript import Session, TranscriptFile


class Clock(Protocol):
    """The one source of the current time."""

    def now(self) -> datetime:
        """The present moment, aware, in UTC."""


class TranscriptSource(Protocol):
    """A folder in which agents leave their sessions."""

    @property
    def name(self) -> str:
        """The name of this root in entries."""

    def files(self) -> Iterator[TranscriptFile]:
        """The files that may hold a session, in the order of their paths; a sub-folder that cannot be listed is empty.

        Raises:
            ReadFailed: the source as a whole cannot be listed.
        """

    def read(self, path: str) -> Sequence[Session]:
        """The sessions in one file, each id once; none when the file is another agent's, or holds no session at all.

        Raises:
            ReadFailed: the file cannot be read.
        """


class Redactor(Protocol):
    """Finds secrets."""

    def redact(self, text: str, before: Sequence[str] = ()) -> str:
        """`text` with every character of a secret masked by `MASK`; the length never changes, so that spans hold.

        `before` are the messages that `text` follows in a conversation, the latest last: it may answer a question.
        """


@dataclass(frozen=True)
class Question:
    """A question for a model: instructions, the input, and the JSON schema its answer must fit.

    With `background` the model that sums up and judges is to answer it.
    """

    name: str
    instructions: str
    input: str
    schema: dict[str, Any]
    background: bool = False


@dataclass(frozen=True)
class Reply:
    """The model's answer as text, and what it cost in tokens; `retries` is how often the server had refused before.

    `cached_tokens` are those of the input that the server still knew from an earlier question, and sells cheaper.
    `batched` is the id of the question where a batch has brought it.
    """

    text: str
    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0
    retries: int = 0
    batched: str = ""

    @property
    def usage(self) -> Usage:
        """Its cost, as that of one question."""
        return Usage(
            asked=1,
            input_tokens=self.input_tokens,
            output_tokens=self.output_tokens,
            cached_tokens=self.cached_tokens,
        )


@dataclass(frozen=True)
class BatchLook:
    """A look at a batch: whether it has `ended`, and then the replies to its questions, by id.

    A question without a reply was refused, or not answered in time. `spent` is what answers cost that cannot be used.
    """

    ended: bool
    replies: Mapping[str, Reply] = field(default_factory=dict)
    spent: Usage = field(default_factory=Usage)


class BatchServer(Protocol):
    """A server that answers many questions within a day, at a lower price. Every method may raise ModelUnavailable."""

    def send(self, batch: str, questions: Mapping[str, Question]) -> str:
        """Send questions by id, all for the same model, under a name by which they are found; the server's id.

        Raises:
            BatchRefused: it does not take them, and has kept nothing.
        """

    def find(self, batch: str) -> str:
        """The server's id of a batch that was sent under this name; empty when there is none."""

    def look(self, remote: str) -> BatchLook:
        """The state of a batch."""

    def cancel(self, remote: str) -> None:
        """Give up what of a batch is not answered yet; it then ends."""


class LanguageModel(Protocol):
    """A model. It may answer anything: the engine checks."""

    @property
    def name(self) -> str:
        """The model's name, part of the key under which answers are cached."""

    @property
    def background(self) -> str:
        """The name of the model that sums up and judges; the same as `name` where there is one model."""

    def answer(self, question: Question) -> Reply:
        """One answer.

        Raises:
            ModelUnavailable: no usable answer after the attempts that the settings allow.
        """
