/* SPDX-License-Identifier: BSD-2-Clause */
/* From the bytes of a capture file, or from packets that a face brings itself, to rows: the reader, the headers below
 * SCTP and the engine as one. This is what a face holds. */
#ifndef SR_SESSION_H
#define SR_SESSION_H

#include "capture/icmp.h"
#include "capture/reader.h"
#include "dtls/totals.h"
#include "engine/engine.h"

struct sr_session;

struct sr_session *sr_session_new(const struct sr_engine_options *options); /* NULL when memory runs out */
void sr_session_free(struct sr_session *session);

/* SCTP over UDP also on this port; before the first bytes. */
void sr_session_name_udp_port(struct sr_session *session, uint16_t port);

/* Whole lines of a TLS key log that decrypts DTLS, before the first bytes. False when memory runs out. */
bool sr_session_keys(struct sr_session *session, const uint8_t *text, size_t length);

/* Where to put the next bytes of the file, and that they are there (0: the file has ended). */
uint8_t *sr_session_space(struct sr_session *session, size_t *room);
void sr_session_filled(struct sr_session *session, size_t count);

/* Reads on until it needs more bytes (SR_READER_MORE), or until about `most_rows` rows wait to be taken
 * (SR_READER_RECORD), or to the end or an error. Only rows of `chunks` are taken before the end. */
enum sr_reader_step sr_session_read(struct sr_session *session, size_t most_rows);

/* Instead of the bytes of a file: each frame, then its packets in their order. Frames are numbered upwards from 1.
 * `time_ns` may be SR_NO_TIME. */
void sr_session_frame(struct sr_session *session, uint64_t frame, int64_t time_ns);

/* A frame without an SCTP packet, and why. */
void sr_session_skip(struct sr_session *session, uint64_t frame, enum sr_skip reason);

/* An SCTP packet of the frame before. False when memory runs out. */
bool sr_session_packet(struct sr_session *session, const struct sr_packet *packet);

/* Judges what was read so far; after the end, or before it: then it may be repeated, and reading goes on. False when
 * memory or the disk runs out, or when it was stopped. */
bool sr_session_judge(struct sr_session *session);

/* Likewise, but waits for so long at most: SR_JUDGING_MORE while it is under way in another thread. Nothing else but to
 * stop it may be asked of the session meanwhile. */
enum sr_judging { SR_JUDGING_MORE, SR_JUDGING_DONE, SR_JUDGING_FAILED };
enum sr_judging sr_session_judge_for(struct sr_session *session, uint32_t ms);

/* Judging under way ends soon, and false, as all later judging does at once: nothing more may be asked of the session.
 * From any thread. */
void sr_session_stop(struct sr_session *session);

/* After judging: the next of the rows that were kept, about `most_rows` of them. False when there are none left. */
bool sr_session_hand_out(struct sr_session *session, size_t most_rows);

/* What could not be done where the reader says SR_READER_NO_MEMORY or judging fails, and the errno of that: NULL where
 * it is memory. */
const char *sr_session_failure(const struct sr_session *session, int *reason);

const struct sr_rows *sr_session_rows(const struct sr_session *session);
void sr_session_clear_rows(struct sr_session *session);

struct sr_session_totals {
    uint64_t frames;                       /* numbered as Wireshark does */
    uint64_t skipped[SR_SKIP_COUNT];       /* frames without an SCTP packet, by reason */
    uint64_t skipped_first[SR_SKIP_COUNT]; /* the first such frame */
    uint64_t further_packets;              /* of frames with more than one */
    uint64_t fragments_left_over;          /* that made no datagram, and may have carried SCTP */
    uint64_t unknown_link_type;            /* the first LINKTYPE that is not read, where there is one */
    int64_t earliest_ns, latest_ns;        /* of all frames; SR_NO_TIME without */
    uint64_t time_steps_back;              /* frames with an earlier time than the frame before */
};

const struct sr_reader *sr_session_reader(const struct sr_session *session);
const struct sr_engine *sr_session_engine(const struct sr_session *session);
/* Those that quote an SCTP packet. */
const struct sr_icmp_errors *sr_session_icmp_errors(const struct sr_session *session);
struct sr_session_totals sr_session_totals(const struct sr_session *session);
struct sr_dtls_totals sr_session_dtls(const struct sr_session *session);

#endif
