# SPDX-License-Identifier: BSD-2-Clause
"""How Hypothesis searches: the same examples in every run, unless HYPOTHESIS_PROFILE=explore
asks for new ones."""

import os

from hypothesis import settings

settings.register_profile("repeatable", derandomize=True)
settings.register_profile("explore", derandomize=False)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "repeatable"))
