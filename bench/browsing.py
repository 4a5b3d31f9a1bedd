"""Pages as a phone has them: a real Chromium on the service, its CPU slowed four times."""

from __future__ import annotations

import shutil
import socket
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import uvicorn
from fastapi import FastAPI
from playwright.sync_api import Browser, sync_playwright

from bench.measuring import Bar, Figure, Table

SLOWER = 4
READY_MS = 1_000.0
FIRST_KB, LATER_KB = 100.0, 20.0
"""What is promised of a page: when it can be used, and what it weighs at the first visit and afterwards."""
PHONE = {"width": 390, "height": 844}
NO_BROWSER = "not measured: there is no Chromium here"
_ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
]
_ASKED = """() => {
    const [page] = performance.getEntriesByType("navigation");
    const all = [page, ...performance.getEntriesByType("resource")];
    const parts = all.filter(one => !one.name.includes("/events"));
    const drawn = performance.getEntriesByName("first-contentful-paint")[0];
    return {
        first_byte: page.responseStart, drawn: drawn ? drawn.startTime : page.domInteractive,
        ready: page.domContentLoadedEventEnd,
        bytes: parts.reduce((sum, one) => sum + one.transferSize, 0),
    };
}"""


def tables(app: FastAPI, secret: tuple[str, str], pages: Sequence[tuple[str, str]], runs: int) -> list[Table]:
    """What each page takes until it can be used, and what it weighs. `secret` is the cookie that signs in."""
    names = ("chromium", "chromium-headless-shell", "google-chrome")
    found = next(filter(None, map(shutil.which, names)), None)
    if found is None or not pages:
        return []
    times: dict[str, list[float]] = {}
    weights: dict[str, list[float]] = {}
    with _served(app) as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=_ARGUMENTS)
        for _ in range(runs):
            for called, path in pages:
                first, later = _visited(browser, address, secret, path)
                for what in ("first_byte", "drawn", "ready"):
                    times.setdefault(f"{called}: {what.replace('_', ' ')}", []).append(first[what])
                weights.setdefault(f"{called}: first visit", []).append(first["bytes"] / 1000)
                weights.setdefault(f"{called}: later", []).append(later["bytes"] / 1000)
        browser.close()
    ready, light, lighter = "ready within", "first visit at most", "later at most"
    return [
        Table(
            title=f"A page in Chromium on a phone, its CPU slowed {SLOWER} times",
            figures=(*_figures(times, "ms"), Figure(name=ready, runs=(READY_MS,))),
            against=ready,
            bars=tuple(Bar(of=f"{called}: ready", against=ready, at_most=1) for called, _ in pages),
        ),
        Table(
            title="The weight of a page as it is sent",
            figures=(
                *_figures(weights, "kB"),
                Figure(name=light, runs=(FIRST_KB,), unit="kB"),
                Figure(name=lighter, runs=(LATER_KB,), unit="kB"),
            ),
            against=light,
            bars=tuple(
                bar
                for called, _ in pages
                for bar in (
                    Bar(of=f"{called}: first visit", against=light, at_most=1),
                    Bar(of=f"{called}: later", against=lighter, at_most=1),
                )
            ),
        ),
    ]


def _figures(found: dict[str, list[float]], unit: str) -> list[Figure]:
    return [Figure(name=name, runs=tuple(runs), unit=unit) for name, runs in found.items()]


def _visited(browser: Browser, address: str, secret: tuple[str, str], path: str) -> tuple[Any, Any]:
    """What a browser that was never here says of the page, and what it says the second time."""
    context = browser.new_context(viewport=PHONE, service_workers="block")  # type: ignore[arg-type]
    context.add_cookies([{"name": secret[0], "value": secret[1], "url": address}])
    page = context.new_page()
    devtools = context.new_cdp_session(page)
    devtools.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    said = []
    for _ in range(2):
        page.goto(f"{address}{path}", wait_until="load")
        said.append(page.evaluate(_ASKED))
        page.goto("about:blank")
    context.close()
    return said[0], said[1]


@contextmanager
def _served(app: FastAPI) -> Iterator[str]:
    """The service on a port of this machine."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        server = uvicorn.Server(uvicorn.Config(app, log_level="warning", timeout_graceful_shutdown=2))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        while not server.started:
            assert thread.is_alive(), "the service started"
            time.sleep(0.01)
        try:
            yield f"http://localhost:{listener.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join()
