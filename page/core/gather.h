/* SPDX-License-Identifier: BSD-2-Clause */
/* What page.c, gather.c, findings.c and dtls.c share. */
#ifndef SR_PAGE_GATHER_H
#define SR_PAGE_GATHER_H

#include "session.h"

#define EXPORTED(name) __attribute__((export_name(#name), used))

/* The session that the page has, or nothing. */
struct sr_session *page_session(void);

void page_gather_free(void);
void page_findings_free(void);
void page_keys_free(void);

#endif
