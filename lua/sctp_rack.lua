-- SPDX-License-Identifier: GPL-2.0-or-later
-- Why a TSN of SCTP was sent again, whether that was needed, and what RACK-TLP (RFC 8985) would have done.
--
-- One file for Wireshark and tshark 4.0 to 4.6; copy it into the folder of personal Lua plugins (Help > About >
-- Folders). Without Wireshark it returns its model, for tests:
--
--     local rack = loadfile("sctp_rack.lua")()
--
-- docs/lua.md says what the project's engine decides and this file does not. The sections, each below a line across:
--
--     sets of sequence numbers, linked lists     what the model is made of
--     the model of a sender                      RFC 9260, RFC 8985: round trips, timers, probes, marks, data, feedback
--     what a capture shows                       chunks, directions, associations, packets
--     how soon a sender acts                     loops where no handshake shows them
--     where the tap is                           vantage and loop
--     which copy came first, verdicts            fates of the copies of a TSN
--     replay, why a TSN was sent again           the capture through the models; causes, probes, and all of it in order
--     JSON                                       and what tests use: here it ends without Wireshark
--     Wireshark                                  fields and preferences, packets in, painting, SCTP in DTLS
--     summaries, graph, Tools menu               for tshark at the end, for programs, in a window, for a browser
--
-- Each section is a block, as Lua knows 200 local names at a time; what others use is declared before it.
--
-- Lua 5.2 makes room in a table for a name that is set to nil too, mostly by building the table anew. So tables begin
-- with all the names that most of their kind get, and what is rare is set only where it is.

local floor, max, min = math.floor, math.max, math.min
local MS = 1000000
local MODULUS, HALF = 4294967296, 2147483648

-- What can follow feedback or a timer passes the tap within this.
local REACTION_NS = 20 * MS
-- SACK.Delay (RFC 9260 section 16)
local ACK_DELAY_NS = 200 * MS
-- TSNs that the model holds, from the lowest that is not acknowledged.
local WINDOW = 131072

------------------------------------------------------------------------------------------------------------------------
-- Sets of sequence numbers: disjoint runs in rising order, { lo = {...}, hi = {...}, n = count }

local NOTHING = {} -- an empty list, never written to
local NO_RUNS, first_from, new_runs, append_run, runs_of, union, difference, contains, remove_seq, add_run
do
-- The place of the first of `count` rising values that is not below `least`; behind them where all are.
function first_from(values, count, least)
    local first, last = 1, count + 1
    while first < last do
        local middle = floor((first + last) / 2)
        if values[middle] < least then
            first = middle + 1
        else
            last = middle
        end
    end
    return first
end

function new_runs()
    return { lo = {}, hi = {}, n = 0 }
end

NO_RUNS = new_runs() -- never written to

-- Adds a run that is not below the last one; merges it if it touches.
function append_run(runs, lo, hi)
    local n = runs.n
    if n > 0 and lo <= runs.hi[n] + 1 then
        if hi > runs.hi[n] then
            runs.hi[n] = hi
        end
        return
    end
    runs.n = n + 1
    runs.lo[n + 1], runs.hi[n + 1] = lo, hi
end

-- Blocks { first, last, first, last, … } in any order, cut to `from` … `to`.
function runs_of(blocks, count, from, to)
    if count == 0 then
        return NO_RUNS
    end
    local runs, sorted, before = new_runs(), true, nil
    for i = 1, 2 * count, 2 do
        if before and blocks[i] < before then
            sorted = false
        end
        before = blocks[i]
    end
    local order
    if not sorted then
        order = {}
        for i = 1, count do
            order[i] = i
        end
        table.sort(order, function(a, b)
            return blocks[2 * a - 1] < blocks[2 * b - 1]
        end)
    end
    for i = 1, count do
        local at = 2 * (order and order[i] or i) - 1
        local lo, hi = max(blocks[at], from), min(blocks[at + 1], to)
        if lo <= hi then
            append_run(runs, lo, hi)
        end
    end
    return runs
end

function union(a, b)
    if a.n == 0 then
        return b
    elseif b.n == 0 then
        return a
    end
    local runs, i, j = new_runs(), 1, 1
    while i <= a.n or j <= b.n do
        if j > b.n or (i <= a.n and a.lo[i] <= b.lo[j]) then
            append_run(runs, a.lo[i], a.hi[i])
            i = i + 1
        else
            append_run(runs, b.lo[j], b.hi[j])
            j = j + 1
        end
    end
    return runs
end

-- Calls `visit(lo, hi)` for the runs of `a` that are not in `b`.
function difference(a, b, visit)
    local j = 1
    for i = 1, a.n do
        local lo, hi = a.lo[i], a.hi[i]
        while j <= b.n and b.hi[j] < lo do
            j = j + 1
        end
        local k = j
        while lo <= hi do
            if k > b.n or b.lo[k] > hi then
                visit(lo, hi)
                break
            end
            if b.lo[k] > lo then
                visit(lo, b.lo[k] - 1)
            end
            lo = b.hi[k] + 1
            k = k + 1
        end
    end
end

function contains(runs, seq)
    local at = first_from(runs.hi, runs.n, seq)
    return at <= runs.n and runs.lo[at] <= seq
end

function remove_seq(runs, seq)
    local at = first_from(runs.hi, runs.n, seq)
    if at > runs.n or runs.lo[at] > seq then
        return
    end
    local lo, hi = runs.lo[at], runs.hi[at]
    if lo == hi then
        table.remove(runs.lo, at)
        table.remove(runs.hi, at)
        runs.n = runs.n - 1
    elseif seq == lo then
        runs.lo[at] = lo + 1
    elseif seq == hi then
        runs.hi[at] = hi - 1
    else
        runs.hi[at] = seq - 1
        table.insert(runs.lo, at + 1, seq + 1)
        table.insert(runs.hi, at + 1, hi)
        runs.n = runs.n + 1
    end
end

-- Adds `lo` … `hi`; calls `visit` for what was not in it.
function add_run(runs, lo, hi, visit)
    local at = first_from(runs.hi, runs.n, lo - 1)
    local first, from = at, lo
    local new_lo, new_hi = lo, hi
    while at <= runs.n and runs.lo[at] <= hi + 1 do
        if runs.lo[at] > from then
            visit(from, min(runs.lo[at] - 1, hi))
        end
        from = max(from, runs.hi[at] + 1)
        new_lo, new_hi = min(new_lo, runs.lo[at]), max(new_hi, runs.hi[at])
        at = at + 1
    end
    if from <= hi then
        visit(from, hi)
    end
    if at == first then
        table.insert(runs.lo, first, new_lo)
        table.insert(runs.hi, first, new_hi)
        runs.n = runs.n + 1
        return
    end
    runs.lo[first], runs.hi[first] = new_lo, new_hi
    for _ = first + 1, at - 1 do
        table.remove(runs.lo, first + 1)
        table.remove(runs.hi, first + 1)
        runs.n = runs.n - 1
    end
end
end

------------------------------------------------------------------------------------------------------------------------
-- Linked lists through the chunks; `back` and `on` name the fields that link

local new_list, take_out, put_by_seq, put_by_number, sent_before
do
-- By rising `key`, a whole number that no two in the list have.
function new_list(back, on, key)
    return { back = back, on = on, key = key }
end

local function put_behind(list, before, item)
    local back, on = list.back, list.on
    local after
    if before then
        after = before[on]
        before[on] = item
    else
        after = list.head
        list.head = item
    end
    item[back], item[on] = before, after
    if after then
        after[back] = item
    else
        list.tail = item
    end
end

-- Nearly always what is put is the highest, or among the lowest. Once it is not, an index is kept of the list: its
-- items by key, and how many have a key of which 256, and of which 65536.
local FINE, COARSE, WALKED = 256, 65536, 16

local function count_in(index, key, by)
    local fine, coarse = floor(key / FINE), floor(key / COARSE)
    local in_fine, in_coarse = (index.fine[fine] or 0) + by, (index.coarse[coarse] or 0) + by
    index.fine[fine] = in_fine > 0 and in_fine or nil
    index.coarse[coarse] = in_coarse > 0 and in_coarse or nil
end

local function index_of(list)
    local index, item = { items = {}, fine = {}, coarse = {} }, list.head
    while item do
        index.items[item[list.key]] = item
        count_in(index, item[list.key], 1)
        item = item[list.on]
    end
    return index
end

-- The key that a table has next below another; nil where there is none down to `least`.
local function next_below(keys, key, least)
    for below = key - 1, least, -1 do
        if keys[below] then
            return below
        end
    end
    return nil
end

-- The item before `key`; the head is before it.
local function item_before(list, index, key)
    local of_fine, of_coarse = floor(key / FINE), floor(key / COARSE)
    local found = next_below(index.items, key, of_fine * FINE)
    if not found then
        local fine = next_below(index.fine, of_fine, of_coarse * (COARSE / FINE))
        if not fine then
            local coarse = next_below(index.coarse, of_coarse, floor(list.head[list.key] / COARSE))
            fine = next_below(index.fine, (coarse + 1) * (COARSE / FINE), coarse * (COARSE / FINE))
        end
        found = next_below(index.items, (fine + 1) * FINE, fine * FINE)
    end
    return index.items[found]
end

function take_out(list, item)
    local back, on = list.back, list.on
    local before, after = item[back], item[on]
    if before then
        before[on] = after
    else
        list.head = after
    end
    if after then
        after[back] = before
    else
        list.tail = before
    end
    item[back], item[on] = nil, nil
    if list.index then
        local key = item[list.key]
        list.index.items[key] = nil
        count_in(list.index, key, -1)
    end
end

-- What an item with this key is put behind.
local function place_of(list, key)
    local name, tail = list.key, list.tail
    if not tail or tail[name] < key then
        return tail
    end
    local before, at = nil, list.head
    for _ = 1, WALKED do
        if at[name] > key then
            return before
        end
        before, at = at, at[list.on]
    end
    list.index = list.index or index_of(list)
    return item_before(list, list.index, key)
end

local function put(list, before, item)
    put_behind(list, before, item)
    if list.index then
        local key = item[list.key]
        list.index.items[key] = item
        count_in(list.index, key, 1)
    end
end

function put_by_seq(list, item)
    put(list, place_of(list, item.seq), item)
end

function sent_before(a_ns, a_frame, b_ns, b_frame)
    return a_ns < b_ns or (a_ns == b_ns and a_frame < b_frame)
end

-- By the number of the transmission.
function put_by_number(list, item)
    put(list, place_of(list, item.number), item)
end
end

------------------------------------------------------------------------------------------------------------------------
-- The model of a sender: RFC 9260 and RFC 8985 (docs/reference-model.md)
--
-- Times are integer nanoseconds on the sender's clock. A line of sequence numbers unwraps TSNs.

local PROFILES, path_of, new_sender, seq_of, warm, highest_outstanding, advance, zero_window_probe, data_sent
local acknowledge, feedback_arrived, forward_tsn_sent, rtt_measured, tsn_reset, finish, snapshot, state_of, misses_of
do
local IN_FLIGHT, LOST, GAP_ACKED, NR_ACKED, ABANDONED = 1, 2, 3, 4, 5
local NAMES_OF_STATES = { "in_flight", "lost", "gap_acked", "nr_acked", "abandoned" }

PROFILES = {
    -- RACK-TLP; it is not to be used with missing reports (RFC 8985 section 9.2)
    rfc8985 = { rack = true, tlp = true },
    -- three missing reports and T3-rtx
    rfc9260 = { misses = true },
}

local MIN_RTT_WINDOW_NS = 30000 * MS
-- TSNs that are taken back, beside two for each that is sent: a receiver that drops data gets it once more, and who
-- says now this and now that is not followed further.
local TAKEN_BACK = 4096
local PATHS = 16 -- of a sender; further ones count as the last
-- T3-rtx that expires so often, with nothing measured or acknowledged between, stays off (core/model/model.h).
local MOST_TIMEOUTS = 1000

local function new_minimum()
    return { times = {}, values = {}, first = 1, last = 0 }
end

local function add_to_minimum(minimum, now_ns, value)
    local values = minimum.values
    while minimum.last >= minimum.first and values[minimum.last] >= value do
        values[minimum.last], minimum.times[minimum.last] = nil, nil
        minimum.last = minimum.last - 1
    end
    minimum.last = minimum.last + 1
    values[minimum.last], minimum.times[minimum.last] = value, now_ns
end

-- RFC 8985 section 6.2 step 1: a windowed minimum; the last one is kept when the window has run empty.
local function minimum_at(minimum, now_ns)
    while minimum.last > minimum.first and minimum.times[minimum.first] < now_ns - MIN_RTT_WINDOW_NS do
        minimum.values[minimum.first], minimum.times[minimum.first] = nil, nil
        minimum.first = minimum.first + 1
    end
    return minimum.values[minimum.first]
end

local function new_path(sender, name)
    local path = {
        name = name,
        number = #sender.paths + 1,
        backoff = 0,
        min_rtt = new_minimum(),
        own_min_rtt = new_minimum(), -- of what no delayed SACK can have inflated
        rack_rtt_ns = 0,
        reo_wnd_ns = 0,
        reordering_seen = false,
        mult = 1,
        persist = 16,
        t3_armed_ns = 0,
        pto_armed_ns = 0,
        flight = new_list("flight_back", "flight_on", "number"), -- in the order of sending
        outstanding = new_list("out_back", "out_on", "seq"), -- in flight or marked lost, by sequence number
        flight_bytes = 0,
        sacked = {}, -- frame -> chunks of it that are acknowledged out of order
        sacked_packets = 0,
        sacked_chunks = 0,
        passed = nil, -- the last in flight that was sent before RACK.segment
        srtt_ns = nil,
        rttvar_ns = nil,
        t3_ns = nil, -- when timers are due
        t3_off_ns = nil,
        pto_ns = nil,
        reo_ns = nil,
        timed_seq = nil,
        segment_ns = nil, -- RACK.segment
        segment_frame = nil,
        segment_seq = nil,
        fack = nil,
        dsack_round = nil,
        news = {}, -- of the feedback that is being read: chunks that it acknowledges
        news_count = 0,
        earliest = nil,
        cum_acked = false,
        took_back = false,
    }
    sender.paths[path.number] = path
    sender.path_of[name] = path
    return path
end

function path_of(sender, name)
    local path = sender.path_of[name]
    if path then
        return path
    end
    return #sender.paths < PATHS and new_path(sender, name) or sender.paths[PATHS]
end

-- `options` as in PROFILES, max_ack_delay_ns, reports_duplicates, and the variants of tests/vectors.
function new_sender(options)
    return {
        options = options,
        paths = {},
        path_of = {},
        chunks = {}, -- by sequence number, from the cumulative TSN on
        free = { count = 0 }, -- chunks to be used again
        board = new_list("board_back", "board_on", "seq"), -- the same in order
        waiting = new_list("miss_back", "miss_on", "seq"), -- in flight, and missing reports count for it
        board_count = 0, -- of them not given up
        sent_count = 0, -- chunks, each time
        taken_back_count = 0,
        feedback_count = 0,
        gave_up = false,
        una = 0,
        nxt = 0,
        acked_anything = false,
        sacked = new_runs(), -- acknowledged above the cumulative TSN
        non_renegable = new_runs(),
        promised = {}, -- chains over the TSNs that non-renegable blocks acknowledged: what is beside each of them …
        broken = {}, -- … and of these over those whose broken promise was told
        last_path = {}, -- of the TSNs sent lately
        phase = "none",
        exit_seq = 0,
        fence_ns = {},
        fence_seq = {},
        rtt_since_probe = false,
        now_ns = 0,
        says = false, -- whether one of these has grown
        marks = {},
        expectations = {},
        probes = {},
        reneged = {},
        broken_promises = {},
        window_probe = NOTHING,
        a_rwnd = nil,
        reference = nil,
        forward_seq = nil,
        tlp_expected = nil,
        tlp_due_ns = nil,
        tlp_armed_ns = nil,
        tlp_end_seq = nil,
        tlp_is_retrans = nil,
        tlp_probe_seq = nil,
        ack = { -- what the feedback that is being read acknowledges
            cum = nil,
            count = 0, -- of chunks, and of packets that carried them
            packets = 0,
            frame = nil,
            ack_now = nil,
            highest = nil,
            gaps = nil,
            top = nil,
            cum_advanced = nil,
        },
    }
end

function seq_of(sender, tsn)
    local reference = sender.reference
    if not reference then
        reference = tsn
        sender.reference, sender.una, sender.nxt = tsn, tsn, tsn
    end
    local ahead = (tsn - reference) % MODULUS
    return reference + (ahead < HALF and ahead or ahead - MODULUS)
end

function warm(sender, start)
    local path = path_of(sender, start.path)
    path.srtt_ns, path.rttvar_ns = start.srtt_ns, start.rttvar_ns
    add_to_minimum(path.min_rtt, 0, start.min_rtt_ns)
    add_to_minimum(path.own_min_rtt, 0, start.path_min_rtt_ns)
    path.rack_rtt_ns = start.srtt_ns
    path.reordering_seen = start.reordering_seen or false
    path.mult = start.reo_wnd_mult or 1
    sender.rtt_since_probe = true
end

---- what is where

local function into_flight(sender, chunk)
    local path = chunk.path
    put_by_number(path.flight, chunk)
    path.flight_bytes = path.flight_bytes + chunk.bytes
    if sender.options.misses and not chunk.fast_nxt then
        put_by_seq(sender.waiting, chunk)
        chunk.waits = true
    end
end

local function out_of_flight(sender, chunk)
    local path = chunk.path
    if path.passed == chunk then
        path.passed = chunk.flight_back
    end
    take_out(path.flight, chunk)
    path.flight_bytes = path.flight_bytes - chunk.bytes
    if chunk.waits then
        take_out(sender.waiting, chunk)
        chunk.waits = nil
    end
end

local function count_sacked(chunk, by)
    local path, frame = chunk.path, chunk.frame
    local count = (path.sacked[frame] or 0) + by
    if count == 0 or count == by then
        path.sacked_packets = path.sacked_packets + by
    end
    path.sacked[frame] = count > 0 and count or nil
    path.sacked_chunks = path.sacked_chunks + by
end

local function segs_sacked(sender, path)
    return sender.options.sacked_in_chunks and path.sacked_chunks or path.sacked_packets
end

function highest_outstanding(sender)
    local highest
    for i = 1, #sender.paths do
        local tail = sender.paths[i].outstanding.tail
        if tail and (not highest or tail.seq > highest) then
            highest = tail.seq
        end
    end
    return highest or sender.una
end

---- round trips and timers

-- RFC 9260 section 6.3.1, floor divisions in the order of its formulas.
local function rto_ns(path)
    local rto = 1000 * MS
    if path.srtt_ns then
        rto = max(path.srtt_ns + 4 * path.rttvar_ns, 1000 * MS)
    end
    return min(rto * 2 ^ min(path.backoff, 16), 60000 * MS)
end

local function take_rtt(sender, path, rtt_ns)
    local rttvar
    if not path.srtt_ns then
        rttvar = floor(rtt_ns / 2)
        path.srtt_ns = rtt_ns
    else
        local apart = path.srtt_ns - rtt_ns
        rttvar = floor(path.rttvar_ns * 3 / 4) + floor((apart < 0 and -apart or apart) / 4)
        path.srtt_ns = floor(path.srtt_ns * 7 / 8) + floor(rtt_ns / 8)
    end
    path.rttvar_ns = rttvar == 0 and MS or rttvar -- G1: the clock's granularity
    path.backoff = 0
    sender.rtt_since_probe = true
end

local function start_t3(sender, path)
    path.t3_ns = sender.now_ns + rto_ns(path)
    path.t3_armed_ns = sender.now_ns
end

local function stop_t3(sender, path)
    if path.t3_ns then
        path.t3_ns, path.t3_off_ns = nil, sender.now_ns
    end
end

local function stop_idle(sender)
    for i = 1, #sender.paths do
        local path = sender.paths[i]
        if not path.outstanding.head then
            stop_t3(sender, path)
            path.pto_ns, path.reo_ns = nil, nil
        end
    end
end

-- RFC 8985 section 7.2.
local function pto_duration_ns(sender, path)
    if not path.srtt_ns then
        return 1000 * MS
    end
    local duration_ns = 2 * path.srtt_ns
    local head, tail = path.flight.head, path.flight.tail
    if head.frame == tail.frame and head.time_ns == tail.time_ns then
        local last, at = head, head
        while at do
            last = at.seq > last.seq and at or last
            at = at.flight_on
        end
        if not last.ack_now then -- ADAPTATION: a packet whose last chunk has the I bit is not answered late
            duration_ns = duration_ns + (sender.options.max_ack_delay_ns or 200 * MS)
        end
    end
    return duration_ns
end

local function arm_pto(sender, path)
    if
        not sender.options.tlp
        or sender.phase ~= "none"
        or segs_sacked(sender, path) > 0
        or path.reo_ns
        or not path.flight.head
    then
        return
    end
    local due_ns = sender.now_ns + pto_duration_ns(sender, path)
    path.pto_ns = path.t3_ns and min(due_ns, path.t3_ns) or due_ns
    path.pto_armed_ns = sender.now_ns
end

---- probes: RFC 8985 section 7

local function finish_probe(sender, outcome)
    sender.tlp_end_seq, sender.tlp_is_retrans = nil, nil
    sender.probes[#sender.probes].outcome = outcome
end

local function reset_probe(sender, outcome)
    sender.tlp_expected = nil
    if sender.tlp_end_seq then
        finish_probe(sender, outcome)
    end
end

local function enter_recovery(sender, phase, exit_seq)
    sender.phase, sender.exit_seq = phase, exit_seq
    if not sender.options.tlp then
        return
    end
    local outcome = "unresolved"
    if sender.tlp_end_seq then
        local chunk = sender.chunks[sender.tlp_probe_seq]
        if chunk and (chunk.state == GAP_ACKED or chunk.state == NR_ACKED) or sender.tlp_probe_seq < sender.una then
            outcome = "tail_loss_revealed"
        elseif phase == "rto" and chunk and chunk.state == LOST then
            outcome = "probe_lost"
        end
    end
    reset_probe(sender, outcome)
    for i = 1, #sender.paths do
        sender.paths[i].pto_ns = nil
    end
end

local function exits_recovery(sender, cum)
    if sender.phase ~= "none" and cum >= sender.exit_seq then
        sender.phase = "none"
        return true
    end
    return false
end

-- Whether this packet is the probe that was due: new data only, or the TSN that it was to be.
local function claims_probe(sender, sent, resent, new_count, count)
    local expected = sender.tlp_expected
    if not expected or expected.path ~= sent.path then
        return false
    end
    sender.tlp_expected = nil
    sender.tlp_due_ns, sender.tlp_armed_ns = expected.time_ns, expected.armed_ns
    if sent.time_ns > expected.time_ns + REACTION_NS then
        return false
    end
    if new_count == count then
        return true
    end
    for i = 1, #resent do
        if resent[i] % MODULUS == expected.tsn then
            return new_count == 0
        end
    end
    return false
end

local function probe_sent(sender, sent, probe_seq, is_retrans)
    sender.tlp_end_seq, sender.tlp_is_retrans = sender.nxt, is_retrans
    sender.rtt_since_probe = false
    sender.tlp_probe_seq = probe_seq
    sender.says = true
    sender.probes[#sender.probes + 1] = {
        path = sent.path,
        tsn = probe_seq % MODULUS,
        frame = sent.frame,
        kind = is_retrans and "retransmission" or "new_data",
        armed_ns = sender.tlp_armed_ns,
        expected_ns = sender.tlp_due_ns,
        sent_ns = sent.time_ns,
    }
end

local function probe_feedback(sender, feedback, dups, nothing_new)
    sender.tlp_expected = nil -- what follows feedback is sent because of it
    if not sender.tlp_end_seq or sender.una < sender.tlp_end_seq then
        return
    end
    local reports = next(dups) ~= nil or sender.options.reports_duplicates
    local duplicate_ack = nothing_new
        and feedback.gap_count == 0
        and feedback.nr_gap_count == 0
        and feedback.dup_count == 0
        and feedback.kind ~= "shutdown"
        and feedback.a_rwnd == sender.a_rwnd
    if not sender.tlp_is_retrans then
        finish_probe(sender, nil)
    elseif dups[sender.tlp_probe_seq] then
        finish_probe(sender, "spurious")
    elseif sender.una > sender.tlp_end_seq then
        finish_probe(sender, reports and "repaired_single_loss" or "repaired_or_ack_loss")
    elseif duplicate_ack and not reports then
        finish_probe(sender, "spurious")
    end
end

---- marks

local function mark(sender, chunk, trigger, by_frame, reo_wnd)
    local path = chunk.path
    sender.says = true
    sender.marks[#sender.marks + 1] = {
        path = path.name,
        tsn = chunk.seq % MODULUS,
        copy = chunk.copies,
        frame = chunk.frame,
        by_frame = by_frame,
        time_ns = sender.now_ns,
        trigger = trigger,
        reo_wnd_ns = reo_wnd,
        rack_rtt_ns = sender.options.rack and path.rack_rtt_ns or nil,
        min_rtt_ns = minimum_at(path.min_rtt, sender.now_ns),
    }
    out_of_flight(sender, chunk)
    chunk.state = LOST
end

-- RFC 8985 section 6.2 step 4: RACK.reo_wnd.
local function reordering_window_ns(sender, path, in_recovery)
    if not path.reordering_seen and (in_recovery or segs_sacked(sender, path) >= 3) then
        return 0
    end
    local min_rtt_ns = minimum_at(path.min_rtt, sender.now_ns)
    if not min_rtt_ns or not path.srtt_ns then
        return 0
    end
    return min(floor(path.mult * min_rtt_ns / 4), path.srtt_ns)
end

-- RFC 8985 section 6.2 step 5 on one path, at feedback and at the reordering timer (without `by_frame`).
local function detect_by_time(sender, path, by_frame, in_recovery)
    path.reo_wnd_ns = reordering_window_ns(sender, path, in_recovery)
    local suspended = path.reo_ns ~= nil
    local exit_seq, any
    path.reo_ns = nil
    if path.segment_ns then
        local wait_ns = path.rack_rtt_ns + path.reo_wnd_ns
        local segment_ns, segment_frame = path.segment_ns, path.segment_frame
        local chunk = path.flight.head
        while
            chunk
            and chunk.time_ns + wait_ns <= sender.now_ns
            and sent_before(chunk.time_ns, chunk.frame, segment_ns, segment_frame)
        do
            local following = chunk.flight_on
            exit_seq = exit_seq or highest_outstanding(sender)
            mark(sender, chunk, by_frame and "ack" or "timer", by_frame, path.reo_wnd_ns)
            any = true
            chunk = following
        end
        -- In the order of sending the last of the rest is due last.
        local following
        if path.passed then
            following = path.passed.flight_on
        else
            following = path.flight.head
        end
        while following and sent_before(following.time_ns, following.frame, segment_ns, segment_frame) do
            path.passed = following
            following = following.flight_on
        end
        if path.passed then
            path.reo_ns = path.passed.time_ns + wait_ns
        end
    end
    if suspended and not path.reo_ns and path.t3_ns and path.t3_ns <= sender.now_ns then
        start_t3(sender, path) -- ADAPTATION: it became due while it was suspended
    end
    if path.reo_ns then
        path.pto_ns = nil
    end
    if any and sender.phase == "none" then
        enter_recovery(sender, "fast", exit_seq)
    end
end

local function expect(sender, action, path, seq, armed_ns)
    local expectation = {
        action = action,
        path = path.name,
        time_ns = sender.now_ns,
        tsn = seq % MODULUS,
        armed_ns = armed_ns,
    }
    sender.says = true
    sender.expectations[#sender.expectations + 1] = expectation
    return expectation
end

local function pto_expired(sender, path)
    path.pto_ns = nil
    if not sender.tlp_end_seq and sender.rtt_since_probe then
        sender.tlp_expected = expect(sender, "probe", path, path.outstanding.tail.seq, path.pto_armed_ns)
    end
    start_t3(sender, path)
end

local function t3_expired(sender, path)
    path.t3_ns = nil
    local first = path.outstanding.head
    local exit_seq = highest_outstanding(sender)
    local marked, chunk = {}, path.flight.head
    -- RFC 8985 section 6.3; without RACK all is marked, RFC 9260 section 6.3.3 E3.
    local sent_ns = sender.options.rack and sender.now_ns - path.rack_rtt_ns - path.reo_wnd_ns or math.huge
    while chunk and chunk.time_ns <= sent_ns do
        marked[#marked + 1] = chunk
        chunk = chunk.flight_on
    end
    if first.state == IN_FLIGHT and first.time_ns > sent_ns then
        marked[#marked + 1] = first
    end
    table.sort(marked, function(a, b)
        return a.seq < b.seq
    end)
    for i = 1, #marked do
        mark(sender, marked[i], "rto", nil, sender.options.rack and path.reo_wnd_ns or nil)
    end
    if first.state == LOST then
        expect(sender, "t3", path, first.seq, path.t3_armed_ns)
    end
    path.backoff = path.backoff + 1
    enter_recovery(sender, "rto", exit_seq)
    if path.flight.head and path.backoff < MOST_TIMEOUTS then
        start_t3(sender, path)
    end
end

-- The timer that fires next: of a path the reordering timer, else the PTO, else T3-rtx (RFC 8985 section 8).
local function next_due(sender)
    local due_ns, due_path
    for i = 1, #sender.paths do
        local path = sender.paths[i]
        local ns = path.reo_ns or path.pto_ns or path.t3_ns
        if ns and (not due_ns or ns < due_ns) then
            due_ns, due_path = ns, path
        end
    end
    return due_ns and max(due_ns, sender.now_ns), due_path
end

function advance(sender, until_ns, inclusive)
    if until_ns < sender.now_ns then
        error("time runs backwards")
    end
    while true do
        local due_ns, path = next_due(sender)
        if not due_ns or due_ns > until_ns or (due_ns == until_ns and not inclusive) then
            break
        end
        sender.now_ns = due_ns
        if path.reo_ns then
            detect_by_time(sender, path, nil, sender.phase ~= "none")
        elseif path.pto_ns then
            pto_expired(sender, path)
        else
            t3_expired(sender, path)
        end
    end
    sender.now_ns = until_ns
end

---- data

local function fence_put(sender, seq, now_ns)
    local seqs, times = sender.fence_seq, sender.fence_ns
    local n = #seqs
    while n > 0 and seqs[n] >= seq do
        seqs[n], times[n] = nil, nil
        n = n - 1
    end
    seqs[n + 1], times[n + 1] = seq, now_ns
end

-- RFC 9260 section 6.3.1 C5: no TSN up to this one was retransmitted since it was sent.
local function fence_allows(sender, seq, sent_ns)
    local count = #sender.fence_ns
    local first = first_from(sender.fence_ns, count, sent_ns)
    return first > count or sender.fence_seq[first] > seq
end

-- One that was acknowledged cumulatively, if there is any, else one with room for all its fields.
local function new_chunk(sender)
    local free = sender.free
    if free.count > 0 then
        free.count = free.count - 1
        return free[free.count + 1]
    end
    return {
        seq = nil,
        number = nil, -- of its latest transmission, among all
        bytes = nil,
        ack_now = nil,
        path = nil,
        taken_at = nil, -- the feedback that took it back
        copies = nil, -- transmissions that the model takes for such
        total = nil,
        state = nil,
        first = nil,
        time_ns = nil,
        frame = nil,
        misses = nil,
        waits = nil,
        fast_nxt = nil,
        miss_back = nil,
        miss_on = nil,
        board_back = nil,
        board_on = nil,
        out_back = nil,
        out_on = nil,
        flight_back = nil,
        flight_on = nil,
    }
end

-- True where the TSN is sent for the first time.
local function send_chunk(sender, data, seq, path, sent)
    if seq < sender.una and not sender.acked_anything then
        sender.una = seq
    end
    local chunk = sender.chunks[seq]
    if seq < sender.una then
        return false
    end
    if chunk then
        chunk.total = chunk.total + 1
        if chunk.state ~= IN_FLIGHT and chunk.state ~= LOST then
            return false
        end
    end
    sender.last_path[seq % 4096] = path
    sender.last_path[-1 - seq % 4096] = seq
    sender.sent_count = sender.sent_count + 1
    if not chunk then
        chunk = new_chunk(sender)
        chunk.number, chunk.taken_at = sender.sent_count, nil
        chunk.seq, chunk.bytes, chunk.ack_now, chunk.path = seq, data.bytes, data.ack_now, path
        chunk.time_ns, chunk.frame = sent.time_ns, sent.frame
        chunk.copies, chunk.total = 1, 1
        chunk.first = true -- sent once: it can give a round-trip sample
        chunk.state, chunk.misses, chunk.waits, chunk.fast_nxt = IN_FLIGHT, 0, nil, nil
        if seq < sender.nxt then -- late, in a hole
            remove_seq(sender.sacked, seq)
            remove_seq(sender.non_renegable, seq)
        else
            sender.nxt = seq + 1
        end
        sender.chunks[seq] = chunk
        put_by_seq(sender.board, chunk)
        sender.board_count = sender.board_count + 1
        put_by_seq(path.outstanding, chunk)
        into_flight(sender, chunk)
        return true
    end
    if chunk.fast_nxt then
        chunk.fast_nxt = sender.nxt
    end
    if chunk.state == IN_FLIGHT then
        out_of_flight(sender, chunk)
    end
    if chunk.path ~= path then
        take_out(chunk.path.outstanding, chunk)
        chunk.path = path
        put_by_seq(path.outstanding, chunk)
    end
    chunk.number, chunk.copies = sender.sent_count, chunk.total
    chunk.state, chunk.first, chunk.misses = IN_FLIGHT, false, 0
    chunk.time_ns, chunk.frame = sent.time_ns, sent.frame
    into_flight(sender, chunk)
    return false
end

local function window_is_closed(sender, seqs, count)
    if not sender.a_rwnd then
        return false
    end
    for i = 1, count do
        local chunk = sender.chunks[seqs[i]]
        if chunk then
            return sender.a_rwnd < chunk.bytes
        end
    end
    return false
end

-- RFC 9260 section 6.1: with no window, and nothing else out, one chunk is sent to probe it.
function zero_window_probe(sender, seqs, count, resent)
    if not window_is_closed(sender, seqs, count) then
        return NOTHING
    end
    local settled = 0
    for i = 1, count do
        local chunk = sender.chunks[seqs[i]]
        if chunk and chunk.state ~= ABANDONED then
            settled = settled + 1
        end
    end
    if settled ~= sender.board_count then
        return NOTHING
    end
    for i = 1, #resent do
        local known = false
        for j = 1, #sender.window_probe do
            known = known or sender.window_probe[j] == resent[i]
        end
        if not known then
            return NOTHING
        end
    end
    local probe = {}
    for i = 1, count do
        probe[i] = seqs[i]
    end
    return probe
end

local function probe_becomes_data(sender)
    sender.window_probe = NOTHING
    for i = 1, #sender.paths do
        local path = sender.paths[i]
        if not path.t3_ns and path.flight.head then
            start_t3(sender, path)
        end
    end
end

local function arm_after_data(sender, sent, seqs, count, resent, new_count)
    local path = path_of(sender, sent.path)
    stop_idle(sender)
    local earliest = path.outstanding.head
    if not earliest then
        return
    end
    if sender.options.tlp and claims_probe(sender, sent, resent, new_count, count) then
        local probe_seq = seqs[1]
        for i = 2, count do
            probe_seq = max(probe_seq, seqs[i])
        end
        path.pto_ns = nil
        probe_sent(sender, sent, probe_seq, #resent > 0)
        start_t3(sender, path)
        return
    end
    local probe = zero_window_probe(sender, seqs, count, resent)
    if #sender.window_probe > 0 and #probe == 0 then
        probe_becomes_data(sender)
    end
    sender.window_probe = probe
    if #probe > 0 then
        return
    end
    local earliest_resent = false
    for i = 1, #resent do
        earliest_resent = earliest_resent or resent[i] == earliest.seq
    end
    if not path.t3_ns then
        local since_ns, off_ns = path.t3_armed_ns, path.t3_off_ns
        start_t3(sender, path)
        if off_ns and sender.now_ns - off_ns <= REACTION_NS then
            path.t3_armed_ns = since_ns -- perhaps it was never off: the data was on its way already
        end
    elseif earliest_resent then
        start_t3(sender, path)
    end
    if new_count > 0 then
        arm_pto(sender, path)
    end
end

-- Of the packet that is being sent: it costs nothing to use them again.
local SEQS, DATA_OF, NEW = {}, {}, {}

local function place_in(seqs, count, seq)
    for i = 1, count do
        if seqs[i] == seq then
            return i
        end
    end
    return count + 1
end

-- `sent`: frame, time_ns, path, chunks { tsn, bytes, ack_now }. False where a TSN is too far from all others.
function data_sent(sender, sent)
    advance(sender, sent.time_ns, true)
    local path = path_of(sender, sent.path)
    local seqs, data, new, count, again = SEQS, DATA_OF, NEW, 0, NOTHING
    for i = 1, #sent.chunks do
        local seq = seq_of(sender, sent.chunks[i].tsn)
        if seq - sender.una > WINDOW or sender.nxt - seq > 2 * WINDOW then
            return false
        end
        local at = place_in(seqs, count, seq)
        if at <= count then -- ADAPTATION: a TSN that is twice in one packet was transmitted once
            again = again == NOTHING and {} or again
            again[#again + 1] = seq
        else
            count = at
            seqs[at] = seq
        end
        data[at] = sent.chunks[i]
    end
    local new_count, resent = 0, NOTHING
    for i = 1, count do
        new[i] = send_chunk(sender, data[i], seqs[i], path, sent)
    end
    for i = 1, #again do
        local chunk = sender.chunks[again[i]]
        if chunk then
            chunk.total = chunk.total + 1
        end
    end
    for i = 1, count do
        local seq = seqs[i]
        if new[i] then
            new_count = new_count + 1
            path.timed_seq = path.timed_seq or seq
        else
            resent = resent == NOTHING and {} or resent
            resent[#resent + 1] = seq
            fence_put(sender, seq, sent.time_ns)
            for j = 1, #sender.paths do
                local other = sender.paths[j]
                if other.timed_seq and seq <= other.timed_seq then
                    other.timed_seq = nil
                end
            end
        end
    end
    arm_after_data(sender, sent, seqs, count, resent, new_count)
    return true
end

---- feedback

local function new_ack(sender, cum)
    local ack = sender.ack
    ack.cum, ack.count, ack.packets = cum, 0, 0
    ack.frame, ack.ack_now, ack.highest = nil, nil, nil
    return ack
end

-- What the acknowledgement of a chunk tells a path.
local function deliver(sender, chunk, ack)
    local path = chunk.path
    path.news_count = path.news_count + 1
    path.news[path.news_count] = chunk
    ack.count = ack.count + 1
    if chunk.frame ~= ack.frame then
        ack.packets = ack.packets + 1
        ack.frame = chunk.frame
    end
    ack.ack_now = ack.ack_now or chunk.ack_now
    ack.highest = max(ack.highest or chunk.seq, chunk.seq)
    if chunk.state == IN_FLIGHT then
        out_of_flight(sender, chunk)
    end
    take_out(path.outstanding, chunk)
end

local function acknowledge_cum(sender, cum, ack)
    local chunk = sender.board.head
    while chunk and chunk.seq <= cum do
        local following = chunk.board_on
        if chunk.state <= LOST then
            deliver(sender, chunk, ack)
        elseif chunk.state ~= ABANDONED then
            count_sacked(chunk, -1)
        end
        chunk.path.cum_acked = true
        if chunk.state ~= ABANDONED then
            sender.board_count = sender.board_count - 1
        end
        take_out(sender.board, chunk)
        sender.chunks[chunk.seq], sender.promised[chunk.seq], sender.broken[chunk.seq] = nil, nil, nil
        sender.free.count = sender.free.count + 1
        sender.free[sender.free.count] = chunk
        chunk = following
    end
end

local function take_back(sender, chunk)
    count_sacked(chunk, -1)
    chunk.state, chunk.first, chunk.misses = IN_FLIGHT, false, 1
    chunk.taken_at = sender.feedback_count
    put_by_seq(chunk.path.outstanding, chunk)
    into_flight(sender, chunk)
end

local function in_line(sender, tsns)
    if #tsns == 0 then
        return NOTHING
    end
    local seqs = {}
    for i = 1, #tsns do
        seqs[i] = seq_of(sender, tsns[i])
    end
    return seqs
end

-- The first TSN from `seq` on that is not in the chain. What was passed is passed at once the next time: blocks that
-- come and go would be walked over each time.
local function past(chain, seq)
    local beyond = seq
    while chain[beyond] do
        beyond = chain[beyond]
    end
    while chain[seq] do
        chain[seq], seq = beyond, chain[seq]
    end
    return beyond
end

-- RFC 9260 section 6.2.1; what the receiver reports against what it reported before.
function acknowledge(sender, feedback, cum, ack)
    local from, to = cum + 1, sender.nxt - 1
    local gaps = runs_of(in_line(sender, feedback.gaps), feedback.gap_count, from, to)
    local non_renegable = runs_of(in_line(sender, feedback.nr_gaps), feedback.nr_gap_count, from, to)
    if feedback.all_non_renegable and feedback.nr_gap_count == 0 then
        non_renegable = gaps
    end
    gaps = union(gaps, non_renegable)
    ack.gaps, ack.top = gaps, gaps.n > 0 and gaps.hi[gaps.n] or cum
    local taken_back, reach = NOTHING, -1
    if feedback.kind ~= "shutdown" and not feedback.lists_cut then
        local cap = sender.options.gap_block_cap
        reach = cap and feedback.gap_count + feedback.nr_gap_count >= cap and ack.top or cum + 65535
        if feedback.overtaken and sender.options.rack then -- what is back in flight is old: it would be marked at once
            reach = cum
        end
    end
    if reach >= 0 and sender.sacked.n > 0 then
        taken_back = {}
        local told = sender.broken_promises and sender.broken or sender.promised
        difference(sender.sacked, gaps, function(lo, hi)
            local seq, last = past(told, max(lo, from)), min(hi, reach)
            while seq <= last do
                local chunk = sender.chunks[seq]
                if chunk and chunk.state == GAP_ACKED then
                    taken_back[#taken_back + 1] = chunk
                elseif chunk and chunk.state == NR_ACKED then -- told once
                    sender.broken[seq] = seq + 1
                    sender.says = true
                    sender.broken_promises[#sender.broken_promises + 1] = { sender.now_ns, seq % MODULUS }
                end
                seq = past(told, seq + 1)
            end
        end)
        sender.taken_back_count = sender.taken_back_count + #taken_back
        sender.gave_up = sender.gave_up or sender.taken_back_count > TAKEN_BACK + 2 * sender.sent_count
    end
    for i = 1, #sender.paths do
        local path = sender.paths[i]
        path.earliest = path.outstanding.head
        path.news_count, path.cum_acked, path.took_back = 0, false, false
    end
    acknowledge_cum(sender, cum, ack)
    if gaps.n > 0 then
        difference(gaps, sender.sacked, function(lo, hi)
            local seq = past(sender.promised, max(lo, from))
            while seq <= hi do
                local chunk = sender.chunks[seq]
                if chunk and chunk.state <= LOST then
                    deliver(sender, chunk, ack)
                    chunk.state = GAP_ACKED
                    count_sacked(chunk, 1)
                end
                seq = past(sender.promised, seq + 1)
            end
        end)
    end
    if non_renegable.n > 0 then
        difference(non_renegable, sender.non_renegable, function(lo, hi)
            local seq = past(sender.promised, max(lo, from))
            while seq <= hi do
                local chunk = sender.chunks[seq]
                if chunk and chunk.state == GAP_ACKED then
                    chunk.state = NR_ACKED
                    sender.promised[seq] = seq + 1
                end
                seq = past(sender.promised, seq + 1)
            end
        end)
    end
    for i = 1, #taken_back do
        if taken_back[i].state == GAP_ACKED then
            if sender.reneged then
                sender.says = true
                sender.reneged[#sender.reneged + 1] = { sender.now_ns, taken_back[i].seq % MODULUS }
            end
            taken_back[i].path.took_back = true
            take_back(sender, taken_back[i])
        end
    end
    if gaps.n == 0 and reach < 0 then
        sender.sacked = sender.sacked.n > 0 and sender.sacked.hi[sender.sacked.n] > cum and sender.sacked or NO_RUNS
    elseif sender.sacked.n > 0 and sender.sacked.hi[sender.sacked.n] > max(reach, cum) then
        local kept = new_runs()
        for i = 1, sender.sacked.n do
            local lo = max(sender.sacked.lo[i], reach + 1, from)
            if lo <= sender.sacked.hi[i] then
                append_run(kept, lo, sender.sacked.hi[i])
            end
        end
        sender.sacked = union(gaps, kept)
    else
        sender.sacked = gaps
    end
    sender.non_renegable = non_renegable
    ack.cum_advanced = cum >= sender.una
    sender.acked_anything = true
    sender.una = max(sender.una, cum + 1)
    sender.nxt = max(sender.nxt, sender.una)
end

-- ADAPTATION: a duplicate of what is not acknowledged cannot be, and one below a FORWARD-TSN is a late original.
local function useful_dups(sender, feedback, cum, gaps)
    if feedback.dup_count == 0 then
        return NOTHING, NOTHING
    end
    local dups, paths = {}, {}
    for i = 1, feedback.dup_count do
        local seq = seq_of(sender, feedback.dups[i])
        local chunk = sender.chunks[seq]
        local acked = seq <= cum
            or contains(gaps, seq)
            or (chunk and (chunk.state == GAP_ACKED or chunk.state == NR_ACKED))
        if acked and not (sender.forward_seq and seq <= sender.forward_seq) then
            dups[seq] = true
            if sender.last_path[-1 - seq % 4096] == seq then
                paths[sender.last_path[seq % 4096]] = true
            else
                paths.all = true
            end
        end
    end
    return dups, paths
end

local function sample_of(sender, path)
    local list, count = path.news, path.news_count
    if sender.options.rack then -- the newest of every feedback, as TCP does with SACK
        local newest
        for i = 1, count do
            local chunk = list[i]
            if
                chunk.first
                and (not newest or sent_before(newest.time_ns, newest.frame, chunk.time_ns, chunk.frame))
                and fence_allows(sender, chunk.seq, chunk.time_ns)
            then
                newest = chunk
            end
        end
        return newest
    end
    for i = 1, count do -- RFC 9260 section 6.3.1 C4: one at a time
        if list[i].seq == path.timed_seq then
            path.timed_seq = nil
            return list[i].first and list[i] or nil
        end
    end
    return nil
end

-- RFC 9260 section 6.2: whether the receiver may have waited with this SACK.
local function may_be_delayed(feedback, ack)
    return ack.gaps.n == 0 and feedback.dup_count == 0 and not ack.ack_now and ack.packets <= 1
end

-- RFC 8985 section 6.2 steps 1 to 3.
local function learn(sender, path)
    local list, count, now_ns = path.news, path.news_count, sender.now_ns
    local floor_ns = minimum_at(path.min_rtt, now_ns)
    if sender.options.robust_rtt then
        floor_ns = minimum_at(path.own_min_rtt, now_ns) or floor_ns
    end
    local newest
    for i = 1, count do
        local chunk = list[i]
        local resent = chunk.copies > 1
        local early = resent and floor_ns and now_ns - chunk.time_ns < floor_ns
        if not early and (chunk.first or resent) then
            if
                not newest
                or sent_before(newest.time_ns, newest.frame, chunk.time_ns, chunk.frame)
                or (newest.time_ns == chunk.time_ns and newest.frame == chunk.frame and newest.seq < chunk.seq)
            then
                newest = chunk
            end
        end
    end
    if newest then
        path.rack_rtt_ns = now_ns - newest.time_ns
        if
            not path.segment_ns or not sent_before(newest.time_ns, newest.frame, path.segment_ns, path.segment_frame)
        then
            path.segment_ns, path.segment_frame, path.segment_seq = newest.time_ns, newest.frame, newest.seq
        end
    end
    for i = 1, count do
        local chunk = list[i]
        if not path.fack or chunk.seq > path.fack then
            path.fack = chunk.seq
        elseif chunk.seq < path.fack and chunk.first then
            path.reordering_seen = true
        end
    end
end

-- RFC 9260 section 7.2.4; the chunks that have their third missing report.
local function count_misses(sender, ack)
    local limit = ack.highest
    if sender.phase == "fast" and ack.cum_advanced then
        limit = ack.top
    end
    local chunk = sender.waiting.head
    if not limit or not chunk or chunk.seq >= limit then
        return NOTHING
    end
    local third = {}
    while chunk and chunk.seq < limit do
        if chunk.taken_at ~= sender.feedback_count then
            chunk.misses = chunk.misses + 1
            if chunk.misses == 3 then
                third[#third + 1] = chunk
            end
        end
        chunk = chunk.miss_on
    end
    return third
end

local function detect_by_misses(sender, feedback, ack)
    local third = count_misses(sender, ack)
    exits_recovery(sender, ack.cum)
    if #third == 0 then
        return
    end
    local exit_seq = highest_outstanding(sender)
    for i = 1, #third do
        third[i].fast_nxt = sender.nxt
        mark(sender, third[i], "miss3", feedback.frame)
    end
    if sender.phase ~= "fast" then
        enter_recovery(sender, "fast", exit_seq)
    end
end

-- RFC 8985 section 6.2 step 4: the window grows with a round of DSACKs, and shrinks after 16 recoveries without.
local function adapt(sender, path, duplicates, exiting)
    if path.dsack_round and sender.una >= path.dsack_round then
        path.dsack_round = nil
    end
    if not path.dsack_round and duplicates then
        path.dsack_round = sender.nxt
        path.mult = path.mult + 1
        path.persist = 16
    elseif exiting then
        path.persist = path.persist - 1
        if path.persist <= 0 then
            path.mult = 1
        end
    end
end

local function detect_with_rack(sender, feedback, dup_paths, exiting)
    local in_recovery = sender.phase ~= "none"
    for i = 1, #sender.paths do
        local path = sender.paths[i]
        adapt(sender, path, dup_paths.all or dup_paths[path] or false, exiting)
    end
    for i = 1, #sender.paths do
        detect_by_time(sender, sender.paths[i], feedback.frame, in_recovery)
    end
end

local function arm_after_feedback(sender, ack)
    for i = 1, #sender.paths do
        local path = sender.paths[i]
        local outstanding = path.outstanding.head ~= nil
        if not outstanding then
            stop_t3(sender, path)
        elseif path.news_count > 0 and path.news[1] == path.earliest then
            start_t3(sender, path)
        elseif not path.t3_ns and path.took_back then
            start_t3(sender, path)
        end
        if outstanding and ack.cum_advanced and (not path.pto_ns or path.cum_acked) then
            arm_pto(sender, path)
        end
    end
    stop_idle(sender)
    local probe = sender.window_probe
    if #probe > 0 and not window_is_closed(sender, probe, #probe) then
        probe_becomes_data(sender)
    end
end

-- `feedback`: frame, time_ns, cum_tsn, kind, a_rwnd, gaps and nr_gaps { first, last, … } of TSNs, dups { tsn, … }, and
-- their counts (of gaps, the pairs).
function feedback_arrived(sender, feedback)
    advance(sender, feedback.time_ns, false)
    local cum = seq_of(sender, feedback.cum_tsn)
    if not sender.acked_anything then
        sender.una = min(sender.una, cum + 1)
    end
    if cum < sender.una - 1 or cum - sender.nxt > 2 * WINDOW then
        return false
    end
    local ack = new_ack(sender, cum)
    sender.feedback_count = sender.feedback_count + 1
    acknowledge(sender, feedback, cum, ack)
    sender.reference = cum
    local dups, dup_paths = useful_dups(sender, feedback, cum, ack.gaps)
    local delayed = may_be_delayed(feedback, ack)
    for i = 1, #sender.paths do
        local path = sender.paths[i]
        if path.news_count > 0 then
            local sample = sample_of(sender, path)
            if sample then
                local rtt_ns = sender.now_ns - sample.time_ns
                take_rtt(sender, path, rtt_ns)
                add_to_minimum(path.min_rtt, sender.now_ns, rtt_ns)
                if not delayed then
                    add_to_minimum(path.own_min_rtt, sender.now_ns, rtt_ns)
                end
            end
        end
    end
    if sender.options.rack then
        for i = 1, #sender.paths do
            local path = sender.paths[i]
            if path.news_count > 0 then
                learn(sender, path)
            end
        end
    end
    local exiting = false
    if sender.options.misses then
        detect_by_misses(sender, feedback, ack)
    else
        exiting = exits_recovery(sender, cum)
    end
    if sender.options.tlp then
        probe_feedback(sender, feedback, dups, ack.count == 0 and not ack.cum_advanced)
    end
    if sender.options.rack then
        detect_with_rack(sender, feedback, dup_paths, exiting)
    end
    sender.a_rwnd = feedback.a_rwnd or sender.a_rwnd
    arm_after_feedback(sender, ack)
    return true
end

-- RFC 3758 section 3.5: what is not acknowledged up to there is given up.
function forward_tsn_sent(sender, forward)
    advance(sender, forward.time_ns, true)
    local seq = seq_of(sender, forward.new_cum_tsn)
    sender.forward_seq = max(sender.forward_seq or seq, seq)
    for i = 1, #sender.paths do
        local path = sender.paths[i]
        local chunk = path.outstanding.head
        while chunk and chunk.seq <= seq do
            if chunk.state == IN_FLIGHT then
                out_of_flight(sender, chunk)
            end
            take_out(path.outstanding, chunk)
            chunk.state = ABANDONED
            sender.board_count = sender.board_count - 1
            chunk = path.outstanding.head
        end
    end
    for i = 1, #sender.paths do
        local path = sender.paths[i]
        local timed = path.timed_seq and sender.chunks[path.timed_seq]
        if timed and timed.state == ABANDONED then
            path.timed_seq = nil
        end
    end
    stop_idle(sender)
end

-- A round trip of a handshake or a HEARTBEAT.
function rtt_measured(sender, measurement)
    advance(sender, measurement.time_ns, true)
    local path = path_of(sender, measurement.path)
    take_rtt(sender, path, measurement.rtt_ns)
    add_to_minimum(path.min_rtt, measurement.time_ns, measurement.rtt_ns)
    if measurement.tag ~= "delayed" and measurement.tag ~= "rtx" then
        add_to_minimum(path.own_min_rtt, measurement.time_ns, measurement.rtt_ns)
    end
end

-- RFC 6525 section 5.2.4: the old range is as if acknowledged, a new one begins.
function tsn_reset(sender, reset)
    advance(sender, reset.time_ns, true)
    local nxt = sender.nxt
    local everything = { gaps = {}, gap_count = 0, nr_gaps = {}, nr_gap_count = 0, kind = "shutdown" }
    acknowledge(sender, everything, nxt - 1, new_ack(sender, nxt - 1))
    sender.una = nxt + (reset.next_tsn - nxt) % MODULUS
    sender.nxt, sender.reference = sender.una, sender.una
    sender.phase = "none"
    reset_probe(sender, "unresolved")
    sender.window_probe = NOTHING
    for i = 1, #sender.paths do
        local path = sender.paths[i]
        path.fack, path.dsack_round, path.timed_seq = nil, nil, nil
    end
    stop_idle(sender)
end

function finish(sender)
    reset_probe(sender, "unresolved")
end

-- What is known of a path now, in a table that may be used again; deadlines are times.
function snapshot(sender, name, known)
    local path = path_of(sender, name)
    known = known or {}
    known.srtt_ns, known.rttvar_ns, known.rto_ns = path.srtt_ns, path.rttvar_ns, rto_ns(path)
    known.min_rtt_ns = minimum_at(path.min_rtt, sender.now_ns)
    known.rack_rtt_ns, known.reo_wnd_ns, known.reo_wnd_mult = path.rack_rtt_ns, path.reo_wnd_ns, path.mult
    known.rack_xmit_ns, known.rack_tsn = path.segment_ns, path.segment_seq and path.segment_seq % MODULUS
    known.reordering_seen, known.in_recovery = path.reordering_seen, sender.phase ~= "none"
    known.flight_bytes = path.flight_bytes
    known.t3_ns, known.pto_ns, known.reo_ns = path.t3_ns, path.pto_ns, path.reo_ns
    return known
end

function state_of(sender, tsn)
    local seq = seq_of(sender, tsn)
    local chunk = sender.chunks[seq]
    if chunk then
        return NAMES_OF_STATES[chunk.state]
    end
    return seq < sender.una and sender.last_path[-1 - seq % 4096] == seq and "cum_acked" or nil
end

function misses_of(sender, tsn)
    local chunk = sender.chunks[seq_of(sender, tsn)]
    return chunk and chunk.state == IN_FLIGHT and chunk.misses or nil
end
end

------------------------------------------------------------------------------------------------------------------------
-- What a capture shows: chunks, associations, copies of TSNs, acknowledgements
--
-- Rows are kept until the capture is judged: what a verdict needs is often known only later.

local byte, sub, DATA, INIT, INIT_ACK, SACK, HEARTBEAT, HEARTBEAT_ACK, ABORT, SHUTDOWN, SHUTDOWN_ACK, COOKIE_ECHO
local COOKIE_ACK, SHUTDOWN_COMPLETE, NR_SACK, I_DATA, PACKET_DROP, FORWARD_TSN, I_FORWARD_TSN, SENT, FEEDBACK, CONTROL
local ASKING, without_t1, SHORTEST_RTO_NS, distance, blocks_of_kind, is_at_tap, passed_routers, new_capture
local packet_rows, is_doubled, is_doubled_unsurely, has_two_taps
do
byte, sub = string.byte, string.sub

DATA, INIT, INIT_ACK, SACK, HEARTBEAT, HEARTBEAT_ACK, ABORT, SHUTDOWN = 0, 1, 2, 3, 4, 5, 6, 7
SHUTDOWN_ACK, COOKIE_ECHO, COOKIE_ACK, SHUTDOWN_COMPLETE, NR_SACK = 8, 10, 11, 14, 16
I_DATA, PACKET_DROP, FORWARD_TSN, I_FORWARD_TSN = 64, 129, 192, 194

-- Kinds of rows.
SENT, FEEDBACK, CONTROL = 1, 2, 3

-- Further above the highest a TSN is not the next one sent, further below it is of another numbering.
local REACH, PAST = 8192, 262144
local DROP_FIXED = 28 -- of a PACKET-DROP chunk, with the header of the packet in it
local HISTORY = 4096 -- TSNs from before the capture that are told apart
local CAPTURED_TWICE_NS = MS
local PACKETS_APART, COUNTED_ENOUGH = 1024, 8
local CONTENT_LOOKED_AT = 64 -- bytes of user data that tell chunks apart
SHORTEST_RTO_NS = 200 * MS -- no stack's RTO.Min is lower

local function u16(text, at)
    local a, b = byte(text, at, at + 1)
    return a * 256 + b
end

local function u32(text, at)
    local a, b, c, d = byte(text, at, at + 3)
    return a * 16777216 + b * 65536 + c * 256 + d
end

-- How far `a` is ahead of `b`, within half of the TSNs.
function distance(a, b)
    local ahead = (a - b) % MODULUS
    return ahead < HALF and ahead or ahead - MODULUS
end

-- Hosts begin with one of a few hop limits (64 by RFC 1700, also 128 and 255), each router takes one off.
-- Once a handshake has shown both loops nothing rests on them.
local function note_hops(association, side, packet)
    if association.started ~= "middle" and association[1].answered_ns and association[2].answered_ns then
        return
    end
    local hop_limit = packet.hop_limit(packet.start)
    if hop_limit == 64 or hop_limit == 128 or hop_limit == 255 then
        side.hops_initial = side.hops_initial + 1
    elseif hop_limit ~= 0 then
        side.hops_lower = side.hops_lower + 1
    end
end

local MOSTLY = 16 -- a few may differ, as where one address is reached over another way

function passed_routers(side)
    return side.hops_lower > 0 and side.hops_initial <= floor(side.hops_lower / MOSTLY)
end

-- The packets of `from` have passed no router, those of the other side have.
function is_at_tap(association, from)
    local own = association[from]
    local none = own.hops_initial > 0 and own.hops_lower <= floor(own.hops_initial / MOSTLY)
    return none and passed_routers(association[3 - from])
end

-- Of the gap blocks (1) or the NR-gap blocks (2): { first, last, … } of TSNs.
function blocks_of_kind(sack, kind)
    return (kind == 1 and sack.gaps or kind == 2 and sack.nr_gaps) or NOTHING
end

-- What only hostile captures have more of.
local LIMITS = {
    associations = 16384, -- an eighth of what the engine follows: all rows stay in memory here
    looked_at = 128, -- entries of a list, the latest; what is not found begins a new association
    leaving_out = 64, -- SACKs in a row that may all have come late
    -- Runs and TSNs walked over to see what a receiver takes back: saved up, for a packet, and free for a block.
    steps = 262144,
    steps_of_a_packet = 64,
    steps_of_a_block = 8,
}

-- Says it of the frame, once for each direction.
local function can_follow(direction, sack, steps)
    local capture = direction.association.capture
    if steps > 0 then
        capture.credit = capture.credit - steps
    end
    if capture.credit >= 0 then
        return true
    end
    direction.withdrawals_unknown, direction.withdrawn, direction.suspect = true, nil, nil
    capture.given_up[sack.frame] = "from here on not what the receiver takes back"
    return false
end

---- chunks

local function data_of(bytes, at, kind, flags, length, captured)
    local interleaved = kind == I_DATA
    local fixed = interleaved and 20 or 16
    if length < fixed or captured < 8 then
        return nil
    end
    local ends, content = min(length, fixed + CONTENT_LOOKED_AT), nil
    if captured >= fixed then -- type, B, E and U, and what follows the TSN (core/wire/data.c)
        local part = captured < ends
        content = string.char(kind, flags % 8 + (part and 8 or 0))
            .. sub(bytes, at + 8, at + (part and fixed or ends) - 1)
    end
    return { -- with room for what is told of most
        t = SENT,
        tsn = u32(bytes, at + 4),
        bytes = length - fixed,
        flags = flags,
        frame = nil,
        chunk = nil,
        time_ns = nil,
        path = nil,
        direction = nil,
        kind = nil,
        copy = nil,
        seq = nil,
        slot = nil,
        number = nil,
        outcome = nil,
        outcome_class = nil,
    }, content
end

local function is_malformed(sack, word)
    sack.malformed = sack.malformed or {}
    sack.malformed[#sack.malformed + 1] = word
    sack.is_cut_off = sack.is_cut_off or word == "snapped"
end

local ODD = { "zero_start", "at_cum", "reversed", "overlap", "adjacent", "unordered" }

local function with(found, word)
    found = found == NOTHING and {} or found
    found[word] = true
    return found
end

-- What RFC 9260 section 3.3.4 forbids in a list of blocks; `offsets` are as on the wire.
local function note_blocks(sack, offsets, prefix)
    local reach, before = 0, nil
    local found = NOTHING
    for i = 1, #offsets, 2 do
        local first, last = offsets[i], offsets[i + 1]
        if first == 0 then
            found = with(found, "zero_start")
        elseif first == 1 then
            found = with(found, "at_cum")
        end
        if first > last then
            found = with(found, "reversed")
        end
        if before then
            if first < before then
                found = with(found, "unordered")
            elseif first <= reach then
                found = with(found, "overlap")
            elseif first == reach + 1 then
                found = with(found, "adjacent")
            end
        end
        before, reach = first, max(reach, last)
    end
    for i = 1, found == NOTHING and 0 or #ODD do
        if found[ODD[i]] then
            is_malformed(sack, prefix .. ODD[i])
        end
    end
end

-- How many of a list of `count` four bytes were captured, and where the list ends.
local function list_at(sack, count, offset, length, captured)
    local fits = floor((length - offset) / 4)
    if count > fits then
        is_malformed(sack, "length_mismatch")
        count = fits
    end
    local ends = offset + 4 * count
    if ends > captured then
        is_malformed(sack, "snapped")
        count = offset < captured and floor((captured - offset) / 4) or 0
    end
    return count, ends
end

local function blocks_of(sack, name, told, bytes, at, offset, length, captured)
    local count, ends = list_at(sack, told, offset, length, captured)
    if count > 0 then
        local list, offsets = {}, {}
        for i = 1, 2 * count do
            offsets[i] = u16(bytes, at + offset + 2 * i - 2)
            list[i] = (sack.cum_tsn + offsets[i]) % MODULUS
        end
        sack[name .. "s"] = list
        note_blocks(sack, offsets, name .. "_")
    end
    return ends
end

-- RFC 9260 section 3.3.4, draft-natarajan-tsvwg-sctp-nrsack; nil where not even the window is there.
local function sack_of(bytes, at, kind, flags, length, captured)
    local words = kind == SACK and "sack" or kind == NR_SACK and "nr_sack" or "shutdown"
    local minimum = kind == SHUTDOWN and 8 or 16
    if length < minimum or captured < (kind == SHUTDOWN and 8 or 12) then
        return nil
    end
    local sack = { -- with room for what is told of most: few have gaps, nr_gaps, dups or malformed, which are lists
        t = FEEDBACK,
        kind = words,
        flags = flags,
        cum_tsn = u32(bytes, at + 4),
        a_rwnd = nil,
        frame = nil,
        chunk = nil,
        time_ns = nil,
        path = nil,
        direction = nil,
        newly_from = nil, -- in the direction's list of what is acknowledged
        newly = nil, -- how many
        overtaken = nil,
        cum_seq = nil,
        before = nil,
        state = nil,
    }
    if kind == SHUTDOWN then
        return sack
    end
    sack.a_rwnd = u32(bytes, at + 8)
    if captured < minimum then
        is_malformed(sack, "snapped")
        return sack
    end
    local gaps, nr_gaps, dups = u16(bytes, at + 12), 0, u16(bytes, at + 14)
    local offset = 16
    if kind == NR_SACK then
        if captured < 20 and length >= 20 then
            is_malformed(sack, "snapped")
            return sack
        end
        nr_gaps, dups = dups, 0
        local blocks = 4 * (gaps + nr_gaps)
        offset = 20
        if length >= 20 then
            dups = u16(bytes, at + 16)
        end
        if 20 + blocks + 4 * dups ~= length and 16 + blocks == length then
            is_malformed(sack, "no_reserved_field") -- as one encoder writes it
            offset, dups = 16, 0
        end
        if length < offset then
            return nil
        end
    end
    if gaps + nr_gaps + dups > 0 then
        offset = blocks_of(sack, "gap", gaps, bytes, at, offset, length, captured)
        offset = blocks_of(sack, "nr_gap", nr_gaps, bytes, at, offset, length, captured)
        local count, ends = list_at(sack, dups, offset, length, captured)
        if count > 0 then
            sack.dups = {}
        end
        for i = 1, count do
            sack.dups[i] = u32(bytes, at + offset + 4 * i - 4)
        end
        offset = ends
    end
    if offset < length then
        is_malformed(sack, "trailing_bytes")
    end
    return sack
end

-- Tag and addresses of an INIT or INIT ACK, and whose stack wrote it.
local function init_of(bytes, at, length, captured)
    if length < 20 or captured < 8 then
        return nil
    end
    local init = { tag = u32(bytes, at + 4), addresses = {} }
    if captured < 20 then
        return init
    end
    local takes_all_streams = u16(bytes, at + 14) == 65535
    local all_streams = takes_all_streams and u16(bytes, at + 12) == 65535
    local lists_forward_tsn, first_type, count, place = false, nil, 0, {}
    local parameter = 20
    while parameter + 4 <= min(length, captured) do
        local kind, size = u16(bytes, at + parameter), u16(bytes, at + parameter + 2)
        local value = min(size, captured - parameter) - 4
        if size < 4 or parameter + size > length then
            break
        end
        if kind ~= 5 and kind ~= 6 then
            count = count + 1
            place[kind] = place[kind] or count
        end
        if kind == 5 and value >= 4 then
            local text = string.format("%d.%d.%d.%d", byte(bytes, at + parameter + 4, at + parameter + 7))
            init.addresses[#init.addresses + 1] = text
        elseif kind == 0x8008 and value > 0 then
            local types = sub(bytes, at + parameter + 4, at + parameter + 3 + value)
            lists_forward_tsn = types:find("[\192\194]") ~= nil
            first_type = byte(types)
        end
        parameter = parameter + size + (-size) % 4
    end
    -- pion says that it knows FORWARD-TSN in its list of chunk types alone (RFC 5061 section 4.2.7), without the
    -- parameter of RFC 3758 section 3.1 that others send. It offers all streams, or answers with as many as were
    -- offered, and a list that begins with RE-CONFIG.
    local told = count <= 16 -- no stack writes as many
    local streams_of_pion = all_streams or (place[7] ~= nil and first_type == 130)
    init.of_pion = told and streams_of_pion and lists_forward_tsn and not place[0xC000]
    -- Linux writes the types of addresses, or the cookie, then ECN, the list of chunk types, that parameter of RFC 3758
    -- (core/association/family.c).
    local begins = place[12] == 1 or place[7] == 1
    local has_both = place[0x8008] and place[0xC000]
    local goes_on = place[0x8000] == 2 or (place[0x8008] == 2 and has_both and not all_streams) -- mediasoup: all
    local in_order = not has_both or place[0x8008] < place[0xC000]
    init.of_linux = told and not init.of_pion and begins and goes_on and in_order and true or false
    -- usrsctp and dcSCTP write it before that list, which begins with FORWARD-TSN, or with RE-CONFIG.
    local before_list = told and place[0xC000] and place[0x8008] and place[0xC000] < place[0x8008]
    local of_aiortc = takes_all_streams and count == (place[7] and 3 or 2) -- and nothing else
    local listed = before_list and ((first_type == 192 and not of_aiortc) or (first_type == 130 and all_streams))
    init.tells_duplicates = init.of_linux or (not init.of_pion and listed) or false
    return init
end

---- a direction: the data of one side

local function new_direction(association, from)
    return {
        association = association,
        from = from,
        sent = {}, -- rows, without what the network or the capture repeats
        all_sent = {}, -- rows
        slots = NOTHING, -- by sequence number; until there is one
        all_slots = {},
        acked_slots = {}, -- in the order of their acknowledgement
        feedback = {}, -- rows
        all_count = 0,
        sent_count = 0,
        slot_count = 0,
        feedback_count = 0,
        acked_count = 0,
        top_count = 0,
        acked = NO_RUNS,
        top_seq = NOTHING, -- the highest acknowledged …
        top_ns = NOTHING, -- … and since when
        bytes = 0,
    }
end

local SAMPLES = 1024

-- Keeps every n-th sample of the direction's loop.
local function add_sample(direction, value)
    local samples = direction.loop or { values = {}, kept = 0, count = 0, every = 1 }
    direction.loop = samples
    samples.least = min(samples.least or value, value)
    samples.count = samples.count + 1
    if (samples.count - 1) % samples.every ~= 0 then
        return
    end
    local values = samples.values
    if samples.kept == SAMPLES then
        for i = 1, SAMPLES / 2 do
            values[i] = values[2 * i - 1]
        end
        for i = SAMPLES / 2 + 1, SAMPLES do
            values[i] = nil
        end
        samples.kept = SAMPLES / 2
        samples.every = samples.every * 2
        if (samples.count - 1) % samples.every ~= 0 then
            return
        end
    end
    samples.kept = samples.kept + 1
    values[samples.kept] = value
end

local function renumber(direction, tsn)
    direction.slots, direction.acked = {}, new_runs()
    direction.top_seq, direction.top_ns, direction.top_count = {}, {}, 0
    for i = 1, direction.first_tsn and 0 or direction.feedback_count do -- what came before all data
        local early = direction.feedback[i]
        early.cum_seq = tsn + distance(early.cum_tsn, tsn)
    end
    direction.first_tsn = direction.first_tsn or tsn
    direction.highest, direction.lowest, direction.base = tsn, tsn, tsn - 256
    direction.begun_at = tsn
    direction.known = tsn -- the lowest at the latest feedback
    direction.stray, direction.forward_seq = nil, nil
    direction.vouched, direction.claims, direction.claimed = nil, nil, nil
end

-- The place of a TSN on the direction's line; nil where it is out of reach. One such may be of a broken packet, a
-- second one near it begins a new numbering (RFC 6525, or a restart whose handshake was not captured).
local function place_of(direction, tsn)
    if not direction.highest then
        renumber(direction, tsn)
    end
    local ahead = distance(tsn, direction.highest % MODULUS)
    if ahead <= REACH and ahead > -PAST then
        return direction.highest + ahead
    end
    local stray = direction.stray
    direction.stray = tsn
    if stray and math.abs(distance(tsn, stray)) <= REACH then
        renumber(direction, stray)
        return place_of(direction, tsn)
    end
    return nil
end

local function captured_twice(slot, time_ns)
    local apart = time_ns - slot.last_ns
    return apart < CAPTURED_TWICE_NS and apart > -CAPTURED_TWICE_NS
end

-- When feedback that acknowledges a higher TSN passed the tap first.
local function passed_ns(direction, seq)
    return direction.top_ns[first_from(direction.top_seq, direction.top_count, seq + 1)]
end

-- Where the capture begins in the middle: acknowledged before it is seen, or something above it that is not seen
-- either. It was sent before.
local function was_told(direction, tsn)
    return direction.told ~= nil and distance(tsn, direction.told) <= 0
end

-- The highest TSN that a SACK acknowledges.
local function top_of(sack)
    local top = sack.cum_tsn
    for kind = 1, 2 do
        local blocks = blocks_of_kind(sack, kind)
        for i = 1, #blocks, 2 do
            if distance(blocks[i + 1], blocks[i]) >= 0 and distance(blocks[i + 1], top) > 0 then
                top = blocks[i + 1]
            end
        end
    end
    return top
end

-- Until the first feedback on nothing but what was seen. What that acknowledges may have been sent before, too: loops
-- are of what follows.
local function tell(direction, sack)
    local top, told = top_of(sack), direction.told
    local highest = direction.highest and direction.highest % MODULUS
    if highest and distance(top, highest) <= 0 then
        -- Loops are of rows after that.
        direction.caught_up, direction.sampled_from = direction.feedback_count, direction.sent_count
        return
    elseif told and distance(top, told) <= 0 then
        return
    end
    if not told or (highest and distance(told, highest) <= 0) then
        direction.told_ns = sack.time_ns
    end
    direction.told = top
end

-- The first copy seen of a TSN below the highest: late, or sent again after a copy that was lost before the tap. On the
-- way to a tap at the sender nothing is late: of that hop limits tell where no handshake shows a loop.
local function kind_below_highest(direction, seq, row)
    -- What a FORWARD-TSN has passed over is not sent again (RFC 3758 section 3.5): it was overtaken.
    if direction.forward_seq and seq <= direction.forward_seq then
        return "reordered"
    end
    local time_ns = row.time_ns
    local shortest = direction.side.answered_ns
    local least_ns = shortest and shortest - floor(shortest / 16) or CAPTURED_TWICE_NS
    local known = seq >= direction.known
    local again = known and contains(direction.acked, seq)
    local passed = was_told(direction, row.tsn) and direction.told_ns or known and passed_ns(direction, seq)
    if passed then
        again = time_ns - passed >= (again and 0 or least_ns)
    else
        for above = seq + 1, seq + 64 do
            local slot = direction.slots[above]
            if slot then
                local at_tap = not shortest and is_at_tap(direction.association, direction.from)
                again = again or time_ns - slot[1].time_ns >= (at_tap and CAPTURED_TWICE_NS or SHORTEST_RTO_NS)
                break
            end
        end
    end
    return again and "retransmission" or "reordered"
end

-- Whether identifications count a sender's packets: of TSNs that are each the highest so far.
local function count_packet(direction, id)
    if id ~= 0 and id ~= direction.counted_last then
        local step = direction.counted_last and (id - direction.counted_last) % 65536
        direction.counted = step and step <= PACKETS_APART and (direction.counted or 0) + 1 or 0
        direction.counted_last = id
    end
end

-- Where the sender counts its packets: whether it sent this one before the one that overtook it; nil: not known.
local function left_before(direction, seq, id)
    if id == 0 or (direction.counted or 0) < COUNTED_ENOUGH then
        return nil
    end
    for above = seq + 1, min(seq + 64, direction.highest) do
        local slot = direction.slots[above]
        if slot and slot.original then
            -- A tail can be sent again before the next TSN is sent at all: then only its other copy tells.
            local own = direction.slots[seq]
            local other = own and own.copies > 0 and own or slot
            local other_id = other.first_id or other.last_id
            if other_id == 0 or other_id == id then
                return nil
            elseif (other_id - id) % 65536 < PACKETS_APART then
                return true
            end
            return (id - other_id) % 65536 >= PACKETS_APART and nil
        end
    end
    return nil
end

-- What is sent again is the same chunk (RFC 9260 section 6.9); of one that was captured in part only the length tells.
local function is_another_chunk(slot, row, content)
    if not slot.content or not content then
        return false
    end
    local comparable = byte(slot.content, 2) >= 8 == (byte(content, 2) >= 8)
    return slot[1].bytes ~= row.bytes or (comparable and slot.content ~= content)
end

-- The rules of docs/architecture.md, "What kind of transmission".
local function kind_of(direction, slot, seq, row, print, id, content)
    if slot.copies > 0 then
        -- Within one packet a sender itself may repeat a TSN.
        if slot.last_print == print and slot.last_id == id and slot[slot.copies].frame ~= row.frame then
            local twice = captured_twice(slot, row.time_ns)
            if id ~= 0 or (twice and slot.copies == 1 and slot.original) then
                return twice and "capture_duplicate" or "network_duplicate"
            end
        end
        local of_first = slot.first_print or slot.last_print
        local first_again = of_first == print and (slot.first_id or slot.last_id) == id
        if id ~= 0 and first_again and slot[1].frame ~= row.frame then
            return "network_duplicate"
        end
        if slot.conflicting or is_another_chunk(slot, row, content) then
            return "conflicting"
        end
    end
    local before
    if seq < direction.highest then
        before = left_before(direction, seq, id)
    end
    if before and not (row.sent_before and slot.copies == 0) then
        return "reordered"
    elseif slot.copies > 0 or before == false or row.sent_before then
        return "retransmission"
    end
    if seq < direction.highest or was_told(direction, row.tsn) then
        return kind_below_highest(direction, seq, row)
    end
    return "original"
end

-- A capture may have an answer before what it answers, by no more (core/books/inverted.h).
local function is_inverted(row, sack)
    return row.time_ns - sack.time_ns <= 2 * MS
end

-- A TSN is sent for the first time: who acknowledged it long ago did not have it, and is not believed.
local function refute(direction, seq, row)
    local claims = direction.claims
    while claims and claims.first <= claims.last do
        local sack = claims[claims.first]
        if is_inverted(row, sack) then
            direction.inverted = direction.inverted or claims[claims.last].top_seq >= seq
            return
        end
        claims[claims.first], claims.first = nil, claims.first + 1
        if sack.top_seq >= seq then
            sack.refuted, sack.overtaken = true, true
        end
    end
    local last = direction.last_feedback
    while last and last.refuted do
        last = last.before
        direction.last_feedback, direction.doubtful = last, last and last.doubtful
    end
end

local function is_duplicate(row)
    return row.kind == "network_duplicate" or row.kind == "capture_duplicate"
end

local function list_data(direction, row)
    direction.all_count = direction.all_count + 1 -- Lua finds the end of a long table by halving
    direction.all_sent[direction.all_count] = row
    row.direction = direction
    local last = direction.last_feedback
    local window = last and (last.a_rwnd and last or last.window)
    row.met_closed = window and window.a_rwnd < row.bytes or nil
end

-- Of a packet that was seen before, in `frame`.
local function note_repeated_data(direction, row, frame, kind)
    list_data(direction, row)
    row.kind, row.copy, row.first_frame, row.prev_frame = kind, 1, frame, frame
    local seq = direction.highest and direction.highest + distance(row.tsn, direction.highest % MODULUS)
    local slot = direction.slots[seq]
    if slot and slot.copies > 0 then
        row.seq, row.repeats = seq, slot
        if slot[1].frame ~= frame then
            row.first_frame = slot[1].frame
            local latest = slot.conflicting or slot[slot.copies].frame
            row.copy = latest == frame and slot.copies or max(slot.copies - 1, 1)
        end
    end
end

local note_data
do
local ALIKE = 8 -- copies of a TSN that are compared with the next

-- What of its packet tells whether the sender did send the copy again: whether the bytes are those of a copy before,
-- without identifications, sooner than any timer; and whether identifications say that it was sent after that before.
local function note_packet(slot, row, print, id)
    if slot.copies == 0 then
        return
    end
    local prints = slot.prints or {} -- of copies without an identification
    prints[slot.copies], slot.prints = slot.last_id == 0 and slot.last_print or nil, prints
    local step = (id - slot.last_id) % 65536
    row.counted = id ~= 0 and slot.last_id ~= 0 and step >= 1 and step < PACKETS_APART or nil
    for i = slot.copies, max(slot.copies - ALIKE + 1, 1), -1 do
        if id ~= 0 or row.time_ns - slot[i].time_ns >= SHORTEST_RTO_NS then
            return
        elseif prints[i] == print then
            row.alike = true
            return
        end
    end
end

function note_data(direction, row, print, id, content)
    list_data(direction, row)
    local seq = place_of(direction, row.tsn)
    if not seq then
        row.kind, row.copy = "original", 1
        direction.bytes = direction.bytes + row.bytes
        return
    end
    row.seq = seq
    local slot = direction.slots[seq]
    if not slot then
        slot = { -- and its copies, from 1
            row,
            seq = seq,
            copies = 0,
            last_ns = nil,
            last_print = nil,
            last_id = nil,
            content = content,
            acked_by = nil,
            copies_before = nil, -- that acknowledgement
        }
        direction.slots[seq] = slot
    end
    row.kind = kind_of(direction, slot, seq, row, print, id, content)
    if is_duplicate(row) then
        local latest = slot.last_print == print and slot.last_id == id
        row.copy = latest and slot.copies or 1
        row.first_frame = slot[1].frame
        row.prev_frame = latest and slot.conflicting or slot[row.copy].frame
        slot.last_ns = latest and row.time_ns or slot.last_ns
        row.repeats = slot
        return
    elseif row.kind == "conflicting" then
        row.copy, row.seq, slot.conflicting = 1, nil, row.frame -- of the latest
        slot.first_print, slot.first_id = slot.first_print or slot.last_print, slot.first_id or slot.last_id
        slot.last_ns, slot.last_print, slot.last_id = row.time_ns, print, id
        return
    end
    direction.bytes = direction.bytes + row.bytes
    note_packet(slot, row, print, id)
    slot.copies = slot.copies + 1
    if slot.copies == 1 then
        direction.slot_count = direction.slot_count + 1
        direction.all_slots[direction.slot_count] = slot
        slot.original = row.kind == "original"
        if row.kind == "retransmission" then
            local told = direction.last_feedback
            slot.unseen_before = true
            local acked = contains(direction.acked, seq) or (told ~= nil and distance(row.tsn, told.cum_tsn) <= 0)
            -- What a FORWARD-TSN has passed over is acknowledged whether it arrived or not (RFC 3758 section 3.6).
            local passed_over = direction.forward_seq ~= nil and seq <= direction.forward_seq
            slot.acked_unseen, slot.passed_unseen = acked and not passed_over, acked and passed_over
            local vouched = direction.vouched and seq <= direction.vouched
            slot.by_doubtful = slot.acked_unseen and direction.doubtful and not vouched
            row.inverted = acked and told and is_inverted(row, told) -- or by feedback before that
        end
    else
        slot.original_late = slot.original_late or row.kind == "reordered"
        local before = slot[slot.copies - 1]
        if slot.copies == 2 then
            slot.first_print, slot.first_id = slot.last_print, slot.last_id
        end
        row.first_frame, row.prev_frame = slot[1].frame, before.frame
        before.next_row = row
        row.inverted = slot.acked_by and is_inverted(row, slot.acked_by)
    end
    if row.kind == "retransmission" then
        direction.resends = true
        row.reports = direction.feedback_count -- that had passed the tap
        local top = direction.top_seq[direction.top_count]
        row.nothing_above = top == nil or top <= seq or nil -- … is acknowledged
        direction.again_number = direction.sent_count + 1
    end
    row.copy, row.slot = slot.copies, slot
    slot[slot.copies] = row
    slot.last_ns, slot.last_print, slot.last_id = row.time_ns, print, id
    direction.sent_count = direction.sent_count + 1
    direction.sent[direction.sent_count] = row
    row.number = direction.sent_count
    if seq > direction.highest then
        refute(direction, seq, row)
        if seq > direction.highest + 1 then
            row.hole = seq - direction.highest - 1
        end
        direction.highest = seq
        count_packet(direction, id)
    end
    direction.lowest = min(direction.lowest, seq)
end
end

local note_withdrawal

-- What a SACK is the first to acknowledge.
local function note_feedback(direction, sack)
    direction.dups_reported = direction.dups_reported or sack.dups ~= nil
    direction.feedback_count = direction.feedback_count + 1
    direction.feedback[direction.feedback_count], sack.number = sack, direction.feedback_count
    sack.direction, sack.newly_from, sack.newly = direction, direction.acked_count + 1, 0
    sack.overtaken = true -- until it is known to be of this numbering
    local ahead = direction.highest and distance(sack.cum_tsn, direction.highest % MODULUS)
    if ahead and (ahead > 131072 or ahead < -PAST) then
        return
    end
    if direction.association.started == "middle" and not direction.caught_up then
        tell(direction, sack)
    end
    -- What the first feedback may answer may have been sent before a capture that begins in the middle, too.
    direction.untold = direction.untold or (direction.association.started == "middle" and direction.sent_count or 0)
    if not ahead then
        local before = direction.last_feedback
        if not before or distance(sack.cum_tsn, before.cum_tsn) >= 0 then
            direction.last_feedback, direction.doubtful, sack.doubtful = sack, true, true
        end
        return
    end
    local cum = direction.highest + ahead
    sack.cum_seq, sack.before = cum, direction.last_feedback
    sack.overtaken = sack.before ~= nil and cum < sack.before.cum_seq
    sack.window = sack.before and (sack.before.a_rwnd and sack.before or sack.before.window)
    local top, latest, newest, last = cum, nil, nil, cum
    local top_before = direction.top_seq[direction.top_count]
    local keeps_up, begun_at, has_gaps = direction.keeps_up, direction.begun_at, sack.is_cut_off
    local function acknowledged(lo, hi)
        local slots, acked, count = direction.slots, direction.acked_slots, direction.acked_count
        for seq = lo, hi do
            local slot = slots[seq]
            if slot then
                count = count + 1
                acked[count] = slot
                slot.acked_by, slot.copies_before = sack, slot.copies
                if direction.forward_seq and seq <= direction.forward_seq then
                    slot.given_up = true
                end
                local first, copy = slot[1], slot[slot.copies]
                if top_before and seq <= top_before then
                    slot.missed = true -- feedback has passed it over
                end
                if not newest or copy.number > newest.number then
                    newest = copy
                end
                local sampled = first.number > (direction.sampled_from or 0)
                local clean = sampled and slot.copies == 1 and not slot.unseen_before
                if clean and (not latest or first.number > latest.number) then
                    latest = first
                end
            else
                has_gaps = has_gaps or (keeps_up and seq > begun_at) -- it was never seen
            end
        end
        sack.newly, direction.acked_count = count - sack.newly_from + 1, count
    end
    local before = direction.lowest - cum - 1
    if before > 0 and before <= HISTORY then -- the capture begins in the middle: what lies between was sent before
        direction.lowest = cum + 1
        direction.base = min(direction.base, direction.lowest)
    end
    direction.known = direction.lowest
    local to = min(cum, direction.highest)
    if to >= direction.base and not sack.overtaken then
        add_run(direction.acked, direction.base, to, acknowledged)
    end
    for kind = 1, 2 do
        local blocks = blocks_of_kind(sack, kind)
        for i = 1, #blocks, 2 do
            local lo = cum + distance(blocks[i], sack.cum_tsn)
            local hi = cum + distance(blocks[i + 1], sack.cum_tsn)
            last = hi
            if lo <= hi then
                top = max(top, hi)
                lo, hi = max(lo, direction.base), min(hi, direction.highest)
                if lo <= hi and not sack.overtaken then
                    add_run(direction.acked, lo, hi, acknowledged)
                end
            end
        end
    end
    local sent_to = max(direction.highest, direction.claimed or direction.highest)
    local settled = direction.settled or direction.association.started ~= "middle" or (top == sent_to and cum == top)
    direction.settled, sack.doubtful = settled, top > direction.highest -- the tap missed data, or it is forged
    if top > sent_to and not settled then
        direction.claimed = top -- it was sent before the capture, to all that is known
    elseif top > sent_to then
        local claims = direction.claims or { first = 1, last = 0 }
        direction.claims, claims.last = claims, claims.last + 1
        claims[claims.last], sack.top_seq = sack, top
    end
    direction.keeps_up = keeps_up or top <= direction.highest -- feedback claims nothing unseen
    direction.has_gaps = direction.has_gaps or has_gaps
    direction.had_no_room = direction.had_no_room or (sack.a_rwnd == 0 and #blocks_of_kind(sack, 1) > 0)
    top = min(top, direction.highest)
    local tops = direction.top_count
    if tops == 0 or top > direction.top_seq[tops] then
        direction.top_count = tops + 1
        direction.top_seq[tops + 1], direction.top_ns[tops + 1] = top, sack.time_ns
    end
    for i = 1, sack.dups and #sack.dups or 0 do
        local slot = direction.slots[cum + distance(sack.dups[i], sack.cum_tsn)]
        if sack.dups[i] == direction.filled_again then -- what the capture repeats comes once (filled_again.c)
            direction.fills_so_soon = direction.fills_so_soon or (slot and slot.copies == 1)
            direction.filled_again = nil
        end
        if slot and not sack.overtaken then
            slot.dups = (slot.dups or 0) + 1
            slot.dup_times_ns = slot.dup_times_ns or {}
            slot.dup_times_ns[slot.dups] = sack.time_ns
        end
        local in_a_row = slot and slot.reported_by and slot.reported_by == direction.last_feedback
        local all_seen = slot and slot.copies > 0 and slot[slot.copies].number > direction.untold
        if all_seen and slot.acked_by and not slot.unseen_before then
            direction.dups_of_network = direction.dups_of_network or slot.copies == 1
            local repeated = in_a_row and slot.copies > 1 and (slot.dups or 0) >= slot.copies
            direction.repeated = (direction.repeated or 0) + (repeated and 1 or 0)
        end
        if in_a_row and not sack.overtaken then
            direction.in_a_row = direction.in_a_row or {}
            direction.in_a_row[#direction.in_a_row + 1] = { slot = slot, report = slot.dups }
        end
        if slot then
            slot.reported_by = sack
        end
        if slot and slot.copies > 1 then
            local copy, reported = slot[slot.copies], sack.reported
            sack.reported = (not reported or copy.number < reported.number) and copy or reported
            sack.sent_before = direction.sent_count
            sack.dup_of = sack.dup_of or {}
            sack.dup_of[i] = slot[slot.copies].frame
        end
        if slot and slot.copies > 0 then
            local row = slot[slot.copies] -- the last copy before the report, which is made at once
            row.dup_frame = row.dup_frame or sack.frame
        end
    end
    sack.ahead = max(cum, last) > direction.highest -- it answers what was never seen: no loop can be told
    -- It answers the packet that came last: of a TSN that was sent again nobody knows which copy that was.
    if latest and latest == newest and not sack.ahead and sack.time_ns >= latest.time_ns then
        add_sample(direction, sack.time_ns - latest.time_ns)
    end
    if not sack.overtaken then
        note_withdrawal(direction, sack, top)
        direction.last_feedback, direction.doubtful = sack, sack.doubtful
        direction.vouched = sack.doubtful and direction.vouched or cum
    end
end

-- What a receiver takes back again (core/books/withdrawal.c): acknowledged by a block, and left out by two SACKs in a
-- row (reneging, RFC 9260 section 6.2.1 D iii). One alone cannot tell: the next one says whether it came late.
local FOLLOWED = 65535 -- a block reaches no further above the cumulative TSN
local SMALLEST_CAP = 4 -- a SACK with fewer blocks is never full

-- The runs that were acknowledged, are not taken back, and are left out of `blocks`, up to `last`; and how many TSNs.
local function left_out(direction, cum, blocks, last)
    local runs, count = new_runs(), 0
    difference(direction.acked, blocks, function(lo, hi)
        lo, hi = max(lo, cum + 1), min(hi, last)
        if lo <= hi then
            append_run(runs, lo, hi)
        end
    end)
    local missing = new_runs()
    difference(runs, direction.withdrawn or NO_RUNS, function(lo, hi)
        append_run(missing, lo, hi)
        count = count + hi - lo + 1
    end)
    return missing, count
end

local function blocks_as_runs(sack, cum, last)
    local seqs = {}
    for kind = 1, 2 do
        local blocks = blocks_of_kind(sack, kind)
        for i = 1, #blocks do
            seqs[#seqs + 1] = cum + distance(blocks[i], sack.cum_tsn)
        end
    end
    return runs_of(seqs, #seqs / 2, cum + 1, last), #seqs / 2
end

local function for_slots(direction, runs, visit)
    for i = 1, runs.n do
        for seq = runs.lo[i], runs.hi[i] do
            local slot = direction.slots[seq]
            if slot then
                visit(slot)
            end
        end
    end
end

local says_little
do
    local enough = { trailing_bytes = true, no_reserved_field = true, gap_adjacent = true, nr_gap_adjacent = true }

    function says_little(sack)
        for i = 1, sack.malformed and #sack.malformed or 0 do
            if not enough[sack.malformed[i]] then
                return true
            end
        end
        return sack.kind == "shutdown"
    end
end

-- Acknowledged again. Where it was not sent again it was never dropped: SACKs came late, one after the other, and the
-- one that acknowledges it may do so before others that it leaves out.
local function restore(direction, sack, cum, blocks)
    local kept, by = new_runs(), direction.withdrawn_by
    local late = false
    local function restored(lo, hi)
        for_slots(direction, { lo = { lo }, hi = { hi }, n = 1 }, function(slot)
            late = late or slot[slot.copies].number <= direction.withdrawn_number
        end)
    end
    for i = 1, direction.withdrawn.n do
        local lo, hi = direction.withdrawn.lo[i], direction.withdrawn.hi[i]
        if lo <= cum then
            restored(lo, min(hi, cum))
        end
        if hi > cum then
            append_run(kept, max(lo, cum + 1), hi)
        end
    end
    local still = new_runs()
    difference(kept, blocks, function(lo, hi)
        append_run(still, lo, hi)
    end)
    difference(kept, still, restored)
    direction.withdrawn = still.n > 0 and still or nil
    if late and by then
        for_slots(direction, by.reneged or NO_RUNS, function(slot)
            slot.copies_reneged = nil
        end)
        direction.withdrawn_tsns = direction.withdrawn_tsns - (by.reneged_count or 0)
        by.reneged, by.reneged_count = nil, nil
        for _, each in ipairs(direction.leaving_out) do -- what the receiver had all the time
            local full = each.truncated and each ~= by -- it may have had no room for it
            each.stale = each.stale or not (full or says_little(each)) or nil
        end
        direction.withdrawn_by, direction.leaving_out = sack, {}
    end
end

-- The first of the two took them back. What a hostile capture takes back beyond what was sent, and once what was not
-- seen, is not told.
local function confirm(direction, sack, runs, count)
    local suspect = direction.suspect
    local told_of = (direction.withdrawn_tsns or 0) + count
    if told_of > FOLLOWED + direction.all_count or not can_follow(direction, suspect, count) then
        return
    end
    direction.withdrawn_tsns = told_of
    suspect.reneged, suspect.reneged_count = runs, count
    direction.withdrawn = union(direction.withdrawn or NO_RUNS, runs)
    direction.withdrawn_by, direction.withdrawn_number = suspect, direction.sent_count
    direction.leaving_out = { suspect, sack }
    for_slots(direction, runs, function(slot)
        slot.copies_reneged = slot.copies
        while slot.copies_reneged > 0 and slot[slot.copies_reneged].number > direction.suspect_number do
            slot.copies_reneged = slot.copies_reneged - 1
        end
    end)
end

-- It says no less than all before it. A suspect with the same cumulative TSN was overtaken then, and one with a lower
-- one that acknowledged nothing new, where nothing was sent again since: what it left out was never dropped.
local function clear_suspect(direction, sack)
    local suspect = direction.suspect
    if suspect then
        local dropped = suspect.newly > 0 or (direction.again_number or 0) > direction.suspect_number
        suspect.stale = suspect.stale or suspect.cum_tsn == sack.cum_tsn or not dropped or nil
    end
    direction.suspect = nil
end

function note_withdrawal(direction, sack, top)
    local cum, acked = sack.cum_seq, direction.acked
    local told = ((sack.gaps and #sack.gaps or 0) + (sack.nr_gaps and #sack.nr_gaps or 0)) / 2
    local runs = acked.n + (direction.withdrawn and direction.withdrawn.n or 0) + (direction.suspect_blocks or 0)
    local steps = runs - LIMITS.steps_of_a_block * (told + 1)
    if direction.withdrawals_unknown or not can_follow(direction, sack, steps) then
        return
    end
    if direction.withdrawn then
        restore(direction, sack, cum, (blocks_as_runs(sack, cum, math.huge)))
    end
    if direction.withdrawn and #direction.leaving_out < LIMITS.leaving_out then
        direction.leaving_out[#direction.leaving_out + 1] = sack
    end
    if says_little(sack) then
        return
    elseif acked.n == 0 or acked.hi[acked.n] <= cum then
        clear_suspect(direction, sack)
        return
    end
    local last = min(acked.hi[acked.n], cum + FOLLOWED)
    local blocks, count = blocks_as_runs(sack, cum, math.huge)
    local _, tsns = left_out(direction, cum, blocks, last)
    direction.most_blocks = max(direction.most_blocks or 0, count) -- of a SACK
    if tsns > 0 and count >= SMALLEST_CAP and count == direction.most_blocks then
        local all = tsns
        last = min(last, top)
        _, tsns = left_out(direction, cum, blocks, last)
        sack.truncated = tsns < all or nil
    end
    if tsns == 0 then
        if not sack.truncated then
            clear_suspect(direction, sack)
        end
        return
    elseif direction.suspect then
        local before = blocks_as_runs(direction.suspect, direction.suspect.cum_seq, math.huge)
        local missing, both = left_out(direction, cum, union(blocks, before), last)
        if both > 0 then
            confirm(direction, sack, missing, both)
            direction.suspect = nil
            return
        end
    end
    direction.suspect, direction.suspect_number, direction.suspect_blocks = sack, direction.sent_count, told
end

-- A PACKET-DROP chunk names TSNs: what was seen of them was dropped (draft-stewart-tsvwg-sctp-pktdrprep).
local function note_dropped(direction, tsns)
    for i = 1, direction.highest and #tsns or 0 do
        local slot = direction.slots[direction.highest + distance(tsns[i], direction.highest % MODULUS)]
        if slot and not slot.acked_by then
            slot.copies_dropped = slot.copies
        end
    end
end

local function note_forward(direction, new_cum_tsn)
    if new_cum_tsn and direction.highest then
        local seq = direction.highest + distance(new_cum_tsn, direction.highest % MODULUS)
        direction.forward_seq = max(direction.forward_seq or seq, seq)
    end
end

-- What is asked and answered at once, by the chunk that asks and by the one that answers; what ends it is asked once.
ASKING = {
    asks = { [INIT] = "init", [INIT_ACK] = "init_ack", [COOKIE_ECHO] = "cookie", [HEARTBEAT] = "heartbeat" },
    answers = {
        [INIT_ACK] = "init", [COOKIE_ECHO] = "init_ack", [COOKIE_ACK] = "cookie", [HEARTBEAT_ACK] = "heartbeat",
    },
    ends = { [SHUTDOWN_ACK] = "shutdown", [SHUTDOWN_COMPLETE] = "shutdown_ack" },
}

-- A COOKIE ECHO later than RTO.Initial may be the second one, sent when T1-cookie expired: what is left is the loop.
function without_t1(kind, elapsed_ns)
    local t1_ns = elapsed_ns >= 3000 * MS and 3000 * MS or elapsed_ns >= 1000 * MS and 1000 * MS or 0
    return kind == COOKIE_ECHO and elapsed_ns - t1_ns or elapsed_ns
end

-- How long it takes to a side and back (core/association/loop.c).
local function note_questions(association, from, kind, time_ns)
    local own, other = association[from], association[3 - from]
    if ASKING.answers[kind] then
        local elapsed = own.asked == 1 and without_t1(kind, time_ns - own.asked_ns) or -1
        if elapsed >= 0 and (not own.answered_ns or elapsed < own.answered_ns) then
            own.answered_ns = elapsed
        end
        own.asked = 0
    end
    if ASKING.asks[kind] then
        other.asked = other.asked == 0 and 1 or 2
        other.asked_ns = time_ns
    end
end

---- associations: by the verification tag of the side that a packet goes to, or by the two ends

local function new_side()
    return {
        addresses = {},
        address_list = {},
        tags = 0,
        packets = 0,
        init_acks = 0,
        asked = 0,
        hops_initial = 0, -- packets with a hop limit that hosts begin with …
        hops_lower = 0, -- … and with another one
        repeated = 0, -- packets that the capture or the network has once more
        repeated_late = 0, -- of these, those that the network may have repeated
        repeated_in_gaps = 0, -- and those of a gap, which may have been sent again
        alike_soon = 0, -- packets that came again soon, and may have been sent again
    }
end

-- Whether it is new.
local function learn_address(side, address)
    if not side.addresses[address] and not (side.translated or NOTHING)[address] and #side.address_list < 8 then
        side.addresses[address] = true
        side.address_list[#side.address_list + 1] = address
        return true
    end
    return false
end

local function goes_to(association, to, ends)
    local receiver, sender = association[to], association[3 - to]
    return receiver.port == ends.dport
        and sender.port == ends.sport
        and receiver.addresses[ends.dst]
        and sender.addresses[ends.src]
end

-- What has this tag at `to_port`, as a list; nil where there is none.
local function having_tag(capture, tag, to_port, from_port)
    local of_ports = capture.by_tag[to_port * 65536 + from_port]
    return of_ports and of_ports[tag]
end

local function key_of_ends(ends)
    local a, b = ends.src .. "/" .. ends.sport, ends.dst .. "/" .. ends.dport
    return a < b and a .. "|" .. b or b .. "|" .. a
end

-- An entry { association, side that packets go to }: of the whole one, where it was of half of it.
local function settled(entry)
    local half = entry[1]
    if half.joined then
        entry[1], entry[2] = half.joined, half.turned and 3 - entry[2] or entry[2]
    end
    return entry[1], entry[2]
end

-- How many of the packet's two addresses are known as those of a packet to side `to`.
local function addresses_to(association, to, ends)
    local receiver, sender = association[to], association[3 - to]
    return (receiver.addresses[ends.dst] and 1 or 0) + (sender.addresses[ends.src] and 1 or 0)
end

-- One whose addresses fit is preferred. Both sides may have chosen the same tag: a packet whose addresses say that it
-- goes the other way is not one to this side.
local function find_by_tag(capture, tag, ends)
    local list = having_tag(capture, tag, ends.dport, ends.sport) or NOTHING
    local right
    for i = #list, max(#list - LIMITS.looked_at + 1, 1), -1 do
        local association, to = settled(list[i])
        if goes_to(association, to, ends) then
            return association, to
        end
        local back = ends.sport == ends.dport
            and addresses_to(association, to, ends) < addresses_to(association, 3 - to, ends)
        right = right or (tag ~= 0 and not back and list[i] or nil)
    end
    if right then
        return right[1], right[2]
    end
    return nil
end

local function learn_tag(capture, association, side, tag)
    local owner = association[side]
    owner.tag = tag
    local ports = owner.port * 65536 + association[3 - side].port
    local of_ports = capture.by_tag[ports] or {}
    local list = of_ports[tag] or {}
    capture.by_tag[ports], of_ports[tag] = of_ports, list
    for i = max(#list - LIMITS.looked_at + 1, 1), #list do
        local known, to = settled(list[i])
        if known == association and to == side then
            return
        end
    end
    if owner.tags < 16 then
        owner.tags = owner.tags + 1
        list[#list + 1] = { association, side }
    end
end

-- Which two halves of an association are one (core/association/pairing.h has the rules and their reasons).

local QUESTIONS = 8 -- HEARTBEATs that wait
local LOOKS_OF_A_PACKET, LOOKS_SAVED = 16, 65536 -- at halves

local function add_half(capture, association)
    local one, other = association[1].port, association[2].port
    local ports = min(one, other) * 65536 + max(one, other)
    local list = capture.halves[ports] or {}
    capture.halves[ports] = list
    list[#list + 1] = association
end

-- The tag of exactly one side is known.
local function is_half(association)
    return (association[1].tag == nil) ~= (association[2].tag == nil)
end

local function half_goes_to(half)
    return half[2].tag and 2 or 1
end

local function is_open(association)
    return association.ended == "open" or association.ended == "unanswered" or association.ended == "shutting_down"
end

-- What the first chunk says of the association that its packet belongs to (core/association/clue.c).
local function clue_of(bytes, kind, flags, length, captured)
    if not bytes then
        return nil
    elseif kind == HEARTBEAT or kind == HEARTBEAT_ACK then
        return captured == length and length > 4 and { t = kind, information = sub(bytes, 17, 12 + length) } or nil
    elseif kind == DATA or kind == I_DATA then
        local fits = length >= (kind == I_DATA and 20 or 16) and captured >= 8
        return fits and { t = DATA, tsn = u32(bytes, 17) } or nil
    elseif kind == SACK or kind == NR_SACK or kind == SHUTDOWN then
        local sack = sack_of(bytes, 13, kind, flags, length, captured)
        return sack and { t = SACK, tsn = sack.cum_tsn, top = top_of(sack) } or nil
    end
    return nil
end

local function one_way_of(half)
    local to = half_goes_to(half)
    local from = 3 - to
    return {
        half = half,
        src = half[from].address_list,
        dst = half[to].address_list,
        sport = half[from].port,
        dport = half[to].port,
    }
end

local function in_common(side, addresses)
    for i = 1, #addresses do
        if side.addresses[addresses[i]] or (side.translated or NOTHING)[addresses[i]] then
            return true
        end
    end
    return false
end

-- Feedback on this data cannot be of its numbering.
local function contradicts(data, cum_tsn)
    local ahead = data.highest and distance(cum_tsn, data.highest % MODULUS) or 0
    return ahead > 131072 or ahead < -PAST
end

local function halves_contradict(one, other)
    local told_one = one[half_goes_to(one)].data.last_feedback
    local told_other = other[half_goes_to(other)].data.last_feedback
    return (told_one and contradicts(other[3 - half_goes_to(other)].data, told_one.cum_tsn))
        or (told_other and contradicts(one[3 - half_goes_to(one)].data, told_other.cum_tsn))
end

-- What has just come answers to what the sender of the half sent.
local function proves(clue, half)
    local data = half[3 - half_goes_to(half)].data
    if clue and clue.t == HEARTBEAT_ACK then
        for i = 1, #half.questions do
            if half.questions[i] == clue.information then
                return true
            end
        end
    elseif clue and clue.t == SACK and data.highest then
        local slot = data.slots[data.highest + distance(clue.tsn, data.highest % MODULUS)]
        return slot ~= nil and slot.copies > 0 and distance(clue.top, data.highest % MODULUS) <= 0
    end
    return false
end

-- With an INIT, or after the end, packets of one instance may follow another's: then only what answers tells.
local function may_differ(one, other)
    return one[1].sent_init or one[2].sent_init or other[1].sent_init or other[2].sent_init or not is_open(one)
end

-- "proof", "ends" or nil.
local function fit_of(half, way, clue)
    local to = half_goes_to(half)
    local receiver, sender = half[to], half[3 - to]
    if half == way.half or receiver.port ~= way.sport or sender.port ~= way.dport then
        return nil
    end
    local src, dst = in_common(receiver, way.src), in_common(sender, way.dst)
    if
        not (src or dst)
        or (clue and clue.t == SACK and contradicts(sender.data, clue.tsn))
        or (way.half and halves_contradict(half, way.half))
    then
        return nil
    elseif proves(clue, half) then
        return "proof"
    end
    return src and dst and is_open(half) and not (way.half and may_differ(way.half, half)) and "ends" or nil
end

-- The half whose packets go the other way; nil where none is known to be.
local function find_half(capture, way, clue)
    local list = capture.halves[min(way.sport, way.dport) * 65536 + max(way.sport, way.dport)] or {}
    local found, count = {}, { proof = 0, ends = 0 }
    local i = #list
    while i > 0 and capture.looks > 0 do
        local half = list[i]
        capture.looks = capture.looks - 1
        if half.joined or (half[1].tag and half[2].tag) then
            table.remove(list, i)
        else
            local fit = is_half(half) and fit_of(half, way, clue)
            if fit then
                found[fit] = found[fit] or half
                count[fit] = count[fit] + 1
            end
        end
        i = i - 1
    end
    if count.proof == 1 and i == 0 then
        return found.proof
    end
    return (count.ends == 1 or not way.half) and found.ends or nil
end

-- Packets that come again later, as few do: how many are the same, of how many only the bytes are, and how soon.
local function note_late(side, sure, unsure, later_ns)
    local late = side.late or { sure = 0, unsure = 0, least_ns = math.huge }
    late.sure, late.unsure, late.least_ns = late.sure + sure, late.unsure + unsure, min(late.least_ns, later_ns)
    side.late = late
end

local function join_sides(side, other)
    side.tag = other.tag or side.tag
    side.tags = side.tags + other.tags
    side.sent_init = side.sent_init or other.sent_init
    for i = 1, #other.address_list do
        learn_address(side, other.address_list[i])
    end
    if side.packets == 0 then
        side.last_id, side.last_print = other.last_id, other.last_print
    end
    side.packets = side.packets + other.packets
    side.init_acks = side.init_acks + other.init_acks
    side.hops_initial = side.hops_initial + other.hops_initial
    side.hops_lower = side.hops_lower + other.hops_lower
    side.repeated, side.alike_soon = side.repeated + other.repeated, side.alike_soon + other.alike_soon
    side.repeated_late = side.repeated_late + other.repeated_late
    side.repeated_in_gaps = side.repeated_in_gaps + other.repeated_in_gaps
    if other.late then
        note_late(side, other.late.sure, other.late.unsure, other.late.least_ns)
    end
end

-- The rows of both, in order.
local function merged(one, other)
    local list, i, k = {}, 1, 1
    while one[i] or other[k] do
        local a, b = one[i], other[k]
        if a and (not b or a.frame < b.frame or (a.frame == b.frame and a.chunk < b.chunk)) then
            list[#list + 1], i = a, i + 1
        else
            list[#list + 1], k = b, k + 1
        end
    end
    return list
end

local function end_of_both(one, other)
    if not is_open(one) then
        return one.ended
    elseif not is_open(other) or other.ended == "shutting_down" then
        return other.ended
    end
    return one.ended == "shutting_down" and one.ended or "open"
end

local function empty(association)
    for side = 1, 2 do
        association[side].data = new_direction(association, side)
        association[side].data.side = association[side]
        association[side].asked, association[side].answered_ns = 0, nil
    end
    association.entries, association.entry_count, association.controls = {}, 0, {}
    association.again, association.judged_rows = {}, nil
end

-- Once more through the books of its association.
local function see_again(association, row, from)
    if row.repeated_by then
        association.again[#association.again + 1] = row
        if row.t == SENT then
            row.seq, row.repeats = nil, nil
            note_repeated_data(association[from].data, row, row.repeats_frame, row.repeated_by)
        else
            row.direction = association[3 - from].data
        end
        return
    end
    association.entry_count = association.entry_count + 1
    association.entries[association.entry_count] = row
    if row.t == SENT then
        row.seq, row.slot, row.number, row.hole, row.repeats, row.reports = nil, nil, nil, nil, nil, nil
        row.first_frame, row.prev_frame, row.next_row, row.dup_frame = nil, nil, nil, nil
        row.outcome, row.outcome_class, row.verdict, row.verdict_class, row.evidence = nil, nil, nil, nil, nil
        row.cause, row.cause_class, row.trigger_frame = nil, nil, nil
        note_data(association[from].data, row, row.print or row, row.id or 0, row.content)
    elseif row.t == FEEDBACK then
        row.cum_seq, row.before = nil, nil
        note_feedback(association[3 - from].data, row)
    else
        row.association, row.from = association, from
        association.controls[#association.controls + 1] = row
        note_forward(association[from].data, row.new_cum_tsn)
        note_questions(association, from, row.type, row.time_ns)
    end
end

local function from_of(row)
    if row.t == CONTROL then
        return row.association, row.from
    elseif row.t == SENT then
        return row.direction.association, row.direction.from
    end
    return row.direction.association, 3 - row.direction.from
end

-- Both are one: what each acknowledges of the other is known only now.
local function join(into, half)
    half.turned = half_goes_to(into) == half_goes_to(half)
    half.joined = into
    local rows = merged(merged(into.entries, half.entries), merged(into.again, half.again))
    into.repeated = into.repeated + half.repeated
    for side = 1, 2 do
        join_sides(into[half.turned and 3 - side or side], half[side])
    end
    into.ended = end_of_both(into, half)
    into.packets = into.packets + half.packets
    into.established = into.established or half.established
    if half.last_frame > into.last_frame then
        into.last_frame, into.last_ns = half.last_frame, half.last_ns
    end
    empty(into)
    for i = 1, #rows do
        local of, from = from_of(rows[i])
        see_again(into, rows[i], of == half and half.turned and 3 - from or from)
    end
    empty(half)
end

local function begin_association(capture, ends, from, started)
    if #capture.associations == LIMITS.associations then
        return nil
    end
    local association = { new_side(), new_side(), number = #capture.associations, started = started }
    association.capture = capture
    association.entries, association.entry_count = {}, 0
    association.again, association.repeated = {}, 0 -- rows of packets that were seen before, and such packets
    association.mirror = { agreed = 0, number = 0, later_ns = 0 } -- its own: how much later all come once more
    association.controls, association.ended = {}, "open"
    association.questions, association.question_count = {}, 0
    association[from].port, association[3 - from].port = ends.sport, ends.dport
    learn_address(association[from], ends.src)
    learn_address(association[3 - from], ends.dst)
    for side = 1, 2 do
        association[side].data = new_direction(association, side)
        association[side].data.side = association[side]
    end
    local key = key_of_ends(ends)
    capture.by_ends[key] = capture.by_ends[key] or {}
    table.insert(capture.by_ends[key], association)
    add_half(capture, association)
    capture.associations[#capture.associations + 1] = association
    return association
end

-- The newest association between these ends for which `fits` holds, and the side that the packet goes to.
local function find_by_ends(capture, ends, fits)
    local list = capture.by_ends[key_of_ends(ends)] or NOTHING
    for i = #list, max(#list - LIMITS.looked_at + 1, 1), -1 do
        local association = list[i].joined or list[i]
        for to = 2, 1, -1 do
            if fits(association, to) and goes_to(association, to, ends) then -- what is cheap first
                return association, to
            end
        end
    end
    return nil
end

local function reversed(ends)
    return { src = ends.dst, dst = ends.src, sport = ends.dport, dport = ends.sport }
end

local function tag_unknown(association, to)
    return not association[to].tag and is_open(association)
end

local function other_init_waits(association, to)
    local other = association[3 - to]
    return association[to].sent_init
        and not other.sent_init
        and other.packets == other.init_acks
        and is_open(association)
end

local function find_sender(capture, tag, ends)
    local list, back = having_tag(capture, tag, ends.sport, ends.dport) or NOTHING, reversed(ends)
    local other
    for i = #list, max(#list - LIMITS.looked_at + 1, 1), -1 do
        local association, side = settled(list[i])
        if is_open(association) then
            if goes_to(association, side, back) then
                return association, side
            end
            if not other and not association.established and association[side].addresses[ends.src] then
                other = list[i]
            end
        end
    end
    if other then
        return other[1], other[2]
    end
    return nil
end

local function claim(side, init)
    side.of_pion, side.of_linux, side.tells_duplicates = init.of_pion, init.of_linux, init.tells_duplicates
    for i = 1, #init.addresses do
        learn_address(side, init.addresses[i])
    end
end

-- Whether one is new.
local function learn_addresses(association, from, ends)
    local new_receiver = learn_address(association[3 - from], ends.dst)
    return learn_address(association[from], ends.src) or new_receiver
end

local function on_init(capture, ends, init)
    local association, from = find_sender(capture, init.tag, ends)
    if association then
        learn_addresses(association, from, ends)
    else
        local to
        association, to = find_by_ends(capture, ends, other_init_waits)
        from = association and 3 - to or 1
        if association then
            association.ended = "open"
        else
            local restart = find_by_ends(capture, ends, function(known)
                return known.established and is_open(known)
            end)
            association = begin_association(capture, ends, from, restart and "restart" or "handshake")
            if not association then
                return nil
            end
            association.ended = "unanswered"
        end
    end
    association[from].sent_init = true
    learn_tag(capture, association, from, init.tag)
    claim(association[from], init)
    return association, from
end

local function on_init_ack(capture, ends, tag, init)
    local association, to = find_by_tag(capture, tag, ends)
    if not association and tag == 0 then
        association, to = find_by_ends(capture, ends, function()
            return true
        end)
    end
    if not association then
        to = 1
        association = begin_association(capture, ends, 2, "handshake_cut")
        if not association then
            return nil
        end
        learn_tag(capture, association, to, tag)
    end
    if association.ended == "unanswered" then
        association.ended = "open"
    end
    learn_tag(capture, association, 3 - to, init.tag)
    claim(association[3 - to], init)
    learn_addresses(association, 3 - to, ends)
    return association, 3 - to
end

-- What else was between these ends gives way once the new association's handshake gets on.
local function establish(capture, association, ends)
    association.established = true
    if association.ended == "unanswered" then
        association.ended = "open"
    end
    local list = association.started == "restart" and capture.by_ends[key_of_ends(ends)] or NOTHING
    for i = max(#list - LIMITS.looked_at + 1, 1), #list do
        local other = list[i].joined or list[i]
        if other.number < association.number and is_open(other) then
            other.ended = "restarted"
        end
    end
end

-- The side that the packet goes to, where tag, addresses and ports are the same both ways: its sender goes on with its
-- own TSNs and acknowledges those of the other side.
local function to_by_content(association, to, clue)
    local function is_near(side)
        local highest = association[side].data.highest
        return highest ~= nil and math.abs(distance(clue.tsn, highest % MODULUS)) <= REACH
    end
    if clue and clue.t == DATA and not is_near(3 - to) then
        local begins = association[3 - to].data.highest and not association[to].data.highest
        return (is_near(to) or begins) and 3 - to or to
    elseif clue and clue.t == SACK and not is_near(to) and is_near(3 - to) then
        return 3 - to
    end
    return to
end

-- Nothing but what it holds tells where a packet with this tag goes.
local function is_mirrored(association, ends, tag)
    local one, other = association[1].tag, association[2].tag
    return ends.sport == ends.dport
        and (one == nil or one == tag)
        and (other == nil or other == tag)
        and addresses_to(association, 1, ends) == addresses_to(association, 2, ends)
end

-- An association that a packet with a tag that nobody has is the first one of the other way of.
local function find_other_way(capture, ends, clue)
    local association, to = find_by_ends(capture, ends, tag_unknown)
    if association and not (clue and clue.t == SACK and contradicts(association[to].data, clue.tsn)) then
        return association, to
    end
    association = find_half(capture, {
        src = { ends.src },
        dst = { ends.dst },
        sport = ends.sport,
        dport = ends.dport,
    }, clue)
    return association, association and 3 - half_goes_to(association)
end

-- The association that the packet's is half of, where the other half is known; else its own.
local function whole_of(capture, association, from, clue)
    local other = find_half(capture, one_way_of(association), clue)
    if not other then
        return association, from
    end
    local first = association.number < other.number
    local into, half = first and association or other, first and other or association
    join(into, half)
    return into, not first and half.turned and 3 - from or from
end

local function on_other(capture, ends, tag, bytes, kind, flags, length, captured)
    local association, to = find_by_tag(capture, tag, ends)
    local found, clue = to, nil
    if not association or is_half(association) or is_mirrored(association, ends, tag) then
        clue = clue_of(bytes, kind, flags, length, captured)
    end
    if not association and tag == 0 then
        association, to = find_by_ends(capture, ends, function()
            return true
        end)
    elseif not association then
        association, to = find_other_way(capture, ends, clue)
    end
    if not association then
        to = 2
        association = begin_association(capture, ends, 1, "middle")
        if not association then
            return nil
        end
    end
    if is_mirrored(association, ends, tag) then
        to = to_by_content(association, 2, clue)
    end
    if found == to then
        association[to].tag = tag
    elseif tag ~= 0 then
        learn_tag(capture, association, to, tag)
    end
    local new_address = learn_addresses(association, 3 - to, ends)
    if not association.established then
        establish(capture, association, ends)
    end
    if is_half(association) then
        if clue and clue.t == HEARTBEAT then
            association.questions[association.question_count % QUESTIONS + 1] = clue.information
            association.question_count = association.question_count + 1
        end
        if new_address or (clue and (clue.t == HEARTBEAT_ACK or clue.t == SACK)) then
            return whole_of(capture, association, 3 - to, clue)
        end
    end
    return association, 3 - to
end

-- RFC 9260 section 8.5.1: with the T bit it carries the tag of its own sender's side.
local function on_reflected(capture, ends, tag)
    local back = reversed(ends)
    local association, from = find_by_tag(capture, tag, back)
    if association then
        return association, from
    end
    if tag == 0 or find_by_tag(capture, tag, ends) then
        return on_other(capture, ends, tag, nil)
    end
    association, from = find_by_ends(capture, back, tag_unknown)
    if not association then
        from = 1
        association = begin_association(capture, ends, from, "middle")
        if not association then
            return nil
        end
    end
    learn_tag(capture, association, from, tag)
    return association, from
end

---- packets that were seen before (core/association/repeats.c, taps.c)

local tells_by_id, repeated_by, note_seen
do
local SEEN_KEPT = 4096
local ENOUGH_TWICE = 8 -- packets of a side: fewer may come twice by chance

local function is_soon(before, seen)
    local apart = seen.time_ns - before.time_ns
    return apart < CAPTURED_TWICE_NS and apart > -CAPTURED_TWICE_NS
end

-- An identification that the packet before has too, with other bytes, is a constant of its sender.
function tells_by_id(side, id, print)
    return id ~= 0
        and (side.packets == 0 or id ~= side.last_id or (print == side.last_print and side.id_tells))
end

-- All packets of an association come once more by the same time later, in their order (core/association/mirror.c).
local mirrors = { skips = 16, enough = 2, shortest_timer_ns = 10 * MS }

function mirrors.follows(mirror, before, later_ns)
    local ahead = before.number - mirror.number
    return mirror.agreed > 0
        and math.abs(later_ns - mirror.later_ns) < MS
        and ahead <= mirrors.skips
        and ahead >= -mirrors.skips
end

function mirrors.has(mirror, before, seen)
    local later_ns = seen.time_ns - before.time_ns
    if seen.asks and later_ns >= 0 and later_ns < mirrors.shortest_timer_ns then -- no timer has expired
        return true
    end
    return mirror.agreed >= mirrors.enough and mirror[1] and mirror[2] and mirrors.follows(mirror, before, later_ns)
end

function mirrors.learn(mirror, before, seen)
    local later_ns = seen.time_ns - before.time_ns
    if mirrors.follows(mirror, before, later_ns) then
        mirror.agreed = mirror.agreed + 1
    else
        mirror.agreed, mirror[1], mirror[2] = 1, false, false
    end
    mirror[before.from] = true
    mirror.later_ns, mirror.number = later_ns, before.number
end

-- Whether a packet repeats one before it, and whether it has at least its bytes.
local function likeness_of(before, seen)
    if before.head ~= seen.head or before.id ~= seen.id or before.wire ~= seen.wire then
        return false, false
    end
    if before.association.joined then
        before.from = before.association.turned and 3 - before.from or before.from
        before.association = before.association.joined
    end
    local side = before.association[before.from]
    local tells = tells_by_id(side, seen.id, seen.print)
    if before.src ~= seen.src or before.dst ~= seen.dst then -- a router takes one off the hop limit
        return tells and seen.hop_limit < before.hop_limit, false
    end
    local twice = side.repeated > side.repeated_late + side.repeated_in_gaps
    local sent_again = before.sends_again and not before.sends and not before.fills
    local fills = before.fills and not before.sends
    local sent_so_soon = not twice and (sent_again or (fills and (before.came_again or side.data.fills_so_soon)))
    if seen.only_acknowledges then
        sent_so_soon = 4 * (side.repeated + side.alike_soon + 1) < side.packets
    end
    local soon = is_soon(before, seen) and not sent_so_soon
    return tells or soon or mirrors.has(before.association.mirror, before, seen), true
end

local function keep_seen(capture, seen)
    if not capture.seen[seen.print] then
        capture.seen_count = capture.seen_count + 1
        if capture.seen_count > SEEN_KEPT then
            capture.seen_before, capture.seen, capture.seen_count = capture.seen, {}, 1
        end
    end
    local latest = capture.seen[seen.print]
    if latest ~= seen then
        seen.older, capture.seen[seen.print] = latest, seen
    end
    for _ = 2, 4 do -- as many are kept of a kind
        latest = latest and latest.older
    end
    if latest then
        latest.older = nil
    end
end

local function note_translated(side, address)
    if side.address_list[1] == address or (side.translated or NOTHING)[address] then
        return
    end
    side.translated = side.translated or {} -- what a router makes of its addresses: few have any
    side.translated[address] = true
    side.addresses[address] = nil
    for i = #side.address_list, 2, -1 do
        if side.address_list[i] == address then
            table.remove(side.address_list, i)
        end
    end
end

-- What the packet repeats, and how; nil: nothing.
function repeated_by(capture, seen)
    local before = capture.seen[seen.print] or capture.seen_before[seen.print]
    while before do
        local repeats, alike = likeness_of(before, seen)
        if repeats then
            break
        end
        seen.alike = seen.alike or alike and before or nil
        before = before.older
    end
    if not before then
        return nil
    end
    local association, side = before.association, before.association[before.from]
    side.repeated = side.repeated + 1
    association.repeated = association.repeated + 1
    if not is_soon(before, seen) then
        note_late(side, 1, 0, math.abs(seen.time_ns - before.time_ns))
    end
    if before.src ~= seen.src then
        note_translated(side, seen.src)
    end
    if before.dst ~= seen.dst then
        note_translated(association[3 - before.from], seen.dst)
    end
    local translated = before.src ~= seen.src or before.dst ~= seen.dst
    local soon = is_soon(before, seen)
    local mirrored = seen.id == 0 and mirrors.has(association.mirror, before, seen)
    if not translated and not soon then
        mirrors.learn(association.mirror, before, seen)
    end
    if translated or soon or mirrored or before.hop_limit ~= seen.hop_limit then
        before.came_again = true
        if before.fills and not before.sends then
            side.repeated_in_gaps = side.repeated_in_gaps + 1
            side.data.filled_again = before.fills_at
        end
        return before, "capture_duplicate"
    end
    side.repeated_late = side.repeated_late + 1
    before.time_ns, before.of_network = seen.time_ns, true -- the capture may have that twice
    keep_seen(capture, before)
    return before, "network_duplicate"
end

-- It was not seen before, and belongs to a side.
function note_seen(capture, seen, association, from)
    local side = association[from]
    if seen.alike and is_soon(seen.alike, seen) then
        side.alike_soon = side.alike_soon + 1
    elseif seen.alike then
        note_late(side, 0, 1, math.abs(seen.time_ns - seen.alike.time_ns))
    end
    seen.association, seen.from, seen.alike = association, from, nil
    seen.number = (association.packets or 0) + 1
    keep_seen(capture, seen)
end

local function is_unsure(side)
    local late = side.late
    return late ~= nil and late.unsure >= ENOUGH_TWICE and 3 * late.unsure >= side.packets
end

function is_doubled(side)
    local late = side.late
    return late ~= nil and late.sure >= ENOUGH_TWICE and 4 * late.sure >= side.packets or is_unsure(side)
end

function is_doubled_unsurely(association)
    return is_unsure(association[1]) and is_unsure(association[2])
end

function has_two_taps(association)
    local a, b = association[1], association[2]
    if not is_doubled(a) or not is_doubled(b) then
        return false
    end
    local even = math.abs(a.late.least_ns - b.late.least_ns) < MS
    local answered = b.answered_ns and b.answered_ns < a.late.least_ns
        or a.answered_ns and a.answered_ns < b.late.least_ns
    return not (even and answered) or is_doubled_unsurely(association)
end
end

---- packets

function new_capture(settings)
    return {
        settings = settings or {},
        associations = {},
        by_tag = {},
        by_ends = {},
        halves = {},
        looks = 0,
        paths = {},
        rows = 0,
        seen = {}, -- packets, by what they are told by …
        seen_before = {}, -- … and older ones
        seen_count = 0,
        credit = LIMITS.steps,
        given_up = {}, -- by frame, what is not followed from there on
    }
end

-- Most packets are of an association whose tag and addresses are known.
local function belongs_to(capture, ends, tag, bytes, kind, flags, length, captured)
    if kind == INIT or kind == INIT_ACK then
        local init = init_of(bytes, 13, length, captured)
        if init and kind == INIT then
            return on_init(capture, ends, init)
        elseif init then
            return on_init_ack(capture, ends, tag, init)
        end
    elseif (kind == ABORT or kind == SHUTDOWN_COMPLETE) and flags % 2 == 1 then
        return on_reflected(capture, ends, tag)
    end
    return on_other(capture, ends, tag, bytes, kind, flags, length, captured)
end

local function note_end(association, kind)
    if not is_open(association) then
        return
    elseif kind == ABORT then
        association.ended = "abort"
    elseif kind == SHUTDOWN_COMPLETE then
        association.ended = "shutdown"
    elseif kind == SHUTDOWN or kind == SHUTDOWN_ACK then
        association.ended = "shutting_down"
    end
end

local function path_text(capture, packet, from)
    if packet.src == "" then
        return from == 1 and "a>b" or "b>a"
    end
    local of_src = capture.paths[packet.src]
    if not of_src then
        of_src = {}
        capture.paths[packet.src] = of_src
    end
    local path = of_src[packet.dst]
    if not path then
        path = packet.src .. ">" .. packet.dst
        of_src[packet.dst] = path
    end
    return path
end

-- The lowest TSN of a packet that may be sent for the first time; `first` is that of its first DATA chunk, at `at`. A
-- sender numbers chunks as it sends them first, and bundles them in that order: what lies between two of them, and is
-- not there, was sent before, and so was the lower one (core/association/tsn_order.h).
local function tsn_order(direction, bytes, at, wire, first)
    local last, new_from, highest = first, first, direction.highest
    while at + 7 <= #bytes do
        local kind, length = byte(bytes, at), u16(bytes, at + 2)
        if length < 4 or at - 1 + length > wire then
            break
        end
        local is_data = (kind == DATA and length >= 16) or (kind == I_DATA and length >= 20)
        local tsn = u32(bytes, at + 4)
        if is_data and tsn ~= first then
            local step = distance(tsn, last)
            if step <= 0 or step > REACH then
                return first -- no order, or of another numbering: it tells nothing
            end
            local slot = highest and direction.slots[highest + distance(tsn, highest % MODULUS)]
            if step > 1 or (slot and slot.copies > 0 and not slot.conflicting) then
                new_from = tsn
            end
            last = tsn
        end
        at = at + length + (-length) % 4
    end
    return new_from
end

-- Of the packet that a PACKET-DROP chunk quotes; the quote may end inside a chunk.
local function tsns_quoted(bytes, at, last)
    local tsns = {}
    while at + 7 <= last do
        local kind, length = byte(bytes, at), u16(bytes, at + 2)
        if kind == DATA or kind == I_DATA then
            tsns[#tsns + 1] = u32(bytes, at + 4)
        end
        if length < 4 then
            break
        end
        at = at + length + (-length) % 4
    end
    return tsns
end

-- The rows of a packet with an SCTP common header: `packet` has frame, time_ns, src, dst (addresses as text, "" for
-- none), id (by its sender; 0 where unknown), hop_limit (a function of `start`, as it is seldom asked for; 0 where
-- unknown), bytes (what was captured) and wire (its length). `first_chunk` counts over the frame. Returns the first and
-- the last row, linked by `following`; the next chunk's number; ranges of bytes that quote other packets.
function packet_rows(capture, packet, first_chunk)
    local bytes, first_row, last_row, quotes = packet.bytes, nil, nil, NOTHING
    local captured = #bytes
    if captured < 12 then
        return nil, nil, first_chunk, quotes
    end
    local ends = packet -- with ports
    ends.sport, ends.dport = u16(bytes, 1), u16(bytes, 3)
    local at, number, wire = 13, first_chunk, packet.wire
    local association, from, path
    local print, id -- of the packet: what it is told from its repetitions by
    local seen, before, repeated -- how it looks, what it repeats, and how
    local sends_data, is_cut_off = false, false
    local new_from -- its lowest TSN that may be sent for the first time
    while at + 3 <= captured do
        local kind, flags, high, low = byte(bytes, at, at + 3)
        local length = high * 256 + low
        if length < 4 or at - 1 + length > wire then
            break
        end
        local there = min(length, captured - at + 1)
        if not association then
            capture.looks = min(capture.looks + LOOKS_OF_A_PACKET, LOOKS_SAVED)
            local checksum = u32(bytes, 9)
            print = checksum == 0 and sub(bytes, 1, 64) .. captured or checksum * 65536 + captured % 65536
            seen = {
                print = print,
                head = sub(bytes, 1, 64),
                frame = packet.frame,
                time_ns = packet.time_ns,
                src = packet.src,
                dst = packet.dst,
                id = packet.id,
                wire = wire,
                hop_limit = packet.hop_limit(packet.start),
                only_acknowledges = (kind == SACK or kind == NR_SACK) and 16 + length > wire,
                asks = ASKING.asks[kind] or ASKING.answers[kind],
            }
            before, repeated = repeated_by(capture, seen)
            if before then
                association, from = before.association, before.from
            else
                association, from = belongs_to(capture, ends, u32(bytes, 5), bytes, kind, flags, length, there)
            end
            if not association then
                capture.given_up[packet.frame] = "no associations but the first " .. LIMITS.associations
                return nil, nil, number, quotes
            end
            capture.credit = min(capture.credit + LIMITS.steps_of_a_packet, LIMITS.steps)
            path = path_text(capture, packet, from)
        end
        if not before and not id then
            local side = association[from]
            side.id_tells = tells_by_id(side, packet.id, print)
            id = side.id_tells and packet.id or 0
            side.last_id, side.last_print = packet.id, print
            side.packets = side.packets + 1
            note_hops(association, side, packet)
            side.init_acks = side.init_acks + (kind == INIT_ACK and 1 or 0)
            note_seen(capture, seen, association, from)
            association.first_frame = association.first_frame or packet.frame
            association.first_ns = association.first_ns or packet.time_ns
            association.last_frame, association.last_ns = packet.frame, packet.time_ns
            association.packets = (association.packets or 0) + 1
        end
        local row, content
        if kind == DATA or kind == I_DATA then
            row, content = data_of(bytes, at, kind, flags, length, there)
            sends_data, is_cut_off = sends_data or row ~= nil, is_cut_off or (not row and there < length)
        elseif kind == SACK or kind == NR_SACK or kind == SHUTDOWN then
            row = sack_of(bytes, at, kind, flags, length, there)
        elseif ASKING.asks[kind] or ASKING.answers[kind] or ASKING.ends[kind] or kind == FORWARD_TSN
            or kind == I_FORWARD_TSN then
            row = { t = CONTROL, type = kind, association = association, from = from }
            if kind == FORWARD_TSN or kind == I_FORWARD_TSN then
                row.new_cum_tsn = there >= 8 and u32(bytes, at + 4) or nil
            elseif kind == HEARTBEAT or kind == HEARTBEAT_ACK then
                row.value = sub(bytes, at + 4, at + there - 1)
            end
        elseif kind == PACKET_DROP then
            quotes = quotes == NOTHING and {} or quotes
            quotes[#quotes + 1] = { at, at + there - 1 }
            row = { t = CONTROL, type = kind, association = association, from = from }
            row.dropped = tsns_quoted(bytes, at + DROP_FIXED, at + min(length, there) - 1)
        end
        if row and before then
            row.frame, row.chunk, row.time_ns = packet.frame, number, packet.time_ns
            row.path = path
            capture.rows = capture.rows + 1
            row.repeats_frame, row.repeated_by = before.frame, repeated
            if row.t == SENT then
                note_repeated_data(association[from].data, row, before.frame, repeated)
                row.of_network = before.of_network
            elseif row.t == FEEDBACK then
                row.direction, row.newly, row.newly_from = association[3 - from].data, 0, 1
            end
            if row.t ~= CONTROL then
                association.again[#association.again + 1] = row
            end
            if row.t ~= CONTROL then
                if last_row then
                    last_row.following = row
                end
                first_row, last_row = first_row or row, row
            end
        elseif row then
            row.frame, row.chunk, row.time_ns = packet.frame, number, packet.time_ns
            row.path = path
            association.entry_count = association.entry_count + 1
            association.entries[association.entry_count] = row
            capture.rows = capture.rows + 1
            if row.t == SENT then
                new_from = new_from or tsn_order(association[from].data, bytes, at, wire, row.tsn)
                row.sent_before = distance(new_from, row.tsn) > 0 or nil
                if is_half(association) then -- it may be seen again
                    row.print, row.id, row.content = print, id, content
                end
                note_data(association[from].data, row, print, id, content)
                local again = row.kind == "retransmission" and row.copy > 1
                local fills = not again and (row.kind == "retransmission" or row.kind == "reordered")
                seen[again and "sends_again" or fills and "fills" or "sends"] = true
                seen.fills_at = seen.fills_at or (fills and row.tsn) or nil
            elseif row.t == FEEDBACK then
                note_feedback(association[3 - from].data, row)
            end
            if row.t ~= CONTROL then
                if last_row then
                    last_row.following = row
                end
                first_row, last_row = first_row or row, row
            else
                association.controls[#association.controls + 1] = row
                note_forward(association[from].data, row.new_cum_tsn)
                note_dropped(association[3 - from].data, row.dropped or NOTHING)
            end
        end
        if not before then
            note_questions(association, from, kind, packet.time_ns)
            note_end(association, kind)
        end
        at = at + length + (-length) % 4
        number = number + 1
    end
    is_cut_off = is_cut_off or (at + 3 > captured and at - 1 < wire)
    if sends_data and not before and is_cut_off then -- chunks behind its data
        association[from].data.has_gaps = true
    end
    return first_row, last_row, number, quotes
end
end

------------------------------------------------------------------------------------------------------------------------
-- How soon a sender acts, where no handshake shows its loop (core/facts/reaction.c)

local first_and_third_report, asked_for, reaction_loop, prompt_loop
do
local REPORTS = 64 -- that are looked back at
local ENOUGH = 1024 -- lags

-- What a SACK says of a TSN: "missing", "acked"; nil: nothing.
local function report_on(sack, tsn)
    local says
    if distance(tsn, sack.cum_tsn) <= 0 then
        return "acked"
    end
    for kind = 1, 2 do
        local blocks = blocks_of_kind(sack, kind)
        for i = 1, #blocks, 2 do
            if distance(blocks[i], tsn) > 0 then
                says = "missing"
            elseif distance(tsn, blocks[i + 1]) <= 0 then
                return "acked"
            end
        end
    end
    return says
end

local function lag_of(row, report_ns)
    return report_ns and row.time_ns >= report_ns and row.time_ns - report_ns or nil
end

-- How long before `row` the first and the third of the reports came that its TSN was missing; nil where there were
-- fewer, or too many to say.
function first_and_third_report(row)
    local feedback, first_ns, second_ns, third_ns = row.direction.feedback, nil, nil, nil
    for back = 1, min(REPORTS, row.reports) do
        local sack = feedback[row.reports - back + 1]
        local says = report_on(sack, row.tsn)
        if not says then
            break
        elseif says == "missing" and back < REPORTS then
            first_ns, second_ns, third_ns = sack.time_ns, first_ns, second_ns
        elseif says == "missing" or first_ns then
            return nil -- too many, or it was acknowledged before
        end -- else the first copy has come meanwhile
    end
    return lag_of(row, first_ns), lag_of(row, third_ns)
end

-- Whether three reports in a row said that a TSN was missing; a copy may have come since.
function asked_for(row)
    local feedback, missing = row.direction.feedback, 0
    for back = 1, min(REPORTS, row.reports or 0) do
        local sack = feedback[row.reports - back + 1]
        local says = report_on(sack, row.tsn)
        if missing == 3 or not says or (says == "acked" and missing > 0) then
            break
        end
        missing = missing + (says == "missing" and 1 or 0)
    end
    return missing == 3
end

-- The shortest lag that others are like, within a share of it and a time: so many have to be, and such a part of all.
local function shortest(lags, share, time_ns, count, part)
    table.sort(lags)
    for i = 1, #lags - 1 do
        local most_ns, alike = lags[i] + floor(lags[i] / share) + time_ns, 1
        while lags[i + alike] and lags[i + alike] <= most_ns do
            alike = alike + 1
        end
        if alike >= count and alike >= floor(#lags / part) then
            return lags[i + floor((alike - 1) / 4)]
        end
    end
    return nil
end

-- Lags since the third report, of TSNs of which a copy was seen, and of those of which none was; since the first, of
-- what did not wait for a third.
local function reactions(direction)
    local resent, unseen, first, frame = {}, {}, {}, nil
    for _, row in ipairs(direction.resends and direction.sent or NOTHING) do
        if row.reports and row.copy <= 2 and row.frame ~= frame and #resent + #unseen < ENOUGH then
            frame = row.frame
            local first_ns, third_ns = first_and_third_report(row)
            local lags, lag_ns = third_ns and (row.copy == 2 and resent or unseen) or first, third_ns or first_ns
            if lag_ns and lag_ns < SHORTEST_RTO_NS and #lags < ENOUGH then -- later it may as well be a timeout
                lags[#lags + 1] = lag_ns
            end
        end
    end
    return resent, unseen, first
end

-- At the third report a sender acts at once (RFC 9260 section 7.2.4), but for what its host takes. What was not seen
-- before may only be late: that is spread, and sooner than what is certainly sent again, which may be so for the second
-- time. One report may be there by chance when a timer expires: lags have to be the same.
function reaction_loop(direction)
    local resent, unseen, first = reactions(direction)
    local unseen_ns = shortest(unseen, 8, MS / 10, 3, 4) or shortest(unseen, 64, MS / 10, 2, 2)
    local resent_ns = shortest(resent, 8, MS, 2, math.huge) -- sorts
    if unseen_ns and (not resent[1] or unseen_ns >= floor(resent[1] / 2)) then
        return unseen_ns
    elseif resent_ns or #resent + #unseen > 0 then
        return resent_ns
    end
    return shortest(first, 64, MS / 10, 4, 4)
end

-- The least loop to the receiver of what acknowledges several packets: the second one is acknowledged at once (RFC 9260
-- section 6.2).
function prompt_loop(direction)
    local prompt_ns
    for number, sack in ipairs(direction.feedback) do
        local from = number >= (direction.caught_up or math.huge) and direction.sampled_from or 0
        local oldest, latest, newest
        for i = sack.newly_from, sack.newly_from + sack.newly - 1 do
            local slot = direction.acked_slots[i]
            local row, last = slot[1], slot[slot.copies_before]
            newest = (not newest or last.number > newest.number) and last or newest
            if slot.copies_before == 1 and not slot.unseen_before and row.number > from then
                oldest = (not oldest or row.number < oldest.number) and row or oldest
                latest = (not latest or row.number > latest.number) and row or latest
            end
        end
        local several = latest and latest == newest and latest.frame ~= oldest.frame
        if several and not sack.ahead and sack.time_ns >= latest.time_ns then
            prompt_ns = min(prompt_ns or math.huge, sack.time_ns - latest.time_ns)
        end
    end
    return prompt_ns
end
end

------------------------------------------------------------------------------------------------------------------------
-- Where the tap is (core/facts/loops.c, vantage.c)

local measure
do
local function least(value, elapsed_ns)
    if elapsed_ns >= 0 and (not value or elapsed_ns < value) then
        return elapsed_ns
    end
    return value
end

-- From the tap to each side and back, of what is answered at once.
local function handshake_loops(association)
    local loop, asked = {}, { {}, {} }
    for _, row in ipairs(association.controls) do
        local from, to = row.from, 3 - row.from
        local answers, asks = ASKING.answers[row.type], ASKING.asks[row.type]
        if answers then
            local asked_ns = asked[from][answers]
            if asked_ns and (answers ~= "heartbeat" or asked[from].value == row.value) then
                loop[from] = least(loop[from], without_t1(row.type, row.time_ns - asked_ns))
            end
            asked[from][answers] = nil
        end
        if asks then
            asked[to][asks] = row.time_ns
        end
        if row.type == HEARTBEAT then
            asked[to].value = row.value
        end
    end
    return loop
end

-- From the tap to each side and back, of what ends the association (RFC 9260 section 9.2). Asked twice it does not say
-- which was answered, and a side that sends data had not sent all when it was asked: its answer waits for that.
local function closing_loops(association)
    local loop, asked = {}, { {}, {} }
    local function ask(side, what, time_ns)
        asked[side][what] = { time_ns = time_ns, once = not asked[side][what] }
    end
    for _, row in ipairs(association.entries) do
        local answers = row.t == CONTROL and ASKING.ends[row.type]
        if answers then
            local question = asked[row.from][answers]
            if question and question.once then
                loop[row.from] = least(loop[row.from], row.time_ns - question.time_ns)
            end
            asked[row.from][answers] = nil
            if row.type == SHUTDOWN_ACK then
                ask(3 - row.from, "shutdown_ack", row.time_ns)
            end
        elseif row.t == FEEDBACK and row.kind == "shutdown" then
            ask(row.direction.from, "shutdown", row.time_ns)
        elseif row.t == SENT and asked[row.direction.from].shutdown then
            asked[row.direction.from].shutdown.once = false
        end
    end
    return loop
end

local function quantile_at(values, share, of)
    return values[floor((#values - 1) * share / of) + 1]
end

-- Samples of undelayed answers lie within half a delay above the least.
local function conclude_receiver(direction, measured)
    local known_ns = measured.to_receiver_ns
    measured.floor_ns, measured.typical_ns, measured.jitter_ns = known_ns or 0, known_ns or 0, 0
    measured.early_ns, measured.least_ns = known_ns or 0, known_ns
    local samples = direction.loop
    if not samples then
        return
    end
    local values = {}
    for i = 1, samples.kept do
        values[i] = samples.values[i]
    end
    table.sort(values)
    local low_ns, least_ns = quantile_at(values, 50, 1000), samples.least
    if known_ns then
        -- The lower end is thinly sampled: the true floor lies about as far below the least as that below the next. A
        -- host may answer data faster than its handshake: grant it a sixteenth, unless one in twenty answers took about
        -- as long as that: the next is then the least of all once in 21 times.
        local sixteenth = floor(known_ns / 16)
        local confirmed = samples.count >= 20 and low_ns <= known_ns + sixteenth
        local floor_ns = least_ns - (low_ns - least_ns)
        measured.floor_ns = max(min(floor_ns, confirmed and known_ns or known_ns - sixteenth), 0)
        measured.early_ns = measured.floor_ns
        least_ns = min(known_ns, least_ns)
    else
        -- Data waits for the data before it: a packet alone, as a handshake's, is faster. An answer that was seen was
        -- not too soon. What comes sooner than `early_ns` most likely answers another copy.
        measured.floor_ns = min(low_ns - floor(low_ns / 4), least_ns)
        measured.early_ns = min(low_ns - floor(low_ns / 16), least_ns)
        least_ns = low_ns
    end
    measured.least_ns = least_ns
    local undelayed = 0
    while undelayed < #values and values[undelayed + 1] <= least_ns + ACK_DELAY_NS / 2 do
        undelayed = undelayed + 1
    end
    if undelayed > 0 then
        measured.typical_ns = values[floor(undelayed / 2) + 1]
        measured.jitter_ns = values[floor((undelayed - 1) * 9 / 10) + 1] - values[1]
    end
end

local function is_near(loop_ns, other_ns)
    return loop_ns <= MS or loop_ns < floor((loop_ns + other_ns) / 8)
end

local function by_loops(measured, hops)
    local sender_ns, receiver_ns = measured.to_sender_ns, measured.least_ns
    if not sender_ns or not receiver_ns then
        return "unknown"
    end
    -- A loop that follows from other things may be shorter: that nothing is far from it does not make this near.
    local sender = is_near(sender_ns, receiver_ns)
    local receiver = is_near(receiver_ns, measured.inferred and 0 or sender_ns)
    measured.open = sender and receiver -- all within a host or a rack: hosts take longer than the ways differ by
    if measured.open and (hops == "sender" or hops == "receiver") then
        return hops
    elseif measured.open then
        return sender_ns <= receiver_ns and "sender" or "receiver"
    end
    return sender and "sender" or receiver and "receiver" or "middle"
end

local function by_hops(association, from)
    if is_at_tap(association, from) then
        return "sender"
    elseif is_at_tap(association, 3 - from) then
        return "receiver"
    end
    return passed_routers(association[1]) and passed_routers(association[2]) and "middle" or "unknown"
end

-- Up to each feedback, the last transmission that the receiver is known to have, and of all, the windows that it told.
local function arrivals(direction)
    local newest, least_rwnd, most_rwnd = {}, nil, 0
    for number, sack in ipairs(direction.feedback) do
        local last = newest[number - 1]
        for i = sack.newly_from, sack.newly_from + sack.newly - 1 do
            local slot = direction.acked_slots[i]
            local row = slot[1] -- of several copies which one came is not known
            local once = slot.copies_before == 1 and not slot.unseen_before
            last = once and (not last or row.number > last.number) and row or last
        end
        newest[number] = last or false
        if sack.a_rwnd then
            least_rwnd, most_rwnd = min(least_rwnd or sack.a_rwnd, sack.a_rwnd), max(most_rwnd, sack.a_rwnd)
        end
    end
    return newest, (least_rwnd or 0) >= floor(most_rwnd / 4)
end

-- At the sender's tap nothing was lost before, unless the capture left it out: then it mostly arrived, and leaves a
-- hole. At the receiver's nothing is lost behind, but what a host throws away that has no room: one chunk it may have
-- thrown away for another reason. Packets come to the receiver in the order in which they pass a tap beside it.
local function contradicts(direction, vantage, before_tsn)
    if vantage ~= "sender" and vantage ~= "receiver" or not direction.resends then
        return false
    end
    local newest, has_room = arrivals(direction)
    local first, highest, holes, before, behind = nil, nil, 0, 0, 0
    for _, row in ipairs(direction.sent) do
        local ahead = highest and distance(row.tsn, highest)
        first = first or row.tsn
        if not highest or ahead > 0 then
            holes, highest = holes + max((ahead or 1) - 1, 0), row.tsn
        elseif row.copy == 1 and ahead < 0 and distance(row.tsn, first) > 0 then
            holes = holes - 1
        end
        if row.kind == "retransmission" and row.copy == 1 then
            before = before + (distance(row.tsn, before_tsn or (first - 1) % MODULUS) > 0 and 1 or 0)
        elseif row.kind == "retransmission" then
            local acked_by, last = row.slot.acked_by, newest[row.reports]
            local earlier = row.slot[row.copy - 1]
            local acked = acked_by and acked_by.frame < row.frame
            if not acked and last and earlier.number < last.number and earlier.frame ~= last.frame then
                behind = behind + 1
            end
        end
    end
    if vantage == "sender" then
        return before > 0 and before > holes
    end
    return behind > 1 and has_room
end

-- A handshake on both sides of the tap and hop limits are two proofs that have nothing in common.
local function class_of_vantage(measured, hops)
    if measured.vantage == "unknown" then
        return 1
    elseif measured.inferred or not measured.to_receiver_ns or (hops ~= "unknown" and hops ~= measured.vantage) then
        return 3
    end
    -- Where a bridge lies between, as that of a wireless network, no router tells of it, but what it takes does.
    local may_be_bridge = measured.vantage == "receiver" and (measured.least_ns or 0) > MS
    return hops == measured.vantage and not measured.open and not may_be_bridge and 5 or 4
end

-- Loops that a handshake shows come first, then hop limits, then loops that follow from other things; but routers on
-- both sides may be in the hosts: there loops tell more. What was lost on one side of the tap shows that it is not at
-- that side.
local function conclude_vantage(direction, measured)
    local hops = by_hops(direction.association, direction.from)
    local vantage = by_loops(measured, hops)
    local handshake = direction.association.started ~= "middle" -- for a heartbeat a host may take its time
    local seen = vantage ~= "unknown" and not measured.inferred and handshake
    measured.sender_loop_ns = measured.to_sender_ns or 0
    if not seen and hops == "sender" and vantage ~= hops then
        measured.sender_loop_ns = 0
    end
    if not seen and hops ~= "unknown" and (hops ~= "middle" or vantage == "unknown") then
        vantage = hops
    end
    if vantage ~= hops and contradicts(direction, vantage, measured.before_tsn) then
        vantage = "middle"
    end
    measured.vantage = vantage
    measured.vantage_class = class_of_vantage(measured, hops)
end

local HANDSHAKE_NS = floor(MS / 5) -- a host takes so much longer for one than for feedback
local MIRRORED = { sender = "receiver", receiver = "sender" }

-- What was told, of the side that sends more; seen from the other's data the tap is at the other end.
local function told_of(capture, association, from)
    local settings = capture.settings
    local sends_more = association[2].data.bytes > association[1].data.bytes and 2 or 1
    if from == sends_more then
        return settings.vantage, settings.loop_ns
    end
    return settings.vantage and (MIRRORED[settings.vantage] or settings.vantage), nil
end

-- Without a handshake: how soon a side sends again, or acknowledges the other's data; where that is more than twice the
-- loop by the shutdown, it holds more than what the host takes.
local function guess_of(association, from, closing_ns)
    local reaction_ns, prompt_ns = reaction_loop(association[from].data), prompt_loop(association[3 - from].data)
    local loop_ns = reaction_ns and prompt_ns and min(reaction_ns, prompt_ns) or reaction_ns or prompt_ns
    return closing_ns and (not loop_ns or closing_ns < floor(loop_ns / 2)) and closing_ns or loop_ns
end

-- Where the capture begins in the middle: up to which TSN some may have been sent before.
local function begins_behind(direction)
    if direction.association.started ~= "middle" or not direction.first_tsn then
        return nil
    end
    local before, told = (direction.first_tsn - 1) % MODULUS, direction.told
    return told and distance(told, before) > 0 and told or before
end

function measure(capture, association)
    local loop = handshake_loops(association)
    local closing = loop[1] and loop[2] and NOTHING or closing_loops(association)
    local vantages = {}
    for from = 1, 2 do
        local vantage, loop_ns = told_of(capture, association, from)
        vantages[from] = { vantage, loop_ns }
        loop[from] = loop_ns or loop[from]
    end
    for from = 1, 2 do
        local direction = association[from].data
        local measured = {
            to_receiver_ns = loop[3 - from],
            to_sender_ns = loop[from] or guess_of(association, from, closing[from]),
            inferred = loop[from] == nil, -- no handshake showed the sender's
            lead_ns = 0, -- the most by which packets were overtaken and still arrived
            late_ns = 0,
            before_tsn = begins_behind(direction),
        }
        direction.measured = measured
        conclude_receiver(direction, measured)
        conclude_vantage(direction, measured)
        local vantage, loop_ns = vantages[from][1], vantages[from][2]
        if vantage or loop_ns then -- what is told is true
            measured.vantage_class = 5
        end
        if vantage then
            if vantage == "sender" and measured.vantage ~= "sender" and not loop_ns then
                measured.sender_loop_ns = 0
            end
            measured.vantage = vantage
        end
        -- When the sender had which feedback is not known.
        measured.adrift = measured.vantage ~= "sender" and not measured.to_sender_ns
        -- What came of that which was sent before the capture is told by then.
        measured.settled_ns = association.first_ns + measured.typical_ns + ACK_DELAY_NS * 5 / 4
        -- At its own tap the loop is the time of the host, at any time another: feedback was there.
        local at_host = measured.vantage == "sender" and not loop_ns
        local sooner_ns = loop_ns and 0 or min(floor(measured.sender_loop_ns / 16), HANDSHAKE_NS)
        measured.feedback_ns = at_host and 0 or measured.sender_loop_ns - sooner_ns
    end
end
end

------------------------------------------------------------------------------------------------------------------------
-- Which copy came first (core/judge/fates.c), from the acknowledgements

local LEAST_SILENCE_NS, find_first_copies, decide_fates
do
local EPSILON_NS = 20000
local MOST_ACK_DELAY_NS = 550 * MS -- RFC 9260 section 6.2: 500 ms; and what hosts take
local COPIES = 32 -- of one TSN that are looked at, or that a report of a duplicate may speak of: the latest
local RECENT = 256 -- transmissions that are looked back at

-- What was sent later, in another packet, had arrived before: so much later it was sent, and so much later than usual
-- this one had still not arrived. nil: nothing.
local function overtaken_by(direction, sack, row)
    local newest = direction.newest
    if not newest or newest.number <= row.number or newest.frame == row.frame then
        return nil
    end
    local missed_ns = sack.before and sack.before.time_ns - row.time_ns - direction.measured.typical_ns or 0
    return max(newest.time_ns - row.time_ns, 0), max(missed_ns, 0)
end

-- Within a quarter more than what is known, or than what loops vary.
local function network_reorders_so_far(measured, lead_ns, late_ns)
    local known_lead_ns, known_late_ns = measured.lead_ns, measured.late_ns
    local varies_ns = measured.jitter_ns
    return (known_lead_ns > 0 or known_late_ns > 0)
        and lead_ns <= max(known_lead_ns + floor(known_lead_ns / 4), varies_ns)
        and late_ns <= max(known_late_ns + floor(known_late_ns / 4), varies_ns)
end

-- Not from what may have been sent before the capture, too. What came after a copy that is only supposed to have come
-- first makes less sure what rests on order.
local function learn_reordering(direction, row, lead_ns, late_ns)
    local measured = direction.measured
    measured.may_reorder = measured.may_reorder or (direction.supposed or 0) > row.number
    if measured.before_tsn and row.time_ns < measured.settled_ns then
        return
    end
    measured.lead_ns = max(measured.lead_ns, lead_ns or 0)
    measured.late_ns = max(measured.late_ns, late_ns or 0)
end

-- The SACK before the answer, whenever it was sent, says that there was no room for it, or at the receiver's own tap
-- the SACK before the copy. A receiver may throw such a chunk away without a word (RFC 9260 section 6.2 asks for an
-- answer; dcSCTP gives none): seen is not accepted.
local function says_closed(sack, row)
    return sack.window ~= nil and sack.window.a_rwnd < row.bytes
end

local function meets_closed_window(measured, sack, row)
    return says_closed(sack, row) or (row.met_closed and measured.vantage == "receiver")
end

-- The SACK before the answer was sent when the copy had come, though a queue had held it up as long as most.
local function met_closed_window(measured, sack, row)
    local come_ns = measured.typical_ns + measured.jitter_ns + EPSILON_NS
    return says_closed(sack, row) and sack.window.time_ns - row.time_ns >= come_ns
end

-- Whether it could tell of the TSN: of four blocks there may have been no room for one more (SMALLEST_CAP).
local function has_room_for(sack, tsn)
    local blocks = sack.nr_gaps or sack.gaps or NOTHING
    return #blocks < 8 or distance(tsn, blocks[#blocks]) <= 0
end

-- What is accepted is acknowledged within 500 ms. At its own tap nothing of what the receiver says is late: there it is
-- told by the next SACK, but for what a host takes. Where a duplicate is reported several copies were accepted: as many
-- have to have come since.
local function was_ignored(measured, sack, row, dups, since)
    local by_then_ns, before = measured.typical_ns + MOST_ACK_DELAY_NS, sack.before
    local at_receiver = measured.vantage == "receiver" and (dups == 0 or dups < since)
    local told_by_ns = measured.typical_ns + ACK_DELAY_NS * 5 / 4
    if at_receiver and before and before.time_ns - row.time_ns > told_by_ns and has_room_for(before, row.tsn) then
        return true
    end
    local no_room_known = meets_closed_window(measured, sack, row) or (at_receiver and not sack.window)
    return dups == 0 and no_room_known and sack.time_ns - row.time_ns > by_then_ns
end

-- A copy that was not seen is claimed only on clear grounds.
local function comes_too_early(measured, sack, row)
    return measured.vantage ~= "receiver" and sack.time_ns - row.time_ns < floor(measured.floor_ns / 2)
end

-- The copies that may have come first.
local function weigh(direction, sack, slot)
    local measured = direction.measured
    local candidates, feasible, last_feasible, likely = {}, 0, nil, 0
    local first_lead_ns, first_late_ns
    local dups = 0 -- by then
    while slot.dups and dups < slot.dups and slot.dup_times_ns[dups + 1] <= sack.time_ns do
        dups = dups + 1
    end
    local ignored_candidate = false
    slot.on_time, slot.by_order, slot.by_silence, slot.not_accepted = nil, false, false, false
    slot.of_several_paths = false
    local from = max(slot.copies_before - COPIES + 1, 1)
    for i = from, slot.copies_before do
        local row = slot[i]
        local lead_ns, late_ns = overtaken_by(direction, sack, row)
        if i == from then
            first_lead_ns, first_late_ns = lead_ns, late_ns
        end
        local too_far = lead_ns ~= nil
            and (measured.vantage == "receiver" or not network_reorders_so_far(measured, lead_ns, late_ns))
        local ruled_out = too_far or i <= (slot.copies_dropped or 0)
        slot.by_order = slot.by_order or too_far
        if not ruled_out and met_closed_window(measured, sack, row) then
            ruled_out, slot.not_accepted = true, true
        end
        if not ruled_out and was_ignored(measured, sack, row, dups, slot.copies_before - i) then
            ruled_out, slot.not_accepted, slot.by_silence = true, true, true
        end
        if not ruled_out and not slot.on_time then
            slot.on_time = row
        end
        if sack.time_ns - row.time_ns >= measured.floor_ns - EPSILON_NS or i == from then
            feasible = feasible + 1
            last_feasible = row
            if i == from or sack.time_ns - row.time_ns >= measured.early_ns - EPSILON_NS then
                likely = likely + 1
            end
            if not ruled_out then
                candidates[#candidates + 1] = row
                slot.of_several_paths = slot.of_several_paths or row.path ~= candidates[1].path
                ignored_candidate = ignored_candidate or (dups == 0 and meets_closed_window(measured, sack, row))
            end
        end
    end
    if #candidates == 0 then
        candidates[1] = last_feasible
    end
    slot.may_be_ignored = ignored_candidate and #candidates > 1
    slot.first_candidate, slot.last_candidate = candidates[1], candidates[#candidates]
    slot.candidates = #candidates
    slot.doubtful = likely < feasible -- it comes sooner than any other, after the last of those that may be
    slot.early = feasible < slot.copies_before - from + 1
    slot.clearly_early = slot.early and comes_too_early(measured, sack, slot[slot.copies_before])
    slot.early_for_all = comes_too_early(measured, sack, slot[from])
    return feasible == 1, first_lead_ns, first_late_ns
end

-- What is sent after a packet that had not come when an acknowledgement was sent had not come either: that was the
-- answer to a copy before (core/judge/order.c).
local function rule_out_later(direction, sack, behind, to)
    local measured = direction.measured
    for number = to, max(to - RECENT + 1, behind.number + 1), -1 do
        local row = direction.sent[number]
        local slot = row.slot
        local by = slot.acked_by
        local answered = by and by.newly_from < sack.newly_from and not by.overtaken
        -- Where all its copies were sent later, one of them overtook: that tells nothing of which.
        local in_order = answered and slot.first_candidate and slot.first_candidate.number <= behind.number
        local several = in_order and (slot.candidates or 1) > 1 and slot.last_candidate == row
        local apart = several and row.path == behind.path and row.frame ~= behind.frame
        local ahead_ns = row.time_ns - behind.time_ns
        if apart and (measured.vantage == "receiver" or not network_reorders_so_far(measured, ahead_ns, 0)) then
            slot.by_order, slot.doubtful = true, false
            slot.last_candidate = slot[row.copy - 1]
            slot.candidates = slot.candidates - 1
        end
    end
end

-- The receiver says all that it has got (RFC 9260 section 6.2.1), as far as there is room. What takes longer than
-- RTO.Min and a loop would have been sent again, perhaps unseen.
local function rule_out_behind(direction, sack, oldest)
    local until_number = direction.open_until or 0
    local told = oldest and oldest.number < until_number and sack.before and not sack.doubtful
    local soon = told and sack.time_ns - oldest.time_ns <= 1000000000 + direction.measured.typical_ns
    if soon and has_room_for(sack.before, oldest.tsn) then
        rule_out_later(direction, sack, oldest, until_number)
    end
end

-- One walk over the feedback of a direction; the first learns how far the network reorders.
function find_first_copies(direction, learning)
    local measured = direction.measured
    local repeats = (direction.repeated or 0) >= 3 -- its receiver does (sr_repeats_reports in core/facts/half.h)
    local repeated = learning and repeats and direction.in_a_row or NOTHING
    for i = #repeated, 1, -1 do -- they tell of one copy (count_report in core/judge/fates.c)
        local slot = repeated[i].slot
        slot.report_times_ns = slot.report_times_ns or { table.unpack(slot.dup_times_ns) }
        table.remove(slot.dup_times_ns, repeated[i].report)
        slot.dups = slot.dups - 1
    end
    local tells_when = not direction.dups_of_network and not repeats
    direction.newest, direction.open_until, direction.supposed = nil, nil, nil
    for _, sack in ipairs(direction.feedback) do
        local newest, oldest = direction.newest, nil -- known to have come before, and with it
        local supposed = direction.supposed -- its number: that is not known before it is learned
        for i = sack.newly_from, sack.newly_from + (sack.overtaken and 0 or sack.newly) - 1 do
            local slot = direction.acked_slots[i]
            local first, is_known
            if slot.copies_before == 1 and not slot.given_up then
                first, is_known = slot[1], true
                local early = comes_too_early(measured, sack, first)
                if early or slot.early then
                    slot.early, slot.clearly_early, slot.early_for_all = early, early, early
                end
                if learning and not slot.unseen_before then
                    learn_reordering(direction, first, overtaken_by(direction, sack, first))
                end
                if not slot.unseen_before and (not oldest or first.number < oldest.number) then
                    oldest = first
                end
                slot.passed_over = direction.newest ~= nil and direction.newest.number > first.number
            else
                local only_first, lead_ns, late_ns = weigh(direction, sack, slot)
                first, is_known = slot.first_candidate, not (learning and slot.by_order)
                if learning and only_first and not slot.unseen_before and not slot.given_up then
                    learn_reordering(direction, slot[max(slot.copies_before - COPIES + 1, 1)], lead_ns, late_ns)
                end
                if slot.candidates > 1 then
                    direction.open_until = max(direction.open_until or 0, slot.last_candidate.number)
                end
            end
            if not is_known then
                supposed = max(supposed or 0, first.number)
            elseif not slot.of_several_paths and (not newest or first.number > newest.number) then
                newest = first -- else it is not known what it overtook: it may have come over another path
            end
        end
        direction.newest, direction.supposed = newest, supposed
        if not learning and sack.reported and not sack.overtaken and tells_when then
            rule_out_later(direction, sack, sack.reported, sack.sent_before)
        end
        if not learning and not sack.overtaken then
            rule_out_behind(direction, sack, oldest)
        end
    end
end

------------------------------------------------------------------------------------------------------------------------
-- Verdicts (core/judge/verdict.c)

LEAST_SILENCE_NS = 400 * MS -- no RTO is shorter in any stack known
local TOLERANCE_NS = 10 * MS -- timers of some stacks tick so often
local LOOKED_AT = 1024 -- acknowledgements: a limit on what a copy costs
local FULL = 16 -- Linux reports no more duplicates at once, usrsctp and dcSCTP 20

-- Its last copy alone explains the acknowledgement, delayed a little more than is known; else something was held up.
local function answered_in_time(measured, slot)
    local since_ns = slot.acked_by.time_ns - (slot.last_candidate or slot[1]).time_ns
    return since_ns <= measured.typical_ns + ACK_DELAY_NS * 5 / 4
end

-- The first candidate waited for its answer longer than any may be held back.
local function is_answered_late(measured, slot)
    local first = slot.first_candidate or slot[1]
    return slot.acked_by.time_ns - first.time_ns > measured.typical_ns + MOST_ACK_DELAY_NS
end

-- Whether its receiver tells of what came twice: one did, or its stack does whenever there is something to tell.
local function tells_duplicates(direction)
    return direction.dups_reported or direction.association[3 - direction.from].tells_duplicates
end

-- pion tells of no duplicates: what comes to it later than the answer to the next copy leaves no trace. At its own tap
-- it would be seen to come.
local function most_of_lost(direction, evidence)
    local silent = direction.association[3 - direction.from].of_pion and not direction.dups_reported
    for _, code in ipairs(evidence) do
        silent = silent and code ~= "S20"
    end
    return silent and direction.measured.vantage ~= "receiver" and 3 or 4
end

-- A list and one more.
local function with(list, last)
    local longer = { table.unpack(list) }
    longer[#longer + 1] = last
    return longer
end

local S1 = { "S1" }

-- How many copies arrived, as far as reports of duplicates tell.
local function of_duplicates(slot)
    return { slot.dups and (slot.copies == 2 and "S3" or slot.dups + 1 >= slot.copies and "S4" or "S5") }
end

-- The time of the acknowledgement as well.
local function of_time_and_duplicates(slot)
    local codes = of_duplicates(slot)
    if slot.early then
        codes[#codes + 1] = slot.clearly_early and "S8" or "S9"
    end
    return codes[1] and codes or NOTHING
end

local function is_doubted(slot)
    return slot.by_doubtful or (slot.acked_by and slot.acked_by.doubtful)
end

local function takes_back(direction)
    return direction.had_no_room or (direction.withdrawn_tsns or 0) > 0
end

-- Nothing that rests on feedback which may be forged is certain. Nor is anything where not all was captured, as another
-- copy may have come unseen, or where the receiver drops what it had acknowledged.
local function certainty(direction, slot)
    return (is_doubted(slot) or direction.has_gaps or takes_back(direction)) and 4 or 5
end

-- What is seen at the receiver's tap has arrived: that is as sure as it is that the tap is there, and that a receiver
-- keeps what comes.
local function class_of_seen(direction)
    return min(direction.measured.vantage_class, takes_back(direction) and 4 or 5)
end

local function class_of_likely(direction, elsewhere)
    return direction.measured.vantage == "receiver" and min(class_of_seen(direction), 4) or elsewhere
end

-- It was missed, or its timer may have run out: it may have been sent again in a packet that the capture missed.
local function may_be_again(measured, slot)
    local waited_ns = slot.acked_by.time_ns - slot[1].time_ns
    return slot.passed_over or waited_ns >= LEAST_SILENCE_NS + measured.floor_ns
end

-- As many reports of duplicates as there are copies but one: all came, also where the first did later than another.
-- That the network had repeated one instead is rarer than that it reorders further than it was seen to.
local function all_came(direction, slot)
    local ruled_out = slot.not_accepted or (slot.copies_dropped or 0) > 0 or slot.unseen_before
    local all = slot.dups and slot.dups + 1 == slot.copies
    return slot.by_order and not ruled_out and all and not direction.dups_of_network
end

local function may_reorder(measured)
    return measured.may_reorder or measured.lead_ns > 0 or measured.late_ns > 0
end

-- That one before this copy arrived is told in two ways: the answer came clearly too soon for it, and a duplicate was
-- reported.
local function is_told_twice(direction, slot, row)
    return slot.candidates == 1
        and slot.clearly_early
        and slot.dups ~= nil
        and not direction.dups_of_network
        and comes_too_early(direction.measured, slot.acked_by, row)
end

-- That the only candidate arrived first is: the answer came too soon for all after it, or for the last, and all came.
-- Fewer reports do not say which did.
local function is_first_told_twice(direction, slot)
    local next_one = slot.copies
    while next_one > 2 and slot[next_one - 1] ~= slot.first_candidate do
        next_one = next_one - 1
    end
    local all_told = (slot.dups or 0) + 1 >= slot.copies
    return is_told_twice(direction, slot, slot[all_told and slot.copies or next_one])
end

-- The copy that arrived first, how sure that is, and by what evidence; whether of those after it all that is known is
-- how many arrived; and whether the answer was clearly too soon for the last.
local function first_arrival(direction, slot)
    local measured = direction.measured
    local none_twice = tells_duplicates(direction) and not slot.dups
    local several = (slot.candidates or 1) > 1
    local at_receiver = measured.vantage == "receiver"
    if at_receiver and none_twice and several and answered_in_time(measured, slot) then
        -- What came before passed the tap, and met a closed window, or did not pass the last link, a filter or the
        -- host's queues.
        return slot.last_candidate, class_of_likely(direction, 4), { "S10" }
    elseif at_receiver and slot.may_be_ignored then
        return nil
    elseif at_receiver then
        -- What was thrown away once may have been so again; what waited for its answer longer than any may be held back
        -- may not have come.
        local class = slot.not_accepted and several and class_of_likely(direction, 4) or class_of_seen(direction)
        local late = several and not slot.dups and is_answered_late(measured, slot)
        return slot.first_candidate or slot[1], late and min(class, 3) or class, S1
    elseif not slot.candidates then
        return slot[1], certainty(direction, slot), of_time_and_duplicates(slot)
    elseif slot.candidates == 1 then
        if slot.doubtful and not slot.dups then
            return nil
        end
        if all_came(direction, slot) then
            return slot[1], 3, of_duplicates(slot), true
        end
        -- A network that is known to reorder may do so further than it was seen to.
        local by_order = slot.by_order and may_reorder(measured) and not slot.early and not slot.dups
        local told = slot.copies_before == 1 or is_first_told_twice(direction, slot)
        local sure = told and certainty(direction, slot) == 5
        local by_silence = slot.by_silence and not none_twice -- or it came, and its answer was lost
        -- At the sender's tap all of the path lies in the loop, and so do its jitter and its queues, which drain in the
        -- silence before a timeout: that an answer is too soon is not enough for more.
        local by_time = slot.early and not slot.clearly_early and not slot.dups and measured.vantage == "sender"
        local class = sure and 5 or (by_order or by_silence or by_time) and 3 or 4
        return slot.first_candidate, class, of_time_and_duplicates(slot), false, slot.clearly_early
    elseif slot.dups then
        return slot.first_candidate, direction.dups_of_network and 3 or 4, of_duplicates(slot), true
    elseif tells_duplicates(direction) and answered_in_time(measured, slot) then
        return slot.last_candidate, 3, { "S10" }
    end
    return nil -- two histories give the same trace; the engine asks the receiver's own rule (S19, S12)
end

local function outcome(row, word, class)
    row.outcome, row.outcome_class = word, class
end

local function verdict(row, word, class, evidence)
    if row.kind == "retransmission" then
        row.verdict, row.verdict_class, row.evidence = word, class, evidence
    end
end

-- The first copy seen was sent again: whether the copy before it may have been sent before the capture.
local function was_sent_before(measured, slot)
    return slot.unseen_before and measured.before_tsn and distance(slot[1].tsn, measured.before_tsn) <= 0
end

-- Likewise whether it may as well be the first one sent, and late: from a timer on it is not.
local function may_be_original(measured, slot)
    if slot.passed_unseen then
        return true
    end
    if not measured.adrift or not slot.unseen_before then
        return false
    end
    local first_ns = first_and_third_report(slot[1])
    return not first_ns or first_ns < SHORTEST_RTO_NS
end

-- A copy before the capture may have arrived, or the first one seen is the first one sent.
local function is_open(measured, slot)
    local before = slot.acked_by.before
    local settled = before and before.time_ns >= measured.settled_ns
    return (not settled and was_sent_before(measured, slot)) or may_be_original(measured, slot)
end

-- The first copy seen, of which there was one before: that was lost before the tap, unless it passed before the
-- capture. Duplicate reports tell whether that arrived.
local function unseen_before(direction, slot, row, open)
    local dups, once = slot.dups or 0, slot.copies == 1
    if not open then
        verdict(row, "needed", 4, { "S14" })
    elseif dups >= slot.copies then
        verdict(row, "spurious", direction.dups_of_network and 3 or 4, { once and "S3" or "S4" })
    elseif tells_duplicates(direction) and dups == 0 and once and answered_in_time(direction.measured, slot) then
        verdict(row, "needed", 3, { "S10" })
    else
        verdict(row, "undetermined", 2, { "S11" })
    end
end

-- The last SACK was sent when the copy had come, if it did, and says all that had; a SHUTDOWN has no gaps.
local function was_passed_over(direction, row)
    local measured = direction.measured
    local last, number = nil, direction.feedback_count
    while number > 0 and not last do
        local sack = direction.feedback[number]
        last = not sack.overtaken and sack.a_rwnd and sack or nil
        number = number - 1
    end
    local latest_ns = row.time_ns + measured.typical_ns + max(measured.jitter_ns, TOLERANCE_NS)
    return last and last.time_ns > latest_ns and has_room_for(last, row.tsn)
end

local function not_acknowledged(direction, slot)
    local given_up = direction.forward_seq and slot.seq <= direction.forward_seq
    local measured = direction.measured
    local open = was_sent_before(measured, slot) or may_be_original(measured, slot)
    local lost = slot.unseen_before and not open
    for i = slot.copies, 1, -1 do
        local row = slot[i]
        outcome(row, given_up and "abandoned" or "unresolved", 1)
        if i == 1 and lost then
            verdict(row, "needed", 3, { "S14" })
        elseif i > 1 and not (given_up or open or slot.copies_reneged) and was_passed_over(direction, slot[i - 1]) then
            verdict(row, "needed", 3, {})
        else
            verdict(row, "undetermined", 2, {})
        end
    end
end

-- Of what arrives so close together there may be no duplicate report: usrsctp rebuilds an answer that waits.
local function came_together(slot, row)
    return row.time_ns - (slot.first_candidate or slot[1]).time_ns <= MS
end

-- Of the copies after the first that arrived, those that reports of duplicates speak of: a report is made at once (RFC
-- 9260 section 6.2), a typical loop after the copy.
local function note_reports(direction, slot, first)
    local last, times_ns = 1, slot.report_times_ns or slot.dup_times_ns or NOTHING -- one may be of another copy
    for i = 1, first and #times_ns or 0 do
        local nearest, nearest_ns
        while last < slot.copies and slot[last + 1].time_ns <= times_ns[i] do
            last = last + 1
        end
        for at = last, max(last - COPIES + 1, 1), -1 do
            local row = slot[at]
            local off_ns = math.abs(times_ns[i] - row.time_ns - direction.measured.typical_ns)
            local before = row.time_ns <= times_ns[i]
            if row.number > first.number and not row.reported and before and (not nearest or off_ns < nearest_ns) then
                nearest, nearest_ns = row, off_ns
            end
        end
        if nearest then
            nearest.reported = true
        end
    end
end

-- Whether feedback passed the tap when a report of this copy would have: what comes twice is reported at once (RFC 9260
-- section 6.2), with the next SACK and with no other.
local function report_was_due(direction, slot, row)
    local measured = direction.measured
    local latest_ns = row.time_ns + measured.typical_ns + max(measured.jitter_ns, TOLERANCE_NS)
    for number = slot.acked_by.number, min(direction.feedback_count, slot.acked_by.number + LOOKED_AT - 1) do
        local sack = direction.feedback[number]
        if sack.time_ns > latest_ns then
            return false
        elseif sack.a_rwnd and #(sack.dups or {}) < FULL and sack.time_ns - row.time_ns >= measured.floor_ns then
            return true
        end
    end
    return direction.feedback_count >= slot.acked_by.number + LOOKED_AT
end

-- At its own tap: a closed window lets the receiver throw away whatever comes, and one that says nothing any more may
-- have gone.
local function may_be_thrown_away(direction, row)
    local last = direction.last_feedback
    return row.met_closed or not last or last.frame < row.frame
end

local function later_copy(direction, slot, of_later, row)
    if direction.measured.vantage == "receiver" then
        local class = class_of_seen(direction)
        outcome(row, "acked", may_be_thrown_away(direction, row) and min(class, 4) or class)
    elseif not direction.dups_reported or (not slot.dups and came_together(slot, row)) then
        outcome(row, "acked", 2)
    elseif (slot.dups or 0) >= of_later then
        outcome(row, "acked", 4)
    elseif row.reported then
        outcome(row, "acked", 3)
    elseif not report_was_due(direction, slot, row) then
        outcome(row, "acked", 2) -- most do, and its report was lost
    else
        outcome(row, "lost", 2) -- or its report was lost among others
    end
end

-- A FORWARD-TSN moved the cumulative TSN over it: that does not say that it arrived.
local function passed_over(slot, open)
    local on_time = slot.on_time
    for i = slot.copies, 1, -1 do
        local row = slot[i]
        local overtaken = not slot.dups and (not on_time or row.number < on_time.number) -- reported, it was late
        local previous = slot[i - 1]
        local before_overtaken = not on_time or not previous or previous.number < on_time.number
        outcome(row, overtaken and "lost" or "abandoned", overtaken and 4 or 1)
        if before_overtaken and (i > 1 or slot.unseen_before) and not open then
            verdict(row, "needed", 4, { i == 1 and "S14" or "S20" })
        else
            verdict(row, "undetermined", 2, {})
        end
    end
end

-- What was sent before the copies that were seen has arrived: they were not needed.
local function acked_unseen(direction, slot)
    local vantage = direction.measured.vantage
    for i = slot.copies, 1, -1 do
        local class = i > 1 and certainty(direction, slot) or 4 -- or it was late behind a copy that was not captured
        if direction.inverted and slot[i].inverted then
            verdict(slot[i], "undetermined", 2, { "S18" })
            outcome(slot[i], "acked", 2)
        else
            verdict(slot[i], "spurious", class, { vantage == "sender" and "S17" or "S2" })
            outcome(slot[i], "acked", class_of_likely(direction, 2))
        end
    end
end

-- The receiver took the TSN back before this copy was sent: the copies before were discarded there after all. Which of
-- several such copies it took then is not known.
local function taken_back(slot, row, copy)
    if copy == slot.copies_reneged + 1 then
        verdict(row, "needed", 4, { "S15" })
    else
        verdict(row, "undetermined", 2, {})
    end
    outcome(row, "acked", 2)
end

-- A TSN that came for the first time below others came again, or came over another path: either may be its original
-- that was late, where the sender does not count its packets. So is most likely, behind its acknowledgement, what the
-- path of new data gives back that stood still: copies take another one (RFC 9260 section 6.4.1).
local function doubt_order(direction, slot, row)
    local before, later = slot[row.copy - 1], slot[row.copy + 1]
    local elsewhere = before and before.path ~= row.path
    local overtaken = slot.unseen_before or elsewhere
    local on_the_way = direction.measured.vantage ~= "sender" -- where what was sent first may come last
    if not (overtaken or on_the_way) or not row.verdict_class then
        return
    elseif not before and later and not later.counted then
        row.verdict_class = min(row.verdict_class, 3)
    elseif before and not row.counted then
        row.verdict_class = min(row.verdict_class, 4)
        if elsewhere and row.path == direction.sent[1].path and row.evidence[1] == "S2" then
            verdict(row, "undetermined", 2, { "S11" })
        end
    end
end

-- Nobody can tell which of the candidates came first. What was sent up to the first of them was needed whichever it
-- was, and what was sent after the last was not.
local function one_of_several(measured, slot, row, open)
    local several = slot.candidates > 1
    if several and not open and row.number <= slot.first_candidate.number then
        local may_be_wrong = slot.by_silence or (slot.by_order and may_reorder(measured))
        local class = (may_be_wrong or is_doubted(slot)) and 3 or 4
        verdict(row, "needed", class, { slot.not_accepted and "S21" or nil })
    elseif several and row.number > slot.last_candidate.number then
        verdict(row, "spurious", slot.clearly_early and 4 or 3, { slot.clearly_early and "S8" or "S9" })
    else
        verdict(row, "undetermined", 2, { "S11" })
    end
end

-- If each of those that may have come first was as likely to come, it is seldom that none before copy i did: of the
-- copies of which one is the first, `of_later` and one, d + 1 came, and all of them from this one on.
local function is_hardly_first(direction, slot, i, of_later)
    local seldom = 0.1 -- class 3 is right in 88 of 100
    local none_before = 1
    for came = 0, slot.dups do
        none_before = none_before * (slot.copies - i + 1 - came) / (of_later + 1 - came)
        if none_before <= seldom then
            break
        end
    end
    return none_before <= seldom and not direction.dups_of_network
end

local function acknowledged(direction, slot)
    local sack = slot.acked_by
    if slot.seq > sack.cum_seq then
        slot.by_gap = true
    end
    local measured = direction.measured
    if slot.copies == 1 and not slot.unseen_before and not slot.given_up then -- most are
        -- At the beginning of a capture it may have been sent before.
        local early = measured.before_tsn and slot[1].time_ns < measured.settled_ns
        outcome(slot[1], "acked", (early or may_be_again(measured, slot)) and 4 or certainty(direction, slot))
        return
    end
    local open = is_open(measured, slot)
    if slot.given_up and not slot.by_gap then
        passed_over(slot, open)
        return
    end
    local nearest = slot[slot.copies_before + 1]
    local first, class, evidence, counted, too_soon
    if not (direction.inverted and nearest and nearest.inverted) then
        first, class, evidence, counted, too_soon = first_arrival(direction, slot)
    end
    -- Of n copies, with d reports of duplicates, d + 1 arrived: one before copy k did for certain where k > n - d.
    local may_be_first = counted and slot.copies - slot.dups or 0
    local of_later = 0
    for i = slot.copies, 1, -1 do
        of_later = of_later + (first and slot[i].number > first.number and 1 or 0)
    end
    note_reports(direction, slot, first)
    for i = slot.copies, 1, -1 do
        local row = slot[i]
        local unseen = i == 1 and slot.unseen_before
        if slot.copies_reneged and i > slot.copies_reneged then
            taken_back(slot, row, i)
        elseif i > slot.copies_before and direction.inverted and row.inverted then
            verdict(row, "undetermined", 2, { "S18" })
            outcome(row, "acked", 2)
        elseif i > slot.copies_before then -- sent after the acknowledgement passed the tap
            verdict(row, "spurious", certainty(direction, slot), { measured.vantage == "sender" and "S17" or "S2" })
            later_copy(direction, slot, of_later, row)
        elseif unseen and slot.early_for_all then
            verdict(row, "spurious", 4, { "S8" })
            outcome(row, "acked", 2)
        elseif unseen then
            unseen_before(direction, slot, row, open)
            local acked = not first or row.number >= first.number
            local seen_to_arrive = measured.vantage == "receiver"
            local sure = first ~= row and 3 or seen_to_arrive and class_of_seen(direction) or 4
            outcome(row, acked and "acked" or "lost", first and not open and sure or 2)
        elseif not first then
            one_of_several(measured, slot, row, open)
            local possible = row.number >= slot.first_candidate.number
            outcome(row, possible and "acked" or "lost", possible and 2 or 4)
        elseif row.number > first.number and i <= may_be_first and row.number <= slot.last_candidate.number then
            local hardly = is_hardly_first(direction, slot, i, of_later)
            verdict(row, hardly and "spurious" or "undetermined", hardly and 3 or 2, evidence)
            outcome(row, "acked", 2)
        elseif row.number > first.number then
            local is_certain = too_soon and is_told_twice(direction, slot, row)
            verdict(row, "spurious", is_certain and certainty(direction, slot) or class, evidence)
            later_copy(direction, slot, of_later, row)
        else
            local lost = min(class, slot.not_accepted and 4 or most_of_lost(direction, evidence))
            if open then
                verdict(row, "undetermined", 2, { "S11" })
            else
                verdict(row, "needed", lost, slot.not_accepted and with(evidence, "S21") or evidence)
            end
            local arrived = may_be_first > 1 and 2 or class
            outcome(row, row == first and "acked" or "lost", row == first and arrived or lost)
        end
        if slot.original_late then -- it has left, and comes to the receiver as it came to the tap
            verdict(row, "spurious", class_of_likely(direction, 3), { "S1" })
        end
        doubt_order(direction, slot, row)
    end
end

-- Only who is not believed was the first to acknowledge it: what was sent once is told by who is believed, later.
local function left_open(direction, slot)
    local last = direction.last_feedback
    local covered = last and last.cum_seq and slot.seq <= last.cum_seq
    local arrived = covered and slot.copies == 1 and not slot.unseen_before and not slot.given_up
    for i = slot.copies, 1, -1 do
        outcome(slot[i], arrived and "acked" or "unresolved", arrived and 5 or 1)
        verdict(slot[i], "undetermined", 2, {})
    end
end

-- A repetition fares as what it repeats, as far as that can be told.
local function repeated(direction, row)
    local same = row.repeats and row.repeats[row.copy]
    if not same then
        outcome(row, "unresolved", 1)
        return
    end
    local class = same.outcome_class
    local side = direction.association[direction.from]
    local by_network = row.kind == "network_duplicate" or (row.of_network and not is_doubled(side))
    if by_network and same.outcome == "acked" then
        class = class_of_likely(direction, 2)
    elseif by_network then
        class = min(class, 3) -- what says that the receiver did not have it says so of both
    end
    outcome(row, same.outcome, class)
end

-- It is never surer than that the sender did send it again, and no network that repeats packets: the bytes are those of
-- a copy before, neither has an identification (RFC 6864 section 4), and no timer is so short. A replay that had marked
-- it may be wrong, what only the occasion tells more often; or nothing that was seen moved the sender. Nothing is
-- repeated on the way to a tap at the sender, if it is surely there: what hop limits contradict, or only other loops
-- tell, has class 3.
local function doubt_resend(measured, row)
    if not row.alike or (measured.vantage == "sender" and measured.vantage_class ~= 3) then
        return
    elseif row.by_occasion == "unmoved" then
        row.verdict, row.verdict_class = "undetermined", 2
    else
        row.verdict_class = min(row.verdict_class, row.by_occasion and 3 or 4)
    end
end

-- What is sent in one packet arrives together or not at all: where duplicate reports leave it open whether a copy came,
-- the chunks beside it tell (core/judge/packets.c).
local function share(packet)
    local came, lost, open = false, false, {}
    for _, row in ipairs(packet) do
        came = came or (row.outcome == "acked" and row.outcome_class >= 4)
        lost = lost or (row.outcome == "lost" and row.outcome_class >= 3)
        if row.kind == "retransmission" and row.verdict == "spurious" and row.outcome_class == 2 then
            open[#open + 1] = row
        end
    end
    for _, row in ipairs(came ~= lost and open or {}) do
        outcome(row, came and "acked" or "lost", came and 4 or 3)
    end
end

local function share_fates(direction)
    local packet = {}
    for _, row in ipairs(direction.dups_reported and direction.all_sent or {}) do
        if row.kind ~= "network_duplicate" and row.kind ~= "capture_duplicate" then
            if packet[1] and packet[1].frame ~= row.frame then
                share(packet)
                packet = {}
            end
            packet[#packet + 1] = row
        end
    end
    share(packet)
end

function decide_fates(direction)
    for _, slot in ipairs(direction.all_slots) do
        if slot.acked_unseen and not slot.copies_reneged then
            acked_unseen(direction, slot)
        elseif not slot.acked_by then
            not_acknowledged(direction, slot)
        elseif slot.acked_by.refuted then
            left_open(direction, slot)
        else
            acknowledged(direction, slot)
        end
    end
    share_fates(direction)
    for _, row in ipairs(direction.all_sent) do
        if row.kind == "network_duplicate" or row.kind == "capture_duplicate" then
            repeated(direction, row)
        elseif not row.seq then
            outcome(row, "unresolved", 1)
            verdict(row, "undetermined", 1, {})
        end
        if row.verdict then
            doubt_resend(direction.measured, row)
        end
    end
end
end

------------------------------------------------------------------------------------------------------------------------
-- Replay (core/judge/replay.c): what is sent, and feedback when the sender has it, through the model of each profile

local REPLAYED, model_feedback, new_replay, model_time, take, send_to_models, note_latest, fill_hole
do
local HOLE = 256 -- a larger hole in the TSNs is not filled
local UNSEEN = 1024 -- TSNs that were not seen, beside four for each that was: more are not put in
local SHORT_LOOP_NS = 200000 -- at such a host feedback has been seen by the time of the next packet
REPLAYED = { "rfc8985", "rfc9260" }

-- What a walk over what was sent, and feedback when the sender would have it, knows of each TSN.
local function acknowledge_in_flight(walk, sack)
    local cum = sack.cum_seq
    if not cum or (walk.una and cum < walk.una - 1) then
        return
    end
    local function acked(lo, hi)
        for seq = lo, hi do
            if walk.in_flight[seq] then
                walk.in_flight[seq], walk.acked[seq] = nil, sack
            end
        end
    end
    local highest = walk.highest
    if cum >= walk.lowest then
        add_run(walk.covered, walk.lowest, min(cum, highest), acked)
    end
    walk.una = cum + 1
    for kind = 1, 2 do
        local blocks = blocks_of_kind(sack, kind)
        for i = 1, #blocks, 2 do
            local lo = cum + distance(blocks[i], sack.cum_tsn)
            local hi = min(cum + distance(blocks[i + 1], sack.cum_tsn), highest)
            if lo <= hi then
                add_run(walk.covered, lo, hi, acked)
            end
        end
    end
end

local function cross(walk, row, loop_ns)
    local by = walk.acked[row.seq]
    if by then
        if row.time_ns - by.time_ns - loop_ns <= REACTION_NS then
            walk.release[by] = max(walk.release[by] or 0, row.frame)
        end
    elseif not walk.una or row.seq >= walk.una then
        walk.in_flight[row.seq] = true
        remove_seq(walk.covered, row.seq)
        walk.lowest = min(walk.lowest or row.seq, row.seq)
        walk.highest = max(walk.highest or row.seq, row.seq)
    end
end

-- Feedback that the sender cannot have had yet: it resends what that acknowledges (docs/reference-model.md, crossing).
-- Says up to which frame it waits.
local function find_late(direction, loop_ns, host_ns)
    local walk = { in_flight = {}, acked = {}, covered = new_runs(), release = {} }
    if not direction.resends or host_ns < SHORT_LOOP_NS then
        return walk.release
    end
    local feedback, next_sack = direction.feedback, 1
    for _, row in ipairs(direction.sent) do
        if row.kind ~= "reordered" then
            while feedback[next_sack] and feedback[next_sack].time_ns + loop_ns <= row.time_ns do
                if walk.lowest then
                    acknowledge_in_flight(walk, feedback[next_sack])
                end
                next_sack = next_sack + 1
            end
            cross(walk, row, loop_ns)
        end
    end
    return walk.release
end

-- The same table each time: models keep nothing of it.
function model_feedback(replay, sack, time_ns)
    local feedback = replay.feedback
    feedback.frame, feedback.time_ns = sack.frame, time_ns
    feedback.cum_tsn, feedback.kind, feedback.a_rwnd = sack.cum_tsn, sack.kind, sack.a_rwnd
    local gaps, nr_gaps, dups = sack.gaps or NOTHING, sack.nr_gaps or NOTHING, sack.dups or NOTHING
    feedback.gaps, feedback.gap_count = gaps, #gaps / 2
    feedback.nr_gaps, feedback.nr_gap_count = nr_gaps, #nr_gaps / 2
    feedback.dups, feedback.dup_count = dups, #dups
    feedback.all_non_renegable = sack.kind == "nr_sack" and sack.flags % 8 >= 4 -- NR-SACK paper section III.A: A bit
    feedback.overtaken = sack.stale or false
    return feedback
end

function new_replay(direction)
    local replay = {
        direction = direction,
        loop_ns = direction.measured.feedback_ns,
        origin_ns = direction.association.first_ns,
        now_ns = direction.association.first_ns,
        senders = {},
        waiting = {},
        first_waiting = 1,
        last_waiting = 0,
        drops = {}, -- the latest PACKET-DROP chunks: frame, when the sender has it, TSNs
        latest = {}, -- what the models were sent last, by TSN: a row, or what was not seen
        chunks = {}, -- of the packet that is being sent, and its rows
        rows = {},
        sent = {},
        feedback = {},
        state = {},
        trips = {},
        explained = {},
        fits = {},
        histories = {},
        most_flight = 0,
        unseen_count = 0,
        sent_count = 0,
        shown = direction.association.settings.shown or "rfc8985", -- whose marks are kept
        of_pion = direction.side.of_pion,
        over = false, -- a receiver takes back so much that its sender is not followed any further
        release = find_late(direction, direction.measured.feedback_ns, direction.measured.sender_loop_ns),
    }
    for _, profile in ipairs(REPLAYED) do
        local options = { reports_duplicates = direction.dups_reported }
        for name, value in pairs(PROFILES[profile]) do
            options[name] = value
        end
        options.max_ack_delay_ns = direction.association.settings.max_ack_delay_ns
        replay.senders[profile] = new_sender(options)
        replay.senders[profile].reneged, replay.senders[profile].broken_promises = nil, nil -- nobody asks
        replay.histories[profile] = {}
        replay.fits[profile] = { agrees = 0, at_mark = 0, marked = 0, resent = 0 }
    end
    return replay
end

-- On the model's clock, which does not run backwards.
function model_time(replay, time_ns)
    replay.now_ns = max(replay.now_ns, time_ns)
    return replay.now_ns - replay.origin_ns
end

-- A mark on the tap's clock, and on the row that it is of; what was not seen has none.
local function take_mark(replay, profile, made)
    local direction, history = replay.direction, replay.histories[profile]
    local sent = replay.latest[made.tsn]
    made.profile = profile
    made.time_ns = made.time_ns + replay.origin_ns
    made.model_copy = made.copy
    made.row = sent and sent.t and sent
    made.copy = made.row and made.row.copy or made.copy
    made.frame = made.row and made.row.frame or nil
    if history.event_ns ~= made.time_ns or history.event_trigger ~= made.trigger then
        history.event_ns, history.event_trigger = made.time_ns, made.trigger
        history.event = {}
    end
    made.event = history.event
    if sent then
        local fit = replay.fits[profile]
        sent.marked_by = sent.marked_by or {}
        sent.marked_by[profile] = made
        fit.marked = fit.marked + (made.trigger ~= "rto" and 1 or 0)
    end
    if profile == replay.shown then
        direction.marks[#direction.marks + 1] = made
        if made.row then
            made.row.marks = made.row.marks or {}
            table.insert(made.row.marks, made)
        end
    end
end

-- What the models said since.
function take(replay)
    for _, profile in ipairs(REPLAYED) do
        local sender = replay.senders[profile]
        if sender.says then
            sender.says = false
            for i = 1, #sender.marks do
                take_mark(replay, profile, sender.marks[i])
                sender.marks[i] = nil
            end
            for i = 1, #sender.expectations do
                local expectation = sender.expectations[i]
                replay.histories[profile][expectation.action] = {
                    tsn = expectation.tsn,
                    time_ns = expectation.time_ns + replay.origin_ns,
                    armed_ns = expectation.armed_ns + replay.origin_ns,
                }
                sender.expectations[i] = nil
            end
            if #sender.probes > 1 then
                sender.probes = { sender.probes[#sender.probes] }
            end
        end
    end
end

function send_to_models(replay, sent)
    if replay.over then
        return
    end
    for _, profile in ipairs(REPLAYED) do
        data_sent(replay.senders[profile], sent)
    end
    take(replay)
end

-- Returns what was sent before it with its TSN.
function note_latest(replay, sent)
    local before = replay.latest[sent.tsn]
    if before then
        sent.transmission = (before.transmission or 1) + 1
    end
    replay.latest[sent.tsn] = sent
    return before
end

-- A TSN that was skipped was sent too, before the next one. Frames of the model are twice those of the capture, so that
-- what was not seen has a place before each.
function fill_hole(replay, row)
    local ahead = replay.highest and distance(row.tsn, replay.highest) or 1
    local unseen_count = replay.unseen_count + max(ahead - 1, 0)
    if ahead > 1 and ahead <= HOLE and not replay.over and unseen_count > UNSEEN + 4 * replay.sent_count then
        replay.direction.given_up[row.frame] = "not what was sent, and not seen, before this TSN"
    elseif ahead > 1 and ahead <= HOLE and not replay.over then
        replay.unseen_count = unseen_count
        local unseen = {}
        for i = 1, ahead - 1 do
            unseen[i] = { tsn = (replay.highest + i) % MODULUS, bytes = row.bytes, ack_now = false }
            note_latest(replay, unseen[i])
        end
        send_to_models(replay, {
            time_ns = model_time(replay, row.time_ns),
            frame = row.frame * 2 - 1,
            path = row.path,
            chunks = unseen,
        })
    end
    if ahead > 0 then
        replay.highest = row.tsn
    end
end
end

------------------------------------------------------------------------------------------------------------------------
-- Why a TSN was sent again (core/judge/cause.c)

local arm_probe_of_pion, explain, decide_causes
do
-- A sender acts on what it has marked within this: userland timers tick every 10 ms, hosts take a few.
local ACTION_NS = 12 * MS
-- A packet of 1500 bytes takes as long at 2.4 Mbit/s.
local TOGETHER_NS = 5 * MS

local function is_about(time_ns, other_ns)
    return other_ns ~= nil and time_ns - other_ns <= ACTION_NS and other_ns - time_ns <= ACTION_NS
end

-- At the third missing report one packet leaves, the rest when the window allows (RFC 9260 section 7.2.4): at once it
-- would be the first packet, before other feedback.
local function doubts_of(replay, made, cause, first)
    if cause == "fast" then
        return (first and 0 or 1) + (made.by_frame == replay.feedback_frame and 0 or 1)
    end
    return cause == "fast_deferred" and first and 2 or 0
end

-- How soon after its mark the first packet leaves that a sender sends because of it. A timer of the Linux kernel is
-- late by up to 8/63 of its timeout (core/model/profiles.h); feedback that has just come would have moved what is late.
local function soon_ns(replay, profile, made, at_feedback)
    local t3 = replay.histories[profile].t3
    local in_wheel = profile == "rfc9260" and replay.direction.side.of_linux
    if not in_wheel or made.trigger ~= "rto" or at_feedback or not t3 or t3.time_ns ~= made.time_ns then
        return ACTION_NS
    end
    return max(ACTION_NS, floor((t3.time_ns - t3.armed_ns) / 63) * 8)
end

-- A timeout sends at once: what comes later by more than timers are off was held up, or the clock has stepped. Behind
-- the sender queues may do that.
local function is_late_for_timeout(replay, row, cause, reaction_ns, most_ns)
    local previous = row.slot[row.copy - 1]
    if cause ~= "t3" or not previous or replay.direction.measured.vantage ~= "sender" then
        return false
    end
    local least_ns = 30 * MS -- ticks of userland timers, and what a busy host takes
    local share = 32 -- of the timeout: 3 %
    return reaction_ns > most_ns and reaction_ns > least_ns and reaction_ns > (row.time_ns - previous.time_ns) / share
end

-- What the sender's code path did, if it is this sender; whether it is the first packet to be sent of what was marked
-- then.
local function cause_by_mark(replay, made, row, reaction_ns, most_ns)
    local event = made.event
    local first = not event.first_frame or event.first_frame == row.frame
    local at_once
    if replay.direction.measured.vantage == "sender" then
        at_once = made.by_frame == replay.feedback_frame or reaction_ns <= 4 * replay.direction.measured.sender_loop_ns
    else
        at_once = not event.first_frame or row.time_ns - event.last_ns <= TOGETHER_NS
    end
    if not event.first_frame then
        event.first_frame, event.on_time = row.frame, reaction_ns <= most_ns or nil
    end
    event.last_ns = row.time_ns
    if made.trigger == "ack" or made.trigger == "timer" then
        return made.model_copy > 1 and "rack_rtx" or made.trigger == "ack" and "rack" or "rack_timer", first
    elseif made.trigger == "miss3" then
        return at_once and "fast" or "fast_deferred", first
    elseif not first then
        return "t3_gbn", first
    end
    return replay.a_rwnd and replay.a_rwnd < row.bytes and "zero_window_probe" or "t3", first
end

-- The timeout has just sent it, or is about to.
local function is_probe(replay, history, row)
    local probe = history.probe
    if probe and probe.tsn == row.tsn and is_about(row.time_ns, probe.time_ns) then
        return true
    end
    local sender = replay.senders.rfc8985
    return is_about(row.time_ns, history.pto_ns) and highest_outstanding(sender) <= seq_of(sender, row.tsn)
end

-- Where all above it are acknowledged: how long ago its probe was due, if any.
local function note_late_probe(replay, explained)
    local row, history, sender = explained.row, replay.histories.rfc8985, replay.senders.rfc8985
    local probe = history.probe
    local due_ns = probe and probe.tsn == row.tsn and probe.time_ns or history.pto_ns
    if due_ns and highest_outstanding(sender) <= seq_of(sender, row.tsn) then
        explained.probe_late_ns = row.time_ns - due_ns
    end
end

-- pion's probe (core/model/pion.c) is due two SRTT after the latest new data or feedback, and a bit: of one TSN its
-- acknowledgement may be delayed. `due_ns` is on the tap's clock.
function arm_probe_of_pion(replay, time_ns)
    local sender = replay.senders.rfc8985
    local srtt_ns = replay.path and path_of(sender, replay.path).srtt_ns
    local duration_ns = 1000 * MS
    if srtt_ns then
        duration_ns = 2 * srtt_ns + (sender.board_count == 1 and ACK_DELAY_NS or 2 * MS)
    end
    replay.pion_due_ns, replay.pion_pto_ns = time_ns + duration_ns, duration_ns
end

-- Nothing else is outstanding.
local function is_alone(sender, seq)
    for i = 1, #sender.paths do
        local outstanding = sender.paths[i].outstanding
        if outstanding.head and (outstanding.head.seq < seq or outstanding.tail.seq > seq) then
            return false
        end
    end
    return true
end

-- The frame of the PACKET-DROP chunk that made the sender repeat a TSN.
local function dropped_by(replay, row)
    for _, drop in ipairs(replay.drops) do
        local since_ns = row.time_ns - drop.time_ns
        if since_ns >= 0 and since_ns <= ACTION_NS + replay.direction.measured.jitter_ns and drop[row.tsn] then
            return drop.frame
        end
    end
    return nil
end

-- No feedback had passed it over, whatever of that the sender has had: over one address of each side it comes in order,
-- and all of it passes the tap, where any does.
local function was_never_missed(replay, row)
    local slot, association = row.slot, replay.direction.association
    local acked = slot.acked_by and slot.acked_by.frame < row.frame
    local missed = acked and slot.missed or not acked and not row.nothing_above
    return not missed
        and replay.direction.feedback_count > 0
        and not slot.copies_reneged
        and #association[1].address_list <= 1
        and #association[2].address_list <= 1
end

-- `before` is what was sent before with this TSN, if any.
function explain(replay, row, before)
    local explained = { row = row, cause = {}, trigger = {}, doubts = {} }
    replay.explained[#replay.explained + 1] = explained
    explained.silent_ns = replay.data_ns and row.time_ns - replay.data_ns
    explained.released = replay.silence_end_ns ~= nil and row.time_ns - replay.silence_end_ns <= replay.silence_ns
        or nil -- each key that is not there is memory saved
    explained.at_feedback = replay.feedback_ns ~= nil
        and row.time_ns - replay.feedback_ns <= ACTION_NS + replay.direction.measured.jitter_ns
        or nil
    explained.passed_over = replay.reported ~= nil and distance(replay.reported, row.tsn) > 0 or nil
    explained.never_missed = was_never_missed(replay, row) or nil
    local previous, other = row.slot[row.copy - 1], replay.explained[#replay.explained - 1]
    local apart = not previous or not other or other.row.number < previous.number
    explained.alone_again = apart and not replay.reordered or nil
    explained.reneged = row.slot.copies_reneged and row.copy > row.slot.copies_reneged
    explained.dropped = dropped_by(replay, row)
    if replay.over then
        return
    end
    note_late_probe(replay, explained)
    local sender = replay.senders.rfc8985
    local last_open = highest_outstanding(sender) <= seq_of(sender, row.tsn)
    explained.last_open = explained.never_missed and last_open or nil
    if replay.pion_due_ns and last_open then
        explained.pion_late_ns, explained.pion_pto_ns = row.time_ns - replay.pion_due_ns, replay.pion_pto_ns
    end
    explained.no_room = replay.a_rwnd ~= nil and replay.a_rwnd < row.bytes or nil
    if explained.no_room then
        explained.alone = is_alone(replay.senders.rfc8985, seq_of(replay.senders.rfc8985, row.tsn))
    end
    local marked = before and before.marked_by or NOTHING
    for _, profile in ipairs(REPLAYED) do
        local made, history, fit = marked[profile], replay.histories[profile], replay.fits[profile]
        local reaction_ns
        local at_mark, most_ns = true, ACTION_NS
        if made and made.model_copy == (before.transmission or 1) then
            reaction_ns = row.time_ns - made.time_ns
            made.lead_ns = reaction_ns
            most_ns = soon_ns(replay, profile, made, explained.at_feedback)
            local cause, first = cause_by_mark(replay, made, row, reaction_ns, most_ns)
            explained.cause[profile], explained.doubts[profile] = cause, doubts_of(replay, made, cause, first)
            if is_late_for_timeout(replay, row, cause, reaction_ns, most_ns) then
                explained.late = explained.late or {}
                explained.late[profile] = true
            end
            most_ns = first and most_ns or ACTION_NS -- what follows waits for no timer
            if made.event.on_time then
                explained.on_time = explained.on_time or {}
                explained.on_time[profile] = true
            end
            explained.trigger[profile] = made.by_frame
            fit.resent = fit.resent + (made.trigger ~= "rto" and 1 or 0)
            at_mark = not made.by_frame or made.by_frame == replay.feedback_frame
        elseif profile == "rfc8985" and is_probe(replay, history, row) then
            local fired = history.probe and is_about(row.time_ns, history.probe.time_ns)
            reaction_ns = 0
            explained.cause[profile], explained.doubts[profile] = "tlp", 0
            explained.due_ns = fired and history.probe.time_ns or history.pto_ns
            explained.armed_ns = fired and history.probe.armed_ns or nil
        end
        if reaction_ns and reaction_ns <= most_ns then
            fit.agrees = fit.agrees + 1
            fit.at_mark = fit.at_mark + (at_mark and 1 or 0)
        end
    end
end

local function is_silent_for(explained, least_ns)
    return not explained.at_feedback and explained.silent_ns ~= nil and explained.silent_ns >= least_ns
end

-- A timer waits for nothing: when one expires, no data was sent for as long, and no feedback has just come.
local function is_of_timer(explained)
    return is_silent_for(explained, LEAST_SILENCE_NS)
end

-- It leaves with feedback that reports it as missing for at least the third time (RFC 9260 section 7.2.4).
local function is_asked_for(explained)
    return explained.at_feedback and asked_for(explained.row)
end

-- Missing reports and RACK (RFC 8985 section 6.2) need that what was sent later was acknowledged. For pion's RACK that
-- is also a TSN that was sent again, whichever of its copies came.
local function cannot_be_by_loss(explained, rack)
    return explained.never_missed and (not rack or explained.alone_again)
end

-- A timeout that no replay had, as where the acknowledgements that passed the tap were held up behind it.
local function begins_episode(direction, explained)
    local measured, row = direction.measured, explained.row
    local previous = row.slot[row.copy - 1]
    local age_ns = previous and row.time_ns - previous.time_ns or 0
    local behind = measured.vantage == "middle" or measured.vantage == "receiver"
    if is_asked_for(explained) then
        return false
    end
    local together = previous and age_ns < measured.floor_ns + measured.sender_loop_ns
    local unasked = cannot_be_by_loss(explained, true) and not explained.last_open
    local acked = row.slot.acked_by and row.slot.acked_by.frame < row.frame
    if explained.released and (behind and (together or unasked) or acked and unasked) then
        return true
    end
    -- Where the copy before was not seen, only feedback could have moved the sender sooner.
    local unseen = not previous and not explained.at_feedback and (explained.silent_ns or 0) >= LEAST_SILENCE_NS
    return (age_ns >= LEAST_SILENCE_NS or unseen)
        and is_silent_for(explained, measured.typical_ns + measured.sender_loop_ns + measured.jitter_ns + 1)
end

-- What a profile explains speaks for it, what it marked and nobody sent speaks against it (core/judge/fit.c).
local function score_of(fit)
    return fit.resent + fit.agrees + fit.at_mark - (fit.marked - fit.resent)
end

-- What was outstanding at the timeout, and is sent again after it, was marked by it (RFC 9260 section 6.3.3).
local function was_outstanding(episode, row)
    local previous = row.slot[row.copy - 1]
    return episode ~= nil and previous ~= nil and previous.number < episode
end

-- A TSN is fast-retransmitted once (RFC 9260 section 7.2.4).
local function may_be_fast(row)
    local previous = row.slot[row.copy - 1]
    return not previous or previous.kind ~= "retransmission"
end

local function is_fast(cause)
    return cause == "fast" or cause == "fast_deferred"
end

-- But not what missing reports had marked since, where they may do so.
local function follows(episode, row, cause)
    return was_outstanding(episode, row) and not (is_fast(cause) and may_be_fast(row))
end

-- What a timeout had marked before leaves with feedback, what a probe's timer sends is no TSN that feedback has passed
-- over just then (feedback starts it anew: RFC 8985 section 7.2), what missing reports had marked leaves when a timer
-- expires.
local function is_contradicted(direction, explained, profile)
    local cause = explained.cause[profile]
    local rack = cause == "rack" or cause == "rack_timer"
    if (rack or is_fast(cause)) and cannot_be_by_loss(explained, rack) then
        return true
    elseif cause == "t3" then
        return explained.at_feedback and not (explained.on_time and explained.on_time[profile])
    elseif cause == "tlp" then
        return explained.at_feedback and explained.passed_over and direction.measured.vantage ~= "sender"
    end
    return is_fast(cause) and is_of_timer(explained)
end

-- No feedback moved pion, and its probe was due: somewhat sooner than by the SRTT of RFC 8985, as pion measures the
-- first of a flight alone, or later by what its host takes. Says how sure that is.
local function as_probe_of_pion(direction, explained)
    local late_ns = explained.pion_late_ns
    if not late_ns or explained.at_feedback or late_ns > max(ACTION_NS, direction.measured.typical_ns / 2) then
        return nil
    end
    return late_ns >= -ACTION_NS and 3 or late_ns >= -explained.pion_pto_ns / 2 and 2 or nil
end

-- pion has RACK and a probe from 1.9 on: it sends again what three missing reports and timeouts do not explain. A few
-- resends may come just after feedback that has not caused them.
local function has_rack_of_pion(direction, replay)
    local count, episode = 0, nil
    for _, explained in ipairs(replay.explained) do
        local row = explained.row
        if begins_episode(direction, explained) then
            episode = row.number
        elseif not explained.cause.rfc9260 and not was_outstanding(episode, row) then
            local told = explained.at_feedback or as_probe_of_pion(direction, explained)
            count = count + (told and 1 or 0)
        end
    end
    return count > floor(#replay.explained / 16)
end

-- What a pion with RACK did: it counts missing reports too. Only its timeouts are those of RFC 9260.
local function cause_of_pion(direction, explained)
    local by_misses = explained.cause.rfc9260
    local probe_class = as_probe_of_pion(direction, explained)
    if by_misses == "t3" or by_misses == "t3_gbn" or by_misses == "zero_window_probe" then
        return by_misses, 3
    elseif probe_class then
        return "tlp", probe_class
    elseif by_misses == "fast" and not explained.cause.rfc8985 then
        return "fast", 2
    elseif explained.at_feedback then
        return "rack", by_misses and 1 or 3
    end
    return nil
end

-- The profile of the two that fits; RFC 8985 must fit clearly better, and explain half of all: no stack is known that
-- does it to the letter.
-- Where a handshake shows whose stack it is, only pion has RACK.
local function chosen_profile(direction, replay)
    local told = direction.association.settings.sender
    if told then
        return told
    elseif direction.side.of_pion ~= nil then
        return direction.side.of_pion and has_rack_of_pion(direction, replay) and "rfc8985" or "rfc9260"
    end
    local handicap = 2 * (3 + floor(#replay.explained / 5))
    local half = 2 * replay.fits.rfc8985.agrees >= #replay.explained
    local ahead = score_of(replay.fits.rfc8985) > score_of(replay.fits.rfc9260) + handicap
    return half and ahead and "rfc8985" or "rfc9260"
end

-- The timer runs on the SRTT that the sender has measured, longer than the tap's by what its host takes, and twice.
local function is_late_probe(direction, explained)
    local late_ns = explained.probe_late_ns
    local measured = direction.measured
    return late_ns ~= nil and late_ns >= 0 and late_ns <= floor((measured.typical_ns + measured.sender_loop_ns) / 2)
end

-- What no feedback asked for T3-rtx has sent, or left marked, if the sender has no other timer. Linux, usrsctp and
-- dcSCTP, which tell of duplicates, have none; others may, as pion has that of its probe. What was sent for the first
-- time before the capture may have been asked for there.
local function by_t3(direction, row, has_rack)
    local known = direction.association.settings.sender or direction.side.tells_duplicates
    return known and row.copy > 1 and not has_rack
end

-- No RTO is shorter than a round trip: what comes sooner after the first copy repeats it otherwise, as a network does.
-- Of many copies a few are looked back at.
local function is_old(direction, row)
    local first, measured = row.slot[max(row.copy - 8, 1)], direction.measured
    return row.time_ns - first.time_ns >= measured.floor_ns + measured.sender_loop_ns
end

-- A timer sends one packet of what is outstanding longest (RFC 9260 section 6.3.3 E3). So one TSN in it that nothing
-- can have said to be missing tells of all that is in it, if it did not come with feedback.
local function has_timer_packet(direction, replay, first, has_rack)
    local i, row = first, replay.explained[first].row
    if replay.explained[first].at_feedback or not is_old(direction, row) then
        return false
    end
    repeat
        local explained = replay.explained[i]
        if cannot_be_by_loss(explained, false) and by_t3(direction, explained.row, has_rack) then
            return true
        end
        i = i + 1
    until not replay.explained[i] or replay.explained[i].row.frame ~= row.frame
    return false
end

-- Behind the tap some of what moved the sender is not seen, or at another time: the mechanism is told by the occasion
-- (core/judge/occasion.c).
local function by_occasion(direction, explained, has_rack, profile, by_timer, episode)
    local row, measured = explained.row, direction.measured
    local fast = not has_rack and is_asked_for(explained)
    -- What is left of a timeout leaves as feedback comes: after another silence it is another timeout.
    if was_outstanding(episode, row) and not (fast and may_be_fast(row)) and not is_of_timer(explained) then
        return "t3_gbn"
    elseif by_timer or begins_episode(direction, explained) then
        return explained.no_room and "zero_window_probe" or "t3" -- RFC 9260 section 6.1 A
    elseif
        explained.no_room
        and explained.alone
        and not explained.at_feedback
        and not direction.association.settings.sender
    then
        return "zero_window_probe" -- usrsctp sends one sooner than RFC 9260 lets it (section 6.1 A)
    elseif explained.cause[profile] == "t3" and not fast then
        return "t3_gbn" -- marked before, and sent when feedback let it
    elseif
        has_rack
        and not (explained.passed_over and row.copy == 1) -- lost before the tap, and marked with that feedback
        and ( -- two SRTT after the latest data or feedback (RFC 8985 section 7.2)
            is_late_probe(direction, explained)
            or is_silent_for(explained, 2 * (measured.typical_ns + measured.sender_loop_ns))
        )
    then
        return "tlp"
    elseif cannot_be_by_loss(explained, has_rack) then -- what leaves with feedback a timeout had marked before
        return by_t3(direction, row, has_rack) and is_old(direction, row) and "t3_gbn" or "unknown"
    elseif has_rack and (explained.at_feedback or explained.passed_over) then
        return "rack"
    elseif not has_rack and asked_for(row) then -- RFC 9260 section 7.2.4
        return "fast"
    end
    return "unknown"
end

-- Less than half of what was sent again left soon after it had marked it: the sender knew other things than this
-- replay.
local function explains_little(replay, profile)
    return 2 * replay.fits[profile].agrees < #replay.explained
end

-- Of what the occasion tells (core/judge/cause_class.c).
local function class_by_occasion(direction, replay, explained, profile, cause)
    if cause == "unknown" then
        return 1
    elseif cause == "fast" then
        return explained.at_feedback and not explains_little(replay, profile) and 3 or 2
    elseif cause == "t3_gbn" then
        return direction.measured.vantage == "sender" and 3 or 2
    end
    return cause == "zero_window_probe" and 3 or 2
end

-- It repeats what may have been sent before the capture: what led to it may lie there too.
local function began_before(direction, row)
    local before = direction.measured.before_tsn
    return row.copy == 1 and before ~= nil and distance(row.tsn, before) <= 0
end

-- Away from the sender it is not seen what moved it: a fast retransmission leaves at the feedback that asks for it, and
-- what passes the tap later was held up; where data was sent until a timeout, its third missing report may have come as
-- well.
local function has_doubtful_occasion(direction, explained, cause)
    if direction.measured.vantage == "sender" then
        return false
    elseif cause == "t3" then
        return asked_for(explained.row) and not is_of_timer(explained)
    end
    return cause == "fast" and not explained.at_feedback
end

local function class_of(direction, replay, explained, profile, other)
    if explained.late and explained.late[profile] then
        return 2
    end
    local cause = explained.cause[profile]
    local same = explained.cause[other] == nil or explained.cause[other] == cause
    local away, little = direction.measured.vantage ~= "sender", explains_little(replay, profile)
    if cause == "fast_deferred" and (away or (little and not same)) then
        return 1 -- it rests on which feedback the sender had, and on when its window opened
    end
    local limit = same and 4 or 3
    if (little and not same) or has_doubtful_occasion(direction, explained, cause) then
        limit = limit - 1
    elseif little and away then
        limit = 3 -- the replay is out of step, whatever others say
    end
    return max(min(4 - explained.doubts[profile], limit), 1)
end

function decide_causes(direction, replay)
    local profile = chosen_profile(direction, replay)
    local other = profile == "rfc8985" and "rfc9260" or "rfc8985"
    local told, of_pion = direction.association.settings.sender, direction.side.of_pion
    -- Whose stack it is, is only a guess where no handshake was seen.
    local known = told or of_pion ~= nil
    local rack_of_pion = of_pion and not told and profile == "rfc8985"
    local episode, timeout
    local frame, by_timer, timeout_class
    direction.profile = profile
    for at, explained in ipairs(replay.explained) do
        local row, cause = explained.row, explained.cause[profile]
        if row.frame ~= frame then
            frame, timeout_class = row.frame, nil
            by_timer = has_timer_packet(direction, replay, at, profile == "rfc8985")
        end
        row.by_occasion = nil
        local unmarked = not cause or cause == "rack" or cause == "rack_timer" -- what is taken back is old to RACK
        if explained.dropped then
            cause, row.cause_class = "packet_drop", 5
        elseif explained.reneged and unmarked then
            cause, row.cause_class, row.by_occasion = "renege", 3, "moved"
        elseif follows(episode, row, cause) or is_contradicted(direction, explained, profile) then
            cause = nil
        elseif rack_of_pion then
            cause, row.cause_class = cause_of_pion(direction, explained)
        elseif cause then
            local class = class_of(direction, replay, explained, profile, other)
            row.cause_class = known and class or max(class - 1, 1)
        end
        local trigger_frame = cause and explained.trigger[profile]
        if not cause then
            cause = by_occasion(direction, explained, profile == "rfc8985", profile, by_timer, episode)
            if cause == "unknown" and follows(timeout, row, cause) then -- RFC 9260 section 6.3.3 E3
                cause = "t3_gbn"
            end
            row.cause_class = class_by_occasion(direction, replay, explained, profile, cause)
            if not known and (cause == "fast" or cause == "rack") then
                row.cause_class = 1 -- the guessed stack alone tells which
            end
            episode = (cause == "t3" or cause == "zero_window_probe") and row.number or episode
            local unmoved, marked = cause == "unknown" or cause == "t3", cause == "t3_gbn" or cause == "tlp"
            row.by_occasion = unmoved and "unmoved" or not marked and "moved" or nil
        end
        if cause == "t3_gbn" and timeout_class then -- what a timeout sends at once is one packet
            cause, row.by_occasion, row.cause_class = "t3", "unmoved", min(row.cause_class, timeout_class)
        end
        timeout_class = cause == "t3" and row.cause_class or timeout_class
        if of_pion and not told and not rack_of_pion and (cause == "fast" or cause == "fast_deferred") then
            row.cause_class = 1 -- a pion with RACK may have done so too, at the same feedback
        end
        local adrift = direction.measured.adrift and cause ~= "renege"
        if not explained.dropped and (adrift or began_before(direction, row)) then
            row.cause_class = min(row.cause_class, 2)
        end
        row.cause, row.trigger_frame = cause, explained.dropped or trigger_frame or nil
        timeout = cause == "t3" and row.number or timeout
        if cause == "tlp" then
            row.probe, row.probe_class = "retransmission", row.cause_class
            if rack_of_pion then
                explained.due_ns = row.time_ns - explained.pion_late_ns
                explained.armed_ns = explained.due_ns - explained.pion_pto_ns
            end
            direction.probes[#direction.probes + 1] = explained
        end
    end
end
end

------------------------------------------------------------------------------------------------------------------------
-- Replay, continued

local judge
do
-- How far up the receiver has reported, as far as the sender can know: the tap may be off by what feedback takes.
local function note_reported(replay)
    local newest = replay.newest
    if not newest then
        return
    end
    replay.newest = nil
    local function report(tsn)
        if not replay.reported or distance(tsn, replay.reported) > 0 then
            replay.reported = tsn
        end
    end
    report(newest.cum_tsn)
    for kind = 1, 2 do
        local blocks = blocks_of_kind(newest, kind)
        for i = 2, #blocks, 2 do
            report(blocks[i])
        end
    end
end

local function send_packet(replay)
    if #replay.rows == 0 then
        return
    end
    local rows, sent, time_ns, path, new = replay.rows, replay.sent, replay.time_ns, replay.path, false
    sent.time_ns, sent.frame = model_time(replay, time_ns), replay.frame * 2
    sent.path, sent.chunks = path, replay.chunks
    if rows[1].kind == "retransmission" then
        for _, profile in ipairs(REPLAYED) do
            local pto_ns = path_of(replay.senders[profile], path).pto_ns
            replay.histories[profile].pto_ns = pto_ns and pto_ns + replay.origin_ns
        end
    end
    send_to_models(replay, sent)
    for i = 1, #rows do
        local row = rows[i]
        replay.chunks[i] = nil
        local before = note_latest(replay, row)
        if row.kind == "retransmission" then
            note_reported(replay)
            explain(replay, row, before)
        end
        new = new or row.kind == "original"
    end
    if new and replay.of_pion and not replay.over then
        arm_probe_of_pion(replay, time_ns)
    end
    for i = #rows, 1, -1 do
        rows[i] = nil
    end
    if replay.data_ns and time_ns - replay.data_ns >= LEAST_SILENCE_NS then
        replay.silence_ns, replay.silence_end_ns = time_ns - replay.data_ns, time_ns
    end
    replay.data_ns = time_ns
end

local function note_state(replay, sack)
    local path = replay.path
    if not path or not replay.direction.association.settings.state then
        return
    end
    local known, origin_ns = snapshot(replay.senders.rfc8985, path, replay.state), replay.origin_ns
    replay.most_flight = max(replay.most_flight, known.flight_bytes)
    sack.state = { -- in the order of STATES
        known.srtt_ns,
        known.rttvar_ns,
        known.min_rtt_ns,
        known.rack_rtt_ns,
        known.reo_wnd_ns,
        known.rto_ns,
        known.rack_xmit_ns and known.rack_xmit_ns + origin_ns - sack.time_ns,
        known.pto_ns and known.pto_ns + origin_ns - sack.time_ns,
        known.rack_tsn,
        known.reordering_seen,
        known.in_recovery,
        known.flight_bytes,
        replay.most_flight,
    }
end

local function deliver_feedback(replay, sack)
    local time_ns = max(sack.time_ns + replay.loop_ns, replay.now_ns)
    if not replay.over then
        local feedback = model_feedback(replay, sack, model_time(replay, time_ns))
        for _, profile in ipairs(REPLAYED) do
            feedback_arrived(replay.senders[profile], feedback)
            replay.over = replay.over or replay.senders[profile].gave_up
        end
        take(replay)
        note_state(replay, sack)
        if replay.over then
            replay.direction.given_up[sack.frame] = "from here on not what the sender's timers and RACK-TLP do"
        end
    end
    if replay.of_pion and not replay.over then
        arm_probe_of_pion(replay, time_ns)
    end
    replay.a_rwnd = sack.a_rwnd or 0
    replay.feedback_ns, replay.feedback_frame = time_ns, sack.frame
end

-- All feedback that the sender has by then, before it sends this frame.
local function deliver_until(replay, time_ns, frame)
    while true do
        local sack = replay.waiting[replay.first_waiting]
        if not sack or sack.time_ns + replay.loop_ns > time_ns or (replay.release[sack] or -1) >= frame then
            return
        end
        send_packet(replay)
        deliver_feedback(replay, sack)
        replay.waiting[replay.first_waiting] = nil
        replay.first_waiting = replay.first_waiting + 1
    end
end

-- What had been sent before the capture has shown the sender round trips as those in it: a minimum, and mostly more.
local function has_measured(replay, path)
    local direction = replay.direction
    local measured = direction.measured
    if direction.association.started ~= "middle" or measured.adrift or not direction.loop then
        return
    end
    for _, loop_ns in ipairs({ measured.typical_ns, measured.least_ns }) do
        for _, profile in ipairs(REPLAYED) do
            rtt_measured(replay.senders[profile], {
                time_ns = replay.now_ns - replay.origin_ns,
                path = path,
                rtt_ns = loop_ns + measured.sender_loop_ns,
                tag = "heartbeat",
            })
        end
    end
    take(replay)
end

local function replay_sent(replay, row)
    if not row.slot then
        return
    end
    if #replay.rows > 0 and (replay.frame ~= row.frame or #replay.rows == 256) then
        send_packet(replay)
    end
    deliver_until(replay, row.time_ns, row.frame)
    if not replay.highest then
        has_measured(replay, row.path)
    end
    fill_hole(replay, row)
    if row.kind == "reordered" then
        replay.reordered = true
        return -- it was sent before what overtook it, as the hole that it left was filled
    end
    if floor(row.flags / 8) % 2 == 1 then
        row.ack_now = true
    end
    replay.sent_count = replay.sent_count + 1
    replay.chunks[#replay.chunks + 1] = row
    replay.rows[#replay.rows + 1] = row
    replay.frame, replay.path, replay.time_ns = row.frame, row.path, row.time_ns
end

-- The round trips that a sender measures by what it asks and is answered at once (core/facts/round_trips.c).
local function replay_round_trip(replay, row)
    local trips = replay.trips
    if replay.over then
        return
    end
    if row.from == replay.direction.from then
        local what = ASKING.asks[row.type]
        local heartbeat = row.type == HEARTBEAT
        if what and (not trips[what] or (heartbeat and row.value ~= trips.value)) then
            trips[what] = { row.time_ns, row.path }
            trips.value = heartbeat and row.value or trips.value
        end
        return
    end
    local what = ASKING.answers[row.type]
    local question = what and trips[what]
    if not question or (row.type == HEARTBEAT_ACK and row.value ~= trips.value) then
        return
    end
    trips[what] = nil
    local elapsed_ns = row.time_ns - question[1]
    if elapsed_ns < 0 then
        return
    end
    local time_ns = row.time_ns + replay.loop_ns
    send_packet(replay)
    deliver_until(replay, time_ns, row.frame)
    for _, profile in ipairs(REPLAYED) do
        rtt_measured(replay.senders[profile], {
            time_ns = model_time(replay, time_ns),
            path = question[2],
            rtt_ns = elapsed_ns + replay.direction.measured.sender_loop_ns,
            tag = row.type == HEARTBEAT_ACK and "heartbeat" or "handshake",
        })
    end
    take(replay)
end

-- The chunks of one type that are looked back at (core/judge/cause.h).
local DROPS = 8

local function replay_drop(replay, row)
    if row.from == replay.direction.from or #row.dropped == 0 then
        return
    end
    local drop = { frame = row.frame, time_ns = row.time_ns + replay.loop_ns }
    for i = 1, #row.dropped do
        drop[row.dropped[i]] = true
    end
    replay.drops[#replay.drops + 1] = drop
    if #replay.drops > DROPS then
        table.remove(replay.drops, 1)
    end
end

local function replay_control(replay, row)
    if row.type == PACKET_DROP then
        replay_drop(replay, row)
    elseif row.type ~= FORWARD_TSN and row.type ~= I_FORWARD_TSN then
        replay_round_trip(replay, row)
    elseif row.new_cum_tsn and row.from == replay.direction.from and not replay.over then
        send_packet(replay)
        deliver_until(replay, row.time_ns, row.frame)
        for _, profile in ipairs(REPLAYED) do
            forward_tsn_sent(replay.senders[profile], {
                time_ns = model_time(replay, row.time_ns),
                new_cum_tsn = row.new_cum_tsn,
            })
        end
        take(replay)
    end
end

local function replay_direction(direction)
    local replay = new_replay(direction)
    direction.marks, direction.probes, direction.given_up = {}, {}, {}
    for _, row in ipairs(direction.association.entries) do
        if row.t == SENT then
            if row.direction == direction then
                replay_sent(replay, row)
            end
        elseif row.t == CONTROL then
            replay_control(replay, row)
        elseif row.direction == direction then
            replay.last_waiting = replay.last_waiting + 1
            replay.waiting[replay.last_waiting] = row
            replay.newest = row
        end
    end
    send_packet(replay)
    deliver_until(replay, math.huge, math.huge)
    decide_causes(direction, replay)
end

local RESOLUTIONS = { lost = "true_loss", acked = "false_mark" }
local LIKELY = 3 -- class of an outcome that is more than the more frequent of two

-- RFC 8985 section 7.4: what a probe did.
local function outcome_of_probe(direction, row)
    if row.verdict == "spurious" then
        return "spurious"
    elseif row.outcome == "lost" then
        return "probe_lost"
    elseif row.outcome ~= "acked" or not row.slot.acked_by then
        return "unresolved"
    elseif row.slot.by_gap then
        return "tail_loss_revealed"
    end
    return row.verdict == "needed" and direction.dups_reported and "repaired_single_loss" or "repaired_or_ack_loss"
end

-- Where a loss shows: at the feedback that caused the next copy, at that copy, or where its fate became known.
local function reveal(direction)
    for _, row in ipairs(direction.sent) do
        if row.outcome == "lost" then
            local following = row.next_row
            local by = row.slot.acked_by
            row.lost_in = following and (following.trigger_frame or following.frame) or by and by.frame or 0
            if row.lost_in > 0 then
                local list = direction.reveals[row.lost_in] or {}
                direction.reveals[row.lost_in] = list
                list[#list + 1] = row
            end
        end
    end
    for _, made in ipairs(direction.marks) do
        local known = made.row and made.row.outcome_class >= LIKELY
        made.resolution = known and RESOLUTIONS[made.row.outcome] or "unknown"
        if made.by_frame then
            local list = direction.marked_at[made.by_frame] or {}
            direction.marked_at[made.by_frame] = list
            list[#list + 1] = made
        end
    end
    for _, probe in ipairs(direction.probes) do
        probe.row.probe_pto_ns = probe.armed_ns and probe.due_ns - probe.armed_ns
        probe.row.probe_outcome = outcome_of_probe(direction, probe.row)
    end
end

-- What comes sooner after the first report that it is missing than the loop was sent before that report came: which
-- only came late shows where the loop is known (core/facts/overtaken.c).
local function find_overtaken(direction)
    local measured = direction.measured
    local loop_ns = measured.sender_loop_ns
    if not direction.resends or not measured.inferred or measured.vantage == "sender" then
        return
    end
    for _, row in ipairs(direction.sent) do
        if row.reports and row.copy == 1 then
            local first_ns = first_and_third_report(row)
            if first_ns and first_ns < loop_ns - floor(loop_ns / 16) then
                row.kind, row.verdict, row.verdict_class, row.evidence = "reordered", nil, nil, nil
                row.cause, row.cause_class, row.trigger_frame = nil, nil, nil
                row.slot.unseen_before = false
            end
        end
    end
end

-- Where the capture repeats packets of a side, it has repeated all of them.
local function call_captured(side)
    for _, row in ipairs(is_doubled(side) and side.data.all_sent or {}) do
        if row.kind == "network_duplicate" then
            row.kind = "capture_duplicate"
        end
    end
end

-- No class is above 2 of what was captured at two places; where a copy cannot be told from what was sent again, nothing
-- is said of it (core/facts/two_taps.c).
local function doubt_two_taps(association)
    if not has_two_taps(association) then
        return
    end
    local unsure = is_doubled_unsurely(association)
    for from = 1, 2 do
        for _, row in ipairs(association[from].data.all_sent) do
            if unsure then
                row.outcome, row.outcome_class = "unresolved", 1
            end
            if unsure and row.kind == "retransmission" then
                row.verdict, row.verdict_class, row.evidence = "undetermined", 1, {}
                row.cause, row.cause_class, row.trigger_frame = "unknown", 1, nil
                row.probe, row.probe_class = nil, nil
            end
            for _, class in ipairs({ "outcome_class", "verdict_class", "cause_class", "probe_class" }) do
                row[class] = row[class] and min(row[class], 2)
            end
        end
        local probes, left = association[from].data.probes, 0
        for i = 1, #probes do
            local probe = probes[i]
            probes[i] = nil
            if probe.row.probe then
                left = left + 1
                probes[left] = probe
            end
        end
    end
end

local function judge_association(capture, association)
    association.settings = capture.settings
    for _, row in ipairs(association.entries) do
        if row.marks or row.marked_by or row.transmission then
            row.marks, row.marked_by, row.transmission = nil, nil, nil
        end
        if row.probe then
            row.probe, row.probe_class, row.probe_pto_ns, row.probe_outcome = nil, nil, nil, nil
        end
        if row.reports and row.kind == "reordered" then
            row.kind, row.slot.unseen_before = "retransmission", true
        end
    end
    for from = 1, 2 do
        call_captured(association[from])
    end
    measure(capture, association)
    for from = 1, 2 do
        find_overtaken(association[from].data)
        find_first_copies(association[from].data, true)
    end
    for from = 1, 2 do
        local direction = association[from].data
        local sends = #direction.all_sent > 0
        direction.marks, direction.probes = NOTHING, NOTHING
        direction.reveals, direction.marked_at = sends and {} or NOTHING, sends and {} or NOTHING
        if sends then
            replay_direction(direction)
        end
        find_first_copies(direction, false)
        decide_fates(direction)
    end
    doubt_two_taps(association)
    for from = 1, 2 do
        reveal(association[from].data)
    end
    association.judged_rows = #association.entries + association.repeated
end

-- Fills the rows with what the whole capture says of them. May be repeated when more has been recorded.
function judge(capture)
    for _, association in ipairs(capture.associations) do
        local rows = #association.entries + association.repeated
        if association.judged_rows ~= rows and not association.joined then
            judge_association(capture, association)
        end
    end
end
end

------------------------------------------------------------------------------------------------------------------------
-- JSON

local ESCAPES = { ['"'] = '\\"', ["\\"] = "\\\\", ["\n"] = "\\n", ["\r"] = "\\r", ["\t"] = "\\t" }

local to_json

local function json_list(list)
    local texts = {}
    for i = 1, #list do
        texts[i] = to_json(list[i])
    end
    return "[" .. table.concat(texts, ",") .. "]"
end

local function json_object(object)
    local names, texts = {}, {}
    for name in pairs(object) do
        names[#names + 1] = name
    end
    table.sort(names)
    for i = 1, #names do
        texts[i] = to_json(names[i]) .. ":" .. to_json(object[names[i]])
    end
    return "{" .. table.concat(texts, ",") .. "}"
end

-- Numbers are whole. A table with `list = true`, or with an element 1, is a list; one with `json` is that text.
function to_json(value)
    local kind = type(value)
    if kind == "number" then
        return string.format("%d", value)
    elseif kind == "string" then
        return '"' .. value:gsub('[%c"\\]', function(c)
            return ESCAPES[c] or string.format("\\u%04x", c:byte())
        end) .. '"'
    elseif kind == "table" then
        if value.json then
            return value.json
        end
        return (value.list or value[1] ~= nil) and json_list(value) or json_object(value)
    end
    return kind == "boolean" and tostring(value) or "null"
end

local rack = {
    to_json = to_json,
    new_sender = new_sender,
    warm = warm,
    data_sent = data_sent,
    feedback_arrived = feedback_arrived,
    forward_tsn_sent = forward_tsn_sent,
    rtt_measured = rtt_measured,
    tsn_reset = tsn_reset,
    time_passed = function(sender, now_ns)
        advance(sender, now_ns, true)
    end,
    finish = finish,
    snapshot = snapshot,
    state_of = state_of,
    misses_of = misses_of,
    new_capture = new_capture,
    packet_rows = packet_rows,
    judge = judge,
}

if not Proto then
    return rack
end

------------------------------------------------------------------------------------------------------------------------
-- Wireshark: fields. Names, types and texts are those of names.toml, as in the compiled plugin.

-- names.toml: begin (generate_names.py)
-- luacheck: push no max line length
local FIELDS = {
    { "sctp.analysis.flags", "none", "SCTP analysis flags", "On a frame of which an expert info, and the Info column, say what happened; what only a model would have done sets none" },
    { "sctp.analysis.kind", "word", "Kind", "What this chunk on the wire is; as far as it is known where the frame is provisional", "kind" },
    { "sctp.analysis.kind.str", "string", "Kind: word", "The word of sctp.analysis.kind, for programs that would print its number; hidden in the packet details" },
    { "sctp.analysis.retransmission", "frame:prev", "Retransmission of the copy in frame", "On a retransmission, the frame of the copy of its TSN before it; 0 where the capture does not hold that copy" },
    { "sctp.analysis.retransmission.first", "frame:prev", "First copy in frame", "On every copy but the first, the frame of the first copy of its TSN" },
    { "sctp.analysis.retransmitted_in", "frame:next", "Sent again in frame", "The frame with the next copy of this TSN" },
    { "sctp.analysis.copy", "uint", "Copy", "Which copy of its TSN this is: 1 for the first seen at this tap" },
    { "sctp.analysis.cause", "word", "Cause", "Why the sender sent this TSN again", "cause" },
    { "sctp.analysis.cause.str", "string", "Cause: word", "The word of sctp.analysis.cause, for programs that would print its number; hidden in the packet details" },
    { "sctp.analysis.cause_class", "uint", "Class of the cause", "How sure the cause is, from 1 (a guess) to 5 (certain)" },
    { "sctp.analysis.trigger", "frame", "Triggered by frame", "The feedback that caused this retransmission; absent where a timer did" },
    { "sctp.analysis.verdict", "word", "Verdict", "Whether this retransmission was needed", "verdict" },
    { "sctp.analysis.verdict.str", "string", "Verdict: word", "The word of sctp.analysis.verdict, for programs that would print its number; hidden in the packet details" },
    { "sctp.analysis.verdict_class", "uint", "Class of the verdict", "How sure the verdict is, from 1 (a guess) to 5 (certain)" },
    { "sctp.analysis.evidence", "word", "Evidence", "A code of what the verdict or the cause rests on, one field each", "evidence" },
    { "sctp.analysis.evidence.str", "string", "Evidence: word", "The word of sctp.analysis.evidence, for programs that would print its number; hidden in the packet details" },
    { "sctp.analysis.probe", "word", "Tail loss probe", "What this tail loss probe carries: a TSN sent before, or a new one", "probe" },
    { "sctp.analysis.probe.str", "string", "Tail loss probe: word", "The word of sctp.analysis.probe, for programs that would print its number; hidden in the packet details" },
    { "sctp.analysis.probe_class", "uint", "Class of the probe", "How sure it is that this is a tail loss probe, from 1 (a guess) to 5 (certain)" },
    { "sctp.analysis.probe.pto", "time", "Probe timeout", "How long the timer ran that sent this tail loss probe" },
    { "sctp.analysis.probe.outcome", "word", "Outcome of the probe", "What this tail loss probe did", "probe_outcome" },
    { "sctp.analysis.probe.outcome.str", "string", "Outcome of the probe: word", "The word of sctp.analysis.probe.outcome, for programs that would print its number; hidden in the packet details" },
    { "sctp.analysis.outcome", "word", "Outcome", "Whether this copy of the TSN reached the receiver", "outcome" },
    { "sctp.analysis.outcome.str", "string", "Outcome: word", "The word of sctp.analysis.outcome, for programs that would print its number; hidden in the packet details" },
    { "sctp.analysis.outcome_class", "uint", "Class of the outcome", "How sure the outcome is, from 1 (a guess) to 5 (certain)" },
    { "sctp.analysis.acked_in", "frame:ack", "TSN acknowledged in frame", "The first feedback that covers this TSN, whichever copy of it arrived" },
    { "sctp.analysis.acked_after", "time", "TSN acknowledged after", "Time from this frame to the first feedback that covers its TSN; negative where that came first" },
    { "sctp.analysis.lost", "frame", "Loss revealed in frame", "On a lost transmission: the feedback that caused the next copy; that copy where a timer sent it; else where the fate became known; 0 where nothing in the capture reveals it" },
    { "sctp.analysis.lost_tsn", "uint", "Reveals the loss of TSN", "On the frame that reveals a loss, the TSN that was lost" },
    { "sctp.analysis.lost_frame", "frame:prev", "Lost transmission in frame", "On the frame that reveals a loss, where the lost copy was sent" },
    { "sctp.analysis.loss_revealed", "none", "Reveals a loss", "For filters, on each frame that reveals a loss; the expert info is on the lost transmission" },
    { "sctp.analysis.rack_lost", "uint", "Marked lost: TSN", "On a transmission that the chosen profile marks lost, its TSN" },
    { "sctp.analysis.rack_lost_in", "frame", "Marked lost at frame", "The feedback at which the chosen profile marks this transmission lost; absent for a timer" },
    { "sctp.analysis.rack_lost.after", "time", "Marked lost after", "Time from this transmission to when the chosen profile marks it lost" },
    { "sctp.analysis.rack_lost.trigger", "word", "Mark triggered by", "What makes the chosen profile mark this transmission lost", "trigger" },
    { "sctp.analysis.rack_lost.trigger.str", "string", "Mark triggered by: word", "The word of sctp.analysis.rack_lost.trigger, for programs that would print its number; hidden in the packet details" },
    { "sctp.analysis.rack_lost.resolution", "word", "Resolution of the mark", "Whether the chosen profile is right to mark this transmission lost", "resolution" },
    { "sctp.analysis.rack_lost.resolution.str", "string", "Resolution of the mark: word", "The word of sctp.analysis.rack_lost.resolution, for programs that would print its number; hidden in the packet details" },
    { "sctp.analysis.rack_lost.reo_wnd", "time", "Reordering window of the mark", "The reordering window with which the chosen profile marks this transmission lost" },
    { "sctp.analysis.rack_lost.lead", "time", "Real retransmission after the mark", "Time from the mark by the chosen profile to when the sender sent the TSN again; negative where the sender was faster, absent where it never did" },
    { "sctp.analysis.rack_lost_tsn", "uint", "Marks lost TSN", "On the feedback at which the chosen profile marks a transmission lost, its TSN" },
    { "sctp.analysis.rack_lost_frame", "frame:prev", "Marked transmission in frame", "On the feedback at which the chosen profile marks a transmission lost, where that was sent" },
    { "sctp.analysis.rack_mark", "none", "Marked by the chosen profile", "For filters, on each transmission that the chosen profile marks lost" },
    { "sctp.analysis.rack_marks", "none", "Marks by the chosen profile", "For filters, on each feedback at which the chosen profile marks a transmission lost" },
    { "sctp.analysis.duplicate_of", "frame:prev", "Duplicate of frame", "The frame that the network, or the capture, repeats here" },
    { "sctp.analysis.duplicate_reported_in", "frame:dup_ack", "Duplicate reported in frame", "The SACK that reports the TSN of this copy as received again" },
    { "sctp.analysis.lost_segment", "uint", "TSNs not seen before this one", "A hole at this tap: how many TSNs between the highest so far and this one were not seen" },
    { "sctp.analysis.reneged", "uint", "Reneged TSN", "A TSN that the receiver acknowledged before and no longer does" },
    { "sctp.analysis.storm", "uint", "Storm: chunks sent again", "How many chunks a timeout sends again that sends three or more, at least half of them spuriously; on its first packet" },
    { "sctp_rack.data.tsn", "uint", "TSN", "Absolute TSN of a DATA or I-DATA chunk" },
    { "sctp_rack.data.tsn_relative", "uint", "TSN (relative)", "TSN of a DATA or I-DATA chunk, relative to the first of its direction that was seen" },
    { "sctp_rack.data.chunk", "uint", "Chunk of the frame", "Position of this DATA chunk among all SCTP chunks of the frame, from 0" },
    { "sctp_rack.data.bytes", "uint", "User data", "Bytes of user data, by the length field of the chunk" },
    { "sctp_rack.sack.cum_tsn", "uint", "Cumulative TSN", "Absolute cumulative TSN of a SACK, NR-SACK or SHUTDOWN" },
    { "sctp_rack.sack.cum_tsn_relative", "uint", "Cumulative TSN (relative)", "Cumulative TSN, relative to the first TSN of the data's direction that was seen" },
    { "sctp_rack.sack.kind", "word", "Kind", "Which type of chunk acknowledges here", "sack_kind" },
    { "sctp_rack.sack.kind.str", "string", "Kind: word", "The word of sctp_rack.sack.kind, for programs that would print its number; hidden in the packet details" },
    { "sctp_rack.sack.chunk", "uint", "Chunk of the frame", "Position of this acknowledgement among all SCTP chunks of the frame, from 0" },
    { "sctp_rack.sack.flags", "hex", "Flags", "Flags of the acknowledging chunk" },
    { "sctp_rack.sack.gap.start_tsn", "uint", "Gap block: first TSN", "Absolute first TSN of a gap block" },
    { "sctp_rack.sack.gap.end_tsn", "uint", "Gap block: last TSN", "Absolute last TSN of a gap block" },
    { "sctp_rack.sack.gap.tsns", "uint", "Gap block: TSNs", "How many TSNs a gap block acknowledges" },
    { "sctp_rack.sack.nr_gap.start_tsn", "uint", "NR-gap block: first TSN", "Absolute first TSN of an NR-gap block" },
    { "sctp_rack.sack.nr_gap.end_tsn", "uint", "NR-gap block: last TSN", "Absolute last TSN of an NR-gap block" },
    { "sctp_rack.sack.nr_gap.tsns", "uint", "NR-gap block: TSNs", "How many TSNs an NR-gap block acknowledges" },
    { "sctp_rack.sack.dup_tsn", "uint", "Duplicate TSN", "A TSN that this SACK reports as received again" },
    { "sctp_rack.sack.dup_of", "frame:dup_ack", "Duplicate sent in frame", "The last retransmission of a reported duplicate TSN before this report" },
    { "sctp_rack.sack.newly_acked", "uint", "Newly acknowledged chunks", "How many chunks this feedback acknowledges for the first time" },
    { "sctp_rack.sack.newly_acked_bytes", "uint", "Newly acknowledged bytes", "User data of the chunks that this feedback acknowledges for the first time" },
    { "sctp_rack.sack.acks_first", "frame:ack", "Newly acknowledges data from frame", "The first frame with data that this feedback newly acknowledges: of each TSN the first copy that was not lost" },
    { "sctp_rack.sack.acks_last", "frame:ack", "Newly acknowledges data up to frame", "The last frame with data that this feedback newly acknowledges: of each TSN the first copy that was not lost" },
    { "sctp_rack.sack.missing", "uint", "Missing TSNs", "How many TSNs are missing below the highest that this SACK acknowledges" },
    { "sctp_rack.sack.missing.start_tsn", "uint", "Missing: first TSN", "The first TSN of a run that this SACK does not acknowledge" },
    { "sctp_rack.sack.missing.end_tsn", "uint", "Missing: last TSN", "The last TSN of a run that this SACK does not acknowledge" },
    { "sctp_rack.sack.malformed", "word", "Malformed", "What is wrong with this acknowledgement, one field each", "sack_anomaly" },
    { "sctp_rack.sack.malformed.str", "string", "Malformed: word", "The word of sctp_rack.sack.malformed, for programs that would print its number; hidden in the packet details" },
    { "sctp_rack.sack.stale", "bool", "Stale", "Whether a newer acknowledgement of the same receiver came before this one" },
    { "sctp_rack.sack.truncated", "bool", "Truncated", "Whether this SACK has as many blocks as any of its sender, and none for what was acknowledged above them" },
    { "sctp_rack.provisional", "bool", "Provisional", "This frame was painted before the capture was judged: run tshark with -2; Wireshark shows it judged once the file is loaded or the capture has stopped" },
    { "sctp_rack.assoc", "uint", "Association", "Number of the association, from 0 by first frame" },
    { "sctp_rack.dir", "word", "Direction of the data", "Which side sends the data, a2b or b2a; of an acknowledgement the data that it acknowledges", "dir" },
    { "sctp_rack.dir.str", "string", "Direction of the data: word", "The word of sctp_rack.dir, for programs that would print its number; hidden in the packet details" },
    { "sctp_rack.path", "string", "Path", "Source and destination of the packet, as source>destination" },
    { "sctp_rack.a_rwnd", "uint", "Advertised receiver window", "Bytes that the receiver says it has room for" },
    { "sctp_rack.srtt", "time", "SRTT", "Smoothed round-trip time of the model's sender" },
    { "sctp_rack.rttvar", "time", "RTTVAR", "Variation of the round-trip time of the model's sender" },
    { "sctp_rack.min_rtt", "time", "Minimum round trip", "Shortest recent round trip of the model's sender (RACK.min_RTT)" },
    { "sctp_rack.rack_rtt", "time", "RACK.rtt", "Round trip of the delivered transmission that was sent last (RACK.rtt)" },
    { "sctp_rack.rack_xmit", "time", "RACK.xmit_ts", "When the delivered transmission that was sent last was sent, relative to this frame" },
    { "sctp_rack.rack_tsn", "uint", "RACK TSN", "TSN of the delivered transmission that was sent last" },
    { "sctp_rack.reo_wnd", "time", "Reordering window", "How long RACK waits for reordered packets (RACK.reo_wnd)" },
    { "sctp_rack.rto", "time", "RTO", "Retransmission timeout of the model's sender" },
    { "sctp_rack.pto", "time", "Probe timeout due in", "Time from this frame to when the probe timeout is due; absent while its timer does not run" },
    { "sctp_rack.reordering_seen", "bool", "Reordering seen", "Whether the model's sender has seen reordering" },
    { "sctp_rack.in_recovery", "bool", "In recovery", "Whether the model's sender is in fast or timeout recovery" },
    { "sctp_rack.flight_bytes", "ulong", "Flight", "Bytes of user data in flight, of the model's sender" },
    { "sctp_rack.cwnd_hint_bytes", "ulong", "Largest flight so far", "Largest flight so far in bytes: the congestion window was at least that" },
    words = { -- of an enum, from 0
        kind = { "original", "retransmission", "network_duplicate", "capture_duplicate", "reordered", "conflicting" },
        cause = { "t3", "t3_gbn", "fast", "fast_deferred", "rack", "rack_timer", "rack_rtx", "tlp", "early_retransmit", "zero_window_probe", "packet_drop", "renege", "pmtu", "failover", "handshake", "after_ack", "unknown" },
        verdict = { "spurious", "needed", "undetermined" },
        evidence = { "S1", "S2", "S3", "S4", "S5", "S6", "S7", "S8", "S9", "S10", "S11", "S12", "S13", "S14", "S15", "S16", "S17", "S18", "S19", "S20", "S21", "S22", "K1", "K2", "K3", "K4", "K5", "K6", "K7", "K8", "K9", "K10", "K12", "K13", "K14", "K15", "K16" },
        probe = { "retransmission", "new_data" },
        probe_outcome = { "spurious", "repaired_single_loss", "repaired_or_ack_loss", "tail_loss_revealed", "probe_lost", "unresolved" },
        outcome = { "acked", "lost", "abandoned", "unresolved" },
        trigger = { "ack", "timer", "rto", "miss3" },
        resolution = { "true_loss", "false_mark", "unknown" },
        sack_kind = { "sack", "nr_sack", "shutdown" },
        sack_anomaly = { "length_mismatch", "trailing_bytes", "no_reserved_field", "snapped", "gap_zero_start", "gap_at_cum", "gap_reversed", "gap_overlap", "gap_adjacent", "gap_unordered", "nr_gap_zero_start", "nr_gap_at_cum", "nr_gap_reversed", "nr_gap_overlap", "nr_gap_adjacent", "nr_gap_unordered", "dup_not_received", "claims_unsent" },
        dir = { "a2b", "b2a" },
    },
}
local EXPERTS = {
    { "sctp.analysis.spurious", "note", "sequence", "SCTP Spurious Retransmission", "This retransmission was spurious" },
    { "sctp.analysis.timeout_retransmission", "warn", "sequence", "SCTP Timeout Retransmission", "Sent again by a T3-rtx timeout" },
    { "sctp.analysis.fast_retransmission", "note", "sequence", "SCTP Fast Retransmission", "Sent again by fast retransmit" },
    { "sctp.analysis.rack_retransmission", "note", "sequence", "SCTP RACK Retransmission", "Sent again by RACK" },
    { "sctp.analysis.tail_loss_probe", "chat", "sequence", "SCTP Tail Loss Probe", "Tail loss probe" },
    { "sctp.analysis.other_retransmission", "note", "sequence", "SCTP Retransmission", "Sent again" },
    { "sctp.analysis.reordered", "warn", "sequence", "SCTP Out-Of-Order", "Seen after a higher TSN, not sent again" },
    { "sctp.analysis.conflicting", "warn", "sequence", "SCTP Conflicting TSN", "Other user data than a chunk of the same TSN: a copy of none" },
    { "sctp.analysis.network_duplicate", "note", "sequence", "SCTP Network Duplicate", "The network repeated this packet" },
    { "sctp.analysis.capture_duplicate", "note", "sequence", "SCTP Capture Duplicate", "The capture holds this packet twice" },
    { "sctp.analysis.lost_transmission", "warn", "assumption", "SCTP Lost", "This transmission was lost" },
    { "sctp.analysis.abandoned", "note", "sequence", "SCTP Abandoned", "Given up by FORWARD-TSN, its fate is unknown" },
    { "sctp.analysis.hole", "warn", "sequence", "SCTP Previous TSN not captured", "TSNs before this one were not seen" },
    { "sctp.analysis.zero_window", "warn", "sequence", "SCTP Zero Window", "The receiver closed its window" },
    { "sctp.analysis.reneging", "warn", "sequence", "SCTP Reneging", "The receiver took acknowledged data back" },
    { "sctp.analysis.storm_begins", "warn", "sequence", "SCTP Retransmission Storm", "A timeout sends several chunks again, at least half of them spuriously" },
    { "sctp_rack.sack.is_malformed", "warn", "malformed", "SCTP Malformed SACK", "This acknowledgement contradicts itself" },
    { "sctp_rack.renumbered", "warn", "undecoded", "", "A read filter renumbers the frames: nothing can be said; use a display filter (-Y) instead" },
    { "sctp_rack.given_up", "warn", "undecoded", "SCTP Not Followed", "Too much to follow, as in a hostile capture: what is not followed from here on" },
    { "sctp_rack.failed", "error", "undecoded", "", "Recording or judging failed: memory or the disk ran out" },
}
-- luacheck: pop
-- names.toml: end

local PREFIXES = {} -- of the Info column, by expert info
local proto, script, settings

local arguments = { ... }
for i = 1, #arguments do
    local word = arguments[i]
    if word == "stat" or word == "json" or word == "report" or word == "graph" then
        script = word
    else
        io.stderr:write("sctp_rack.lua: -X lua_script1 is not ", word, ", but stat, json, report or graph.\n")
    end
end

-- The compiled plugin has these fields, and says more.
if pcall(Field.new, "sctp.analysis.flags") then
    io.stderr:write(
        "sctp_rack.lua stands aside: the fields sctp.analysis.* are there already. ",
        "With the compiled plugin use -z sctp_rack,stat for the summary.\n"
    )
    return
end

-- Of these preferences; the first word is the one without a choice.
local CHOICES = {
    profile = { "rfc8985", "rfc9260" },
    vantage = { "measured", "sender", "middle", "receiver" },
    sender = { "measured", "rfc8985", "rfc9260" },
}

-- A list of Wireshark's that is given none of its words keeps the one that it had, and says nothing. So there is a
-- list where words are chosen, in Wireshark's window, and a text where they are typed.
local function choice(name, title, about)
    local words = CHOICES[name]
    if not gui_enabled() then
        return Pref.string(title, words[1], about .. ": " .. table.concat(words, ", "))
    end
    local listed = {}
    for number, word in ipairs(words) do
        listed[number] = { number, word, number }
    end
    return Pref.enum(title, 1, about, listed, false)
end

proto = Proto("sctp_rack", "SCTP loss recovery")
settings = proto.prefs
settings.enabled = Pref.bool("Analyse SCTP loss recovery", true, "Off for captures that are not about SCTP")
-- Named as those of the compiled plugin.
settings.profile =
    choice("profile", "Show what would be marked lost by", "Whose loss detection sctp.analysis.rack_lost speaks of")
settings.vantage =
    choice("vantage", "The capture was taken", "Of the side of each association that sends more user data")
settings.loop = Pref.string(
    "Time from the tap to the data sender and back (ms)",
    "",
    "Empty: what handshake and HEARTBEATs tell"
)
settings.sender = choice("sender", "The data sender is", "Whose loss detection the sender really has")
settings.max_ack_delay = Pref.string(
    "Receivers delay SACKs by up to (ms)",
    "",
    "TLP.max_ack_delay (WCDelAckT) of RACK-TLP (RFC 8985 section 7.2); empty: 200"
)
settings.info_prefix = Pref.bool(
    "Prefix the Info column",
    true,
    "Put what happened before the Info column, and the gap blocks of a SACK behind it"
)
settings.expert_infos = Pref.bool("Add expert infos", true, "Also list what happened under Expert Information")
settings.state = Pref.bool("Show the state of RACK-TLP for each SACK", true, "What RFC 8985 knows with that SACK")
settings.dtls = Pref.bool("Find SCTP in DTLS", true, "Data channels of WebRTC decode without Decode As")

local fields, events = {}, {}
local numbers = {} -- of the words of a field, by name; the first is its label
do
    local icons = {
        ["frame"] = frametype.NONE,
        ["frame:prev"] = frametype.RETRANS_PREV,
        ["frame:next"] = frametype.RETRANS_NEXT,
        ["frame:ack"] = frametype.ACK,
        ["frame:dup_ack"] = frametype.DUP_ACK,
    }
    local makers = {
        none = ProtoField.none,
        string = ProtoField.string,
        bool = ProtoField.bool,
        time = ProtoField.relative_time,
    }
    local registered, experts = {}, {}
    for i = 1, #FIELDS do
        local name, kind, label, about = FIELDS[i][1], FIELDS[i][2], FIELDS[i][3], FIELDS[i][4]
        local field
        if icons[kind] then
            field = ProtoField.framenum(name, label, base.NONE, icons[kind], 0, about)
        elseif kind == "bool" then
            field = ProtoField.bool(name, label, base.NONE, nil, 0, about)
        elseif makers[kind] then
            field = makers[kind](name, label, base.NONE, about)
        elseif kind == "word" then
            local shown = {}
            numbers[name] = { label }
            for at, word in ipairs(FIELDS.words[FIELDS[i][5]]) do
                numbers[name][word], shown[at - 1] = at - 1, word
            end
            field = ProtoField.uint8(name, label, base.DEC, shown, 0, about)
        elseif kind == "hex" then
            field = ProtoField.uint8(name, label, base.HEX, nil, 0, about)
        elseif kind == "ulong" then
            field = ProtoField.uint64(name, label, base.DEC, nil, 0, about)
        else
            field = ProtoField.uint32(name, label, base.DEC, nil, 0, about)
        end
        fields[name] = field
        registered[i] = field
    end
    for i = 1, #EXPERTS do
        local name, severity, group = EXPERTS[i][1], EXPERTS[i][2], EXPERTS[i][3]
        local prefix, text = EXPERTS[i][4], EXPERTS[i][5]
        events[name] = ProtoExpert.new(name, text, expert.group[group:upper()], expert.severity[severity:upper()])
        experts[i] = events[name]
        PREFIXES[name] = prefix ~= "" and prefix or nil
    end
    proto.fields = registered
    proto.experts = experts
end

------------------------------------------------------------------------------------------------------------------------
-- Wireshark: packets in

local tags = Field.new("sctp.verification_tag")
local epoch = Field.new("frame.time_epoch")
local ip_ttl = Field.new("ip.ttl")
local ipv6_hlim = Field.new("ipv6.hlim")
local ip_len = Field.new("ip.len")
local ipv6_plen = Field.new("ipv6.plen")
local icmp = Field.new("icmp.type")
local icmpv6 = Field.new("icmpv6.type")

local state

-- Rows stay until the file is closed: to look for garbage each time that they have doubled costs a tenth of the time
-- against four times, and far less memory. Once it looks, it is to be done soon: what is judged leaves 27 KiB of
-- garbage for an association of one packet, whose rows are 12 KiB. At the usual 200 half as much again came together
-- meanwhile, and the peak hung on when in the capture the collector began. With tshark 4.0 (Lua 5.2), MiB at most:
--
--     setpause, setstepmul                        220, 200   250, 1000   220, 1000   200, 1000
--     6765, 7353, 7647 such associations         387 438 464  372 419 423  374 390 398  356 372 378
--     3 MB of small packets, three runs       313, 3.2 s  286, 3.0 s  277, 3.1 s  282, 3.0 s   (400, 200: 330, 2.7 s)
collectgarbage("setpause", 220)
collectgarbage("setstepmul", 1000)

local begin
do
-- What is not understood counts as if nothing was said, and is complained of once.
local MOST_MS = 3600000
local complained_of = {}

local function complain(complaints, preference, text, of_what)
    local complaint = string.format('sctp_rack.%s: "%s" is %s: as if nothing was said', preference, text, of_what)
    if complained_of[preference] ~= text then
        complained_of[preference] = text
        io.stderr:write(complaint .. "\n")
    end
    complaints[#complaints + 1] = complaint
end

local function word_told(preference, complaints)
    local words, told, found = CHOICES[preference], settings[preference], nil
    for number, word in ipairs(words) do
        found = (told == number or tostring(told):lower() == word) and word or found
    end
    if not found then
        local listed = table.concat(words, ", ", 1, #words - 1) .. " or " .. words[#words]
        complain(complaints, preference, told, "not " .. listed)
        found = words[1]
    end
    return found ~= "measured" and found or nil
end

-- In ms.
local function time_told(preference, complaints)
    local text = settings[preference]:match("^%s*(.-)%s*$")
    local told_ms = text:match("^%d*%.?%d*$") and tonumber(text)
    if told_ms and told_ms <= MOST_MS then
        return floor(told_ms * MS + 0.5)
    elseif text == "" then
        return nil
    end
    complain(complaints, preference, text, "no time from 0 to " .. MOST_MS .. " milliseconds")
    return nil
end

function begin()
    local complaints = {}
    local shown = word_told("profile", complaints)
    local vantage, sender = word_told("vantage", complaints), word_told("sender", complaints)
    local loop_ns = time_told("loop", complaints)
    local max_ack_delay_ns = time_told("max_ack_delay", complaints)
    state = {
        complaints = complaints,
        file = 1, -- how many were begun
        followed = false, -- by another one
        printed_rows = nil,
        frames = {}, -- the first row of each
        packet = {}, -- that is being read
        last_frame = 0,
        last_recorded = 0,
        relative_tsns = get_preference("sctp.relative_tsns"),
        capture = new_capture({
            vantage = vantage,
            loop_ns = loop_ns,
            sender = sender,
            shown = shown,
            max_ack_delay_ns = max_ack_delay_ns,
            state = settings.state,
        }),
    }
end
end

local function address_text(address)
    local text = tostring(address)
    return text:find(":", 1, true) and "[" .. text .. "]" or text
end

-- Of the values of a field, the last before an offset: mostly there is one.
local function last_before(offset, info, another, ...)
    if not another then
        return info and info.offset < offset and info or nil
    end
    local found
    for _, each in ipairs({ info, another, ... }) do
        if each.offset < offset then
            found = each
        end
    end
    return found
end

-- The identification of the IP header next before the packet; 0 without. What lies in bytes of its own, as in a DTLS
-- record, comes behind all headers of the frame.
local identification_before
do
local ip_id = Field.new("ip.id")

function identification_before(offset)
    local found = last_before(offset == 0 and math.huge or offset, ip_id())
    return found and found.value or 0
end
end

-- The DTLS records of a frame, where there is one for each of its packets that begin bytes of their own.
local records_of
do
local record_number = Field.new("dtls.record.sequence_number")

function records_of(found)
    local records, beginning = { record_number() }, 0
    for i = 1, #found do
        beginning = beginning + (found[i].offset == 4 and 1 or 0)
    end
    return #records == beginning and records or NOTHING
end
end

-- Likewise the hop limit, of either kind of header.
local function hop_limit_before(offset)
    local v4, v6 = last_before(offset, ip_ttl()), last_before(offset, ipv6_hlim())
    local found = v4 and v6 and (v4.offset > v6.offset and v4 or v6) or v4 or v6
    return found and found.value or 0
end

-- Where the IP packet below says that it ends: an Ethernet frame may be longer, a cut one shorter. (The length of the
-- protocol's own item depends on what else is shown.) Without IP in the same bytes, at their end.
local function end_of(start, length)
    local v6 = last_before(start, ipv6_plen())
    if v6 and v6.value > 0 then
        return v6.offset + 36 + v6.value
    end
    local v4 = last_before(start, ip_len())
    return v4 and v4.value > 0 and v4.offset - 2 + v4.value or length
end

local function is_quoted(offset)
    return last_before(offset, icmp()) ~= nil or last_before(offset, icmpv6()) ~= nil
end

local function now_ns()
    local time = epoch().value
    if not state.base then
        state.base = time.secs
    end
    return (time.secs - state.base) * 1000000000 + time.nsecs
end

-- All SCTP packets of a frame, whatever they are carried in: DTLS records and reassembled IP have bytes of their own.
local function record(pinfo)
    local found = { tags() }
    if #found == 0 then
        return
    end
    local frame, time_ns = pinfo.number, now_ns()
    state.begin_ns = state.begin_ns or time_ns - floor(pinfo.rel_ts * 1000000000 + 0.5)
    state.last_recorded = frame
    local quotes = NOTHING
    local missing = pinfo.len - pinfo.caplen
    local number, last_row = 0, nil
    local records, begun = NOTHING, 0
    for i = 1, #found do
        local start = found[i].offset - 4
        if start == 0 then
            records = begun == 0 and records_of(found) or records
            begun = begun + 1
        end
        local in_record = start == 0 and records[begun]
        local quoted = is_quoted(start)
        for _, range in ipairs(quotes) do
            quoted = quoted or (start >= range[1] and start <= range[2])
        end
        if not quoted then
            local source = found[i].source
            local length = source:len()
            local ends = end_of(start, length)
            local bytes = source:raw(start, min(ends, length) - start)
            local packet = state.packet
            packet.frame, packet.time_ns, packet.bytes = frame, time_ns, bytes
            packet.src, packet.dst = address_text(pinfo.net_src), address_text(pinfo.net_dst)
            packet.id = in_record and in_record.value:lower() % 65536 or identification_before(start)
            packet.start, packet.hop_limit = start, hop_limit_before
            packet.wire = ends == length and #bytes + missing or ends - start
            local first, last, ranges
            first, last, number, ranges = packet_rows(state.capture, packet, number)
            if last_row then
                last_row.following = first
            elseif first then
                state.frames[frame] = first
            end
            last_row = last or last_row
            for j = 1, #ranges do
                quotes = quotes == NOTHING and {} or quotes
                quotes[#quotes + 1] = { start + ranges[j][1] - 1, start + ranges[j][2] - 1 }
            end
        end
    end
end

-- Judges what was recorded since; while a capture runs not more often than it takes a tenth of the time.
local function judged(now)
    local rows, begun = state.capture.rows, os.clock()
    if state.judged_rows == rows or (not now and state.judged_rows and begun < state.judge_again) then
        return
    end
    judge(state.capture)
    state.judged_rows = rows
    state.judge_again = os.clock() + 10 * (os.clock() - begun)
end

------------------------------------------------------------------------------------------------------------------------
-- Wireshark: painting

local function nstime(ns)
    local secs = floor(ns / 1000000000)
    if ns < 0 then
        secs = -floor(-ns / 1000000000)
    end
    return NSTime.new(secs, ns - secs * 1000000000)
end

-- Whether the frame's tree is looked at. Else only what a filter, column or graph asks for is put into it.
local drawn

-- The item; where nobody asks for it, the one that it would be below.
local function put(tree, name, value)
    if value == nil then
        return nil
    elseif drawn or tree:referenced(fields[name]) then
        return tree:add(fields[name], value):set_generated()
    end
    return tree
end

local function put_time(tree, name, ns)
    if ns and (drawn or tree:referenced(fields[name])) then
        put(tree, name, nstime(ns))
    end
end

local function put_long(tree, name, value)
    if drawn or tree:referenced(fields[name]) then
        put(tree, name, UInt64(value))
    end
end

-- Found by filters, and not shown: what it says is in the tree already.
local function put_sign(tree, name)
    if drawn or tree:referenced(fields[name]) then
        tree:add(fields[name]):set_generated():set_hidden()
    end
end

-- The word of an enum: its number, shown as the word, and the word as a hidden text.
local function put_word(tree, name, word)
    if word == nil then
        return nil
    end
    local text = name .. ".str"
    if drawn or tree:referenced(fields[text]) then
        tree:add(fields[text], word):set_generated():set_hidden()
    end
    local item = put(tree, name, numbers[name][word])
    if drawn then
        item:set_text(numbers[name][1] .. ": " .. word) -- without the number
    end
    return item
end

local function say(item, text, ...)
    if drawn then
        item:append_text(string.format(text, ...))
    end
end

local function happens(canvas, item, name, text)
    canvas.events[name] = true
    canvas.any = true
    if settings.expert_infos and item then
        if text then
            item:add_proto_expert_info(events[name], text)
        else
            item:add_proto_expert_info(events[name])
        end
    end
end

local EVENT_OF_CAUSE = {
    t3 = "sctp.analysis.timeout_retransmission",
    t3_gbn = "sctp.analysis.timeout_retransmission",
    fast = "sctp.analysis.fast_retransmission",
    fast_deferred = "sctp.analysis.fast_retransmission",
    rack = "sctp.analysis.rack_retransmission",
    rack_timer = "sctp.analysis.rack_retransmission",
    rack_rtx = "sctp.analysis.rack_retransmission",
}
local EVENT_OF_KIND = {
    reordered = "sctp.analysis.reordered",
    conflicting = "sctp.analysis.conflicting",
    network_duplicate = "sctp.analysis.network_duplicate",
    capture_duplicate = "sctp.analysis.capture_duplicate",
}
local CLASSES = { "a guess", "perhaps", "likely", "very likely", "certain" }

local function paint_place(tree, row)
    put(tree, "sctp_rack.assoc", row.direction.association.number)
    put_word(tree, "sctp_rack.dir", row.direction.from == 1 and "a2b" or "b2a")
    put(tree, "sctp_rack.path", row.path)
end

local function say_kind(canvas, item, row)
    if EVENT_OF_KIND[row.kind] then
        happens(canvas, item, EVENT_OF_KIND[row.kind])
    elseif canvas.judged and row.probe then
        happens(canvas, item, "sctp.analysis.tail_loss_probe")
    elseif row.kind == "retransmission" and not (canvas.judged and row.verdict == "spurious") then
        happens(canvas, item, canvas.judged and EVENT_OF_CAUSE[row.cause] or "sctp.analysis.other_retransmission")
    end
end

local function paint_cause(tree, item, row)
    put_word(tree, "sctp.analysis.cause", row.cause)
    put(tree, "sctp.analysis.cause_class", row.cause_class)
    put(tree, "sctp.analysis.trigger", row.trigger_frame)
    put_word(tree, "sctp.analysis.probe", row.probe)
    put(tree, "sctp.analysis.probe_class", row.probe_class)
    put_time(tree, "sctp.analysis.probe.pto", row.probe_pto_ns)
    put_word(tree, "sctp.analysis.probe.outcome", row.probe_outcome)
    if row.cause then
        say(item, ", %s", row.cause)
    end
end

local function paint_verdict(canvas, tree, item, row)
    if not row.verdict then
        return
    end
    local said = put_word(tree, "sctp.analysis.verdict", row.verdict)
    put(tree, "sctp.analysis.verdict_class", row.verdict_class)
    for _, code in ipairs(row.evidence) do
        put_word(tree, "sctp.analysis.evidence", code)
    end
    say(item, ", %s (%s)", row.verdict, CLASSES[row.verdict_class])
    if row.verdict == "spurious" then
        happens(canvas, said, "sctp.analysis.spurious")
    end
end

-- No event: a model says it, which may not be the sender's.
local function paint_mark(tree, row, made)
    local item = put(tree, "sctp.analysis.rack_lost", made.tsn)
    put(item, "sctp.analysis.rack_lost_in", made.by_frame)
    put_time(item, "sctp.analysis.rack_lost.after", made.time_ns - row.time_ns)
    put_word(item, "sctp.analysis.rack_lost.trigger", made.trigger)
    put_word(item, "sctp.analysis.rack_lost.resolution", made.resolution)
    put_time(item, "sctp.analysis.rack_lost.reo_wnd", made.reo_wnd_ns)
    put_time(item, "sctp.analysis.rack_lost.lead", made.lead_ns)
    put_sign(item, "sctp.analysis.rack_mark")
end

-- What a report speaks of was sent before.
local function dup_frame_of(row)
    return row.kind == "retransmission" and row.dup_frame or nil
end

local function paint_fate(canvas, tree, item, row)
    local said = put_word(tree, "sctp.analysis.outcome", row.outcome)
    put(tree, "sctp.analysis.outcome_class", row.outcome_class)
    local slot = row.slot or row.repeats
    local by = slot and slot.acked_by
    if by then
        put(tree, "sctp.analysis.acked_in", by.frame)
        put_time(tree, "sctp.analysis.acked_after", by.time_ns - row.time_ns)
    end
    put(tree, "sctp.analysis.retransmitted_in", row.next_row and row.next_row.frame)
    put(tree, "sctp.analysis.duplicate_reported_in", dup_frame_of(row))
    if row.outcome == "lost" then
        put(tree, "sctp.analysis.lost", row.lost_in)
        say(item, ", lost (%s)", CLASSES[row.outcome_class])
        happens(canvas, said, "sctp.analysis.lost_transmission")
    elseif row.outcome == "abandoned" then
        say(item, ", abandoned")
        happens(canvas, said, "sctp.analysis.abandoned")
    end
end

local function paint_sent(canvas, row)
    local item = put(canvas.tree, "sctp_rack.data.tsn", row.tsn)
    local duplicate = row.kind == "network_duplicate" or row.kind == "capture_duplicate"
    put_word(item, "sctp.analysis.kind", row.kind)
    put(item, "sctp.analysis.copy", row.copy)
    if row.kind == "retransmission" then
        put(item, "sctp.analysis.retransmission", row.prev_frame or 0)
    else
        put(item, "sctp.analysis.duplicate_of", duplicate and row.prev_frame or nil)
    end
    if row.copy > 1 or duplicate then
        put(item, "sctp.analysis.retransmission.first", row.first_frame)
    end
    say(item, duplicate and ": %s" or ", copy %d: %s", duplicate and row.kind or row.copy, row.kind)
    if row.hole and row.hole > 0 then
        happens(canvas, put(item, "sctp.analysis.lost_segment", row.hole), "sctp.analysis.hole")
    end
    say_kind(canvas, item, row)
    if canvas.judged then
        paint_cause(item, item, row)
        paint_verdict(canvas, item, item, row)
        for _, made in ipairs(row.marks or {}) do
            paint_mark(item, row, made)
        end
        paint_fate(canvas, item, item, row)
    end
    put(item, "sctp_rack.data.tsn_relative", (row.tsn - (row.direction.first_tsn or row.tsn)) % MODULUS)
    put(item, "sctp_rack.data.chunk", row.chunk)
    put(item, "sctp_rack.data.bytes", row.bytes)
    paint_place(item, row)
end

local paint_sack
do
local function paint_blocks(tree, blocks, name)
    for i = 1, #blocks, 2 do
        local item = put(tree, "sctp_rack.sack." .. name .. ".start_tsn", blocks[i])
        local count = (blocks[i + 1] - blocks[i] + 1) % MODULUS
        say(item, " to %d (%d TSN%s)", blocks[i + 1], count, count == 1 and "" or "s")
        put(item, "sctp_rack.sack." .. name .. ".end_tsn", blocks[i + 1])
        put(item, "sctp_rack.sack." .. name .. ".tsns", count)
    end
end

-- Runs between the blocks of both kinds.
local function paint_missing(tree, sack)
    if not sack.gaps and not sack.nr_gaps then
        return
    end
    local offsets = {}
    for kind = 1, 2 do
        local blocks = blocks_of_kind(sack, kind)
        for i = 1, #blocks do
            offsets[#offsets + 1] = (blocks[i] - sack.cum_tsn) % MODULUS
        end
    end
    local runs = runs_of(offsets, #offsets / 2, 1, 65535)
    local missing, reached = 0, 0
    for i = 1, runs.n do
        if runs.lo[i] > reached + 1 then
            local first, last = (sack.cum_tsn + reached + 1) % MODULUS, (sack.cum_tsn + runs.lo[i] - 1) % MODULUS
            local item = put(tree, "sctp_rack.sack.missing.start_tsn", first)
            put(item, "sctp_rack.sack.missing.end_tsn", last)
            say(item, " to %d", last)
            missing = missing + runs.lo[i] - reached - 1
        end
        reached = runs.hi[i]
    end
    put(tree, "sctp_rack.sack.missing", missing)
end

local STATES = {
    { "srtt", put_time },
    { "rttvar", put_time },
    { "min_rtt", put_time },
    { "rack_rtt", put_time },
    { "reo_wnd", put_time },
    { "rto", put_time },
    { "rack_xmit", put_time },
    { "pto", put_time },
    { "rack_tsn", put },
    { "reordering_seen", put },
    { "in_recovery", put },
    { "flight_bytes", put_long },
    { "cwnd_hint_bytes", put_long },
}

local function paint_state(tree, sack)
    if sack.state and settings.state then
        for i = 1, #STATES do
            STATES[i][2](tree, "sctp_rack." .. STATES[i][1], sack.state[i])
        end
    end
end

local function newly_bytes(sack)
    local bytes = 0
    for i = sack.newly_from, sack.newly_from + sack.newly - 1 do
        local slot = sack.direction.acked_slots[i]
        bytes = bytes + slot[slot.copies_before].bytes
    end
    return bytes
end

-- The first and the last frame with data that it newly acknowledges: of each TSN the first copy that was not lost.
local function paint_acks(tree, sack)
    local first, last
    for i = sack.newly_from, sack.newly_from + sack.newly - 1 do
        local slot, copy = sack.direction.acked_slots[i], 1
        while slot[copy] and slot[copy].outcome == "lost" do
            copy = copy + 1
        end
        local frame = slot[copy] and slot[copy].frame
        if frame then
            first, last = min(first or frame, frame), max(last or frame, frame)
        end
    end
    put(tree, "sctp_rack.sack.acks_first", first)
    put(tree, "sctp_rack.sack.acks_last", last)
end

local LISTED = 1024 -- TSNs of a run that are shown

-- What later SACKs have told of it.
local function paint_withdrawal(canvas, tree, sack)
    put(tree, "sctp_rack.sack.stale", (sack.stale or (sack.overtaken and sack.cum_seq)) and true or nil)
    put(tree, "sctp_rack.sack.truncated", sack.truncated)
    for i = 1, sack.reneged and sack.reneged.n or 0 do
        for seq = sack.reneged.lo[i], min(sack.reneged.hi[i], sack.reneged.lo[i] + LISTED - 1) do
            happens(canvas, put(tree, "sctp.analysis.reneged", seq % MODULUS), "sctp.analysis.reneging")
        end
    end
end

local SHOWN_BLOCKS = 4 -- what fits beside the rest in one line; the tree has all

local function blocks_text(name, blocks, base)
    local shown = {}
    for i = 1, min(#blocks, 2 * SHOWN_BLOCKS), 2 do
        local first, last = (blocks[i] - base) % MODULUS, (blocks[i + 1] - base) % MODULUS
        shown[#shown + 1] = string.format(first == last and "%d" or "%d-%d", first, last)
    end
    local more = #blocks > 2 * SHOWN_BLOCKS and ",…" or ""
    return #blocks > 0 and name .. table.concat(shown, ",") .. more .. " " or ""
end

-- What Wireshark says of SACKs in Info and not of NR-SACKs: the cumulative TSN, how far above it the last block ends,
-- the window. Of both, which TSNs blocks have.
local function say_sack(canvas, sack)
    local gaps, nr_gaps = sack.gaps or NOTHING, sack.nr_gaps or NOTHING
    if not settings.info_prefix or (#gaps == 0 and #nr_gaps == 0 and sack.kind ~= "nr_sack") then
        return
    end
    local base = state.relative_tsns and sack.direction.first_tsn or 0
    local text = blocks_text("Gaps=", gaps, base) .. blocks_text("NR-gaps=", nr_gaps, base)
    if sack.kind == "nr_sack" then
        local ends = 0
        for _, last in ipairs({ gaps[#gaps] or sack.cum_tsn, nr_gaps[#nr_gaps] or sack.cum_tsn }) do
            ends = max(ends, (last - sack.cum_tsn) % MODULUS)
        end
        local above = ends > 0 and string.format("+%d", ends) or ""
        local cum_tsn = (sack.cum_tsn - base) % MODULUS
        text = string.format("(Ack=%d%s, Arwnd=%d) %s", cum_tsn, above, sack.a_rwnd, text)
    end
    canvas.columns.info:append(text)
end

function paint_sack(canvas, sack)
    local item = put(canvas.tree, "sctp_rack.sack.cum_tsn", sack.cum_tsn)
    put_word(item, "sctp_rack.sack.kind", sack.kind)
    if sack.direction.first_tsn then
        put(item, "sctp_rack.sack.cum_tsn_relative", (sack.cum_tsn - sack.direction.first_tsn) % MODULUS)
    end
    if sack.a_rwnd then
        local window = put(item, "sctp_rack.a_rwnd", sack.a_rwnd)
        if sack.a_rwnd == 0 then
            happens(canvas, window, "sctp.analysis.zero_window")
        end
    end
    put(item, "sctp_rack.sack.newly_acked", sack.newly)
    put(item, "sctp_rack.sack.newly_acked_bytes", newly_bytes(sack))
    say(item, " (%s), %d newly acknowledged", sack.kind, sack.newly)
    paint_blocks(item, sack.gaps or NOTHING, "gap")
    paint_blocks(item, sack.nr_gaps or NOTHING, "nr_gap")
    paint_missing(item, sack)
    for i, tsn in ipairs(sack.dups or NOTHING) do
        local reported = put(item, "sctp_rack.sack.dup_tsn", tsn)
        put(reported, "sctp_rack.sack.dup_of", sack.dup_of and sack.dup_of[i])
    end
    paint_withdrawal(canvas, item, sack)
    for _, word in ipairs(sack.malformed or NOTHING) do
        happens(canvas, put_word(item, "sctp_rack.sack.malformed", word), "sctp_rack.sack.is_malformed")
    end
    put(item, "sctp.analysis.duplicate_of", sack.repeats_frame)
    say_sack(canvas, sack)
    if canvas.judged and not sack.repeats_frame then
        paint_acks(item, sack)
        paint_state(item, sack)
    end
    put(item, "sctp_rack.sack.flags", sack.flags)
    put(item, "sctp_rack.sack.chunk", sack.chunk)
    paint_place(item, sack)
end
end

-- What the frame reveals of others: no events of this frame.
local function paint_revealed(canvas, association, frame)
    for from = 1, 2 do
        local direction = association[from].data
        for _, row in ipairs(direction.reveals and direction.reveals[frame] or {}) do
            local item = put(canvas.tree, "sctp.analysis.lost_tsn", row.tsn)
            say(item, ", copy %d in frame %d", row.copy, row.frame)
            put(item, "sctp.analysis.lost_frame", row.frame)
            put_sign(item, "sctp.analysis.loss_revealed")
        end
        for _, made in ipairs(direction.marked_at and direction.marked_at[frame] or {}) do
            local item = put(canvas.tree, "sctp.analysis.rack_lost_tsn", made.tsn)
            put(item, "sctp.analysis.rack_lost_frame", made.frame)
            put_sign(item, "sctp.analysis.rack_marks")
        end
    end
end

-- What is not followed from this frame on.
local function paint_given_up(canvas, row, frame)
    local why = state.capture.given_up[frame]
    if why then
        happens(canvas, canvas.tree, "sctp_rack.given_up", "Not followed: " .. why)
    end
    local association = row and canvas.judged and row.direction.association or NOTHING
    for from = 1, #association do
        why = association[from].data.given_up and association[from].data.given_up[frame]
        if why then
            happens(canvas, canvas.tree, "sctp_rack.given_up", "Not followed: " .. why)
        end
    end
end

local function prefix_info(canvas, pinfo)
    if not settings.info_prefix then
        return
    end
    for i = #EXPERTS, 1, -1 do
        local name = EXPERTS[i][1]
        if canvas.events[name] and PREFIXES[name] then
            pinfo.cols.info:prepend("[" .. PREFIXES[name] .. "] ")
        end
    end
end

local function paint(pinfo, root)
    local row = state.frames[pinfo.number]
    if not row and not state.capture.given_up[pinfo.number] then
        return
    end
    drawn = root.visible
    local canvas = { columns = pinfo.cols, events = {}, judged = pinfo.visited and state.judged_rows ~= nil }
    canvas.tree = root:add(proto):set_generated()
    if state.renumbered then
        happens(canvas, canvas.tree, "sctp_rack.renumbered")
        return
    end
    if not canvas.judged then
        put(canvas.tree, "sctp_rack.provisional", true)
    end
    paint_given_up(canvas, row, pinfo.number)
    local associations = {}
    while row do
        if row.t == SENT then
            paint_sent(canvas, row)
        else
            paint_sack(canvas, row)
        end
        local association = row.direction.association
        if canvas.judged and not associations[association] then
            associations[association] = true
            paint_revealed(canvas, association, pinfo.number)
        end
        row = row.following
    end
    if canvas.any then
        canvas.tree:add(fields["sctp.analysis.flags"]):set_generated()
    end
    prefix_info(canvas, pinfo)
end

-- A ring buffer (-b) and several files in a row begin anew each: what is printed at the end is printed of each.
local print_all

function proto.init()
    local file = state and state.file or 1
    if script and state and state.capture.rows > 0 then
        if state.printed_rows ~= state.capture.rows then
            state.followed = true
            print_all()
        end
        file = state.file + 1
    end
    begin()
    state.file = file
end

function proto.dissector(_, pinfo, root)
    if not settings.enabled then
        return
    end
    if not pinfo.visited then
        -- With a read filter (-R) rejected frames give their number to the next.
        state.renumbered = state.renumbered or pinfo.number <= state.last_frame
        state.last_frame = pinfo.number
    end
    if not pinfo.visited or pinfo.number > state.last_recorded then
        -- Wireshark 4.0 gives fields in the second pass only where neither a filter nor a column asks for any.
        record(pinfo)
    elseif pinfo.visited then
        judged()
    end
    if pinfo.visited or not script then -- summaries of a single pass show no frames
        paint(pinfo, root)
    end
end

register_postdissector(proto)

------------------------------------------------------------------------------------------------------------------------
-- Wireshark: SCTP in DTLS, as for data channels of WebRTC

-- Chunks to the end, with plausible ports: not other bytes by accident.
local function is_sctp(tvb)
    local length = tvb:len()
    if length < 16 then
        return false
    end
    local at = 12
    while at + 4 <= length do
        local size = tvb(at + 2, 2):uint()
        if size < 4 or at + size > length then
            return false
        end
        at = at + size + (-size) % 4
    end
    return at >= length and at - length <= 3
end

pcall(function()
    proto:register_heuristic("dtls", function(tvb, pinfo, root)
        if not settings.dtls or not is_sctp(tvb) then
            return false
        end
        Dissector.get("sctp"):call(tvb, pinfo, root)
        return true
    end)
end)
-- Up to 4.2 Wireshark does not offer SCTP there.
pcall(function()
    DissectorTable.get("dtls.port"):add_for_decode_as(Dissector.get("sctp"))
end)

------------------------------------------------------------------------------------------------------------------------
-- Summaries: for tshark at the end, for programs, for the Tools menu

local DIRS = { "a2b", "b2a" }

local function end_text(side)
    return string.format("%s:%d", table.concat(side.address_list, ","), side.port)
end

-- As the plugin names it: by the address that was seen first.
local function first_end_text(side, name)
    return string.format("%s:%d", side.address_list[1] or name, side.port)
end

-- Without halves that were found to be of another one.
local function whole_associations()
    local whole = {}
    for _, association in ipairs(state.capture.associations) do
        if not association.joined then
            whole[#whole + 1] = association
        end
    end
    return whole
end

local function sorted_associations(visit)
    for _, association in ipairs(state.capture.associations) do
        for from = 1, 2 do
            if #association[from].data.all_sent > 0 then
                visit(association, from, association[from].data)
            end
        end
    end
end

local write_given_up
do
-- The frames from which on something is not followed.
local function frames_given_up()
    local frames, of = {}, { state.capture.given_up }
    for _, association in ipairs(whole_associations()) do
        for from = 1, 2 do
            of[#of + 1] = association[from].data.given_up
        end
    end
    for i = 1, #of do
        for frame in pairs(of[i]) do
            frames[#frames + 1] = frame
        end
    end
    table.sort(frames)
    return frames
end

function write_given_up(write)
    local frames = frames_given_up()
    if #frames > 0 then
        local text = "Not all was followed, from frame %d on (%d frames say what): sctp_rack.given_up\n"
        write(string.format(text, frames[1], #frames))
    end
end
end

local TITLES = {
    { "Kind", "kind" },
    { "Cause", "cause" },
    { "Verdict", "verdict" },
    { "Outcome", "outcome" },
    { "Tail loss probe", "probe" },
}
local MARKED = "Marked lost by the chosen profile"

local function count_words(rows, column)
    local counts, words = {}, {}
    for _, row in ipairs(rows) do
        local word = row[column]
        if word then
            if not counts[word] then
                counts[word] = 0
                words[#words + 1] = word
            end
            counts[word] = counts[word] + 1
        end
    end
    table.sort(words)
    return counts, words
end

-- Those of transmissions that this tap saw.
local function seen_marks(direction)
    local seen = {}
    for _, made in ipairs(direction.marks) do
        if made.row then
            seen[#seen + 1] = made
        end
    end
    return seen
end

-- Frames are numbered anew in each.
local function of_file()
    local number = (state.followed or state.file > 1) and state.file
    return number and string.format(", file %d", number) or ""
end

local function stat_lines(write)
    local line = string.rep("=", 80)
    write("\n" .. line .. "\nSCTP loss recovery" .. of_file() .. "\n")
    write("Assoc  Dir  What                               Word               Transmissions\n")
    sorted_associations(function(association, from, direction)
        local place = string.format("%5d  %-4s", association.number, DIRS[from])
        local named = false
        local function counted(title, rows, column)
            local counts, words = count_words(rows, column)
            for _, word in ipairs(words) do
                if not named then
                    local ends = { first_end_text(association[1], "a"), first_end_text(association[2], "b") }
                    write(string.format("%s %s > %s\n", place, ends[from], ends[3 - from]))
                    named = true
                end
                write(string.format("%s %-34s %-18s %12d\n", place, title, word, counts[word]))
            end
        end
        for _, title in ipairs(TITLES) do
            counted(title[1], direction.all_sent, title[2])
        end
        counted(MARKED, seen_marks(direction), "resolution")
    end)
    write_given_up(write)
    write(line .. "\n")
end

local MS_TEXT = "%.1f ms"

local function frames_text(rows)
    local frames = {}
    for i = 1, min(#rows, 8) do
        frames[i] = string.format("%d", rows[i].frame)
    end
    return table.concat(frames, ", ") .. (#rows > 8 and ", …" or "")
end

local function rows_where(rows, fits)
    local found = {}
    for _, row in ipairs(rows) do
        if fits(row) then
            found[#found + 1] = row
        end
    end
    return found
end

local function longest_wait(rows)
    local longest_ns = 0
    for _, row in ipairs(rows) do
        local previous = row.slot[row.copy - 1]
        longest_ns = max(longest_ns, previous and row.time_ns - previous.time_ns or 0)
    end
    return string.format(MS_TEXT, longest_ns / MS)
end

local function is_avoided(row)
    local previous = row.slot[row.copy - 1]
    for _, made in ipairs(previous and previous.marks or {}) do
        if made.time_ns <= row.time_ns then
            return false
        end
    end
    return true
end

local function waited_for_timeout(row)
    return (row.cause == "t3" or row.cause == "t3_gbn") and row.verdict == "needed"
end

-- What the rows of a direction must be for a finding, what it says of them, and the filter that shows them.
local FINDINGS = {
    {
        waited_for_timeout,
        function(rows)
            return string.format("%d waited for T3-rtx, up to %s", #rows, longest_wait(rows))
        end,
        'sctp.analysis.cause in {"t3", "t3_gbn"} && sctp.analysis.verdict == "needed"',
    },
    {
        function(row)
            return row.kind == "retransmission" and row.outcome == "lost"
        end,
        function(rows)
            return string.format("%d retransmissions were lost too", #rows)
        end,
        "sctp.analysis.retransmission && sctp.analysis.lost",
    },
    {
        function(row)
            return row.verdict == "spurious"
        end,
        function(rows, shown)
            local avoided = #rows_where(rows, is_avoided)
            local text = "%d sent again spuriously; %s would have sent %d of them"
            return string.format(text, #rows, shown, #rows - avoided)
        end,
        'sctp.analysis.verdict == "spurious"',
    },
    {
        function(row)
            return row.hole and row.hole > 0
        end,
        function(rows)
            return string.format("%d holes in the TSNs at this tap", #rows)
        end,
        "sctp.analysis.lost_segment",
    },
    {
        function(row)
            return row.t ~= SENT and row.a_rwnd == 0
        end,
        function(rows)
            return string.format("%d acknowledgements close the window", #rows)
        end,
        "sctp.analysis.zero_window",
    },
    {
        function(row)
            return row.malformed ~= nil
        end,
        function(rows)
            return string.format("%d acknowledgements contradict themselves", #rows)
        end,
        "sctp_rack.sack.malformed",
    },
}

local NAMES = { rfc8985 = "RACK-TLP (RFC 8985)", rfc9260 = "RFC 9260" }

local function report_counts(write, rows, column)
    local counts, words = count_words(rows, column:match("[^.]+$"))
    for _, word in ipairs(words) do
        write(string.format('%9d    %-36s sctp.analysis.%s == "%s"\n', counts[word], word, column, word))
    end
end

local function report_direction(write, from, direction)
    local measured, shown = direction.measured, NAMES[direction.association.settings.shown or "rfc8985"]
    local function is_again(row)
        return row.kind == "retransmission"
    end
    local again = rows_where(direction.all_sent, is_again)
    local number, dir = direction.association.number, DIRS[from]
    local filter = string.format('sctp_rack.assoc == %d && sctp_rack.dir == "%s"', number, dir)
    write(string.format("\n  %s: %s\n", from == 1 and "a to b" or "b to a", filter))
    write(string.format("    Tap: %s, " .. MS_TEXT, measured.vantage, measured.sender_loop_ns / MS))
    write(string.format(" to the sender and back. The sender acts as in %s.\n", NAMES[direction.profile]))
    write(string.format("%9d  %-38s sctp.analysis.kind\n", #direction.all_sent, "sent"))
    if #again > 0 then
        write(string.format("%9d  %-38s sctp.analysis.retransmission\n", #again, "sent again"))
        report_counts(write, again, "verdict")
        report_counts(write, again, "cause")
    end
    local marks = seen_marks(direction)
    if #marks > 0 then
        write(string.format("%9d  %-38s sctp.analysis.rack_lost\n", #marks, "marked lost by " .. shown))
        report_counts(write, marks, "rack_lost.resolution")
    end
    for _, finding in ipairs(FINDINGS) do
        local rows = rows_where(direction.all_sent, finding[1])
        for _, sack in ipairs(rows_where(direction.feedback, finding[1])) do
            rows[#rows + 1] = sack
        end
        if #rows > 0 then
            write(string.format("    * %s.\n", finding[2](rows, shown)))
            write(string.format("      Frame %s: %s\n", frames_text(rows), finding[3]))
        end
    end
end

-- The text of the Tools menu.
local function report_lines(write)
    write("SCTP loss recovery" .. of_file())
    write(". Display filters stand beside what they show; add that of the direction with &&.\n")
    if #state.capture.associations == 0 then
        write("\nNo SCTP was seen so far.\n")
    end
    for _, complaint in ipairs(state.complaints) do
        write("\n" .. complaint .. ".\n")
    end
    write_given_up(write)
    for _, association in ipairs(whole_associations()) do
        local a, b = end_text(association[1]), end_text(association[2])
        write(string.format("\nAssociation %d: a %s, b %s\n", association.number, a, b))
        write(string.format("  %d packets, frame %d to %d; ", association.packets, association.first_frame,
            association.last_frame))
        write(string.format("began: %s, ended: %s\n", association.started, association.ended or "open"))
        for from = 1, 2 do
            if #association[from].data.all_sent > 0 then
                report_direction(write, from, association[from].data)
            end
        end
    end
end

------------------------------------------------------------------------------------------------------------------------
-- Time-sequence graph: a page for a browser, as Wireshark draws such graphs only from 4.6 on (Statistics, Plots)

local graph_lines
do
local DOTS, MARKS, DIRECTIONS = 15000, 5000, 12 -- so many are drawn, of each direction; a browser stays quick
local COLUMNS, ROWS = 1000, 400 -- cells; of several things of one kind in a cell one is drawn

local HEAD = [[
<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"/><meta name="viewport" content="width=device-width, initial-scale=1"/>
<title>SCTP loss recovery</title><style>
:root { color-scheme: light dark; --paper: #fff; --ink: #22262b; --grid: #e9ecef; --data: #66707c; --acked: #8d959f; }
@media (prefers-color-scheme: dark) { :root { --paper: #16191d; --ink: #dfe3e8; --grid: #2a2f36; --data: #8d959f; } }
body { margin: 0 auto; padding: 16px 28px; max-width: 1400px; background: var(--paper); color: var(--ink);
  font: 14px/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 20px; } h2 { font-size: 16px; margin: 28px 0 0; } p { margin: 4px 0; } svg { overflow: visible; }
ul { display: flex; flex-wrap: wrap; gap: 0 20px; list-style: none; margin: 6px 0; padding: 0; }
.graph { width: calc(100% - 72px); height: 420px; display: block; margin: 20px 0 24px 72px; }
.key { width: 14px; height: 10px; }
text { font-size: 11px; fill: var(--ink); } .grid { stroke: var(--grid); }
path { vector-effect: non-scaling-stroke; fill: none; } .data { stroke: var(--data); stroke-width: 4;
  stroke-linecap: round; } .acked { stroke: var(--acked); stroke-width: 1.5; }
.spurious { fill: #e0460b; } .needed { fill: #4a90c2; } .undetermined { fill: #868e98; }
.lost { stroke: #9a3fc4; stroke-width: 2; }
</style></head><body>
<svg width="0" height="0" style="position: absolute"><defs><circle id="spurious" r="5"/>
<rect id="needed" x="-4" y="-4" width="8" height="8"/>
<polygon id="undetermined" points="0,-6 6,0 0,6 -6,0"/>
<path id="lost" d="M-5-5 5 5M-5 5 5-5"/></defs></svg>
<h1>SCTP loss recovery: time-sequence graphs%s</h1>
]]

local ENTITIES = { ["&"] = "&amp;", ["<"] = "&lt;", [">"] = "&gt;", ['"'] = "&quot;" }

local function escaped(text)
    return (text:gsub('[&<>"]', ENTITIES))
end

-- In the order in which they are drawn, one above the other: what it is, which rows, and what the legend says.
local KINDS = {
    { "lost", "outcome", "lost" },
    { "needed", "verdict", "sent again as needed" },
    { "undetermined", "verdict", "sent again, and nobody can tell whether that was needed" },
    { "spurious", "verdict", "sent again spuriously" },
}

-- Where rows and acknowledgements are on a straight line of TSNs, and from when and where to when and where.
local function places_of(direction)
    local rows, places, place = direction.all_sent, {}, 0
    local box = { rows[1].time_ns, rows[1].time_ns, 0, 0 }
    local acked, highest, next_row = {}, nil, 1
    for i, row in ipairs(rows) do
        place = place + (i > 1 and distance(row.tsn, rows[i - 1].tsn) or 0)
        places[i] = place
        box[1], box[2] = min(box[1], row.time_ns), max(box[2], row.time_ns)
        box[3], box[4] = min(box[3], place), max(box[4], place)
    end
    for _, sack in ipairs(direction.feedback) do
        while rows[next_row + 1] and rows[next_row + 1].time_ns <= sack.time_ns do
            next_row = next_row + 1
        end
        local at = places[next_row] + distance(sack.cum_tsn, rows[next_row].tsn)
        -- What was never sent, or before all that is drawn, has no place.
        if not sack.refuted and at >= box[3] - 1 and at <= box[4] and at > (highest or at - 1) then
            highest = at
            acked[#acked + 1] = { sack.time_ns, at }
            box[2] = max(box[2], sack.time_ns)
        end
    end
    return places, acked, box
end

-- The least of 1, 2 and 5 times a power of ten that divides a length into five parts at most.
local function step_of(length)
    local step = 10 ^ floor(math.log(max(length, 1e-6) / 5) / math.log(10))
    for _, times in ipairs({ 1, 2, 5 }) do
        if length / (step * times) <= 5 then
            return step * times
        end
    end
    return 10 * step
end

local function write_axes(write, box, seconds, first_tsn)
    local from, length = seconds(box[1]), max(seconds(box[2]) - seconds(box[1]), 1e-6)
    local step = step_of(length)
    local digits = max(0, -floor(math.log(step * 1.001) / math.log(10)))
    for i = math.ceil(from / step), floor((from + length) / step) do
        local x = 100 * (i * step - from) / length
        write(string.format('<line class="grid" x1="%.2f%%" x2="%.2f%%" y2="100%%"/>', x, x))
        write(string.format('<text x="%.2f%%" y="100%%" dy="16" text-anchor="middle">%.' .. digits .. "f</text>\n", x,
            i * step))
    end
    local height = max(box[4] - box[3], 1)
    step = max(1, step_of(height))
    for tsn = math.ceil((first_tsn + box[3]) / step) * step, first_tsn + box[4], step do
        local y = 100 - 100 * (tsn - first_tsn - box[3]) / height
        write(string.format('<line class="grid" x2="100%%" y1="%.2f%%" y2="%.2f%%"/>', y, y))
        write(string.format('<text x="-10" y="%.2f%%" dy="4" text-anchor="end">%.0f</text>\n', y, tsn % MODULUS))
    end
end

-- As a hint says it.
local function hint_of(row)
    local words = { row.kind }
    for _, column in ipairs({ "cause", "verdict", "outcome", "probe" }) do
        words[#words + 1] = row[column] and string.format("%s: %s", column, row[column])
    end
    local copy = row.copy and string.format(", copy %d", row.copy) or ""
    return string.format("Frame %d: TSN %.0f%s; %s", row.frame, row.tsn, copy, table.concat(words, ", "))
end

local function legend_item(write, key, text)
    write(string.format('<li><svg class="key" viewBox="-7 -5 14 10">%s</svg> %s</li>\n', key, text))
end

local function write_graph(write, direction, begin_ns)
    local rows = direction.all_sent
    local places, acked, box = places_of(direction)
    local function seconds(ns)
        return (ns - begin_ns) / 1000000000
    end
    local duration, height = max(box[2] - box[1], 1), max(box[4] - box[3], 1)
    local function cell(time_ns, place)
        return floor((time_ns - box[1]) / duration * COLUMNS), ROWS - floor((place - box[3]) / height * ROWS)
    end
    local dots, marks, counts, taken, left = {}, {}, {}, {}, {}
    for number = 0, #KINDS do
        marks[number], counts[number], left[number] = {}, 0, 0
    end
    local room = MARKS
    for i, row in ipairs(rows) do
        local x, y = cell(row.time_ns, places[i])
        local index, marked = (y * (COLUMNS + 1) + x) * (#KINDS + 1), false
        for number, kind in ipairs(KINDS) do
            if row[kind[2]] == kind[1] then
                counts[number], marked = counts[number] + 1, true
                if room == 0 and not taken[index + number] then
                    left[number] = left[number] + 1
                elseif not taken[index + number] then
                    taken[index + number], room = true, room - 1
                    marks[number][#marks[number] + 1] = string.format(
                        '<use href="#%s" class="%s" x="%.1f%%" y="%.2f%%"><title>%s</title></use>\n', kind[1], kind[1],
                        100 * x / COLUMNS, 100 * y / ROWS, escaped(hint_of(row)))
                end
            end
        end
        if not marked and not taken[index] then
            if #dots < DOTS then
                taken[index] = true
                dots[#dots + 1] = string.format("M%d %dh0", x, y)
            else
                left[0] = left[0] + 1
            end
        end
    end
    local line, last_x = {}, nil
    for _, ack in ipairs(acked) do
        local x, y = cell(ack[1], ack[2])
        line[#line + 1] = string.format(x == last_x and "V%d" or last_x and "H%dV%d" or "M%d %d",
            x == last_x and y or x, y)
        last_x = x
    end
    local function sentence(number, text)
        return text .. (left[number] > 0 and string.format(" (%d are left out of the graph)", left[number]) or "")
    end
    write("<ul>\n")
    local sent = string.format("%d DATA chunks were sent", #rows)
    legend_item(write, '<path class="data" d="M0 0h0"/>', sentence(0, sent))
    for number = #KINDS, 1, -1 do
        local kind = KINDS[number]
        if counts[number] > 0 then
            local key = string.format('<use href="#%s" class="%s"/>', kind[1], kind[1])
            local verb = counts[number] == 1 and "was" or "were"
            local told = string.format("%d of them %s %s", counts[number], verb, kind[3])
            legend_item(write, key, sentence(number, told))
        end
    end
    legend_item(write, '<path class="acked" d="M-7 0H7"/>', "all up to the line is acknowledged")
    write('</ul>\n<p>TSN over seconds since the capture began</p>\n<svg class="graph">\n')
    write_axes(write, box, seconds, rows[1].tsn)
    local stretched = '<svg width="100%%" height="100%%" viewBox="0 0 %d %d" preserveAspectRatio="none">\n'
    write(string.format(stretched, COLUMNS, ROWS))
    write(string.format('<path class="acked" d="%s"/>\n<path class="data" d="%s"/>\n</svg>\n',
        table.concat(line), table.concat(dots)))
    for number = 1, #KINDS do
        write(table.concat(marks[number]))
    end
    write("</svg>\n")
end

-- The page, with those directions that had most to recover from where there are too many.
function graph_lines(write)
    write((HEAD:gsub("%%s", of_file())))
    for _, complaint in ipairs(state.complaints) do
        write("<p>" .. escaped(complaint) .. ".</p>\n")
    end
    write_given_up(function(text)
        write("<p>" .. escaped(text) .. "</p>\n")
    end)
    local found = {}
    for _, association in ipairs(whole_associations()) do
        for from = 1, 2 do
            local direction = association[from].data
            if #direction.all_sent > 0 then
                local marked = #rows_where(direction.all_sent, function(row)
                    return row.verdict or row.outcome == "lost"
                end)
                found[#found + 1] = { association, from, direction, marked, #found }
            end
        end
    end
    if #found == 0 then
        write("<p>No DATA of SCTP was seen so far.</p>\n")
    elseif #found > DIRECTIONS then
        local text = "<p>%d directions have data; those %d are drawn in which most was lost or sent again.</p>\n"
        write(string.format(text, #found, DIRECTIONS))
    end
    table.sort(found, function(one, other)
        return one[4] > other[4] or one[4] == other[4] and one[5] < other[5]
    end)
    for i = 1, min(#found, DIRECTIONS) do
        local association, from, direction = found[i][1], found[i][2], found[i][3]
        local sender, receiver = end_text(association[from]), end_text(association[3 - from])
        write(string.format("<h2>%s → %s</h2>\n", escaped(sender), escaped(receiver)))
        local filter = 'sctp_rack.assoc == %d && sctp_rack.dir == "%s"'
        write("<p>" .. escaped(string.format(filter, association.number, DIRS[from])) .. "</p>\n")
        write_graph(write, direction, state.begin_ns)
    end
    write("</body></html>\n")
end
end

------------------------------------------------------------------------------------------------------------------------
-- Summaries for programs, and at the end

-- Nanoseconds since the Unix epoch: too many digits for a double.
local function epoch_ns(time_ns)
    local secs = floor(time_ns / 1000000000)
    return { json = string.format("%d%09d", state.base + secs, time_ns - secs * 1000000000) }
end

local function as_list(words)
    local list = { list = true }
    for i = 1, #words do
        list[i] = words[i]
    end
    return list
end

local function row_json(row)
    local slot = row.slot or row.repeats
    local by = slot and slot.acked_by
    return {
        frame = row.frame,
        chunk = row.chunk,
        time_ns = epoch_ns(row.time_ns),
        path = row.path,
        tsn = row.tsn,
        copy = row.copy,
        bytes = row.bytes,
        flags = row.flags,
        first_frame = row.first_frame or row.slot and row.frame,
        prev_frame = row.prev_frame,
        kind = row.kind,
        cause = row.cause,
        cause_class = row.cause_class,
        trigger_frame = row.trigger_frame,
        probe = row.probe,
        probe_class = row.probe_class,
        verdict = row.verdict,
        verdict_class = row.verdict_class,
        evidence = row.evidence and as_list(row.evidence) or nil,
        outcome = row.outcome,
        outcome_class = row.outcome_class,
        acked_frame = by and by.frame,
        dup_frame = dup_frame_of(row),
    }
end

local function mark_json(made)
    return {
        profile = made.profile,
        path = made.path,
        tsn = made.tsn,
        copy = made.copy,
        frame = made.frame,
        by_frame = made.by_frame,
        time_ns = epoch_ns(made.time_ns),
        trigger = made.trigger,
        reo_wnd_ns = made.reo_wnd_ns,
        rack_rtt_ns = made.rack_rtt_ns,
        min_rtt_ns = made.min_rtt_ns,
        resolution = made.resolution,
        sender_lead_ns = made.lead_ns,
    }
end

local function probe_json(probe)
    local row = probe.row
    return {
        path = row.path,
        tsn = row.tsn,
        frame = row.frame,
        kind = row.probe,
        class = row.probe_class,
        anchor_ns = probe.armed_ns and epoch_ns(probe.armed_ns) or nil,
        pto_ns = row.probe_pto_ns,
        outcome = row.probe_outcome,
    }
end

local function list_of(items, make)
    local list = { list = true }
    for i = 1, #items do
        list[i] = make(items[i])
    end
    return list
end

local function direction_json(direction, from)
    local measured = direction.measured
    return {
        dir = DIRS[from],
        vantage = measured.vantage,
        loop_ns = measured.sender_loop_ns,
        profile = direction.profile,
        transmissions = list_of(direction.all_sent, row_json),
        rack_marks = list_of(direction.marks, mark_json),
        probes = list_of(direction.probes, probe_json),
    }
end

local function association_json(association)
    local directions = { list = true }
    for from = 1, 2 do
        if #association[from].data.all_sent > 0 then
            directions[#directions + 1] = direction_json(association[from].data, from)
        end
    end
    return {
        file = (state.followed or state.file > 1) and state.file or nil,
        assoc = association.number,
        a = end_text(association[1]),
        b = end_text(association[2]),
        first_frame = association.first_frame,
        last_frame = association.last_frame,
        packets = association.packets,
        how_started = association.started,
        how_ended = association.ended,
        directions = directions,
    }
end

function print_all()
    local function write(text)
        io.stdout:write(text)
    end
    state.printed_rows = state.capture.rows
    if not state.judged_rows and not gui_enabled() then
        state.capture.settings.state = false -- no second pass has begun: no frame will show it
    end
    judged(true)
    if script == "json" then
        for _, association in ipairs(whole_associations()) do
            write(to_json(association_json(association)) .. "\n")
        end
    elseif script == "stat" then
        stat_lines(write)
    elseif script == "graph" then
        graph_lines(write)
    else
        report_lines(write)
    end
    io.stdout:flush()
end

if script then
    local listener = Listener.new("frame")
    function listener.packet() end
    function listener.reset() end
    listener.draw = print_all
end

------------------------------------------------------------------------------------------------------------------------
-- Tools menu: the report in a window, with buttons that filter and one that opens the graph

local BUTTONS = {
    { "Sent again", "sctp.analysis.retransmission" },
    { "Spurious", 'sctp.analysis.verdict == "spurious"' },
    { "Lost", "sctp.analysis.lost" },
    { "Probes", "sctp.analysis.probe" },
}

local function text_of(lines)
    local texts = {}
    judged(true)
    lines(function(text)
        texts[#texts + 1] = text
    end)
    return table.concat(texts)
end

local graph_path -- one file, however often it is drawn

-- The temporary file is the user's alone, as it was made; it gets its name when it is whole. Says what went wrong.
local function open_graph()
    local path = os.tmpname()
    local file, problem = io.open(path, "w")
    if not file then
        return problem
    end
    local written
    written, problem = file:write(text_of(graph_lines))
    file:close()
    graph_path = graph_path or path .. ".html"
    os.remove(graph_path) -- on Windows nothing is renamed to what is there
    if written then
        written, problem = os.rename(path, graph_path)
    end
    if not written then
        os.remove(path)
        return problem
    end
    browser_open_data_file(graph_path)
end

local function open_report()
    local window = TextWindow.new("SCTP loss recovery")
    local function fill()
        window:set(text_of(report_lines))
    end
    window:add_button("Refresh", fill)
    window:add_button("Time-sequence graph", function()
        local problem = open_graph()
        if problem then
            window:set("The graph could not be written: " .. problem .. "\n")
        end
    end)
    for _, button in ipairs(BUTTONS) do
        window:add_button(button[1], function()
            set_filter(button[2])
            apply_filter()
        end)
    end
    fill()
end

if gui_enabled() then
    register_menu("SCTP loss recovery", open_report, MENU_TOOLS_UNSORTED)
end
