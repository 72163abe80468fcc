"""The tags that Cline and Roo Code write around a person's words, which always stand in one.

Every record in a person's place is put together by the program: results of tools, details of the environment, and words
in a tag. A file or a page that a tool reads can hold such a tag as well, so a tag counts only where the program begins
a block with it, or after a tool that asks the person.
"""

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta, timezone

_QUESTIONS = frozenset({"ask_followup_question", "plan_mode_respond"})
_COMPLETION = "attempt_completion"  # asks whether all is well, and can bring along what a command printed
_RESULT = re.compile(r"\[(?P<tool>[\w.-]+)(?: [^\n]{0,2000})?\] Result:\s*")
_TAG = r"<(?P<tag>task|user_message|user_input|feedback|answer)(?: [^<>\n]{0,200})?>"
_BEGIN = re.compile(
    r"(?:The user provided the following feedback:\s*|The user has provided feedback[^\n<]{0,300}\s*"
    r"|You seem to be having trouble proceeding\.[^\n<]{0,300}\s*"
    r"|New (?:message to respond to|instructions)[^\n<]{0,300}\s*"
    rf"|\[TASK RESUMPTION\].{{0,3000}}?\n\s*New [^\n<]{{0,300}}:\s*)?{_TAG}",
    re.DOTALL,
)
_ASKED = re.compile(rf"[^<]{{0,500}}?{_TAG}")
_ENVIRONMENT = "<environment_details>"
_ISO = re.compile(r"Current time in ISO 8601 UTC format: (\S{10,40})")
_LOCAL = re.compile(
    r"# Current Time\n(\d{1,2})/(\d{1,2})/(\d{4}), (\d{1,2}):(\d{2}):(\d{2})\s([AP])M"
    r" \([^()\n]{0,100}UTC([+-])(\d{1,2}):(\d{2})\)"
)


def extract_typed_words(blocks: Sequence[str], tool: str = "") -> list[str]:
    """The words of the person in the texts of a record, or in those of the result of a `tool`."""
    return [words for words in _words_of(blocks, tool) if words.strip()]


def asks(tool: str) -> bool:
    """Whether the result of a tool is what the person answered."""
    return tool in _QUESTIONS or tool == _COMPLETION


def is_result(text: str) -> bool:
    """Whether a block begins with the result of a tool."""
    return _RESULT.match(text) is not None


def noted_at(text: str) -> datetime | None:
    """The time in the details of the environment, in UTC; `None` of any other text, and of a way that is not known."""
    if not text.startswith(_ENVIRONMENT):
        return None
    with suppress(ValueError, OverflowError):
        if match := _ISO.search(text):
            time = datetime.fromisoformat(match[1])
            return time.astimezone(UTC) if time.tzinfo else None
        if match := _LOCAL.search(text):
            month, day, year, hour, minute, second = map(int, match.groups()[:6])
            offset = timedelta(hours=int(match[9]), minutes=int(match[10])) * (1 if match[8] == "+" else -1)
            hour = hour % 12 + (12 if match[7] == "P" else 0)
            return datetime(year, month, day, hour, minute, second, tzinfo=timezone(offset)).astimezone(UTC)
    return None


def _words_of(blocks: Sequence[str], tool: str) -> Iterator[str]:
    """The first text after the head of a result is the tool's: it is passed over, unless the tool asks."""
    waits = bool(tool)
    for text in blocks:
        if head := _RESULT.match(text):
            rest = text[head.end() :]
            tool, waits = head["tool"], not rest
            if rest:
                yield _answer(tool, rest)
        elif waits:
            waits = False
            yield _answer(tool, text)
        else:
            yield _words_inside(_BEGIN, text)


def _answer(tool: str, text: str) -> str:
    """The words in what a tool gave back; behind the program's own words alone where a command may have printed."""
    if tool == _COMPLETION:
        return _words_inside(_BEGIN, text)
    return _words_inside(_ASKED, text) if tool in _QUESTIONS else ""


def _words_inside(pattern: re.Pattern[str], text: str) -> str:
    """The words up to the first end of the tag: what the program attaches stands behind it."""
    match = pattern.match(text)
    if match is None:
        return ""
    words, end, _ = text[match.end() :].partition(f"</{match['tag']}>")
    return words.strip() if end else ""
