"""A pooler in transaction mode, as PgBouncer is: every transaction of a client may have another server session.

It gives each transaction the session that was longest idle, so two in a row are never the same. Like PgBouncer it
takes no startup parameter that it cannot keep for a client.
"""

from __future__ import annotations

import select
import socket
import struct
import threading
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress

SESSIONS = 3
KEPT_FOR_A_CLIENT = {"user", "database", "client_encoding", "application_name"}
NO_ENCRYPTION = {80877103, 80877104}


@contextmanager
def pooled(server: str) -> Iterator[int]:
    """The port of a pooler in front of the server with that socket."""
    idle: deque[socket.socket] = deque()
    with socket.create_server(("127.0.0.1", 0)) as listener:
        threading.Thread(target=_serve, args=(listener, server, idle), daemon=True).start()
        yield listener.getsockname()[1]
    for session in list(idle):
        session.close()


def _serve(listener: socket.socket, server: str, idle: deque[socket.socket]) -> None:
    with suppress(OSError):  # it is closed when the test is over
        while True:
            client, _ = listener.accept()
            client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            threading.Thread(target=_client, args=(client, server, idle), daemon=True).start()


def _client(client: socket.socket, server: str, idle: deque[socket.socket]) -> None:
    with client, suppress(ConnectionError, OSError):
        startup = _startup(client)
        words = startup[8:].rstrip(b"\0").split(b"\0")
        unknown = {word.decode() for word in words[::2]} - KEPT_FOR_A_CLIENT
        assert not unknown, f"unsupported startup parameter: {unknown}"
        for _ in range(SESSIONS):
            session = socket.socket(socket.AF_UNIX)
            session.connect(server)
            session.sendall(startup)
            greeting = [_message(session)]
            while greeting[-1][:1] != b"Z":
                greeting.append(_message(session))
            idle.append(session)
        client.sendall(b"".join(greeting))
        while _transaction(client, idle):
            pass


def _startup(client: socket.socket) -> bytes:
    while True:
        head = _exactly(client, 8)
        length, code = struct.unpack("!ii", head)
        if code not in NO_ENCRYPTION:
            return head + _exactly(client, length - 8)
        client.sendall(b"N")


def _transaction(client: socket.socket, idle: deque[socket.socket]) -> bool:
    """One transaction on one session; False when the client is gone."""
    message = _message(client)
    session, waiting, state, begun = idle.popleft(), 0, b"", b""
    while message[:1] != b"X":
        session.sendall(message)
        waiting += message[:1] in b"QS"
        while True:
            ready, _, _ = select.select([client, session], [], [])
            if session in ready:
                # The server may keep the rest of an answer until it hears more: what came goes on by itself.
                begun += _some(session)
                while len(begun) >= 5 and len(begun) > (length := struct.unpack("!i", begun[1:5])[0]):
                    answer, begun = begun[: length + 1], begun[length + 1 :]
                    client.sendall(answer)
                    if answer[:1] == b"Z":
                        waiting, state = waiting - 1, answer[5:6]
                if not waiting and state == b"I" and not begun:
                    idle.append(session)
                    return True
            elif client in ready:
                break
        message = _message(client)
    session.close()
    return False


def _message(side: socket.socket) -> bytes:
    head = _exactly(side, 5)
    return head + _exactly(side, struct.unpack("!i", head[1:])[0] - 4)


def _some(side: socket.socket, size: int = 65_536) -> bytes:
    some = side.recv(size)
    if not some:
        raise ConnectionError("the other side is gone")
    return some


def _exactly(side: socket.socket, size: int) -> bytes:
    read = b""
    while len(read) < size:
        read += _some(side, size - len(read))
    return read
