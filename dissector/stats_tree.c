/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Statistics as a tree: `-z sctp_rack,tree` and the Statistics menu. */
#include "wireshark.h"
/* before other headers of it */
#include <epan/stats_tree.h>

#include "register.h"
#include "tally.h"

#if SR_WIRESHARK >= 402
#define IN_MENU "SCTP RACK//Loss Recovery"
#else
#define IN_MENU "SCTP RACK/Loss Recovery"
#endif

struct to {
    stats_tree *tree;
    bool is_judged;
};

static void count(void *at, uint32_t assoc, uint8_t from, enum sr_tally_what what, const char *word)
{
    const struct to *to = at;
    char direction[48] = "Without an association";
    if (assoc != SR_NO_ASSOCIATION)
        snprintf(direction, sizeof direction, "Association %u, %s", assoc, sr_dir_names[from]);
    int node = stats_tree_manip_node_int(MN_INCREASE, to->tree, direction, 0, TRUE, what == SR_TALLY_KIND);
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
    struct to to = {tree, end <= painted->recording->judged_transmissions};
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
