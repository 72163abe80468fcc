"""`python -m benchmarks.fidelity FOLDER`: whether what matters in a large text is in its placeholder, or near.

FOLDER has `headroom/fidelity_cases.json`, lists of objects with a question and the evidence for its answer, and
`transcripts/`, sessions of agents as JSON or lines of JSON. Neither is part of the project.

Of the cases, every piece of evidence is looked for, with the list as compact JSON, as indented JSON and as lines. Of
the results of tools in the transcripts that are stored, up to six lines of trouble, six of any kind and the last are. A
probe is at most 60 characters of a line, without white space. It is in the synopsis, or in the first page of a
query for its longest word, or in that of a query for itself. Ends with 1 when a labelled piece or a line of trouble is
farther away, or when a byte is lost.
"""

import argparse
import json
import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from pipeline.adapters.redaction.redactor import SecretRedactor
from pipeline.app.details.keep import KeepRequest, KeptText, keep
from pipeline.app.details.retrieve import retrieve
from pipeline.clock import SystemClock
from pipeline.errors import PipelineError
from pipeline.language.tokens import count_tokens
from pipeline.store.opening import WorkspaceStore
from schemas.detail import Detail, PageRequest
from schemas.store_settings import StoreSettings

CASES, TRANSCRIPTS = "headroom/fidelity_cases.json", "transcripts"
PLACES = ("in the synopsis", "one retrieve", "two", "not within two")
LABELLED, TROUBLE = "labelled answers and supporting facts", "lines of trouble"
_RESULTS = re.compile(r"tool_result|tool-result|toolResult|\w*call_output|\w*search_output|function_result")
_ROLES = frozenset({"tool", "toolResult"})
_TEXTS = ("content", "output", "result", "response", "text", "llmContent")
_TROUBLE = re.compile(r"\b(?:\w*error|fail\w*|\w*exception|fatal|warn\w*|traceback|denied)\b", re.IGNORECASE)
_PROBE, _LINES, _SHORTEST = 60, 6, 8


@dataclass
class FidelityScore:
    """How far away probes are by the kind of probe, and what became of the texts."""

    far: dict[str, Counter[str]] = field(default_factory=dict)
    texts: int = 0
    stored: int = 0
    tokens: int = 0
    left: int = 0
    lost: int = 0

    def count(self, kind: str, place: str) -> None:
        """Note where a probe was."""
        self.far.setdefault(kind, Counter())[place] += 1


@dataclass(frozen=True)
class FidelityProbing:
    """Keeps texts in a store, and looks for probes in what stands for them."""

    store: WorkspaceStore
    score: FidelityScore
    redactor: SecretRedactor = field(default_factory=SecretRedactor)

    def keep(self, text: str) -> KeptText:
        """Keep a text as the output of a tool is kept; what comes back is compared with the masked text."""
        kept = keep(self.store, KeepRequest(text), self.redactor, SystemClock())
        self.score.texts += 1
        self.score.tokens += count_tokens(text)
        self.score.left += count_tokens(kept.text)
        if kept.detail:
            self.score.stored += 1
            self.score.lost += self._digest(kept.detail) != sha256(self.redactor.redact(text).encode()).hexdigest()
        return kept

    def place(self, kept: KeptText, line: str) -> str:
        """How far away a line is."""
        probe = _flat(line)[:_PROBE].strip()
        if _flat(probe) in _flat(kept.text):
            return PLACES[0]
        queries = (max(re.findall(r"\w+", probe), key=len, default=probe), probe)
        detail = kept.detail
        if detail:
            for place, query in zip(PLACES[1:3], queries, strict=True):
                if _flat(probe) in self._shown(detail, query):
                    return place
        return PLACES[3]

    def _shown(self, detail: Detail, query: str) -> str:
        try:
            return _flat(retrieve(self.store, detail.key, PageRequest(query=query)).text)
        except PipelineError:
            return ""

    def _digest(self, detail: Detail) -> str:
        digest = sha256()
        for chunk in self.store.details.read(detail):
            digest.update(chunk.content)
        return digest.hexdigest()


def labelled(path: Path, probing: FidelityProbing) -> None:
    """Look for the evidence of the cases."""
    for case in json.loads(path.read_text(encoding="utf-8")):
        content = case["content"]
        lines = "".join(f"{json.dumps(element)}\n" for element in content)
        for text in (json.dumps(content, separators=(",", ":")), json.dumps(content, indent=2), lines):
            kept = probing.keep(text)
            for evidence in (*case["answer_evidence"], *case["supporting_facts"]):
                probing.score.count(LABELLED, probing.place(kept, evidence))


def of_tools(folder: Path, probing: FidelityProbing) -> None:
    """Look for lines of the results of tools, of each text once."""
    files = sorted(path for path in folder.rglob("*") if path.suffix in {".json", ".jsonl"})
    for text in dict.fromkeys(text for path in files for text in _results_in(path)):
        kept = probing.keep(text)
        for kind, line in _evidence(probing.redactor.redact(text)) if kept.detail else ():
            probing.score.count(kind, probing.place(kept, line))


def _results_in(path: Path) -> Iterator[str]:
    text = path.read_text(encoding="utf-8", errors="replace")
    for part in [text] if path.suffix == ".json" else text.split("\n"):
        try:
            yield from _results(json.loads(part))
        except (ValueError, RecursionError):
            continue  # a broken line, as some fixtures have


def _results(value: Any) -> Iterator[str]:  # noqa: ANN401 - JSON of any shape
    if isinstance(value, list):
        for element in value:
            yield from _results(element)
    elif isinstance(value, dict):
        named = isinstance(value.get("type"), str) and _RESULTS.fullmatch(value["type"])
        if named or value.get("role") in _ROLES or "functionResponse" in value:
            if text := "\n".join(_texts(value.get("functionResponse", value))).strip():
                yield text
        else:
            for element in value.values():
                yield from _results(element)


def _texts(value: Any) -> Iterator[str]:  # noqa: ANN401 - as above
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for element in value:
            yield from _texts(element)
    elif isinstance(value, dict):
        for name in _TEXTS:
            yield from _texts(value.get(name))


def _evidence(text: str) -> Iterator[tuple[str, str]]:
    lines = [line for line in text.split("\n") if len(_flat(line)) >= _SHORTEST]
    if not lines:
        return
    yield from ((TROUBLE, line) for line in _spread([line for line in lines if _TROUBLE.search(line)]))
    yield from (("any lines", line) for line in _spread(lines))
    yield "last lines", lines[-1]


def _spread(lines: Sequence[str]) -> Sequence[str]:
    """Some of the lines, as far apart as they can be."""
    return lines if len(lines) <= _LINES else [lines[at * len(lines) // _LINES] for at in range(_LINES)]


def _flat(text: str) -> str:
    return " ".join(text.split())


def report(score: FidelityScore) -> None:
    """Print the tables."""
    print(f"| measured | number | {' | '.join(PLACES)} |")
    print("|---|---|---|---|---|---|")
    for kind, far in score.far.items():
        print(f"| {kind} | {far.total()} | {' | '.join(str(far[place]) for place in PLACES)} |")
    saved = 100 * (1 - score.left / score.tokens) if score.tokens else 0
    print(
        f"\n{score.texts} texts, {score.stored} stored: {score.tokens} tokens become {score.left} ({saved:.0f} % less)."
    )
    print(f"{score.lost} of the stored texts came back with other bytes than those of the masked text.")


def is_faithful(score: FidelityScore) -> bool:
    """Whether nothing labelled, and no line of trouble, is farther away than two retrieves, and no byte is lost."""
    return not score.lost and not any(score.far.get(kind, Counter())[PLACES[3]] for kind in (LABELLED, TROUBLE))


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the figures; the exit code."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.fidelity", description="How faithful placeholders are.")
    parser.add_argument("folder", type=Path, help=f"has {CASES} and {TRANSCRIPTS}/")
    folder = parser.parse_args(arguments).folder
    if missing := [name for name in (CASES, TRANSCRIPTS) if not (folder / name).exists()]:
        print(f"{folder} has no {' and no '.join(missing)}: nothing was measured. They are no part of the project.")
        return 2
    faithful = True
    for name, measure in ((CASES, labelled), (TRANSCRIPTS, of_tools)):
        with TemporaryDirectory(prefix="memory-fidelity-") as room:
            score = FidelityScore()
            store = WorkspaceStore(Path(room), StoreSettings())
            measure(folder / name, FidelityProbing(store, score))
            store.close()
        report(score)
        faithful = faithful and is_faithful(score)
    return 0 if faithful else 1


if __name__ == "__main__":
    sys.exit(main())
