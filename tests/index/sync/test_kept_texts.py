"""The texts of a new index: each once, in turn, and few of them in memory."""

from contextlib import closing
from pathlib import Path

from pipeline.index.sync.kept_texts import MOST, KeptTexts


def test_texts_come_back_in_turn_and_once(tmp_path: Path) -> None:
    """Those of the first file that has them; few are in memory alone, and many are in a file without a name."""
    for files in (3, MOST):
        with closing(KeptTexts(tmp_path)) as kept:
            for number in range(files):
                kept.add(f"{number}.md", {f"{number:032x}": f"tekst 文 {number}", f"{files:032x}": "shared"})
            assert files + 1 == len(kept)
            parts = list(kept.read(lambda path: (0, -int(path.removesuffix(".md")))))
            texts = [text for part in parts for text in part.values()]
            assert [f"tekst 文 {number}" for number in reversed(range(1, files))] == texts[: files - 1]
            assert ["tekst 文 0", "shared"] == texts[files - 1 :]
            assert not [*tmp_path.iterdir()]
