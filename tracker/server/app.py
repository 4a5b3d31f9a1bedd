"""The application: turns requests into commands and their results into responses.

Every route is made from `routes.ROUTES`. No rule, permission or board text is written here.
"""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from functools import partial
from http import HTTPStatus
from typing import Any, Final, NamedTuple, TypeVar

import click
import msgspec
from fastapi import FastAPI, Request, Response
from pydantic import ValidationError
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp

import tracker
from tracker.cli.receipts import page_of
from tracker.errors import Refusal
from tracker.reports.page import Form, Page
from tracker.server import (
    account,
    answer_cache,
    archive,
    browser_security,
    browser_sign_in,
    command_line,
    damage,
    discord_sign_in,
    endpoints,
    health,
    joining,
    live,
    machine,
    metrics,
    openapi,
    paging,
    parameters,
    passkeys,
    problem_pages,
    problems,
    request_limits,
    routing,
    running,
    sessions,
)
from tracker.server.access import Access, Caller, Forbidden, Unauthorized, let_in
from tracker.server.discord_sign_in import Discord
from tracker.server.idle_sealing import IdleSealer
from tracker.server.pages import serving
from tracker.server.rate_limits import TooOften
from tracker.server.routes import PICTURE, READS_BY_POST, ROUTES, Route, takes_long
from tracker.server.threads import Threads
from tracker.server.webhook_poster import WebhookPoster
from tracker.server.worker_processes import Job, WorkerPool, WorkRefused
from tracker.service.application import Tracker
from tracker.service.cells import DOWN_SECONDS
from tracker.service.fences import CampaignMoved
from tracker.service.gang_emblems import BYTES_MAX as PICTURE_BYTES_MAX
from tracker.service.refusals import UnknownCampaign
from tracker.service.repository import RemoteRequest

Came = TypeVar("Came")

BODY_BYTES_MAX: Final = 1024 * 1024
FILES_BYTES_MAX: Final = 10 * 1024 * 1024
_RETRY: Final = {"Retry-After": str(math.ceil(DOWN_SECONDS))}
"""The Retry-After of a 503: as long as a cell that did not answer is left alone."""
_FORMS: Final[dict[str, Form]] = {
    "application/json": "json", "text/plain": "text", "text/markdown": "md", "text/html": "html",
    "text/csv": "csv",
}  # fmt: skip
_CLOSED: Final = {"Connection": "close"}
"""Closes the connection after an unread body, so that nobody waits for the rest of it."""
_KEY: Final = re.compile(r"[\x21-\x7e]{1,100}")
_TAG: Final = re.compile(r'"([0-9]{1,15})-([0-9a-f]{16})"')


class ParsedRequest(NamedTuple):
    """A parsed request: its parameters, its file, and its headers."""

    route: Route
    caller: Caller
    slug: str | None
    """The campaign, as named in the path."""
    campaign: str | None
    given: Mapping[str, Any]
    body: bytes
    form: Form
    sending: RemoteRequest
    none_match: str

    @property
    def writes(self) -> bool:
        """Whether it may append."""
        return _writes(self.route, self.given)


def _is_dry(given: Mapping[str, Any]) -> bool:
    return bool(given.get("dry_run") or given.get("preview"))


def _writes(route: Route, given: Mapping[str, Any]) -> bool:
    """Whether the request may write; a dry run does not."""
    return route.method != "GET" and route.command not in READS_BY_POST and not _is_dry(given)


class Answered(NamedTuple):
    """The response."""

    text: str
    form: Form
    etag: str | None
    status: int = HTTPStatus.OK
    next_after: int | None = None
    """The position after which the next page begins, if there are several."""


class BadRequest(Exception):
    """A malformed request."""

    def __init__(
        self, status: int, code: str, message: str, headers: Mapping[str, str] | None = None
    ) -> None:
        super().__init__(message)
        self.headers = headers
        self.problem = problems.of_code(status, code, message)


class Service(FastAPI):
    """The application with middleware around every response, including error responses."""

    def build_middleware_stack(self) -> ASGIApp:
        """Add middleware outside the error handlers."""
        safe = browser_security.SafeHeaders(browser_security.SameSiteOnly(super().build_middleware_stack()))
        state = self.state
        state.answers = answer_cache.AnswerCache(safe, state.tracker.engine, state.access, state.tracker.now)
        return metrics.RequestObserver(state.answers, state.metrics)


def application(
    opened: Tracker,
    access: Access,
    *,
    address: str = "http://localhost:8000",
    discord: Discord | None = None,
    work: WorkerPool | None = None,
    at_start: Callable[[FastAPI], None] = lambda _app: None,
) -> FastAPI:
    """The service over an open database, reached at that address.

    `work` runs long reads; without it they run like all others. `at_start` is called in the event loop of the
    service.
    """
    numbers = metrics.Metrics()
    threads = Threads(is_sqlite=opened.engine.dialect.name == "sqlite", waiting=numbers.waiting)

    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        app.state.live = live.LiveStreams(opened, threads, listeners=numbers.listeners)
        poster = WebhookPoster(opened)
        poster.start()
        sealer = IdleSealer(opened)
        sealer.start()
        if work is not None:
            work.start()
        at_start(app)
        yield
        app.state.live.stop()
        app.state.answers.close()
        await poster.stop()
        await sealer.stop()
        if work is not None:
            work.close()
        threads.close()

    app = Service(
        title="Arbitrator", version=tracker.__version__, lifespan=lifespan, docs_url=None, redoc_url=None,
        openapi_url=None, redirect_slashes=False,  # it would go to the requested host
    )  # fmt: skip
    app.state.tracker, app.state.access, app.state.threads = opened, access, threads
    app.state.metrics, app.state.work, app.state.address = numbers, work, address
    app.add_middleware(request_limits.RequestTimeouts)
    health.add(app)
    problem_pages.add(app)
    for route in sorted(ROUTES, key=lambda route: route.path.count("{")):  # fixed segments before parameters
        name = f"{route.method} {route.path}"
        endpoints.add(app, route.method, route.path, _endpoint(app, route), name=name)
    endpoints.add(app, "GET", live.PATH, live.endpoint(app, _bad_header))
    endpoints.add(app, "GET", archive.PATH, archive.endpoint(app))
    endpoints.add(app, "POST", joining.PATH, joining.endpoint(app, _body))
    browser_sign_in.add(app, _body)
    passkeys.add(app, _body, address)
    app.state.discord_origin = discord.origin if discord is not None else None
    if discord is not None:
        discord_sign_in.add(app, _body, address, discord)
    account.add(app, _body)
    machine.add(app, _body)
    endpoints.add(app, "POST", command_line.PATH, _command_line(app))
    serving.add(app)
    openapi.add(app)
    _answer_failures(app)
    return app


def _bad_header(message: str) -> BadRequest:
    return BadRequest(422, "bad_header", message)


def _endpoint(app: FastAPI, route: Route) -> Callable[[Request], Any]:
    async def answer(request: Request) -> Response:
        asked = await _read(app, route, request)
        threads: Threads = app.state.threads
        access: Access = app.state.access
        work: WorkerPool | None = app.state.work
        home: Tracker = app.state.tracker
        kept_by: Tracker | None = None

        def made(opened: Tracker) -> Answered:
            nonlocal kept_by
            kept_by = opened
            return _answered(opened, access, asked)

        if work is not None and takes_long(route.command, dry=_is_dry(asked.given)):
            job = partial(_answered, asked=asked)
            answered = await work.run(partial(_where_it_is_kept, campaign=asked.campaign, job=job))
        else:
            run = threads.write if asked.writes else threads.read
            seen = None if asked.writes else _seen(asked.none_match)
            answered = await routing.routed(
                home.cells,
                threads,
                asked.campaign,
                run,
                made,
                seen=seen,
            )
        if asked.writes:
            app.state.live.moved(asked.campaign)
        response = _response(answered)
        if answered.next_after is not None:
            query = _of_query(route, request) | {"after": answered.next_after}
            response.headers["Link"] = paging.next_link(request.url.path, query)
        if kept_by is home and asked.campaign is not None:  # a cell has a commit count of its own
            answer_cache.made_for(request.scope, asked.caller.actor, asked.campaign)
        return response

    return answer


def _where_it_is_kept(home: Tracker, access: Access, *, campaign: str | None, job: Job[Came]) -> Came:
    """Runs a long read in a worker process, in the cell that keeps the campaign."""
    try:
        return job(home.cells.keeping(campaign), access)
    except CampaignMoved:
        home.cells.settle(str(campaign))
        return job(home.cells.keeping(campaign), access)


def _command_line(app: FastAPI) -> Callable[[Request], Any]:
    async def answer(request: Request) -> Response:
        body = await _body(request, FILES_BYTES_MAX)
        try:
            asked, files = command_line.read(body)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as wrong:
            raise BadRequest(422, "not_json", f"That is no command line: {wrong}.") from wrong
        access: Access = app.state.access
        threads: Threads = app.state.threads
        home: Tracker = app.state.tracker
        sent = sessions.sent(request)._replace(may_write=command_line.writes(asked))
        caller = await threads.read(lambda: access.caller(sent))
        campaign = await threads.read(lambda: _seen_by(access, caller, asked.campaign))
        ran = partial(command_line.ran, caller=caller, asked=asked, files=files)
        work: WorkerPool | None = app.state.work
        if work is not None and takes_long(asked.command, dry=command_line.is_dry(asked)):
            printed = await work.run(partial(_where_it_is_kept, campaign=campaign, job=ran))
        else:
            run = threads.write if command_line.writes(asked) else threads.read
            printed = await routing.routed(
                home.cells, threads, campaign, run, lambda opened: ran(opened, access)
            )
            if command_line.writes(asked):
                app.state.live.moved(campaign)
        if printed.refused is not None or printed.misused:
            metrics.refused(str((printed.refused or {}).get("code", "bad_parameter")))
        return Response(msgspec.json.encode(printed), media_type="application/json")

    return answer


def _seen(none_match: str) -> int | None:
    """The number of events that the client has seen, from its ETag."""
    seen = _TAG.search(none_match)
    return None if seen is None else int(seen[1])


def _seen_by(access: Access, caller: Caller, named: str | None) -> str | None:
    """The id of the named campaign; None if the caller may not see one of that name, without asking a
    cell.
    """
    try:
        return None if named is None else access.entered(caller, named).campaign
    except UnknownCampaign:
        return None


async def _read(app: FastAPI, route: Route, request: Request) -> ParsedRequest:
    body = await _body(request, PICTURE_BYTES_MAX if route.format == PICTURE else BODY_BYTES_MAX)
    access: Access = app.state.access
    threads: Threads = app.state.threads
    path = dict(request.path_params)
    slug = path.pop("campaign", None)
    sent = sessions.sent(request)
    caller, campaign = await threads.read(lambda: let_in(access, sent, slug, route.command))
    if campaign is not None:
        metrics.of_campaign(campaign)
    if route.method == "GET" or route.document is not None:
        given = _of_query(route, request)
    else:
        given = _of_body(body)
    taken = parameters.model(route)
    try:
        checked = taken.model_validate(given).model_dump(exclude_none=True)
    except ValidationError as wrong:
        raise WorkRefused(problems.of_shape(wrong, known=taken.model_fields)) from wrong
    given = {**checked, **path}
    return ParsedRequest(
        route=route,
        caller=caller,
        slug=slug,
        campaign=campaign,
        given=given,
        body=body if route.document is not None else b"",
        form=_form(request.headers.get("accept", "")),
        sending=_sending(request, route, given, body, caller),
        none_match=request.headers.get("if-none-match", ""),
    )


async def _body(request: Request, most: int) -> bytes:
    """The whole body. Refused as soon as it is too long, before all of it has arrived."""
    parts, size = [], 0
    async for part in request.stream():
        size += len(part)
        if size > most:
            message = f"The body is longer than {most:,} bytes."
            raise BadRequest(413, "body_too_large", message, _CLOSED)
        parts.append(part)
    return b"".join(parts)


def _of_query(route: Route, request: Request) -> dict[str, Any]:
    """The query. A repeated name is a list if the command takes several, and refused otherwise."""
    fields = parameters.model(route).model_fields
    given: dict[str, Any] = {}
    for name in dict.fromkeys(request.query_params):
        each = request.query_params.getlist(name)
        is_list = name in fields and fields[name].default_factory is list
        if len(each) > 1 and not is_list:
            raise BadRequest(422, "bad_parameter", f"{name} is given {len(each)} times: give it once.")
        given[name] = each if is_list else each[0]
    return given


def _of_body(body: bytes) -> dict[str, Any]:
    if not body:
        return {}
    try:
        given = msgspec.json.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as wrong:
        raise BadRequest(422, "not_json", f"The body is no JSON: {wrong}.") from wrong
    if not isinstance(given, dict):
        raise BadRequest(422, "not_json", 'The body is a JSON object, such as {"reason": "cocked"}.')
    return given


def _form(accept: str) -> Form:
    """The first form in `Accept` that a page has; JSON if the client accepts anything."""
    for kind in accept.split(","):
        form = _FORMS.get(kind.partition(";")[0].strip().lower())
        if form is not None:
            return form
    return "json"


def _sending(
    request: Request, route: Route, given: Mapping[str, Any], body: bytes, caller: Caller
) -> RemoteRequest:
    """The idempotency key, and the head that the client has seen."""
    key = request.headers.get("idempotency-key")
    if key is not None and _KEY.fullmatch(key) is None:
        raise BadRequest(422, "bad_header", "Idempotency-Key takes 1 to 100 visible characters of ASCII.")
    content = msgspec.json.encode([route.path, sorted(given.items()), body.hex()])
    sending = RemoteRequest(
        key=f"request:{caller.actor}:{key}" if key is not None else None,
        digest=hashlib.sha256(content).hexdigest(),
    )
    match = request.headers.get("if-match", "").strip()
    if match == "*":
        return sending
    if not match:
        if route.of_campaign and not route.is_beside_the_log and _writes(route, given):
            message = "Say in If-Match which state of the campaign this is meant for: its ETag, or * for any."
            raise BadRequest(428, "if_match_missing", message)
        return sending
    if (seen := _TAG.fullmatch(match)) is None:
        raise BadRequest(412, "stale_head", "If-Match is no ETag of this campaign: read the campaign again.")
    return sending._replace(expected_size=int(seen[1]), expected_leaf=seen[2])


def _answered(opened: Tracker, access: Access, asked: ParsedRequest) -> Answered:
    """In a thread: run the command."""
    sending = asked.sending
    if asked.campaign is not None:
        allow = access.allow(asked.caller, asked.campaign, asked.route.command, asked.given)
        sending = sending._replace(allow=allow, claim=access.claim(asked.caller, asked.campaign))
    mine = opened.on_behalf_of(asked.caller.actor, sending)
    if asked.writes:
        try:
            return _written(mine, access, asked)
        finally:
            metrics.appended(mine)
    return mine.boards.read_consistently(lambda: _shown(mine, access, asked))


def _written(mine: Tracker, access: Access, asked: ParsedRequest) -> Answered:
    if asked.campaign is not None and asked.sending.key:
        known = mine.commands.recorded_as(asked.campaign)
        if known is not None:
            text = running.CollectedOutput().written(page_of(known), asked.form)
            return Answered(text, asked.form, _etag(mine, asked.campaign))
    return _run(mine, access, asked)


def _shown(mine: Tracker, access: Access, asked: ParsedRequest) -> Answered:
    etag = _etag_of(mine, asked)
    if etag is not None and etag in asked.none_match:
        return Answered("", asked.form, etag, HTTPStatus.NOT_MODIFIED)
    return _run(mine, access, asked)


def _run(mine: Tracker, access: Access, asked: ParsedRequest) -> Answered:
    route = asked.route
    command = parameters.command_called(route.command)
    pages, given = _pages(asked)
    words = parameters.words(route, given)
    seen = asked.sending.expected_size
    if seen is not None and any(parameter.name == "expect_head" for parameter in command.params):
        words.insert(0, f"--expect-head={seen}")
    form = asked.form
    takes_json = any(parameter.name == "as_json" for parameter in command.params)
    if form == "json" and takes_json:
        words.insert(0, "--json")
    elif any(parameter.name == "form" for parameter in command.params) and "format" not in given:
        words.insert(0, f"--format={form}")
    session = running.ServedSession(mine, asked.slug, sees=lambda row: access.sees(asked.caller, row))
    collected = running.CollectedOutput()
    running.run(command, route.command, words, session, files={"-": asked.body}, collected=collected)
    if session.began is not None:
        access.began(asked.caller, mine.directory.campaign_id(session.began))
    next_after = None
    if pages is not None:
        whole = collected.shown[-1].page
        assert isinstance(whole, Page), "what comes in pages is one"
        page, next_after = paging.cut(
            whole, pages, after=given["after"], limit=asked.given.get("limit", paging.LIMIT_MOST)
        )
        collected.shown[-1] = running.ShownPage(page, form)
    return Answered(collected.text(), form, _etag_of(mine, asked), next_after=next_after)


def _pages(asked: ParsedRequest) -> tuple[paging.Pages | None, Mapping[str, Any]]:
    """The long part of an answer that is requested in pages, and the parameters of the command then."""
    given = asked.given
    pages = paging.PAGED.get(asked.route.command)
    if pages is None or asked.route.method != "GET" or not {"after", "limit"} & {*given}:
        return None, given
    if asked.form != "json":
        raise BadRequest(422, "bad_parameter", "after and limit are for JSON; other formats come whole.")
    after = given.get("after", 0)
    if asked.route.command == "log show":  # it can read only one page
        since = max(given.get("since", 1), after + 1)
        given = {**given, "since": since, "limit": given.get("limit", paging.LIMIT_MOST) + 1}
    return pages, {**given, "after": after}


def _etag_of(mine: Tracker, asked: ParsedRequest) -> str | None:
    """The ETag, if the head determines the answer; None for data beside the log."""
    if asked.campaign is None or (asked.route.is_beside_the_log and not asked.writes):
        return None
    return _etag(mine, asked.campaign)


def _etag(mine: Tracker, campaign: str) -> str:
    head = mine.repository.store.head(campaign)
    return f'"{head.size}-{head.leaf_hex[:16]}"'


_MEDIA: Final[Mapping[str, str]] = {form: kind for kind, form in _FORMS.items()}


def _response(answered: Answered) -> Response:
    headers = {"Vary": "Accept, Authorization, Cookie", "Cache-Control": "private, no-cache"}
    if answered.etag is not None:
        headers["ETag"] = answered.etag
    if answered.status == HTTPStatus.NOT_MODIFIED:
        return Response(status_code=304, headers=headers)
    media = f"{_MEDIA.get(answered.form, 'text/plain')}; charset=utf-8"
    if answered.form == "json":
        media = "application/json"
    elif answered.form == "html":
        headers["Content-Security-Policy"] = browser_security.REPORT_SECURITY_POLICY
    return Response(answered.text, answered.status, headers, media_type=media)


# --- what fails --------------------------------------------------------------------------------------------


def _problem(problem: Mapping[str, Any], headers: Mapping[str, str] | None = None) -> Response:
    metrics.refused(str(problem["code"]))
    body = msgspec.json.encode(problem)
    return Response(body, int(problem["status"]), dict(headers or {}), media_type=problems.MEDIA_TYPE)


def _answer_failures(app: FastAPI) -> None:
    """Answer every failure as a problem, also the framework's own; browsers get it as a page."""

    def failed(
        request: Request, problem: Mapping[str, Any], headers: Mapping[str, str] | None = None
    ) -> Response:
        metrics.refused(str(problem["code"]))
        if problem["status"] == HTTPStatus.SERVICE_UNAVAILABLE:
            headers = {**_RETRY, **(headers or {})}
        if serving.reads_pages(request):
            return serving.failure(request, problem, headers)
        return _problem(problem, headers)

    @app.exception_handler(Refusal)
    async def refused(request: Request, refusal: Refusal) -> Response:
        request.state.game = refusal.game_words
        return failed(request, problems.of_refusal(await damage.behind_refusal(app, request, refusal)))

    @app.exception_handler(click.ClickException)
    async def misused(request: Request, wrong: click.ClickException) -> Response:
        return failed(request, problems.of_misuse(wrong))

    @app.exception_handler(ValidationError)
    async def misshapen(request: Request, wrong: ValidationError) -> Response:
        return failed(request, problems.of_shape(wrong))

    @app.exception_handler(WorkRefused)
    async def refused_elsewhere(request: Request, wrong: WorkRefused) -> Response:
        return failed(request, wrong.problem)

    @app.exception_handler(BadRequest)
    async def misasked(request: Request, wrong: BadRequest) -> Response:
        return failed(request, wrong.problem, wrong.headers)

    @app.exception_handler(request_limits.BodyTooSlow)
    async def slow(request: Request, _wrong: request_limits.BodyTooSlow) -> Response:
        problem = problems.of_code(408, "body_too_slow", "The body did not arrive in time.")
        return failed(request, problem, _CLOSED)

    @app.exception_handler(Unauthorized)
    async def unknown(request: Request, _wrong: Unauthorized) -> Response:
        message = (
            "Sign in first: send a token as 'Authorization: Bearer trk_...', or open /sign-in in a browser."
        )
        problem = problems.of_code(401, "not_signed_in", message)
        return failed(request, problem, {"WWW-Authenticate": "Bearer"})

    @app.exception_handler(TooOften)
    async def too_often(request: Request, wrong: TooOften) -> Response:
        problem = problems.of_code(429, "too_often", str(wrong), {"seconds": wrong.seconds})
        return failed(request, problem, {"Retry-After": str(wrong.seconds)})

    @app.exception_handler(Forbidden)
    async def forbidden(request: Request, wrong: Forbidden) -> Response:
        return failed(request, problems.of_code(403, "not_allowed", str(wrong)))

    @app.exception_handler(health.NotReady)
    async def not_ready(_request: Request, wrong: health.NotReady) -> Response:
        return _problem(problems.of_code(503, "not_ready", str(wrong)), _RETRY)

    @app.exception_handler(HTTPException)
    async def framework(request: Request, wrong: HTTPException) -> Response:
        code = HTTPStatus(wrong.status_code).phrase.lower().replace(" ", "_")
        problem = problems.of_code(wrong.status_code, code, str(wrong.detail))
        return failed(request, problem, wrong.headers)

    @app.exception_handler(Exception)
    async def fault(request: Request, wrong: Exception) -> Response:
        return failed(request, await damage.problem_behind(app, request, wrong))
