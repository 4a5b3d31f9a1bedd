"""Sessions of provable dice with their contributions and requests, read from the log and verified.

Reads events and no seed file, so anybody with the log gets the same verdict.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, TypeAlias

from msgspec import UNSET, field

from tracker.campaign import records
from tracker.campaign.recorded_event import RecordedEvent
from tracker.campaign.state import Contribution
from tracker.dice import Die, sides_of
from tracker.records import Record, replace
from tracker.rules.provable_dice import (
    PROTOCOL,
    ProvableRoller,
    contribution_commitment,
    seed_commitment,
)
from tracker.service.ruling_effects import asked_digest

Verdict: TypeAlias = Literal["open", "abandoned", "sealed", "recomputed", "wrong"]
"""The fate of a request: never finished, given up, waiting for the seed, confirmed by the seed, or not."""


class RecordedRequest(Record):
    """Requested rolls. `nonce` is the number of the request within the session, from 1."""

    request: int
    nonce: int
    what: str
    digest: str
    asked_by: str
    faces: tuple[int, ...] = ()
    sides: tuple[int, ...] = ()
    verdict: Verdict = "open"
    why: str = ""


class RecordedSession(Record):
    """One dice session. `seed` is known once it is closed."""

    session: int
    entry: int
    campaign: str
    commitment: str
    contributions: tuple[Contribution, ...] = ()
    requests: dict[int, RecordedRequest] = field(default_factory=dict)
    seed: str | None = None

    @property
    def only_the_arbitrators(self) -> bool:
        """Whether only the Arbitrator contributed."""
        return all(given.value is None for given in self.contributions)


class DiceSessions(Record):
    """Every session, and the faults: each line names the entry."""

    sessions: tuple[RecordedSession, ...] = ()
    wrong: tuple[str, ...] = ()
    protocol: str = "plain"
    version: int = 0

    @property
    def open_requests(self) -> tuple[RecordedRequest, ...]:
        """The requests that were never finished."""
        return tuple(
            request
            for session in self.sessions
            for request in session.requests.values()
            if request.verdict == "open"
        )

    @property
    def dice(self) -> dict[Verdict, int]:
        """The number of faces with each verdict."""
        counted: dict[Verdict, int] = {}
        for session in self.sessions:
            for request in session.requests.values():
                counted[request.verdict] = counted.get(request.verdict, 0) + len(request.faces)
        return counted


def read_dice_sessions(campaign: str, log: Iterable[RecordedEvent]) -> DiceSessions:
    """The sessions of provable dice in a log, verified."""
    reader = DiceSessionReader(campaign)
    reader.read_entry(log)
    return reader.sessions()


class DiceSessionReader:
    """One pass over a log."""

    def __init__(self, campaign: str) -> None:
        self._campaign = campaign
        self._sessions: dict[int, RecordedSession] = {}
        self._open: int | None = None
        self._protocol, self._version = "plain", 0
        self._wrong: list[str] = []
        self._rolled: dict[tuple[int, int], tuple[Die, ...]] = {}
        self._digests: dict[int, str | None] = {}
        self._filled: dict[int, tuple[Die, ...]] = {}
        self._falls: dict[tuple[object, ...], Die] = {}
        """One object for all equal dice: a long log has hundreds of thousands, of a few hundred kinds."""
        self._rulings: dict[int, int] = {}
        """Rulings, with the number of slots that each kept or voided."""
        self._ruled: dict[int, Die] = {}
        """The die that a ruling had rerolled, until a slot is filled with it."""
        self._uncovered: dict[tuple[int, int, int], str] = {}

    def read(self, recorded: RecordedEvent) -> None:
        """Read the next event of the log."""
        match recorded.event:
            case records.DecisionTaken() as header:
                self._header(recorded, header)
            case records.SlotVoided() | records.SlotKept() if recorded.entry in self._rulings:
                self._rulings[recorded.entry] += 1
            case records.ToolDiceSet(protocol=protocol, version=version):
                self._protocol, self._version = protocol, version
            case records.DiceSessionOpened() as opened:
                self._opened(recorded, opened)
            case records.ContributionCommitted() as fixed:
                session = self._session()
                if session.requests or any(
                    contribution.value is not None for contribution in session.contributions
                ):
                    late = "committed after the first was revealed or rolled"
                    self._wrong.append(f"entry {recorded.entry}: {fixed.who} {late}")
                given = Contribution(who=fixed.who, commitment=fixed.commitment)
                self._keep(replace(session, contributions=(*session.contributions, given)))
            case records.ContributionRevealed(who=who, contribution=value):
                self._revealed(recorded, who, value)
            case records.ContributionWithheld(who=who):
                self._contributed(who, withheld=True)
            case records.RollsRequested() as asked:
                nonce = len(self._session().requests) + 1
                if asked.nonce != nonce:
                    self._wrong.append(
                        f"entry {recorded.entry}: it is request {nonce}, and says {asked.nonce}"
                    )
                request = RecordedRequest(
                    request=asked.request,
                    nonce=nonce,
                    what=asked.what,
                    digest=asked.digest,
                    asked_by=recorded.actor,
                )
                self._request(request)
            case records.RollsResolved() as resolved:
                self._resolved(recorded, resolved)
            case records.RollsAbandoned(request=number, reason=reason):
                self._request(replace(self._asked(number), verdict="abandoned", why=reason))
            case records.DiceSessionClosed(seed=seed):
                self._closed(recorded, seed)

    def read_entry(self, entry: Iterable[RecordedEvent]) -> None:
        """Read the next entry of the log."""
        for recorded in entry:
            self.read(recorded)

    def sessions(self) -> DiceSessions:
        """The result so far."""
        wrong = (*self._wrong, *dict.fromkeys(self._uncovered.values()))
        return DiceSessions(
            sessions=tuple(self._sessions.values()),
            wrong=wrong,
            protocol=self._protocol,
            version=self._version,
        )

    # --- dice of entries ------------------------------------------------------------------------------------

    def _header(self, recorded: RecordedEvent, header: records.DecisionTaken) -> None:
        """Check the dice that the tool rolled for this filling and that an earlier filling lacks."""
        if isinstance(header.command, records.RuleOnDispute):
            self._digests[recorded.entry] = asked_digest(header.command)
            self._rulings[recorded.entry] = 0
            faces = header.command.faces
            if faces is not None and faces.source == "generated":
                # A die that fell the same does not fill a slot again.
                self._rolled[recorded.entry, recorded.slot] = (faces,)
                self._ruled[recorded.entry] = faces
                if self._protocol == PROTOCOL:
                    self._miss(recorded, 0, faces)
        rolled = tuple(die for die in header.dice if die.source == "generated")
        if not rolled:
            return
        before = list(self._filled.get(recorded.slot, ()))
        if self._sessions:  # requests belong to a session, and later entries answer them
            self._rolled[recorded.entry, recorded.slot] = header.dice
        if self._sessions and recorded.entry == recorded.slot:
            self._digests[recorded.entry] = header.sent.digest if header.sent is not None else None
        for number, die in enumerate(header.dice):
            if die.source != "generated":
                continue
            known = next((place for place, was in enumerate(before) if same_fall(die, was)), None)
            if known is not None:
                before.pop(known)
                continue
            kept = self._falls.setdefault(_fall(die), die)
            self._filled[recorded.slot] = (*self._filled.get(recorded.slot, ()), kept)
            ruled = self._ruled.get(recorded.entry)
            if ruled is not None and same_fall(die, ruled):
                del self._ruled[recorded.entry]
                continue
            if self._protocol == PROTOCOL:
                self._miss(recorded, number, die)

    def _miss(self, recorded: RecordedEvent, number: int, die: Die) -> None:
        """Report a die that no request has drawn."""
        self._uncovered[recorded.entry, recorded.slot, number] = (
            f"entry {recorded.entry}: the tool rolled {die.purpose} {die.shown()}, and no request drew it"
        )

    # --- sessions -------------------------------------------------------------------------------------------

    def _opened(self, recorded: RecordedEvent, opened: records.DiceSessionOpened) -> None:
        if opened.campaign != self._campaign:
            self._wrong.append(f"entry {recorded.entry}: its seed was committed to for another campaign")
        self._open = opened.session
        self._sessions[opened.session] = RecordedSession(
            session=opened.session,
            entry=recorded.entry,
            campaign=opened.campaign,
            commitment=opened.commitment,
        )

    def _session(self) -> RecordedSession:
        nothing = RecordedSession(session=0, entry=0, campaign="", commitment="")
        return self._sessions.get(self._open or 0, nothing)

    def _keep(self, session: RecordedSession) -> None:
        self._sessions[session.session] = session

    def _revealed(self, recorded: RecordedEvent, who: str, value: str) -> None:
        session = self._session()
        commitment = contribution_commitment(self._campaign, session.session, who, value)
        if all((given.who, given.commitment) != (who, commitment) for given in session.contributions):
            self._wrong.append(f"entry {recorded.entry}: this is not what {who} committed to")
        self._contributed(who, value=value)

    def _contributed(self, who: str, *, value: str | None = None, withheld: bool = False) -> None:
        session = self._session()
        contributions = tuple(
            replace(given, value=value, withheld=withheld) if given.who == who else given
            for given in session.contributions
        )
        self._keep(replace(session, contributions=contributions))

    def _asked(self, number: int) -> RecordedRequest:
        nothing = RecordedRequest(request=number, nonce=0, what="", digest="", asked_by="")
        return self._session().requests.get(number, nothing)

    def _request(self, request: RecordedRequest) -> None:
        session = self._session()
        self._keep(replace(session, requests={**session.requests, request.request: request}))

    def _resolved(self, recorded: RecordedEvent, resolved: records.RollsResolved) -> None:
        request = self._asked(resolved.request)
        why = next(self._unlike(request, resolved), "")
        for die in resolved.dice:
            self._uncovered.pop((die.entry, die.slot, die.number), None)
        self._request(
            replace(
                request,
                faces=resolved.faces,
                sides=resolved.sides,
                verdict="wrong" if why else "sealed",
                why=why,
            )
        )
        if why:
            self._wrong.append(f"entry {recorded.entry}: request {resolved.request}: {why}")

    def _unlike(self, request: RecordedRequest, resolved: records.RollsResolved) -> Iterator[str]:
        """The dice that differ from what the request drew."""
        if len(resolved.sides) != len(resolved.faces):
            yield "it says other faces than draws"
            return
        draws = list(zip(resolved.sides, resolved.faces, strict=True))
        given_up = sum({self._rulings.get(drawn.entry, 0) for drawn in resolved.dice})
        for drawn in resolved.dice:
            dice = self._rolled.get((drawn.entry, drawn.slot), ())
            if drawn.entry <= request.request:
                yield f"entry {drawn.entry} stood before the request"
            named = next((die.request for die in dice[drawn.number : drawn.number + 1]), UNSET)
            if named != request.request and self._digests.get(drawn.entry) != request.digest:
                yield f"entry {drawn.entry} records something else than was asked for"
            if not 0 <= drawn.number < len(dice) or dice[drawn.number].source != "generated":
                yield f"entry {drawn.entry} has no die {drawn.number} that the tool rolled"
                return
            die = dice[drawn.number]
            shown = list(zip(sides_of(die.die), die.faces, strict=False))
            next_ = 0
            if given_up and draws[: len(shown)] != shown:
                # A ruling may have drawn for an entry that no longer followed, and then given that up.
                given_up -= 1
                next_ = next((at for at in range(len(draws)) if draws[at : at + len(shown)] == shown), 0)
            if draws[next_ : next_ + len(shown)] != shown:
                yield f"{die.purpose} of entry {drawn.entry} shows {die.shown()}, and that was not drawn next"
                return
            draws = draws[next_ + len(shown) :]
        if draws and not given_up:
            yield f"it drew {len(draws)} {'face' if len(draws) == 1 else 'faces'} that no die shows"

    def _closed(self, recorded: RecordedEvent, written: str) -> None:
        session = self._session()
        self._open = None
        seed = _seed(written)
        self._keep(replace(session, seed=written))
        if seed is None or seed_commitment(self._campaign, session.session, seed) != session.commitment:
            self._wrong.append(f"entry {recorded.entry}: this is not the seed that was committed to")
            return
        contributions = [
            (given.who, given.value) for given in session.contributions if given.value is not None
        ]
        for request in session.requests.values():
            if request.verdict == "open":
                self._wrong.append(f"entry {recorded.entry}: closed while request {request.request} was open")
            if request.verdict != "sealed":
                continue
            right = _faces(seed, contributions, request.nonce, request.sides) == request.faces
            checked = session.requests | {
                request.request: replace(request, verdict="recomputed" if right else "wrong")
            }
            session = replace(session, requests=checked)
            if not right:
                self._wrong.append(
                    f"entry {request.request}: the seed gives other faces than request {request.request} drew"
                )
        self._keep(replace(session, seed=written))


def _faces(
    seed: bytes, contributions: Sequence[tuple[str, str]], nonce: int, sides: Sequence[int]
) -> tuple[int, ...] | None:
    if not all(1 <= number <= 256 for number in sides):
        return None
    return tuple(map(ProvableRoller(seed, contributions, nonce), sides))


def _seed(written: str) -> bytes | None:
    try:
        return bytes.fromhex(written)
    except ValueError:
        return None


def same_fall(die: Die, known: Die) -> bool:
    """Whether two dice of one slot may be the same die after a redecision."""
    return _fall(die) == _fall(known)


def _fall(die: Die) -> tuple[object, ...]:
    return die.purpose, die.die, die.faces, die.source
