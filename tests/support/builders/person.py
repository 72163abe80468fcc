"""A person who edits the Markdown of a workspace by hand, between the runs, as dice have it."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from pipeline.markdown.blocks import Block, find_blocks

PAGE = "MEMORY.md"
_OWN_LINES = (0, 1, 1, 2, 3, 5, 12, 40, 250)
_KEPT = 0.7  # of their lines, when they tidy up


@dataclass
class Person:
    """Somebody who edits the files of a workspace by hand, at times of their own, with dice of their own."""

    root: Path
    dice: Random
    archived: set[str] = field(default_factory=set)
    deleted: set[str] = field(default_factory=set)
    _lines: set[bytes] = field(default_factory=set)
    _blocks: list[bytes] = field(default_factory=list)
    _written: int = 0

    def standing(self) -> dict[str, list[bytes]]:
        """What is theirs in each file, in its order: lines that they wrote, and blocks of ours that they changed."""
        by_file = {file: list(self._theirs(file.read_bytes())) for file in sorted(self.root.rglob("*.md"))}
        return {file.relative_to(self.root).as_posix(): theirs for file, theirs in by_file.items() if theirs}

    def edit(self) -> None:
        """One or two things out of all that people do."""
        changes = (self.write, self.rewrite, self.tidy, self.change_item, self.delete_item)
        deeds: tuple[Callable[[], None], ...] = (*changes, self.append, self.archive, self.comment)
        for deed in self.dice.sample(deeds, 2):
            deed()

    def write(self, number: int | None = None) -> None:
        """Put so many new lines, or some, into MEMORY.md, anywhere: also into the middle of what is ours."""
        lines = self._page().splitlines(keepends=True)
        place = self.dice.randint(0, len(lines))
        before = b"".join(lines[:place])
        open_end = b"\n" if before and not before.endswith(b"\n") else b""
        mine = [self._own_line() for _ in range(self.dice.choice(_OWN_LINES) if number is None else number)]
        self._put(before + open_end + b"".join(mine) + b"".join(lines[place:]))

    def rewrite(self) -> None:
        """Change a line of theirs in MEMORY.md."""
        lines = self._page().splitlines(keepends=True)
        if mine := [place for place, line in enumerate(lines) if line in self._lines]:
            lines[self.dice.choice(mine)] = self._own_line()
            self._put(b"".join(lines))

    def tidy(self) -> None:
        """Delete some of their lines in MEMORY.md."""
        lines = self._page().splitlines(keepends=True)
        self._put(b"".join(line for line in lines if line not in self._lines or self.dice.random() < _KEPT))

    def change_item(self) -> None:
        """Change the words of an item of ours: from now on it is theirs."""
        if block := self._item():
            data = self._page()
            ours = data[block.start : block.end]
            theirs = ours.replace(b"- ", b"- (sic) ", 1)
            self._blocks.append(theirs)
            self._put(data.replace(ours, theirs))

    def delete_item(self) -> None:
        """Take an item of ours out of MEMORY.md."""
        if block := self._item():
            data = self._page()
            self.deleted.add(block.name)
            self._put(data[: block.start] + data[block.end :])

    def append(self) -> None:
        """Write under what stands in a day's file, sometimes without an end of the line."""
        if file := self._day():
            data, line = file.read_bytes(), self._own_line()
            self._lines.add(line)
            file.write_bytes(data + (b"" if data.endswith(b"\n") else b"\n") + line[: self.dice.choice([None, -1])])

    def archive(self) -> None:
        """Say of an entry that it does not hold any more."""
        self._in_entry(b"- status: active\n", b"- status: archived\n", self.archived)

    def comment(self) -> None:
        """Say more about an entry."""
        self._in_entry(b"- impact: not stated\n", b"- impact: more than we thought\n", set())

    def _theirs(self, data: bytes) -> Iterator[bytes]:
        yield from (line for line in data.splitlines() if line + b"\n" in self._lines)
        yield from (block for block in self._blocks if block in data)

    def _own_line(self) -> bytes:
        self._written += 1
        kind = self.dice.choice(["{}", "- {}", "## {}", "> {}", "* [ ] {}", "  {}", "1. {}"])
        line = kind.format(f"własna linia 我的 {self._written}").encode() + b"\n"
        self._lines.add(line)
        return line

    def _item(self) -> Block | None:
        blocks = [block for block in find_blocks(self._page()) if block.intact and block.text.startswith("- ")]
        return self.dice.choice(blocks) if blocks else None

    def _in_entry(self, old: bytes, new: bytes, noted: set[str]) -> None:
        file = self._day()
        data = file.read_bytes() if file else b""
        blocks = [
            own_block
            for own_block in find_blocks(data)
            if own_block.intact and old in data[own_block.start : own_block.end]
        ]
        if file and blocks:
            block = self.dice.choice(blocks)
            theirs = data[block.start : block.end].replace(old, new)
            self._blocks.append(theirs)
            noted.add(block.name)
            file.write_bytes(data[: block.start] + theirs + data[block.end :])

    def _day(self) -> Path | None:
        files = sorted((self.root / "memory").glob("????-??-??.md"))
        return self.dice.choice(files) if files else None

    def _page(self) -> bytes:
        return (self.root / PAGE).read_bytes() if (self.root / PAGE).exists() else b""

    def _put(self, data: bytes) -> None:
        (self.root / PAGE).write_bytes(data)
