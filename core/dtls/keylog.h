/* SPDX-License-Identifier: BSD-2-Clause */
/* The secrets of TLS sessions by the client's random: lines of a key log, from a file or from decryption secrets
 * (draft-ietf-tls-keylogfile). Lines that no DTLS needs are passed over. */
#ifndef SR_DTLS_KEYLOG_H
#define SR_DTLS_KEYLOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    SR_RANDOM_LENGTH = 32,
    SR_LONGEST_SECRET = 48,     /* a master secret (RFC 5246 section 8.1); a hash of SHA-384 (RFC 8446) */
    SR_KEY_LOG_LIMIT = 1 << 17, /* secrets */
};

enum sr_key_label {
    SR_KEY_MASTER,
    SR_KEY_CLIENT_TRAFFIC,
    SR_KEY_SERVER_TRAFFIC,
    SR_KEY_LABEL_COUNT,
};

struct sr_secret {
    uint8_t label; /* enum sr_key_label */
    uint8_t length;
    uint8_t random[SR_RANDOM_LENGTH];
    uint8_t bytes[SR_LONGEST_SECRET];
};

struct sr_key_log;

struct sr_key_log *sr_key_log_new(void); /* NULL when memory runs out */
void sr_key_log_free(struct sr_key_log *log);

/* Takes whole lines; what is behind the last line's end is a line, too. Of two secrets of one session the later counts.
 * False when memory runs out. */
bool sr_key_log_add(struct sr_key_log *log, const uint8_t *text, size_t length);

/* Valid until more is added. */
const struct sr_secret *sr_key_log_find(const struct sr_key_log *log, enum sr_key_label label, const uint8_t *random);

/* Grows with each secret: what was not found before may be there now. */
uint64_t sr_key_log_secrets(const struct sr_key_log *log);

#endif
