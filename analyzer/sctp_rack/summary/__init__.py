# SPDX-License-Identifier: BSD-2-Clause
"""What a capture holds, in numbers and as a person reads it."""
