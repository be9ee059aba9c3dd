# SPDX-License-Identifier: BSD-2-Clause
"""What can go wrong with an input, as exceptions whose message is one line for the user."""


class SctpRackError(Exception):
    """Base of all errors of this package."""


class CaptureError(SctpRackError, ValueError):
    """A capture that cannot be read, or only up to a place.

    The message names the file, the byte and frame where it stops, and what is wrong there.
    """


class CutCaptureError(CaptureError):
    """A capture that only ends early: what came before stands."""


class InputError(SctpRackError, OSError):
    """A file that cannot be opened: missing, a directory, not permitted."""


class StorageError(SctpRackError, OSError):
    """No room for the rows that are kept until the input ends: see TMPDIR."""


class MissingExtraError(SctpRackError, ImportError):
    """A library that comes with an extra of this package is not installed."""


class UsageError(SctpRackError, ValueError):
    """Arguments that contradict each other."""
