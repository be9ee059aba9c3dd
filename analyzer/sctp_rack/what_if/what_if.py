# SPDX-License-Identifier: BSD-2-Clause
"""Which questions are asked of which directions, and what is assumed in the answers."""

from collections.abc import Iterable
from dataclasses import dataclass

from sctp_rack.association import Direction
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

    @classmethod
    def of(
        cls,
        directions: Iterable[tuple[str, Direction]],
        *,
        nr_sack: bool,
        rack: bool,
        sack_every: int | None = None,
        sack_delay_ms: float | None = None,
    ) -> "WhatIf":
        """Of directions with data, and the ends of each in words."""
        asked = list(directions)
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
        )
