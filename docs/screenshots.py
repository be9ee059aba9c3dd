#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Opens sample captures in the real Wireshark with plugin or drop-in and writes docs/images/.

Wireshark runs on a display of its own (Xvfb), unprivileged, with a profile of its own; xdotool
presses the keys. `make screenshots` runs it again; look at each picture afterwards.
"""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tests.captures import BUNDLED, ROOT, SAMPLE
from tests.plugin.wireshark import NOBODY, Wireshark, build

IMAGES = ROOT / "docs" / "images"
WIDTH, HEIGHT = 1400, 900
DISPLAY = ":97"
PATIENCE_S = 60

#: As in the profile, before the rules that Wireshark brings; the first that fits colours a frame.
COLOURS = (
    (
        "SCTP spurious retransmission",
        "sctp.analysis.spurious",
        "[57568,17990,2827][0,0,0]",
    ),
    ("SCTP tail loss probe", "sctp.analysis.probe", "[51657,52942,54484][0,0,0]"),
    ("SCTP lost", "sctp.analysis.lost", "[39578,16191,50372][65535,65535,65535]"),
    (
        "SCTP retransmission",
        "sctp.analysis.retransmission",
        "[4718,10030,11796][63479,34695,34695]",
    ),
)

RECENT = f"""gui.geometry_main_x: 0
gui.geometry_main_y: 0
gui.geometry_main_width: {WIDTH}
gui.geometry_main_height: {HEIGHT}
gui.geometry_main_maximized: FALSE
gui.geometry_main_upper_pane: 330
gui.toolbar_main_show: FALSE
"""

#: As the profile calls itself when it is imported.
PROFILE = "SCTP loss recovery"

PREFERENCES = """gui.update.enabled: FALSE
gui.ask_unsaved: FALSE
gui.layout_type: 1
gui.layout_content_1: PLIST
gui.layout_content_2: PDETAILS
gui.layout_content_3: NONE
gui.column.format: "No.", "%m", "Time", "%t", "Source", "%s", "Destination", "%d", "Info", "%i"
"""


class Screen:
    """A display with one Wireshark on it."""

    def __init__(self, installed: Wireshark, with_profile: bool) -> None:
        self._installed = installed
        self._with_profile = with_profile
        self._environment = os.environ | {"DISPLAY": DISPLAY}
        self._process: subprocess.Popen[bytes] | None = None

    def start(self, capture: Path, *options: str) -> None:
        """Opens a capture and waits until its window is there."""
        chosen = ["-C", PROFILE] if self._with_profile else []
        command = ["wireshark", *chosen, "-r", str(self._installed.capture(capture)), *options]
        environment = [
            f"HOME={self._installed.home}",
            f"XDG_CONFIG_HOME={self._installed.home / 'config'}",
            f"XDG_RUNTIME_DIR={self._installed.home / 'run'}",
            f"DISPLAY={DISPLAY}",
            "LC_ALL=C.UTF-8",
            f"PATH={os.environ['PATH']}",
        ]
        as_nobody = NOBODY if os.getuid() == 0 else []
        self._process = subprocess.Popen(
            [*as_nobody, "env", "-i", *environment, *command],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        self.wait_for(capture.name)

    def wait_for(self, title: str) -> str:
        """The number of the window whose title has these words."""
        end = time.monotonic() + PATIENCE_S
        while time.monotonic() < end:
            found = self._xdotool("search", "--onlyvisible", "--name", title, check=False).split()
            if found:
                time.sleep(2)
                return found[-1]
            time.sleep(0.5)
        sys.exit(f"no window {title!r} came up")

    def keys(self, *keys: str) -> None:
        """Presses keys one after the other."""
        for key in keys:
            self._xdotool("key", "--clearmodifiers", key)
            time.sleep(0.3)

    def write(self, text: str) -> None:
        """Types a text."""
        self._xdotool("type", "--delay", "40", text)
        time.sleep(0.5)

    def click(self, x: int, y: int, button: int = 1) -> None:
        """Clicks at a place of the screen."""
        self._xdotool("mousemove", str(x), str(y), "click", str(button))
        time.sleep(0.5)

    def resize(self, title: str, width: int, height: int) -> str:
        """Moves a window into the corner and gives it a size; no window manager does that here."""
        window = self.wait_for(title)
        self._xdotool("windowmove", window, "0", "0")
        self._xdotool("windowsize", window, str(width), str(height))
        self._xdotool("windowfocus", window)
        time.sleep(1)
        return window

    def picture(self, name: str, window: str = "root") -> None:
        """Writes what is on the screen, or one window, to docs/images."""
        time.sleep(1)
        target = IMAGES / f"{name}.png"
        smaller = [
            "-strip",
            "+dither",
            "-colors",
            "64",
            "-depth",
            "8",
            "-define",
            "png:exclude-chunk=date,time",
        ]
        command = ["import", "-window", window, *smaller, str(target)]
        subprocess.run(command, env=self._environment, check=True)
        print(target.relative_to(ROOT))

    def stop(self) -> None:
        """Ends Wireshark."""
        if self._process is not None:
            self._process.terminate()
            self._process.wait()

    def _xdotool(self, *arguments: str, check: bool = True) -> str:
        done = subprocess.run(
            ["xdotool", *arguments], env=self._environment, capture_output=True, text=True
        )
        if check and done.returncode != 0:
            sys.exit(f"xdotool {' '.join(arguments)}: {done.stderr}")
        return done.stdout


@contextmanager
def screen(of_drop_in: bool) -> Iterator[Screen]:
    """A display that ends with its Wireshark: with the plugin, or with drop-in and profile."""
    size = f"{WIDTH}x{HEIGHT}x24"
    display = subprocess.Popen(
        ["Xvfb", DISPLAY, "-screen", "0", size, "-ac"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    installed = Wireshark(None if of_drop_in else build())
    configure(installed.home)
    if of_drop_in:
        drop_in(installed.home)
    time.sleep(2)
    shown = Screen(installed, of_drop_in)
    try:
        yield shown
    finally:
        shown.stop()
        display.terminate()
        display.wait()
        installed.close()


def configure(home: Path) -> None:
    """The profile: colours, columns, panes."""
    folder = home / "config" / "wireshark"
    folder.mkdir(parents=True)
    run = home / "run"
    run.mkdir()
    defaults = Path("/usr/share/wireshark/colorfilters").read_text()
    rules = "".join(f"@{name}@{rule}@{colour}\n" for name, rule, colour in COLOURS)
    (folder / "colorfilters").write_text(rules + defaults)
    (folder / "preferences").write_text(PREFERENCES)
    (folder / "recent").write_text(RECENT)
    for path in (home / "config", folder, run):
        path.chmod(0o777)
    run.chmod(0o777)


def drop_in(home: Path) -> None:
    """The Lua drop-in, and its profile."""
    plugins = home / ".local" / "lib" / "wireshark" / "plugins"
    plugins.mkdir(parents=True, exist_ok=True)
    shutil.copy(ROOT / "lua" / "sctp_rack.lua", plugins)
    profile = home / "config" / "wireshark" / "profiles" / PROFILE
    shutil.copytree(ROOT / "lua" / "profile", profile)
    with (profile / "preferences").open("a", encoding="utf-8") as preferences:
        lines = PREFERENCES.splitlines(keepends=True)
        preferences.writelines(line for line in lines if "column" not in line)
    with (profile / "recent").open("a", encoding="utf-8") as recent:
        recent.write(RECENT)
    for path in (plugins, *list(plugins.parents)[:3], profile, profile.parent):
        path.chmod(0o777)
    for path in (*plugins.iterdir(), *profile.iterdir()):
        path.chmod(0o666)


def packet_list(shown: Screen) -> str:
    """Prefixes and colours."""
    shown.start(SAMPLE, "-Y", "frame.number > 338")
    return SCREEN


def open_tree(shown: Screen) -> None:
    """Opens all of our tree in the packet details."""
    shown.click(500, 600)
    shown.keys("End", "shift+Right")


def nr_sack(shown: Screen) -> str:
    """The tree of an NR-SACK with blocks, and the state of the sender."""
    shown.start(SAMPLE, "-g", "314", "-Y", "frame.number > 310")
    open_tree(shown)
    return SCREEN


def probe(shown: Screen) -> str:
    """The tree of a tail loss probe."""
    shown.start(BUNDLED / "pion-tail-loss.sender.pcap", "-g", "16")
    open_tree(shown)
    return SCREEN


def expert(shown: Screen) -> str:
    """Expert Information, by its button in the corner."""
    shown.start(SAMPLE)
    shown.click(16, HEIGHT - 12)
    return shown.resize("Expert Information", 1000, 400)


def statistics(shown: Screen) -> str:
    """Statistics > SCTP loss recovery, the last of that menu."""
    shown.start(SAMPLE)
    shown.click(326, 10)
    shown.keys("Up", "Return")
    return shown.resize("SCTP loss recovery", 1000, 600)


def of_tools(shown: Screen, title: str, *keys: str) -> str:
    """A window of Tools, the last but one menu, > SCTP loss recovery, the last of that menu."""
    shown.click(526, 10)
    shown.keys("Up", "Right", *keys, "Return")
    return shown.resize(title, 1000, 500)


def findings(shown: Screen) -> str:
    """Findings of a capture with three kinds of them."""
    shown.start(BUNDLED / "linux-telecom-timers.sender.pcap")
    return of_tools(shown, "SCTP: what a person should know")


def limits(shown: Screen) -> str:
    """What the senders waited for."""
    shown.start(BUNDLED / "usrsctp-zero-window.sender.pcap")
    return of_tools(shown, "SCTP: what senders waited for", "Down")


def preferences(shown: Screen) -> str:
    """Edit > Preferences, the last of that menu, > Protocols > SCTP loss recovery."""
    shown.start(SAMPLE)
    shown.click(65, 10)
    shown.keys("Up", "Return")
    window = shown.resize("Preferences", 1000, 600)
    shown.click(80, 157)
    shown.keys("Right")
    shown.write("SCTP loss")
    return window


def lua_packet_list(shown: Screen) -> str:
    """Columns, colours, buttons, and the tree of a spurious retransmission."""
    shown.start(SAMPLE, "-g", "349", "-Y", "frame.number > 338")
    open_tree(shown)
    return SCREEN


def lua_report(shown: Screen) -> str:
    """Tools, the last but one menu, > SCTP loss recovery, the last of that menu."""
    shown.start(SAMPLE)
    shown.click(526, 10)
    shown.keys("Up", "Return")
    return shown.resize("SCTP loss recovery", 1000, 600)


def lua_graph(shown: Screen) -> str:
    """Statistics > I/O Graphs."""
    shown.start(SAMPLE)
    shown.click(326, 10)
    shown.write("i")
    return shown.resize("I/O Graphs", 1000, 600)


SCREEN = "root"
LUA_PICTURES = {
    "lua-packet-list": lua_packet_list,
    "lua-report": lua_report,
    "lua-graph": lua_graph,
}
PICTURES = {
    "packet-list": packet_list,
    "nr-sack": nr_sack,
    "probe": probe,
    "expert": expert,
    "statistics": statistics,
    "findings": findings,
    "wireshark-limits": limits,
    "preferences": preferences,
}


def main() -> None:
    """All pictures, or those that are named."""
    IMAGES.mkdir(exist_ok=True)
    take = PICTURES | LUA_PICTURES
    for name in sys.argv[1:] or take:
        with screen(of_drop_in=name in LUA_PICTURES) as shown:
            window = take[name](shown)
            shown.picture(name, window)


if __name__ == "__main__":
    main()
