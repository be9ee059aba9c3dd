# SPDX-License-Identifier: BSD-2-Clause
"""python -m sample_pcaps.generate.expected [NAME…]: the engine's rows for the samples, as goldens.

Writes NAME.expected.ndjson, one row for each transmission at the sender's tap. Rows without
verdicts are no goldens: nothing is written until the engine gives them.
"""

import json
import subprocess
import sys
from pathlib import Path

from . import truth
from .catalogue import COMMITTED

FOLDER = Path(__file__).resolve().parent.parent
DECIDED = ("cause", "verdict", "outcome")  #: columns that a golden is about


def main(names: list[str]) -> int:
    """For the named samples, or for all that are committed."""
    for name in names or COMMITTED:
        captures = truth.read(FOLDER / f"{name}.truth.ndjson")["captures"]
        assert isinstance(captures, dict)
        export = [Path(sys.executable).with_name("sctp-rack"), "export", captures["sender"]]
        options = ["--table", "transmissions", "--format", "ndjson"]
        done = subprocess.run([*export, *options], cwd=FOLDER, check=True, capture_output=True)
        rows = [json.loads(line) for line in done.stdout.splitlines()]
        if not any(row[column] for row in rows for column in DECIDED):
            print(f"{name}: the engine decides nothing yet; no file written", file=sys.stderr)
            return 1
        (FOLDER / f"{name}.expected.ndjson").write_bytes(done.stdout)
        print(f"{name}: {len(rows)} rows")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
