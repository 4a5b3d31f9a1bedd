"""Rights: who may ask for what. One table, role by operation, read by the service, the docs and the tests.

An operation is a command of the command line, by its words ("battle record"). `why_not` refuses a player who
records another gang's battle. Knows no route and no rule of the game, which refuses the same to everybody.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Literal, TypeAlias

from tracker.errors import RulesRefuse
from tracker.people.records import GANG_TO_COME, CampaignStanding
from tracker.records import Record

Who: TypeAlias = Literal["anyone", "signed in", "reader", "member", "player", "arbitrator", "machine"]
Own: TypeAlias = Literal["gang", "dispute", "oneself", "name", "battle", "concern", "fought", "open"]

WHO: dict[Who, str] = {
    "anyone": "everybody, signed in or not",
    "signed in": "everybody who is signed in, whatever they are a member of",
    "reader": "members of the campaign, and everybody where it is public",
    "member": "members of the campaign",
    "player": "players and Arbitrators",
    "arbitrator": "Arbitrators",
    "machine": "the person at the machine that keeps the database",
}
OWN: dict[Own, str] = {
    "gang": "their own gangs",
    "battle": "battles of their own gangs, where the campaign lets players record",
    "fought": "battles of their own gangs",
    "dispute": "their own disputes",
    "concern": "disputes of their own, or about what names a gang of theirs or none, in their own name",
    "oneself": "oneself",
    "open": "unless the host closed that",
    "name": "in their own name",
}
"""What somebody below an Arbitrator must be asking about."""


class Right(Record):
    """Who may ask for one operation. An Arbitrator may ask for all but `oneself` and `machine`."""

    who: Who
    writes: bool = False
    own: Own | None = None
    arbitrator_only: tuple[str, ...] = ()
    """Options that only an Arbitrator may give."""
    in_person: tuple[str, ...] = ()
    """Options that no token may give."""
    note: str = ""


class AccessRequest(Record):
    """What is asked about, as far as it decides who may ask."""

    gangs: frozenset[str] | None = None
    """Every gang that it concerns; None where that is not known, and then it is nobody's own."""
    beginning: frozenset[str] = frozenset()
    """Those of them that are enlisted by it."""
    person: str | None = None
    """Whom it is about, who opened the dispute, or in whose name it is said: by id."""
    opened_by: str | None = None
    """Who opened the dispute: by id."""
    options: Collection[str] = ()


class NotAllowed(RulesRefuse):
    """You may not ask for {operation!r} here: {why}."""

    operation: str
    why: str


def _reads(who: Who = "reader", *, own: Own | None = None, note: str = "") -> Right:
    return Right(who=who, own=own, note=note)


def _writes(
    who: Who = "arbitrator",
    *,
    own: Own | None = None,
    only: tuple[str, ...] = (),
    in_person: tuple[str, ...] = (),
    note: str = "",
) -> Right:
    return Right(who=who, writes=True, own=own, arbitrator_only=only, in_person=in_person, note=note)


OWN_GANG = _writes("player", own="gang")
OWN_GANG_BY_THE_BOOK = _writes("player", own="gang", only=("--beyond-rules",))
RECORD = _writes("player", own="battle")
FOUGHT = _writes("player", own="fought")

RIGHTS: dict[str, Right] = {
    "campaign armoury": _writes(),
    "campaign cycle": _writes(),
    "campaign dice": _writes(),
    "campaign export": _reads("member"),
    "campaign import": _writes("machine", note="an archive says itself who recorded what"),
    "campaign list": _reads("anyone", note="only those that one may read"),
    "campaign new": _writes(
        "signed in", own="open", note="unless the host closed that; its beginner is its Arbitrator"
    ),
    "campaign publish": _reads("machine", note="writes into a folder there"),
    "campaign show": _reads(),
    "campaign timeline": _reads(),
    "campaign use": _reads("machine", note="each client chooses for itself"),
    "campaign recorders": _writes(),
    "campaign visibility": _writes(),
    "member forget": _writes("signed in", own="oneself"),
    "member invite": _writes(in_person=("--back",)),
    "member invites": _reads("arbitrator"),
    "member list": _reads("member"),
    "member remove": _writes(),
    "member rename": _writes("signed in", own="oneself"),
    "member revoke-invite": _writes(),
    "member role": _writes(),
    "member token list": _reads("signed in", own="oneself"),
    "member token new": _writes("signed in", own="oneself"),
    "member token revoke": _writes("signed in", own="oneself"),
    "gang add": OWN_GANG,
    "gang amend": _writes(),
    "gang buy": _writes("player", own="gang", only=("--beyond-rules", "--given")),
    "gang captives": _reads(),
    "gang credits": _writes(),
    "gang emblem": _writes("player", own="gang", note="kept beside the log"),
    "gang export": _reads(),
    "gang hand-over": OWN_GANG_BY_THE_BOOK,
    "gang import": _reads("signed in", note="makes a sheet, and records nothing"),
    "gang leader": OWN_GANG,
    "gang ledger": _reads(),
    "gang new": OWN_GANG,
    "gang list": _reads(),
    "gang patronage": OWN_GANG,
    "gang release": _writes(),
    "gang reputation": _writes(),
    "gang sell": OWN_GANG,
    "gang show": _reads(),
    "gang stash": _reads(),
    "gang territories": _reads(),
    "gang territory": _writes(),
    "gang took-part": OWN_GANG,
    "gang warband": _reads(),
    "fighter add": OWN_GANG,
    "fighter advance": OWN_GANG,
    "fighter award": _writes(),
    "fighter hire": OWN_GANG_BY_THE_BOOK,
    "fighter promote": OWN_GANG_BY_THE_BOOK,
    "fighter rename": OWN_GANG,
    "fighter retire": OWN_GANG,
    "fighter roll": OWN_GANG,
    "fighter show": _reads(),
    "fighter actions": _reads(),
    "battle amend": _writes(),
    "battle close": RECORD,
    "battle continue": RECORD,
    "battle list": _reads(),
    "battle play": RECORD,
    "battle post": OWN_GANG,
    "battle confirm": FOUGHT,
    "battle object": FOUGHT,
    "battle proposal": _reads("player"),
    "battle proposals": _reads("member"),
    "battle propose": FOUGHT,
    "battle take-in": _writes(),
    "battle withdraw": FOUGHT,
    "battle record": RECORD,
    "battle show": _reads(),
    "draft answer": _writes("player"),
    "draft begin": _writes("player"),
    "draft discard": _writes("player"),
    "draft list": _reads("player"),
    "draft show": _reads("player"),
    "draft undo": _writes("player"),
    "roster diff": _reads(),
    "roster show": _reads(),
    "standings show": _reads(),
    "log confirm": _writes("player", own="name"),
    "log entry": _reads(),
    "log show": _reads(),
    "entry add": _writes(),
    "entry amend": _writes(),
    "explain": _reads(),
    "dispute comment": _writes("player", own="concern"),
    "dispute list": _reads(),
    "dispute open": _writes("player", own="name"),
    "dispute preview": _reads("member"),
    "dispute rule": _writes(),
    "dispute show": _reads(),
    "dispute withdraw": _writes("player", own="dispute"),
    "rollback preview": _reads("member"),
    "rollback rule": _writes(),
    "policy adopt": _writes(),
    "policy history": _reads(),
    "policy list": _reads(),
    "policy repeal": _writes(),
    "policy show": _reads(),
    "policy what-if": _reads("member"),
    "webhook add": _writes(),
    "webhook list": _reads("arbitrator"),
    "webhook remove": _writes(),
    "webhook send": _writes("machine", note="the service posts by itself"),
    "webhook show": _reads("arbitrator"),
    "judge": _reads("anyone"),
    "odds": _reads("anyone"),
    "rules list": _reads("anyone"),
    "rules show": _reads("anyone"),
    "dice abandon": _writes(),
    "dice close": _writes(note="the service reads the seed from a file of its machine"),
    "dice contribute": _writes("player", own="name"),
    "dice open": _writes(note="the service seals the seed in a file of its machine"),
    "dice reveal": _writes("player", own="name"),
    "dice show": _reads(),
    "dice use": _writes(),
    "dice withheld": _writes(),
    "audit checkpoint": _writes("machine", note="the key lies in a file there"),
    "audit consistency": _reads(),
    "audit cosign": _writes("machine", note="the key lies in a file there"),
    "audit cosigned": _writes("member", note="only what a named witness signed is kept"),
    "audit dice": _reads(),
    "audit heads": _reads(),
    "audit key new": _writes("machine", note="the key lies in a file there"),
    "audit key rotate": _writes("machine", note="the key lies in a file there"),
    "audit key show": _reads(),
    "audit prove": _reads(),
    "audit report": _reads(),
    "audit verify": _reads("member"),
    "audit witnesses": _writes(),
    "boards rebuild": _writes("machine"),
    "boards verify": _reads("arbitrator"),
    "armoury check": _reads("anyone"),
    "armoury import": _reads("anyone"),
    "armoury merge": _reads("anyone"),
    "armoury show": _reads("anyone"),
    "schema": _reads("anyone"),
    "db backup": _reads("machine"),
    "host cell add": _writes("machine"),
    "host cell list": _reads("machine"),
    "host move": _writes("machine"),
    "host stats": _reads("machine"),
    "host replay": _reads("machine"),
    "host what-if": _reads("machine"),
    "db current": _reads("machine"),
    "db upgrade": _writes("machine"),
    "daemon": _reads("machine"),
    "doctor": _reads("machine"),
    "host export": _reads("machine", note="writes into a folder there"),
    "serve": _reads("machine"),
    "login": _reads("anyone"),
    "logout": _reads("anyone"),
    "completion": _reads("anyone"),
    "help": _reads("anyone"),
}


def why_not(standing: CampaignStanding, operation: str, request: AccessRequest | None = None) -> str:
    """Why somebody may not ask for an operation; nothing where they may.

    Without a request: whether they may ask for it at all, whatever it turns out to be about. What has no
    right is for nobody but the machine.
    """
    right = RIGHTS.get(operation)
    if standing.machine:
        return ""
    if right is None or right.who == "machine":
        return f"it is for {WHO['machine']}"
    if standing.by_token and (right.own == "oneself" and right.writes):
        return "a token does not: sign in yourself"
    if standing.by_token and request is not None and {*right.in_person} & {*request.options}:
        return f"a token does not give {', '.join(right.in_person)}: sign in yourself"
    if right.own == "oneself":
        return _not_oneself(standing, request)
    if not _is(standing, right.who):
        return f"it is for {WHO[right.who]}"
    if right.own == "open":
        return "" if standing.may_begin else "the host has closed that: ask them"
    if right.own is None or standing.role == "arbitrator":
        return ""
    if right.own == "battle" and not standing.players_record:
        instead = (
            ". Send the report in with 'arbitrator battle propose'" if operation == "battle record" else ""
        )
        return f"in this campaign the Arbitrators record the battles{instead}"
    if request is None:
        return ""
    given = sorted({*right.arbitrator_only} & {*request.options})
    if given:
        return f"{', '.join(given)} is for Arbitrators"
    if right.own in ("gang", "battle", "fought"):
        return _not_own_gangs(standing, request, all_of_them=right.own == "gang")
    if standing.person != request.person:
        return f"players do it for {OWN[right.own]} only"
    if right.own == "concern" and request.gangs and standing.person != request.opened_by:
        return _not_own_gangs(standing, request, all_of_them=False)
    return ""


def is_for_strangers(operation: str) -> bool:
    """Whether it may be asked for by who is not signed in: of a public campaign, or of none."""
    right = RIGHTS.get(operation)
    return right is not None and not right.writes and right.who in ("anyone", "reader")


def may(standing: CampaignStanding, operation: str, request: AccessRequest | None = None) -> bool:
    """Whether somebody may ask for an operation: see `why_not`."""
    return not why_not(standing, operation, request)


def require(standing: CampaignStanding, operation: str, request: AccessRequest | None = None) -> None:
    """Raises NotAllowed."""
    why = why_not(standing, operation, request)
    if why:
        raise NotAllowed(operation=operation, why=why)


def _is(standing: CampaignStanding, who: Who) -> bool:
    match who:
        case "anyone":
            return True
        case "signed in":
            return standing.person is not None
        case "reader":
            return standing.public or standing.role is not None
        case "member":
            return standing.role is not None
        case "player":
            return standing.role in ("player", "arbitrator")
        case "arbitrator":
            return standing.role == "arbitrator"
        case "machine":
            return standing.machine


def _not_oneself(standing: CampaignStanding, request: AccessRequest | None) -> str:
    """An Arbitrator is no exception: a name, a token, a key is its person's in every campaign."""
    if standing.person is None:
        return f"it is for {WHO['signed in']}"
    about = standing.person if request is None else request.person
    return "" if about == standing.person else "everybody does it for themselves"


def _not_own_gangs(standing: CampaignStanding, request: AccessRequest, *, all_of_them: bool) -> str:
    """Why these are not somebody's own; of a battle one gang is enough: it has another side."""
    own, concerned = {*standing.gangs}, request.gangs or frozenset()
    if GANG_TO_COME in own and len(request.beginning) == 1:
        own |= request.beginning
    if concerned and (concerned <= own if all_of_them else concerned & own):
        return ""
    others = sorted(concerned - own)
    if not others:
        return "it does not say which of yours it is about"
    return f"{', '.join(others)} {'is' if len(others) == 1 else 'are'} not yours"
