# SPDX-License-Identifier: BSD-2-Clause
"""A fixed buffer against one that grows: what "Implementing SCTP Auto Buffer Tuning for Linux" has,
from runs of usrsctp, pion and dcSCTP in virtual time.

What the text did: Linux 2.6.37, which gives each socket 122,880 bytes, and the same with a patch: a
send buffer of twice the congestion window, 16,384 bytes at first, a receive buffer of twice what
the application got in a round trip, both up to 3,989,504 bytes, both only growing, and a first
ssthresh of half of that. 10 s, 0, 10 and 100 ms of delay by netem at one interface. B echoes what A
sends. Its figures are lost, and its numbers with them.

What is other here:
- A link of 200 Mbit/s with a queue of 1,000 packets (netem's), 0.1 ms each way of its own, and the
  delay one way, as at one interface. At 10 ms the link holds twice the fixed buffer: without delay
  the link is the limit, with 10 and 100 ms the buffer.
- 5 s; data goes one way, and rates are of what the sender has acknowledged.
- A host that only receives learns from usrsctp the round trip of the handshake. The text's would
  have none, but for the echo.
- Sizes are of user data (usrsctp charges its buffers nothing else); Linux counts the memory.

`python -m bench.buffers` makes all runs (ten minutes) and writes `transfers.parquet` and
`sizes.parquet`, which notebooks/buffers-that-grow.md reads.
"""
