"""`arbitrator serve` as a process of its own, for what only a process shows: stops, sockets, limits."""

import http.client
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

START_SECONDS = 60
"""A loaded machine may take long to import the program."""


class Running:
    """A service that listens; `ask` is one request over a connection of its own, `link` the path that signs in
    the Arbitrator of the machine.
    """

    def __init__(self, process: subprocess.Popen[str], port: int, link: str) -> None:
        self.process, self.port, self.link = process, port, link
        self.token = ""

    def connection(self) -> http.client.HTTPConnection:
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)

    def ask(
        self, method: str, path: str, body: bytes | str | None = None, **headers: str
    ) -> tuple[int, Any, bytes]:
        connection = self.connection()
        try:
            answer = self.begin(connection, method, path, body, **headers).getresponse()
            return answer.status, answer.headers, answer.read()
        finally:
            connection.close()

    def begin(
        self,
        connection: http.client.HTTPConnection,
        method: str,
        path: str,
        body: bytes | str | None = None,
        **headers: str,
    ) -> http.client.HTTPConnection:
        sent = {"If-Match": "*", **{name.replace("_", "-"): value for name, value in headers.items()}}
        if self.token:
            sent["Authorization"] = f"Bearer {self.token}"
        connection.request(method, path, body=body, headers=sent)
        return connection

    def stop(self, seconds: float = 30) -> tuple[int, float]:
        """Ask it to stop; how it left, and after how long."""
        before = time.monotonic()
        self.process.send_signal(signal.SIGTERM)
        code = self.process.wait(seconds)
        return code, time.monotonic() - before

    def wait_until_ready(self) -> None:
        until = time.monotonic() + START_SECONDS
        while True:
            try:
                if self.ask("GET", "/readyz")[0] == 200:
                    return
            except OSError:
                pass
            assert self.process.poll() is None, "it left before it was ready"
            assert time.monotonic() < until, "it was not ready in time"
            time.sleep(0.05)


@contextmanager
def running(url: str, folder: Path, *options: str) -> Iterator[Running]:
    """A service on this database, ready; killed at the end where it still runs."""
    log = (folder / "served.log").open("w", encoding="utf-8")
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith("TRACKER_")},
        "XDG_DATA_HOME": str(folder / "served-data"),
        "PYTHONWARNINGS": "default",
    }
    command = [sys.executable, "-m", "tracker", "--db", url, "--as", "mara", "serve", "--port", "0", *options]
    process = subprocess.Popen(
        command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=log, text=True
    )
    try:
        assert process.stdout is not None
        said = process.stdout.readline() + process.stdout.readline()
        found = re.search(r"http://localhost:(\d+)(/\S+)", said)
        assert found is not None, said + (folder / "served.log").read_text(encoding="utf-8")
        service = Running(process, int(found[1]), found[2])
        service.wait_until_ready()
        yield service
    finally:
        process.kill()
        process.wait()
        process.stdout.close()
        log.close()
