"""The owner's answers in Codex's dialogue of questions, which stand in the result of its own tool.

A server's tool stands in a namespace, so it cannot take that name. Not read are answers to a question for a secret, and
those of a dialogue that can answer itself after a time.
"""

from collections.abc import Mapping

from pipeline.adapters.sources.reading.records import Record, blocks, clean, decoded, mapping, word

_TOOL = "request_user_input"
_ITSELF = "autoResolutionMs", "auto_resolution_ms"
_NOTE = "user_note: "  # how the program begins what was typed beside the choice


def questions(call: Record) -> dict[str, str]:
    """The questions of a call by their ids, in order; none when another tool is called."""
    if word(call.get("name")) != _TOOL or call.get("namespace"):
        return {}
    given = mapping(decoded(word(call.get("arguments"))))
    if any(given.get(name) is not None for name in _ITSELF):
        return {}
    asked = [question for question in blocks(given.get("questions")) if not _is_secret(question)]
    return {word(one.get("id")): clean(word(one.get("question"))).strip() for one in asked if one.get("id")}


def answers(output: object, asked: Mapping[str, str]) -> str:
    """The owner's answers to these questions in the output of the call; empty when there are none.

    Lines below one another would look like a text under its title.
    """
    given = mapping(mapping(decoded(word(output))).get("answers"))
    said = [mapping(given.get(name)).get("answers") for name in asked]
    chosen = [word(one).removeprefix(_NOTE).strip() for some in said if isinstance(some, list) for one in some]
    return "; ".join(clean(one) for one in chosen if one)


def _is_secret(question: Record) -> bool:
    return bool(question.get("isSecret") or question.get("is_secret"))
