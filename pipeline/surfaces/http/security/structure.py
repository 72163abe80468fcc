"""How much structure a body of JSON has: parsing it keeps all others waiting, while a text in it takes no time."""

from dataclasses import dataclass

_ESCAPES = (b"\\\\", b'\\"')
_ELEMENTS = (b"[", b"{", b",")


@dataclass
class StructureCount:
    """Counts the brackets and commas outside of texts, and the bytes there, of a body in UTF-8 that comes in pieces."""

    elements: int = 0
    size: int = 0
    readable: bool = True
    """Whether it may be UTF-8. JSON in UTF-16 has zero bytes, and its texts end elsewhere than they seem to."""
    _inside: bool = False
    _left: bytes = b""

    def take(self, piece: bytes) -> None:
        """Count the next piece."""
        self.readable = self.readable and b"\0" not in piece
        text = self._left + piece
        for escape in _ESCAPES:
            text = text.replace(escape, b"")
        self._left = b"\\" if text.endswith(b"\\") else b""  # what it escapes comes with the next piece
        parts = text.removesuffix(self._left).split(b'"')
        outside = b"".join(parts[1::2] if self._inside else parts[::2])
        self.size += len(outside)
        self.elements += sum(map(outside.count, _ELEMENTS))
        self._inside ^= len(parts) % 2 == 0
