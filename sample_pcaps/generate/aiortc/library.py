# SPDX-License-Identifier: BSD-2-Clause
"""Loads aiortc's SCTP and nothing else of aiortc, with the host's clock and dice."""

import importlib
import os
import sys
from importlib.util import find_spec
from random import Random
from types import ModuleType
from typing import Any

from .clock import Time, VirtualLoop

_HEADERS = 28  #: of a packet with one DATA chunk


def load(loop: VirtualLoop, options: dict[str, int]) -> Any:
    """The module aiortc.rtcsctptransport. Its package would load media and DTLS."""
    random = Random(options["seed"])
    os.urandom = random.randbytes
    spec = find_spec("aiortc")
    assert spec is not None
    package = ModuleType("aiortc")
    package.__path__ = list(spec.submodule_search_locations or ())
    sys.modules["aiortc"] = package
    dtls: Any = ModuleType("aiortc.rtcdtlstransport")
    dtls.RTCDtlsTransport = object
    sys.modules["aiortc.rtcdtlstransport"] = dtls
    importlib.import_module("aiortc.rtcdatachannel")  # the two load each other, in this order
    sctp: Any = importlib.import_module("aiortc.rtcsctptransport")
    sctp.time = Time(loop)
    if mtu := options["mtu"]:
        sctp.USERDATA_MAX_LENGTH = (mtu - _HEADERS) // 4 * 4
    if initial_tsn := options["initial_tsn"]:
        tag_and_tsn = iter((random.getrandbits(32), initial_tsn))  # in this order it draws them
        sctp.random32 = lambda: next(tag_and_tsn)
    return sctp
