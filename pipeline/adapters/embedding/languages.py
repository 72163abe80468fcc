"""What a text's language adds to its vector, taken out, so that a question finds its answer in another language.

A multilingual model puts texts of one language close together, whatever they say. The mean vectors of sentences that
say the same in each language span that part of the space; without it, what is left tells what is said.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def without_language(vectors: "NDArray[np.float32]", axes: "NDArray[np.float32]") -> "NDArray[np.float32]":
    """The rows of `vectors` without their part along `axes`, each with length 1."""
    import numpy as np  # noqa: PLC0415 - only who makes vectors with a model needs it

    rest = vectors - (vectors @ axes.T) @ axes
    unit: NDArray[np.float32] = (rest / np.linalg.norm(rest, axis=1, keepdims=True)).astype(np.float32)
    return unit
