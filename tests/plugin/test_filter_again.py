# SPDX-License-Identifier: BSD-2-Clause
"""Wireshark's display filter is applied again when a file was judged.

A double of its window tells when and with what; Wireshark itself is looked at where there is one.
"""

import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.captures import SAMPLE
from tests.plugin.wireshark import NOBODY, PLUGIN, Wireshark, build

SPURIOUS = "sctp.analysis.spurious"
FRAMES = 673
AGAIN = [f"double: set {SPURIOUS}", "double: apply"]


@pytest.fixture(scope="module")
def doubled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Wireshark]:
    """A tshark in which the plugin finds a window."""
    folder = tmp_path_factory.mktemp("double")
    source = Path(__file__).with_name("gui_double.c")
    flags = subprocess.run(
        ["pkg-config", "--cflags", "wireshark", "glib-2.0"], capture_output=True, text=True
    ).stdout.split()
    double = folder / "gui_double.so"
    subprocess.run(["cc", "-shared", "-fPIC", *flags, "-o", double, source], check=True)
    installed = Wireshark(build())
    shutil.copy(double, next(installed.home.rglob(PLUGIN.name)).parent)
    yield installed
    installed.close()


def asked(doubled: Wireshark, *options: str, **environment: str) -> list[str]:
    """What the window is asked for."""
    command = ("tshark", "-r", str(doubled.capture(SAMPLE)), *options)
    done = doubled.process(*command, **environment)
    assert done.returncode == 0, done.stderr
    assert "sctp_rack" not in done.stderr  # Wireshark needs no advice for tshark
    return [line for line in done.stderr.splitlines() if line.startswith("double: ")]


def test_a_filter_on_what_is_known_later_is_applied_when_the_file_was_read(
    doubled: Wireshark,
) -> None:
    assert asked(doubled, "-2", "-Y", SPURIOUS, FILTER=SPURIOUS) == AGAIN


def test_a_filter_on_what_is_known_at_once_is_left_alone(doubled: Wireshark) -> None:
    assert asked(doubled, "-2", "-Y", "sctp_rack.data.tsn", FILTER="sctp_rack.data.tsn") == []


def test_without_a_filter_there_is_nothing_to_apply(doubled: Wireshark) -> None:
    assert asked(doubled, "-2", "-Y", SPURIOUS) == []


def test_windows_of_the_tools_menu_say_what_tshark_prints(doubled: Wireshark) -> None:
    capture = doubled.capture(SAMPLE)
    said = doubled.process("tshark", "-2", "-r", str(capture), MENUS="1").stderr
    findings, limits = said.split("double: window ")[1:]
    for name, window in (("findings", findings), ("limits", limits)):
        printed = doubled.tshark(SAMPLE, "-q", "-z", f"sctp_rack,{name}")
        title, _, text = window.partition("\n")
        assert printed == f"\n{'=' * 80}\n{title}\n{text}{'=' * 80}\n"


@pytest.mark.parametrize(("frames", "expected"), [(FRAMES, AGAIN), (FRAMES + 1, [])])
def test_of_a_file_that_is_dissected_anew_the_last_frame_tells_the_end(
    frames: int, expected: list[str], doubled: Wireshark
) -> None:
    options = {"FILTER": SPURIOUS, "REDISSECT": str(frames)}
    assert asked(doubled, "-Y", SPURIOUS, **options) == expected


PROGRAMS = ("wireshark", "Xvfb", "xdotool", "import")
DISPLAY = ":95"
PATIENCE_S = 30


class Window:
    """Wireshark on a display of its own."""

    def __init__(self, installed: Wireshark, *arguments: str) -> None:
        self._environment = os.environ | {"DISPLAY": DISPLAY}
        self._display = subprocess.Popen(
            ["Xvfb", DISPLAY, "-screen", "0", "800x600x24", "-ac"], stderr=subprocess.DEVNULL
        )
        time.sleep(2)
        home = installed.home
        settings = home / "config" / "wireshark"
        settings.mkdir(parents=True)
        (settings / "preferences").write_text("gui.update.enabled: FALSE\n")
        for folder in (home / "config", settings):
            folder.chmod(0o777)
        environment = [
            *(f"HOME={home}", f"XDG_CONFIG_HOME={home / 'config'}", f"XDG_RUNTIME_DIR={home}"),
            *(f"DISPLAY={DISPLAY}", "LC_ALL=C.UTF-8", f"PATH={os.environ['PATH']}"),
        ]
        self._wireshark = subprocess.Popen(
            [
                *(NOBODY if os.getuid() == 0 else []),
                "env",
                "-i",
                *environment,
                "wireshark",
                *arguments,
            ],
            stderr=subprocess.DEVNULL,
        )

    def show(self, title: str) -> None:
        """Waits for the window with that title and fills the screen with it."""
        end = time.monotonic() + PATIENCE_S
        while not (found := self._do("xdotool", "search", "--onlyvisible", "--name", title)):
            assert time.monotonic() < end, "no window came up"
            time.sleep(0.5)
        window = found.split()[-1]
        self._do("xdotool", "windowmove", window, "0", "0")
        self._do("xdotool", "windowsize", window, "800", "600")
        self._do("xdotool", "windowfocus", window)

    def keys(self, *keys: str) -> None:
        """Presses keys together."""
        self._do("xdotool", "mousemove", "300", "200", "click", "1")
        self._do("xdotool", "key", "+".join(keys))

    def has_rows(self) -> bool:
        """Whether the packet list has any: text has many shades, an empty list has none."""
        end = time.monotonic() + PATIENCE_S
        while time.monotonic() < end:
            time.sleep(3)
            list_ = ("-window", "root", "-crop", "700x100+20+130")
            if int(self._do("import", *list_, "-format", "%k", "info:-") or 0) > 8:
                return True
        return False

    def close(self) -> None:
        for process in (self._wireshark, self._display):
            process.terminate()
            process.wait()

    def _do(self, *command: str) -> str:
        return subprocess.run(
            command,
            env=self._environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        ).stdout


@pytest.mark.long
@pytest.mark.skipif(
    not all(map(shutil.which, PROGRAMS)), reason="needs wireshark, Xvfb, xdotool and ImageMagick"
)
def test_wireshark_shows_what_a_filter_finds_after_loading_reloading_and_redissecting() -> None:
    installed = Wireshark(build())
    capture = str(installed.capture(SAMPLE))
    window = Window(installed, "-r", capture, "-Y", SPURIOUS)
    try:
        window.show(SAMPLE.name)
        assert window.has_rows()
        for keys in (("ctrl", "r"), ("ctrl", "shift", "l")):
            window.keys(*keys)
            assert window.has_rows()
    finally:
        window.close()
        installed.close()
