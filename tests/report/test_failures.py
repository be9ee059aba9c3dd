# SPDX-License-Identifier: BSD-2-Clause
"""What fails between the sides stands before what the capture is worth."""

from pathlib import Path

import sctp_rack
from sctp_rack.names import Finding
from sctp_rack.report.contents import TABLES, contents

from tests.builder import sctp
from tests.builder.talk import ABORT, A, B, End, Talk, init


def test_refused_inits_are_among_what_to_look_at_first(tmp_path: Path) -> None:
    talk = Talk()
    for tag in range(1, 4):
        a = End(A.address, A.port, tag)
        talk.say(a, B, init(a), vtag=0, checksum=sctp.zero)
        talk.say(B, a, sctp.chunk(ABORT, 0, b""), checksum=sctp.zero)
    page = contents(sctp_rack.read(talk.write(tmp_path), tables=TABLES))

    assert [one.finding.code for one in page.findings] == [Finding.REFUSED_INIT]
    assert [one.finding.code for one in page.quality_findings] == [Finding.ZERO_CHECKSUM]
