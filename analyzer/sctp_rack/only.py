# SPDX-License-Identifier: BSD-2-Clause
"""A summary of one association alone: what is said of the capture itself stays."""

from dataclasses import replace

from sctp_rack.errors import UsageError
from sctp_rack.summary import Summary


def only(summary: Summary, assoc: int) -> Summary:
    """Without the others. Raises `UsageError` where there is no such association."""
    found = [one for one in summary.associations if one.assoc == assoc]
    if not found:
        last = max((one.assoc for one in summary.associations), default=None)
        if last is None:
            raise UsageError(f"{summary.capture}: no association in it")
        there = f"they are numbered 0 to {last:,}" if last else "there is only 0"
        raise UsageError(f"{summary.capture}: no association {assoc}: {there}")
    findings = [finding for finding in summary.findings if finding.assoc == assoc]
    return replace(summary, associations=found, findings=findings)
