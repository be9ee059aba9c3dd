# SPDX-License-Identifier: BSD-2-Clause
"""How numbers, names and ends read wherever a person meets them."""
