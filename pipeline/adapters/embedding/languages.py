"""Removes the effect of a text's language from its vector, so that a question finds its answer in another language.

A multilingual model puts texts of one language close together, whatever their content. The mean vectors of sentences
with the same content in each language span that part of the space; without it, the content remains.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def without_language(vectors: "NDArray[np.float32]", axes: "NDArray[np.float32]") -> "NDArray[np.float32]":
    """The rows of `vectors` without their part along `axes`, each with length 1."""
    import numpy as np  # noqa: PLC0415 - only needed with a model

    rest = vectors - (vectors @ axes.T) @ axes
    unit: NDArray[np.float32] = (rest / np.linalg.norm(rest, axis=1, keepdims=True)).astype(np.float32)
    return unit
