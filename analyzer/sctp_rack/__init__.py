# SPDX-License-Identifier: BSD-2-Clause
"""SCTP loss recovery from packet captures."""

from importlib.metadata import version

__version__ = version("sctp-rack")
