# SPDX-License-Identifier: BSD-2-Clause
"""What a person should know of a capture: each kind of finding in a file of its own."""
