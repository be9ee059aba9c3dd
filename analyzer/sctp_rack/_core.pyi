# SPDX-License-Identifier: BSD-2-Clause
# The compiled core. cffi makes its names from the C headers, so they have no Python types.
from typing import Any

ffi: Any
lib: Any
