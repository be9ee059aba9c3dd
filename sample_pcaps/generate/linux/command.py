# SPDX-License-Identifier: BSD-2-Clause
"""How a kernel is started that is the host of a scenario."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from ..encapsulation import UDP_PORT, Encapsulation
from .build import kernel, root

if TYPE_CHECKING:
    from ..host import Command
    from ..scenario import Scenario

_START_NS = 1_767_225_600_000_000_000  #: the kernel's date at its start: 2026
_TICK_NS = 4_000_000  #: HZ is 250
_MEMORY = "64M"

#: Its lines go over file descriptors 3 and 4; to the others it tells how it starts.
_SHELL = 'exec "$0" "$@" 3<&0 4>&1 </dev/null >/dev/null 2>&1'


def command(
    scenario: Scenario,
    side: str,
    addresses: Mapping[str, Sequence[str]],
    ports: tuple[int, int],
) -> Command:
    """`addresses` of the `own` host and the `peer`."""
    seed = 2 * scenario.seed + (side == "b")
    chosen = {
        "rto_max": scenario.rto_max_ms,
        "rto_initial": scenario.rto_initial_ms,
        "rto_min": scenario.rto_min_ms,
        "sack_timeout": scenario.sack_delay_ms,
        "max_burst": scenario.max_burst,
    }
    sysctls = {name: value for name, value in chosen.items() if value} | dict(scenario.sysctls)
    if scenario.lists_i_data(side):
        sysctls["intl_enable"] = 1
    settings: dict[str, object] = {
        **{f"net.sctp.{name}": value for name, value in sysctls.items()},
        **{name: ",".join(ends) for name, ends in addresses.items()},
        "active": int(side == "a"),
        "port": ports[0],
        "peer_port": ports[1],
        "mtu": scenario.mtu,
        "rcvbuf": scenario.rcvbuf,
        "sndbuf": scenario.sndbuf,
        "nagle": int(scenario.nagle),
        "streams": scenario.streams,
        "interleaving": int(scenario.lists_i_data(side)),
        "udp_port": UDP_PORT if scenario.encapsulation is Encapsulation.UDP else 0,
        "phase_ns": seed * 7_919_001 % _TICK_NS,  # of the run to the kernel's ticks
    }
    tsn = scenario.initial_tsn if side == scenario.main else 0
    boot = (
        *(f"mem={_MEMORY}", "root=/dev/root", "rootfstype=hostfs", f"rootflags={root()}", "rw"),
        *("init=/host", "time-travel=inf-cpu", f"time-travel-start={_START_NS}", "con=null"),
        *(f"host_seed={seed}", f"host_initial_tsn={tsn}"),
    )
    words = [f"{name}={value}" for name, value in settings.items()]
    # The threads of the kernel are not those that glibc would register for restartable sequences.
    environment = {"GLIBC_TUNABLES": "glibc.pthread.rseq=0"}
    return ["sh", "-c", _SHELL, str(kernel()), *boot, "--", *words], environment
