"""The changes of one file's text, in any syntax. Each changed text is parsed again before it is written."""

import json
import re
import shlex
import tomllib
from collections.abc import Collection, Mapping, Sequence

from pipeline.integration import json_splice
from pipeline.integration.edits import FileEdit, Piece, Syntax, Uneditable
from pipeline.integration.json_splice import newline_of, parse_json
from pipeline.markdown.blocks import BEGIN, END

_BLANK = "\ufeff \t\r\n"
_OURS = "memory-"
"""The beginning of the names of our hooks."""
_ALIAS = re.compile(r"## Memory: (\S+)")
"""The heading of the instructions about a memory with an alias."""
_NEXT_TABLE = re.compile(r"^[ \t]*\[", re.MULTILINE)


def value_of(text: str, syntax: Syntax) -> object:
    """The value of a text of JSON or TOML; an empty object for an empty text.

    Raises:
        Uneditable: the agent could not read it.
    """
    if not text.strip(_BLANK):
        return {}
    if syntax is Syntax.TOML:
        try:
            return tomllib.loads(text.removeprefix("\ufeff").replace("\r\n", "\n"))
        except (tomllib.TOMLDecodeError, RecursionError) as error:
            message = f"cannot be read as TOML: {error}"
            raise Uneditable(message) from error
    value = parse_json(text).value
    if syntax is Syntax.JSON:
        try:
            json.loads(text.removeprefix("\ufeff"))
        except ValueError as error:
            message = f"cannot be read as JSON: {error}"
            raise Uneditable(message) from error
    return value


def is_present(text: str, syntax: Syntax, piece: Piece) -> bool:
    """Whether a text holds the piece, unchanged.

    Raises:
        Uneditable: the text cannot be read.
    """
    if syntax is Syntax.WHOLE:
        return text == piece.value
    if syntax is Syntax.MARKDOWN:
        return _block(piece, text) in text
    place = value_at(value_of(text, syntax), piece.path)
    if piece.listed:
        return isinstance(place, list) and piece.value in place
    return place == piece.value


def is_occupied(text: str, syntax: Syntax, piece: Piece) -> bool:
    """Whether another value is in the place of a piece that can be there only once."""
    if syntax is Syntax.WHOLE:
        return bool(text) and text != piece.value
    if syntax is Syntax.MARKDOWN:
        return _block_of(piece, text) not in {"", _block(piece, text)}
    place = value_at(value_of(text, syntax), piece.path)
    return not piece.listed and place not in (None, piece.value)


def add_pieces(text: str, edit: FileEdit) -> tuple[str, list[tuple[str, ...]]]:
    """The text with all pieces, and the paths of the objects that were made for new pieces.

    Raises:
        Uneditable: it cannot be done without a risk for what else stands there.
    """
    made = list[tuple[str, ...]]()
    for piece in edit.pieces:
        if is_present(text, edit.syntax, piece):
            continue
        if edit.syntax in {Syntax.JSON, Syntax.JSON5}:
            made += json_splice.missing_paths(value_of(text, edit.syntax), piece)
        text = _check_change(text, edit.syntax, piece, _add_piece(text, edit.syntax, piece), gain=True)
    return text, made


def remove_pieces(text: str, edit: FileEdit, made: Sequence[tuple[str, ...]]) -> str:
    """The text without the pieces, and without the objects `made` for them that are empty now.

    Raises:
        Uneditable: it cannot be done without a risk for what else stands there.
    """
    for piece in sorted(edit.pieces, key=lambda piece: piece.shared):
        if is_present(text, edit.syntax, piece) and not (piece.shared and _is_used(text, edit.syntax, piece)):
            text = _check_change(text, edit.syntax, piece, _remove_piece(text, edit.syntax, piece, made), gain=False)
    return text


def _add_piece(text: str, syntax: Syntax, piece: Piece) -> str:
    if syntax is Syntax.WHOLE:
        return str(piece.value)
    if syntax in {Syntax.JSON, Syntax.JSON5}:
        return json_splice.add_piece(text, piece)
    newline = newline_of(text)
    lead = "" if not text or text.endswith("\n") else newline
    lead += newline if text.strip(_BLANK) else ""
    if syntax is Syntax.MARKDOWN:
        return text + lead + _block(piece, text) + newline
    # A table of TOML holds texts and lists of texts: JSON's way to write them is TOML's as well, except for DEL.
    values = piece.value if isinstance(piece.value, Mapping) else {}
    written = {key: json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f") for key, value in values.items()}
    table = [f"[{piece.name}]", *(f"{key} = {value}" for key, value in written.items()), ""]
    return text + lead + newline.join(table)


def _remove_piece(text: str, syntax: Syntax, piece: Piece, made: Sequence[tuple[str, ...]]) -> str:
    if syntax is Syntax.WHOLE:
        return ""
    if syntax is Syntax.MARKDOWN:
        block, newline = _block(piece, text), newline_of(text)
        before, _, behind = text.partition(block)
        if not behind.strip(_BLANK) and before.endswith(newline + newline):
            before = before.removesuffix(newline)
        return before + behind.removeprefix(newline)
    if syntax is Syntax.TOML:
        return _remove_table(text, piece)
    return json_splice.remove_piece(text, piece, made)


def _remove_table(text: str, piece: Piece) -> str:
    """The text without the lines of the table, and without the empty line before it."""
    head = re.search(rf"^[ \t]*\[[ \t]*{re.escape(piece.name)}[ \t]*\][^\n]*\n?", text, re.MULTILINE)
    if head is None:
        message = f"has no line [{piece.name}]; take its values out by hand"
        raise Uneditable(message)
    start, following = head.start(), _NEXT_TABLE.search(text, head.end())
    end = following.start() if following else len(text)
    body = text[head.end() : end]
    ours = re.match(r"(?:[ \t]*[\w-]+[ \t]*=[^\n]*(?:\n|$))*", body)  # comments and empty lines behind it are theirs
    end = head.end() + (ours.end() if ours else 0)
    before = re.sub(r"\n(?:\r?\n)$", "\n", text[:start]) if not following else text[:start]
    return before + text[end:]


def _check_change(text: str, syntax: Syntax, piece: Piece, changed: str, *, gain: bool) -> str:
    """The changed text, if it differs by the piece alone from the text before it."""
    if syntax in {Syntax.WHOLE, Syntax.MARKDOWN}:
        return changed
    before, after = value_of(text, syntax), value_of(changed, syntax)
    more, less = (after, before) if gain else (before, after)
    if _drop_empty(_value_without(more, piece)) != _drop_empty(less):
        message = "cannot be changed here without a risk for the rest"
        raise Uneditable(message)
    return changed


def _value_without(value: object, piece: Piece) -> object:
    """The value without a piece."""
    if not (piece.path and isinstance(value, Mapping)):
        if piece.listed and isinstance(value, list):
            return [inner for inner in value if inner != piece.value]
        return value
    first, rest = piece.path[0], Piece(piece.path[1:], piece.value, piece.listed)
    if not rest.path and not piece.listed:
        return {key: inner for key, inner in value.items() if key != first}
    return {key: _value_without(inner, rest) if key == first else inner for key, inner in value.items()}


def _drop_empty(value: object) -> object:
    """The value without empty objects and lists, which come and go with their content."""
    if not isinstance(value, Mapping):
        return [] if value is None else value
    parts = {key: _drop_empty(inner) for key, inner in value.items()}
    return {key: inner for key, inner in parts.items() if inner not in ({}, [])}


def value_at(value: object, path: Sequence[str]) -> object:
    """The value at a path of keys; `None` where there is nothing."""
    for key in path:
        value = value.get(key) if isinstance(value, Mapping) else None
    return value


def _block(piece: Piece, text: str) -> str:
    return "\n".join([BEGIN, str(piece.value), END]).replace("\n", newline_of(text))


def _block_of(piece: Piece, text: str) -> str:
    """The block in the place of a piece: that with its alias in the heading; empty if there is none."""
    newline = newline_of(text)
    blocks: list[str] = re.findall(re.escape(BEGIN) + r"(?s:.*?)" + re.escape(END), text)
    for block in blocks:
        alias = _ALIAS.match(block.removeprefix(BEGIN + newline))
        if (alias[1] if alias else "") == piece.name:
            return block
    return BEGIN if BEGIN in text and END not in text else ""


def _is_used(text: str, syntax: Syntax, piece: Piece) -> bool:
    """Whether hooks of another memory stand beside a setting that they need."""
    beside = value_at(value_of(text, syntax), piece.path[:-1])
    inner = [value for value in beside.values() if isinstance(value, Mapping)] if isinstance(beside, Mapping) else []
    return any(key.startswith(_OURS) for value in inner for key in value)


def stale_pieces(text: str, edit: FileEdit, gone: Collection[str]) -> FileEdit:
    """The pieces that stand where those of an edit are to be, and name a workspace that is `gone`."""
    pieces = list[Piece]()
    for piece in edit.pieces if gone else ():
        if edit.syntax is Syntax.MARKDOWN:
            block = _block_of(piece, text).replace("\r\n", "\n")
            values: list[object] = [block.removeprefix(BEGIN + "\n").removesuffix("\n" + END)] if END in block else []
        elif edit.syntax is Syntax.WHOLE:
            values = [text] if _names_any(text, gone) else []
        else:
            place = value_at(value_of(text, edit.syntax), piece.path)
            values = [value for value in (place if isinstance(place, list) else [place]) if _names_any(value, gone)]
        pieces += [Piece(piece.path, value, piece.listed) for value in values if value != piece.value]
    return FileEdit(edit.file, edit.syntax, tuple(pieces))


def _names_any(value: object, folders: Collection[str]) -> bool:
    """Whether a value, or a text of JavaScript, holds one of the folders as a word of a command."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    forms = [form for folder in folders for form in (folder, shlex.quote(folder), json.dumps(folder)[1:-1])]
    return any(re.search(re.escape(form) + r"(?![\w/.-])", text) for form in forms)
