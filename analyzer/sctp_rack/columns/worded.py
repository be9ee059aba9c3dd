# SPDX-License-Identifier: BSD-2-Clause
"""A column of words that knows which there are: a comparison with another one is an error.

To numpy a misspelt word is a text that no row has, and the mask would be false everywhere.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from sctp_rack.wording.glossary import check_word


class WordArray(np.ndarray[Any, np.dtype[np.str_]]):
    """Words of an enum as `str`; behind a mask, `numpy.ma` compares by it, too."""

    _words_of: tuple[str, str] | None = None  # the column, and its enum in names.toml

    def __array_finalize__(self, obj: Any) -> None:
        # Parts and copies have the same words; numpy.ma carries the attribute through its masks.
        self._words_of = getattr(obj, "_words_of", None)

    def __eq__(self, other: Any) -> Any:
        self._check(other)
        return self.view(np.ndarray) == other

    def __ne__(self, other: Any) -> Any:
        self._check(other)
        return self.view(np.ndarray) != other

    __hash__ = None  # as of all arrays

    def _check(self, other: Any) -> None:
        word = other[()] if isinstance(other, np.ndarray) and other.ndim == 0 else other
        if self._words_of is not None and isinstance(word, str):
            check_word(*self._words_of, str(word))


def worded(values: npt.NDArray[Any], column: str, enum: str) -> WordArray:
    """The values as such a column. `column` is what an error calls it."""
    array = values.view(WordArray)
    array._words_of = (column, enum)
    return array
