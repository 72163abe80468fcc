"""The sentences that a module makes, as its source says them."""

import ast
from collections.abc import Iterator, Mapping
from itertools import product
from pathlib import Path

VALUE = "\0"
"""The sign in a sentence for a value that the source does not say."""
Named = Mapping[str, list[ast.expr]]


def sentences_of(file: Path) -> list[str]:
    """All strings of a module but its docstrings, each with the strings that are put into it; these are no others."""
    tree = ast.parse(file.read_text())
    known, parts = _assigned(tree, deep=False), set[ast.AST]()
    strings = list(_strings(tree, known, parts))
    return list(dict.fromkeys(text for node, texts in strings if node not in parts for text in texts))


def _strings(node: ast.AST, named: Named, parts: set[ast.AST]) -> Iterator[tuple[ast.AST, list[str]]]:
    if isinstance(node, ast.FunctionDef):
        named = {**named, **_assigned(node, deep=True)}
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Constant) and isinstance(node, ast.Expr | ast.JoinedStr):
            continue  # a docstring, or a piece of the string around it
        if isinstance(child, ast.Constant | ast.JoinedStr) and (texts := _texts(child, named, parts)):
            yield child, texts
        yield from _strings(child, named, parts)


def _assigned(tree: ast.AST, *, deep: bool) -> dict[str, list[ast.expr]]:
    """The expressions that names are set to: of a function, or of a module outside of its functions."""
    expressions = dict[str, list[ast.expr]]()
    for node in ast.walk(tree) if deep else ast.iter_child_nodes(tree):
        if isinstance(node, ast.Assign):
            pairs = [(node.targets[0], node.value)]
            if isinstance(node.targets[0], ast.Tuple) and isinstance(node.value, ast.Tuple):
                pairs = list(zip(node.targets[0].elts, node.value.elts, strict=False))
            for target, value in pairs:
                if isinstance(target, ast.Name):
                    expressions.setdefault(target.id, []).append(value)
    return expressions


def _texts(node: ast.expr, named: Named, parts: set[ast.AST]) -> list[str]:
    """The texts that an expression may have; none where it has no text of its own."""
    if isinstance(node, ast.Constant):
        return [node.value] if isinstance(node.value, str) else []
    if isinstance(node, ast.IfExp):
        return [text for way in (node.body, node.orelse) for text in _texts(way, named, parts)]
    if isinstance(node, ast.Name):
        ways = named.get(node.id, [])
        rest = {name: values for name, values in named.items() if name != node.id}
        texts = [text for way in ways for text in _texts(way, rest, parts)]
        parts.update(node for way in ways for node in ast.walk(way) if texts)
        return texts
    if isinstance(node, ast.JoinedStr):
        return ["".join(pieces) for pieces in product(*(_part_texts(piece, named, parts) for piece in node.values))]
    return []


def _part_texts(piece: ast.expr, named: Named, parts: set[ast.AST]) -> list[str]:
    if not isinstance(piece, ast.FormattedValue):
        return [str(piece.value)] if isinstance(piece, ast.Constant) else [VALUE]
    texts = _texts(piece.value, named, parts)
    parts.update(node for node in ast.walk(piece.value) if texts)
    return texts or [VALUE]
