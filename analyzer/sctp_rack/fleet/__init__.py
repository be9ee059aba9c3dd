# SPDX-License-Identifier: BSD-2-Clause
"""A fleet of captures as one dataset: what is read of each, where it lies, and what it is asked."""
