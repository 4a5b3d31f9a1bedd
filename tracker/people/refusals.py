"""What is refused about people. Knows facts only.

Who signs in hears one answer, whatever was wrong: only its owner sees whether a token expired or was revoked.
"""

from tracker.errors import BadInput, RulesRefuse


class NotSignedIn(RulesRefuse):
    """Nobody is signed in. Sign in, or ask the Arbitrator for a link."""


class TokenNotValid(NotSignedIn):
    """This token does not sign anybody in: it may be mistyped, expired or revoked. Its owner sees which in
    'arbitrator member token list', and makes another with 'arbitrator member token new'.
    """


class SessionNotValid(NotSignedIn):
    """This session has ended. Sign in again."""


class InviteNotValid(NotSignedIn):
    """This link does not let anybody in: it may be mistyped, used up, expired or revoked. Ask the Arbitrator
    who sent it for another.
    """


class PasskeyNotValid(NotSignedIn):
    """This passkey does not sign anybody in. Ask the Arbitrator for a link that lets you back in."""


class DiscordNotKnown(NotSignedIn):
    """This Discord account belongs to nobody here. Open the link that the Arbitrator of your campaign sent
    you, and sign in with Discord from there.
    """


class DiscordDoesNotSay(NotSignedIn):
    """Discord does not say who you are. Begin again, or sign in another way."""


class ChallengeNotValid(NotSignedIn):
    """This sign-in took too long, or was finished already. Begin it again."""


class UnknownPerson(BadInput):
    """Nobody here is called {person!r}.{person:nearest} See 'arbitrator member list'."""

    person: str
    known: tuple[str, ...] = ()


class PersonNameAmbiguous(BadInput):
    """{person!r} is the name of several people: {ids}. Name one by the id."""

    person: str
    ids: tuple[str, ...]


class PersonNameNotUsable(BadInput):
    """A name has 1 to {most} letters that can be read, and is no id of a person: {why}."""

    why: str
    most: int


class PersonNameTaken(RulesRefuse):
    """Somebody else in the same campaign is called {name!r}, or so that it reads the same. Choose another
    name: the log would show both of you alike.
    """

    name: str
    campaign: str


class PersonForgotten(RulesRefuse):
    """{person} was forgotten: only the id is left, for what they recorded. Invite them anew."""

    person: str


class NoMember(BadInput):
    """{person} is no member of this campaign. See 'arbitrator member list'; 'arbitrator member invite' lets
    them in.
    """

    person: str


class MemberAlready(RulesRefuse):
    """{name} is a member of this campaign already, as {role}, and the link would change nothing. It was not
    used up.
    """

    name: str
    role: str


class LastArbitrator(RulesRefuse):
    """{name} is the only Arbitrator of this campaign: first make somebody else one, with 'arbitrator member
    role'.
    """

    name: str


class OnlyPlayersHaveGangs(BadInput):
    """{game.Gangs} are for players: {role} has none. Leave out --gang, or choose the role player."""

    role: str


class InviteNotUsable(BadInput):
    """An invite is for 1 to {uses_most} uses and {days_most} days at most, and at least one day."""

    uses_most: int
    days_most: int


class UnknownInvite(BadInput):
    """This campaign has no open invite {invite!r}. See 'arbitrator member invites'."""

    invite: str


class UnknownToken(BadInput):
    """{person} has no token {token!r} that is in force. See 'arbitrator member token list'."""

    person: str
    token: str


class MayNotBringBack(RulesRefuse):
    """A link that signs {name} in would open all their campaigns, and you are not Arbitrator of each. Ask who
    keeps the service: there 'arbitrator member invite --back' makes it.
    """

    name: str


class PasskeyTaken(RulesRefuse):
    """This passkey is registered already. Sign in with it."""


class IdentityTaken(RulesRefuse):
    """{identity} signs in somebody else here already. Use another account."""

    identity: str
