"""Writing one file: whole or not at all, through links, beside others who write to it too."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from pipeline.errors import ChangedMeanwhile, WriteFailed
from pipeline.workspace.atomic import FileWriter, sweep
from tests.support.syncs import count_syncs
from tests.support.tables import table

WITH_LITTLE_ROOM = """
import pathlib, resource, sys
from pipeline.errors import WriteFailed
from pipeline.workspace.atomic import FileWriter
file, how, limit = pathlib.Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
lease = FileWriter("memory/day.md", file)
resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
try:
    if how == "append":
        lease.append(b"y" * 1000)
    elif how == "create":
        lease.create(b"y" * 1000)
    else:
        lease.replace(file.read_bytes(), b"y" * 1000)
except WriteFailed as error:
    print(error)
"""
WITHOUT_RIGHTS = """
import os, pathlib, sys
file, how = pathlib.Path(sys.argv[1]), sys.argv[2]
from pipeline.errors import WriteFailed
from pipeline.workspace.atomic import FileWriter
lease = FileWriter("memory/day.md", file)
data = file.read_bytes() if file.exists() else b""
if os.getuid() == 0:
    os.setgroups([])
    os.setgid(65534)
    os.setuid(65534)
try:
    if how == "append":
        lease.append(b"y")
    elif how == "create":
        lease.create(b"y")
    else:
        lease.replace(data, b"y")
except WriteFailed as error:
    print(error)
"""
APPEND_LATE = """
import os, sys
descriptor = os.open(sys.argv[1], os.O_WRONLY | os.O_APPEND)
print("opened", flush=True)
while os.fstat(descriptor).st_nlink:
    pass
os.write(descriptor, b"theirs\\n")
"""
APPEND_LINES = """
import os, pathlib, sys
file, count = pathlib.Path(sys.argv[1]), int(sys.argv[2])
for number in range(count):
    descriptor = os.open(file, os.O_WRONLY | os.O_APPEND)
    os.write(descriptor, b"theirs %06d\\n" % number)
    os.close(descriptor)
"""


def lease(file: Path) -> FileWriter:
    """The right to write a file."""
    return FileWriter("memory/day.md", file)


def child(script: str, *arguments: object) -> str:
    """What a process of its own prints."""
    command = [sys.executable, "-c", script, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout


def left_over(folder: Path) -> list[str]:
    """The files that should not be there."""
    return [file.name for file in folder.iterdir() if file.name.endswith(".tmp")]


def test_append_adds_at_the_end(tmp_path: Path) -> None:
    """The bytes that stood there stay as they are."""
    file = tmp_path / "day.md"
    file.write_bytes(b"mine, no newline")
    lease(file).append(b"\nours\n")
    assert b"mine, no newline\nours\n" == file.read_bytes()


def test_append_makes_no_file(tmp_path: Path) -> None:
    """A file that went away is told, not made again without its first line."""
    with pytest.raises(WriteFailed, match=r"memory/day\.md"):
        lease(tmp_path / "day.md").append(b"x")


def test_a_write_waits_for_the_disk_once_or_twice(tmp_path: Path) -> None:
    """For the bytes, and for their folder where a name in it is new; a third time for bytes that came meanwhile."""
    file = tmp_path / "day.md"
    writer = lease(file)
    assert 2 == count_syncs(lambda: writer.create(b"first\n"))
    assert 1 == count_syncs(lambda: writer.append(b"second\n"))
    assert 2 == count_syncs(lambda: writer.replace(b"first\nsecond\n", b"third\n"))
    assert 3 == count_syncs(lambda: writer.replace(b"thi", b"fourth\n"))
    assert b"fourth\nrd\n" == file.read_bytes()
    assert 1 == count_syncs(lambda: writer.remove(b"fourth\nrd\n"))


def test_create_gives_way_to_who_was_first(tmp_path: Path) -> None:
    """Somebody else's file stays, and we are told."""
    file = tmp_path / "deep" / "day.md"
    assert lease(file).create(b"ours")
    assert not lease(file).create(b"again")
    assert (b"ours", []) == (file.read_bytes(), left_over(file.parent))


def test_replace_refuses_what_has_changed(tmp_path: Path) -> None:
    """A file that is not what was read, or is gone, is not written over."""
    file = tmp_path / "day.md"
    file.write_bytes(b"new")
    with pytest.raises(ChangedMeanwhile):
        lease(file).replace(b"old", b"ours")
    with pytest.raises(ChangedMeanwhile):
        lease(file).remove(b"old")
    assert (b"new", []) == (file.read_bytes(), left_over(tmp_path))
    file.unlink()
    with pytest.raises(ChangedMeanwhile):
        lease(file).replace(b"new", b"ours")
    with pytest.raises(ChangedMeanwhile):
        lease(file).remove(b"new")
    assert not file.exists()


@table(("ours", "whole"), [(b"ours\n", b"ours\ntheirs\n"), (b"ours", b"ours\ntheirs\n"), (b"", b"theirs\n")])
def test_what_was_appended_since_stays_behind_a_rewrite(tmp_path: Path, ours: bytes, whole: bytes) -> None:
    """A file that only grew is no other file: the rewrite need not be decided again, however often others append."""
    file = tmp_path / "day.md"
    file.write_bytes(b"old\ntheirs\n")
    lease(file).replace(b"old\n", ours)
    assert (whole, []) == (file.read_bytes(), left_over(tmp_path))


def test_the_mode_is_kept(tmp_path: Path) -> None:
    """A rewrite does not change who may read the file."""
    file = tmp_path / "day.md"
    file.write_bytes(b"a")
    file.chmod(0o640)
    lease(file).replace(b"a", b"b")
    assert (b"b", 0o640) == (file.read_bytes(), file.stat().st_mode & 0o777)


def test_a_link_to_a_file_is_followed(tmp_path: Path) -> None:
    """The link stays a link, and the file it names is the one written."""
    (tmp_path / "elsewhere").mkdir()
    real, link = tmp_path / "elsewhere" / "real.md", tmp_path / "day.md"
    link.symlink_to(real)
    assert lease(link).create(b"one")
    lease(link).append(b" two")
    lease(link).replace(b"one two", b"three")
    assert (True, b"three", []) == (link.is_symlink(), real.read_bytes(), left_over(real.parent))


def test_a_link_to_a_folder_is_followed(tmp_path: Path) -> None:
    """A workspace whose memory folder lies elsewhere works the same."""
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "memory").symlink_to(tmp_path / "elsewhere")
    file = tmp_path / "memory" / "day.md"
    assert lease(file).create(b"one")
    lease(file).replace(b"one", b"two")
    assert b"two" == (tmp_path / "elsewhere" / "day.md").read_bytes()
    assert (tmp_path / "memory").is_symlink()


@table("data", [b"ours\n", None])
def test_what_is_written_after_the_rename_is_carried_over(tmp_path: Path, data: bytes | None) -> None:
    """A program that opened the old file writes into it when it has no name any more, and closes it."""
    file = tmp_path / "day.md"
    file.write_bytes(b"read\n")
    writer = FileWriter("memory/day.md", file, patience=60.0)
    with subprocess.Popen([sys.executable, "-c", APPEND_LATE, str(file)], stdout=subprocess.PIPE) as other:
        assert other.stdout
        other.stdout.readline()
        writer.remove(b"read\n") if data is None else writer.replace(b"read\n", data)
    assert (data or b"") + b"theirs\n" == file.read_bytes()


def test_a_rewrite_does_not_wait_for_ever(tmp_path: Path) -> None:
    """A program that keeps the old file open is no reason to stand still."""
    file = tmp_path / "day.md"
    file.write_bytes(b"read\n")
    with file.open("ab", buffering=0):
        FileWriter("memory/day.md", file, patience=0.01).replace(b"read\n", b"ours\n")
    assert b"ours\n" == file.read_bytes()


@table("how", ["append", "create", "replace"])
@table("room", [0, 1, 400])
def test_a_full_disk_tears_nothing(tmp_path: Path, how: str, room: int) -> None:
    """No room for all of it: a clear sentence, the file as it was, and nothing left beside it."""
    file = tmp_path / "day.md"
    if how != "create":
        file.write_bytes(b"mine\n" * 20)
    before = file.read_bytes() if file.exists() else None
    limit = room + (len(before) if before and how == "append" else 0)
    output = child(WITH_LITTLE_ROOM, file, how, limit)
    assert output.startswith("Cannot write memory/day.md: ")
    assert before == (file.read_bytes() if file.exists() else None)
    assert [] == left_over(tmp_path)


@table("how", ["append", "create", "replace"])
def test_a_folder_without_the_right_to_write(tmp_path: Path, how: str) -> None:
    """The system's own word, and nothing changed."""
    folder = tmp_path / "locked"
    folder.mkdir()
    file = folder / "day.md"
    if how != "create":
        file.write_bytes(b"mine")
        file.chmod(0o444)
    folder.chmod(0o555)
    for parent in (tmp_path, *tmp_path.parents[:2]):  # the folders of the tests; the other user has to get there at all
        parent.chmod(0o711)
    output = child(WITHOUT_RIGHTS, file, how)
    folder.chmod(0o755)
    assert output.startswith("Cannot write memory/day.md: ")
    assert [file.name] * (how != "create") == [path.name for path in folder.iterdir()]


def test_siblings_of_dead_processes_are_swept(tmp_path: Path) -> None:
    """What a killed process left goes; what a living one is writing stays, and so do files of other names."""
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    names = [
        f".day.md.{gone.pid}.tmp",
        f".day.md.{10**20}.tmp",
        f".day.md.{os.getpid()}.tmp",
        ".day.md.\u00b2.tmp",
        f".mine.{gone.pid}.tmp",
        ".day.md.x.tmp",
        "day.md",
    ]
    for name in names:
        (tmp_path / name).write_bytes(b"")
    sweep(tmp_path)
    assert sorted(names[2:]) == sorted(file.name for file in tmp_path.iterdir())


def test_appends_of_two_writers_never_mix(tmp_path: Path) -> None:
    """A real process appends line after line while we append blocks: every line and block is there, once and whole."""
    file = tmp_path / "day.md"
    file.write_bytes(b"")
    other = subprocess.Popen([sys.executable, "-c", APPEND_LINES, str(file), "3000"])
    blocks = 0
    while other.poll() is None:
        lease(file).append(b"\n" + b"ours %06d\n" % blocks * 100)
        blocks += 1
    data = file.read_bytes()
    lines = data.split(b"\n")
    assert [b"theirs %06d" % number for number in range(3000)] == [line for line in lines if line.startswith(b"theirs")]
    assert [b"ours %06d\n" % number * 100 for number in range(blocks)] == re.findall(rb"(?:ours \d{6}\n)+", data)


def test_what_takes_the_place_of_a_file_keeps_its_mode(tmp_path: Path) -> None:
    """A rewrite, and what others appended while it was removed; a new file is as open as its folder."""
    file = tmp_path / "day.md"
    tmp_path.chmod(0o755)
    lease = FileWriter("memory/day.md", file)
    assert lease.create(b"a\n")
    assert 0o644 == file.stat().st_mode & 0o777
    for mode in (0o600, 0o640, 0o664):
        file.chmod(mode)
        lease.replace(file.read_bytes(), b"b\n")
        assert mode == file.stat().st_mode & 0o777


def test_a_sibling_that_a_killed_process_left_is_in_nobodys_way(tmp_path: Path) -> None:
    """Nor is it followed, where it leads elsewhere."""
    (tmp_path / "elsewhere").write_bytes(b"theirs")
    (tmp_path / f".day.md.{os.getpid()}.tmp").symlink_to("elsewhere")
    assert FileWriter("memory/day.md", tmp_path / "day.md").create(b"a\n")
    assert (b"theirs", b"a\n") == ((tmp_path / "elsewhere").read_bytes(), (tmp_path / "day.md").read_bytes())
