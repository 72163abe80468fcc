"""What a path tells of a file."""

import pytest

from pipeline.index.reading.tiers import Place, place
from schemas.hit import Tier

PLACES = {
    "MEMORY.md": Place(Tier.HOT, "memory", "person"),
    "memory.md": Place(Tier.HOT, "memory", "person"),
    "memory/2026-02-10.md": Place(Tier.WARM, "note", "person"),
    "memory/2026-01-30-1615.md": Place(Tier.WARM, "note", "person"),
    "memory/recent/2026-02-10-2.md": Place(Tier.WARM, "note", "person"),
    "memory/projects/cabins.md": Place(Tier.WARM, "note", "person"),
    "memory/whatever/TOPIC.md": Place(Tier.WARM, "note", "person"),
    "memory/chat.txt": Place(Tier.WARM, "raw", "low"),
    "memory/archive/weekly-2026-W06.md": Place(Tier.ARCHIVE, "plan", "accepted"),
    "memory/archive/old.md": Place(Tier.ARCHIVE, "note", "person"),
    "second-brain/summaries/2026-02-10-wrapup.md": Place(Tier.COLD, "summary", "accepted"),
    "second-brain/research/qdrant.md": Place(Tier.RESEARCH, "note", "person"),
    "second-brain/devlogs/2026-02-10.md": Place(Tier.RESEARCH, "note", "person"),
    "second-brain/specs/a/b.md": Place(Tier.RESEARCH, "note", "person"),
    "bank/entities/anna.md": Place(Tier.COLD, "note", "person"),
    "agents/coder/memory/2026-02-10.md": Place(Tier.WARM, "note", "person", "coder"),
    "agents/coder/MEMORY.md": Place(Tier.HOT, "memory", "person", "coder"),
    "agents/coder/sessions/1.md": Place(Tier.COLD, "log", "low", "coder"),
    "agents/coder/notes.md": Place(Tier.COLD, "note", "person", "coder"),
    "agents/readme.md": Place(Tier.COLD, "note", "person"),
    "docs:guide/memory/a.md": Place(Tier.COLD, "note", "person"),
}


@pytest.mark.parametrize("path", PLACES)
def test_a_path_tells_tier_kind_trust_and_agent(path: str) -> None:
    """Each folder of the layout has its tier; what our jobs write and what is raw text is told apart from notes."""
    assert PLACES[path] == place(path)
