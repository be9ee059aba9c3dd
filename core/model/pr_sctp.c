/* SPDX-License-Identifier: BSD-2-Clause */
/* What seemed marked lost, and was given up instead. */
#include "pr_sctp.h"

static void withdraw(struct sr_model *model, const struct sr_sender *sender, const struct sr_chunk *chunk)
{
    const struct sr_withdrawal withdrawal = {sr_tsn_at(chunk->seq), chunk->copy, sender->number};
    if (sender->parameters.limit_before_mark && chunk->lost & sender->bit)
        model->outbox->lost |= !sr_outbox_add_withdrawal(model->outbox, &withdrawal);
}

void sr_withdraw_marks(struct sr_model *model, int64_t new_cum)
{
    struct sr_board *board = &model->board;
    int64_t end = new_cum < board->nxt ? new_cum + 1 : board->nxt;
    for (int64_t at = sr_board_next(board, SR_SET_OUTSTANDING, sr_board_first(board), end); at < end;
         at = sr_board_next(board, SR_SET_OUTSTANDING, at + 1, end)) {
        const struct sr_chunk *chunk = sr_board_slot(board, at);
        board->steps++;
        if (!chunk->lost)
            continue;
        for (uint32_t i = 0; i < model->active_count; i++)
            withdraw(model, &model->senders[model->active[i]], chunk);
    }
}
