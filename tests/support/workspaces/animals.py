"""A workspace with a note on each of some animals, so that a question about one has one answer."""

from pathlib import Path

BIRDS = ("heron", "otter", "stork", "badger", "lynx", "beaver", "magpie", "weasel")


def write_birds(root: Path) -> Path:
    """Writes them into an empty folder, which it gives back; nothing is indexed."""
    (root / "memory").mkdir()
    (root / "memory.toml").write_text('timezone = "UTC"\n')
    for day, bird in enumerate(BIRDS, start=1):
        (root / "memory" / f"2026-03-{day:02}.md").write_text(f"# March {day}\n\n- The {bird} sleeps here.\n")
    return root
