"""The fixture of the socket."""

from tests.service.conftest import answering

__all__ = ["answering"]
