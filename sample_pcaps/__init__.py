# SPDX-License-Identifier: BSD-2-Clause
"""Sample captures, their truth, their stories and the code that makes them."""
