"""A service on a port of this machine that a test stops and starts again, over two gangs and no battle yet."""

from __future__ import annotations

import socket
import threading
import time
from pathlib import Path

import uvicorn
from cli_arbitrator import ROOT
from playwright.sync_api import BrowserContext

from tracker.server.access import MemberAccess
from tracker.server.app import application
from tracker.server.sessions import COOKIE_OF_LOOPBACK
from tracker.service.application import Tracker

SHEETS = [ROOT / "fixtures" / "gangs" / f"{gang}.yaml" for gang in ("iron-skulls", "gilded-cage")]


class Service:
    """The service on a port of this machine, stopped and started again on the same database."""

    def __init__(self, file: Path) -> None:
        self.file = file
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port: int = free.getsockname()[1]
        self.start()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        self.tracker = Tracker(f"sqlite:///{self.file}", actor="the machine")
        app = application(self.tracker, MemberAccess(self.tracker), address=self.address)
        config = uvicorn.Config(
            app, host="127.0.0.1", port=self.port, log_config=None, timeout_graceful_shutdown=1
        )
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._server.run)
        self._thread.start()
        while not self._server.started:
            time.sleep(0.01)

    def stop(self) -> None:
        self._server.should_exit = True
        self._thread.join()
        self.tracker.close()

    def join(self, name: str, role: str, *gangs: str) -> str:
        """A member; gives the id."""
        campaign = self.tracker.directory.campaign_id("ash-wastes")
        person = self.tracker.people.add(name).person
        self.tracker.people.join(campaign, person, role=role, gangs=gangs)  # type: ignore[arg-type]
        return person

    def sign_in(self, context: BrowserContext, person: str) -> None:
        secret = self.tracker.people.sessions.new(person, label="a phone").secret
        context.add_cookies([{"name": COOKIE_OF_LOOPBACK, "value": secret, "url": self.address}])
