"""Splices of JSON text: a member or an element is added or removed, and all other bytes stay as they are."""

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from pipeline.integration.edits import Piece, Uneditable

# What may stand between two signs: white space, `// a comment` to the end of its line, `/* a comment */`.
_SPACE = re.compile(r"(?:[\s\ufeff]+|//[^\n\r\u2028\u2029]*|/\*.*?\*/)*", re.DOTALL)
# A word without quotes, such as `true` or `-1.5`; of these a number, also of JSON5: `0x1F`, `.5`, `+Infinity`.
_BARE = re.compile(r"[^\s\ufeff,:{}\[\]\"'/]+")
_NUMBER = re.compile(r"[+-]?(?:Infinity|NaN|0[xX][0-9a-fA-F]+|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)")
# A whole number that every program reads alike, such as `-42`.
_PLAIN = re.compile(r"-?(?:0|[1-9]\d{0,14})")
# A key without quotes, such as `mcpServers` or `$ref`.
_NAME = re.compile(r"(?:[^\W\d]|[$_])[\w$\u200c\u200d]*")
# `"a text"` or `'a text'`; behind a backslash any sign may stand, also the end of a line. Then each such escape in it.
_STRING = re.compile(r"\"(?:[^\"\\\n\r]|\\(?:\r\n|.))*\"|'(?:[^'\\\n\r]|\\(?:\r\n|.))*'", re.DOTALL)
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|\r\n|.)", re.DOTALL)
_LETTERS = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v", "0": "\0"}
_LITERALS: dict[str, object] = {"true": True, "false": False, "null": None}
_DEEPEST = 100
"""Objects in objects; no agent's configuration comes near."""


@dataclass(frozen=True)
class JsonNode:
    """A value, its start and end in the text, and the items of an object or array."""

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


def parse_json(text: str) -> JsonNode:
    """The value that a text holds.

    Raises:
        Uneditable: it is no JSON, even in the widest sense.
    """
    reader = _Reader(text)
    node = reader.node(reader.after_space(0), 0)
    if (end := reader.after_space(node.end)) != len(text):
        raise reader.fault(end, "something follows the end")
    return node


def skip_space(text: str, position: int) -> int:
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
        return skip_space(self.text, position)

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
        text = _ESCAPE.sub(_unescape, match[0][1:-1])  # a letter beyond 16 bits may be two escapes
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


def _unescape(match: re.Match[str]) -> str:
    code = match[1]
    if code[0] in "ux" and len(code) > 1:
        return chr(int(code[1:], 16))
    return "" if code in {"\n", "\r\n", "\r", "\u2028", "\u2029"} else _LETTERS.get(code, code)


_SAME_LINE = re.compile(r"[ \t]*(?://[^\n\r\u2028\u2029]*|/\*[^\n\r]*?\*/)")
_LINE_END = re.compile(r"[ \t]*[\r\n]")
_SPACES = " \t\r\n"


def add_piece(text: str, piece: Piece) -> str:
    """The text with a piece; the objects and the list that lead to it are made where they are missing.

    Raises:
        Uneditable: a value of another type is on the path.
    """
    if not text.strip("\ufeff" + _SPACES):
        return text + _format_value(_nested_value(piece.path, piece), "", newline_of(text)) + newline_of(text)
    chain = _nodes_on(parse_json(text), piece.path)
    deepest, present = chain[-1], piece.path[: len(chain) - 1]
    if missing := piece.path[len(present) :]:
        if not isinstance(deepest.value, dict):
            message = f"has something else than an object {'at ' + '.'.join(present) if present else 'in it'}"
            raise Uneditable(message)
        return _add_item(text, deepest, json.dumps(missing[0], ensure_ascii=False), _nested_value(missing[1:], piece))
    if not isinstance(deepest.value, list):
        message = f"has something else than a list at {piece.name}"
        raise Uneditable(message)
    return _add_item(text, deepest, "", piece.value)


def remove_piece(text: str, piece: Piece, made: Sequence[tuple[str, ...]]) -> str:
    """The text without a piece of it, and without the objects `made` for the piece that are empty now."""
    chain = _nodes_on(parse_json(text), piece.path)
    holder = chain[-1] if piece.listed else chain[-2]
    key = "" if piece.listed else piece.path[-1]
    text = _remove_item(text, holder, _index_of_item(holder, key, piece.value))
    for path in sorted(made, key=len, reverse=True):
        chain = _nodes_on(parse_json(text), path)
        if len(chain) == len(path) + 1 and not chain[-1].items and isinstance(chain[-1].value, dict | list):
            text = _remove_item(text, chain[-2], _index_of_item(chain[-2], path[-1], chain[-1].value))
    return text


def missing_paths(value: object, piece: Piece) -> list[tuple[str, ...]]:
    """The paths of objects, and of the list, that a piece needs and that are not there."""
    most = len(piece.path) + (1 if piece.listed else 0)
    for present, key in enumerate(piece.path[: most - 1]):
        if not isinstance(value, dict) or key not in value:
            return [piece.path[:length] for length in range(present + 1, most)]
        value = value[key]
    return []


def _nodes_on(node: JsonNode, path: Sequence[str]) -> list[JsonNode]:
    """The nodes on a path, as far as they exist; of two members with the same key the last counts."""
    chain = [node]
    for key in path:
        members = [item for item in chain[-1].items if item.key == key and isinstance(chain[-1].value, dict)]
        if not members:
            break
        chain.append(members[-1].node)
    return chain


def _nested_value(path: Sequence[str], piece: Piece) -> object:
    value = [piece.value] if piece.listed else piece.value
    for key in reversed(path):
        value = {key: value}
    return value


def _index_of_item(holder: JsonNode, key: str, value: object) -> int:
    places = [at for at, item in enumerate(holder.items) if item.key == key and item.node.value == value]
    return places[-1]


def _add_item(text: str, holder: JsonNode, key: str, value: object) -> str:
    newline, inner = newline_of(text), _indent_of_items(text, holder)
    written = (f"{key}: " if key else "") + _format_value(value, inner, newline)
    if not holder.items:
        start = len(text[: holder.end - 1].rstrip(_SPACES + "\ufeff"))  # behind a comment, where nothing else is
        closed = "\n" in text[start : holder.end - 1]
        end = "" if closed else newline + _indent_of(text, holder.start)
        return f"{text[:start]}{newline}{inner}{written}{end}{text[start:]}"
    last = holder.items[-1]
    before = text[: last.node.end] + ("" if last.comma > 0 else ",")
    behind = last.comma if last.comma > 0 else last.node.end
    place = behind
    while comment := _SAME_LINE.match(text, place):
        place = comment.end()
    comma = "," if last.comma > 0 else ""
    return f"{before}{text[last.node.end : place]}{newline}{inner}{written}{comma}{text[place:]}"


def _remove_item(text: str, holder: JsonNode, at: int) -> str:
    item: JsonItem = holder.items[at]
    start = len(text[: item.start].rstrip(_SPACES))
    end = item.comma if item.comma > 0 else item.node.end
    behind = holder.items[at - 1].node.end if at else holder.start + 1
    comma = 1 if at else 0  # that between the two
    if skip_space(text, behind) > start > behind + comma and not _LINE_END.match(text, end):
        start = item.start  # a comment stands before it, and is to end where it does
    if len(holder.items) == 1 and start == holder.start + 1 and not text[end : holder.end - 1].strip(_SPACES):
        end = holder.end - 1
    if at == len(holder.items) - 1 and at > 0 and item.comma < 0:
        comma = holder.items[at - 1].comma
        return text[: comma - 1] + text[comma:start] + text[end:]
    return text[:start] + text[end:]


def _indent_of(text: str, position: int) -> str:
    """The white space with which the line of a place begins."""
    line = text[_line_start(text, position) : position]
    return line[: len(line) - len(line.lstrip(" \t"))]


def _line_start(text: str, position: int) -> int:
    return max(text.rfind("\n", 0, position), text.rfind("\r", 0, position)) + 1


def _indent_of_items(text: str, holder: JsonNode) -> str:
    """The indent of the first item that begins a line; else that of the holder, and the text's first step."""
    for item in holder.items:
        begin = _line_start(text, item.start)
        indent = text[begin : item.start]
        if begin and not indent.strip(" \t"):
            return indent
    step = re.search(r"[\n\r]([ \t]+)\S", text)
    return _indent_of(text, holder.start) + (step[1] if step else "  ")


def newline_of(text: str) -> str:
    """The end of the lines of a text."""
    return "\r\n" if "\r\n" in text else "\n"


def _format_value(value: object, indent: str, newline: str) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False).replace("\n", newline + indent)
