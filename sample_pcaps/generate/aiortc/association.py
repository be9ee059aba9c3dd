# SPDX-License-Identifier: BSD-2-Clause
"""One association of aiortc on plain SCTP packets: what the application sends on it and reads."""

import asyncio
from typing import Any

from .observed import Tell, observed

_PORT = 5000


class Wire:
    """In place of DTLS: packets leave and come in clear."""

    state = "connected"

    def __init__(self, tell: Tell, *, active: bool) -> None:
        self._role = "client" if active else "server"
        self._tell = tell
        self._receiver: Any = None

    def _register_data_receiver(self, receiver: Any) -> None:
        self._receiver = receiver

    def _unregister_data_receiver(self, receiver: Any) -> None:
        self._receiver = None

    async def _send_data(self, packet: bytes) -> None:
        self._tell(f"packet {packet.hex()}")

    async def get(self, packet: bytes) -> None:
        """A packet comes; one after another, as DTLS hands them on."""
        if self._receiver is not None:
            await self._receiver._handle_data(packet)


class Association:
    """An application writes to data channels that need no opening, and reads at once: aiortc has no
    way to leave a message unread."""

    def __init__(self, sctp: Any, tell: Tell, options: dict[str, int]) -> None:
        self._sctp = sctp
        self._options = options
        self._wire = Wire(tell, active=bool(options["active"]))
        self._channels: dict[tuple[int, ...], Any] = {}
        self._doing: asyncio.Future[Any] | None = None

        class Transport(observed(sctp, tell)):  # type: ignore[misc]
            async def _receive(self, stream_id: int, pp_id: int, data: bytes) -> None:
                tell(f"message {len(data)}")

            async def _init(self) -> None:
                if options["active"]:  # else both ask for the association (RFC 8841 section 9.3)
                    await super()._init()

        self._transport = Transport(self._wire, options.get("port", _PORT))
        if options["rcvbuf"]:
            self._transport._advertised_rwnd = options["rcvbuf"]

    def open(self) -> None:
        any_size = self._sctp.RTCSctpCapabilities(maxMessageSize=0)
        self._do(self._transport.start(any_size, self._options.get("peer_port", _PORT)))

    def get(self, packet: bytes) -> None:
        self._do(self._wire.get(packet))

    def send(
        self, stream: int, size: int, unordered: int, rtx_limit: int, lifetime_ms: int, _: int = 0
    ) -> None:
        """A message; what is asked of it belongs to its channel."""
        asked = stream, unordered, rtx_limit, lifetime_ms
        if asked not in self._channels:
            self._transport._data_channels.pop(stream, None)
            parameters = self._sctp.RTCDataChannelParameters(
                id=stream,
                negotiated=True,
                ordered=not unordered,
                maxRetransmits=rtx_limit if rtx_limit >= 0 else None,
                maxPacketLifeTime=lifetime_ms if lifetime_ms >= 0 else None,
            )
            self._channels[asked] = self._sctp.RTCDataChannel(self._transport, parameters)
        channel = self._channels[asked]
        if channel.readyState == "open":  # else the association is over
            channel.send(bytes(size))

    def close(self) -> None:
        """aiortc ends with ABORT: it never asks for a shutdown."""
        self._do(self._transport.stop())

    def counters(self) -> dict[str, int]:
        return dict(self._transport.counters)

    def _do(self, what: Any) -> None:
        self._doing = asyncio.ensure_future(what)
