# SPDX-License-Identifier: BSD-2-Clause
"""A run whose application always has data, and whose buffers stay as they are; of any stack."""

from bench.nrsack.greedy_run import Greedy, GreedyRun
from sample_pcaps.generate.run import Run
from sample_pcaps.generate.scenario import Scenario, Stack


class FixedRun(GreedyRun):
    """The sender is not asked for anything."""

    def __init__(self, scenario: Scenario, greedy: Greedy) -> None:
        super().__init__(scenario, greedy)
        self._one = Greedy(greedy.size, 1, greedy.unordered).command.rsplit(" ", 2)[0]

    def _begin(self, name: str) -> None:
        if self.scenario.stack is Stack.USRSCTP:
            super()._begin(name)
            return
        Run._begin(self, name)
        if name == self.scenario.main:
            for _ in range(self._greedy.count):
                self._tell(name, self._one)

    def _ask(self, name: str) -> None:
        """Nothing is needed of the queue."""
