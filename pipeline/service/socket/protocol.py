"""What both sides of the local socket agree on, in a module that imports nothing."""

PROTOCOL = 7
"""Counted up when there are new questions, or questions or answers change their form."""
ENVELOPE = frozenset({"ask", "protocol", "settings"})
"""The fields of the envelope of a question."""
LONGEST = 8_000_000
"""Bytes of a question; one that is longer is not asked."""
NOTICE = "notice"
"""The question that only tells of new records; nobody need wait for its answer."""
PROMPT = "prompt"
"""The question for reminders beside a prompt."""
REPLACE = "replace"
"""The question for a placeholder in place of a large output."""
ANSWER = b'{"told": ', b"}\n"
"""How the line of an answer begins and ends; between them stands what was asked for, as JSON."""
