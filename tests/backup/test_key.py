"""The words that stand for the owner's key."""

import pytest

from pipeline.backup.key import OwnerKey, key_of_words


def test_a_wrong_word() -> None:
    """No word of the key is repeated: the text may end in a log."""
    words = OwnerKey(bytes(16)).words.split()
    with pytest.raises(ValueError, match=r"^word 3 is not in the list$"):
        key_of_words(" ".join([*words[:2], "abandom", *words[3:]]))
