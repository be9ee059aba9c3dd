# SPDX-License-Identifier: BSD-2-Clause
"""Objects draw themselves in the kernel of a notebook."""

from pathlib import Path

import nbformat
from nbclient import NotebookClient

CELLS = (
    "import sctp_rack\ncapture = sctp_rack.read()\ncapture",
    "capture.associations[0]",
    "capture.associations[0].a2b",
    "capture.transmissions.where(kind='retransmission')",
    "sctp_rack.read('nothing.pcap')",
)


def test_a_notebook_draws_captures_associations_directions_and_tables(tmp_path: Path) -> None:
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in CELLS])
    client = NotebookClient(
        notebook,
        timeout=120,
        kernel_name="python3",
        allow_errors=True,
        resources={"metadata": {"path": str(tmp_path)}},
    )
    *drawn, failed = [cell.outputs[0] for cell in client.execute().cells]

    pages = [output.data["text/html"] for output in drawn]
    assert "9 of 30 retransmissions were spurious (certain)" in pages[0]
    assert "handshake, shutdown" in pages[1]
    assert "<svg" in pages[2]
    assert "30 rows" in pages[3]
    assert (failed.ename, failed.evalue) == (
        "InputError",
        "nothing.pcap: No such file or directory",
    )
