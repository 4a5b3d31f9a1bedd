"""The machine page, for the keeper of the machine: importing archives, and the keys that sign the logs.

Only the person whom `arbitrator serve` signs in sees it, with a browser session, never with a token.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final
from urllib.parse import quote

from fastapi import FastAPI, Request, Response
from starlette.responses import RedirectResponse

from tracker.cli.signed_heads import keys_folder
from tracker.errors import Refusal
from tracker.server import browser_sign_in, endpoints
from tracker.server.access import Caller, Forbidden
from tracker.server.browser_sign_in import PRIVATE, Body, page, signed_in
from tracker.server.pages.forms import FormValues
from tracker.server.pages.terminal_words import plainly
from tracker.server.problems import status_of
from tracker.server.threads import Threads
from tracker.service import archive_reader
from tracker.service.application import Tracker

PATH: Final = "/machine"
ARCHIVE_BYTES_MAX: Final = 64 * 1024 * 1024
FORM: Final = "multipart/form-data"
HAND_ON, LOST = "rotate", "lost"
_FILE: Final = re.compile(r"\S*[\\/]arbitrator-[^\\/]*[\\/]archive\.zip")
"""The folder for uploads while they are read."""


def add(app: FastAPI, body_of: Body) -> None:
    """The page, and its forms."""
    opened: Tracker = app.state.tracker
    threads: Threads = app.state.threads

    async def keeper(request: Request) -> Caller:
        """Raises NotSignedIn, Forbidden."""
        caller = await signed_in(app, request)
        if not await threads.read(lambda: opened.people.keeps_machine(caller.actor)):
            raise Forbidden("This page is for whoever keeps the machine that the service runs on.")
        return caller

    async def shown(caller: Caller, status: int = 200, **given: str) -> Response:
        return page(app, "machine", caller, await threads.read(lambda: _shown(opened)) | given, status)

    async def show(request: Request) -> Response:
        return await shown(await keeper(request))

    async def take_in(request: Request) -> Response:
        caller = await keeper(request)
        body = await body_of(request, ARCHIVE_BYTES_MAX)
        filled = FormValues({})
        if request.headers.get("content-type", "").startswith(FORM):
            filled = await FormValues.read_with_files(request.headers, body, ARCHIVE_BYTES_MAX)
        sent = filled.files.get("archive")
        if sent is None or not sent.content:
            return await shown(caller, 422, refused="Choose the archive's file first.")
        try:
            slug = await threads.write(lambda: _taken_in(opened, caller, sent.content))
        except Refusal as wrong:
            said = _FILE.sub(sent.name or "That file", plainly(str(wrong)))
            return await shown(caller, status_of(wrong), refused=said)
        return RedirectResponse(f"/campaigns/{quote(slug, safe='')}", 303, PRIVATE)

    def form(what: str, does: Callable[[Tracker, Caller, str, FormValues], str]) -> Callable[[Request], Any]:
        async def act(request: Request) -> Response:
            caller = await keeper(request)
            filled = FormValues.read(await body_of(request, browser_sign_in.FORM_BYTES_MAX))
            try:
                campaign = await threads.read(lambda: opened.directory.campaign_id(filled.get("campaign")))
                done = await threads.write(
                    lambda: does(opened.cells.keeping(campaign), caller, campaign, filled)
                )
            except Refusal as wrong:
                return await shown(caller, status_of(wrong), refused=plainly(str(wrong)))
            return await shown(caller, 200, **{what: done})

        return act

    endpoints.add(app, "GET", PATH, show)
    endpoints.add(app, "POST", f"{PATH}/archive", take_in)
    endpoints.add(app, "POST", f"{PATH}/key", form("done", _make_key))
    endpoints.add(app, "POST", f"{PATH}/sign", form("note", _sign))


def _shown(opened: Tracker) -> dict[str, Any]:
    """In a thread: every campaign, with its key."""
    campaigns = []
    for row in opened.directory.rows():
        campaign = str(row["campaign"])
        signing = opened.cells.keeping(campaign).signing(keys_folder())
        signed = signing.signed(campaign)
        campaigns.append(
            {
                **row,
                "key": signed.keys[-1].verifier.vkey() if signed.keys else "",
                "is_here": signing.key_file(campaign).exists(),
                "signed": signed.heads[-1].head.size if signed.heads else 0,
            }
        )
    return {"keyed": campaigns, "done": "", "note": ""}


def _taken_in(opened: Tracker, caller: Caller, content: bytes) -> str:
    """In a thread: import the archive; its importer becomes Arbitrator if the campaign has none."""
    with TemporaryDirectory(prefix="arbitrator-", ignore_cleanup_errors=True) as folder:
        file = Path(folder) / "archive.zip"
        file.write_bytes(content)
        with archive_reader.checked(file) as archive:
            imported = opened.on_behalf_of(caller.actor).archives.import_(archive)
    opened.people.of_machine(caller.name)
    return imported.slug


def _make_key(opened: Tracker, caller: Caller, campaign: str, filled: FormValues) -> str:
    """In a thread. Raises CampaignHasKey, NoKeyYet, KeyExists, PassphraseWrong."""
    signing = opened.on_behalf_of(caller.actor).signing(keys_folder())
    passphrase, how = filled.get("passphrase") or None, filled.get("how")
    if how == HAND_ON:
        signing.rotate(campaign, old=lambda: filled.get("old"), passphrase=passphrase)
        return "The log is signed with a new key from now on; the old one vouches for it."
    slug = next(str(row["slug"]) for row in opened.directory.rows() if row["campaign"] == campaign)
    signing.new_key(campaign, origin=f"{slug}-{campaign[-6:]}", passphrase=passphrase, lost=how == LOST)
    return "The key is made. Show its public half to the players, so that they know it again."


def _sign(opened: Tracker, caller: Caller, campaign: str, filled: FormValues) -> str:
    """In a thread. Raises NoKeyYet, KeyMissing, PassphraseWrong, NothingToSign, NotSigned."""
    signing = opened.on_behalf_of(caller.actor).signing(keys_folder())
    signed = signing.checkpoint(campaign, lambda: filled.get("passphrase"))
    return signed.note.written()
