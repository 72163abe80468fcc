"""Evidence of structure: facts that the fields of an agent's records prove, without words."""

from collections.abc import Callable
from enum import StrEnum

from pydantic import Field

from schemas.base import Moment, Value

LONGEST = 300
"""Characters that are kept of a text of evidence: it is a title, a question or a path, never a whole plan."""


class EvidenceKind(StrEnum):
    """The kind of a proven fact.

    `PLAN_APPROVED`, `PLAN_REJECTED`, `ANSWER` and `REMEMBER` are acts of the owner; all others are the agent's doing.
    `PASSED` is a command that succeeded after others that failed.
    """

    PLAN_APPROVED = "plan_approved"
    PLAN_REJECTED = "plan_rejected"
    ANSWER = "answer"
    REMEMBER = "remember"
    NOTE = "note"
    TODOS = "todos"
    COMMIT = "commit"
    PUSH = "push"
    RELEASE = "release"
    FILE = "file"
    FAILED = "failed"
    PASSED = "passed"


class Todo(Value):
    """An open item of an agent's list; `begun` when the agent was at work on it."""

    text: str = Field(min_length=1, max_length=LONGEST)
    begun: bool = False


class RecordEvidence(Value):
    """The fact that a record of a session proves.

    `number` is that of the record, as in `Message`. `text` is the title of a plan, the choice in a dialog, the words to
    remember or to note (of a file a line that was not there before), the first line of a commit, the place of a push or
    release, the path of a file, or a command. `about` is the question of a choice, or the file of a note. `todos` are
    the open items of a list as it stood then. `project` is as in `Message`.
    """

    kind: EvidenceKind
    number: int = Field(ge=0, lt=2**31)
    time: Moment
    text: str = Field(default="", max_length=LONGEST)
    about: str = Field(default="", max_length=LONGEST)
    todos: tuple[Todo, ...] = ()
    project: str = ""

    def with_words(self, change: Callable[[str], str]) -> "RecordEvidence":
        """The same evidence, with each of its texts as `change` gives it."""
        todos = tuple(todo.model_copy(update={"text": change(todo.text)}) for todo in self.todos)
        return self.model_copy(update={"text": change(self.text), "about": change(self.about), "todos": todos})
