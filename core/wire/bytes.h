/* SPDX-License-Identifier: BSD-2-Clause */
/* How bytes become numbers: unaligned loads in either byte order. The caller has checked the bounds. */
#ifndef SR_WIRE_BYTES_H
#define SR_WIRE_BYTES_H

#include <stdint.h>

static inline uint16_t sr_be16(const uint8_t *at)
{
    return (uint16_t)(at[0] << 8 | at[1]);
}

static inline uint32_t sr_be32(const uint8_t *at)
{
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | (uint32_t)at[3];
}

static inline uint16_t sr_le16(const uint8_t *at)
{
    return (uint16_t)(at[0] | at[1] << 8);
}

static inline uint32_t sr_le32(const uint8_t *at)
{
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

#endif
