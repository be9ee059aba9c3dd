# SPDX-License-Identifier: BSD-2-Clause
"""Arrays whose index is the number of something, and which grow with the highest number."""

from typing import Any

import numpy as np
import numpy.typing as npt


def grown(values: npt.NDArray[Any], highest: int, missing: int = 0) -> npt.NDArray[Any]:
    """With a place for `highest`; places that are new have `missing`."""
    if highest < len(values):
        return values
    more = np.zeros(max(highest + 1 - len(values), len(values) // 4), values.dtype)
    if missing:
        more[:] = missing
    return np.concatenate([values, more])
