"""`--project` of the commands that list and find."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.processes.command_line import Said
from tests.support.tables import table
from tests.support.workspaces.two_projects import BLOG, BOAT, DRAFTS, PORT, SHOP, run, say, two_projects


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A workspace with an entry of each of two projects, and one of none."""
    return two_projects(tmp_path / "memory")


@pytest.fixture
def quotes(root: Path, call: Callable[..., Said]) -> Callable[..., set[str]]:
    """The quotes of the entries that a command lists."""

    def _quotes(*options: str, **variables: str) -> set[str]:
        return {
            one["quote"]
            for one in call("show", "entries", "--json", "--workspace", root, *options, **variables).records
        }

    return _quotes


def test_an_entry_carries_its_project(root: Path, call: Callable[..., Said]) -> None:
    """What was said in a home folder has none."""
    entries = call("show", "entries", "--json", "--workspace", root).records
    assert {PORT: SHOP, DRAFTS: BLOG, BOAT: ""} == {one["quote"]: one["project"] for one in entries}


@table(
    ("name", "expected"),
    [(SHOP, {PORT}), ("shop", {PORT}), ("code/shop", {PORT}), ("shop/", {PORT}), ("op", set()), ("code", set())],
)
def test_a_project_is_named_by_the_end_of_its_name(
    name: str, expected: set[str], quotes: Callable[..., set[str]]
) -> None:
    """Whole folders count, not parts of their names, nor those above it."""
    assert expected == quotes("--project", name)


def test_a_project_is_named_by_a_folder_in_it(quotes: Callable[..., set[str]]) -> None:
    """Also by one that is not there; and by the folder that the command is called in. A home folder is none."""
    assert {PORT} == quotes("--project", "/home/ola/code/shop")
    assert set() == quotes("--project", "/home/ola")
    assert set() == quotes("--project", ".")


def test_a_table_names_projects_where_there_are_several(root: Path, call: Callable[..., Said]) -> None:
    """By the shortest name that tells them apart."""
    lines = call("show", "entries", "--workspace", root).out.splitlines()
    assert lines[0].split()[:4] == ["DATE", "ID", "KIND", "PROJECT"]
    assert {"shop", "blog"} == {line.split()[3] for line in lines[1:] if "boat" not in line}
    assert "PROJECT" not in call("show", "entries", "--workspace", root, "--project", "shop").out


def test_two_projects_of_one_name_differ_by_more_of_it(root: Path, call: Callable[..., Said]) -> None:
    """Both are found by what they share, and each by its own name; a table shows as much as tells them apart."""
    other = "Remember that the invoices of this customer go out on paper."
    say(root, "s-other", ("/home/ola/clients/shop", other))
    run(root)
    listed = {
        name: {
            one["quote"] for one in call("show", "entries", "--json", "--workspace", root, "--project", name).records
        }
        for name in ("shop", "code/shop", "clients/shop")
    }
    assert {"shop": {PORT, other}, "code/shop": {PORT}, "clients/shop": {other}} == listed
    assert "clients/shop" in call("show", "entries", "--workspace", root).out


def test_search_takes_the_end_of_a_project_for_its_messages(root: Path, call: Callable[..., Said]) -> None:
    """As entries are; a name that ends in the same letters is another one."""
    asked = ("search", "--json", "--tier", "said", "--workspace", root, "port", "--project")
    said = {name: json.loads(call(*asked, name).out)["said"] for name in ("shop", "code/shop", "hop", "blog")}
    assert {"shop": True, "code/shop": True, "hop": False, "blog": False} == {
        name: any(PORT in hit["text"] for hit in hits) for name, hits in said.items()
    }


def test_hits_carry_and_keep_to_a_project(root: Path, call: Callable[..., Said]) -> None:
    """Search and recall find what was said there, and nothing else; without hits they say where they looked."""
    every = json.loads(call("search", "--json", "--workspace", root, "remember", "drafts", "port", "boat").out)["hits"]
    assert {SHOP, BLOG, ""} == {hit["project"] for hit in every}
    of_shop = call("search", "--json", "--workspace", root, "--project", "shop", "drafts", "port", "boat").out
    assert [SHOP] == [hit["project"] for hit in json.loads(of_shop)["hits"]]
    recalled = call("recall", "--json", "--workspace", root, "--project", "/home/ola/code/blog").records
    assert [BLOG] == [fact["project"] for fact in recalled if fact["kind"] == "remember"]
    nothing = call("search", "--workspace", root, "--project", "sauna", "port")
    assert "Only what was said in the project sauna was looked through." in nothing.err


def test_a_stored_text_has_no_project(root: Path, call: Callable[..., Said]) -> None:
    """It belongs to a session."""
    said = call("search", "--workspace", root, "--tier", "detail", "--project", "shop", "port")
    assert said.code == 2
    assert "project is for the memory alone" in said.err
