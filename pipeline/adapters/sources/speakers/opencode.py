"""OpenCode: what of a text in a person's place a plugin wrote, without the program's own mark of such texts."""

import re

# The mark that widely used plugins put at the end of what they ask by themselves.
_INITIATOR = re.compile(r"<!-- [A-Z_]{0,40}INTERNAL_INITIATOR -->")
_DIRECTIVES = ("[SYSTEM DIRECTIVE: ", "[SYSTEM REMINDER - ", "## Relevant Memories from Previous Sessions")
_MODE = re.compile(r"\[[a-z]{3,20}-mode\]\n")
_MODE_END = "\n---\n"
# `opencode run` puts an argument with blanks in quotation marks, and a backslash before those inside.
_ARGUMENT = re.compile(r'"((?:[^"\\]|\\.)*)"', re.DOTALL)


def extract_typed_words(text: str) -> str:
    """The words that a person typed; empty when a plugin wrote all. A mode stands before the words, up to a line."""
    start = text.lstrip()
    if _INITIATOR.search(text) or start.startswith(_DIRECTIVES):
        return ""
    if _MODE.match(start):
        _, end, words = start.rpartition(_MODE_END)
        return words.strip() if end else ""
    argument = _ARGUMENT.fullmatch(start.rstrip())
    return argument[1].replace('\\"', '"') if argument and " " in argument[1] else text
