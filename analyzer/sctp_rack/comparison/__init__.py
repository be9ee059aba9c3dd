# SPDX-License-Identifier: BSD-2-Clause
"""Captures side by side: how fast data came through, how losses were repaired, what that cost."""
