# SPDX-License-Identifier: BSD-2-Clause
"""What Python sees of the core: its own headers, read as they are, with its sources compiled in."""

import re
import shlex
import subprocess
import sysconfig
import tempfile
from pathlib import Path

from cffi import FFI

ROOT = Path(__file__).resolve().parent.parent
CORE = ROOT / "core"

#: Headers in the order in which they need each other.
HEADERS = (
    "names.h",
    "buffer.h",
    "wire/tsn.h",
    "wire/tsn_reset.h",
    "wire/time.h",
    "wire/packet.h",
    "wire/chunk.h",
    "wire/layout.h",
    "wire/data.h",
    "wire/sack.h",
    "journal/chain.h",
    "wire/plausible.h",
    "association/loop.h",
    "association/hops.h",
    "association/unseen.h",
    "association/errors.h",
    "association/scoreboard.h",
    "association/taps.h",
    "association/mirror.h",
    "association/association.h",
    "journal/spool.h",
    "association/registry.h",
    "judge/tables.h",
    "judge/told.h",
    "journal/rows.h",
    "journal/journal.h",
    "engine/paths.h",
    "model/profiles.h",
    "model/model.h",
    "model/crossing.h",
    "engine/rows.h",
    "engine/engine.h",
    "engine/crowd.h",
    "capture/icmp.h",
    "capture/reader.h",
    "session.h",
)


#: Headers of the core that no other of these includes.
_OPENING = (
    *("session.h", "model/crossing.h", "engine/crowd.h"),
    *("wire/chunk.h", "wire/layout.h", "wire/plausible.h"),
)


def declarations(header: Path) -> str:
    """What cffi reads of a header: no inline functions, of the directives `#define NAME number`."""
    text = re.sub(r"^static inline .*?^}$", "", header.read_text(), flags=re.DOTALL | re.MULTILINE)
    return re.sub(r"^#(?!define \w+ \d+$).*$", "", text, flags=re.MULTILINE)


def whole_program() -> list[str]:
    """The option that optimises over all files at once, where compiler and linker know it.

    The core's files are small and call each other for every packet: with it they run a seventh
    faster.
    """
    compiler = shlex.split(sysconfig.get_config_var("CC") or "cc")
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "one.c")
        source.write_text("int one(void) { return 1; }\n")
        options = ["-shared", "-fPIC", "-flto=auto", "-o", str(Path(folder, "one.so"))]
        try:
            done = subprocess.run([*compiler, *options, str(source)], capture_output=True)
        except OSError:
            return []
    return ["-flto=auto"] if done.returncode == 0 and not done.stderr else []


ffi = FFI()
ffi.cdef("\n".join(declarations(CORE / header) for header in HEADERS))
ffi.set_source(
    "sctp_rack._core",
    "".join(f'#include "{header}"\n' for header in _OPENING),
    include_dirs=[str(CORE.relative_to(ROOT))],
    sources=[str(path.relative_to(ROOT)) for path in sorted(CORE.rglob("*.c"))],
    depends=[
        "analyzer/build_core.py",
        *(str(path.relative_to(ROOT)) for path in sorted(CORE.rglob("*.h"))),
    ],
    extra_compile_args=["-std=c11", "-O3", "-pthread", "-fvisibility=hidden", *whole_program()],
    extra_link_args=["-O3", "-pthread", *whole_program()],
)
