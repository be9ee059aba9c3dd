# SPDX-License-Identifier: BSD-2-Clause
"""A real Firefox, driven by its own protocol, Marionette: JSON with its length before it."""

import json
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

_LONGEST_S = 120

#: What the console holds of a page that begins so.
_COMPLAINTS = """
return Services.console.getMessageArray().filter((one) => one instanceof Ci.nsIScriptError)
  .filter((one) => one.sourceName.startsWith(arguments[0]) || one.sourceName.startsWith("blob:"))
  .map((one) => one.message);
"""


class Firefox:
    """One tab."""

    def __init__(self, port: int) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=_LONGEST_S)
        self._stream = self._socket.makefile("rb")
        self._read()  # it greets
        self.command("WebDriver:NewSession", capabilities={})

    def command(self, name: str, **params: Any) -> Any:
        """The result of a command; they are answered one after the other."""
        told = json.dumps([0, 1, name, params]).encode()
        self._socket.sendall(b"%d:%s" % (len(told), told))
        _, _, error, result = self._read()
        if error:
            raise RuntimeError(f"{name}: {error['message']}")
        return result

    def _read(self) -> Any:
        length = b""
        while (byte := self._stream.read(1)) != b":":
            if not byte:
                raise RuntimeError("Firefox has ended")
            length += byte
        return json.loads(self._stream.read(int(length)))

    def open(self, path: Path) -> None:
        """A file."""
        self.command("WebDriver:Navigate", url=path.resolve().as_uri())

    def evaluate(self, expression: str) -> Any:
        """What an expression comes to."""
        told: dict[str, Any] = {"script": f"return {expression}", "args": [], "sandbox": None}
        return self.command("WebDriver:ExecuteScript", **told)["value"]

    def wait(self, condition: str) -> None:
        """Until an expression is true."""
        end = time.monotonic() + _LONGEST_S
        while not self.evaluate(condition):
            if time.monotonic() > end:
                raise AssertionError(f"never true: {condition}")
            time.sleep(0.05)

    def choose_file(self, selector: str, path: Path) -> None:
        """As its user would in the dialogue of an input."""
        found = self.command("WebDriver:FindElement", using="css selector", value=selector)
        [element] = found["value"].values()
        self.command("WebDriver:ElementSendKeys", id=element, text=str(path.resolve()))

    def complaints(self, page: Path) -> list[str]:
        """Errors and warnings of the console that a file, or a worker of it, has made."""
        self.command("Marionette:SetContext", value="chrome")
        told = {"script": _COMPLAINTS, "args": [page.resolve().as_uri()]}
        found: list[str] = self.command("WebDriver:ExecuteScript", **told)["value"]
        self.command("Marionette:SetContext", value="content")
        return found


@contextmanager
def firefox(program: str, profile: Path) -> Iterator[Firefox]:
    """A tab in a new browser whose files are in the folder `profile`."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    profile.mkdir(exist_ok=True)
    (profile / "user.js").write_text(f'user_pref("marionette.port", {port});\n')
    options = ("--headless", "--no-remote", "--marionette", "--remote-allow-system-access")
    process = subprocess.Popen(
        [program, *options, "--profile", str(profile)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        yield Firefox(_ready(port))
    finally:
        process.terminate()
        process.wait()


def _ready(port: int) -> int:
    end = time.monotonic() + _LONGEST_S
    while True:
        try:
            socket.create_connection(("127.0.0.1", port)).close()
            return port
        except ConnectionRefusedError:
            if time.monotonic() > end:
                raise
            time.sleep(0.1)
