"""The owner's answers in OpenCode's dialogue of questions.

They count only in the fields that the program's own tool writes: a server's tool has the server's name before its own.
"""

from pipeline.adapters.sources.reading.records import Record, blocks, clean, decoded, mapping, word


def questions(part: Record) -> list[str]:
    """The questions that a part of a message asks, in order; none when it is anything else."""
    asked = (word(question.get("question")) for question in blocks(mapping(_state(part).get("input")).get("questions")))
    return [clean(question) for question in asked if question.strip()]


def answers(part: Record) -> str:
    """The owner's answers to the questions of a part; empty while there are none.

    Lines below one another would look like a text under its title.
    """
    given = mapping(_state(part).get("metadata")).get("answers")
    said = [some for some in given if isinstance(some, list)] if isinstance(given, list) else []
    chosen = [word(one).strip() for some in said for one in some]
    return "; ".join(clean(one) for one in chosen if one)


def _state(part: Record) -> Record:
    """The state of the call of that tool: an object in a file, and its text from a store."""
    state = part.get("state") if part.get("type") == "tool" and part.get("tool") == "question" else None
    return mapping(decoded(state) if isinstance(state, str) else state)
