"""The page of a campaign's members: roles, invitation links, and settings of the campaign.

Every change runs the same command as on the command line, which checks the rights. Only the page that makes a
link shows its secret.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from markupsafe import Markup

from tracker.cli.service_address import is_only_here, link
from tracker.documents.text import NOTE_CHARACTERS_MAX
from tracker.people.records import GANG_TO_COME, ROLES
from tracker.reports.names import Names
from tracker.reports.page import Page, Row
from tracker.server.pages import qr_code
from tracker.server.pages.abilities import ROLES as ROLES_IN_WORDS
from tracker.server.pages.abilities import abilities
from tracker.server.pages.forms import FormValues, Redirect, whole_number
from tracker.server.pages.page_request import PageRequest
from tracker.server.pages.words import here, names_of
from tracker.service.sign_in import INVITE_DAYS, INVITE_DAYS_MOST, INVITE_USES_MOST

GANG_TO_COME_IN_WORDS: Final = "a {game.gang} still to come"
_AS: Final = {"player": "a player", "spectator": "a spectator", "arbitrator": "an Arbitrator"}
ROLE_WORDS: Final = {
    "player": "Player",
    "spectator": "Spectator",
    "arbitrator": "Arbitrator",
}


class MadeLink(NamedTuple):
    """A new link; it is shown only once."""

    address: str
    picture: Markup
    what: str
    """The effect of the link, and the person it is for."""
    only_here: str
    """The service's address where other devices cannot reach it, else empty."""
    is_known: bool
    """Whether the same form made it before."""


class HeldGang(NamedTuple):
    """A gang that somebody plays."""

    gang: str
    name: str
    is_enlisted: bool


def members(request: PageRequest) -> Mapping[str, Any]:
    """All members, the open links, and the settings."""
    listed = request.data("member list")
    names = names_of(request)
    players: dict[str, list[str]] = {}
    rows = []
    for member in listed["members"]:
        for gang in member["gangs"]:
            players.setdefault(gang, []).append(member["name"])
        rows.append({**member, "gangs": [_held(gang, names) for gang in member["gangs"]]})
    may_invite = request.may("member invite")
    return {
        "members": rows,
        "invites": _open_links(request, names) if request.may("member invites") else (),
        "gangs": [(gang, name, players.get(gang, ())) for gang, name in names.gangs.items()],
        "may_invite": may_invite,
        "mine": request.caller.actor if request.caller is not None else "",
        "visibility": listed["visibility"],
        "recorders": listed["battles"],
        "dice": request.tracker.people.dice(request.known_campaign),
        "roles": ROLE_WORDS,
        "made": request.made,
        "abilities": abilities(players_record=listed["battles"] == "players"),
        "role_columns": tuple(ROLES_IN_WORDS),
        "days": INVITE_DAYS,
        "days_most": INVITE_DAYS_MOST,
        "uses_most": INVITE_USES_MOST,
        "note_max": NOTE_CHARACTERS_MAX,
        "filled": request.typed if request.refused else FormValues({}),
        "to_come": GANG_TO_COME,
    }


def invite(request: PageRequest, filled: FormValues) -> None:
    """Make a link, shown once on the same page. `new_gang` counts only for a player."""
    role = filled.get("role")
    uses = whole_number(filled, "uses", "How many people may use it", least=1, most=INVITE_USES_MOST)
    days = whole_number(filled, "days", "How many days it works", least=1, most=INVITE_DAYS_MOST)
    note = filled.get("note")
    receipt = _do(
        request,
        filled,
        "member invite",
        role=role if role in ROLES else None,
        gangs=filled.all("gang"),
        new_gang=role == "player" and "new_gang" in filled,
        uses=uses or 1,
        days=days or INVITE_DAYS,
        note=note,
    )
    people = "one person" if uses in (None, 1) else f"{uses} people"
    what = f"It lets {people} in, as {_AS[role]}."
    _show(request, receipt, f"{what} You noted: {note}" if note else what)


def back(request: PageRequest, filled: FormValues) -> None:
    """Make a link for somebody who can no longer sign in."""
    who = filled.get("who")
    receipt = _do(request, filled, "member invite", back=who)
    name = request.tracker.people.person(who).name
    _show(request, receipt, f"It signs {name} in again, once, within a day. Nobody else should have it.")


def revoke(request: PageRequest, filled: FormValues) -> Redirect:
    """Revoke a link."""
    _do(request, filled, "member revoke-invite", invite=filled.get("invite"))
    return Redirect(here(request, "/members#links"))


def change_role(request: PageRequest, filled: FormValues) -> Redirect:
    """Change a role, or a player's gangs to the ticked ones."""
    role = filled.get("role")
    gangs = filled.all("gang") if role == "player" else []
    new_gang = role == "player" and "new_gang" in filled
    _do(
        request,
        filled,
        "member role",
        who=filled.get("who"),
        role=role,
        gangs=gangs,
        new_gang=new_gang,
        no_gangs=not (gangs or new_gang),
    )
    return Redirect(here(request, "/members"))


def remove(request: PageRequest, filled: FormValues) -> Redirect:
    """Remove a member. Whoever removes themself is sent to the list of campaigns."""
    who = filled.get("who")
    _do(request, filled, "member remove", who=who)
    is_own = request.caller is not None and who == request.caller.actor
    return Redirect("/" if is_own else here(request, "/members"))


def set_visibility(request: PageRequest, filled: FormValues) -> Redirect:
    """Set who reads the campaign."""
    _do(request, filled, "campaign visibility", who=filled.get("visibility"))
    return Redirect(here(request, "/members#for-all"))


def set_recorders(request: PageRequest, filled: FormValues) -> Redirect:
    """Set who records battles."""
    _do(request, filled, "campaign recorders", who=filled.get("recorders"))
    return Redirect(here(request, "/members#for-all"))


def set_dice(request: PageRequest, filled: FormValues) -> Redirect:
    """Set whose dice the pages offer first."""
    _do(request, filled, "campaign dice", whose=filled.get("dice"))
    return Redirect(here(request, "/members#for-all"))


def welcome(request: PageRequest) -> Mapping[str, Any]:
    """The page for a new member, with their next steps."""
    assert request.caller is not None, "who has a role is signed in"
    people, campaign = request.tracker.people, request.known_campaign
    standing = people.standing(campaign, request.caller.actor)
    names = names_of(request)
    return {
        "role": standing.role,
        "role_words": ROLE_WORDS.get(standing.role or "", "visitor"),
        "gangs": [_held(gang, names) for gang in standing.gangs],
        "has_passkey": bool(people.passkeys.of(request.caller.actor)),
    }


def _held(gang: str, names: Names) -> HeldGang:
    if gang == GANG_TO_COME:
        return HeldGang(gang, names.game.said(GANG_TO_COME_IN_WORDS), is_enlisted=False)
    return HeldGang(gang, names.gangs.get(gang, gang), is_enlisted=gang in names.gangs)


def _open_links(request: PageRequest, names: Names) -> list[Row]:
    links = request.data("member invites")["invites"]
    return [{**row, "gangs": [_held(gang, names) for gang in row["gangs"]]} for row in links if row["open"]]


def _do(request: PageRequest, filled: FormValues, command: str, **given: Any) -> Page:
    assert request.caller is not None, "who writes is signed in"
    receipt = request.do(command, sending=filled.sending(request.caller.actor), **given)
    assert isinstance(receipt, Page), "what was done is a page"
    return receipt


def _show(request: PageRequest, receipt: Page, what: str) -> None:
    address = link(request.address, receipt.data()["secret"])
    request.made = MadeLink(
        address,
        qr_code.svg(address),
        what,
        request.address if is_only_here(request.address) else "",
        receipt.data()["is_known"],
    )
