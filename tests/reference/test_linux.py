# SPDX-License-Identifier: BSD-2-Clause
"""What Linux does otherwise than RFC 9260, by the functions of net/sctp; of T3-rtx pion, too."""

from sctp_rack.names import RttTag
from sctp_rack.reference.events import RttMeasurement
from sctp_rack.reference.profiles import dcsctp, linux, pion, rfc9260

from tests.reference.script import MS, Script


def test_linux_and_dcsctp_time_no_handshake() -> None:
    times = []
    for parameters in (linux(), dcsctp(), rfc9260()):
        script = Script(parameters, warm=False)
        script.send(0, 1)
        script.model.rtt_measured(RttMeasurement(1 * MS, "p", 50 * MS, RttTag.HANDSHAKE))
        times.append(script.model.snapshot("p").srtt_ns)

    assert times == [None, None, 50 * MS]


def test_a_resend_does_not_restart_t3() -> None:
    restarted = []
    for parameters in (linux(), pion(), rfc9260()):
        script = Script(parameters)
        for tsn in range(1, 6):
            script.send(0, tsn)
        for at, tsn in ((100, 2), (101, 3), (102, 4)):
            script.sack(at, 0, *range(2, tsn + 1))
        before = script.timers()
        script.send(150, 1)
        restarted.append(script.timers() != before)

    assert restarted == [False, False, True]
