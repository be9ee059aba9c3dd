# SPDX-License-Identifier: BSD-2-Clause
"""What became of the data of each direction, summed up while rows come."""
