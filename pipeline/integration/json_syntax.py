"""JSON with comments, trailing commas and the other freedoms of JSON5, read into values that know where they stand.

Nothing is written from these values: they say where text can be put in or taken out, so that all else keeps its bytes.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from pipeline.integration.edits import Uneditable

_SPACE = re.compile(r"(?:[\s\ufeff]+|//[^\n\r\u2028\u2029]*|/\*.*?\*/)*", re.DOTALL)
_BARE = re.compile(r"[^\s\ufeff,:{}\[\]\"'/]+")
_NUMBER = re.compile(r"[+-]?(?:Infinity|NaN|0[xX][0-9a-fA-F]+|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)")
_PLAIN = re.compile(r"-?(?:0|[1-9]\d{0,14})")
_NAME = re.compile(r"(?:[^\W\d]|[$_])[\w$\u200c\u200d]*")
_STRING = re.compile(r"\"(?:[^\"\\\n\r]|\\(?:\r\n|.))*\"|'(?:[^'\\\n\r]|\\(?:\r\n|.))*'", re.DOTALL)
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|\r\n|.)", re.DOTALL)
_LETTERS = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v", "0": "\0"}
_LITERALS: dict[str, object] = {"true": True, "false": False, "null": None}
_DEEPEST = 100
"""Objects in objects; no agent's configuration comes near."""


@dataclass(frozen=True)
class JsonNode:
    """A value: where it begins and ends in the text, what it is, and of an object or array its items."""

    start: int
    end: int
    value: object
    items: list["JsonItem"] = field(default_factory=list)


@dataclass(frozen=True)
class JsonItem:
    """A member of an object, or an element of an array, whose `key` is empty; `start` is that of its key or value.

    `comma` is the place behind the comma that follows, -1 where there is none.
    """

    key: str
    start: int
    node: JsonNode
    comma: int = -1


def parsed(text: str) -> JsonNode:
    """The value that a text holds.

    Raises:
        Uneditable: it is no JSON, even in the widest sense.
    """
    reader = _Reader(text)
    node = reader.node(reader.after_space(0), 0)
    if (end := reader.after_space(node.end)) != len(text):
        raise reader.fault(end, "something follows the end")
    return node


def after_space(text: str, position: int) -> int:
    """The place of the next thing that is neither white space nor a comment."""
    match = _SPACE.match(text, position)
    return match.end() if match else position


class _Reader:
    def __init__(self, text: str) -> None:
        self.text = text

    def fault(self, position: int, why: str) -> Uneditable:
        line = self.text.count("\n", 0, position) + 1
        message = f"cannot be read as JSON: {why} in line {line}"
        return Uneditable(message)

    def after_space(self, position: int) -> int:
        return after_space(self.text, position)

    def at(self, position: int) -> str:
        return self.text[position : position + 1]

    def node(self, position: int, depth: int) -> JsonNode:
        if depth > _DEEPEST:
            raise self.fault(position, f"there are more than {_DEEPEST} levels")
        letter = self.at(position)
        if letter == "{":
            items, end = self._items(position, "}", lambda at: self._member(at, depth))
            return JsonNode(position, end, {item.key: item.node.value for item in items}, items)
        if letter == "[":
            items, end = self._items(position, "]", lambda at: JsonItem("", at, self.node(at, depth + 1)))
            return JsonNode(position, end, [item.node.value for item in items], items)
        if letter and letter in "\"'":
            text, end = self._string(position)
            return JsonNode(position, end, text)
        return self._scalar(position)

    def _items(self, position: int, closing: str, read: Callable[[int], JsonItem]) -> tuple[list[JsonItem], int]:
        items, position = list[JsonItem](), self.after_space(position + 1)
        while self.at(position) != closing:
            item = read(position)
            position = self.after_space(item.node.end)
            if self.at(position) == ",":
                item = JsonItem(item.key, item.start, item.node, position + 1)
                position = self.after_space(position + 1)
            elif self.at(position) != closing:
                raise self.fault(position, f"a comma or {closing} is missing")
            items.append(item)
        return items, position + 1

    def _member(self, position: int, depth: int) -> JsonItem:
        if (letter := self.at(position)) and letter in "\"'":
            key, end = self._string(position)
        elif name := _NAME.match(self.text, position):
            key, end = name[0], name.end()
        else:
            raise self.fault(position, "a key is missing")
        colon = self.after_space(end)
        if self.at(colon) != ":":
            raise self.fault(colon, "a colon is missing")
        return JsonItem(key, position, self.node(self.after_space(colon + 1), depth + 1))

    def _string(self, position: int) -> tuple[str, int]:
        match = _STRING.match(self.text, position)
        if match is None:
            raise self.fault(position, "a text has no end")
        text = _ESCAPE.sub(_unescaped, match[0][1:-1])  # a letter beyond 16 bits may be two escapes
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass"), match.end()

    def _scalar(self, position: int) -> JsonNode:
        match = _BARE.match(self.text, position)
        if match and match[0] in _LITERALS:
            return JsonNode(position, match.end(), _LITERALS[match[0]])
        if match and _NUMBER.fullmatch(match[0]):
            plain = _PLAIN.fullmatch(match[0])
            # As it is spelled where it is no plain number: it is only compared.
            return JsonNode(position, match.end(), int(match[0]) if plain else ("number", match[0]))
        raise self.fault(position, "a value is missing")


def _unescaped(match: re.Match[str]) -> str:
    code = match[1]
    if code[0] in "ux" and len(code) > 1:
        return chr(int(code[1:], 16))
    return "" if code in {"\n", "\r\n", "\r", "\u2028", "\u2029"} else _LETTERS.get(code, code)
