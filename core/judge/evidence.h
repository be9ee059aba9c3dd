/* SPDX-License-Identifier: BSD-2-Clause */
/* The column `evidence`: a bit for each code of docs/verdicts.md. */
#ifndef SR_JUDGE_EVIDENCE_H
#define SR_JUDGE_EVIDENCE_H

#include <stdint.h>

#include "../names.h"

#define SR_EVIDENCE_OF_CAUSES (~UINT64_C(0) << SR_EVIDENCE_K1)

static inline uint64_t sr_bit(enum sr_evidence code)
{
    return UINT64_C(1) << code;
}

#endif
