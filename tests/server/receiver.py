"""A program that is posted to, as others write one: it keeps what came, and answers as it was set up."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import NamedTuple


class Got(NamedTuple):
    """One request."""

    path: str
    headers: dict[str, str]
    body: bytes


class Say(NamedTuple):
    """One answer, after so many seconds."""

    status: int
    headers: tuple[tuple[str, str], ...] = ()
    after_seconds: float = 0.0


class Receiver:
    """`receiver.answers` are given one after the other, then 204."""

    def __init__(self) -> None:
        self.got: list[Got] = []
        self.answers: list[Say] = []
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:  # the library's name for it
                body = self.rfile.read(int(self.headers["Content-Length"]))
                headers = {name.lower(): value for name, value in self.headers.items()}
                receiver.got.append(Got(self.path, headers, body))
                said = receiver.answers.pop(0) if receiver.answers else Say(204)
                time.sleep(said.after_seconds)
                self.send_response(said.status)
                for name, value in said.headers:
                    self.send_header(name, value)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_words: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True

    @property
    def url(self) -> str:
        """Its address, with a secret in the path as Discord's have."""
        return f"http://127.0.0.1:{self.server.server_port}/hooks/canary-secret"


@contextmanager
def receiving() -> Iterator[Receiver]:
    """A receiver that runs."""
    receiver = Receiver()
    thread = threading.Thread(target=receiver.server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield receiver
    finally:
        receiver.server.shutdown()
        receiver.server.server_close()
        thread.join()
