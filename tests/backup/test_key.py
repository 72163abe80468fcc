"""The owner's key, and the words that stand for it."""

from pathlib import Path

import pytest

from pipeline.backup.key import KeyFile, OwnerKey, key_of_words


def test_a_wrong_word() -> None:
    """No word of the key is repeated: the text may end in a log."""
    words = OwnerKey(bytes(16)).words.split()
    with pytest.raises(ValueError, match=r"^word 3 is not in the list$"):
        key_of_words(" ".join([*words[:2], "abandom", *words[3:]]))


class MadeMeanwhile(KeyFile):
    """A file without a key, in which another process keeps its own after each look at it."""

    def read(self) -> OwnerKey | None:
        """The key as it was."""
        key = super().read()
        KeyFile(self.path).keep(OwnerKey(bytes(16)))
        return key


def test_two_processes_that_make_the_key_at_once(tmp_path: Path) -> None:
    """Both sign with the key that is kept: nobody has the other one, not even as words."""
    assert (OwnerKey(bytes(16)), False) == MadeMeanwhile(tmp_path / "key.json").make()
