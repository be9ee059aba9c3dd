# SPDX-License-Identifier: BSD-2-Clause
"""What the Wireshark plugin costs: `python -m bench.plugin`."""
