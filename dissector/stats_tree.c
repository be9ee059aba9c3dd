/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Statistics as a tree: `-z sctp_rack,tree` and the Statistics menu. */
#include "wireshark.h"
/* before other headers of it */
#include <epan/stats_tree.h>

#include "ends.h"
#include "register.h"
#include "tally.h"

#define IN_MENU "SCTP loss recovery"

struct to {
    stats_tree *tree;
    const struct sr_recording *recording;
    packet_info *pinfo;
    bool is_judged;
    uint32_t assoc; /* of the direction */
    uint8_t from;
    const char *direction; /* NULL: of none yet */
};

/* With its ends, as associations are numbered anew where a ring buffer begins another file. */
static const char *direction_of(struct to *to, uint32_t assoc, uint8_t from)
{
    if (assoc == SR_NO_ASSOCIATION)
        return "Without an association";
    if (!to->direction || to->assoc != assoc || to->from != from) {
        char *ends = sr_ends_text(to->recording, assoc, from);
        to->assoc = assoc;
        to->from = from;
        to->direction = wmem_strdup_printf(to->pinfo->pool, "Association %u, %s: %s", assoc, sr_dir_names[from], ends);
        g_free(ends);
    }
    return to->direction;
}

static void count(void *at, uint32_t assoc, uint8_t from, enum sr_tally_what what, const char *word)
{
    struct to *to = at;
    int node =
        stats_tree_manip_node_int(MN_INCREASE, to->tree, direction_of(to, assoc, from), 0, TRUE, what == SR_TALLY_KIND);
    node = tick_stat_node(to->tree, sr_tally_titles[what], node, TRUE);
    tick_stat_node(to->tree, word, node, FALSE);
    if (!to->is_judged && what == SR_TALLY_KIND)
        tick_stat_node(to->tree, "Not judged yet (tshark: use -2)", 0, TRUE);
}

static tap_packet_status take(stats_tree *tree, packet_info *pinfo, epan_dissect_t *edt _U_, const void *data,
                              tap_flags_t flags _U_)
{
    const struct sr_painted *painted = data;
    uint64_t end = painted->transmissions.first + painted->transmissions.count;
    struct to to = {
        .tree = tree,
        .recording = painted->recording,
        .pinfo = pinfo,
        .is_judged = end <= painted->recording->judged_transmissions,
    };
    sr_tally(painted, pinfo->num, count, &to);
    return TAP_PACKET_REDRAW;
}

static void begin(stats_tree *tree _U_)
{
}

void sr_register_stats_tree(void)
{
    stats_tree_register_plugin(SR_TAP, "sctp_rack", IN_MENU, 0, take, begin, NULL);
}
