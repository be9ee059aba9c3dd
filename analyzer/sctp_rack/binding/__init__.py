# SPDX-License-Identifier: BSD-2-Clause
"""The core as Python code holds it: bytes or packets in, batches of rows out."""
