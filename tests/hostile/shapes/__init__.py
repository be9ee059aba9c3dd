# SPDX-License-Identifier: BSD-2-Clause
"""All shapes, in the order of the page."""

from tests.hostile.shape import SHAPES
from tests.hostile.shapes import (  # noqa: F401  (each adds its own)
    acknowledgements,
    associations,
    below,
    control,
    files,
    ordinary,
    transmissions,
)

SHAPES.sort(key=lambda shape: not shape.is_ordinary)
BULK, SMALL = SHAPES[:2]

#: Those that may be combined in one file.
FRAMES = [shape for shape in SHAPES if shape.program is not None and not shape.is_ordinary]

__all__ = ["BULK", "FRAMES", "SHAPES", "SMALL"]
