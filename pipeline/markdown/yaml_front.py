"""The YAML that a file begins with, where it really is some: people's, and that of programs."""

import re
from collections.abc import Sequence

_FENCE = "---"
_KEY = re.compile(r"""["']?[\w.-]+["']?[ \t]*:""")
_YAML = re.compile(rf"{_KEY.pattern}|[ \t]+\S|- |#|[\]}}]")
_MOST = 200
"""Lines of the longest front matter."""

_LONGEST = 10_000
"""Characters of it: YAML takes a call for each level, and levels take two characters each."""


def front_lines(lines: Sequence[str]) -> Sequence[str]:
    """The lines between the fences; none where a first `---` is only a rule, or what follows it is no YAML.

    What looks like a page is one: front matter begins with a key and has no empty line, though YAML would allow both.
    """
    if len(lines) < 3 or lines[0].rstrip() != _FENCE or not _KEY.match(lines[1]):  # noqa: PLR2004 - two fences, a key
        return ()
    end = next((at for at in range(1, min(len(lines), _MOST)) if lines[at].rstrip() == _FENCE), 0)
    inner = lines[1:end]
    return inner if end and sum(map(len, inner)) <= _LONGEST and all(map(_YAML.match, inner)) else ()


def yaml_fields(text: str) -> dict[object, object] | None:
    """The fields of front matter; `None` when it is no YAML, or no fields."""
    import yaml  # type: ignore[import-untyped]  # noqa: PLC0415 - few files have any; python-frontmatter brings it
    from frontmatter.default_handlers import YAMLHandler  # noqa: PLC0415 - the same

    try:
        header = YAMLHandler().load(text)
    except (yaml.YAMLError, ValueError, TypeError, RecursionError):  # a date that is none; a key that cannot be one
        return None
    return header if isinstance(header, dict) else None
