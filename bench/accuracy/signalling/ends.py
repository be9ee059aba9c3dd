# SPDX-License-Identifier: BSD-2-Clause
"""Two ends that exchange DATA over a path that loses and reorders nothing (RFC 9260).

A SACK leaves with every second packet or when its timer is due, in the packet of DATA where that
goes back (section 6.2); the window grows by slow start (section 7.2.1); Nagle where it is set
(section 6.1); a HEARTBEAT each 30 s and an RTO on an idle path (section 8.3).
"""

import heapq
import itertools
import struct
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Protocol

from .setting import SECOND, Setting

DATA, INIT, INIT_ACK, SACK, HEARTBEAT, HEARTBEAT_ACK = 0, 1, 2, 3, 4, 5
SHUTDOWN, SHUTDOWN_ACK, COOKIE_ECHO, COOKIE_ACK, SHUTDOWN_COMPLETE = 7, 8, 10, 11, 14

_MTU = 1400  #: chunks of a packet
_FIRST_WINDOW = 4380  #: RFC 9260 section 7.2.1
_HEARTBEAT_NS = 30 * SECOND  #: HB.interval (RFC 9260 section 16)
_RTO_NS = 1 * SECOND  #: RTO.Min: what every round trip here comes to
_A_RWND = 131_072
_LINGER_NS = 3 * SECOND  #: from the last DATA to the end of the association
_CHUNK = struct.Struct("!BBH")
_DATA = struct.Struct("!BBHIHHI")
_SACK = struct.Struct("!BBHIIHH")


@dataclass(slots=True)
class Packet:
    """As it left its host."""

    time_ns: int
    side: int  #: 0: a, which sent INIT; 1: b
    association: int
    chunks: bytes
    arrival_ns: int  #: at the other host

    @property
    def has_data(self) -> bool:
        """DATA is the only chunk, or behind a SACK."""
        return self.chunks[0] == DATA or (self.chunks[0] == SACK and len(self.chunks) > _SACK.size)


class Application(Protocol):
    """What the users of one association do."""

    def begin(self) -> None:
        """It is up."""

    def heard(self, side: int, messages: int) -> None:
        """Side `side` got so many messages in one packet."""


class Network:
    """The clock, and everything that left a host, in the order in which it did."""

    def __init__(self, setting: Setting) -> None:
        self.setting = setting
        self.random = Random(f"ends {setting.seed}")
        self.now_ns = 0
        self.packets: list[Packet] = []
        self.left_to_write = setting.tsns
        self._events: list[tuple[int, int, Callable[[], None]]] = []
        self._order = itertools.count()
        self._last_arrival_ns, self._last_taken_ns = [0, 0], [0, 0]

    def at(self, time_ns: int, action: Callable[[], None]) -> None:
        """Later, or now."""
        heapq.heappush(self._events, (max(time_ns, self.now_ns), next(self._order), action))

    def run(self) -> None:
        """Until nothing is left to do."""
        while self._events:
            self.now_ns, _, action = heapq.heappop(self._events)
            action()

    def carry(self, side: int, association: int, chunks: bytes, to: Callable[[], None]) -> None:
        """A packet leaves `side`; the other host takes it in a moment after it arrived."""
        setting = self.setting
        way_ns = setting.round_trip_ns // 2 + int(self.random.random() * setting.jitter_ns)
        arrival_ns = max(self.now_ns + way_ns, self._last_arrival_ns[side] + 1)
        self._last_arrival_ns[side] = arrival_ns
        self.packets.append(Packet(self.now_ns, side, association, chunks, arrival_ns))
        reaction_ns = int(setting.react_ns * (0.5 + self.random.random() / 2))
        taken_ns = max(arrival_ns + reaction_ns, self._last_taken_ns[side] + 1)
        self._last_taken_ns[side] = taken_ns
        self.at(taken_ns, to)

    def timer(self, delay_ns: int) -> int:
        """When a timer that is set now fires, on a host whose timers tick."""
        return self.now_ns + delay_ns + int(self.random.random() * self.setting.tick_ns)


class Association:
    """Both ends of one."""

    def __init__(self, network: Network, number: int) -> None:
        random = network.random
        self.network = network
        self.ends = [_End(self, side, number, random.randrange(1 << 32)) for side in (0, 1)]
        self.tags = [random.randrange(1, 1 << 32) for _ in (0, 1)]
        self.ports = [40_000 + number, 5001]
        self.application: Application | None = None
        self.last_data_ns = 0
        self._closes = random.random() < 0.5

    def begin(self, application: Application) -> None:
        """The handshake (RFC 9260 section 5.1)."""
        self.application = application
        a, b = self.ends
        cookie = bytes(self.network.random.randrange(256) for _ in range(96))
        answer = _INIT_FIELDS.pack(self.tags[1], _A_RWND, 10, 10, b.next_tsn)
        answer += _CHUNK.pack(0, 7, 4 + len(cookie)) + cookie
        question = _INIT_FIELDS.pack(self.tags[0], _A_RWND, 10, 10, a.next_tsn)
        steps = [
            (a, _chunk(INIT, question)),
            (b, _chunk(INIT_ACK, answer)),
            (a, _chunk(COOKIE_ECHO, cookie)),
            (b, _chunk(COOKIE_ACK, b"")),
        ]
        self._exchange(steps, self._is_up)

    def write(self, side: int, sizes: list[int]) -> None:
        """The user of a side writes messages, all at once."""
        network = self.network
        sizes = sizes[: max(0, network.left_to_write)]
        network.left_to_write -= len(sizes)
        if sizes:
            self.ends[side].write(sizes)

    def after(self, delay_ns: float, action: Callable[[], None]) -> None:
        """The user does something later; no more once all is written."""
        if self.network.left_to_write > 0:
            self.network.at(self.network.now_ns + int(delay_ns), action)

    def is_over(self) -> bool:
        """All is written, and what was is long acknowledged."""
        network = self.network
        return network.left_to_write <= 0 and network.now_ns > self.last_data_ns + _LINGER_NS

    def _is_up(self) -> None:
        assert self.application is not None
        self.application.begin()
        for end in self.ends:
            end.begin_heartbeats()
        if self._closes:
            self._close_when_over()

    def _close_when_over(self) -> None:
        if not self.is_over():
            self.network.at(self.network.now_ns + _LINGER_NS, self._close_when_over)
            return
        a, b = self.ends
        cumulative = struct.pack("!I", (a.next_expected - 1) % (1 << 32))
        steps = [
            (a, _chunk(SHUTDOWN, cumulative)),
            (b, _chunk(SHUTDOWN_ACK, b"")),
            (a, _chunk(SHUTDOWN_COMPLETE, b"")),
        ]
        self._exchange(steps, lambda: None)

    def _exchange(self, steps: list[tuple["_End", bytes]], then: Callable[[], None]) -> None:
        (end, chunk), *rest = steps
        end.send_control(chunk, lambda: self._exchange(rest, then) if rest else then())


_INIT_FIELDS = struct.Struct("!IIHHI")


class _End:
    def __init__(self, association: Association, side: int, number: int, first_tsn: int) -> None:
        self._association, self._side, self._number = association, side, number
        self._network = association.network
        self.next_tsn = first_tsn
        self._next_ssn = 0
        self._to_send: deque[int] = deque()
        self._outstanding: deque[tuple[int, int]] = deque()  #: TSN, bytes
        self._flight = 0
        self._window = _FIRST_WINDOW
        self._threshold = _A_RWND
        self._arrived: int | None = None  #: highest TSN, all below have arrived too
        self._packets = 0  #: with DATA since the last SACK
        self._sack_due_ns: int | None = None
        self._last_data_ns = 0

    @property
    def _other(self) -> "_End":
        return self._association.ends[1 - self._side]

    @property
    def next_expected(self) -> int:
        """TSN of the other end's next DATA."""
        if self._arrived is None:
            return self._other.next_tsn
        return (self._arrived + 1) % (1 << 32)

    def send_control(self, chunk: bytes, to: Callable[[], None]) -> None:
        """A packet of its own."""
        self._network.carry(self._side, self._number, chunk, to)

    def write(self, sizes: list[int]) -> None:
        """Messages of the user."""
        self._to_send += sizes
        self._transmit()

    def _transmit(self) -> None:
        while messages := self._how_many_fit():
            said = self._arrived if self._sack_due_ns is not None else None
            body = [] if said is None else [self._sack()]
            body += [self._data(self._to_send.popleft()) for _ in range(messages)]
            self._leave(b"".join(body), messages, said)

    def _how_many_fit(self) -> int:
        """In the next packet; 0 where the window or Nagle lets none leave."""
        room, flight, messages = _MTU - 16, self._flight, 0
        for size in self._to_send:
            if size + 19 > room or (flight and flight + size > self._window):
                break
            messages += 1
            room -= size + 19
            flight += size
        all_small = messages == len(self._to_send) and room > _MTU // 2
        if self._network.setting.nagle and self._outstanding and all_small:
            return 0
        return messages

    def _data(self, size: int) -> bytes:
        tsn, ssn = self.next_tsn, self._next_ssn
        self.next_tsn, self._next_ssn = (tsn + 1) % (1 << 32), (ssn + 1) % (1 << 16)
        self._outstanding.append((tsn, size))
        self._flight += size
        return _DATA.pack(DATA, 3, 16 + size, tsn, 0, ssn, 0) + bytes((size + 3) & ~3)

    def _leave(self, chunks: bytes, messages: int, said: int | None) -> None:
        network, last_tsn, other = self._network, (self.next_tsn - 1) % (1 << 32), self._other
        self._association.last_data_ns = self._last_data_ns = network.now_ns

        def arrive() -> None:
            other.hear(said)
            other.take(last_tsn, messages)

        network.carry(self._side, self._number, chunks, arrive)

    def take(self, last_tsn: int, messages: int) -> None:
        """A packet with DATA has come."""
        self._arrived = last_tsn
        self._packets += 1
        if self._packets >= 2:
            self._send_sack()
        elif self._sack_due_ns is None:
            due_ns = self._sack_due_ns = self._network.timer(self._network.setting.sack_delay_ns)
            self._network.at(due_ns, lambda: self._sack_if_due(due_ns))
        assert self._association.application is not None
        self._association.application.heard(self._side, messages)

    def _sack_if_due(self, due_ns: int) -> None:
        if self._sack_due_ns == due_ns:
            self._send_sack()

    def _sack(self) -> bytes:
        self._sack_due_ns, self._packets = None, 0
        assert self._arrived is not None
        return _SACK.pack(SACK, 0, 16, self._arrived, _A_RWND, 0, 0)

    def _send_sack(self) -> None:
        said, other = self._arrived, self._other
        self._network.carry(self._side, self._number, self._sack(), lambda: other.hear(said))

    def hear(self, acknowledged: int | None) -> None:
        """A SACK has come."""
        if acknowledged is None:
            return
        was_full, freed = self._flight + _MTU > self._window, 0
        while self._outstanding and (acknowledged - self._outstanding[0][0]) % (1 << 32) < 1 << 31:
            freed += self._outstanding.popleft()[1]
        self._flight -= freed
        if was_full and self._window < self._threshold:
            self._window += min(freed, _MTU)
        self._transmit()

    def begin_heartbeats(self) -> None:
        """The first is due later."""
        random = self._network.random
        delay_ns = _HEARTBEAT_NS + int(_RTO_NS * random.uniform(0.5, 1.5))
        self._network.at(self._network.timer(delay_ns), self._heartbeat)

    def _heartbeat(self) -> None:
        if self._association.is_over():
            return
        network, other = self._network, self._other
        if network.now_ns - self._last_data_ns >= _HEARTBEAT_NS:
            information = struct.pack("!HHQ", 1, 12, network.now_ns)
            answer = _chunk(HEARTBEAT_ACK, information)
            self.send_control(
                _chunk(HEARTBEAT, information), lambda: other.send_control(answer, lambda: None)
            )
        self.begin_heartbeats()


def _chunk(kind: int, value: bytes) -> bytes:
    return _CHUNK.pack(kind, 0, 4 + len(value)) + value
