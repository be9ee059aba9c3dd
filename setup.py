# SPDX-License-Identifier: BSD-2-Clause
"""Builds the core into the package; everything else about the package is in pyproject.toml."""

from setuptools import setup

setup(
    cffi_modules=["analyzer/build_core.py:ffi"],
    # One wheel for every CPython from 3.11 on: cffi writes the extension against the stable ABI.
    options={"bdist_wheel": {"py_limited_api": "cp311"}},
)
