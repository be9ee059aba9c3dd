# SPDX-License-Identifier: BSD-2-Clause
"""What dcSCTP is shown doing: miss-counted fast retransmission, T3-rtx, silent discards."""

from .encapsulation import Encapsulation
from .link import MS, Path
from .loss import Bursts, Independent, Tail
from .scenario import Scenario, Stack
from .usrsctp_scenarios import of_usrsctp
from .workload import bulk

_D = Stack.DCSCTP

SCENARIOS = (
    of_usrsctp("bulk-loss", _D, 301),
    of_usrsctp(
        "nth-loss",
        _D,
        302,
        about="chosen chunks are lost, two of them twice: the second time T3-rtx repairs them",
        encapsulation=Encapsulation.UDP,
    ),
    Scenario(
        "dcsctp-burst-loss",
        "loss in bursts: what does not fit the first packet or the window is sent later",
        _D,
        303,
        bulk(160, 400, interval_ns=2 * MS, unordered=True),
        forth=Path(delay_ns=30 * MS, losses=(Bursts(0.04, 0.25),)),
        mtu=1191,
        middle=0.3,
        encapsulation=Encapsulation.ETHERNET,
        pcapng=True,
    ),
    of_usrsctp(
        "tail-loss",
        _D,
        304,
        about="bursts whose last packets are lost, some twice: T3-rtx,"
        " the second after the same RTO",
        forth=Path(losses=(Tail(8, 2, 0.5), Independent(0.05))),
    ),
    of_usrsctp("request-response", _D, 305),
    of_usrsctp("reorder", _D, 306),
    of_usrsctp(
        "delay-spike",
        _D,
        307,
        about="the link stands still for longer than the RTO: spurious timeouts and what follows",
        forth=Path(holds=((800 * MS, 2600 * MS),)),
    ),
    of_usrsctp(
        "zero-window",
        _D,
        308,
        about="b stops reading: DATA beyond the window is thrown away"
        " without an answer, again and again",
    ),
    of_usrsctp("i-data-pr-sctp", _D, 309),
    of_usrsctp(
        "both-ways",
        _D,
        310,
        about="data both ways, SACK loss, the network repeats packets: SACKs ride on DATA",
        mtu=600,
    ),
    of_usrsctp("queue", _D, 311),
    Scenario(
        "dcsctp-fragments",
        "messages of 8192 bytes with an MTU of 1191, as browsers send them; 3 % loss",
        _D,
        312,
        bulk(20, 8192, interval_ns=60 * MS),
        forth=Path(losses=(Independent(0.03),)),
        mtu=1191,
    ),
    of_usrsctp("hosts-and-taps", _D, 313),
    of_usrsctp("lifetime", _D, 314),
    of_usrsctp("tsn-wrap", _D, 315),
)
