# SPDX-License-Identifier: BSD-2-Clause
"""Whether the truth of made runs is the truth: against tshark, and against the stacks' counters."""
