"""The table of what each role may do, from the table of rights."""

from __future__ import annotations

from typing import Final, NamedTuple

from tracker import rights
from tracker.people.records import CampaignStanding
from tracker.records import replace

ABILITIES: Final = {
    "Read standings, {game.gangs}, battles and the log": "roster show",
    "See who is a member": "member list",
    "See what a ruling would change": "dispute preview",
    "Check the whole log": "audit verify",
    "Build a {game.gang}": "gang add",
    "Hire, advance, rename and retire fighters": "fighter hire",
    "Buy and sell": "gang buy",
    "Record battles": "battle record",
    "Record what follows a battle": "battle post",
    "Propose a battle's report, confirm it or object": "battle propose",
    "Dispute a roll": "dispute open",
    "Rule on disputes": "dispute rule",
    "Take a battle back": "rollback rule",
    "Correct what was recorded": "entry amend",
    "Give {game.credits} and XP": "gang credits",
    "Adopt and repeal house rules": "policy adopt",
    "Invite people, change roles and remove members": "member invite",
    "Say who reads the campaign and who records": "campaign visibility",
}
"""Labels, each with an operation that stands for several with the same rights."""
ROLES: Final = {
    "Visitor": CampaignStanding(public=True),
    "Spectator": CampaignStanding(person="somebody", role="spectator"),
    "Player": CampaignStanding(person="somebody", role="player"),
    "Arbitrator": CampaignStanding(person="somebody", role="arbitrator"),
}


class Ability(NamedTuple):
    """A line of the table: the label, and the answer for each role."""

    words: str
    answers: tuple[str, ...]


def abilities(*, players_record: bool) -> list[Ability]:
    """The table, for a campaign in which players may or may not record."""
    return [
        Ability(words, tuple(_answer(role, operation, players_record=players_record) for role in ROLES))
        for words, operation in ABILITIES.items()
    ]


def _answer(role: str, operation: str, *, players_record: bool) -> str:
    standing = replace(ROLES[role], players_record=players_record)
    if not rights.may(standing, operation):
        return "no"
    own = rights.RIGHTS[operation].own
    return "their own" if role == "Player" and own in ("gang", "battle", "fought") else "yes"
