"""What Hermes writes around a person's words, or in their place."""

import re

SUMMARIES = ("[CONTEXT COMPACTION", "[CONTEXT SUMMARY]:", "[PRIOR CONTEXT")
REVIEWS = (
    "Review the conversation above and update the skill library",
    "Review the conversation above and consider saving to memory",
)
"""The program asks for a look back: the answer to it is no answer to a person."""

_MACHINE = (
    "[SYSTEM:",
    "[System:",
    "[IMPORTANT: Background",
    "[IMPORTANT: You are running as a scheduled",
    "[Your active task list",
    "[Planning state preserved",
    "[ASYNC DELEGATION",
    "[OUT-OF-BAND",
    "[Continuing toward your standing goal",
    "[Content of ",
    "Cronjob Response:",
    "You've reached the maximum number of tool-calling iterations",
)
_NOTE = re.compile(
    r"\[(?:Triggering message id:|System note:|Note:|The user (?:sent|attached) (?!a voice message))"
    r"(?:[^\]]|\](?!\n\n|\s*\Z))*+\](?:\n\n|\s*\Z)"
)
_IMAGE = re.compile(r"\[The user (?:sent|attached) an image\b[^:\n]{0,20} Here's what ")
_IMAGE_END = re.compile(r"\]\n\[If you need a closer look, use vision_analyze with [^\n]{1,2000}\](?:\n\n|\s*\Z)")
_NOTE_END = "]\n\n"
_REPLY = re.compile(r"\[Replying to\b[^\n]{0,300}?: \"")
_REPLY_END = '"]\n\n'
_SKILL = re.compile(r"\[IMPORTANT: (?:The user has invoked the |The \"[^\"\n]*\" skill is auto-loaded)")
_INSTRUCTION = "The user has provided the following instruction alongside the skill invocation: "
_AFTER = ("\n\n--- Attached Context ---", "\n\n--- Context Warnings ---", "\n\n[Runtime note:")
_BACKLOG = "\n[New message]\n"
_NAMED = re.compile(r"\[[^\]\n]{1,200}\] ")


def is_machine(text: str) -> bool:
    """Whether a text in a person's place was made by the program as a whole."""
    return text.startswith(_MACHINE) or text.startswith(REVIEWS)


def is_named(text: str) -> bool:
    """Whether a text begins with a name in brackets, as the gateway puts it before each message of a shared session."""
    return _NAMED.match(text) is not None


def typed(text: str) -> str:
    """The words that a person typed; empty when there are none.

    A quoted message ends at its last end: its text cannot end it early and go on as the person.
    """
    text = _without_notes(text.rpartition(_BACKLOG)[2].lstrip())
    if _SKILL.match(text):
        text = text.partition(_INSTRUCTION)[2]
    for mark in _AFTER:
        text = f"\n\n{text}".partition(mark)[0].removeprefix("\n\n")
    return text.strip()


def _behind_image(text: str) -> str:
    """What follows the last image: a model tells what it sees, and there can be any words in an image."""
    if ends := [match.end() for match in _IMAGE_END.finditer(text)]:
        return text[ends[-1] :].lstrip()
    return text.rpartition(_NOTE_END)[2].lstrip() if _NOTE_END in text else ""


def _without_notes(text: str) -> str:
    while True:
        if _IMAGE.match(text):
            text = _behind_image(text)
        elif note := _NOTE.match(text):
            text = text[note.end() :].lstrip()
        elif _REPLY.match(text):
            text = text.rpartition(_REPLY_END)[2].lstrip() if _REPLY_END in text else ""
        else:
            return text
