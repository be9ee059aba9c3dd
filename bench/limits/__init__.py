# SPDX-License-Identifier: BSD-2-Clause
"""How right the table `limits` is: runs limited by one thing each, and what their stacks say."""
