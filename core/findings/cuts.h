/* SPDX-License-Identifier: BSD-2-Clause */
/* From where on something is told of: for the rules here and for those of Python, which reads these lines. */
#ifndef SR_FINDINGS_CUTS_H
#define SR_FINDINGS_CUTS_H

/* RTO.Initial (RFC 9260 section 16): how long T1 waits for INIT ACK and COOKIE ACK at first. */
#define SR_T1_NS 1000000000

/* RFC 9260 section 6.2: a receiver must not hold its SACK back for longer. It is also more than the 400 ms one way that
 * ITU-T G.114 calls the most for the planning of networks. */
#define SR_HEALTHY_NS 500000000
/* Round trips that a repair by feedback takes: one to send, one to send again. */
#define SR_REPAIR_ROUNDS 2
/* Causes of ABORT that one sentence names, as many as it names frames: what its sender wrote may differ in each. */
#define SR_MOST_CAUSES 8
/* Stalls of a direction that are told one by one: the longest. */
#define SR_MOST_STALLS 100
/* ITU-T G.1010 appendix I: up to here users of transactions, pages and mail prefer to wait. */
#define SR_LONG_NS 2000000000

/* Slow start takes four round trips for so much (RFC 9260 section 7.2.1): what limits a smaller transfer says little of
 * a larger one. Every copy counts. */
#define SR_NOTABLE_BYTES 65536
/* Without a limit of at least one in so many parts of the time the transfer would take at most half its time. */
#define SR_LIMITED_PART 2
/* Below this class another limit explains the waits as well. */
#define SR_LIMITED_CLASS 3

#endif
