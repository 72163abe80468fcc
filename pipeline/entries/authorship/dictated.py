"""Words that are dictated to the memory of an agent: `add this to CLAUDE.md: ...`, `# always use pnpm`."""

# ruff: noqa: RUF001  (full-width marks are what Chinese is written with)

import re

from pipeline.language.folding import fold

_FILE = r"(?:claude|agents|memory|gemini|user)\.md"
_HERE = r"(?=\W*$|\W*[:：,]|\W+(?:that|ze|for|na)\b)"
_TARGET = re.compile(
    rf"\b(?:in|into|to) (?:(?:your|the|my|our) )?(?:long[- ]term )?(?:memory|notes|{_FILE}){_HERE}"
    rf"|\b(?:save|store|keep) (?:this|that|it){_HERE}"
    rf"|\b(?:do|w) (?:(?:swojej|twojej|naszej|swoich|twoich) )?(?:pamieci|notatek|notatkach|{_FILE}){_HERE}"
    rf"|(?:到|进|入|在)[^，。：,]{{0,4}}(?:记忆|笔记|备忘录|{_FILE})(?:里|中|去)?|把.{{1,6}}(?:记下来?|存下来?|记住)"
)
_SHORTCUT = re.compile(r"#[ \t]*[^\W\d][^\n#]{3,240}\s*")


def to_memory(folded: str) -> re.Match[str] | None:
    """The words of a folded sentence that name the memory as the place for something."""
    return _TARGET.search(folded)


def dictated(text: str) -> bool:
    """Whether a whole message is dictated, in one line that begins with `#` or names the memory before a colon."""
    if "\n" in text.strip():
        return False
    return shortcut(text) or _names_memory_first(text)


def shortcut(text: str) -> bool:
    """Whether a message is one line behind `#`, as some agents have a thing to remember begin."""
    return _SHORTCUT.fullmatch(text) is not None


def _names_memory_first(text: str) -> bool:
    target = _TARGET.search(fold(text))
    return target is not None and text[target.end() :].lstrip().startswith((":", "："))
