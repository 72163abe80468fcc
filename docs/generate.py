"""Writes the generated parts of the documentation again: `make docs`. A test compares them with what stands there."""

import re
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from manual import manual_page
from picture import data_flow
from reference_pages import pages
from rooms import picture, rooms_of, table

from pipeline.markdown.blocks import find_blocks
from pipeline.scheduling.registry import discover

ROOT = Path(__file__).parents[1]
PICTURE = ("<!-- picture: generated from the jobs' declarations by docs/generate.py -->\n", "<!-- end of picture -->\n")
ROOMS = ("<!-- rooms: generated from the imports by docs/generate.py -->\n", "<!-- end of rooms -->\n")
"""The marks before and after a part of a page that is generated."""
SAMPLE = "RULE-20260313-from-now-on-back-to-20-percent-deposit-for-all-six-cabins-30"
_SHOWN = re.compile(r"^```md\n.*?^```$", re.MULTILINE | re.DOTALL)


def generated() -> dict[Path, str]:
    """Every file with a generated part, as it has to be."""
    readme, agents = ROOT / "README.md", ROOT / "docs" / "explanation" / "agents.md"
    jobs = discover()
    texts = {ROOT / "docs" / "reference" / name: text for name, text in pages().items()}
    texts[ROOT / "docs" / "man" / "memory.1"] = manual_page()
    shared = mermaid(data_flow([job for job in jobs if not job.per_agent]))
    texts[readme] = readme.read_text(encoding="utf-8")
    texts[ROOT / "docs" / "reference" / "jobs.md"] += f"\n## The flow of files\n\n{shared}"
    flow = mermaid(data_flow([job for job in jobs if job.per_agent]))
    texts[agents] = with_part(agents.read_text(encoding="utf-8"), PICTURE, flow)
    page = ROOT / "docs" / "explanation" / "architecture.md"
    package = ROOT / "pipeline"
    rooms = rooms_of(package)
    rows = "".join(f"{line}\n" for line in table(rooms, package))
    texts[page] = with_part(page.read_text(encoding="utf-8"), ROOMS, f"{mermaid(picture(rooms))}\n{rows}")
    return texts


def mermaid(diagram: str) -> str:
    """A diagram in its fence."""
    return f"```mermaid\n{diagram}```\n"


def with_part(page: str, marks: tuple[str, str], part: str) -> str:
    """`page` with `part` between the two marks."""
    opening, closing = marks
    before, _, rest = page.partition(opening)
    _, mark, after = rest.partition(closing)
    if not mark:
        message = f"the page has no place for a generated part: write {opening.strip()} and {closing.strip()}"
        raise ValueError(message)
    return f"{before}{opening}{part}{closing}{after}"


def with_sample(page: str, block: str) -> str:
    """`page` with an entry in place of the one that it shows."""
    return _SHOWN.sub(lambda _: f"```md\n{block}```", page, count=1)


def demo_entry(entry_id: str) -> str:
    """An entry as `memory demo` writes it.

    Raises:
        ValueError: it writes no such entry.
    """
    with TemporaryDirectory(prefix="memory-docs-") as folder:
        demo = [sys.executable, "-m", "pipeline.surfaces.cli.main", "demo", "demo"]
        subprocess.run(demo, check=True, cwd=folder, stdout=subprocess.DEVNULL)
        return entry_in(Path(folder) / "demo", entry_id)


def entry_in(workspace: Path, entry_id: str) -> str:
    """An entry as it stands in the workspace of the demo.

    Raises:
        ValueError: it has no such entry.
    """
    for page in sorted(workspace.glob("memory/*.md")):
        data = page.read_bytes()
        for block in find_blocks(data):
            if block.name == entry_id:
                return data[block.start : block.end].decode()
    message = f"the demo writes no {entry_id}; choose another sample"
    raise ValueError(message)


def main() -> None:
    """Write what has changed."""
    texts = generated()
    texts[ROOT / "README.md"] = with_sample(texts[ROOT / "README.md"], demo_entry(SAMPLE))
    for path, text in texts.items():
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
