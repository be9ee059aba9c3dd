# SPDX-License-Identifier: BSD-2-Clause
"""Builds build/sctp-rack.html: the core as WebAssembly, and style and scripts, in one file.

The policy in it forbids every request; scripts and style are named in it by what they are.
"""

import argparse
import base64
import fcntl
import hashlib
import json
import subprocess
import sys
from html import escape
from pathlib import Path

from sctp_rack import __version__
from sctp_rack.columns.layout import CORE_TABLES
from sctp_rack.plots.style import custom_properties

from page import mbedtls
from page.layout import check, layout
from page.parquet_schema import parquet_schema

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "page"
BUILD = ROOT / "build" / "page"
STYLE = ROOT / "analyzer" / "sctp_rack" / "report" / "templates" / "page.css"

#: In the order in which they need each other.
WORKER = (
    *("wasi", "dtls", "capture", "columns", "lines", "analysis"),
    *("say", "shelf", "feedback", "evidence", "story"),
    *("remark", "pcapng", "annotate", "parquet", "worker"),
)
VIEW = (
    "words",
    "headline",
    "findings",
    "dtls",
    "directions",
    "legend",
    "places",
    "limits",
    "axes",
    "graph",
    "table",
    "story",
    "export",
)

#: Bundled from a library (docs/page.md).
PARQUET = PAGE / "parquet" / "hyparquet-writer.js"

#: It is loaded anew with each capture, so its size matters little beside its speed.
_COMPILE = (
    *("clang", "--target=wasm32-wasi", "-mexec-model=reactor", "-std=c11", "-O3", "-flto"),
    *("-D_POSIX_C_SOURCE=200809L", "-fvisibility=hidden", "-Wl,--strip-all"),
    '-DMBEDTLS_CONFIG_FILE="mbedtls_config.h"',
    # As large as that of Linux; below all else, so that its end is that of the memory.
    *("-Wl,--stack-first", "-Wl,-z,stack-size=8388608"),
    # What every browser has that the page runs in (docs/page.md).
    *("-mbulk-memory", "-msimd128", "-msign-ext", "-mnontrapping-fptoint"),
)
#: Instead of them the page has no_threads.c and cipher_mbedtls.c (page/core/).
_LEFT_OUT = ("engine_thread.c", "judging_thread.c", "cipher.c")


def core() -> bytes:
    """The core as WebAssembly, with what the page asks of it; compiled where it has changed."""
    sources = [path for path in (ROOT / "core").rglob("*.c") if path.name not in _LEFT_OUT]
    sources += (PAGE / "core").glob("*.c")
    sources += (mbedtls.source() / "library").glob("*.c")
    headers = [path for folder in (ROOT / "core", PAGE / "core") for path in folder.rglob("*.h")]
    state = hashlib.sha256(repr((_COMPILE, check())).encode())
    for path in sorted([*sources, *headers]):
        state.update(path.read_bytes())
    BUILD.mkdir(parents=True, exist_ok=True)
    compiled = BUILD / f"core-{state.hexdigest()[:16]}.wasm"
    with (BUILD / "core.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not compiled.exists():
            _compile(sources, compiled)
    return compiled.read_bytes()


def _compile(sources: list[Path], output: Path) -> None:
    (BUILD / "layout_check.h").write_text(check())
    ciphers = mbedtls.source() / "include"
    folders = [f"-I{folder}" for folder in (PAGE / "core", ROOT / "core", BUILD, ciphers)]
    made = output.with_suffix(".part")
    command = [*_COMPILE, *folders, "-o", str(made), *map(str, sorted(sources))]
    if subprocess.run(command).returncode:
        sys.exit(f"{command[0]} does not compile the core for WebAssembly")
    made.rename(output)


def _scripts(folder: str, names: tuple[str, ...]) -> str:
    return "\n".join((PAGE / folder / f"{name}.js").read_text() for name in names)


def _script() -> str:
    """What the page runs; the worker's part is a text in it, so that it needs no other file."""
    told = f"const LAYOUT = {json.dumps(layout(), ensure_ascii=False, separators=(',', ':'))};\n"
    tables = json.dumps(
        {table: parquet_schema(table) for table in CORE_TABLES}, separators=(",", ":")
    )
    library = f"LAYOUT.parquet = {tables};\n{PARQUET.read_text()}"
    worker = '"use strict";\n' + told + library + _scripts("worker", WORKER)
    # A script ends at the first "</script", whatever it is in.
    inside = json.dumps(worker, ensure_ascii=False).replace("</", "<\\/")
    text = base64.b64encode(core()).decode()
    return (
        f'"use strict";\n{told}const CORE = "{text}";\nconst WORKER = {inside};\n'
        f"{_scripts('view', (*VIEW, 'page'))}"
    )


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def page() -> str:
    """The whole of it."""
    style = custom_properties() + STYLE.read_text() + (PAGE / "page.css").read_text()
    script = _script()
    policy = (
        "default-src 'none'; base-uri 'none'; form-action 'none'; img-src data:; worker-src blob:; "
        f"script-src {_hash(script)} 'wasm-unsafe-eval'; style-src {_hash(style)}"
    )
    html = (PAGE / "page.html").read_text()
    own, apache = (ROOT / "LICENSES" / f"{name}.txt" for name in ("BSD-2-Clause", "Apache-2.0"))
    of_others = (
        PAGE / name for name in ("libc-licence.txt", "mbedtls-licence.txt", "parquet/licence.txt")
    )
    licences = (own, *of_others, apache)
    licence = escape("\n".join(path.read_text() for path in licences))
    parts = {
        "LICENCE": licence,
        "POLICY": policy,
        "VERSION": __version__,
        "STYLE": style,
        "SCRIPT": script,
    }
    for name, text in parts.items():
        html = html.replace(f"@{name}@", text)
    return html


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(prog="page.build", description=__doc__)
    parser.add_argument("--to", type=Path, default=ROOT / "build" / "sctp-rack.html")
    options = parser.parse_args()
    options.to.parent.mkdir(parents=True, exist_ok=True)
    options.to.write_text(page())
    print(f"{options.to.stat().st_size:,} bytes {options.to}")


if __name__ == "__main__":
    main()
