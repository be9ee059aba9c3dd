# SPDX-License-Identifier: BSD-2-Clause
"""When tail loss probes of RACK-TLP would have been due: an estimate.

The model resends nothing itself, so what its probes would have changed afterwards is not in the
capture: each silence of the sender is looked at by itself.
"""

import numpy as np
import numpy.typing as npt

from sctp_rack.association import Direction

#: Time of what is never acknowledged.
_NEVER = np.iinfo(np.int64).max


def probes_due(direction: Direction) -> npt.NDArray[np.int64]:
    """Moments in silences while data is outstanding (RFC 8985 section 7.2), in ascending order.

    Nanoseconds since the Unix epoch. A silence begins at a transmission or an acknowledgement, and
    one probe is due in it after 2 SRTT, and TLP.max_ack_delay more where one TSN is outstanding.
    None in recovery, nor before SRTT is known. SRTT and recovery are those of `rack_state`; times
    are the tap's.
    """
    rows, sacks, state = direction.transmissions, direction.sacks, direction.rack_tlp
    if not len(rows) or not len(sacks):
        return np.zeros(0, np.int64)
    first = rows["copy"] == 1
    sent = np.sort(np.ma.getdata(rows["time_ns"]))
    answered = np.ma.getdata(sacks["time_ns"]).astype(np.int64)
    last_sack = np.maximum.accumulate(answered)
    moments = np.unique(np.concatenate([sent, last_sack]))
    begins = moments[:-1]
    lengths = np.diff(moments)
    known = np.searchsorted(last_sack, begins, side="right") - 1
    srtt = np.ma.filled(state["srtt_ns"], 0).astype(np.int64)[known]
    recovering = np.ma.filled(state["in_recovery"], False)[known]
    begun = np.sort(np.ma.getdata(rows["time_ns"])[first])
    ended = np.sort(np.ma.filled(rows["acked_time_ns"], _NEVER)[first])
    outstanding = np.searchsorted(begun, begins, side="right") - np.searchsorted(
        ended, begins, side="right"
    )
    timeout = 2 * srtt + np.where(outstanding == 1, direction.max_ack_delay_ns, 0)
    due = (known >= 0) & (srtt > 0) & ~recovering & (outstanding > 0) & (lengths > timeout)
    moments_due: npt.NDArray[np.int64] = (begins + timeout)[due]
    return moments_due
