# SPDX-License-Identifier: BSD-2-Clause
"""How late messages were, by stream and protocol, and of what parts that is made."""
