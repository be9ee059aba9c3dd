# SPDX-License-Identifier: BSD-2-Clause
"""The changes: how a capture is changed, and what may change in its rows."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from tests.builder import layers
from tests.metamorphic import altered, carried, filed, repeated
from tests.metamorphic.allowed import (
    ANY,
    CHECKSUMS,
    CUT,
    CUT_ALONG_WITH,
    LATER,
    PION,
    ROUNDED,
    SNAPPED,
    TWICE,
    UDP,
    WITHIN_A_TICK,
    WITHOUT_COUNT,
)
from tests.metamorphic.frames import MS, SECOND, US, Make, each, plain, written
from tests.metamorphic.packets import ETHERNET, RAW, SLL, SLL2, ethertype, in_ip, in_udp
from tests.metamorphic.rows import Place


@dataclass(frozen=True)
class Change:
    """`make` writes the changed capture into a folder."""

    name: str
    make: Make
    #: What may change and why; `ANY` are all columns of a table.
    may: Mapping[Place, str] = field(default_factory=dict)
    #: What may change only in a capture where something else does.
    along_with: Mapping[Place, Place] = field(default_factory=dict)

    def allows(self, place: Place, found: Collection[Place]) -> bool:
        """Whether this may differ in a capture where these differ."""
        table, _ = place
        return place in self.may or (table, ANY) in self.may or self.along_with.get(place) in found


CHANGES = (
    Change("written again", lambda packets, folder: written(folder, plain(packets))),
    Change(
        "in Ethernet",
        carried.within(ETHERNET, lambda one: layers.ethernet(ethertype(one), in_ip(one))),
    ),
    Change("in padded Ethernet with FCS", carried.within(ETHERNET, carried.padded_ethernet)),
    Change(
        "in a VLAN",
        carried.within(
            ETHERNET,
            lambda one: layers.ethernet(layers.VLAN, layers.tag(ethertype(one), in_ip(one))),
        ),
    ),
    Change(
        "in MPLS",
        carried.within(
            ETHERNET, lambda one: layers.ethernet(layers.MPLS, layers.labels(in_ip(one), 17))
        ),
    ),
    Change("cooked", carried.within(SLL, lambda one: layers.sll(ethertype(one), in_ip(one)))),
    Change("cooked v2", carried.within(SLL2, lambda one: layers.sll2(ethertype(one), in_ip(one)))),
    Change("in GRE", carried.within(RAW, carried.gre)),
    Change("in VXLAN", carried.within(RAW, carried.vxlan)),
    Change("in GTP-U", carried.within(RAW, carried.gtpu)),
    Change("in UDP", carried.within(RAW, in_udp), UDP),
    Change("in UDP on other ports", carried.other_udp_ports, UDP),
    Change("in IP fragments", carried.fragmented),
    Change("as pcap", filed.as_pcap("<")),
    Change("as pcap of the other byte order", filed.as_pcap(">")),
    Change("as pcapng of the other byte order", filed.big_endian_pcapng),
    Change("compressed", filed.compressed),
    Change("with comments and other blocks", filed.with_options),
    Change("split over three interfaces", filed.several_interfaces),
    Change("an hour later", filed.later(3600 * SECOND)),
    Change("in 1999", filed.later(-27 * 365 * 86_400 * SECOND)),
    Change("other frames between", filed.others_between),
    Change("another association between", repeated.with_another),
    Change("snapped behind the headers", filed.snapped, SNAPPED),
    Change("cut at the end", filed.cut_at_the_end, CUT, CUT_ALONG_WITH),
    Change("a clock of 1 µs", filed.coarse(1 * US), ROUNDED),
    Change("a clock of 1 ms", filed.coarse(1 * MS), ROUNDED | WITHIN_A_TICK),
    Change("TSNs from elsewhere", altered.higher_tsns(1_000_003), PION),
    Change("other tags and ports", altered.tags_and_ports),
    Change("other addresses", altered.addresses),
    Change("other payload", each(altered.other_payload)),
    Change("checksums zero", each(altered.checksum(None)), CHECKSUMS),
    Change("checksums offloaded", each(altered.checksum(0x00FF00FF)), CHECKSUMS),
    Change("IP-IDs from elsewhere", each(altered.ip_id(lambda ident: ident and ident + 1234))),
    Change("IP-IDs zero", each(altered.ip_id(lambda ident: 0)), WITHOUT_COUNT),
    Change("every third frame twice", repeated.twice(5 * US, lambda n, one: n % 3 == 0), TWICE),
    Change("every frame twice, 5 µs later", repeated.twice(5 * US), TWICE),
    Change("every frame twice, 200 µs later", repeated.twice(200 * US), TWICE),
    Change("every frame twice, 900 µs later", repeated.twice(900 * US), TWICE),
    Change("every frame twice, 5 ms later", repeated.twice(5 * MS), LATER),
    Change("feedback twice", repeated.twice(5 * US, lambda n, one: not one.has_data), TWICE),
    Change("data twice", repeated.twice(5 * US, lambda n, one: one.has_data), TWICE),
    Change("on a second interface again", repeated.on_a_second_interface, TWICE),
    Change("merged with itself", repeated.twice(0), TWICE),
)
