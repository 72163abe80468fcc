"""The scope that words name: whether they are about the project they are said in, and about no other."""

import re

from pipeline.entries.project_names import endings

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
