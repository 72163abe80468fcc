"""The person's words in a line of Claude Code that stands in a person's place, and whether a person typed it."""

import re

from pipeline.adapters.sources.reading.records import Record, mapping, word
from pipeline.adapters.sources.speakers import marks
from pipeline.adapters.sources.speakers.injections import bare, without_injections
from schemas.transcript import Origin

_BY_HAND = frozenset({"typed", "queued", "user"})
_PROGRAM = "sdk"
# What another session, a team mate, a channel or a sub-agent sent: in tags of its own, below one line of the program at
# most, or below a line of the program that ends so. What stands behind it is the program's remark, or in doubt.
_OF_OTHERS = re.compile(
    r"(?:[^\n<]{1,200}:[ \t]*+\n\s*+)?<[a-z]{1,40}(?:-[a-z]{1,40}){0,3}-(?:message|notification)[\s>]"
    r"|(?:(?:The (?!user )|An? |Another )[^\n]{1,100} sent a (?:new )?message|A message arrived from [^\n]{1,200})"
    r" while you were working:[ \t]*+\n"
    r"|(?:Another Claude session|A background agent) [^\n]{1,100}:[ \t]*+\n"
)
# Around a prompt that came while the agent was at work, in versions that write no mark of it.
_WISH = re.compile(
    r"<user-memory-input>(?P<noted>[^<]*)</user-memory-input>"
    r"|(?:<command-message>[^<]*</command-message>\s*)?<command-name>/remember</command-name>\s*"
    r"(?:<command-message>[^<]*</command-message>\s*)?<command-args>(?P<asked>[^<]*)</command-args>"
)
_MEANWHILE = re.compile(
    r"The user sent (?:a new|the following) message(?: while you were working)?:\n(?P<words>.*?)"
    r"(?:\n\n(?:IMPORTANT: After completing your current task|Please address this message)[^\n]*)?",
    re.DOTALL,
)


def is_typed(record: Record, *, headless: bool) -> bool:
    """Whether a line in a person's place is marked as a person's, or, as in older versions, has no mark.

    What a program asked, as with `claude -p`, is a person's with `headless` alone.
    """
    if record.get("isMeta") is True or record.get("isVisibleInTranscriptOnly") is True:
        return False
    source, turn = word(record.get("promptSource")), word(record.get("turnOrigin"))
    kind = mapping(record.get("origin")).get("kind")
    if kind not in (None, "human"):
        return False
    if kind == "human" or source in _BY_HAND or turn == "human":
        return True
    by_program = _PROGRAM in (source, turn) or (not source and word(record.get("entrypoint")).startswith(_PROGRAM))
    return headless if by_program else not source


def wish_in(parts: list[str]) -> str:
    """The words of a line that the person gave the program to remember: behind `#`, or behind `/remember`."""
    match = _WISH.fullmatch("\n".join(parts).strip())
    return (match["noted"] or match["asked"] or "").strip() if match else ""


def typed_words(parts: list[str]) -> tuple[Origin, list[str]]:
    """The words of a person in a line, and whose they are."""
    origin = Origin.MACHINE
    words = []
    for part in parts:
        if _OF_OTHERS.match(bare(part)):
            continue
        late = _MEANWHILE.fullmatch(part.strip()) if part.lstrip().startswith("The user sent ") else None
        typed = late["words"].strip() if late else part
        text, cut = without_injections(typed, any_tag=True, but=marks.TURN_TAGS)
        if text.startswith(marks.SUMMARY):
            return Origin.SUMMARY, parts
        if text.strip() and not marks.is_claude_machine(bare(text)):
            words.append(text)
        elif cut is Origin.MEMORY:
            origin = cut
    return (Origin.OWNER, words) if words else (origin, parts)
