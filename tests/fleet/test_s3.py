# SPDX-License-Identifier: BSD-2-Clause
"""Captures in S3, from a server on this machine. It needs s3fs and moto[server], which are large:
the extra `test` does not bring them.
"""

import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.analyzer.test_bad_input import COMMAND
from tests.captures import BUNDLED
from tests.commands.called import called
from tests.fleet.rows import rows_of

pytestmark = pytest.mark.long

_SMALL = sorted(BUNDLED.glob("*.sender.pcap"), key=lambda path: path.stat().st_size)[:3]


@pytest.fixture
def bucket(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """It has two captures, and what is none."""
    pytest.importorskip("s3fs")
    server = pytest.importorskip("moto.server").ThreadedMotoServer("127.0.0.1", 0, verbose=False)
    server.start()
    try:
        host, port = server.get_host_and_port()
        monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://{host}:{port}")
        monkeypatch.setenv("AWS_ACCESS_KEY_ID", "nobody")
        monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "secret")
        monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
        client = pytest.importorskip("boto3").client("s3")
        client.create_bucket(Bucket="fleet")
        for name, file in (("day/a.pcap", _SMALL[0]), ("day/more/b.pcap", _SMALL[1])):
            client.put_object(Bucket="fleet", Key=name, Body=file.read_bytes())
        client.put_object(Bucket="fleet", Key="day/notes.txt", Body=b"no capture")
        yield client
    finally:
        server.stop()


def batch(*arguments: object) -> subprocess.CompletedProcess[bytes]:
    """A process of its own, which has not listed the bucket before."""
    return subprocess.run([*COMMAND, "batch", *map(str, arguments)], capture_output=True)


def test_captures_in_s3_are_read_once_and_again_where_they_changed(
    bucket: Any, tmp_path: Path
) -> None:
    out, plain = tmp_path / "out", tmp_path / "plain"
    first = batch("s3://fleet/day", "-o", out, "--jobs", 2)
    rows = rows_of(out)
    again = batch("s3://fleet/day", "s3://fleet/day/*.pcap", "-o", out)
    bucket.put_object(Bucket="fleet", Key="day/a.pcap", Body=_SMALL[2].read_bytes())
    changed = batch("s3://fleet/day", "-o", out)
    missing = batch("s3://fleet/no.pcap", "-o", tmp_path / "none")
    called("batch", *_SMALL[:2], "-o", plain)

    assert (first.returncode, first.stderr) == (0, b"")
    assert first.stdout.startswith(b"2 captures read, 0 there already")
    assert rows["captures"]["capture"].to_pylist() == [
        "s3://fleet/day/a.pcap",
        "s3://fleet/day/more/b.pcap",
    ]
    for table, there in rows_of(plain).items():
        if table != "captures":
            assert rows[table].drop_columns("capture") == there.drop_columns("capture"), table
    assert again.stdout.startswith(b"0 captures read, 2 there already")
    assert changed.stdout.startswith(b"1 capture read, 1 there already")
    assert (missing.returncode, missing.stdout) != (0, b"")
    assert b"s3://fleet/no.pcap: No such file or directory" in missing.stderr


def test_a_bucket_that_does_not_exist_is_an_error(bucket: Any, tmp_path: Path) -> None:
    del bucket
    result = batch("s3://nothing/day", "-o", tmp_path / "out")

    assert result.returncode == 3
    assert len(result.stderr.splitlines()) == 1 and b"s3://nothing/day" in result.stderr
    assert not list(tmp_path.glob("out/table=transmissions/*"))


def test_a_server_that_does_not_answer_is_an_error(
    bucket: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:

    del bucket
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:9")
    monkeypatch.setenv("AWS_MAX_ATTEMPTS", "1")
    result = batch("s3://fleet/day", "-o", tmp_path / "out")

    assert result.returncode == 3
    assert len(result.stderr.splitlines()) == 1 and b"s3://fleet/day" in result.stderr
