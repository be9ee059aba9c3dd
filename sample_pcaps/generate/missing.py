# SPDX-License-Identifier: BSD-2-Clause
"""What a stack needs and is not there."""


class MissingError(Exception):
    """Something that is needed to build a host is not installed."""
