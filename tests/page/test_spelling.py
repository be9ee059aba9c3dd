# SPDX-License-Identifier: BSD-2-Clause
"""How the page spells what few captures have: addresses, floats, JSON inside CSV, odd words."""

import json
import struct
from random import Random

from sctp_rack.binding.addresses import address_text

from tests.browser import Page
from tests.page.dropped import in_worker


def test_addresses_read_as_the_command_writes_them(page: Page) -> None:
    random = Random(1)
    addresses = [
        struct.pack(">8HB", *(random.choice([0, 0, 1, 0x20AB]) for _ in range(8)), 6)
        for _ in range(500)
    ]
    addresses += [bytes(16) + b"\6", bytes([192, 0, 2, 1, *bytes(12), 4]), bytes(17)]
    found = in_worker(
        page,
        f"{json.dumps([list(one) for one in addresses])}"
        ".map((one) => addressText(new DataView(Uint8Array.from(one).buffer), 0))",
    )

    assert found == [address_text(one) for one in addresses]


def test_floats_read_as_the_command_writes_them(page: Page) -> None:
    random = Random(1)
    numbers = [random.random() * 10 ** random.randint(-12, 20) for _ in range(500)]
    numbers += [0.0, 1.0, 0.1, 1e-4, 1e-5, 9.999e15, 1e16, 1e22, 1.5e-7, 0.8500000238418579]

    assert in_worker(page, f"{json.dumps(numbers)}.map(floatText)") == [
        repr(number) for number in numbers
    ]


def test_json_in_csv_is_spaced_and_escaped_as_the_command_does(page: Page) -> None:
    texts = [
        json.dumps(value, ensure_ascii=False, separators=(",", ":"))
        for value in (
            {"a": [1, 2], "b": {"c": None}},
            ["a,b:c", 'quoted "one", two', "back\\slash: \\", "\n\t\x01"],
            {"größe": "日本 😀", "del": "\x7f~ "},
            [],
        )
    ]

    assert in_worker(page, f"{json.dumps(texts)}.map(spaced)") == [
        json.dumps(json.loads(text)) for text in texts
    ]
