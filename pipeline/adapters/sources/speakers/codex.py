"""Codex: what of a text in a person's place the person typed."""

import re

from pipeline.adapters.sources.speakers.injections import bare, leading_blocks, without_injections
from schemas.transcript import Origin

_REQUEST = "## My request for Codex:"
_ENCLOSED = ("# Context from my IDE setup:", "# Files mentioned by the user:")
_MACHINE = (
    "# AGENTS.md",
    "<environment_context>",
    "<user_instructions>",
    "<turn_aborted>",
    "<user_shell_command>",
    "<user_action>",
    "<subagent_notification>",
    "<skill>",
    "<hook_prompt",
    "<goal_context>",
    "You have exceeded the maximum number of tokens",
    "You are performing a CONTEXT CHECKPOINT COMPACTION",
    "Here is a list of plugins that are available but not installed.",
    "Warning: apply_patch was requested via",
    "Warning: The maximum number of unified exec",
    "Warning: Your account was flagged",
)
_SUMMARY = "Another language model started to solve this problem and produced a summary"
_IMAGE = re.compile(r"\s*</?(?:local_)?image\b[^<>]{0,500}>\s*")


def is_image_mark(text: str) -> bool:
    """Whether a text only stands before or after an image."""
    return _IMAGE.fullmatch(text) is not None


def request_in(text: str) -> str:
    """What follows the context of an editor or an app, else the text as it is."""
    before, mark, request = text.rpartition(_REQUEST)
    return request.strip() if mark and (not before or before.endswith("\n")) else text


def typed(text: str, *, surely: bool) -> tuple[Origin, str]:
    """Whose a text is, and the words of it.

    `surely` says that the record itself is of a person's input. In others, a text that begins with a block in tags of
    any name was put there by Codex.
    """
    start = bare(text)
    if start.startswith(_SUMMARY):
        return Origin.SUMMARY, text
    if start.startswith(_MACHINE) or (not surely and leading_blocks(text, any_tag=True).end):
        return Origin.MACHINE, text
    text = request_in(text)
    start = bare(text)
    if not start or start.startswith(_ENCLOSED):
        return Origin.MACHINE, text
    words, cut = without_injections(text)
    return (Origin.OWNER, words) if words.strip() else (cut, text)
