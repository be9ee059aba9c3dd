# SPDX-License-Identifier: BSD-2-Clause
"""Pages for people: one file each, which needs no network."""
