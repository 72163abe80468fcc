"""Which files are indexed, and which are reported instead."""

import os
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from pipeline.index.sync.changes import state_of
from pipeline.job import Job, Reads, Schedule, Target
from pipeline.workspace.files import Workspace
from pipeline.workspace.layout import Layout
from pipeline.workspace.listing import LARGEST, LEADS_OUT, Listing, list_files
from schemas.index_settings import ExtraPath, IndexSettings
from schemas.tier import Tier
from tests.support.tables import table


def _write(root: Path, *paths: str) -> None:
    for path in paths:
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"# {path}\n", encoding="utf-8")


def _listing(root: Path, *extra: ExtraPath) -> Listing:
    return list_files(Workspace(root), IndexSettings(extra_paths=extra))


def _paths(listing: Listing) -> list[str]:
    return [listed.path for listed in listing.files]


def _whys(listing: Listing) -> dict[str, str]:
    return {unreadable.path: unreadable.why for unreadable in listing.unreadable}


def _texts(listing: Listing) -> Sequence[str]:
    return [listed.file.read_text(encoding="utf-8") for listed in listing.files]


def test_a_broken_date_of_a_file_fits_into_an_index(tmp_path: Path) -> None:
    """File systems go on until 2446."""
    _write(tmp_path, "MEMORY.md")
    os.utime(tmp_path / "MEMORY.md", (0, 15_000_000_000))
    assert [True] == [0 < state_of(listed) for listed in _listing(tmp_path).files]


def test_the_workspace_is_listed_by_path(tmp_path: Path) -> None:
    """Text of memory, second brain, bank and agents; not data, dot-files, what was forgotten, or other folders."""
    wanted = [
        "MEMORY.md",
        "agents/coder/memory/2026-02-10.md",
        "bank/anna.md",
        "memory/2026-02-10-1615.md",
        "memory/2026-02-10.md",
        "memory/archive/weekly-2026-W06.md",
        "memory/chat.txt",
        "memory/long.markdown",
        "memory/projects/deep/er/a.md",
        "second-brain/research/a.md",
    ]
    passed_over = [
        "README.md",
        "memory/forgotten.md",
        "memory/.locks/micro_sync.lock",
        "memory/.draft.md",
        "memory/.obsidian/a.md",
        "memory/data.json",
        "memory/data.jsonl",
        "memory/data.csv",
        ".memory/index/a.md",
        ".git/a.md",
        "notes/a.md",
    ]
    _write(tmp_path, *wanted, *passed_over)
    assert (wanted, {}) == (_paths(_listing(tmp_path)), _whys(_listing(tmp_path)))


def test_the_files_of_a_new_family_are_listed(tmp_path: Path) -> None:
    """Of its folder all text, as of any other; of a family at the top the files that are of it."""
    day, reads = Schedule("30 3 * * *"), Reads(transcripts=True)
    targets = {"diary": Target("journal/{day}.md"), "top": Target("DIARY-{week}.md")}
    jobs = [Job(name, "p", day, reads, target, lambda _: []) for name, target in targets.items()]
    wanted = ["DIARY-2026-W11.md", "journal/2026-03-13.md", "journal/mine.md"]
    _write(tmp_path, *wanted, "DIARY.md", "README.md", "journal/.hidden.md")
    listing = list_files(Workspace(tmp_path, Layout(jobs)), IndexSettings())
    assert [(path, Tier.COLD) for path in wanted] == [(listed.path, listed.tier) for listed in listing.files]


def test_a_file_is_listed_with_what_it_was_like(tmp_path: Path) -> None:
    """Tier, size, times and inode are those of the file itself."""
    _write(tmp_path, "second-brain/summaries/2026-02-10-wrapup.md")
    listed, status = _listing(tmp_path).files[0], (tmp_path / "second-brain/summaries/2026-02-10-wrapup.md").stat()
    expected = (status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino)
    assert (Tier.COLD, *expected) == (listed.tier, listed.size, listed.mtime_ns, listed.ctime_ns, listed.inode)


def test_a_workspace_of_nothing_is_nothing(tmp_path: Path) -> None:
    """Folders that are not there are no finding."""
    assert Listing((), ()) == _listing(tmp_path / "missing")


def test_both_spellings_of_the_hot_page_are_read(tmp_path: Path) -> None:
    """`memory.md` counts too; the same real file counts once, under its own name."""
    _write(tmp_path, "MEMORY.md")
    (tmp_path / "memory.md").symlink_to("MEMORY.md")
    assert ["MEMORY.md"] == _paths(_listing(tmp_path))
    (tmp_path / "memory.md").unlink()
    _write(tmp_path, "memory.md")
    assert [("MEMORY.md", Tier.HOT), ("memory.md", Tier.HOT)] == [
        (listed.path, listed.tier) for listed in _listing(tmp_path).files
    ]


def test_links_are_followed_and_a_real_file_is_taken_once(tmp_path: Path) -> None:
    """A linked file or folder is indexed where its link stands, when a person has named where it leads."""
    root, elsewhere = tmp_path / "workspace", tmp_path / "elsewhere"
    _write(root, "memory/z.md")
    _write(elsewhere, "notes/a.md", "one.md")
    (root / "memory/projects").symlink_to(elsewhere / "notes")
    (root / "memory/b.md").symlink_to(elsewhere / "one.md")
    (root / "memory/a.md").symlink_to("z.md")
    (root / "memory/hard.md").hardlink_to(root / "memory/z.md")
    named = IndexSettings(extra_paths=(ExtraPath(path=str(elsewhere), name="elsewhere", patterns=("nothing",)),))
    listing = list_files(Workspace(root), named)
    assert ["memory/b.md", "memory/hard.md", "memory/projects/a.md"] == _paths(listing)
    assert ["# one.md\n", "# memory/z.md\n", "# notes/a.md\n"] == _texts(listing)
    assert () == listing.unreadable


@table("target", ["../memory.toml", "../.memory/a.md", "../../elsewhere/one.md", "../../elsewhere"])
def test_a_link_that_leads_out_is_reported_and_not_followed(tmp_path: Path, target: str) -> None:
    """Whoever may write into a folder must not choose what of this machine can be searched."""
    root = tmp_path / "workspace"
    _write(root, "memory/z.md", ".memory/a.md", "memory.toml")
    _write(tmp_path / "elsewhere", "one.md")
    (root / "memory/link.md").symlink_to(target)
    listing = _listing(root)
    assert (["memory/z.md"], [("memory/link.md", LEADS_OUT)]) == (
        _paths(listing),
        [(unreadable.path, unreadable.why) for unreadable in listing.unreadable],
    )


def test_a_folder_that_is_a_link_is_walked(tmp_path: Path) -> None:
    """A person may keep the whole second brain elsewhere."""
    root = tmp_path / "workspace"
    _write(tmp_path / "vault", "research/a.md")
    root.mkdir()
    (root / "second-brain").symlink_to(tmp_path / "vault")
    assert [("second-brain/research/a.md", Tier.RESEARCH)] == [
        (listed.path, listed.tier) for listed in _listing(root).files
    ]


def test_links_that_lead_in_circles_end(tmp_path: Path) -> None:
    """A loop is reported once and the rest is indexed."""
    _write(tmp_path, "memory/a/b/x.md")
    (tmp_path / "memory/a/b/up").symlink_to(tmp_path / "memory")
    (tmp_path / "memory/self.md").symlink_to("self.md")
    listing = _listing(tmp_path)
    assert ["memory/a/b/x.md"] == _paths(listing)
    assert {
        "memory/a/b/up": "is a link that leads back to a folder it is in",
        "memory/self.md": "is a link that leads to itself",
    } == _whys(listing)


def test_folders_that_link_one_another_are_walked_once(tmp_path: Path) -> None:
    """The number of ways through links does not count."""
    for number in range(20):
        _write(tmp_path, f"memory/f{number}/{number}.md")
        for name in ("left", "right"):
            (tmp_path / f"memory/f{number}/{name}").symlink_to(tmp_path / f"memory/f{(number + 1) % 20}")
    assert 20 == len(_listing(tmp_path).files)


def test_what_cannot_be_read_is_reported(tmp_path: Path) -> None:
    """A broken link, a pipe, a file of 50 MB; the rest is listed."""
    _write(tmp_path, "memory/a.md")
    (tmp_path / "memory/gone.md").symlink_to("nowhere.md")
    (tmp_path / "memory/gone").symlink_to("nowhere")
    (tmp_path / "memory/gone.png").symlink_to("nowhere.png")
    os.mkfifo(tmp_path / "memory/pipe.md")
    (tmp_path / "memory/folder.md").mkdir()
    with (tmp_path / "memory/large.md").open("wb") as file:
        file.truncate(LARGEST)
    with (tmp_path / "memory/nearly.md").open("wb") as file:
        file.truncate(LARGEST - 1)
    listing = _listing(tmp_path)
    assert ["memory/a.md", "memory/nearly.md"] == _paths(listing)
    assert {
        "memory/gone": "is not there, or is a link that leads nowhere",
        "memory/gone.md": "is not there, or is a link that leads nowhere",
        "memory/large.md": "has 50 MB; files of 50 MB and more are not indexed",
        "memory/pipe.md": "is no ordinary file",
    } == _whys(listing)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_what_may_not_be_read_is_reported(tmp_path: Path) -> None:
    """A file and a folder without permission."""
    _write(tmp_path, "memory/a.md", "memory/closed/b.md")
    (tmp_path / "memory/a.md").chmod(0)
    (tmp_path / "memory/closed").chmod(0)
    listing = _listing(tmp_path)
    (tmp_path / "memory/closed").chmod(0o700)
    refused = "cannot be read: Permission denied"
    assert {"memory/a.md": refused, "memory/closed": refused} == _whys(listing)


def test_a_name_that_is_not_utf_8_is_reported(tmp_path: Path) -> None:
    """Its path could not be written into an answer."""
    _write(tmp_path, "memory/a.md", "memory/żółw-日誌.md")
    (tmp_path / os.fsdecode(b"memory/\xff.md")).write_text("x", encoding="utf-8")
    listing = _listing(tmp_path)
    assert ["memory/a.md", "memory/żółw-日誌.md"] == _paths(listing)
    assert {"memory/\ufffd.md": "has a name that is not UTF-8"} == _whys(listing)


def test_any_number_of_extra_paths_may_name_one_folder(tmp_path: Path) -> None:
    """Each finds what it wants, however often the memory of one before it is used again."""
    _write(tmp_path, *(f"docs/{number}.txt" for number in range(50)))
    extras = [ExtraPath(path="docs", name=f"n{number}", patterns=(f"{number}.txt",)) for number in range(50)]
    assert {f"n{number}:{number}.txt" for number in range(50)} == {
        pair.path for pair in _listing(tmp_path, *extras).files
    }


def test_extra_paths_are_listed_under_their_names(tmp_path: Path) -> None:
    """A folder with patterns, relative to the workspace or not; a single file; with the tier of the settings."""
    root = tmp_path / "workspace"
    _write(root, "memory/a.md", "docs/a.md", "docs/deep/b.md", "docs/c.rst", "docs/.hidden/d.md")
    _write(tmp_path, "log.rst")
    listing = _listing(
        root,
        ExtraPath(path="docs", name="docs"),
        ExtraPath(path="docs", name="more", patterns=("*.rst", "deep/**"), tier=Tier.COLD),
        ExtraPath(path=str(tmp_path / "log.rst"), name="log", tier=Tier.WARM),
    )
    assert [
        ("docs:a.md", Tier.RESEARCH),
        ("docs:deep/b.md", Tier.RESEARCH),
        ("log:log.rst", Tier.WARM),
        ("memory/a.md", Tier.WARM),
        ("more:c.rst", Tier.COLD),
    ] == [(listed.path, listed.tier) for listed in listing.files]


def test_an_extra_path_may_begin_at_home(tmp_path: Path) -> None:
    """`~` is the home folder of whoever runs the command; one that is not there is reported."""
    listing = _listing(tmp_path, ExtraPath(path="~/no such folder", name="home"))
    assert {"~/no such folder": "is not there, or is a link that leads nowhere"} == _whys(listing)


def test_the_workspace_comes_before_extra_paths(tmp_path: Path) -> None:
    """What both show is the workspace's."""
    _write(tmp_path, "memory/a.md", "memory/b.json")
    listing = _listing(tmp_path, ExtraPath(path=".", name="all", patterns=("**",)))
    assert ["all:memory/b.json", "memory/a.md"] == _paths(listing)


@pytest.mark.processor
def test_many_files_are_listed_at_once(tmp_path: Path) -> None:
    """20,000 files take a fraction of a second, so that whoever searches can look first whether anything changed."""
    for number in range(20_000):
        folder = tmp_path / "memory" / str(number % 100)
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{number}.md").touch()
    started = time.process_time()
    assert 20_000 == len(_listing(tmp_path).files)
    assert time.process_time() - started < 1


def _including(root: Path, *patterns: str) -> Listing:
    return list_files(Workspace(root), IndexSettings(include=patterns))


def test_patterns_choose_more_of_the_workspace(tmp_path: Path) -> None:
    """Texts alone, in hidden folders only where the pattern names them, and what belongs to the layout only once."""
    _write(tmp_path, "journal/a.md", "journal/deep/b.txt", "journal/c.json", "journal/.trash/d.md", "notes.md")
    _write(tmp_path, ".vault/agents/ida/brain.md", ".vault/.git/x.md", "memory/2026-02-10.md", ".memory/e.md")
    listing = _including(tmp_path, "journal/**/*", "**/*.md", ".vault/agents/**/*.md", "notes.md", "gone/*.md")
    assert [
        ".vault/agents/ida/brain.md",
        "journal/a.md",
        "journal/deep/b.txt",
        "memory/2026-02-10.md",
        "notes.md",
    ] == _paths(listing)
    assert not listing.unreadable
    assert [Tier.COLD, Tier.COLD, Tier.COLD, Tier.WARM, Tier.COLD] == [listed.tier for listed in listing.files]


def test_what_agents_read_first_is_listed_without_a_setting(tmp_path: Path) -> None:
    """The pages at the top by their names, and the tasks; another page at the top is not."""
    _write(tmp_path, "USER.md", "IDENTITY.md", "SOUL.md", "README.md", "tasks/open.md")
    listing = _listing(tmp_path)
    assert ["IDENTITY.md", "SOUL.md", "USER.md", "tasks/open.md"] == _paths(listing)
    assert {Tier.WARM} == {listed.tier for listed in listing.files}


def test_a_chosen_link_does_not_lead_out(tmp_path: Path) -> None:
    """A pattern is no permission to read what a link in its folder leads to."""
    _write(tmp_path, "mine/journal/a.md", "secret/s.md")
    (tmp_path / "mine/journal/out.md").symlink_to(tmp_path / "secret/s.md")
    listing = _including(tmp_path / "mine", "journal/*.md")
    assert (["journal/a.md"], {"journal/out.md": LEADS_OUT}) == (_paths(listing), _whys(listing))


@table("pattern", ["../notes/*.md", "/etc/*.md", "~/notes/*.md", "a//b.md", "", ".memory/**", "./a.md", "a\0.md"])
def test_a_pattern_stays_in_the_workspace(pattern: str) -> None:
    """What is outside has a setting of its own, and what is derived is not searched."""
    with pytest.raises(ValueError, match=r"extra_paths|holds the index"):
        IndexSettings(include=(pattern,))
