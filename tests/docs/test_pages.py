"""What the pages say can be followed: links lead somewhere; commands, targets and tests that they name are there."""

import re
import shlex
from pathlib import Path

import click
import pytest

from pipeline.markdown.entries import parse_entries
from pipeline.surfaces.cli.main import cli
from tests.support.tables import table

ROOT = Path(__file__).parents[2]
PAGES = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
CHECKED = [*PAGES, ROOT / "Makefile", ROOT / "constraints.txt", ROOT / "pyproject.toml", *ROOT.glob("config/*")]
README_LINES = 120
_LINK = re.compile(r"\]\(([^)\s]+)\)")
_FENCED = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
_BLOCK = re.compile(r"^```(?:console|sh|bash|crontab)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_INLINE = re.compile(r"`(memory [a-z][^`]*)`")
_TEST = re.compile(r"`(?:[\w/]+\.py::)?(test_\w+(?:\.py)?)`")
_MAKE = re.compile(r"^make ([a-z]+)\b", re.MULTILINE)
_PROMPTED = re.compile(r"(?:.*\s)?(memory\s+[a-z].*)")
HOSTS = re.compile(r"pypi\.org|pythonhosted|index-url|/simple/|artifactory|nexus", re.IGNORECASE)


def _text(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def _name(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def _anchors(page: Path) -> set[str]:
    """The anchors of a page's headings, as code hosts make them."""
    heads = re.findall(r"^#+ (.+)$", _FENCED.sub("", _text(page)), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}


def _commands(page: Path) -> list[str]:
    """Every call of `memory` on a page, in a block of shell or inline."""
    text = _text(page)
    shell = [line for block in _BLOCK.findall(text) for line in block.replace("\\\n", " ").splitlines()]
    shown = [match.group(1) for line in shell if (match := _PROMPTED.fullmatch(line)) and not line.startswith("#")]
    inline = _INLINE.findall(_FENCED.sub("", text))
    return [re.split(r"[|>&;#]", command)[0] for command in [*shown, *inline]]


def _follow(arguments: list[str]) -> None:
    """Read arguments as the command line does, without calling anything."""
    command: click.Command | None = cli
    context = click.Context(cli, info_name="memory", **cli.context_settings)
    while isinstance(command, click.Group) and arguments and not arguments[0].startswith("-"):
        name, command, arguments = command.resolve_command(context, arguments)
        assert command, arguments
        context = click.Context(command, parent=context, info_name=name)
    assert command
    command.make_parser(context).parse_args(list(arguments))


def test_the_readme_is_short() -> None:
    """A reader gets through it in a few minutes."""
    assert len(_text(ROOT / "README.md").splitlines()) < README_LINES


@table("page", PAGES)
def test_every_link_leads_somewhere(page: Path) -> None:
    """A relative link names a file that is there, and an anchor a heading of it."""
    broken = []
    for link in _LINK.findall(_FENCED.sub("", _text(page))):
        if re.match(r"[a-z]+:", link):
            continue
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        if not target.exists() or (anchor and anchor not in _anchors(target)):
            broken.append(link)
    assert broken == []


def test_every_page_can_be_reached_from_the_first() -> None:
    """`docs/README.md` links to each page of the documentation."""
    first = ROOT / "docs" / "README.md"
    linked = {(first.parent / link).resolve() for link in _LINK.findall(_text(first))}
    assert {page for page in (ROOT / "docs").rglob("*.md") if page != first} - linked == set()


@table("page", PAGES)
def test_every_command_that_is_shown_exists(page: Path) -> None:
    """Each `memory ...` names a command, and only options that it has."""
    wrong = {}
    for command in _commands(page):
        words = shlex.split(re.sub(r"\[|\]|\.\.\.", "", command))
        try:
            _follow([word for word in words[1:] if word != "|"])
        except click.UsageError as error:
            wrong[command] = error.format_message()
    assert wrong == {}


@table("page", PAGES)
def test_every_target_that_is_named_exists(page: Path) -> None:
    """Each `make X` is a target of the Makefile."""
    targets = set(re.findall(r"^([a-z]+):", _text(ROOT / "Makefile"), re.MULTILINE))
    code = "\n".join([*re.findall(r"`([^`\n]+)`", _text(page)), *_BLOCK.findall(_text(page))])
    assert set(_MAKE.findall(code)) - targets == set()


@pytest.fixture(scope="module")
def tests_there() -> set[str]:
    """The names of all tests and of their files, contract suites among them."""
    files = [*(ROOT / "tests").rglob("test_*.py"), *(ROOT / "tests" / "support" / "ports").glob("*.py")]
    named = {name for file in files for name in re.findall(r"^\s*def (test_\w+)", _text(file), re.MULTILINE)}
    return named | {file.name for file in files} | {file.stem for file in files}


@table("page", PAGES)
def test_every_test_that_is_named_exists(page: Path, tests_there: set[str]) -> None:
    """A page that rests on a test rests on one that is there."""
    assert set(_TEST.findall(_text(page))) - tests_there == set()


@table("page", CHECKED)
def test_no_file_speaks_of_one_machine(page: Path) -> None:
    """No path of the machine it was written on, and no address of a package registry."""
    text = _text(page)
    assert (str(ROOT) in text, bool(HOSTS.search(text))) == (False, False)


@table("page", PAGES)
def test_every_entry_that_is_shown_is_one(page: Path) -> None:
    """An entry on a page is what the product writes: it can be read, and its check holds."""
    shown = parse_entries(_text(page).encode())
    assert [block.name for block, entry in shown if entry is None or not block.intact] == []
