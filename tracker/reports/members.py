"""Members, links and tokens as pages. Only the page that makes a secret shows it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tracker.people.records import GANG_TO_COME, CampaignStanding, Invite, Member, Person, Token
from tracker.reports.log import when
from tracker.reports.page import DataTable, Page, Text
from tracker.reports.plain_data import plain_data
from tracker.service.sign_in import MadeInvite, MadeToken


def role_words(member: Member) -> str:
    """'player of iron-skulls, saints'."""
    gangs = f" of {_gangs(member.gangs)}" if member.gangs else ""
    return f"{member.role}{gangs}"


def _gangs(gangs: Sequence[str]) -> str:
    return ", ".join("a gang to come" if gang == GANG_TO_COME else gang for gang in gangs)


def members_page(members: Sequence[tuple[Member, Person]], standing: CampaignStanding) -> Page:
    """Everybody in a campaign, and its settings."""
    reads = "everybody" if standing.public else "members only"
    recorders = (
        "players" if standing.players_record else "coaches" if standing.coaches_settle else "arbitrators"
    )
    records_battles = {
        "arbitrators": "Arbitrators",
        "players": "Arbitrators, and players whose gang fought",
        "coaches": "Arbitrators, and players of all gangs that fought, once they agree",
    }[recorders]
    columns = ("Name", "Role", "Gangs", "Since", "Id")
    rows = [
        (person.name, member.role, _gangs(member.gangs), member.since[:10], member.person)
        for member, person in members
    ]
    return Page(
        schema="members",
        blocks=lambda: [
            [
                DataTable(columns, rows)
                if rows
                else Text(["No members: 'arbitrator member invite' brings them in."])
            ],
            [Text([f"Read by: {reads}. Battles recorded by: {records_battles}."])],
        ],
        data=lambda: {
            "visibility": "public" if standing.public else "private",
            "battles": recorders,
            "members": [{**plain_data(member), "name": person.name} for member, person in members],
        },
    )


def invites_page(invites: Sequence[Invite], is_open: Mapping[str, bool]) -> Page:
    """The links of a campaign, without their secrets."""
    columns = ("Invite", "Role", "Gangs", "Uses left", "Until", "State", "Note")
    rows = [
        (
            invite.invite,
            invite.role,
            _gangs(invite.gangs),
            invite.uses_left,
            invite.expires_at[:10],
            _invite_state(invite, open_now=is_open[invite.invite]),
            invite.note,
        )
        for invite in invites
    ]
    return Page(
        schema="invites",
        blocks=lambda: [[DataTable(columns, rows) if rows else Text(["No links."])]],
        data=lambda: {
            "invites": [{**plain_data(invite), "open": is_open[invite.invite]} for invite in invites]
        },
    )


def _invite_state(invite: Invite, *, open_now: bool) -> str:
    if open_now:
        return "open"
    if invite.revoked_at is not None:
        return "revoked"
    return "used up" if invite.uses_left == 0 else "expired"


def made_invite_page(made: MadeInvite, link: str | None) -> Page:
    """A new link, shown once; without a known address of the service, only its secret."""
    invite = made.invite
    what = "lets them back in" if invite.role is None else f"makes a {invite.role}"
    how = "Send it to them: it opens in a browser, and 'arbitrator login' takes it."
    if link is None:
        how = "No service is known here: 'arbitrator serve' starts one, --service-address says where it is."
    lines = [
        link or made.secret,
        f"{invite.invite}: {what}, until {when(invite.expires_at)}.",
        how,
        "It is shown this once; whoever has it may use it.",
    ]
    return Page(
        schema="invite-made",
        blocks=lambda: [[Text(lines)]],
        data=lambda: {
            "secret": made.secret,
            "link": link,
            "is_known": made.is_known,
            "invite": plain_data(invite),
        },
    )


def tokens_page(tokens: Sequence[Token], in_force: Mapping[str, bool]) -> Page:
    """The tokens of a person, without their secrets."""
    columns = ("Token", "Label", "May", "Made", "Until", "Last used", "State")
    rows = [
        (
            token.token,
            token.label,
            token.scope,
            token.made_at[:10],
            (token.expires_at or "revoked")[:10],
            "never" if token.last_used_at is None else when(token.last_used_at),
            _token_state(token, in_force=in_force[token.token]),
        )
        for token in tokens
    ]
    return Page(
        schema="tokens",
        blocks=lambda: [[DataTable(columns, rows) if rows else Text(["No tokens."])]],
        data=lambda: {
            "tokens": [{**plain_data(token), "in_force": in_force[token.token]} for token in tokens]
        },
    )


def _token_state(token: Token, *, in_force: bool) -> str:
    if in_force:
        return "in force"
    return "expired" if token.revoked_at is None else "revoked"


def made_token_page(made: MadeToken, person: Person) -> Page:
    """A new token, shown once."""
    token = made.token
    until = "until it is revoked" if token.expires_at is None else f"until {when(token.expires_at)}"
    may = "reads" if token.scope == "read" else "does what its person may"
    lines = [made.secret, f"{token.token}: signs {person.name} in, {may}, {until}.", "It is shown this once."]
    return Page(
        schema="token-made",
        blocks=lambda: [[Text(lines)]],
        data=lambda: {"secret": made.secret, "token": plain_data(token)},
    )


def done_page(line: str, facts: Mapping[str, Any]) -> Page:
    """The result of a command, in a line."""
    return Page(schema="member", blocks=lambda: [[Text([line])]], data=lambda: dict(facts))
