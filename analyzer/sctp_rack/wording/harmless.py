# SPDX-License-Identifier: BSD-2-Clause
"""How a name is shown that somebody else chose: nothing in it takes effect where it is read."""


def harmless(name: str) -> str:
    """With an escape in place of what cannot be seen: it steers terminals, or turns text around."""
    return "".join(one if one.isprintable() else _escaped(one) for one in name)


def _escaped(character: str) -> str:
    return character.encode("unicode_escape", "backslashreplace").decode("ascii")
