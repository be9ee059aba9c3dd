# SPDX-License-Identifier: BSD-2-Clause
"""How an input ended: at the end of a record, cut short, interrupted or broken."""

from dataclasses import dataclass

from sctp_rack.errors import CaptureError, CutCaptureError


@dataclass(frozen=True)
class End:
    """How the input ended: `message` is None at the end of a record.

    `is_error` tells a broken input from one that is only cut short, whose rows stand.
    """

    message: str | None
    is_error: bool
    interrupted: bool = False


def broken_off(path: str, frames: int, error: BaseException) -> End:
    """The end of an input that `error` broke off behind so many frames."""
    if isinstance(error, KeyboardInterrupt):
        return End(f"{path}: interrupted after frame {frames}", False, True)
    if isinstance(error, CaptureError):
        return End(str(error), not (isinstance(error, CutCaptureError) and frames > 0))
    # Compressed data that ends early, or has something else behind it, is all there before that;
    # anything else is broken.
    cut = isinstance(error, EOFError) or str(error).startswith("Not a gzipped file")
    return End(f"{path}: after frame {frames}: {error}", not (cut and frames > 0))
