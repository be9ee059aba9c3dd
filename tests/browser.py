# SPDX-License-Identifier: BSD-2-Clause
"""A real Chromium without a network, driven by the DevTools protocol over a pipe."""

import base64
import fcntl
import itertools
import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

_OPTIONS = (
    *("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"),
    *("--remote-debugging-pipe", "--no-first-run", "--disable-extensions", "--hide-scrollbars"),
    # No network: every name is unknown, and what needs none goes to a proxy that is not there.
    *("--host-resolver-rules=MAP * ~NOTFOUND", "--proxy-server=127.0.0.1:9"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
)


class Page:
    """One tab. `errors` are complaints of console and scripts, `loads` what it fetched."""

    def __init__(self, process: int, send: int, receive: int) -> None:
        self.errors: list[str] = []
        self.loads: list[str] = []
        self._process = process
        self._send = os.fdopen(send, "wb", buffering=0)
        self._receive = os.fdopen(receive, "rb")
        self._numbers = itertools.count(1)
        self._session: str | None = None
        target = self.command("Target.createTarget", url="about:blank")["targetId"]
        attached = self.command("Target.attachToTarget", targetId=target, flatten=True)
        self._session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.command(f"{domain}.enable")

    def command(self, method: str, **params: Any) -> Any:
        """The result of a command of the protocol."""
        number = next(self._numbers)
        message = {"id": number, "method": method, "params": params}
        if self._session:
            message["sessionId"] = self._session
        self._send.write(json.dumps(message).encode() + b"\0")
        while True:
            answer = self._next()
            if answer.get("id") != number:
                continue
            if "error" in answer:
                raise RuntimeError(f"{method}: {answer['error']['message']}")
            return answer["result"]

    def _next(self) -> dict[str, Any]:
        data = bytearray()
        while (byte := self._receive.read(1)) != b"\0":
            if not byte:
                raise RuntimeError("Chromium has ended")
            data += byte
        message: dict[str, Any] = json.loads(data)
        self._note(message.get("method"), message.get("params", {}))
        return message

    def _note(self, method: str | None, params: dict[str, Any]) -> None:
        if method == "Runtime.exceptionThrown":
            details = params["exceptionDetails"]
            self.errors.append(details.get("exception", details).get("description", str(details)))
        elif method == "Runtime.consoleAPICalled" and params["type"] in ("error", "warning"):
            self.errors.append(str(params["args"]))
        elif method == "Log.entryAdded" and params["entry"]["level"] in ("error", "warning"):
            self.errors.append(params["entry"]["text"])
        elif method == "Network.requestWillBeSent":
            self.loads.append(params["request"]["url"])

    def size(self, width: int, height: int, dark: bool = False) -> None:
        """Of the window, pixels; and whether its user prefers dark pages."""
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1}
        self.command("Emulation.setDeviceMetricsOverride", mobile=width < 600, **metrics)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.command("Emulation.setEmulatedMedia", features=[scheme])

    def open(self, path: Path, ready: str = "document.readyState === 'complete'") -> None:
        """A file; waits until an expression is true."""
        self.command("Page.navigate", url=path.resolve().as_uri())
        self.wait(ready)

    def evaluate(self, expression: str) -> Any:
        """What an expression, or its promise, comes to."""
        result = self.command(
            *("Runtime.evaluate",), expression=expression, returnByValue=True, awaitPromise=True
        )
        if "exceptionDetails" in result:
            raise RuntimeError(
                result["exceptionDetails"]["exception"].get("description", expression)
            )
        return result["result"].get("value")

    def wait(self, condition: str, seconds: float = 30) -> None:
        """Until an expression is true."""
        waited = self.evaluate(
            "new Promise((done) => {"
            f"const end = Date.now() + {seconds * 1000}; const look = () => {{"
            f"let is = false; try {{ is = Boolean({condition}); }} catch {{ }}"
            "if (is || Date.now() > end) done(is); else setTimeout(look, 20); }; look(); })"
        )
        if not waited:
            raise AssertionError(f"never true: {condition}; {self.errors}")

    def click(self, x: float, y: float) -> None:
        """The left button at a place of the window."""
        at = {"x": x, "y": y, "button": "left", "clickCount": 1}
        self.command("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)
        for kind in ("mousePressed", "mouseReleased"):
            self.command("Input.dispatchMouseEvent", type=kind, **at)

    def drag(self, begin: tuple[float, float], end: tuple[float, float]) -> None:
        """With the left button."""
        held = {"button": "left", "buttons": 1, "clickCount": 1}
        for kind, (x, y) in (("mouseMoved", begin), ("mousePressed", begin)):
            self.command("Input.dispatchMouseEvent", type=kind, x=x, y=y, **held)
        for share in (0.3, 0.6, 1.0):
            x, y = (a + (b - a) * share for a, b in zip(begin, end, strict=True))
            self.command("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y, **held)
        self.command("Input.dispatchMouseEvent", type="mouseReleased", x=end[0], y=end[1], **held)

    def picture(self, path: Path) -> None:
        """What is seen, as PNG."""
        shot = self.command("Page.captureScreenshot", format="png")
        path.write_bytes(base64.b64decode(shot["data"]))

    def close(self) -> None:
        """Ends the browser."""
        self._send.close()
        os.waitpid(self._process, 0)
        self._receive.close()


@contextmanager
def chromium(profile: Path) -> Iterator[Page]:
    """A page in a new browser whose files are in the folder `profile`."""
    program = shutil.which("chromium") or shutil.which("google-chrome")
    if not program:
        raise FileNotFoundError("no Chromium: apt-get install chromium")
    ours_in, theirs_out = os.pipe()
    theirs_in, ours_out = os.pipe()
    # Chromium reads 3 and writes 4. From beyond them, so that neither overwrites the other.
    high_in, high_out = (
        fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, 20) for fd in (theirs_in, theirs_out)
    )
    actions = [
        (os.POSIX_SPAWN_DUP2, high_in, 3),
        (os.POSIX_SPAWN_DUP2, high_out, 4),
        *((os.POSIX_SPAWN_OPEN, fd, os.devnull, os.O_RDWR, 0) for fd in (0, 1, 2)),
    ]
    command = [program, *_OPTIONS, f"--user-data-dir={profile}", "about:blank"]
    process = os.posix_spawn(program, command, os.environ, file_actions=actions)
    for fd in (theirs_in, theirs_out, high_in, high_out):
        os.close(fd)
    page = Page(process, ours_out, ours_in)
    try:
        yield page
    finally:
        page.close()
