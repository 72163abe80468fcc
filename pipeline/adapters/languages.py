"""What a text's language adds to its vector, taken out, so that a question finds its answer in another language.

A multilingual model puts texts of one language close together, whatever they say. The mean vectors of sentences that
say the same in each language span that part of the space; without it, what is left tells what is said.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_DEPENDENT = 1e-6  # a direction with less than this share of the strongest one is there by rounding alone


def language_axes(groups: "Sequence[NDArray[np.float32]]") -> "NDArray[np.float32]":
    """Orthonormal rows that span the mean vectors of `groups`: each holds the sentences of one language, a row each."""
    import numpy as np  # noqa: PLC0415 - only who makes vectors with a model needs it

    means = np.array([group.mean(axis=0) for group in groups])
    _, strengths, axes = np.linalg.svd(means, full_matrices=False)
    kept: NDArray[np.float32] = axes[: int((strengths > _DEPENDENT * strengths[0]).sum())].astype(np.float32)
    return kept


def without_language(vectors: "NDArray[np.float32]", axes: "NDArray[np.float32]") -> "NDArray[np.float32]":
    """The rows of `vectors` without their part along `axes`, each with length 1."""
    import numpy as np  # noqa: PLC0415 - see `language_axes`

    rest = vectors - (vectors @ axes.T) @ axes
    unit: NDArray[np.float32] = (rest / np.linalg.norm(rest, axis=1, keepdims=True)).astype(np.float32)
    return unit
