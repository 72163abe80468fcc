"""The viewer of files: the list of the workspace's texts, and each of them as a person reads it."""

import re
from pathlib import Path

from tests.support.workspaces.page_reader import PageReader

DAY = "/files/memory/2026-03-13.md"
WRAPUP = "/files/second-brain/summaries/2026-03-13-wrapup.md"


def test_the_list(reader: PageReader) -> None:
    """Texts by kind and day; each leads to what it holds."""
    everything = reader.get("/files")
    assert {DAY, WRAPUP} < set(everything.links)
    wrapups = reader.get("/files?kind=wrapups")
    assert (True, False) == (WRAPUP in wrapups.links, DAY in wrapups.links)
    day = reader.get("/files?day=2026-03-13")
    assert {DAY, WRAPUP} < set(day.links)
    assert "/files/memory/2026-03-12.md" not in day.links
    assert "Nothing fits these filters" in reader.get("/files?kind=nonsense").text


def test_a_text(reader: PageReader) -> None:
    """Headings, lists and links instead of Markdown; marks of ours and a link's address are not shown."""
    document = reader.get(WRAPUP)
    assert '<h2 dir="auto" id="L15">Wrap-up of 2026-03-13</h2>' in document.html
    assert any(link.startswith("/entries/RULE-20260313-from-now-on") for link in document.links)
    assert [] == [sign for sign in ("<!--", "**", "](", "memory:title") if sign in document.text]
    assert "/files/memory/2026-03-13.md" in reader.get("/memory").links


def test_code_is_shown_whole(changer: PageReader) -> None:
    """Also a line in it that would be the end of front matter elsewhere."""
    text = "---\nname: x\n---\nFirst.\n```yaml\n---\nport: 4217\n```\n"
    (Path(changer.workspace.root) / "memory" / "code.md").write_text(text)
    document = changer.get("/files/memory/code.md").html
    for number, line in ((2, "name: x"), (6, "---"), (7, "port: 4217")):
        assert line == document.partition(f'id="L{number}">')[2].partition("<")[0].strip()
    assert 'id="L3"' not in document


def test_places_lead_there(reader: PageReader) -> None:
    """Paths on other documents are links to the line, which has an anchor; hits that are no entries too."""
    entry = next(link for link in reader.get(DAY).links if link.startswith("/entries/RULE-20260313-from"))
    place = next(link for link in reader.get(entry).links if link.startswith(f"{DAY}?at="))
    assert f'id="{place.partition("#")[2]}"' in reader.get(place).html
    hits = reader.get("/search?query=deposit&tier=all").links
    assert any(re.match(r"/files/agents/main/memory/sessions/.*#L\d+", link) for link in hits)


def test_what_is_no_text_of_the_workspace(changer: PageReader) -> None:
    """No way out of the layout, by the path or by a link; no hidden folder, no binary: the same plain sentence."""
    root = Path(changer.workspace.root)
    (root.parent / "outside.md").write_text("# private")
    (root / "elsewhere").mkdir()
    (root / "elsewhere" / "x.md").write_text("# private")
    (root / "memory" / "picture.md").write_bytes(b"\x89PNG\0\xff private")
    (root / "memory" / "link.md").symlink_to(root.parent / "outside.md")
    (root / "memory" / "toml.md").symlink_to(root / "memory.toml")
    (root / "memory" / "loop.md").symlink_to(root / "memory" / "loop.md")
    (root / "memory" / "folder.md").mkdir()
    inside = ("../memory.toml", ".locks/x.md", *(f"{name}.md" for name in ("picture", "link", "toml", "folder")))
    outside = ("../outside.md", "/etc/passwd", "memory.toml", "memory//2026-03-13.md", "elsewhere/x.md", "memory")
    for path in (*(f"memory/{name}" for name in (*inside, "nothing.md", "loop.md")), *outside, ".memory/state.db"):
        document = changer.get(f"/files/{path}")
        expected = (409, False) if path == "memory/loop.md" else (404, True)
        assert (path, *expected) == (path, document.status, "No text of the workspace has this name." in document.text)
        assert "private" not in document.text


def test_a_hostile_text(changer: PageReader) -> None:
    """HTML is text, links lead to texts of the workspace alone, keys are masked, steering characters are visible."""
    text = (
        "<script>alert(1)</script> **<b>bold</b>** `<i>code</i>`\n"
        "[away](https://example.org/x.md) [up](../memory.toml) [day](2026-03-13.md#L1) [x](javascript:alert(1))\n"
        "key: ghp_abcdefghijklmnopqrstuvwxyz0123456789 \u202eright\n> שלום עולם\n" + "long " * 3_000
    )
    Path(changer.workspace.root, "memory", "hostile.md").write_text(text)
    document = changer.get("/files/memory/hostile.md")
    assert 200 == document.status
    for tag in ("<script>alert", "<b>", "<i>", "ghp_abc"):
        assert tag not in document.html
    for shown in ("<strong>&lt;b&gt;bold", "<code>&lt;i&gt;code", "[U+202E]right", '<blockquote dir="auto">', "…"):
        assert shown in document.html
    assert [f"{DAY}#L1"] == [link for link in document.links if link.startswith(DAY) or "//" in link or ":" in link]


def test_a_long_text(changer: PageReader) -> None:
    """It is shown in parts, a line's part by the line; after a change the new state is shown."""
    long = Path(changer.workspace.root, "memory", "long.md")
    long.write_text("".join(f"- item {number}\n" for number in range(1, 1_001)))
    assert "item 300" in changer.get("/files/memory/long.md").text
    part = changer.get("/files/memory/long.md?at=650#L650")
    assert ('id="L650"' in part.html, "item 300 " in part.text, "Page 3 of 4" in part.text) == (True, False, True)
    long.write_text("changed\n")
    assert "changed" in changer.get("/files/memory/long.md?at=650").text


def test_it_is_a_persons(reader: PageReader) -> None:
    """An agent's token gets nothing of it."""
    token = f"Bearer {reader.workspace.agent}"
    for path in ("/files", DAY):
        assert 403 == reader.workspace.ask(path, authorization=token).status
