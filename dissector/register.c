/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The protocol `sctp_rack`: a post-dissector that records in the first pass and paints in every pass. */
#include "wireshark.h"
/* before other headers of it */
#include <epan/tap.h>

#include "again.h"
#include "input.h"
#include "paint.h"
#include "preferences.h"
#include "register.h"

static struct sr_recording recording;
static int protocol = -1;
static int tap = -1;
static dissector_handle_t handle;

struct sr_recording *sr_open_recording(void)
{
    return &recording;
}

static void begin_file(void)
{
    sr_recording_begin(&recording);
}

static void end_file(void)
{
    sr_stat_part_ends();
    sr_report_file_ends();
    if (!recording.gui)
        sr_asked_end(&recording.asked, recording.is_renumbered);
    sr_recording_end(&recording);
}

static void filter_again(void)
{
    if (recording.gui && sr_asked_too_early(&recording.asked))
        sr_gui_filter_again(recording.gui);
}

static void file_was_read(void)
{
    sr_recording_file_ended(&recording);
    sr_asked_first_pass_ends(&recording.asked);
    filter_again();
}

static bool record(void *to, const struct sr_packet *packet)
{
    sr_recording_packet(to, packet);
    return true;
}

/* Frames come in order, each once, unless a read filter drops some: then the next takes the number. */
static void record_frame(packet_info *pinfo, proto_tree *tree)
{
    uint32_t before = recording.last_frame;
    const struct sr_engine *engine = recording.engine;
    uint64_t packets = engine ? sr_engine_totals(engine).packets : 0;
    sr_input(pinfo, tree, record, &recording);
    sr_recording_frame(&recording, sr_input_time(pinfo));
    bool any = engine && sr_engine_totals(engine).packets > packets;
    recording.is_renumbered |= any && before >= pinfo->num;
    if (!any)
        return;
    if (!recording.asked.has_first)
        recording.gui = sr_gui_file();
    if (recording.gui || !recording.asked.has_first) /* in Wireshark the filter may change while packets come */
        sr_asked_in_first_pass(&recording.asked);
}

static int dissect(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, void *data _U_)
{
    struct sr_painted *painted;
    if (pinfo->fd->visited) {
        sr_asked_in_second_pass(&recording.asked);
        sr_recording_judge(&recording);
    } else if (tree) {
        record_frame(pinfo, tree);
    }
    painted = wmem_new0(pinfo->pool, struct sr_painted);
    if (sr_paint(&recording, tvb, pinfo, tree, protocol, painted) && have_tap_listener(tap))
        tap_queue_packet(tap, pinfo, painted);
    if (!pinfo->fd->visited && recording.gui && sr_gui_ends_with(recording.gui, pinfo->num))
        filter_again();
    return (int)tvb_captured_length(tvb);
}

void sr_register_protocol(void)
{
    static gint *ett[] = {&sr_ett[0], &sr_ett[1], &sr_ett[2]};
    for (int i = 0; i < SR_FIELD_COUNT; i++)
        sr_hf[i] = -1;
    for (int i = 0; i < SR_EVENT_COUNT; i++)
        sr_ei[i] = (expert_field)EI_INIT;
    protocol = proto_register_protocol("SCTP loss recovery", "SCTP loss recovery", "sctp_rack");
    proto_register_field_array(protocol, sr_hf_registrations, SR_FIELD_COUNT);
    proto_register_subtree_array(ett, array_length(ett));
    expert_register_field_array(expert_register_protocol(protocol), sr_ei_registrations, SR_EVENT_COUNT);
    sr_preferences_register(protocol);
    tap = register_tap(SR_TAP);
    register_init_routine(begin_file);
    register_cleanup_routine(end_file);
    register_postseq_cleanup_routine(file_was_read);
    handle = register_dissector("sctp_rack", dissect, protocol);
    register_postdissector(handle);
}

void sr_register_handoff(void)
{
    set_postdissector_wanted_hfids(handle, sr_input_wanted());
    sr_register_report_menus();
    sr_register_dtls(protocol);
}
