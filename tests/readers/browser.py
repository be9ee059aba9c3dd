# SPDX-License-Identifier: BSD-2-Clause
"""A real browser that opens a data channel between two ends in one page and sends on it."""

import contextlib
import http.server
import os
import shutil
import signal
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

MESSAGES, BYTES = 200, 1000
_LONGEST_S = 60

#: Says /done when all has arrived at the other end.
_PAGE = f"""<!doctype html><script>
async function call() {{
  const a = new RTCPeerConnection(), b = new RTCPeerConnection();
  a.onicecandidate = event => b.addIceCandidate(event.candidate);
  b.onicecandidate = event => a.addIceCandidate(event.candidate);
  const channel = a.createDataChannel("");
  let received = 0;
  const complete = new Promise(resolve => b.ondatachannel = event => {{
    event.channel.onmessage = () => {{ if (++received == {MESSAGES}) resolve(); }};
  }});
  await a.setLocalDescription();
  await b.setRemoteDescription(a.localDescription);
  await b.setLocalDescription();
  await a.setRemoteDescription(b.localDescription);
  await new Promise(resolve => channel.onopen = resolve);
  for (let i = 0; i < {MESSAGES}; i++) channel.send(new Uint8Array({BYTES}));
  await complete;
  a.close();
  b.close();
}}
call().then(() => fetch("/done"), error => fetch("/failed?" + error));
</script>"""


def call(command: list[str], environment: dict[str, str]) -> None:
    """Runs the browser on the page until all has arrived. The browser must end by SIGTERM."""
    said: list[str] = []
    with _server(said) as port:
        process = subprocess.Popen(
            [*command, f"http://127.0.0.1:{port}/"],
            env={**os.environ, **environment},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # with all its children
        )
        try:
            deadline = time.monotonic() + _LONGEST_S
            while not said and process.poll() is None and time.monotonic() < deadline:
                time.sleep(0.1)
            time.sleep(2)  # logs and capture lag behind
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGTERM)
            process.wait()
    assert said == ["/done"]


@contextlib.contextmanager
def captured(path: Path) -> Iterator[None]:
    """What passes the loopback interface meanwhile is written to a file."""
    command = ["dumpcap", "-q", "-i", "lo", "-f", "udp", "-w", str(path)]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    if not any(line.startswith("File:") for line in process.stderr):
        process.wait()
        pytest.skip("this user may not capture on the loopback interface")
    yield
    process.send_signal(signal.SIGINT)
    process.communicate()


def installed(*names: str) -> str:
    """The first of these programs that is there; skips the test where none is."""
    for name in names:
        if shutil.which(name):
            return name
    pytest.skip(f"{names[0]} is not installed")


@contextlib.contextmanager
def _server(said: list[str]) -> Iterator[int]:
    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            if self.path.startswith(("/done", "/failed")):
                said.append(self.path)
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(_PAGE.encode())

        def log_message(self, *_: object) -> None:
            """Nothing is printed."""

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server.server_port
        server.shutdown()
        thread.join()
