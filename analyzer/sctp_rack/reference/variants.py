# SPDX-License-Identifier: BSD-2-Clause
"""Decides what a parameter's name and value, written as text, change in a profile.

One table for vectors and the command line, so that a variant is tried by one word.
"""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import TypeVar

from sctp_rack.names import Answer, Profile
from sctp_rack.reference import profiles
from sctp_rack.reference.profiles import Parameters
from sctp_rack.reference.rack import robust, strict
from sctp_rack.reference.reo_wnd import ReoWndParameters
from sctp_rack.reference.t3 import cum_advanced, pseudo_cum_acked
from sctp_rack.reference.tlp import TlpParameters

Chosen = TypeVar("Chosen")

NS_PER_MS = 1_000_000
DUPLICATES = {str(answer): answer for answer in Answer}
SWITCH = {"on": True, "off": False}


#: A timer that repeats is replayed to the end of a vector, however far that is.
LONGEST_MS = 24 * 60 * 60 * 1000


def milliseconds(text: str) -> int:
    """Return nanoseconds for milliseconds in decimal.

    Raises ValueError if they are not whole, negative, or more than a day.
    """
    try:
        ns = Fraction(text) * NS_PER_MS
    except (ValueError, TypeError, ZeroDivisionError) as error:
        raise ValueError(f"{text!r} is no number of milliseconds") from error
    if ns.denominator != 1:
        raise ValueError(f"{text} ms is not a whole number of nanoseconds")
    if ns < 0:
        raise ValueError(f"{text} ms is negative")
    if ns > LONGEST_MS * NS_PER_MS:
        raise ValueError(f"{text} ms is more than a day")
    return int(ns)


def _ratio(text: str) -> tuple[int, int]:
    fraction = Fraction(text)
    if fraction < 0:
        raise ValueError("it is negative")
    return fraction.numerator, fraction.denominator


def _count(text: str) -> int:
    number = int(text)
    if number < 1:
        raise ValueError("it is less than 1")
    return number


def _choice(choices: dict[str, Chosen], text: str) -> Chosen:
    if text not in choices:
        raise ValueError(f"choose {', '.join(choices)}")
    return choices[text]


def _rack(parameters: Parameters, **changes: object) -> Parameters:
    # RFC 8985 §9.2 6675: a detector that a profile does not have is not added by varying it.
    if parameters.rack is None:
        raise ValueError(f"profile {parameters.profile} has no RACK to vary")
    return replace(parameters, rack=replace(parameters.rack, **changes))  # type: ignore[arg-type]


def _tlp(parameters: Parameters, **changes: object) -> Parameters:
    if parameters.tlp is None:
        raise ValueError(f"profile {parameters.profile} has no tail loss probe to vary")
    return replace(parameters, tlp=replace(parameters.tlp, **changes))  # type: ignore[arg-type]


def _tlp_switch(parameters: Parameters, text: str) -> Parameters:
    on = _choice(SWITCH, text)
    # RFC 8985 §4 tlp: it needs RACK.
    if on and parameters.rack is None:
        raise ValueError(f"profile {parameters.profile} has no RACK, which tail loss probes need")
    return replace(parameters, tlp=(parameters.tlp or TlpParameters()) if on else None)


def _rtt_rule(parameters: Parameters, text: str) -> Parameters:
    rule = _choice({"strict": strict, "robust": robust}, text)
    return _rack(parameters, spurious_floor=rule)


def _reo_wnd(parameters: Parameters, **changes: object) -> Parameters:
    window = parameters.rack.reo_wnd if parameters.rack else ReoWndParameters()
    return _rack(parameters, reo_wnd=replace(window, **changes))  # type: ignore[arg-type]


def _misses(parameters: Parameters, **changes: object) -> Parameters:
    if parameters.misses is None:
        raise ValueError(f"profile {parameters.profile} does not count missing reports")
    misses = replace(parameters.misses, **changes)  # type: ignore[arg-type]
    return replace(parameters, misses=misses)


def _split_paths(parameters: Parameters, text: str) -> Parameters:
    cmt = _choice(SWITCH, text)
    varied = _misses(parameters, split_paths=cmt)
    if parameters.profile is not Profile.USRSCTP:
        return varied
    restarts = pseudo_cum_acked if cmt else cum_advanced
    return replace(varied, t3=replace(parameters.t3, restarts=restarts))


def _pion_counts(parameters: Parameters, text: str) -> Parameters:
    newly_acked_only = _choice({"acked": False, "newly_acked": True}, text)
    if parameters.profile is not Profile.PION:
        raise ValueError("it is for the profile pion")
    return replace(profiles.pion(newly_acked_only=newly_acked_only), receiver=parameters.receiver)


def _receiver(parameters: Parameters, **changes: object) -> Parameters:
    receiver = replace(parameters.receiver, **changes)  # type: ignore[arg-type]
    return replace(parameters, receiver=receiver)


VARIANTS: dict[str, Callable[[Parameters, str], Parameters]] = {
    # the fraction of min_RTT by which the reordering window starts and grows, e.g. 1/4
    "reo_wnd_step": lambda p, v: _reo_wnd(p, step=_ratio(v)),
    # how many SACKed packets collapse the window
    "dup_thresh": lambda p, v: _reo_wnd(p, dup_thresh=_count(v)),
    # how many recoveries an inflated window lasts
    "persist": lambda p, v: _reo_wnd(p, persist_recoveries=_count(v)),
    # strict: RACK.min_RTT as the sender has it; robust: the path's undelayed minimum
    "rtt_rule": _rtt_rule,
    # what RACK.segs_sacked counts: packets or chunks
    "sacked_in": lambda p, v: _rack(
        p, sacked_in_packets=_choice({"packets": True, "chunks": False}, v)
    ),
    # tail loss probes: on or off
    "tlp": _tlp_switch,
    # the multiple of SRTT after which a probe is due
    "pto_factor": lambda p, v: _tlp(p, srtt_factor=_ratio(v)),
    # the budget for a delayed SACK, in ms
    "max_ack_delay": lambda p, v: _tlp(p, max_ack_delay_ns=milliseconds(v)),
    # the number of missing reports that marks
    "misses": lambda p, v: _misses(p, threshold=_count(v)),
    # pion: below which TSN reports count, acked (1.9.0 and later) or newly_acked (1.8.41)
    "pion_counts": _pion_counts,
    # count missing reports per path (CMT): on or off
    "split_paths": _split_paths,
    # the number of gap blocks at which the receiver stops
    "gap_block_cap": lambda p, v: _receiver(p, gap_block_cap=_count(v)),
    # whether the receiver lists duplicate TSNs: yes, no, unknown
    "reports_duplicates": lambda p, v: _receiver(p, reports_duplicates=_choice(DUPLICATES, v)),
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
        except (ValueError, ZeroDivisionError) as error:
            raise ValueError(f"parameter {name} cannot be {value!r}: {error}") from error
    return parameters
