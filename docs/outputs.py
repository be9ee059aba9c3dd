# SPDX-License-Identifier: BSD-2-Clause
"""python docs/outputs.py [--check]: puts in the documents what the commands print that they show.

A block of a document that begins with `$ ` is a command of a shell and its output.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]

_BLOCK = re.compile(r"^```\n\$ (?P<command>.*)\n(?P<output>(?:(?!```).*\n)*)```$", re.MULTILINE)


def with_outputs(text: str) -> str:
    """The document with the outputs of today."""
    return _BLOCK.sub(
        lambda block: f"```\n$ {block['command']}\n{output(block['command'])}```", text
    )


def commands(text: str) -> list[str]:
    """The commands that a document shows."""
    return [block["command"] for block in _BLOCK.finditer(text)]


def output(command: str) -> str:
    """What a command prints in the root of the project, without blanks at the ends of lines.

    Raises `subprocess.CalledProcessError` where it fails.
    """
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", command],
        cwd=ROOT,
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        check=True,
    )
    return "".join(f"{line.rstrip()}\n" for line in done.stdout.splitlines())


def main(arguments: list[str]) -> int:
    """Writes the documents, or with --check says whether they are what the commands print."""
    status = 0
    for document in DOCUMENTS:
        text = document.read_text()
        fresh = with_outputs(text)
        if arguments != ["--check"]:
            document.write_text(fresh)
        elif fresh != text:
            print(f"{document.name}: run `make outputs`", file=sys.stderr)
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
