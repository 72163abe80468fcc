"""The rooms of `pipeline`, and which imports which, read from the source: a picture and a table for a page."""

import ast
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from graphlib import TopologicalSorter
from pathlib import Path

Rooms = Mapping[str, AbstractSet[str]]
"""Each room with the rooms that it imports."""


def rooms_of(package: Path) -> Rooms:
    """The rooms of a package: its folders and its modules, by name."""
    names = {path.stem for path in package.iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()}
    names.discard("__init__")
    return {name: {other for other in _imported(package, name) if other in names} - {name} for name in sorted(names)}


def floors(rooms: Rooms) -> list[list[str]]:
    """The rooms in layers, the lowest first: a room stands right above the highest room that it imports."""
    height = dict[str, int]()
    for room in TopologicalSorter(rooms).static_order():
        height[room] = 1 + max((height[other] for other in rooms[room]), default=0)
    return [sorted(room for room in rooms if height[room] == floor) for floor in range(1, max(height.values()) + 1)]


def picture(rooms: Rooms) -> str:
    """A Mermaid flowchart of the rooms. An arrow that follows from two others is left out."""
    lines = ["flowchart TD"]
    for number, floor in reversed(list(enumerate(floors(rooms), 1))):
        lines += [f'  subgraph layer{number}[" "]', *(f"    {room}_[{room}]" for room in floor), "  end"]
    lines += [f"  {room}_ --> {other}_" for room in rooms for other in sorted(_direct(rooms, room))]
    return "".join(f"{line}\n" for line in lines)


def table(rooms: Rooms, package: Path) -> Sequence[str]:
    """The lines of a Markdown table: every room from the top layer to the lowest, with the first line of its text."""
    lines = [room for floor in reversed(floors(rooms)) for room in floor]
    return ["| package | content |", "|---|---|", *(f"| `{room}` | {_purpose(package, room)} |" for room in lines)]


def _direct(rooms: Rooms, room: str) -> AbstractSet[str]:
    """What a room imports, without what others of these lead to."""
    return rooms[room] - {below for other in rooms[room] for below in _below(rooms, other)}


def _below(rooms: Rooms, room: str) -> AbstractSet[str]:
    return set(rooms[room]).union(*(_below(rooms, other) for other in rooms[room]))


def _purpose(package: Path, room: str) -> str:
    text = ast.get_docstring(ast.parse(_source(package, room).read_text(encoding="utf-8"))) or ""
    return text.splitlines()[0]


def _source(package: Path, room: str) -> Path:
    folder = package / room
    module = folder.with_suffix(".py")
    return module if module.is_file() else folder / "__init__.py"


def _imported(package: Path, room: str) -> Iterator[str]:
    """The rooms of the package whose names stand in imports of a room, anywhere in its files."""
    source = _source(package, room)
    for file in source.parent.rglob("*.py") if source.name == "__init__.py" else [source]:
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module:
                named = [node.module] if "." in node.module else [f"{node.module}.{alias.name}" for alias in node.names]
            elif isinstance(node, ast.Import):
                named = [alias.name for alias in node.names]
            else:
                continue
            yield from (name.split(".")[1] for name in named if name.startswith(f"{package.name}."))
