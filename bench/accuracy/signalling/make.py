# SPDX-License-Identifier: BSD-2-Clause
"""A capture of signalling without any loss: no retransmission is in it, whatever it looks like."""

from functools import partial
from pathlib import Path
from random import Random

from .ends import Association, Network
from .setting import MS, Setting
from .shapes import users
from .tap import write_capture


def make(setting: Setting, path: Path) -> Path:
    """The same bytes for the same setting."""
    network = Network(setting)
    random = Random(f"users {setting.seed}")
    associations = [Association(network, number) for number in range(setting.associations)]
    for number, association in enumerate(associations):
        application = users(association, setting, random)
        network.at(number * 7 * MS, partial(association.begin, application))
    network.run()
    return write_capture(network, associations, path)
