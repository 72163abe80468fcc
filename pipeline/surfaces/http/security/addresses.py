"""Characters that no address may have: what is named there goes to databases, files and logs."""

from http import HTTPStatus
from urllib.parse import parse_qsl

from pipeline.surfaces.http.problems import Problem

_IDS = {"agent", "entity", "focus", "job", "session", "thread_id", "user_id"}
"""Fields in an address that name something; in the others are words, which may have lines."""
_PATH = Problem(
    HTTPStatus.UNPROCESSABLE_ENTITY, "The path has a control character, such as %00; no name has one. Leave it out."
)


def address_problem(path: str, query: bytes) -> Problem | None:
    """Why an address names nothing; `path` is decoded, `query` is as it came. `None` where it may."""
    if _has_control(path):
        return _PATH
    if b"%" not in query:
        return None
    for name, text in parse_qsl(query.decode("latin-1"), keep_blank_values=True):
        if "\0" in name or "\0" in text or (name in _IDS and _has_control(text)):
            return _field_problem(name)
    return None


def _field_problem(name: str) -> Problem:
    where = f"{name} has" if name.isidentifier() else "A field of the address has"
    why = "a character that it may not have, such as %00 or a line end in a name. Leave it out."
    return Problem(HTTPStatus.UNPROCESSABLE_ENTITY, f"{where} {why}")


def _has_control(text: str) -> bool:
    return any(character < " " or "\x7f" <= character <= "\x9f" for character in text)
