"""The owner's words in the dialogues of Claude Code: an answer to its questions, or the reason for a refusal.

They count beside the fields that the program alone writes, `toolUseResult` and `toolDenialKind`: any tool can print the
text of a result. A server's tool has a longer name than the program's own.
"""

from collections.abc import Sequence

from pipeline.adapters.sources.reading.records import Record, answer_text, blocks, clean, mapping, texts

_TOOL = "AskUserQuestion"
_REFUSED = "User rejected tool use"
# The beginning of the program's own text. The first versions write it into `toolUseResult`, as they do the errors of
# tools: there it counts for tools whose errors are the program's words, and not a command's or a page's.
_REFUSAL = "The user doesn't want to proceed with this tool use."
_REASON = "the user said:\n"
_OWN_ERRORS = frozenset({"Edit", "MultiEdit", "Write", "NotebookEdit", "ExitPlanMode", "exit_plan_mode"})


def questions(call: Record) -> tuple[str, ...]:
    """The questions of a call, in order; none when another tool is called, or when the call brings answers along."""
    given = mapping(call.get("input"))
    if call.get("name") != _TOOL or given.get("answers"):
        return ()
    asked = (block.get("question") for block in blocks(given.get("questions")))
    return tuple(clean(question) for question in asked if isinstance(question, str) and question.strip())


def answers(outcome: object, asked: Sequence[str]) -> str:
    """The owner's answers to these questions in a line's `toolUseResult`; empty when nobody answered in time."""
    fields = mapping(outcome)
    if not isinstance(fields.get("questions"), list):
        return ""
    given = {clean(question): answer for question, answer in mapping(fields.get("answers")).items()}
    return answer_text(map(given.get, asked))


def refusal(record: Record, result: Record, tool: str) -> str:
    """The owner's words at the refusal of the call of a tool of that name; empty without words, or for an error."""
    text = "\n".join(texts(result.get("content")))
    outcome = record.get("toolUseResult")
    marked = record.get("toolDenialKind") == "user-rejected" or outcome == _REFUSED
    by_program = outcome == f"Error: {text}" and tool in _OWN_ERRORS
    said = (marked or by_program) and text.startswith(_REFUSAL)
    return text.partition(_REASON)[2].strip() if said else ""
