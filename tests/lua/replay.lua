-- SPDX-License-Identifier: BSD-2-Clause
-- Replays runs of events through the model of lua/sctp_rack.lua: a line of JSON for each run.
--
--     lua5.2 replay.lua lua/sctp_rack.lua RUNS.lua        RUNS.lua returns the runs, as test_model.py writes them
--     tshark -X lua_script:replay.lua -X lua_script1:lua/sctp_rack.lua -X lua_script1:RUNS.lua …

local paths = { ... }

local function loaded(path, environment)
    local file = assert(io.open(path))
    local text = file:read("*a")
    file:close()
    return assert(load(text, path, "t", environment))()
end

-- Only the model is wanted, not what it does where Wireshark is.
local function without_wireshark(_, name)
    if name ~= "Proto" then
        return _G[name]
    end
end
local rack = loaded(paths[1], setmetatable({}, { __index = without_wireshark }))

local function listed(items)
    items.list = true
    return items
end

local function snapshot_of(sender, check)
    local state = rack.snapshot(sender, check.path)
    local last = sender.probes[#sender.probes]
    state.probe_outcome = last and last.outcome or nil
    state.states, state.misses = {}, {}
    for _, tsn in ipairs(check.states or {}) do
        state.states[string.format("%d", tsn)] = rack.state_of(sender, tsn)
    end
    for _, tsn in ipairs(check.misses or {}) do
        state.misses[string.format("%d", tsn)] = rack.misses_of(sender, tsn)
    end
    return state
end

local function play(run)
    local sender = rack.new_sender(run.options)
    local checks, at = {}, 1
    for _, start in ipairs(run.warm) do
        rack.warm(sender, start)
    end
    local function check_before(time_ns)
        while run.checks[at] and run.checks[at].at_ns < time_ns do
            rack.time_passed(sender, run.checks[at].at_ns)
            checks[at] = snapshot_of(sender, run.checks[at])
            at = at + 1
        end
    end
    for _, event in ipairs(run.events) do
        check_before(event.time_ns)
        rack[event.does](sender, event)
    end
    check_before(run.until_ns + 1)
    rack.time_passed(sender, run.until_ns)
    rack.finish(sender)
    return {
        marks = listed(sender.marks),
        expectations = listed(sender.expectations),
        probes = listed(sender.probes),
        reneged = listed(sender.reneged),
        broken_promises = listed(sender.broken_promises),
        checks = listed(checks),
    }
end

for _, run in ipairs(loaded(paths[2], _G)) do
    io.write(rack.to_json(play(run)), "\n")
end
