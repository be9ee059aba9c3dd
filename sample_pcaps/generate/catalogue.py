# SPDX-License-Identifier: BSD-2-Clause
"""All scenarios by name, and which of them are committed."""

from . import (
    dcsctp_scenarios,
    harness_scenarios,
    linux_scenarios,
    mixed_scenarios,
    pion_scenarios,
    signalling_scenarios,
    usrsctp_scenarios,
)
from .scenario import Scenario

SCENARIOS: dict[str, Scenario] = {
    scenario.name: scenario
    for scenarios in (
        usrsctp_scenarios,
        signalling_scenarios,
        pion_scenarios,
        dcsctp_scenarios,
        linux_scenarios,
        mixed_scenarios,
        harness_scenarios,
    )
    for scenario in scenarios.SCENARIOS
}

#: The scenarios whose captures are in sample_pcaps/, each with its story.
COMMITTED: tuple[str, ...] = (
    "usrsctp-nth-loss",
    "usrsctp-tail-loss",
    "usrsctp-request-response",
    "usrsctp-reorder",
    "usrsctp-delay-spike",
    "usrsctp-zero-window",
    "usrsctp-i-data-pr-sctp",
    "usrsctp-both-ways",
    "usrsctp-hosts-and-taps",
    "usrsctp-tsn-wrap",
    "usrsctp-multihoming",
    "pion-tail-loss",
    "pion-tail-loss-dtls",
    "pion-tail-loss-no-rack",
    "pion-tsn-wrap",
    "pion-delay-spike",
    "pion-reorder-low",
    "pion-reorder-low-no-rack",
    "pion-media-hevc",
    "dcsctp-nth-loss",
    "dcsctp-zero-window",
    "pion-to-dcsctp-tail-loss",
    "linux-bulk-loss",
    "linux-telecom-timers",
    "linux-outage",
    "linux-delay-spike",
)
