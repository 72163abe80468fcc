"""The owner's answers in Gemini CLI's dialogue of questions, as the call of its own tool is recorded.

The program writes down how it shows a tool; it shows a server's tool by the names of both.
"""

from pipeline.adapters.sources.reading.parts import result_texts
from pipeline.adapters.sources.reading.records import Record, blocks, clean, decoded, mapping, word

_TOOL = ("ask_user", "Ask User")


def questions(call: Record) -> list[str]:
    """The questions of a call, in order; none when another tool is called."""
    asked = blocks(mapping(call.get("args")).get("questions")) if _is_dialogue(call) else []
    return [clean(text) for question in asked if (text := word(question.get("question"))).strip()]


def answers(call: Record) -> str:
    """The owner's answers to the questions of a call; empty when the dialogue was closed, or sent empty.

    Lines below one another would look like a text under its title.
    """
    results = result_texts(call.get("result")) if _is_dialogue(call) and call.get("status") == "success" else []
    given = [mapping(mapping(decoded(text)).get("answers")) for text in results]
    return "; ".join(clean(word(one)).strip() for said in given for one in said.values() if word(one).strip())


def _is_dialogue(call: Record) -> bool:
    return (call.get("name"), call.get("displayName")) == _TOOL
