"""Daily notes in bulk: Markdown files of some 8 KB, of text that is given or made up, and questions about them."""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import accumulate
from pathlib import Path
from random import Random

BYTES = 8_000
"""How large a file is, or a little larger."""
SAID = 200
"""Characters of one thing said; shorter ones of the given text are put together."""
FIRST_DAY = date(2025, 1, 1)
A_DAY = 40
"""Files of one day in the largest workspaces: twenty thousand of them are a year and a half."""
WORDS_ASKED = 5
LETTERS_ASKED = 4

_COMMON = (
    "the of and to in that is was for it with as his on be at by had not are but from have an they which one you were "
    "all her she there would their we him been has when who will no more if out so up said what its about than into"
)
_SYLLABLES = "ka re mo ti lan dor ves pil sun gar bel not rim chu ost fen wil dra hem zot"
_WORD = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True)
class Notes:
    """A workspace of `files` daily notes in `root`, made of the things `said`; the same ones for the same `said`."""

    root: Path
    files: int
    said: Sequence[str]

    def write(self, settings: str = "") -> None:
        """Make the workspace; `settings` go into its `memory.toml`."""
        random = Random(self.files)  # noqa: S311 - the same notes each time, and no secret
        for number in range(self.files):
            file = self.path(number)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text("\n".join(_note(random, self.said, self._day(number))), encoding="utf-8")
        (self.root / "memory.toml").write_text(f'timezone = "Europe/Warsaw"\n{settings}', encoding="utf-8")

    def path(self, number: int) -> Path:
        """One of the files."""
        return self.root / "memory" / f"{self._day(number)}-{number:05}.md"

    def edit(self, number: int) -> str:
        """Add a line to a file; the word in it that no other line has."""
        word = f"edit{number}mark"
        with self.path(number % self.files).open("a", encoding="utf-8") as stream:
            stream.write(f"- we agreed on {word} today\n")
        return word

    def questions(self, number: int) -> list[str]:
        """Questions, each of some words of one thing said that is likely to be in a file."""
        random = Random(number)  # noqa: S311 - the same questions each time, and no secret
        return [_question(random.choice(self.said)) for _ in range(number)]

    @property
    def size(self) -> int:
        """Bytes of all files."""
        return sum(self.path(number).stat().st_size for number in range(self.files))

    def _day(self, number: int) -> date:
        a_day = max(1, min(A_DAY, self.files // 200))
        return FIRST_DAY + timedelta(days=number // a_day)


def said_in(folder: Path | None) -> list[str]:
    """The things said in a folder's plain text, Markdown and JSON; made-up ones without a folder."""
    if folder is None:
        return list(_made_up(8_000))
    said = list[str]()
    for file in sorted(folder.rglob("*")):
        if file.suffix in {".txt", ".md", ".json", ".jsonl"}:
            said += _together(_strings(file))
    return said


def _strings(file: Path) -> Iterator[str]:
    text = file.read_text(encoding="utf-8", errors="replace")
    if file.suffix == ".json":
        yield from _inside(json.loads(text))
    elif file.suffix == ".jsonl":
        for line in text.splitlines():
            yield from _inside(json.loads(line))
    else:
        yield from text.splitlines()


def _inside(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, (list, dict)):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _inside(item)


def _together(strings: Iterator[str]) -> Iterator[str]:
    text = ""
    for string in strings:
        text = " ".join(f"{text} {string}".split())
        if len(text) >= SAID:
            yield text
            text = ""


def _made_up(number: int) -> Iterator[str]:
    """Sentences of English function words and of made-up ones, a few of these common and most of them rare."""
    random = Random(number)  # noqa: S311 - the same text each time, and no secret
    common, syllables = _COMMON.split(), _SYLLABLES.split()
    names = ["".join(random.choices(syllables, k=random.randint(2, 4))) for _ in range(20_000)]
    weights = list(accumulate(1 / rank for rank in range(1, len(names) + 1)))
    for _ in range(number):
        rare = random.choices(names, cum_weights=weights, k=random.randint(14, 22))
        yield " ".join(word for name in rare for word in (random.choice(common), name)) + f" {random.randint(1, 999)}"


def _note(random: Random, said: Sequence[str], day: date) -> Iterator[str]:
    """The lines of a day: some sections, each a paragraph and a list."""
    yield f"# {day}\n"
    written = 0
    while written < BYTES:
        paragraph, items = random.choices(said, k=2), random.choices(said, k=random.randint(2, 4))
        yield f"## {random.randint(7, 20)}:00 {_question(paragraph[0])}\n"
        yield "\n".join(paragraph) + "\n"
        yield from (f"- {item}" for item in items)
        yield ""
        written += sum(len(text.encode()) for text in (*paragraph, *items))


def _question(text: str) -> str:
    words = [word for word in _WORD.findall(text) if len(word) >= LETTERS_ASKED] or text.split()
    return " ".join(words[:WORDS_ASKED])
