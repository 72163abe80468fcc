"""Edits of configuration files: each puts something in, takes it out again, and knows whether it stands."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from pipeline.errors.integration import ConfigRefused

_BOM = "\ufeff"
Json = dict[str, Any]


class Edit(Protocol):
    """A change of one file."""

    @property
    def path(self) -> Path:
        """The file."""

    def put(self, text: str) -> str:
        """The text with ours in it; the same text when it stands there already.

        Raises:
            ConfigRefused: the text cannot be changed without harm.
        """

    def take(self, text: str) -> str:
        """The text without ours.

        Raises:
            ConfigRefused: as of `put`.
        """


@dataclass(frozen=True)
class JsonServer:
    """The MCP server in a JSON file: `value` under `keys`. Another server of that name is not replaced."""

    path: Path
    keys: tuple[str, ...]
    value: Mapping[str, object]

    def put(self, text: str) -> str:
        """The text with the server."""
        whole = _parsed(self.path, text)
        table = _table(self.path, whole, self.keys[:-1])
        standing = table.get(self.keys[-1])
        if standing is not None and not _is_ours(standing):
            raise ConfigRefused(str(self.path), f"has another server {self.keys[-1]!r}; rename or remove that first")
        if standing == self.value:
            return text
        table[self.keys[-1]] = dict(self.value)
        return _printed(text, whole)

    def take(self, text: str) -> str:
        """The text without the server, and without tables that are empty then."""
        whole = _parsed(self.path, text)
        if not _is_ours(_table(self.path, whole, self.keys[:-1]).get(self.keys[-1])):
            return text
        _drop(whole, self.keys)
        return _printed(text, whole)


@dataclass(frozen=True)
class JsonHook:
    """An entry of a list in a JSON file: `value` in the list under `keys`; `mark` is in what of it is ours."""

    path: Path
    keys: tuple[str, ...]
    value: Mapping[str, object]
    mark: str

    def put(self, text: str) -> str:
        """The text with the entry at the end of the list."""
        whole = _parsed(self.path, text)
        hooks = _table(self.path, whole, self.keys[:-1]).setdefault(self.keys[-1], [])
        if not isinstance(hooks, list):
            raise ConfigRefused(str(self.path), f"has no list under {'.'.join(self.keys)}")
        if self.value in hooks:
            return text
        hooks[:] = [*(hook for hook in hooks if not self._is_ours(hook)), dict(self.value)]
        return _printed(text, whole)

    def take(self, text: str) -> str:
        """The text without the entry, and without what is empty then."""
        whole = _parsed(self.path, text)
        table = _table(self.path, whole, self.keys[:-1])
        hooks = table.get(self.keys[-1])
        if not isinstance(hooks, list) or not any(map(self._is_ours, hooks)):
            return text
        table[self.keys[-1]] = [hook for hook in hooks if not self._is_ours(hook)]
        if not table[self.keys[-1]]:
            _drop(whole, self.keys)
        return _printed(text, whole)

    def _is_ours(self, hook: object) -> bool:
        return self.mark in json.dumps(hook, ensure_ascii=False)


@dataclass(frozen=True)
class TextBlock:
    """Lines between two marks at the end of a text, such as instructions, or a table of TOML."""

    path: Path
    first: str
    last: str
    lines: str
    refused: str = ""

    def put(self, text: str) -> str:
        """The text with the block, at its place when it stands there."""
        newline = "\r\n" if "\r\n" in text else "\n"
        block = newline.join([self.first, *self.lines.strip("\n").split("\n"), self.last])
        begin, end = self._place(text)
        if begin >= 0:
            return text[:begin] + block + text[end:]
        if self.refused and self.refused in text:
            raise ConfigRefused(str(self.path), f"has {self.refused} of other make; rename or remove that first")
        lead = "" if not text else newline if text.endswith("\n") else 2 * newline
        return f"{text}{lead}{block}{newline}"

    def take(self, text: str) -> str:
        """The text without the block, and without the empty line before it."""
        begin, end = self._place(text)
        if begin < 0:
            return text
        before, after = text[:begin], text[end:].removeprefix("\r").removeprefix("\n")
        newline = "\r\n" if before.endswith("\r\n") else "\n"
        return before.removesuffix(newline) + after if before.endswith(2 * newline) else before + after

    def _place(self, text: str) -> tuple[int, int]:
        begin = text.find(self.first)
        end = text.find(self.last, begin)
        if begin < 0 or end < 0:
            return -1, -1
        return begin, end + len(self.last)


def _parsed(path: Path, text: str) -> Json:
    try:
        whole = json.loads(text.removeprefix(_BOM) or "{}", object_pairs_hook=_once) if text.strip() else {}
    except ValueError as error:
        raise ConfigRefused(
            str(path), f"is no plain JSON ({error}), so a change could lose what stands there"
        ) from error
    if not isinstance(whole, dict):
        raise ConfigRefused(str(path), "holds no object")
    return whole


def _once(pairs: list[tuple[str, Any]]) -> Json:
    """An object whose names are there once: of two, one would be lost.

    Raises:
        ValueError: a name is there twice.
    """
    names = [name for name, _ in pairs]
    if twice := next((name for name in names if names.count(name) > 1), ""):
        message = f"{twice!r} is there twice"
        raise ValueError(message)
    return dict(pairs)


def _table(path: Path, whole: Json, keys: tuple[str, ...]) -> Json:
    table = whole
    for key in keys:
        table = table.setdefault(key, {})
        if not isinstance(table, dict):
            raise ConfigRefused(str(path), f"has no object under {key!r}")
    return table


def _drop(whole: Json, keys: tuple[str, ...]) -> None:
    """Take a value out, and the objects around it that are empty then."""
    tables = [whole]
    for key in keys[:-1]:
        tables.append(tables[-1][key])
    for table, key in zip(reversed(tables), reversed(keys), strict=True):
        if key == keys[-1] or not table[key]:
            del table[key]


def _is_ours(server: object) -> bool:
    """Whether a server is this program, from wherever and for whatever workspace."""
    words = [*_words(server, "command"), *_words(server, "args")]
    return bool(words) and Path(words[0]).name == "memory" and words[1:2] == ["mcp"]


def _words(server: object, key: str) -> list[str]:
    value = server.get(key, []) if isinstance(server, dict) else []
    return [value] if isinstance(value, str) else [str(word) for word in value]


def _printed(before: str, whole: Json) -> str:
    """The JSON, with the marks of order, the line ends and the last line end that it had before."""
    text = json.dumps(whole, indent=2, ensure_ascii=False)
    text += "\n" if before.endswith("\n") or not before.strip() else ""
    text = text.replace("\n", "\r\n") if "\r\n" in before else text
    return _BOM + text if before.startswith(_BOM) else text
