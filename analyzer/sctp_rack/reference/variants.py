# SPDX-License-Identifier: BSD-2-Clause
"""Decides what a parameter's name and value, written as text, change in a profile.

One table for vectors and the command line, so that a variant is tried by one word.
"""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

from sctp_rack.names import Answer, Profile
from sctp_rack.reference import profiles
from sctp_rack.reference.profiles import Parameters
from sctp_rack.reference.rack import RackParameters, robust, strict
from sctp_rack.reference.tlp import TlpParameters

NS_PER_MS = 1_000_000


def milliseconds(text: str) -> int:
    """Return nanoseconds for milliseconds in decimal; ValueError if they are not whole."""
    ns = Fraction(text) * NS_PER_MS
    if ns.denominator != 1:
        raise ValueError(f"{text} ms is not a whole number of nanoseconds")
    return int(ns)


def _ratio(text: str) -> tuple[int, int]:
    fraction = Fraction(text)
    return fraction.numerator, fraction.denominator


def _rack(parameters: Parameters, **changes: object) -> Parameters:
    rack = parameters.rack or RackParameters()
    return replace(parameters, rack=replace(rack, **changes))  # type: ignore[arg-type]


def _tlp(parameters: Parameters, **changes: object) -> Parameters:
    tlp = parameters.tlp or TlpParameters()
    return replace(parameters, tlp=replace(tlp, **changes))  # type: ignore[arg-type]


def _tlp_switch(parameters: Parameters, text: str) -> Parameters:
    return replace(parameters, tlp=TlpParameters() if text == "on" else None)


def _rtt_rule(parameters: Parameters, text: str) -> Parameters:
    return _rack(parameters, spurious_floor={"strict": strict, "robust": robust}[text])


def _reo_wnd(parameters: Parameters, **changes: object) -> Parameters:
    rack = parameters.rack or RackParameters()
    return _rack(parameters, reo_wnd=replace(rack.reo_wnd, **changes))  # type: ignore[arg-type]


def _misses(parameters: Parameters, text: str) -> Parameters:
    if parameters.misses is None:
        raise ValueError(f"profile {parameters.profile} does not count missing reports")
    return replace(parameters, misses=replace(parameters.misses, threshold=int(text)))


def _pion_counts(parameters: Parameters, text: str) -> Parameters:
    if parameters.profile is not Profile.PION:
        raise ValueError("pion_counts is for the profile pion")
    return replace(
        profiles.pion(newly_acked_only={"acked": False, "newly_acked": True}[text]),
        receiver=parameters.receiver,
    )


def _split_paths(parameters: Parameters, text: str) -> Parameters:
    if parameters.misses is None:
        raise ValueError(f"profile {parameters.profile} does not count missing reports")
    return replace(parameters, misses=replace(parameters.misses, split_paths=text == "on"))


def _receiver(parameters: Parameters, **changes: object) -> Parameters:
    receiver = replace(parameters.receiver, **changes)  # type: ignore[arg-type]
    return replace(parameters, receiver=receiver)


VARIANTS: dict[str, Callable[[Parameters, str], Parameters]] = {
    # the fraction of min_RTT by which the reordering window starts and grows, e.g. 1/4
    "reo_wnd_step": lambda p, v: _reo_wnd(p, step=_ratio(v)),
    # how many SACKed packets collapse the window
    "dup_thresh": lambda p, v: _reo_wnd(p, dup_thresh=int(v)),
    # how many recoveries an inflated window lasts
    "persist": lambda p, v: _reo_wnd(p, persist_recoveries=int(v)),
    # strict: RACK.min_RTT as the sender has it; robust: the path's undelayed minimum
    "rtt_rule": _rtt_rule,
    # what RACK.segs_sacked counts: packets or chunks
    "sacked_in": lambda p, v: _rack(p, sacked_in_packets={"packets": True, "chunks": False}[v]),
    # tail loss probes: on or off
    "tlp": _tlp_switch,
    # the multiple of SRTT after which a probe is due
    "pto_factor": lambda p, v: _tlp(p, srtt_factor=_ratio(v)),
    # the budget for a delayed SACK, in ms
    "max_ack_delay": lambda p, v: _tlp(p, max_ack_delay_ns=milliseconds(v)),
    # the number of missing reports that marks
    "misses": _misses,
    # pion: below which TSN reports count, acked (1.9.0 and later) or newly_acked (1.8.41)
    "pion_counts": _pion_counts,
    # count missing reports per path (CMT): on or off
    "split_paths": _split_paths,
    # the number of gap blocks at which the receiver stops
    "gap_block_cap": lambda p, v: _receiver(p, gap_block_cap=int(v)),
    # whether the receiver lists duplicate TSNs: yes, no, unknown
    "reports_duplicates": lambda p, v: _receiver(p, reports_duplicates=Answer(v)),
    # RTO.Min and RTO.Initial, in ms
    "rto_min": lambda p, v: replace(p, rto=replace(p.rto, min_ns=milliseconds(v))),
    "rto_initial": lambda p, v: replace(p, rto=replace(p.rto, initial_ns=milliseconds(v))),
}


def varied(parameters: Parameters, changes: dict[str, str]) -> Parameters:
    """Return a profile with changes by name; ValueError names what is unknown or does not fit."""
    for name, value in changes.items():
        if name not in VARIANTS:
            raise ValueError(f"no parameter {name!r}; there are {', '.join(VARIANTS)}")
        try:
            parameters = VARIANTS[name](parameters, value)
        except (KeyError, ZeroDivisionError) as error:
            raise ValueError(f"parameter {name} cannot be {value!r}") from error
    return parameters
