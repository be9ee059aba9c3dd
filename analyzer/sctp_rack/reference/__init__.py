# SPDX-License-Identifier: BSD-2-Clause
"""The recovery model in plain Python, written to be read beside RFC 8985.

Standard library only, integer nanoseconds only. `RecoveryModel` takes events and gives marks;
`profiles` has the senders that it can replay. docs/reference-model.md says which file holds which
section.
"""

from sctp_rack.reference.events import (
    DataChunk,
    Expectation,
    Feedback,
    ForwardTsn,
    Mark,
    ProbeReport,
    RttMeasurement,
    Transmission,
    TsnReset,
)
from sctp_rack.reference.model import RecoveryModel
from sctp_rack.reference.profiles import PROFILES, Parameters
from sctp_rack.reference.snapshot import PathSnapshot, WarmStart
from sctp_rack.reference.tsn import Tsn

__all__ = [
    "PROFILES",
    "DataChunk",
    "Expectation",
    "Feedback",
    "ForwardTsn",
    "Mark",
    "Parameters",
    "PathSnapshot",
    "ProbeReport",
    "RecoveryModel",
    "RttMeasurement",
    "Transmission",
    "Tsn",
    "TsnReset",
    "WarmStart",
]
