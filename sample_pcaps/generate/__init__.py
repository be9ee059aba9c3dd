# SPDX-License-Identifier: BSD-2-Clause
"""Sample captures, made by code: real stacks in virtual time on one link model."""
