# SPDX-License-Identifier: BSD-2-Clause
"""What another way to acknowledge, or to find losses, would have changed."""
