/* SPDX-License-Identifier: BSD-2-Clause */
/* Types and codes that are known; of others the type alone tells. */
#include "icmp_meaning.h"

static const struct {
    uint8_t version, type, code, meaning;
} known[] = {
    {4, 3, 0, SR_ICMP_NETWORK},    {4, 3, 1, SR_ICMP_HOST},        {4, 3, 2, SR_ICMP_PROTOCOL},
    {4, 3, 3, SR_ICMP_PORT},       {4, 3, 4, SR_ICMP_TOO_BIG},     {4, 3, 6, SR_ICMP_NETWORK},
    {4, 3, 7, SR_ICMP_HOST},       {4, 3, 9, SR_ICMP_PROHIBITED},  {4, 3, 10, SR_ICMP_PROHIBITED},
    {4, 3, 11, SR_ICMP_NETWORK},   {4, 3, 12, SR_ICMP_HOST},       {4, 3, 13, SR_ICMP_PROHIBITED},
    {4, 11, 0, SR_ICMP_LOOP},      {4, 11, 1, SR_ICMP_REASSEMBLY}, {6, 1, 0, SR_ICMP_NETWORK},
    {6, 1, 1, SR_ICMP_PROHIBITED}, {6, 1, 3, SR_ICMP_HOST},        {6, 1, 4, SR_ICMP_PORT},
    {6, 1, 5, SR_ICMP_PROHIBITED}, {6, 1, 6, SR_ICMP_PROHIBITED},  {6, 3, 0, SR_ICMP_LOOP},
    {6, 3, 1, SR_ICMP_REASSEMBLY}, {6, 4, 1, SR_ICMP_PROTOCOL},
};

enum sr_icmp_meaning sr_icmp_meaning(uint8_t version, uint8_t type, uint8_t code)
{
    for (unsigned i = 0; i < sizeof known / sizeof *known; i++)
        if (known[i].version == version && known[i].type == type && known[i].code == code)
            return (enum sr_icmp_meaning)known[i].meaning;
    if (version == 6)
        return type == 1 ? SR_ICMP_OTHER : type == 2 ? SR_ICMP_TOO_BIG : SR_ICMP_PARAMETER;
    return type == 3 ? SR_ICMP_OTHER : type == 4 || type == 5 ? SR_ICMP_HARMLESS : SR_ICMP_PARAMETER;
}
