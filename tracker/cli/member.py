"""Members of a campaign: invitation links, roles, tokens, and deletion of personal data."""

from __future__ import annotations

from typing import cast, get_args

import click

from tracker.cli import service_address as addresses
from tracker.cli.options import as_json, pass_session, show
from tracker.cli.session import Session
from tracker.errors import BadInput
from tracker.people.records import GANG_TO_COME, Person, Role, Scope
from tracker.reports import members as pages

ROLE = click.Choice(get_args(Role))


class ForgetForGood(BadInput):
    """Forgetting {name} cannot be taken back: names, roles, links, tokens, sessions and keys are deleted, in
    every campaign here, and entries show "a former player". Say that you mean it: --for-good.
    """

    name: str


class BackOrIn(BadInput):
    """A link either invites somebody (--role) or lets WHO sign in again (--back WHO): give one of the two."""


@click.group("member")
def command() -> None:
    """Invite, list and forget people; change roles; make tokens."""


@command.command("invite")
@click.option("--role", type=ROLE, help="The role that the link gives.")
@click.option("--gang", "gangs", multiple=True, metavar="GANG", help="A player's gang; may be repeated.")
@click.option("--new-gang", is_flag=True, help="Let a player begin a gang and name it themselves.")
@click.option("--uses", type=int, default=1, show_default=True, help="How many people may use it.")
@click.option("--days", type=int, default=14, show_default=True, help="For how long it works.")
@click.option("--note", default="", help="Whom it is for; shown in the list of links.")
@click.option("--back", metavar="WHO", help="Make a link that signs WHO in again, valid for one day.")
@addresses.service_address_option("Where the service is reached. [default: as 'serve' said last]")
@as_json
@pass_session
def invite(
    session: Session,
    role: Role | None,
    gangs: tuple[str, ...],
    new_gang: bool,
    uses: int,
    days: int,
    note: str,
    back: str | None,
    service_address: str | None,
    as_json: bool,
) -> None:
    """Make a link that lets somebody in.

    The link is shown once. Whoever has it may use it. Name a gang that is not enlisted yet by the id that it
    will have.

    \b
    arbitrator member invite --role player --gang iron-skulls --note "for Dana"
    arbitrator member invite --back Dana
    """
    if (role is None) == (back is None):
        raise BackOrIn
    campaign, invites = session.campaign, session.tracker.people.invites
    address = addresses.known_address(session, service_address)
    if new_gang:
        gangs = (*gangs, GANG_TO_COME)
    if role is not None:
        made = invites.new(
            campaign, role=role, gangs=gangs, uses=uses, days=days, note=note, by=session.person,
            once=session.tracker.sent_once,
        )  # fmt: skip
    else:
        person = session.tracker.people.named(cast("str", back), campaign=campaign)
        made = invites.back(person.person, by=session.person, once=session.tracker.sent_once)
    session.note("The link is made")
    link = None if address is None else addresses.link(address, made.secret)
    show(pages.made_invite_page(made, link), as_json=as_json)


@command.command("invites")
@as_json
@pass_session
def invites(session: Session, as_json: bool) -> None:
    """List the campaign's invitation links and which still work.

    \b
    arbitrator member invites
    """
    service = session.tracker.people.invites
    links = service.of(session.campaign)
    is_open = {link.invite: service.is_open(link) for link in links}
    show(pages.invites_page(links, is_open), as_json=as_json)


@command.command("revoke-invite")
@click.argument("invite")
@as_json
@pass_session
def revoke_invite(session: Session, invite: str, as_json: bool) -> None:
    """Stop a link from letting anybody in.

    Members who used it stay.

    \b
    arbitrator member revoke-invite invite-7vjmyjc2
    """
    session.tracker.people.invites.revoke(session.campaign, invite)
    show(pages.done_page(f"{invite} no longer works.", {"invite": invite}), as_json=as_json)


@command.command("list")
@as_json
@pass_session
def list_(session: Session, as_json: bool) -> None:
    """List members with their roles, and who else reads along.

    \b
    arbitrator member list
    """
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
@click.option("--new-gang", is_flag=True, help="Let them begin one more gang and name it themselves.")
@click.option("--no-gangs", is_flag=True, help="Take all gangs from them.")
@as_json
@pass_session
def role_(
    session: Session,
    who: str,
    role: Role,
    gangs: tuple[str, ...],
    new_gang: bool,
    no_gangs: bool,
    as_json: bool,
) -> None:
    """Change what WHO may do, or which gangs they play.

    \b
    arbitrator member role Dana player --gang iron-skulls --gang rust-saints
    """
    if new_gang:
        gangs = (*gangs, GANG_TO_COME)
    if no_gangs and gangs:
        raise click.UsageError("--no-gangs goes with neither --gang nor --new-gang.")
    person = _member(session, who)
    member = session.tracker.people.set_role(
        session.campaign, person.person, role=role, gangs=gangs if gangs or no_gangs else None
    )
    facts = {"person": person.person, "name": person.name, "role": member.role, "gangs": list(member.gangs)}
    show(pages.done_page(f"{person.name} is {pages.role_words(member)} now.", facts), as_json=as_json)


@command.command("remove")
@click.argument("who")
@as_json
@pass_session
def remove(session: Session, who: str, as_json: bool) -> None:
    """Take WHO out of the campaign.

    The links that they made stop working. What they recorded stays.

    \b
    arbitrator member remove Robin
    """
    person = _member(session, who)
    session.tracker.people.remove(session.campaign, person.person)
    facts = {"person": person.person, "name": person.name}
    show(pages.done_page(f"{person.name} is no longer a member.", facts), as_json=as_json)


@command.command("rename")
@click.argument("who")
@click.argument("name")
@as_json
@pass_session
def rename(session: Session, who: str, name: str, as_json: bool) -> None:
    """Give WHO another name, in every campaign here.

    Older entries keep the name that they were recorded with.

    \b
    arbitrator member rename Robin "Robin B."
    """
    person = _member(session, who)
    renamed = session.tracker.people.rename(person.person, name)
    facts = {"person": person.person, "name": renamed.name, "before": person.name}
    show(pages.done_page(f"{person.name} is called {renamed.name} from now on.", facts), as_json=as_json)


@command.command("forget")
@click.argument("who")
@click.option("--for-good", is_flag=True, help="Really do it: it cannot be undone.")
@as_json
@pass_session
def forget(session: Session, who: str, for_good: bool, as_json: bool) -> None:
    """Delete what is known of WHO in every campaign here.

    What they recorded stays, by "a former player".

    \b
    arbitrator member forget Robin --for-good
    """
    person = _member(session, who)
    if not for_good:
        raise ForgetForGood(name=person.name)
    session.tracker.people.forget(person.person)
    show(pages.done_page(f"{person.person} is forgotten.", {"person": person.person}), as_json=as_json)


@command.group("token")
def token() -> None:
    """Make, list and revoke tokens that programs sign in with."""


@token.command("new")
@click.argument("who")
@click.option("--label", required=True, help="What it is for; shown in the list of tokens.")
@click.option(
    "--scope",
    type=click.Choice(get_args(Scope)),
    default="read",
    show_default=True,
    help="Only read, or do all that WHO may.",
)
@click.option("--everywhere", is_flag=True, help="For every campaign of WHO, not this one alone.")
@click.option("--days", type=click.IntRange(1, 3650), help="For how long it works. [default: until revoked]")
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
    """Make a token for a program of WHO.

    It is shown once.

    \b
    arbitrator member token new Dana --label "score board" --scope read
    """
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
    """List the tokens of WHO: which are valid, when last used.

    \b
    arbitrator member token list Dana
    """
    person, service = _member(session, who), session.tracker.people.tokens
    listed = service.of(person.person)
    in_force = {entry.token: service.is_in_force(entry) for entry in listed}
    show(pages.tokens_page(listed, in_force), as_json=as_json)


@token.command("revoke")
@click.argument("who")
@click.argument("token")
@as_json
@pass_session
def revoke(session: Session, who: str, token: str, as_json: bool) -> None:
    """Stop a TOKEN of WHO from signing in.

    \b
    arbitrator member token revoke Dana token-7vjmyjc2
    """
    person = _member(session, who)
    session.tracker.people.tokens.revoke(person.person, token)
    show(pages.done_page(f"{token} no longer works.", {"token": token}), as_json=as_json)


def _member(session: Session, who: str) -> Person:
    return session.tracker.people.named(who, campaign=session.campaign)
