-- SPDX-License-Identifier: BSD-2-Clause
-- Stands in for Wireshark's window in tshark, for what is loaded after it: opens the Tools menu's window when the
-- capture was read, presses all its buttons, and prints what it shows and the files that are opened in a browser.
local open, title

function _G.gui_enabled()
    return true
end

function _G.register_menu(name, opens)
    title, open = name, opens
end

function _G.set_filter(filter)
    print("set " .. filter)
end

function _G.apply_filter()
    print("apply")
end

function _G.browser_open_data_file(path)
    print("browser " .. path)
end

local window = { buttons = {} }

function window.set(_, text)
    window.text = text
end

function window.add_button(_, name, does)
    window.buttons[#window.buttons + 1] = { name, does }
end

_G.TextWindow = {
    new = function()
        return window
    end,
}

local listener = Listener.new("frame")
function listener.packet() end
function listener.reset() end
function listener.draw()
    print("menu " .. title)
    open()
    print(window.text)
    for _, button in ipairs(window.buttons) do
        print("button " .. button[1])
        button[2]()
        button[2]()
    end
    print(window.text)
end
