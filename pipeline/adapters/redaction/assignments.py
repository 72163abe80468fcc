"""Secrets given to a name in code, configuration or a command: `DB_PASSWORD=...`, `"api_key": "..."`, `--token ...`."""

# ruff: noqa: RUF001 - Chinese punctuation and typographic quotes are meant

import re
from collections.abc import Iterator

from pipeline.adapters.redaction.spans import Span
from pipeline.adapters.redaction.values import PLAIN_WORDS, chosen, harmless, mixed, reference, stand_in

_NAME = (
    r"(?P<name>pass(?:word|wd|phrase|code)?|pwd|(?:api|access|secret|private|auth|signing|encryption|account|service|license|master)"
    r"[_-]?key|secret|token|credentials?|haslo|hasło)"
)
_ASSIGNMENT = re.compile(
    rf"""(?<![A-Za-z]){_NAME}(?P<suffix>[\w-]{{0,24}})
    (?:["'`]?\]?\s{{0,3}}(?:=>|:=|={{1,3}}|:|：)\s{{0,3}}|(?<=[\w])["']?\s{{1,2}}(?=["'])|\s)
    (?:[brf]?(?P<quote>["'`])(?P<quoted>[^"'`\n•]{{4,400}})(?P=quote)|(?P<bare>[^\s"'`<>,;)\]}}，。；•]{{5,400}}))""",
    re.VERBOSE | re.IGNORECASE,
)
_CAMEL_NAME = re.compile(r"(?P<name>(?<=[a-z])(?:Password|Secret|Token|ApiKey|AccessKey|SecretKey|PrivateKey))\b")
_ABOUT = re.compile(
    r"[-_]?(?:id|ids|count|limit|type|name|url|uri|path|file|ttl|expir|len|length|field|hash|policy|reset|env|var|s$|size|budget|usage|ring"
    r"|manager|version|min|max|rule|hint|iz|bucket|rotat|age|regex|pattern|form|valid|check|label|placeholder|prompt|header)",
    re.IGNORECASE,
)


def find(line: str) -> Iterator[Span]:
    """The spans of values assigned to a secret's name in one line."""
    for match in _ASSIGNMENT.finditer(line):
        group = "bare" if match["quoted"] is None else "quoted"
        if _ABOUT.match(match["suffix"]) or not _assigned(match, group):
            continue
        if _bare(match["bare"]) if group == "bare" else _quoted(match["quoted"], match["name"]):
            yield match.span(group)


def _assigned(match: re.Match[str], group: str) -> bool:
    # `--password X` has no sign between; `password X` in a sentence is for `said` to judge.
    between = match.string[match.end("suffix") : match.start(group)]
    return bool(between.strip("\"'` brf")) or match.string[max(0, match.start() - 2) : match.start()].endswith("--")


def _quoted(value: str, name: str) -> bool:
    if value.lower() in PLAIN_WORDS or stand_in(value) or harmless(value) or " " in value.strip():
        return False
    return chosen(value) or (name.lower().startswith(("pass", "pwd", "has")) and len(value) >= _SHORTEST_WORD)


def _bare(value: str) -> bool:
    return chosen(value) and mixed(value) and not (harmless(value) or reference(value))


_SHORTEST_WORD = 6
