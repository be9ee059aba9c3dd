# SPDX-License-Identifier: BSD-2-Clause
"""What the stacks counted themselves against the truth."""

from collections.abc import Callable, Iterator

from .rules import Checked, Fault, Record, is_below, skipped_to

Counted = dict[str, int]
#: What was counted, its name, and the least and the most that truth allows.
Expected = tuple[int, str, int, int]


def compared(run: Checked, counters: dict[str, Counted], file: str) -> list[Fault]:
    """Where a host counted something else than truth says; one without counters is left out."""
    faults = []
    for host in "ab":
        compare = _OF_STACK.get(run.stack_of(host))
        if compare is None or not counters[host]:
            continue
        for counted, name, least, most in compare(_Told(run, host), counters[host]):
            if not least <= counted <= most:
                told = f"{least}" if least == most else f"{least} to {most}"
                faults.append(Fault(file, None, f"{host} counted {counted} {name}, truth: {told}"))
    return faults


class _Told:
    """What truth says of a host."""

    def __init__(self, run: Checked, host: str) -> None:
        self.sent = [one for one in run.transmissions if one["dir"][0] == host]
        got = [one for one in run.transmissions if one["dir"][2] == host]
        self.accepted = [one for one in got if one["fate"] == "delivered"]
        self.discarded = [one for one in got if one["fate"] == "discarded"]
        self.new = len({one["tsn"] for one in self.accepted})
        #: What comes after a FORWARD-TSN that skips it is discarded, and counts as received again.
        highest = skipped_to(run, "b" if host == "a" else "a")
        self.skipped = [one for one in self.discarded if is_below(one["tsn"], highest)]
        #: What the network repeats may come after the end, and DTLS takes no record twice.
        duplicates: list[Record] = run.document["network_duplicates"]
        self.repeated = sum(one["dir"][2] == host for one in duplicates)
        marks: list[Record] = run.document["stack_marks"]
        self.timeouts = sum(
            mark["dir"][0] == host and mark["tsn"] is None and mark["trigger"] == "rto"
            for mark in marks
        )


def _usrsctp(told: _Told, counted: Counted) -> Iterator[Expected]:
    """It counts one DATA dropped for each packet: it looks at no more of it."""
    again = sum(one["retransmission"] for one in told.sent)
    doubled = len(told.accepted) - told.new
    dropped = counted["datadroprwnd"] + counted["datadropchklmt"]
    most = len({one["arrive_ns"] for one in told.discarded})
    least = len({one["arrive_ns"] for one in told.discarded if one not in told.skipped})
    new = len(told.sent) - again
    yield counted["senddata"], "new DATA sent", new, new
    yield counted["sendretransdata"], "DATA sent again", again, again
    again_most = doubled + told.repeated + len(told.skipped)
    yield counted["recvdata"], "new DATA received", told.new, told.new
    yield counted["recvdupdata"], "DATA received again", doubled, again_most
    yield dropped, "packets with DATA dropped", least, most + told.repeated


def _pion(told: _Told, counted: Counted) -> Iterator[Expected]:
    """It counts DATA that it drops at a full window, too, but not what overtakes the COOKIE ACK."""
    least = len(told.accepted)
    most = least + len(told.discarded) + told.repeated
    fast = sum(one["stack_said"] == "fast-retransmit" for one in told.sent)
    yield counted["nDATAs"], "DATA received", least, most
    yield counted["nT3Timeouts"], "timeouts", told.timeouts, told.timeouts
    yield counted["nFastRetrans"], "fast retransmissions", fast, fast


#: A stack that is not here has no counters that are known.
_OF_STACK: dict[str, Callable[[_Told, Counted], Iterator[Expected]]] = {
    "usrsctp": _usrsctp,
    "pion": _pion,
}
