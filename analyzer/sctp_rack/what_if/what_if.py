# SPDX-License-Identifier: BSD-2-Clause
"""Which questions are asked of which directions, and what is assumed in the answers."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from sctp_rack.association import Direction
from sctp_rack.summary.summary import Time
from sctp_rack.what_if import held_sacks as held
from sctp_rack.what_if import nr_sack as acknowledgements
from sctp_rack.what_if import rack as recovery
from sctp_rack.what_if.held_sacks import HeldSacks, held_sacks
from sctp_rack.what_if.nr_sack import OtherAcknowledgements, other_acknowledgements
from sctp_rack.what_if.rack import WithRack, with_rack

#: Tables that answers are made of.
TABLES = ("transmissions", "sacks", "rack_state", "rack_marks", "probes", "paths", "limits")


@dataclass(frozen=True)
class Assumed:
    """Sentences on why the figures may be others in truth; none where it was not asked."""

    nr_sack: list[str]
    rack: list[str]
    sack_rule: list[str]


@dataclass(frozen=True)
class WhatIf:
    """The answers, one for each direction with data; null where it was not asked."""

    nr_sack: list[OtherAcknowledgements] | None
    rack: list[WithRack] | None
    #: With another rule of acknowledging.
    sack_rule: list[HeldSacks] | None
    assumed: Assumed
    #: The time that they are of, where one was asked for: what the queue held then, timeouts that
    #: expired in it, and waits that began in it.
    of_time: Time | None = None

    @classmethod
    def of(
        cls,
        directions: Iterable[tuple[str, Direction]],
        *,
        nr_sack: bool,
        rack: bool,
        sack_every: int | None = None,
        sack_delay_ms: float | None = None,
        of_time: Time | None = None,
    ) -> "WhatIf":
        """Of directions with data, and the ends of each in words; all or of the same time."""
        asked = [(ends, one) for ends, one in directions if _is_under_way(one)]
        rule = sack_every is not None or sack_delay_ms is not None
        return cls(
            nr_sack=[other_acknowledgements(one, ends) for ends, one in asked] if nr_sack else None,
            rack=[with_rack(one, ends) for ends, one in asked] if rack else None,
            sack_rule=[held_sacks(one, ends, sack_every, sack_delay_ms) for ends, one in asked]
            if rule
            else None,
            assumed=Assumed(
                nr_sack=list(acknowledgements.ASSUMPTIONS) if nr_sack else [],
                rack=list(recovery.ASSUMPTIONS) if rack else [],
                sack_rule=list(held.ASSUMPTIONS) if rule else [],
            ),
            of_time=of_time,
        )


def _is_under_way(direction: Direction) -> bool:
    """Whether any of its data was sent, or under way, in the time that is told of."""
    window = direction.window
    if window.is_all:
        return True
    sent = np.ma.compressed(direction.transmissions["time_ns"])
    feedback = np.ma.compressed(direction.sacks["time_ns"])
    last = max((int(some.max()) for some in (sent, feedback) if len(some)), default=None)
    return last is not None and len(sent) > 0 and window.meets(int(sent.min()), last)
