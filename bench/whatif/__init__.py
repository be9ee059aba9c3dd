# SPDX-License-Identifier: BSD-2-Clause
"""What is said to have been otherwise, against runs in which it was."""
