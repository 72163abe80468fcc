"""What plugins and agents put into a person's text in tags: it was injected, so it is not the person's word."""

import re

from schemas.transcript import Origin

# Cut wherever they stand: no person writes these names by hand. A file or a skill that the agent unfolded is told from
# a person's own markup by its attribute.
_OPEN = re.compile(
    r"<(system-reminder|relevant[-_]memories|active_memory_plugin|supermemory-context|hindsight[-_]memories|"
    r"recalled[-_]memories|memory[-_]context|user[-_]memories|ide_opened_file|ide_selection|ide_diagnostics|"
    r"new-diagnostics|user-prompt-submit-hook|session-start-hook)(?:\s[^<>]{0,500})?>"
    r"|<(file|skill) name=\"[^\"\n]{0,500}\"[^<>\n]{0,500}>\n"
)
# At the very start of a text any tag that speaks of memory or context is a plugin's. It ends where its name is closed
# last, so that a remembered text cannot end it early and go on as the person.
_LEADING = re.compile(r"\s*<([\w-]*(?:memor|recall|context)[\w-]*)(?:\s[^<>]*)?>(?:.*</\1>|.*\Z)\s*", re.DOTALL)
_MEMORY = re.compile(r"\s*<[\w-]*(?:memor|recall)")


def without_injections(text: str) -> tuple[str, Origin]:
    """What is left of a text without injected blocks, and whose word was cut when nothing is left.

    A block that is not closed takes everything after it along: where the person's words begin again cannot be told.
    """
    if "<" not in text:
        return text, Origin.MACHINE
    origin = Origin.MEMORY if _MEMORY.match(text) else Origin.MACHINE
    rest = text
    while found := _LEADING.match(rest):
        rest = rest[found.end() :]
    rest = _without_tags(rest)
    return (text if rest == text else rest.strip()), origin


def _without_tags(text: str) -> str:
    kept = []
    place = 0
    while found := _OPEN.search(text, place):
        kept.append(text[place : found.start()])
        ending = f"</{found[1] or found[2]}>"
        # A file may hold the tag that ends it, so the last one counts.
        close = text.find(ending, found.end()) if found[1] else text.rfind(ending, found.end())
        place = close + len(ending) if close >= 0 else len(text)
    return "".join(kept) + text[place:]
