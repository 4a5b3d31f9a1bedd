"""Serves pages over HTTP: runs the view of a request, renders its template, and shows failures as pages."""

from __future__ import annotations

import gzip
import re
import secrets
from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import Any, Final, NamedTuple
from urllib.parse import quote

import click
import msgspec
from fastapi import FastAPI, Request, Response
from starlette.exceptions import HTTPException

from tracker.errors import Refusal
from tracker.log.refusals import DatabaseUnreachable
from tracker.reports import people
from tracker.rights import is_for_strangers
from tracker.rules.glossary import USUAL
from tracker.server import answer_cache, endpoints, problems, routing, sessions
from tracker.server.access import Access, Caller, Forbidden, Unauthorized
from tracker.server.pages import assets, battles, frame, gang_pictures
from tracker.server.pages.as_of import TimeChoice
from tracker.server.pages.campaign_emblems import CampaignEmblems
from tracker.server.pages.forms import HEAD, KEY, FormUnreadable, FormValues
from tracker.server.pages.page_request import PageRequest
from tracker.server.pages.routes import FORMS, HERE, PAGES, FormRoute, PageRoute
from tracker.server.pages.terminal_words import on_page, title_on_page
from tracker.server.pages.words import game_of, spoken_in
from tracker.server.threads import Threads
from tracker.service.application import Tracker
from tracker.service.fences import CampaignHeld, CampaignMoved
from tracker.service.refusals import UnknownCampaign

CARDS: Final = {
    f"{HERE}/battles/{{battle}}/picture.png": ("battle show", battles.picture),
    f"{HERE}/gangs/{{gang}}/picture.png": ("roster show", gang_pictures.card_picture),
}
"""The preview pictures of links in chat programs, each with the right that it needs."""
EMBLEM: Final = f"{HERE}/gangs/{{gang}}/emblem/{{size}}"
WORTH_COMPRESSING: Final = 1024
_LEVEL: Final = 5
HEADERS: Final = {"Cache-Control": "private, no-cache", "Vary": "Cookie, Authorization, Accept-Encoding"}


def add(app: FastAPI) -> None:
    """Register every page, every form, and the static files."""
    for page in sorted(PAGES, key=lambda page: page.path.count("{")):  # fixed segments before parameters
        endpoints.add(app, "GET", page.path, _page(app, page), name=f"page {page.path}")
    for form in sorted(FORMS, key=lambda form: form.path.count("{")):
        endpoints.add(app, "POST", form.path, _form(app, form), name=f"form {form.path}")
    for path, (right, picture) in CARDS.items():
        endpoints.add(app, "GET", path, _card_picture(app, path, right, picture), name=f"picture {path}")
    endpoints.add(app, "GET", EMBLEM, _emblem(app), name="emblem")
    endpoints.add(app, "GET", assets.PATH, _asset, name="asset")
    endpoints.add(app, "GET", assets.WORKER, _worker, name="worker")
    endpoints.add(app, "GET", assets.MANIFEST, _manifest, name="manifest")


async def _asset(request: Request) -> Response:
    found = assets.response(request.path_params["name"], request.headers.get("accept-encoding", ""))
    if found is None:
        raise HTTPException(HTTPStatus.NOT_FOUND)
    return found


async def _worker(request: Request) -> Response:
    """The service worker. Its address is fixed, and at the root, so that it may cache pages of the whole
    site.
    """
    found = assets.response(
        assets.address("sw.js").rpartition("/")[2], request.headers.get("accept-encoding", "")
    )
    assert found is not None, "it travels with the pages"
    found.headers["Cache-Control"] = "no-cache"
    return found


async def _manifest(_: Request) -> Response:
    headers = {"Cache-Control": "no-cache", "X-Content-Type-Options": "nosniff"}
    return Response(msgspec.json.encode(assets.manifest()), 200, headers, "application/manifest+json")


def caller_of(app: FastAPI, request: Request) -> Caller:
    """The person who sends the request. Raises NotSignedIn."""
    access: Access = app.state.access
    return access.caller(sessions.sent(request))


def _let_in(app: FastAPI, request: Request, caller: Caller | None, at: str, right: str) -> PageRequest:
    """The request, if its person has that right by the home database. No cell is asked before, so that its
    state reveals no campaign. Raises UnknownCampaign, Forbidden.
    """
    home: Tracker = app.state.tracker
    page_request = _page_request(app, request, home, caller, at)
    page_request.require(right)
    return page_request


def _read_where_kept(app: FastAPI, page_request: PageRequest) -> None:
    """Switch the request to the cell that keeps the campaign."""
    home: Tracker = app.state.tracker
    if page_request.campaign is not None:
        page_request.opened = home.cells.tracker(home.cells.settle(page_request.campaign))


def _page_request(
    app: FastAPI, request: Request, opened: Tracker, caller: Caller | None, at: str
) -> PageRequest:
    """In a thread."""
    page_request = PageRequest(
        opened,
        app.state.access,
        caller,
        at=at.removeprefix(HERE),
        path={name: str(value) for name, value in request.path_params.items()},
        query=dict(request.query_params),
        address=app.state.address,
    )
    page_request.asked = FormValues(
        {name: request.query_params.getlist(name) for name in request.query_params}
    )
    return page_request


def _reading(app: FastAPI, request: Request, path: str, right: str) -> PageRequest:
    """The request of a person with that right; of a stranger without a sign-in, if they have it."""
    caller: Caller | None
    try:
        caller = caller_of(app, request)
    except Unauthorized:
        if not is_for_strangers(right):
            raise
        caller = None
    try:
        page_request = _let_in(app, request, caller, path, right)
    except (Forbidden, UnknownCampaign):
        if caller is None:  # the same answer for private and unknown campaigns
            raise Unauthorized from None
        raise
    _read_where_kept(app, page_request)
    return page_request


def _page(app: FastAPI, page: PageRoute) -> Callable[[Request], Any]:
    home: Tracker = app.state.tracker

    def written(request: Request) -> tuple[str, PageRequest]:
        page_request = _reading(app, request, page.path, page.right)
        with spoken_in(page_request):
            return _written(page.template, page_request, page.view(page_request)), page_request

    async def answer(request: Request) -> Response:
        threads: Threads = app.state.threads
        text, page_request = await threads.read(
            lambda: home.boards.read_consistently(lambda: written(request))
        )
        if page.only_shows and page_request.caller is not None and page_request.is_kept_by(home):
            answer_cache.made_for(request.scope, page_request.caller.actor, page_request.known_campaign)
        shown = response(request, text)
        if page.never_kept:
            shown.headers["Cache-Control"] = "no-store"
        return shown

    return answer


def _card_picture(
    app: FastAPI, path: str, right: str, picture: Callable[[PageRequest], bytes | None]
) -> Callable[[Request], Any]:
    """An endpoint with a stranger's rights, whoever asks, because the picture is for chat programs."""

    def drawn(request: Request) -> bytes | None:
        try:
            page_request = _let_in(app, request, None, path, right)
        except (Forbidden, UnknownCampaign):
            raise Unauthorized from None
        _read_where_kept(app, page_request)
        return picture(page_request)

    async def answer(request: Request) -> Response:
        threads: Threads = app.state.threads
        home: Tracker = app.state.tracker
        content = await threads.read(lambda: home.boards.read_consistently(lambda: drawn(request)))
        if content is None:
            raise HTTPException(HTTPStatus.NOT_FOUND)
        headers = {"Cache-Control": "public, max-age=300", "Cross-Origin-Resource-Policy": "cross-origin"}
        return Response(content, headers=headers, media_type="image/png")

    return answer


def _emblem(app: FastAPI) -> Callable[[Request], Any]:
    """The endpoint of emblems, for everybody who may read the gang's page. A browser may cache the picture,
    because its address names its content.
    """

    def found(request: Request) -> gang_pictures.UploadedPicture:
        page_request = _reading(app, request, EMBLEM, gang_pictures.RIGHT)
        return gang_pictures.uploaded_picture(page_request)

    async def answer(request: Request) -> Response:
        threads: Threads = app.state.threads
        content, digest = await threads.read(lambda: found(request))
        if content is None:
            raise HTTPException(HTTPStatus.NOT_FOUND)
        etag = f'"{digest}"'
        is_named = request.query_params.get("v") == digest
        headers = {
            "Cache-Control": "private, max-age=31536000, immutable" if is_named else "private, no-cache",
            "Vary": "Cookie, Authorization",
            "ETag": etag,
        }
        if etag in request.headers.get("if-none-match", ""):
            return Response(status_code=HTTPStatus.NOT_MODIFIED, headers=headers)
        return Response(content, headers=headers, media_type="image/webp")

    return answer


def _form(app: FastAPI, form: FormRoute) -> Callable[[Request], Any]:
    def acted(opened: Tracker, request: Request, caller: Caller, filled: FormValues) -> Response:
        page_request = _page_request(app, request, opened, caller, form.path)
        page_request.require(form.right)
        try:
            with spoken_in(page_request):
                see = form.act(page_request, filled)
        except (CampaignHeld, CampaignMoved, DatabaseUnreachable):
            raise  # the caller finds the cell and whether it answers
        except Refusal as refusal:
            return refused(request, page_request, filled, problems.of_refusal(refusal))
        except click.ClickException as wrong:
            return refused(request, page_request, filled, problems.of_misuse(wrong))
        if see is None:
            page_request.typed = filled
            shown = response(request, _written(form.template, page_request, form.view(page_request)))
            if page_request.made is not None:
                shown.headers["Cache-Control"] = "no-store"
            return shown
        return Response(status_code=HTTPStatus.SEE_OTHER, headers={"Location": see.path})

    def refused(
        request: Request, page_request: PageRequest, filled: FormValues, problem: dict[str, Any]
    ) -> Response:
        """The form again, with the typed values and the refusal."""
        with people.named_by(page_request.tracker.name_on):
            problem["detail"] = on_page(people.in_text(problem["detail"]), game_of(page_request))
        page_request.refused, page_request.typed = problem, filled
        text = _written(form.template, page_request, form.view(page_request))
        return response(request, text, int(problem["status"]))

    def still_held(request: Request, caller: Caller, filled: FormValues, held: CampaignHeld) -> Response:
        page_request = _let_in(app, request, caller, form.path, form.right)
        _read_where_kept(app, page_request)
        return refused(request, page_request, filled, problems.of_refusal(held))

    async def answer(request: Request) -> Response:
        parts, size = [], 0
        async for part in request.stream():
            size += len(part)
            if size > form.bytes_max:
                raise FormUnreadable(why=f"it is longer than {form.bytes_max:,} bytes")
            parts.append(part)
        threads: Threads = app.state.threads
        home: Tracker = app.state.tracker
        body = b"".join(parts)
        if form.takes_file and request.headers.get("content-type", "").startswith("multipart/form-data"):
            filled = await FormValues.read_with_files(request.headers, body, form.bytes_max)
        else:
            filled = FormValues.read(body)
        try:
            caller = await threads.read(lambda: caller_of(app, request))
        except Unauthorized:
            if not reads_pages(request):
                raise
            return _signed_out(request, filled)
        campaign = await threads.read(lambda: _let_in(app, request, caller, form.path, form.right).campaign)
        try:
            answered = await routing.routed(
                home.cells, threads, campaign, threads.write,
                lambda opened: acted(opened, request, caller, filled),
            )  # fmt: skip
        except CampaignHeld as held:
            why = held
            answered = await threads.read(lambda: still_held(request, caller, filled, why))
        app.state.live.moved(campaign)
        return answered

    return answer


def _signed_out(request: Request, filled: FormValues) -> Response:
    """The page for a form whose sender is no longer signed in: it sends the values again after signing in."""
    given: dict[str, Any] = dict.fromkeys(("caller", "slug", "campaign_name", "head", "moment"))
    given |= {
        "path": request.url.path,
        "fields": [(name, value) for name, values in filled.fields.items() for value in values],
        "own": (HEAD, KEY, "revision"),
        "files": bool(filled.files),
        "navigation": (),
    }
    return response(request, frame.written("signed_out", given), HTTPStatus.UNAUTHORIZED)


def _written(template: str, page_request: PageRequest, given: Mapping[str, Any]) -> str:
    """A page within the shared layout."""
    moment: TimeChoice | None = given.get("moment")
    campaign_emblems = CampaignEmblems(page_request)
    shared = {
        "moment": None,
        "to": lambda path: (
            f"/campaigns/{quote(page_request.slug or '')}{path}{moment.query if moment else ''}"
        ),
        "caller": page_request.caller,
        "slug": page_request.slug,
        "campaign_name": page_request.campaign_name(),
        "head": page_request.head(),
        "may": page_request.may,
        "refused": page_request.refused,
        "typed": page_request.typed,
        "navigation": _navigation(page_request),
        "emblem": campaign_emblems.shown,
        "colour": campaign_emblems.colour,
        "game": (game := game_of(page_request)),
        "say": game.said,
        "form_key": secrets.token_hex(16),
    }
    return frame.written(template, {**shared, **given})


_IN_CAMPAIGN: Final = re.compile(r"(/campaigns/[^/]+)/")
"""The path below a campaign's own page."""
_WITHIN: Final = {"fighters": "gangs", "import": "gangs", "begin-gang": "gangs", "reports": "record"}
"""Pages of a navigation entry whose address does not begin with its path."""


class NavigationLink(NamedTuple):
    """An entry of the campaign's navigation."""

    path: str
    """The path below the campaign."""
    text: str
    icon: str
    shown: str
    current: str
    """The value of `aria-current`: "page", "true" on a page below it, or empty."""


def _navigation(request: PageRequest) -> list[NavigationLink]:
    """The navigation entries of pages that the person may see."""
    at = request.at
    first = at.split("/")[1] if "/" in at else ""
    section = f"/{_WITHIN.get(first, first)}" if first else ""
    links, game = [], game_of(request)
    for page in PAGES:
        if page.called and request.slug is not None and request.may(page.right):
            path = page.path.removeprefix(HERE)
            current = "page" if path == at else "true" if path and path == section else ""
            links.append(NavigationLink(path, game.said(page.called), page.icon, page.shown, current))
    return links


def response(request: Request, text: str, status: int = HTTPStatus.OK) -> Response:
    """The response with the document, compressed if that helps."""
    body = text.encode()
    headers = dict(HEADERS)
    if len(body) >= WORTH_COMPRESSING and "gzip" in request.headers.get("accept-encoding", ""):
        body = gzip.compress(body, _LEVEL, mtime=0)
        headers["Content-Encoding"] = "gzip"
    return Response(body, status, headers, media_type="text/html; charset=utf-8")


# --- failures ----------------------------------------------------------------------------------------------


def reads_pages(request: Request) -> bool:
    """Whether the client is a browser that shows a page, rather than a program that reads problems."""
    return not request.url.path.startswith("/v1/") and "text/html" in request.headers.get("accept", "")


def failure(
    request: Request, problem: Mapping[str, Any], headers: Mapping[str, str] | None = None
) -> Response:
    """The page that says what failed, why, and where to go on. It asks the database nothing."""
    game = getattr(request.state, "game", None) or USUAL
    given: dict[str, Any] = dict.fromkeys(("caller", "slug", "campaign_name", "head", "moment"))
    within = _IN_CAMPAIGN.match(request.url.path)
    given |= {
        "problem": {
            **problem,
            "title": title_on_page(problem["title"]),
            "detail": on_page(problem["detail"], game),
        },
        "place": within[1] if within is not None else "",
        "navigation": (),
    }
    answer = response(request, frame.written("error", given), int(problem["status"]))
    answer.headers.update(headers or {})
    return answer
