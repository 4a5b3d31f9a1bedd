"""The command line as a test uses it from afar: signed in to a service, on no database of its own."""

from pathlib import Path
from typing import Any

import pytest
from cli_arbitrator import Arbitrator
from served import TOKEN
from starlette.testclient import TestClient

from tracker.cli.session import RemoteService


class Afar(Arbitrator):
    """`afar("roster", "show")` of the campaigns of a service; `file` is the database there."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.sent: list[tuple[str, bytes | None]] = []

    def ask(self, client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
        """Be signed in to this service, without a connection between."""
        self.client = client
        monkeypatch.setenv("TRACKER_SERVICE", "https://club.example/")
        monkeypatch.setenv("TRACKER_TOKEN", TOKEN)
        monkeypatch.setattr("tracker.cli.remote.connected", self.connected)

    def connected(self, service: RemoteService, path: str, body: bytes | None) -> tuple[int, Any]:
        self.sent.append((path, body))
        headers = {"Authorization": f"Bearer {service.token}"}
        answer = self.client.request("GET" if body is None else "POST", path, content=body, headers=headers)
        return answer.status_code, answer.json()

    def where(self, db: str | None) -> list[str]:
        """Nothing is said where nobody means this machine."""
        return [] if db is None else ["--db", db]
