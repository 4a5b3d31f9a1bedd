"""A whole campaign as a file: what `campaign export` writes."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from fastapi import FastAPI, Request, Response
from starlette.background import BackgroundTask
from starlette.responses import FileResponse

from tracker.server import routing, sessions
from tracker.server.access import Access
from tracker.server.threads import Threads
from tracker.service.application import Tracker

PATH: Final = "/v1/campaigns/{campaign}/archive"
OPERATION: Final = "campaign export"


def endpoint(app: FastAPI) -> Callable[[Request], Awaitable[Response]]:
    """The route of the archives."""

    async def answer(request: Request) -> Response:
        access: Access = app.state.access
        threads: Threads = app.state.threads
        opened: Tracker = app.state.tracker
        named: Any = request.path_params["campaign"]
        caller = await threads.read(lambda: access.caller(sessions.sent(request)))
        campaign = await threads.read(lambda: access.campaign(caller, named, OPERATION))
        folder = TemporaryDirectory(prefix="arbitrator-", ignore_cleanup_errors=True)
        try:
            file = Path(folder.name) / "archive.zip"
            exported = await routing.routed(
                opened.cells,
                threads,
                campaign,
                threads.read,
                lambda keeper: keeper.on_behalf_of(caller.actor).archives.export(campaign, file),
            )
        except BaseException:
            folder.cleanup()
            raise
        manifest = exported.manifest
        etag = f'"{manifest.events}-{manifest.head[:16]}"'
        return FileResponse(
            file,
            media_type="application/zip",
            filename=f"{manifest.slug}.zip",
            headers={"Cache-Control": "private, no-cache", "ETag": etag},
            background=BackgroundTask(folder.cleanup),
        )

    return answer
