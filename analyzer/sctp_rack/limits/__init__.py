# SPDX-License-Identifier: BSD-2-Clause
"""What limits the transfer: shares of time, and how they read."""
