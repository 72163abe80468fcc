"""What the owner answered in the dialogue of Claude Code's own tool for questions.

The answers count in one place only: the field `toolUseResult` that the program writes beside the result of a call of
this tool. The text of a result can be printed by any tool, and a server's tool of this name has a longer name.
"""

from collections.abc import Sequence

from pipeline.adapters.sources.reading.records import Record, blocks, clean, mapping

_TOOL = "AskUserQuestion"


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
