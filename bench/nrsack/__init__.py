# SPDX-License-Identifier: BSD-2-Clause
"""The figures of the NR-SACK paper (Natarajan and others) from runs of usrsctp in virtual time.

What the paper did (section IV): ns-2, a sender that always has data, unordered, in packets of 1500
bytes; one dumbbell (Figure 5), or two for CMT (Figure 6), each with a bottleneck of 100 Mbit/s,
drop tail, its queue the bandwidth times 100 ms; 30 ms one way (14 + 2 + 14). HTTP, video and FTP
fill the bottleneck both ways, in four loads, the mean length of the queue over its size: low (15 %,
less than 0.1 % lost), mild (45 %, 1 to 2 %), medium (60 %, 3 to 4 %), heavy (85 %, 8 to 9 %). Of
two paths the second has the low load. Send buffers of 32 KiB, 64 KiB and without a limit, for CMT
of 128 KiB, 256 KiB and without. The sender warms up for 20 s and is measured until 70 s; 30 runs,
means with 95 % confidence intervals. CMT sends again on the path of the largest ssthresh.

    Figure   x       y                                                        lines
    7        load    RtxQ_Util_L: k/r in loss recovery (while gaps are told)  send buffers; SACK
    8        load    RtxQ_Util: k/r over the whole trace                      send buffers; SACK
    9        load    RtxQ_Util of CMT                                         send buffers; SACK
    10-12    time    bytes in the queue of CMT, 128 KiB                       SACK; NR-SACK
    13       buffer  mean timeouts of CMT under the heavy load                SACK and NR-SACK
    14       load    throughput of CMT                                        buffers; both
    15       load    mean bytes in the queue of CMT without a limit           SACK and NR-SACK

What is other here, and why the shape stays (`paper.py`):
- No cross traffic: its mean queue is delay, its loss is loss, both ways, each packet by itself or
  in bursts. RTT and loss rate set the window of a sender (its square root law), and that with the
  send buffer is what the figures are about.
- The flow has 10 Mbit/s of the bottleneck and a queue of 100 ms of that to itself, so that slow
  start ends. Above the low load loss keeps it far below.
- Low is 0.1 %: the upper end of the paper's, as most packets are of that path.
- 3 s of warm-up; 8 s are measured, 6 s with two paths, not 50: intervals are wider. Without a limit
  the buffer is 16 MiB, which nothing fills.
- The stack is usrsctp: it has an RTO of at least 1 s as ns-2, three missing reports, a limit on
  bursts of four; where it differs is told in notebooks/nr-sack-paper.md.

`python -m bench.nrsack` runs all (half an hour of processor time; `--jobs 2` halves it) and writes
`results.parquet`, `evolution.parquet` and `two_paths.parquet`, which the notebook reads.
"""
