"""The names of projects as people say them: the whole name, or as much of its end as tells it from others."""

import re
from collections import Counter
from collections.abc import Iterable
from unicodedata import category

_PARTS = "/"
_LONGEST = 120  # characters of a name in a page
_FOLDER = re.compile(r"[/\\]|[A-Za-z]:[/\\]")


def is_folder(name: str) -> bool:
    """Whether a project is named by a folder, from the root of a disk on."""
    return _FOLDER.match(name) is not None


def endings(project: str) -> tuple[str, ...]:
    """The names that a project goes by, the longest first: `~/code/shop`, `code/shop`, `shop`."""
    parts = [part for part in project.split(_PARTS) if part not in {"", "~"}]
    names = (_PARTS.join(parts[first:]) for first in range(len(parts)))
    return tuple(dict.fromkeys([project, *names])) if project else ()


def goes_by(project: str, name: str) -> bool:
    """Whether a project goes by a name; an empty name fits each of them."""
    return not name or name.rstrip(_PARTS) in endings(project)


def short_names(projects: Iterable[str]) -> dict[str, str]:
    """The shortest name of each project that no other one of them goes by, in the order of the projects."""
    known = sorted({project for project in projects if project})
    taken = Counter(name for project in known for name in endings(project))
    return {
        project: min((ending for ending in endings(project) if taken[ending] == 1), key=len, default=project)
        for project in known
    }


def heading_of(project: str) -> str:
    """The name of a project in a page, as code: on one line, and nothing of it is Markdown."""
    visible = "".join(char for char in project if category(char)[0] != "C")
    plain = " ".join(visible.split()).replace("`", "'").replace("<!--", "<! --")
    return f"`{plain if len(plain) <= _LONGEST else f'…{plain[-_LONGEST:]}'}`"


_HERE = re.compile(
    r"\b(?:this|the current|the present) (?:[\w-]+ )?"
    r"(?:repo(?:sitory)?|monorepo|project|code ?base|package|app|service|library|site|folder|directory|workspace)\b"
    r"|\b(?:tym|tego|temu|ten|tej|tę|bieżąc\w+|obecn\w+) (?:\w+ )?"
    r"(?:repo(?:zytori\w+)?|projek\w+|kod(?:u|zie)?|codebase|aplikacj\w+|serwis\w*|pakie\w+|bibliote\w+|folder\w*|katalog\w*)\b"
    r"|\bto repo\b"
    r"|(?:这个|这|本|此|该|当前|目前的?|這個|當前)(?:代码|程式碼?|源码)?(?:仓库|倉庫|库|项目|專案|工程|repo|代码库|应用|目录|文件夹)",
    re.IGNORECASE,
)
_SHORTEST = 3  # letters of a project's name that tells it from a word


def is_bound(text: str) -> bool:
    """Whether words say that they are about the project in which they are said: "in this repo"."""
    return _HERE.search(text) is not None


def names_project(text: str, project: str) -> bool:
    """Whether words name a project."""
    name = min(endings(project), key=len, default="")
    return (
        len(name) >= _SHORTEST and re.search(rf"(?<![\w/-]){re.escape(name)}(?![\w-])", text, re.IGNORECASE) is not None
    )
