# SPDX-License-Identifier: BSD-2-Clause
"""Every command that a document shows runs, or is named here with what runs it instead.

Blocks that begin with `$` are tests/story/test_readme.py's, which compares what they print.
"""

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from sctp_rack import read

from tests.captures import BUNDLED, IN_DTLS, ROOT, SAMPLE
from tests.commands.called import called
from tests.lua import drop_in
from tests.readers.test_sctp_log import sample_lines, write

DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]

_BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_INLINE = re.compile(r"`(sctp-rack \w+ [^-`][^`]*)`")

#: What begins a line that is a command.
_COMMANDS = "sctp-rack|tshark|python3?|make|pip|tar|apt-get|tcpdump|sha256sum|for|- run:"

#: What does not run here, and why that is no loss.
ELSEWHERE = {
    r"make |apt-get |pip install|python3 -m venv": "what makes this environment, or takes minutes",
    r"tcpdump ": "tests/readers/test_live_capture.py: it needs an interface and root",
    r"sctp-rack watch ": "tests/fleet/test_watch.py: it runs until Ctrl-C",
    r"tar xf sctp-rack-|sctp-rack-[\d.]+-wireshark": "tests/release",
    r"tar -xf benchmark-set-|sha256sum |python3 score.py": "tests/accuracy: it is packed first",
    r"python3 -m sample_pcaps.generate": "tests/samples: it builds stacks",
    r"tshark (?!.*(lua_script|frame.comment))|for c in ": "tests/plugin/test_readme.py: the plugin",
}

#: What a document calls something, and what that is here; all other names are those of files.
_CALLED = {
    "…": "",
    "/var/captures": "FOLDER",
    "--frame N": "--frame {frame}",
    "--assoc N": "--assoc 0",
    "--from S": "--from 0",
    "--to S": "--to 9",
    "-o FILE": "-o file.html",
    "--table NAME": "--table sacks",
    "glossary WORD": "glossary needed",
    "2026-05-10": "2026-04-01",
}


def commands(document: Path) -> Iterator[str]:
    """Those in its blocks, then those in its text."""
    text = document.read_text()
    for language, block in _BLOCK.findall(text):
        if language not in ("", "sh", "yaml") or block.startswith("$ "):
            continue
        for line in block.splitlines():
            told = re.split(r"\s{2,}#|\s# ", line)[0].strip()
            if re.match(_COMMANDS, told) and not told.startswith("sctp-rack:"):
                yield told.removeprefix("- run: ")
    yield from _INLINE.findall(text)


def elsewhere(command: str) -> bool:
    return any(re.match(pattern, command) for pattern in ELSEWHERE)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where every name that a document uses is a file."""
    tail, spike = (BUNDLED / f"pion-{name}.sender.pcap" for name in ("tail-loss", "delay-spike"))
    for name, capture in {
        **dict.fromkeys(("CAPTURE", "BEFORE", "IN", "run.pcapng", "before.pcapng"), SAMPLE),
        **dict.fromkeys(("AFTER", "after.pcap"), tail),
        "before.pcap": spike,
        "call.pcap": BUNDLED / f"{IN_DTLS}.sender.pcapng",
        "keys.log": BUNDLED / f"{IN_DTLS}.keys.log",
    }.items():
        shutil.copy(capture, tmp_path / name)
    for name in ("FOLDER", "CAPTURES"):
        (tmp_path / name).mkdir()
        shutil.copy(SAMPLE, tmp_path / name)
        shutil.copy(BUNDLED / "dcsctp-zero-window.sender.pcap", tmp_path / name)
    log = write(tmp_path / "LOG", sample_lines())
    shutil.copy(log, tmp_path / "chrome_debug.log")
    (tmp_path / "lua").symlink_to(ROOT / "lua")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    return tmp_path


def as_here(command: str, folder: Path) -> str:
    command = re.sub(
        r"\[(--[^]|]*?)(?: \|[^]]*)?\]", r"\1", command
    )  # all options, the first of two
    for name, here in _CALLED.items():
        command = command.replace(name, here)
    keys = folder / "keys.log" if "call.pcap" in command else None
    if "{frame}" in command:
        sent = read(folder / ("call.pcap" if keys else "CAPTURE"), keylog=keys).transmissions
        command = command.replace("{frame}", str(sent["frame"][0]))
    return command


def run(command: str) -> tuple[int, bytes, bytes]:
    """In this process where it takes no shell."""
    if command.startswith("sctp-rack ") and not re.search(r"[|>&]", command):
        return called(*shlex.split(command)[1:])
    if "lua_script" in command:
        if drop_in.version() >= (4, 4) and os.geteuid() == 0:
            pytest.skip("from Wireshark 4.4 on no user scripts run as root")
        command = f"{drop_in.ALONE} {command}"
    done = subprocess.run(["bash", "-o", "pipefail", "-c", command], capture_output=True)
    return done.returncode, done.stdout, done.stderr


@pytest.mark.long
@pytest.mark.parametrize(
    "document",
    [one for one in DOCUMENTS if not all(map(elsewhere, commands(one)))],
    ids=lambda one: str(one.relative_to(ROOT)),
)
def test_each_command_runs(document: Path, folder: Path) -> None:
    """In the order of the document; a finding ends one that was asked to fail then with 1."""
    for shown in dict.fromkeys(commands(document)):
        if elsewhere(shown) or ("| jq" in shown and shutil.which("jq") is None):
            continue
        status, printed, said = run(as_here(shown, folder))
        assert status in ((0, 1) if "--fail-on" in shown else (0,)), (shown, said)
        assert printed or re.search(r" -o |> ", shown), shown


def test_reasons_are_those_of_commands_that_are_shown() -> None:
    every = [command for document in DOCUMENTS for command in commands(document)]

    assert len(every) > 80
    for pattern in ELSEWHERE:
        for one in pattern.split("|") if "(" not in pattern else (pattern,):
            assert any(re.match(one, command) for command in every), one


@pytest.mark.long
@pytest.mark.parametrize("name", ["research", "stack"])
def test_python_of_a_task_runs(name: str, folder: Path) -> None:
    pytest.importorskip("pandas")
    text = (ROOT / "docs/tasks" / f"{name}.md").read_text()
    code = [block for language, block in _BLOCK.findall(text) if language == "python"]
    shutil.copy(BUNDLED / "pion-tail-loss-no-rack.sender.pcap", folder / "run.pcapng")

    assert code
    exec("".join(code), {})
