"""Gemini CLI and its relatives: what of a text in a person's place the person typed."""

import re

from pipeline.adapters.sources.speakers.typed import strip_unseen_start, without_injections
from schemas.transcript import Origin

_MACHINE = (
    "<session_context>",
    "This is the Gemini CLI. We are setting up the context for our chat.",
    "This is the Qwen Code. We are setting up the context for our chat.",
    "System: Please continue.",
    "Please continue.",
    "[System",
    "[SYSTEM",
)
_SUMMARIES = ("<state_snapshot>", "<compressed_chat_history>")
_FILES = "--- Content from referenced files ---"
_ASIDES = (
    ("<ADDITIONAL_METADATA>", "</ADDITIONAL_METADATA>"),
    ("<USER_SETTINGS_CHANGE>", "</USER_SETTINGS_CHANGE>"),
    ("<EPHEMERAL_MESSAGE>", "</EPHEMERAL_MESSAGE>"),
)
_REQUEST = "<USER_REQUEST>"
# The words of a person can hold the end as well, but what the program says about them cannot stand before it.
_REQUEST_END = re.compile(r"</USER_REQUEST>(?=\s*(?:\Z|" + "|".join(opening for opening, _ in _ASIDES) + "))")


def typed_parts(parts: list[str]) -> tuple[Origin, list[str]]:
    """The author of a message's parts, and the words of a person in them; all parts when there are none.

    Files that the person referred to follow after the words, behind a mark.
    """
    end = next((place for place, part in enumerate(parts) if strip_unseen_start(part).startswith(_FILES)), len(parts))
    origin, said = Origin.MACHINE, []
    for part in parts[:end]:
        start = strip_unseen_start(part)
        if start.startswith(_SUMMARIES):
            origin = Origin.SUMMARY
        elif not start.startswith(_MACHINE):
            words, cut = without_injections(part.partition("\n" + _FILES)[0], any_tag=True)
            if words.strip():
                said.append(words)
            elif cut is Origin.MEMORY:
                origin = cut
    return (Origin.OWNER, said) if said else (origin, parts)


def request_words(text: str) -> str:
    """The words of a person in an input of Antigravity, which stand in tags among the program's own."""
    before, mark, rest = text.partition(_REQUEST)
    said = _REQUEST_END.split(rest, maxsplit=1)[0] if mark else before
    for opening, closing in _ASIDES:
        before, mark, rest = said.partition(opening)
        said = before + rest.rpartition(closing)[2] if closing in rest else before
    return said.strip()
