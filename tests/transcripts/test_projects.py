"""The projects that messages were said in."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from pipeline.transcripts.catalog import redact_session
from pipeline.transcripts.projects import Projects, remote_named, remote_of
from tests.support.ports.memory_source import conversation
from tests.support.ports.plain_redactor import PlainRedactor
from tests.support.tables import table

ELSEWHERE = "/nowhere/at/all"
"""A home folder that is not that of the folders below."""


def said_in(*folders: str, began: str, home: str = ELSEWHERE) -> list[str]:
    """The names of the projects of a message in each folder, in a session that began in one."""
    session = conversation("s1", datetime(2026, 2, 2, 9, tzinfo=UTC), [("owner", "one queue")] * len(folders))
    messages = [
        message.model_copy(update={"project": folder})
        for message, folder in zip(session.messages, folders, strict=True)
    ]
    session = session.model_copy(update={"project": began, "messages": tuple(messages)})
    named = redact_session(session, PlainRedactor(), Projects(home).places(session))
    return [named.project_of(message) for message in named.messages]


def name_of(folder: str, home: str = ELSEWHERE) -> str:
    """The name of the project of a session in a folder."""
    return said_in("", began=folder, home=home)[0]


@table(
    ("folder", "name"),
    [
        ("/home/ola/code/shop", "~/code/shop"),
        ("/home/ola/code/shop/", "~/code/shop"),
        ("/home/ola/private/shop", "~/private/shop"),
        ("/Users/ola/code/../code/shop", "~/code/shop"),
        ("/root/shop", "~/shop"),
        ("~/code/shop", "~/code/shop"),
        ("file:///home/ola/my%20shop", "~/my shop"),
        ("/srv/shop", "/srv/shop"),
        (r"C:\Users\Ola\code\shop", "~/code/shop"),
        (r"c:\Users\Ola\code\shop" + "\\", "~/code/shop"),
        ("C:/Users/Ola/code/shop", "~/code/shop"),
        ("file:///c:/Users/Ola/code/shop", "~/code/shop"),
        (r"d:\code\shop", "D:/code/shop"),
        ("/mnt/d/code/shop", "D:/code/shop"),
        ("/mnt/data/shop", "/mnt/data/shop"),
        (r"\\wsl$\Ubuntu\home\ola\shop", "~/shop"),
        (r"\\server\team\shop", "//server/team/shop"),
        ("/home/ola/.openclaw/workspace", "~/.openclaw/workspace"),
        ("home-ola-work-shop", "home-ola-work-shop"),
        ("/home/ola/shop/.claude/worktrees/prices", "~/shop"),
        ("/home/ola/shop/.worktrees/prices/api", "~/shop"),
        ("/home/ola/.codex/worktrees/ab12/shop", "~/.codex/worktrees/ab12/shop"),
        ("/home/ola/worktrees/shop", "~/worktrees/shop"),
    ],
)
def test_a_project_is_named_by_its_place(folder: str, name: str) -> None:
    """The name is the same whichever system, program and machine a session is of, and two places have two."""
    assert name == name_of(folder)
    assert name == name_of(name)


@table(
    "folder",
    ["", "/", "C:\\", "/home/ola", "/home/ola/", "/Users/ola", "/root", r"C:\Users\Ola", "~", "/tmp", "/home/ola/x/.."],  # noqa: S108 - only a name
)
def test_a_home_folder_is_no_project(folder: str) -> None:
    """Where a person simply begins to talk, nothing tells what it is about."""
    assert not name_of(folder)


def test_the_home_folder_of_this_machine_counts_wherever_it_is(tmp_path: Path) -> None:
    """A service of another user, or a home on another disk, has a home of its own."""
    home = str(tmp_path / "people" / "ola")
    assert not name_of(home, home)
    assert name_of(f"{home}/shop", home) == "~/shop"


def test_our_own_questions_are_of_no_project() -> None:
    """The folder in which a program answers us is nobody's work."""
    assert not name_of("/home/ola/notes/.memory/asks-a-model")


def test_an_agent_that_goes_elsewhere_is_at_work_there() -> None:
    """An agent that goes to another folder is at work there; below the folder where it began it is where it was."""
    folders = ("", "/home/ola/shop/api", "/home/ola/blog", "/home/ola/shop", "/home/ola/shopping")
    assert said_in(*folders, began="/home/ola/shop") == ["~/shop", "~/shop", "~/blog", "~/shop", "~/shopping"]
    assert said_in("/home/ola/shop", "/home/ola", began="/home/ola") == ["~/shop", ""]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home folder with a repository `work/shop`, and a worktree of it beside."""
    shop = tmp_path / "code" / "shop"
    (shop / "api" / "src").mkdir(parents=True)
    link = shop / ".git" / "worktrees" / "side"
    link.mkdir(parents=True)
    (tmp_path / "code" / "side").mkdir()
    (tmp_path / "code" / "side" / ".git").write_text(f"gitdir: {link}\n", encoding="utf-8")
    return tmp_path


def test_a_folder_in_a_repository_is_of_the_repository(home: Path) -> None:
    """Also where the session began in a folder of it, above it, or in a worktree; also where the folder is gone."""
    code = f"{home}/code"
    places = (f"{code}/shop", f"{code}/shop/api/src", f"{code}/side", f"{code}/shop/gone", f"{code}/other")
    of_shop = "~/code/shop"
    assert said_in(*places, began=code, home=str(home)) == [of_shop, of_shop, of_shop, of_shop, "~/code"]
    assert name_of(f"{code}/shop/api", str(home)) == of_shop


def test_a_home_that_is_a_repository_holds_settings(home: Path) -> None:
    """A person who keeps dotfiles in a repository has no project of that."""
    (home / ".git").mkdir()
    assert name_of(f"{home}/notes", str(home)) == "~/notes"


def test_a_submodule_is_a_project_of_its_own(home: Path) -> None:
    """Its `.git` is a file too, and leads to no other checkout."""
    module = home / "code" / "shop" / "vendor"
    module.mkdir()
    (module / ".git").write_text("gitdir: ../.git/modules/vendor\n", encoding="utf-8")
    assert name_of(str(module), str(home)) == "~/code/shop/vendor"


def test_a_file_that_is_no_link_names_its_folder(home: Path) -> None:
    """Whatever stands in `.git`, reading it does not fail."""
    other = home / "code" / "other"
    other.mkdir()
    for content in (b"", b"\xff\x00", b"x" * 5000, b"gitdir: worktrees"):
        (other / ".git").write_bytes(content)
        assert name_of(str(other), str(home)).startswith("~/code")


@table(
    ("address", "expected"),
    [
        ("git@github.com:ola/shop.git", "github.com/ola/shop"),
        ("https://github.com/ola/shop", "github.com/ola/shop"),
        ("https://ola:secret@GitHub.com/Ola/Shop.git/", "github.com/ola/shop"),
        ("ssh://git@github.com:22/ola/shop.git", "github.com/ola/shop"),
        ("work-host:ola/shop.git", "work-host/ola/shop"),
        ("/srv/git/shop.git", ""),
        ("file:///srv/git/shop.git", ""),
        ("../shop", ""),
        (r"C:\\git\\shop", ""),
        ("https://github.com/", ""),
        ("", ""),
    ],
)
def test_an_origin_has_one_spelling(address: str, expected: str) -> None:
    """Without a user and a password; a folder of one machine is none."""
    assert expected == remote_named(address)


@pytest.mark.parametrize(
    ("configuration", "expected"),
    [
        (b'[core]\n\tbare = false\n[remote "origin"]\n\turl = git@host.org:ola/shop.git\n', "host.org/ola/shop"),
        (b'[remote "up"]\n\turl = https://host.org/up\n[remote "origin"]\n\tfetch = +refs\n', ""),
        (b'[remote "origin"]\nurl = "https://host.org/ola/shop"\nurl = https://evil.org/x\n', "host.org/ola/shop"),
        (b"\xff\x00[remote", ""),
        (b'[remote "origin"]\n' + b"#" * 70_000 + b"\nurl = https://host.org/ola/shop\n", ""),
    ],
)
def test_an_origin_is_read_from_the_configuration(home: Path, configuration: bytes, expected: str) -> None:
    """Whatever stands in the file, reading it does not fail; without a file there is no origin."""
    shop = home / "code" / "shop"
    assert not remote_of(str(shop))
    (shop / ".git" / "config").write_bytes(configuration)
    assert expected == remote_of(str(shop))


def test_a_worktree_has_the_origin_of_its_repository(home: Path) -> None:
    """So has a folder in it; what a file says of a folder that is not there counts too."""
    (home / "code" / "shop" / ".git" / "config").write_text('[remote "origin"]\nurl = https://host.org/ola/shop\n')
    session = conversation("s1", datetime(2026, 2, 2, 9, tzinfo=UTC), [("owner", "one queue")])
    projects = Projects(str(home))
    side = session.model_copy(update={"project": f"{home}/code/side", "remote": "https://else.org/x"})
    assert {"~/code/shop": "host.org/ola/shop"} == projects.remotes(side)
    far = session.model_copy(update={"project": "/home/ola/lake/shop", "remote": "git@host.org:ola/shop.git"})
    assert {"~/lake/shop": "host.org/ola/shop"} == projects.remotes(far)
