# SPDX-License-Identifier: BSD-2-Clause
"""The files of the set, and the archive of them: the same files give the same bytes."""

import gzip
import hashlib
import io
import json
import tarfile
from pathlib import Path

from bench.accuracy.truths import TAPS, files_in, run_of
from bench.benchmark_set.baselines import TOOLS, lines_of
from bench.benchmark_set.card import card
from bench.benchmark_set.score import answers_of, results, tallies

ROOT = Path(__file__).resolve().parents[2]
SCORE = ROOT / "bench" / "benchmark_set" / "score.py"
#: What the scorer imports, where it looks for it.
SCORING = (
    "bench/__init__.py",
    *(f"bench/accuracy/{name}.py" for name in ("__init__", "count", "late", "tally", "truths")),
)
LICENCE = ROOT / "LICENSES" / "BSD-2-Clause.txt"
#: Of every file: 1980, before which zip files know no time.
_TIME = 315_532_800


def files_of(folder: Path, version: str, wireshark: str) -> dict[str, bytes]:
    """By name within the archive. Raises `CalledProcessError` where tshark fails."""
    files = _captures(folder)
    for name in SCORING:
        files[name] = (ROOT / name).read_bytes()
    files["score.py"] = SCORE.read_bytes()
    files["LICENSE"] = LICENCE.read_bytes()
    found = {}
    for tool in TOOLS:
        lines = lines_of(tool, folder)
        found[tool] = results(list(tallies(folder, answers_of(map(json.loads, lines)))))
        files[f"baselines/{tool}.ndjson"] = "".join(f"{line}\n" for line in lines).encode()
        files[f"baselines/{tool}.results.json"] = json.dumps(found[tool], indent=1).encode()
    runs = [run_of(path) for path in files_in(folder)]
    files["README.md"] = card(runs, found, version, wireshark).encode()
    files["SHA256SUMS"] = _sums(files)
    return files


def archive(files: dict[str, bytes], name: str) -> bytes:
    """A compressed archive with all below `name`, of no user, time or order of its own."""
    out = io.BytesIO()
    with (
        gzip.GzipFile(filename="", mode="wb", fileobj=out, mtime=0, compresslevel=9) as packed,
        tarfile.open(fileobj=packed, mode="w", format=tarfile.USTAR_FORMAT) as tar,
    ):
        for path, data in sorted(files.items()):
            entry = tarfile.TarInfo(f"{name}/{path}")
            entry.size, entry.mtime = len(data), _TIME
            entry.mode = 0o755 if path == "score.py" else 0o644
            tar.addfile(entry, io.BytesIO(data))
    return out.getvalue()


def _captures(folder: Path) -> dict[str, bytes]:
    """And their truth and keys."""
    files: dict[str, bytes] = {}
    for truth in files_in(folder):
        run = run_of(truth)
        parts = [truth, *(run.capture(tap) for tap in TAPS), *([run.keylog] if run.keylog else [])]
        files |= {f"captures/{path.name}": path.read_bytes() for path in parts}
    return files


def _sums(files: dict[str, bytes]) -> bytes:
    """As `sha256sum --check` reads them."""
    return "".join(
        f"{hashlib.sha256(data).hexdigest()}  {path}\n" for path, data in sorted(files.items())
    ).encode()
