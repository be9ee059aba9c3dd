# SPDX-License-Identifier: BSD-2-Clause
"""python -m sample_pcaps.generate.as_document NAME.truth.ndjson: the truth as one JSON object."""

import json
import sys
from pathlib import Path

from . import truth

if __name__ == "__main__":
    json.dump(truth.read(Path(sys.argv[1])), sys.stdout)
