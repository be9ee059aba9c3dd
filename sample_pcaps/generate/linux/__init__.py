# SPDX-License-Identifier: BSD-2-Clause
"""Linux as a host: a kernel that is a process, in virtual time, and says what it decides."""
