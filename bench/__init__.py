# SPDX-License-Identifier: BSD-2-Clause
"""Measurements: speed (run.py) and accuracy (accuracy/)."""
