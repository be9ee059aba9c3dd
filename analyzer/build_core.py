# SPDX-License-Identifier: BSD-2-Clause
"""What Python sees of the core: its own headers, read as they are, with its sources compiled in."""

import os
import re
import shlex
import subprocess
import sys
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
    "association/filled_again.h",
    "association/association.h",
    "journal/spool.h",
    "association/registry.h",
    "journal/tables.h",
    "journal/told.h",
    "journal/share.h",
    "journal/rows.h",
    "journal/journal.h",
    "limits/congestion_window.h",
    "limits/imagined.h",
    "engine/paths.h",
    "model/profiles.h",
    "model/model.h",
    "model/crossing.h",
    "engine/rows.h",
    "engine/engine.h",
    "engine/crowd.h",
    "capture/icmp.h",
    "capture/reader.h",
    "dtls/totals.h",
    "session.h",
    "findings/cuts.h",
    "findings/icmp_meaning.h",
)


#: Headers of the core that no other of these includes.
_OPENING = (
    *("session.h", "model/crossing.h", "engine/crowd.h", "findings/cuts.h"),
    "findings/icmp_meaning.h",
    *("limits/congestion_window.h", "limits/imagined.h"),
    *("wire/chunk.h", "wire/layout.h", "wire/plausible.h"),
)


def declarations(header: Path) -> str:
    """What cffi reads of a header: no inline functions, of the directives `#define NAME number`."""
    text = re.sub(r"^static inline .*?^}$", "", header.read_text(), flags=re.DOTALL | re.MULTILINE)
    return re.sub(r"^#(?!define \w+ \d+$).*$", "", text, flags=re.MULTILINE)


def builds(text: str, *options: str) -> bool:
    """Whether compiler and linker make a library of that, and have nothing to say of it."""
    compiler = shlex.split(sysconfig.get_config_var("CC") or "cc")
    with tempfile.TemporaryDirectory() as folder:
        source, library = Path(folder, "one.c"), Path(folder, "one.so")
        source.write_text(text)
        command = [*compiler, "-shared", "-fPIC", "-o", str(library), str(source), *options]
        try:
            done = subprocess.run(command, capture_output=True)
        except OSError:
            return False
    return done.returncode == 0 and not done.stderr


def whole_program() -> list[str]:
    """The option that optimises over all files at once, where compiler and linker know it.

    The core's files are small and call each other for every packet: with it they run a seventh
    faster.
    """
    return ["-flto=auto"] if builds("int one(void) { return 1; }\n", "-flto=auto") else []


#: What the core asks of libcrypto is there from OpenSSL 3.0 on.
_CIPHERS = """
#include <openssl/evp.h>
#if OPENSSL_VERSION_MAJOR < 3
#error
#endif
void *one(void) { return EVP_CIPHER_CTX_new(); }
"""

#: Into the extension, so that it needs no library where it runs, before that of the system.
_LIBCRYPTO = (
    ("-l:libcrypto.a", "-Wl,--exclude-libs,libcrypto.a", "-ldl", "-pthread"),
    ("-lcrypto",),
)


def ciphers() -> list[str] | None:
    """What links libcrypto, which decrypts DTLS; None where it is missing or unwanted.

    SCTP_RACK_CIPHERS=shared leaves it outside, as distributions want it; =off builds without.
    """
    wanted = os.environ.get("SCTP_RACK_CIPHERS")
    if wanted == "off":
        return None
    for options in _LIBCRYPTO[wanted == "shared" :]:
        if builds(_CIPHERS, *options):
            return [*options]
    print(
        "sctp-rack is built without OpenSSL 3 (Debian: libssl-dev): DTLS is read by tshark alone",
        file=sys.stderr,
    )
    return None


libcrypto = ciphers()
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
    define_macros=[] if libcrypto is None else [("SR_CIPHERS", None)],
    extra_compile_args=["-std=c11", "-O3", "-pthread", "-fvisibility=hidden", *whole_program()],
    extra_link_args=["-O3", "-pthread", *whole_program(), *(libcrypto or [])],
)
