"""Provable dice: sessions, contributions, requests, and the verification against the seed."""

from __future__ import annotations

from collections.abc import Iterator

from tracker.reports.cards import counted
from tracker.reports.page import Alert, Block, DataTable, Heading, Page, Text
from tracker.reports.plain_data import plain_data
from tracker.service.dice_sessions import DiceSessions, RecordedRequest, RecordedSession

_VERDICTS = {
    "open": "OPEN: asked for and never rolled",
    "abandoned": "ABANDONED",
    "sealed": "waits for the seed",
    "recomputed": "comes out again from the seed",
    "wrong": "WRONG",
}
_COLUMNS = ("Request", "For", "Asked by", "Faces", "Verdict")
ONLY_THE_ARBITRATORS = (
    "Unverified: arbitrator-only entropy. No player contributed, so whoever has the seed could foresee every"
    " roll, though not change one."
)


def provable_dice_page(history: DiceSessions, *, heading: str) -> Page:
    """Every session with what became of its requests."""
    return Page(
        schema="provable-dice",
        title=heading,
        blocks=lambda: _blocks(history, heading),
        data=lambda: {
            "setting": {"protocol": history.protocol, "version": history.version},
            "sessions": [
                {
                    **plain_data(session),
                    "requests": [plain_data(request) for request in session.requests.values()],
                    "arbitrator_only": session.only_the_arbitrators,
                }
                for session in history.sessions
            ],
            "open_requests": [request.request for request in history.open_requests],
            "wrong": list(history.wrong),
        },
    )


def dice_lines(history: DiceSessions) -> Iterator[str]:
    """The lines of an audit about provable dice; none without any."""
    if not history.sessions and not history.wrong:
        return
    dice = history.dice
    counts = (
        (dice.get("recomputed"), "recomputed from the seed"),
        (dice.get("sealed"), "waiting for the seed"),
    )
    counts_shown = ", ".join(f"{counted(faces, 'face')} {words}" for faces, words in counts if faces)
    if history.wrong:
        more = f" (and {len(history.wrong) - 1} more)" if history.wrong[1:] else ""
        counts_shown = f"WRONG: {history.wrong[0]}{more}"
    yield f"dice       {counts_shown or 'none rolled yet'}"
    for session in history.sessions:
        withheld = [contribution.who for contribution in session.contributions if contribution.withheld]
        if withheld:
            yield f"           WITHHELD in dice session {session.session}: {', '.join(withheld)}"


def dice_alerts(history: DiceSessions) -> list[Alert]:
    """The requests that were never rolled, until they are finished or given up."""
    lines = [
        f"OPEN: request {request.request} for {request.what} was asked for and never finished"
        for request in history.open_requests
    ]
    return [Alert(lines)] if lines else []


def _blocks(history: DiceSessions, heading: str) -> Iterator[Block]:
    how = "provably (tracker-dice/v1)" if history.protocol != "plain" else "by the system's randomness"
    yield [Heading(heading), Text([f"With --roll the tool rolls {how}; setting {history.version}."])]
    if alerts := dice_alerts(history):
        yield alerts
    if history.wrong:
        yield [Heading("Wrong", level=2), Text(history.wrong)]
    for session in history.sessions:
        yield [Heading(_title(session), level=2), Text([*_contributions(session)])]
        if session.requests:
            yield [DataTable(_COLUMNS, [_row(request) for request in session.requests.values()])]
    if not history.sessions:
        yield [Text(["No dice session yet: 'arbitrator dice open' begins one."])]


def _title(session: RecordedSession) -> str:
    ended = "closed" if session.seed is not None else "open"
    return f"Dice session {session.session} (entry {session.entry}), {ended}"


def _contributions(session: RecordedSession) -> Iterator[str]:
    yield f"Commitment {session.commitment}"
    if session.seed is not None:
        yield f"Seed       {session.seed}"
    for contribution in session.contributions:
        if contribution.withheld:
            yield f"{contribution.who}: WITHHELD, committed to {contribution.commitment}"
        elif contribution.value is None:
            yield f"{contribution.who}: not revealed yet, committed to {contribution.commitment}"
        else:
            yield f"{contribution.who}: {contribution.value}"
    if session.only_the_arbitrators and session.requests:
        yield ONLY_THE_ARBITRATORS


def _row(request: RecordedRequest) -> tuple[int, str, str, str, str]:
    faces = ", ".join(map(str, request.faces))
    verdict = _VERDICTS[request.verdict] + (f": {request.why}" if request.why else "")
    return request.request, request.what, request.asked_by, faces, verdict
