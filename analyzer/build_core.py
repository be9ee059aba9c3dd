# SPDX-License-Identifier: BSD-2-Clause
"""What Python sees of the core: its own headers, read as they are, with its sources compiled in."""

import re
from pathlib import Path

from cffi import FFI

ROOT = Path(__file__).resolve().parent.parent
CORE = ROOT / "core"

#: Headers in the order in which they need each other. They hold plain declarations only.
HEADERS = (
    "names.h",
    "buffer.h",
    "wire/chunk.h",
    "engine/rows.h",
    "engine/flows.h",
    "engine/engine.h",
    "capture/reader.h",
    "session.h",
)


def declarations(header: Path) -> str:
    """The header without its directives; `#define NAME number` stays, which cffi reads."""
    kept = []
    for line in header.read_text().splitlines():
        if not line.startswith("#") or re.fullmatch(r"#define \w+ \d+", line):
            kept.append(line)
    return "\n".join(kept)


ffi = FFI()
ffi.cdef("\n".join(declarations(CORE / header) for header in HEADERS))
ffi.set_source(
    "sctp_rack._core",
    '#include "session.h"\n#include "wire/chunk.h"',
    include_dirs=[str(CORE.relative_to(ROOT))],
    sources=[str(path.relative_to(ROOT)) for path in sorted(CORE.rglob("*.c"))],
    depends=[str(path.relative_to(ROOT)) for path in sorted(CORE.rglob("*.h"))],
    extra_compile_args=["-std=c11", "-O2", "-fvisibility=hidden"],
)
