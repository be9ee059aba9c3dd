# SPDX-License-Identifier: BSD-2-Clause
"""A plugin of pytest: sctp_rack has the core that SCTP_RACK_MUTATED_CORE names."""

import importlib.util
import os
import sys
from importlib.machinery import ExtensionFileLoader

_path = os.environ["SCTP_RACK_MUTATED_CORE"]
_loader = ExtensionFileLoader("sctp_rack._core", _path)
_spec = importlib.util.spec_from_file_location("sctp_rack._core", _path, loader=_loader)
assert _spec is not None
_module = importlib.util.module_from_spec(_spec)
_loader.exec_module(_module)
sys.modules["sctp_rack._core"] = _module
