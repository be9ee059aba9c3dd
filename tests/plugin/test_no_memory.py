# SPDX-License-Identifier: BSD-2-Clause
"""Without memory for its engine the plugin says so, once, and Wireshark goes on."""

import subprocess
from pathlib import Path

from tests.captures import SAMPLE
from tests.plugin.wireshark import Wireshark


def test_what_cannot_be_recorded_is_said_once(wireshark: Wireshark) -> None:
    """Setup: every calloc of the plugin fails. Expectation: a message of one line, frames as
    without the plugin, and statistics that say why they are empty."""
    library = wireshark.home / "no_memory.so"
    source = Path(__file__).with_name("no_memory.c")
    subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", library, source, "-ldl"], check=True)
    library.chmod(0o755)
    capture = str(wireshark.capture(SAMPLE))
    command = ("tshark", "-2", "-r", capture, "-q", "-z", "sctp_rack,stat", "-z", "io,phs")
    done = wireshark.process(*command, LD_PRELOAD=str(library))

    assert done.returncode == 0, done.stderr
    assert (
        done.stderr.count("sctp_rack: no memory for recording: nothing is said of this file") == 1
    )
    assert "Recording or judging failed: memory or the disk ran out" in done.stdout
    assert "sctp " in done.stdout
