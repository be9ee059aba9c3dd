# SPDX-License-Identifier: BSD-2-Clause
"""TSNs on a straight line: they wrap at 2^32 (RFC 9260 section 1.6); as int64, and as bytes."""

from typing import Any

import numpy as np
import numpy.typing as npt

Places = npt.NDArray[np.int64]


def unwrapped(tsn: npt.NDArray[Any]) -> Places:
    """Each TSN as its distance from the first one; neighbours are less than 2^31 apart."""
    if not len(tsn):
        return np.zeros(0, np.int64)
    steps = np.diff(tsn.astype(np.uint32)).astype(np.int32)  # modulo 2^32, nearest way round
    return np.concatenate([[0], np.cumsum(steps, dtype=np.int64)])


def beside(tsn: npt.NDArray[Any], near_tsn: npt.NDArray[Any], near: Places) -> Places:
    """The place of each TSN whose neighbour `near_tsn` is at `near`."""
    steps = (tsn.astype(np.uint32) - near_tsn.astype(np.uint32)).astype(np.int32)
    return near + steps


class Scale:
    """From the lower edge of a TSN to what the axis counts: TSNs, or bytes before it."""

    def __init__(self, places: Places, sizes: npt.NDArray[Any], in_bytes: bool) -> None:
        self.in_bytes = in_bytes
        if not in_bytes:
            return
        order = np.argsort(places, kind="stable")
        known, first = np.unique(places[order], return_index=True)
        size = sizes[order][first].astype(np.float64)
        ends = np.cumsum(size)
        mean = float(size.mean()) if len(size) else 1.0
        # Edges of the TSNs that were seen; those that were not are as long as the mean.
        gaps = np.diff(known, prepend=known[0] if len(known) else 0) - 1
        missing = np.cumsum(np.clip(gaps, 0, None)) * mean
        self._edges = np.column_stack([known, known + 1]).ravel().astype(np.float64)
        self._at = np.column_stack([ends - size + missing, ends + missing]).ravel()
        self._mean = mean

    def __call__(self, edge: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
        """On the axis; beyond what was seen the mean size counts."""
        edge = edge.astype(np.float64)
        if not self.in_bytes or not len(self._edges):
            return edge
        low, high = self._edges[0], self._edges[-1]
        inside = np.interp(edge, self._edges, self._at)
        beyond = np.clip(edge - high, 0, None) + np.clip(edge - low, None, 0)
        placed: npt.NDArray[np.float64] = inside + self._mean * beyond
        return placed
