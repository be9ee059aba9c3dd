-- SPDX-License-Identifier: BSD-2-Clause
-- What hostile captures cost the drop-in: feeds packets of its own making, judges them, and prints a line.
--
--     lua5.4 costs.lua lua/sctp_rack.lua NAME SIZE        a line of JSON: packets, bytes, seconds, kilobytes, given_up

local path, name, size = ...
size = tonumber(size)
local rack = assert(loadfile(path))()
collectgarbage("setpause", 400) -- as in Wireshark
local capture = rack.new_capture({ state = true })
local packets, bytes, now_ns, peak = 0, 0, 0, 0

local function u16(value)
    return string.char(math.floor(value / 256) % 256, value % 256)
end

local function u32(value)
    return u16(math.floor(value / 65536) % 65536) .. u16(value % 65536)
end

local function chunk(kind, flags, value)
    return string.char(kind, flags) .. u16(4 + #value) .. value .. string.rep("\0", -#value % 4)
end

local function data(tsn)
    return chunk(0, 3, u32(tsn) .. u32(0) .. u32(0) .. "payload!")
end

-- `gaps` and `dups` as on the wire.
local function sack(cum, gaps, dups)
    gaps, dups = gaps or "", dups or ""
    return chunk(3, 0, u32(cum) .. u32(65536) .. u16(#gaps / 4) .. u16(#dups / 4) .. gaps .. dups)
end

local function init(kind, tag)
    return chunk(kind, 0, u32(tag) .. u32(65536) .. u16(10) .. u16(10) .. u32(1))
end

-- From `a`, or from `b`, some time later.
local function say(from, chunks, later_ns, ports, tag)
    now_ns = now_ns + (later_ns or 100000)
    packets = packets + 1
    local sport, dport = ports or 5000, 6000
    local src, dst = "10.0.0.1", "10.0.0.2"
    if from == "b" then
        sport, dport, src, dst = dport, sport, dst, src
    end
    tag = tag or (from == "a" and 2 or 1)
    local text = u16(sport) .. u16(dport) .. u32(tag) .. u32(packets) .. chunks
    bytes = bytes + #text
    rack.packet_rows(capture, {
        frame = packets,
        time_ns = now_ns,
        src = src,
        dst = dst,
        id = packets % 65535 + 1,
        start = 0,
        hop_limit = function()
            return 64
        end,
        bytes = text,
        wire = #text,
    }, 0)
    if packets % 16 == 0 then
        peak = math.max(peak, collectgarbage("count"))
    end
end

local function handshake()
    say("a", init(1, 1), nil, nil, 0)
    say("b", init(2, 2))
    say("a", chunk(10, 0, "cook"))
    say("b", chunk(11, 0, ""))
end

local function in_flight(count)
    for tsn = 1, count do
        say("a", data(tsn))
    end
end

local function block(first, last)
    return u16(first) .. u16(last)
end

-- The numbers 1 to `count` in an order without one.
local function shuffled(count)
    local list, state = {}, 1
    for i = 1, count do
        list[i] = i
    end
    for i = count, 2, -1 do
        state = (state * 16807) % 2147483647
        local k = state % i + 1
        list[i], list[k] = list[k], list[i]
    end
    return list
end

local CAPTURES = {}

-- Sent, and acknowledged: what others are compared with.
function CAPTURES.ordinary()
    handshake()
    for tsn = 1, size do
        say("a", data(tsn))
        if tsn % 2 == 0 then
            say("b", sack(tsn))
        end
    end
end

-- One gap block that toggles all in flight.
function CAPTURES.toggled()
    handshake()
    in_flight(size)
    for i = 1, math.floor(size / 100) do
        say("b", sack(1, i % 2 == 1 and block(2, size - 1) or ""))
    end
end

-- Toggled twice each way, so that it is believed.
function CAPTURES.taken_back()
    handshake()
    in_flight(size)
    for i = 1, math.floor(size / 100) do
        say("b", sack(1, i % 4 < 2 and block(2, size - 1) or block(size - 1, size - 1)))
    end
end

-- One TSN amid what is acknowledged, which lies amid what is not.
function CAPTURES.one_toggled()
    handshake()
    in_flight(size)
    local third = math.floor(size / 3)
    local middle = math.floor(size / 2)
    for i = 1, size do
        local without = block(third, middle - 1) .. block(middle + 1, 2 * third)
        say("b", sack(0, i % 2 == 1 and block(third, 2 * third) or without))
    end
end

-- Sent again in any order, then taken back.
function CAPTURES.any_order()
    handshake()
    in_flight(size)
    for _, tsn in ipairs(shuffled(size)) do
        say("a", data(tsn))
    end
    for i = 1, 10 do
        say("b", sack(0, i % 2 == 1 and block(2, size - 1) or ""))
    end
end

-- Marked by a timeout, sent again in any order.
function CAPTURES.after_timeout()
    handshake()
    in_flight(size)
    now_ns = now_ns + 5000000000
    for _, tsn in ipairs(shuffled(size)) do
        say("a", data(tsn))
    end
    say("b", sack(size))
end

-- A timeout for each packet, above many that are marked.
function CAPTURES.timeouts()
    handshake()
    in_flight(size)
    for i = 1, size do
        say("a", data(i % 2 + 1), 70000000000)
    end
end

function CAPTURES.copies()
    handshake()
    for _ = 1, size do
        say("a", data(1))
    end
    say("b", sack(1))
end

function CAPTURES.copies_reported()
    handshake()
    for _ = 1, size do
        say("a", data(1))
        say("b", sack(1, "", u32(1)))
    end
end

local function every_other(from, to, step)
    local list = {}
    for first = from, to, step do
        list[#list + 1] = block(first, first)
    end
    return table.concat(list)
end

-- Every other TSN, in full each time; `size` blocks of one SACK.
function CAPTURES.blocks()
    handshake()
    in_flight(size)
    local whole = every_other(2, size, 2)
    for _ = 1, 16 do
        say("b", sack(0, whole))
    end
end

-- The same from the highest to the lowest.
function CAPTURES.blocks_falling()
    handshake()
    in_flight(size)
    local whole = every_other(size, 2, -2)
    for _ = 1, 4 do
        say("b", sack(0, whole))
    end
end

-- Every other TSN is acknowledged by a SACK of its own, which leaves out the others.
function CAPTURES.one_block_each()
    handshake()
    in_flight(size)
    for _, n in ipairs(shuffled(math.floor(size / 2))) do
        say("b", sack(0, block(2 * n, 2 * n)))
    end
end

-- Many blocks, then SHUTDOWNs that have none.
function CAPTURES.shutdowns()
    handshake()
    in_flight(size)
    say("b", sack(0, every_other(2, size, 2)))
    for _ = 1, size do
        say("b", chunk(7, 0, u32(0)))
    end
end

function CAPTURES.associations()
    for n = 1, size do
        local port, tag = n % 60000 + 1, 10 + 2 * n
        say("a", data(1), nil, port, tag + 1)
        say("b", sack(1), nil, port, tag)
    end
end

-- The same two ends each time.
function CAPTURES.tags()
    for n = 1, size do
        say("a", init(1, n + 10), nil, nil, 0)
    end
end

function CAPTURES.tags_answered()
    for n = 1, size do
        say("a", init(1, 2 * n + 10), nil, nil, 0)
        say("b", init(2, 2 * n + 11), nil, nil, 2 * n + 10)
        say("a", chunk(10, 0, "cook"), nil, nil, 2 * n + 11)
        say("b", chunk(11, 0, ""), nil, nil, 2 * n + 10)
    end
end

-- Packets with a tag that nobody has.
function CAPTURES.stray_tags()
    for n = 1, size do
        say("a", data(1), nil, nil, n + 10)
    end
end

function CAPTURES.heartbeats()
    handshake()
    for n = 1, size do
        say("a", chunk(4, 0, "\0\1\0\8" .. u32(n)))
        say("b", chunk(5, 0, "\0\1\0\8" .. u32(n)))
    end
end

function CAPTURES.halves_with_heartbeats()
    say("a", data(1))
    for n = 1, size do
        say("a", chunk(4, 0, "\0\1\0\8" .. u32(n)))
    end
end

function CAPTURES.forwards()
    handshake()
    for n = 1, size do
        say("a", data(n))
        say("a", chunk(192, 0, u32(n + n % 7 * 1000000)))
    end
end

function CAPTURES.jumps()
    handshake()
    for n = 1, size do
        say("a", data(n * 1000000 % 4294967296) .. data((n * 1000000 + 1) % 4294967296))
    end
end

-- Each list names all TSNs.
function CAPTURES.dups()
    handshake()
    in_flight(1000)
    local list = {}
    for n = 1, size do
        list[n] = u32(n % 1000 + 1)
    end
    for _ = 1, 16 do
        say("b", sack(1000, "", table.concat(list)))
    end
end

-- PACKET-DROP chunks that name the same TSNs.
function CAPTURES.drops()
    handshake()
    in_flight(64)
    local quoted = u16(5000) .. u16(6000) .. u32(2) .. u32(0)
    for tsn = 1, 64 do
        quoted = quoted .. data(tsn)
    end
    for _ = 1, size do
        say("b", chunk(129, 0, u32(0) .. u16(0) .. u16(0) .. u32(0) .. quoted))
        say("a", data(7))
    end
end

-- Holes of 256 TSNs, all filled.
function CAPTURES.holes()
    handshake()
    for n = 1, size do
        say("a", data(n * 256))
    end
end

-- What the other way of a half might be, for each packet.
function CAPTURES.halves()
    for n = 1, size do
        say("a", data(n), nil, 6000, n + 10)
        say("b", sack(n), nil, 6000, n + 1000000)
    end
end

CAPTURES[name]()
local recorded_s = os.clock()
rack.judge(capture)
peak = math.max(peak, collectgarbage("count"))
collectgarbage()
local said = '{"packets": %d, "bytes": %d, "seconds": %.3f, "recording": %.3f, "kilobytes": %.0f, "kept": %.0f}'
print(said:format(packets, bytes, os.clock(), recorded_s, peak, collectgarbage("count")))
