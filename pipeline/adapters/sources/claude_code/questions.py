"""The owner's words in the dialogues of Claude Code: an answer to its questions, or the reason for a refusal.

They count beside the fields that the program alone writes, `toolUseResult` and `toolDenialKind`: any tool can print the
text of a result. A server's tool has a longer name than the program's own.
"""

from collections.abc import Sequence

from pipeline.adapters.sources.reading.records import Record, blocks, clean, mapping, texts, word

_TOOL = "AskUserQuestion"
_REFUSED = "User rejected tool use"
# The beginning of the program's own text. The first versions write it into `toolUseResult`, as they do the errors of
# tools: there it counts for tools whose errors are the program's words, and not a command's or a page's.
_REFUSAL = "The user doesn't want to proceed with this tool use."
_REASON = "the user said:\n"
_FAILED = "Error: Exit code "
_BY_HAND = "user"
_OWN_ERRORS = frozenset({"Edit", "MultiEdit", "Write", "NotebookEdit", "ExitPlanMode", "exit_plan_mode"})


def questions(call: Record) -> tuple[str, ...]:
    """The questions of a call, in order; none when another tool is called, or when the call brings answers along."""
    given = mapping(call.get("input"))
    if call.get("name") != _TOOL or given.get("answers"):
        return ()
    asked = (block.get("question") for block in blocks(given.get("questions")))
    return tuple(clean(question) for question in asked if isinstance(question, str) and question.strip())


def answers(outcome: object, asked: Sequence[str]) -> list[tuple[str, str]]:
    """The owner's answers in a line's `toolUseResult`, behind their questions; none when nobody answered in time."""
    fields = mapping(outcome)
    if not isinstance(fields.get("questions"), list):
        return []
    given = {clean(question): word(answer).strip() for question, answer in mapping(fields.get("answers")).items()}
    return [(question, given[question]) for question in asked if given.get(question)]


def refusal(record: Record, result: Record, tool: str) -> str:
    """The owner's words at the refusal of the call of a tool of that name; empty without words, or for an error."""
    text = "\n".join(texts(result.get("content")))
    return text.partition(_REASON)[2].strip() if is_refused(record, text, tool) else ""


def is_refused(record: Record, text: str, tool: str) -> bool:
    """Whether the owner refused the call of a tool of that name; `text` is its result."""
    outcome = record.get("toolUseResult")
    marked = record.get("toolDenialKind") == "user-rejected" or outcome == _REFUSED
    by_program = outcome == f"Error: {text}" and tool in _OWN_ERRORS
    return (marked or by_program) and text.startswith(_REFUSAL)


def has_approved(record: Record) -> bool:
    """Whether the program recorded that the owner allowed a call by an act of his own.

    A mode, a rule of the settings and a hook are other sources of a decision; older versions record none.
    """
    decision = mapping(record.get("permissionDecision"))
    return decision.get("decision") == "accept" and word(decision.get("source")).startswith(_BY_HAND)


def has_succeeded(record: Record, result: Record) -> bool | None:
    """Whether a call succeeded, by the fields of the program: `None` where they say neither."""
    outcome = record.get("toolUseResult")
    if result.get("is_error") is True:
        return False if word(outcome).startswith(_FAILED) else None
    fields = mapping(outcome)
    return None if not fields or fields.get("interrupted") or fields.get("backgroundTaskId") else True
