"""Addresses of servers, keys for them, and paths of files, as checked texts."""

from pathlib import Path
from typing import Annotated
from urllib.parse import urlsplit

from pydantic import AfterValidator, SecretStr


def _address(text: str) -> str:
    # The message about a wrong address does not repeat it: it may hold a password.
    if text:
        try:
            parts = urlsplit(text)
            called = parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
        except ValueError:  # a port or an IPv6 address that is none
            called = False
        if not called or any(letter.isspace() for letter in text):
            message = "has to begin with http:// or https:// and name a host"
            raise ValueError(message)
    return text


HttpAddress = Annotated[str, AfterValidator(_address)]
"""The address of a server over HTTP, or nothing."""


def _fit_for_a_header(secret: SecretStr) -> SecretStr:
    text = secret.get_secret_value()
    if not (text.isascii() and text.isprintable() and text == text.strip()):
        message = "has a space at an end, a line end, or a letter that no key has"
        raise ValueError(message)
    return secret


HeaderSecret = Annotated[SecretStr, AfterValidator(_fit_for_a_header)]
"""A key or a token that a header can hold, or nothing."""


def within_reach(text: str) -> str:
    """The path; a `ValueError` where its home folder is nobody's, or no path has such characters."""
    try:
        Path(text).expanduser()
    except RuntimeError as error:
        message = f"{text!r} begins in the home folder of nobody who is known here"
        raise ValueError(message) from error
    if "\0" in text:
        message = f"{text!r} holds a character that no path has"
        raise ValueError(message)
    return text


PathText = Annotated[str, AfterValidator(within_reach)]
"""The path of a file or folder that may have to come yet; `~` is the home folder."""
