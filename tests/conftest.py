# SPDX-License-Identifier: BSD-2-Clause
"""How Hypothesis searches: the same examples in every run, unless HYPOTHESIS_PROFILE=explore
asks for new ones. How long an example takes is never asserted."""

import os

from hypothesis import settings

settings.register_profile("repeatable", derandomize=True, deadline=None)
settings.register_profile("explore", derandomize=False, deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "repeatable"))
