"""What a shell command did for sure when it succeeded: commits, pushes and releases.

A shell reports the status of the last command alone. So only what stands in the last list, joined by `&&`, is proven by
a status of 0, and of a pipe only its last command.
"""

import re
import shlex
from collections.abc import Iterator, Sequence
from itertools import dropwhile, groupby, takewhile

from schemas.evidence import EvidenceKind

Deed = tuple[EvidenceKind, str]
"""A kind with its text: the first line of a commit, the place of a push, the name of a release."""

_HERE = re.compile(r"\"?\$\(\s*cat\s+<<-?\s*(['\"]?)(?P<end>\w+)\1\n(?P<text>.*?)\n[ \t]*(?P=end)\s*\)\"?", re.DOTALL)
_LISTS = frozenset({"||", "&", "|&", "(", ")"})
_TOKEN = re.compile(
    r"(?P<operator>[;<>|&()\n]+)|(?P<comment>#[^\n]*)"
    r"|(?P<word>(?:[^\s;<>|&()'\"\\]|\\.|'[^']*+'|\"(?:[^\"\\]|\\.)*+\")++)",
    re.DOTALL,
)
_GIT_VALUES = frozenset({"-C", "-c", "--git-dir", "--work-tree", "--namespace"})
_PUBLISHED = {
    ("npm", "publish"), ("pnpm", "publish"), ("yarn", "publish"), ("cargo", "publish"), ("poetry", "publish"),
    ("uv", "publish"), ("twine", "upload"), ("gem", "push"), ("docker", "push"), ("dotnet", "push"),
}  # fmt: skip
_REHEARSED = frozenset({"--dry-run", "--help", "-h"})
_FILLED_IN = re.compile(r"\$[\w({]|`")
_SETTING = re.compile(r"[A-Za-z_]\w*=")
_REDIRECTION = re.compile(r"[<>&]+")
_MESSAGE = re.compile(r"-[a-zA-Z]*m")
_ADVANCED = {("gh", "release", "create"), ("glab", "release", "create")}


def deeds_of(command: str) -> list[Deed]:
    """The commits, pushes and releases that a command has made when its status is 0, in their order."""
    texts = list[str]()

    def placed(match: re.Match[str]) -> str:
        texts.append(match["text"])
        return f" here:{len(texts) - 1}: "

    words = _words(_HERE.sub(placed, command.replace("\\\n", " ")))
    return [deed for simple in _proven(words) if (deed := _deed([_restored(word, texts) for word in simple]))]


def _words(command: str) -> list[str]:
    """The words and operators; none of a command that is not understood."""
    words, end = list[str](), 0
    for token in _TOKEN.finditer(command):
        if command[end : token.start()].strip():  # such as a quotation mark without its other one
            return []
        end = token.end()
        if token.lastgroup != "comment":
            words += shlex.split(token[0]) if token.lastgroup == "word" else [token[0]]
    return [] if command[end:].strip() else words


def _proven(words: Sequence[str]) -> Iterator[list[str]]:
    """The simple commands whose success the status of the whole proves."""
    words = list(words)
    while words and not words[-1].strip(";\n"):
        words.pop()
    if "<<" in words:  # the rest is a text
        return
    last = list(takewhile(lambda word: word not in _LISTS and word.strip(";\n"), reversed(words)))[::-1]
    either = words[: -len(last)][-1:] == ["||"]  # its first command runs only where the one before failed
    joined = [list(simple) for is_and, simple in groupby(last, lambda word: word == "&&") if not is_and]
    for simple in joined[either:]:
        yield simple[len(simple) - simple[::-1].index("|") :] if "|" in simple else simple


def _restored(word: str, texts: Sequence[str]) -> str:
    place = word.removeprefix("here:").removesuffix(":")
    return texts[int(place)] if word.startswith("here:") and place.isdecimal() and int(place) < len(texts) else word


def _deed(given: Sequence[str]) -> Deed | None:
    """What one simple command does; its settings of variables and its redirections aside."""
    words = list(dropwhile(_SETTING.match, takewhile(lambda word: not _REDIRECTION.fullmatch(word), given)))
    if len(words) < len(given) and words[-1:] == ["2"]:  # of `2>&1`
        words.pop()
    if not words or _REHEARSED.intersection(words):
        return None
    if words[0] == "git":
        return _of_git(words[1:])
    if tuple(words[:3]) in _ADVANCED:
        return EvidenceKind.RELEASE, " ".join(words[3:4])
    return (EvidenceKind.RELEASE, " ".join(words[:3])) if tuple(words[:2]) in _PUBLISHED else None


def _of_git(words: Sequence[str]) -> Deed | None:
    rest = list(words)
    while rest and rest[0].startswith("-"):
        del rest[: 2 if rest[0] in _GIT_VALUES else 1]
    if rest[:1] == ["commit"]:
        return EvidenceKind.COMMIT, _message(rest[1:])
    if rest[:1] == ["push"] and "-n" not in rest:
        return EvidenceKind.PUSH, " ".join(word for word in rest[1:] if not word.startswith("-"))
    return None


def _message(options: Sequence[str]) -> str:
    """The first line of the message of a commit; empty when it stands elsewhere."""
    for place, option in enumerate(options):
        following = options[place + 1] if place + 1 < len(options) else ""
        if option.startswith("--message="):
            return _first_line(option.partition("=")[2])
        if option == "--message" or _MESSAGE.fullmatch(option):
            return _first_line(following)
    return ""


def _first_line(text: str) -> str:
    """The first line with words; nothing of one that the shell would have filled in."""
    line = next((line.strip() for line in text.splitlines() if line.strip()), "")
    return "" if _FILLED_IN.search(line) else line
