"""What the owner said in the dialogues of Claude Code: an answer to its questions, or the reason for a refusal.

The words count in one place only: beside the fields that the program writes, `toolUseResult` and `toolDenialKind`. The
text of a result can be printed by any tool, and a server's tool has a longer name than the program's own.
"""

from collections.abc import Sequence

from pipeline.adapters.sources.reading.records import Record, blocks, clean, mapping, texts

_TOOL = "AskUserQuestion"
_OF_A_SERVER = "mcp__"
_REFUSED = "User rejected tool use"
# How the program begins its own text; earlier versions write it into `toolUseResult` too, as they do errors of tools.
_REFUSAL = "The user doesn't want to proceed with this tool use."
_REASON = "the user said:\n"


def questions(call: Record) -> tuple[str, ...]:
    """The questions of a call, in order; none when another tool is called, or when the call brings answers along."""
    given = mapping(call.get("input"))
    if call.get("name") != _TOOL or given.get("answers"):
        return ()
    asked = (block.get("question") for block in blocks(given.get("questions")))
    return tuple(clean(question) for question in asked if isinstance(question, str) and question.strip())


def answers(outcome: object, asked: Sequence[str]) -> list[str]:
    """The owner's answers to these questions in a line's `toolUseResult`; none when nobody answered in time."""
    fields = mapping(outcome)
    if not isinstance(fields.get("questions"), list):
        return []
    given = {clean(question): answer for question, answer in mapping(fields.get("answers")).items()}
    said = (given.get(question) for question in asked)
    return [clean(answer) for answer in said if isinstance(answer, str) and answer.strip()]


def refusal(record: Record, result: Record, tool: str) -> str:
    """What the owner said when refusing the call of a tool of that name; empty without words, or for an error."""
    text = "\n".join(texts(result.get("content")))
    outcome = record.get("toolUseResult")
    marked = record.get("toolDenialKind") == "user-rejected" or outcome == _REFUSED
    by_program = outcome == f"Error: {text}" and not tool.startswith(_OF_A_SERVER) and bool(tool)
    if not (marked or by_program) or not text.startswith(_REFUSAL):
        return ""
    return text.partition(_REASON)[2].strip()
