# SPDX-License-Identifier: BSD-2-Clause
"""The page that needs no install: one file of HTML in which the core runs as WebAssembly."""
