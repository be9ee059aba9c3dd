-- SPDX-License-Identifier: GPL-2.0-or-later
-- Why a TSN of SCTP was sent again, whether that was needed, and what RACK-TLP (RFC 8985) would have done.
--
-- One file for Wireshark and tshark 4.0 to 4.6; copy it into the folder of personal Lua plugins (Help > About >
-- Folders). Without Wireshark it returns its model, for tests:
--
--     local rack = dofile("sctp_rack.lua")
--
-- First the model of loss recovery, then what a capture shows of a direction, then the verdicts, then Wireshark.
-- docs/lua.md says what the project's engine decides and this file does not.

local floor, max, min = math.floor, math.max, math.min
local MS = 1000000
local MODULUS, HALF = 4294967296, 2147483648

-- What can follow feedback or a timer passes the tap within this.
local REACTION_NS = 20 * MS
-- TSNs that the model holds, from the lowest that is not acknowledged.
local WINDOW = 131072

------------------------------------------------------------------------------------------------------------------------
-- Sets of sequence numbers: disjoint runs in rising order, { lo = {...}, hi = {...}, n = count }

local function new_runs()
    return { lo = {}, hi = {}, n = 0 }
end

-- Adds a run that is not below the last one; merges it if it touches.
local function append_run(runs, lo, hi)
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
local function runs_of(blocks, count, from, to)
    local runs, sorted, before = new_runs(), true, nil
    if count == 0 then
        return runs
    end
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

local function union(a, b)
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
local function difference(a, b, visit)
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

-- The place of the first run that does not end before `seq`.
local function run_at(runs, seq)
    local first, last = 1, runs.n + 1
    while first < last do
        local middle = floor((first + last) / 2)
        if runs.hi[middle] < seq then
            first = middle + 1
        else
            last = middle
        end
    end
    return first
end

local function contains(runs, seq)
    local at = run_at(runs, seq)
    return at <= runs.n and runs.lo[at] <= seq
end

local function remove_seq(runs, seq)
    local at = run_at(runs, seq)
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
local function add_run(runs, lo, hi, visit)
    local at = run_at(runs, lo - 1)
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

------------------------------------------------------------------------------------------------------------------------
-- Linked lists through the chunks; `back` and `on` name the fields that link

local function new_list(back, on)
    return { back = back, on = on }
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

local function take_out(list, item)
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
end

-- By rising sequence number: what is new is the highest, what is put back is mostly among the lowest.
local function put_by_seq(list, item)
    local tail = list.tail
    if not tail or tail.seq < item.seq then
        put_behind(list, tail, item)
        return
    end
    local before, at = nil, list.head
    while at.seq < item.seq do
        before, at = at, at[list.on]
    end
    put_behind(list, before, item)
end

local function sent_before(a_ns, a_frame, b_ns, b_frame)
    return a_ns < b_ns or (a_ns == b_ns and a_frame < b_frame)
end

local function put_by_time(list, item)
    local before = list.tail
    while before and sent_before(item.time_ns, item.frame, before.time_ns, before.frame) do
        before = before[list.back]
    end
    put_behind(list, before, item)
end

------------------------------------------------------------------------------------------------------------------------
-- The model of a sender: RFC 9260 and RFC 8985 (docs/reference-model.md)
--
-- Times are integer nanoseconds on the sender's clock. A line of sequence numbers unwraps TSNs.

local IN_FLIGHT, LOST, GAP_ACKED, NR_ACKED, ABANDONED = 1, 2, 3, 4, 5
local NAMES_OF_STATES = { "in_flight", "lost", "gap_acked", "nr_acked", "abandoned" }

local PROFILES = {
    -- RACK-TLP; it is not to be used with missing reports (RFC 8985 section 9.2)
    rfc8985 = { rack = true, tlp = true },
    -- three missing reports and T3-rtx
    rfc9260 = { misses = true },
}

local function new_minimum(window_ns)
    return { window_ns = window_ns, times = {}, values = {}, first = 1, last = 0 }
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
    while minimum.last > minimum.first and minimum.times[minimum.first] < now_ns - minimum.window_ns do
        minimum.values[minimum.first], minimum.times[minimum.first] = nil, nil
        minimum.first = minimum.first + 1
    end
    return minimum.values[minimum.first]
end

local function new_path(sender, name)
    local window_ns = sender.options.min_rtt_window_ns or 30000 * MS
    local path = {
        name = name,
        number = #sender.paths + 1,
        backoff = 0,
        min_rtt = new_minimum(window_ns),
        own_min_rtt = new_minimum(window_ns), -- of what no delayed SACK can have inflated
        rack_rtt_ns = 0,
        reo_wnd_ns = 0,
        reordering_seen = false,
        mult = 1,
        persist = 16,
        t3_armed_ns = 0,
        pto_armed_ns = 0,
        flight = new_list("flight_back", "flight_on"), -- in the order of sending
        outstanding = new_list("out_back", "out_on"), -- in flight or marked lost, by sequence number
        flight_bytes = 0,
        sacked = {}, -- frame -> chunks of it that are acknowledged out of order
        sacked_packets = 0,
        sacked_chunks = 0,
        passed = nil, -- the last in flight that was sent before RACK.segment
    }
    sender.paths[path.number] = path
    sender.path_of[name] = path
    return path
end

local function path_of(sender, name)
    return sender.path_of[name] or new_path(sender, name)
end

-- `options` as in PROFILES, and the variants of tests/vectors.
local function new_sender(options)
    return {
        options = options,
        paths = {},
        path_of = {},
        chunks = {}, -- by sequence number, from the cumulative ack point on
        board = new_list("board_back", "board_on"), -- the same in order
        waiting = new_list("miss_back", "miss_on"), -- in flight, and missing reports count for it
        board_count = 0, -- of them not given up
        una = 0,
        nxt = 0,
        acked_anything = false,
        sacked = new_runs(), -- acknowledged above the cumulative ack point
        non_renegable = new_runs(),
        last_path = {}, -- of the TSNs sent lately
        phase = "none",
        exit_seq = 0,
        fence_ns = {},
        fence_seq = {},
        rtt_since_probe = false,
        now_ns = 0,
        marks = {},
        expectations = {},
        probes = {},
        reneged = {},
        broken_promises = {},
        window_probe = {},
    }
end

local function seq_of(sender, tsn)
    local reference = sender.reference
    if not reference then
        reference = tsn
        sender.reference, sender.una, sender.nxt = tsn, tsn, tsn
    end
    local ahead = (tsn - reference) % MODULUS
    return reference + (ahead < HALF and ahead or ahead - MODULUS)
end

local function warm(sender, start)
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
    put_by_time(path.flight, chunk)
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

local function highest_outstanding(sender)
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

local function measured(sender, path, rtt_ns)
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
    local chunk = first
    while chunk do
        local following = chunk.out_on
        -- RFC 8985 section 6.3; without RACK all is marked, RFC 9260 section 6.3.3 E3.
        local old = not sender.options.rack
            or chunk.time_ns + path.rack_rtt_ns + path.reo_wnd_ns <= sender.now_ns
        if chunk.state == IN_FLIGHT and (chunk == first or old) then
            mark(sender, chunk, "rto", nil, sender.options.rack and path.reo_wnd_ns or nil)
        end
        chunk = following
    end
    if first.state == LOST then
        expect(sender, "t3", path, first.seq, path.t3_armed_ns)
    end
    path.backoff = path.backoff + 1
    enter_recovery(sender, "rto", exit_seq)
    if path.flight.head then
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

local function advance(sender, until_ns, inclusive)
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
    local times = sender.fence_ns
    local first, last = 1, #times + 1
    while first < last do
        local middle = floor((first + last) / 2)
        if times[middle] < sent_ns then
            first = middle + 1
        else
            last = middle
        end
    end
    return first > #times or sender.fence_seq[first] > seq
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
    if not chunk then
        chunk = {
            seq = seq,
            bytes = data.bytes,
            ack_now = data.ack_now,
            path = path,
            copies = 1,
            total = 1,
            state = IN_FLIGHT,
            first = true, -- sent once: it can give a round-trip sample
            time_ns = sent.time_ns,
            frame = sent.frame,
            misses = 0,
        }
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
    chunk.copies = chunk.total
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
local function zero_window_probe(sender, seqs, count, resent)
    if not window_is_closed(sender, seqs, count) then
        return {}
    end
    local settled = 0
    for i = 1, count do
        local chunk = sender.chunks[seqs[i]]
        if chunk and chunk.state ~= ABANDONED then
            settled = settled + 1
        end
    end
    if settled ~= sender.board_count then
        return {}
    end
    for i = 1, #resent do
        local known = false
        for j = 1, #sender.window_probe do
            known = known or sender.window_probe[j] == resent[i]
        end
        if not known then
            return {}
        end
    end
    return seqs
end

local function probe_becomes_data(sender)
    sender.window_probe = {}
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

-- `sent`: frame, time_ns, path, chunks { tsn, bytes, ack_now }. False where a TSN is too far from all others.
local function data_sent(sender, sent)
    advance(sender, sent.time_ns, true)
    local path = path_of(sender, sent.path)
    local seqs, count, data_of = {}, 0, {}
    local again = {}
    for i = 1, #sent.chunks do
        local seq = seq_of(sender, sent.chunks[i].tsn)
        if seq - sender.una > WINDOW or sender.nxt - seq > 2 * WINDOW then
            return false
        end
        if data_of[seq] then -- ADAPTATION: a TSN that is twice in one packet was transmitted once
            again[#again + 1] = seq
        else
            count = count + 1
            seqs[count] = seq
        end
        data_of[seq] = sent.chunks[i]
    end
    local new, new_count, resent = {}, 0, {}
    for i = 1, count do
        new[i] = send_chunk(sender, data_of[seqs[i]], seqs[i], path, sent)
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

-- What the acknowledgement of a chunk tells a path.
local function deliver(sender, chunk, ack)
    local path = chunk.path
    local news = ack.paths[path]
    if not news then
        news = { list = {} }
        ack.paths[path] = news
    end
    news.list[#news.list + 1] = chunk
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
        ack.cum_acked[chunk.path] = true
        if chunk.state ~= ABANDONED then
            sender.board_count = sender.board_count - 1
        end
        take_out(sender.board, chunk)
        sender.chunks[chunk.seq] = nil
        chunk = following
    end
end

local function take_back(sender, chunk)
    count_sacked(chunk, -1)
    chunk.state, chunk.first, chunk.misses = IN_FLIGHT, false, 1
    put_by_seq(chunk.path.outstanding, chunk)
    into_flight(sender, chunk)
end

local function in_line(sender, tsns)
    local seqs = {}
    for i = 1, #tsns do
        seqs[i] = seq_of(sender, tsns[i])
    end
    return seqs
end

-- RFC 9260 section 6.2.1; what the receiver reports against what it reported before.
local function acknowledge(sender, feedback, cum, ack)
    local from, to = cum + 1, sender.nxt - 1
    local gaps = runs_of(in_line(sender, feedback.gaps), feedback.gap_count, from, to)
    local non_renegable = runs_of(in_line(sender, feedback.nr_gaps), feedback.nr_gap_count, from, to)
    if feedback.all_non_renegable and feedback.nr_gap_count == 0 then
        non_renegable = gaps
    end
    gaps = union(gaps, non_renegable)
    ack.gaps, ack.top = gaps, gaps.n > 0 and gaps.hi[gaps.n] or cum
    local taken_back, reach = {}, -1
    if feedback.kind ~= "shutdown" and not feedback.lists_cut then
        local cap = sender.options.gap_block_cap
        reach = cap and feedback.gap_count + feedback.nr_gap_count >= cap and ack.top or cum + 65535
        difference(sender.sacked, gaps, function(lo, hi)
            for seq = max(lo, from), min(hi, reach) do
                local chunk = sender.chunks[seq]
                if chunk and chunk.state == GAP_ACKED then
                    taken_back[#taken_back + 1] = chunk
                elseif chunk and chunk.state == NR_ACKED then
                    sender.broken_promises[#sender.broken_promises + 1] = { sender.now_ns, seq % MODULUS }
                end
            end
        end)
    end
    for i = 1, #sender.paths do
        local path = sender.paths[i]
        path.earliest = path.outstanding.head
    end
    acknowledge_cum(sender, cum, ack)
    difference(gaps, sender.sacked, function(lo, hi)
        for seq = max(lo, from), hi do
            local chunk = sender.chunks[seq]
            if chunk and chunk.state <= LOST then
                deliver(sender, chunk, ack)
                chunk.state = GAP_ACKED
                count_sacked(chunk, 1)
            end
        end
    end)
    difference(non_renegable, sender.non_renegable, function(lo, hi)
        for seq = max(lo, from), hi do
            local chunk = sender.chunks[seq]
            if chunk and chunk.state == GAP_ACKED then
                chunk.state = NR_ACKED
            end
        end
    end)
    for i = 1, #taken_back do
        if taken_back[i].state == GAP_ACKED then
            sender.reneged[#sender.reneged + 1] = { sender.now_ns, taken_back[i].seq % MODULUS }
            ack.taken_back[taken_back[i].path] = true
            take_back(sender, taken_back[i])
        end
    end
    if sender.sacked.n > 0 and sender.sacked.hi[sender.sacked.n] > max(reach, cum) then
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
    sender.non_renegable = union(non_renegable, new_runs())
    ack.cum_advanced = cum >= sender.una
    sender.acked_anything = true
    sender.una = max(sender.una, cum + 1)
    sender.nxt = max(sender.nxt, sender.una)
    ack.taken_back_chunks = taken_back
end

-- ADAPTATION: a duplicate of what is not acknowledged cannot be, and one below a FORWARD-TSN is a late original.
local function useful_dups(sender, feedback, cum, gaps)
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

local function sample_of(sender, path, list)
    if sender.options.rack then -- the newest of every feedback, as TCP does with SACK
        local newest
        for i = 1, #list do
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
    for i = 1, #list do -- RFC 9260 section 6.3.1 C4: one at a time
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
local function learn(sender, path, list)
    local now_ns = sender.now_ns
    local floor_ns = minimum_at(path.min_rtt, now_ns)
    if sender.options.robust_rtt then
        floor_ns = minimum_at(path.own_min_rtt, now_ns) or floor_ns
    end
    local newest
    for i = 1, #list do
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
    for i = 1, #list do
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
    local third, taken = {}, {}
    for i = 1, #ack.taken_back_chunks do
        local chunk = ack.taken_back_chunks[i]
        taken[chunk] = true
    end
    local chunk = sender.waiting.head
    while limit and chunk and chunk.seq < limit do
        if not taken[chunk] then
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

local function detect_with_rack(sender, feedback, ack, dup_paths, exiting)
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
        elseif ack.earliest_acked[path] then
            start_t3(sender, path)
        elseif not path.t3_ns and ack.taken_back[path] then
            start_t3(sender, path)
        end
        if outstanding and ack.cum_advanced and (not path.pto_ns or ack.cum_acked[path]) then
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
local function feedback_arrived(sender, feedback)
    advance(sender, feedback.time_ns, false)
    local cum = seq_of(sender, feedback.cum_tsn)
    if not sender.acked_anything then
        sender.una = min(sender.una, cum + 1)
    end
    if feedback.overtaken or cum < sender.una - 1 or cum - sender.nxt > 2 * WINDOW then
        return false
    end
    local ack = {
        cum = cum,
        paths = {},
        count = 0,
        packets = 0,
        cum_acked = {},
        earliest_acked = {},
        taken_back = {},
    }
    acknowledge(sender, feedback, cum, ack)
    sender.reference = cum
    local dups, dup_paths = useful_dups(sender, feedback, cum, ack.gaps)
    local delayed = may_be_delayed(feedback, ack)
    for i = 1, #sender.paths do
        local path = sender.paths[i]
        local news = ack.paths[path]
        if news then
            ack.earliest_acked[path] = news.list[1] == path.earliest or nil
            local sample = sample_of(sender, path, news.list)
            if sample then
                local rtt_ns = sender.now_ns - sample.time_ns
                measured(sender, path, rtt_ns)
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
            if ack.paths[path] then
                learn(sender, path, ack.paths[path].list)
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
        detect_with_rack(sender, feedback, ack, dup_paths, exiting)
    end
    sender.a_rwnd = feedback.a_rwnd or sender.a_rwnd
    arm_after_feedback(sender, ack)
    return true
end

-- RFC 3758 section 3.5: what is not acknowledged up to there is given up.
local function forward_tsn_sent(sender, forward)
    advance(sender, forward.time_ns, true)
    local seq = seq_of(sender, forward.new_cum_tsn)
    sender.forward_seq = max(sender.forward_seq or seq, seq)
    local chunk = sender.board.head
    while chunk and chunk.seq <= seq do
        if chunk.state <= LOST then
            if chunk.state == IN_FLIGHT then
                out_of_flight(sender, chunk)
            end
            take_out(chunk.path.outstanding, chunk)
            chunk.state = ABANDONED
            sender.board_count = sender.board_count - 1
            for i = 1, #sender.paths do
                local path = sender.paths[i]
                if path.timed_seq == chunk.seq then
                    path.timed_seq = nil
                end
            end
        end
        chunk = chunk.board_on
    end
    stop_idle(sender)
end

-- A round trip of a handshake or a HEARTBEAT.
local function rtt_measured(sender, measurement)
    advance(sender, measurement.time_ns, true)
    local path = path_of(sender, measurement.path)
    measured(sender, path, measurement.rtt_ns)
    add_to_minimum(path.min_rtt, measurement.time_ns, measurement.rtt_ns)
    if measurement.tag ~= "delayed" and measurement.tag ~= "rtx" then
        add_to_minimum(path.own_min_rtt, measurement.time_ns, measurement.rtt_ns)
    end
end

-- RFC 6525 section 5.2.4: the old range is as if acknowledged, a new one begins.
local function tsn_reset(sender, reset)
    advance(sender, reset.time_ns, true)
    local nxt = sender.nxt
    local everything = { gaps = {}, gap_count = 0, nr_gaps = {}, nr_gap_count = 0, kind = "shutdown" }
    local ack = { paths = {}, count = 0, packets = 0, cum_acked = {}, earliest_acked = {}, taken_back = {} }
    acknowledge(sender, everything, nxt - 1, ack)
    sender.una = nxt + (reset.next_tsn - nxt) % MODULUS
    sender.nxt, sender.reference = sender.una, sender.una
    sender.phase = "none"
    reset_probe(sender, "unresolved")
    sender.window_probe = {}
    for i = 1, #sender.paths do
        local path = sender.paths[i]
        path.fack, path.dsack_round, path.timed_seq = nil, nil, nil
    end
    stop_idle(sender)
end

local function finish(sender)
    reset_probe(sender, "unresolved")
end

-- What is known of a path now; deadlines are times.
local function snapshot(sender, name)
    local path = path_of(sender, name)
    return {
        srtt_ns = path.srtt_ns,
        rttvar_ns = path.rttvar_ns,
        rto_ns = rto_ns(path),
        min_rtt_ns = minimum_at(path.min_rtt, sender.now_ns),
        rack_rtt_ns = path.rack_rtt_ns,
        rack_xmit_ns = path.segment_ns,
        rack_tsn = path.segment_seq and path.segment_seq % MODULUS,
        reo_wnd_ns = path.reo_wnd_ns,
        reo_wnd_mult = path.mult,
        reordering_seen = path.reordering_seen,
        in_recovery = sender.phase ~= "none",
        flight_bytes = path.flight_bytes,
        t3_ns = path.t3_ns,
        pto_ns = path.pto_ns,
        reo_ns = path.reo_ns,
    }
end

local function state_of(sender, tsn)
    local seq = seq_of(sender, tsn)
    local chunk = sender.chunks[seq]
    if chunk then
        return NAMES_OF_STATES[chunk.state]
    end
    return seq < sender.una and sender.last_path[-1 - seq % 4096] == seq and "cum_acked" or nil
end

local function misses_of(sender, tsn)
    local chunk = sender.chunks[seq_of(sender, tsn)]
    return chunk and chunk.state == IN_FLIGHT and chunk.misses or nil
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

-- Numbers are whole. A table with `list = true`, or with an element 1, is a list.
function to_json(value)
    local kind = type(value)
    if kind == "number" then
        return string.format("%d", value)
    elseif kind == "string" then
        return '"' .. value:gsub('[%c"\\]', function(c)
            return ESCAPES[c] or string.format("\\u%04x", c:byte())
        end) .. '"'
    elseif kind == "table" then
        return (value.list or value[1] ~= nil) and json_list(value) or json_object(value)
    end
    return kind == "boolean" and tostring(value) or "null"
end

local rack = {
    profiles = PROFILES,
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
}

if not Proto then
    return rack
end
