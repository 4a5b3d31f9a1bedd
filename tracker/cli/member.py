"""Members of a campaign: links that bring them in, roles, tokens, and forgetting them."""

from __future__ import annotations

from typing import cast, get_args

import click

from tracker.cli import service_address as addresses
from tracker.cli.options import as_json, pass_session, show
from tracker.cli.session import Session
from tracker.errors import BadInput
from tracker.people.records import Person, Role, Scope
from tracker.people.secrets import is_person_id
from tracker.reports import members as pages

ROLE = click.Choice(get_args(Role))


class ForgetForGood(BadInput):
    """Forgetting {name} cannot be taken back: names, roles, links, tokens, sessions and keys are deleted, in
    every campaign here, and entries show "a former player". Say that you mean it: --for-good.
    """

    name: str


class BackOrIn(BadInput):
    """A link brings somebody in with --role, or lets WHO back in with --back WHO: one of the two."""


@click.group("member")
def command() -> None:
    """Members of a campaign: invite, list, change roles; tokens; forget."""


@command.command("invite")
@click.option("--role", type=ROLE, help="What the link makes somebody.")
@click.option("--gang", "gangs", multiple=True, metavar="GANG", help="A player's gang; may be repeated.")
@click.option("--uses", type=int, default=1, show_default=True, help="How many may come in by it.")
@click.option("--days", type=int, default=14, show_default=True, help="How long it works.")
@click.option("--note", default="", help="Whom it is for, to know it again.")
@click.option("--back", metavar="WHO", help="A link for one day that signs WHO in, whose key is lost.")
@addresses.service_address_option("Where the service is reached. [default: as 'serve' said last]")
@as_json
@pass_session
def invite(
    session: Session,
    role: Role | None,
    gangs: tuple[str, ...],
    uses: int,
    days: int,
    note: str,
    back: str | None,
    service_address: str | None,
    as_json: bool,
) -> None:
    """Make a link that brings somebody in. It is shown once: whoever has it may use it.

    A gang that is not enlisted yet may be named by the id that it will have.
    """
    if (role is None) == (back is None):
        raise BackOrIn
    campaign, invites = session.campaign, session.tracker.people.invites
    address = addresses.known_address(session, service_address)
    if role is not None:
        made = invites.new(
            campaign, role=role, gangs=gangs, uses=uses, days=days, note=note, by=_signed_in(session)
        )
    else:
        person = session.tracker.people.named(cast("str", back), campaign=campaign)
        made = invites.back(person.person, by=_signed_in(session))
    session.note("The link is made")
    link = None if address is None else addresses.link(address, made.secret)
    show(pages.made_invite_page(made, link), as_json=as_json)


@command.command("invites")
@as_json
@pass_session
def invites(session: Session, as_json: bool) -> None:
    """The links of the campaign, and which still let somebody in."""
    service = session.tracker.people.invites
    found = service.of(session.campaign)
    is_open = {made.invite: service.is_open(made) for made in found}
    show(pages.invites_page(found, is_open), as_json=as_json)


@command.command("revoke-invite")
@click.argument("invite")
@as_json
@pass_session
def revoke_invite(session: Session, invite: str, as_json: bool) -> None:
    """A link lets nobody in any more; who came in by it stays."""
    session.tracker.people.invites.revoke(session.campaign, invite)
    show(pages.done_page(f"{invite} lets nobody in any more.", {"invite": invite}), as_json=as_json)


@command.command("list")
@as_json
@pass_session
def list_(session: Session, as_json: bool) -> None:
    """Who is a member, as what, and who reads the campaign besides."""
    people, campaign = session.tracker.people, session.campaign
    members = [(member, people.person(member.person)) for member in people.members(campaign)]
    standing = people.standing(campaign, None)
    show(pages.members_page(members, standing), as_json=as_json)


@command.command("role")
@click.argument("who")
@click.argument("role", type=ROLE)
@click.option(
    "--gang", "gangs", multiple=True, metavar="GANG", help="All gangs of a player; may be repeated."
)
@as_json
@pass_session
def role_(session: Session, who: str, role: Role, gangs: tuple[str, ...], as_json: bool) -> None:
    """Another role for WHO, or other gangs."""
    person = _member(session, who)
    member = session.tracker.people.set_role(session.campaign, person.person, role=role, gangs=gangs or None)
    facts = {"person": person.person, "name": person.name, "role": member.role, "gangs": list(member.gangs)}
    show(pages.done_page(f"{person.name} is {pages.role_words(member)} now.", facts), as_json=as_json)


@command.command("remove")
@click.argument("who")
@as_json
@pass_session
def remove(session: Session, who: str, as_json: bool) -> None:
    """WHO is no member any more, and the links that they made end; what they recorded stays."""
    person = _member(session, who)
    session.tracker.people.remove(session.campaign, person.person)
    facts = {"person": person.person, "name": person.name}
    show(pages.done_page(f"{person.name} is no member any more.", facts), as_json=as_json)


@command.command("rename")
@click.argument("who")
@click.argument("name")
@as_json
@pass_session
def rename(session: Session, who: str, name: str, as_json: bool) -> None:
    """Another NAME for WHO from today, in every campaign here; older entries show the one of their day."""
    person = _member(session, who)
    renamed = session.tracker.people.rename(person.person, name)
    facts = {"person": person.person, "name": renamed.name, "before": person.name}
    show(pages.done_page(f"{person.name} is called {renamed.name} from now on.", facts), as_json=as_json)


@command.command("forget")
@click.argument("who")
@click.option("--for-good", is_flag=True, help="Yes: it cannot be taken back.")
@as_json
@pass_session
def forget(session: Session, who: str, for_good: bool, as_json: bool) -> None:
    """Forget WHO in every campaign here: what they recorded stays, by "a former player"."""
    person = _member(session, who)
    if not for_good:
        raise ForgetForGood(name=person.name)
    session.tracker.people.forget(person.person)
    show(pages.done_page(f"{person.person} is forgotten.", {"person": person.person}), as_json=as_json)


@command.group("token")
def token() -> None:
    """Tokens that programs sign in with: new, list, revoke."""


@token.command("new")
@click.argument("who")
@click.option("--label", required=True, help="What it is for, to know it again.")
@click.option(
    "--scope",
    type=click.Choice(get_args(Scope)),
    default="read",
    show_default=True,
    help="Only read, or all that WHO may.",
)
@click.option("--everywhere", is_flag=True, help="For every campaign of WHO, not this one alone.")
@click.option("--days", type=click.IntRange(1, 3650), help="How long it works. [default: until revoked]")
@as_json
@pass_session
def new(
    session: Session,
    who: str,
    label: str,
    scope: Scope,
    everywhere: bool,
    days: int | None,
    as_json: bool,
) -> None:
    """Make a token for WHO. It is shown once."""
    person = _member(session, who)
    made = session.tracker.people.tokens.new(
        person.person,
        label=label,
        scope=scope,
        campaign=None if everywhere else session.campaign,
        days=days,
    )
    session.note("The token is made")
    show(pages.made_token_page(made, person), as_json=as_json)


@token.command("list")
@click.argument("who")
@as_json
@pass_session
def tokens(session: Session, who: str, as_json: bool) -> None:
    """The tokens of WHO, when each was used last, and which are in force."""
    person, service = _member(session, who), session.tracker.people.tokens
    found = service.of(person.person)
    in_force = {made.token: service.is_in_force(made) for made in found}
    show(pages.tokens_page(found, in_force), as_json=as_json)


@token.command("revoke")
@click.argument("who")
@click.argument("token")
@as_json
@pass_session
def revoke(session: Session, who: str, token: str, as_json: bool) -> None:
    """A TOKEN of WHO signs nobody in any more."""
    person = _member(session, who)
    session.tracker.people.tokens.revoke(person.person, token)
    show(pages.done_page(f"{token} signs nobody in any more.", {"token": token}), as_json=as_json)


def _signed_in(session: Session) -> str | None:
    """Who asks by id; None at the machine, where a name is typed."""
    return session.actor if is_person_id(session.actor) else None


def _member(session: Session, who: str) -> Person:
    return session.tracker.people.named(who, campaign=session.campaign)
