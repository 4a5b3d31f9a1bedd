"""A small club at play: a campaign, and random things that may happen in it, each under a command key.

Knows the service as the command line does. What the rules refuse on the day is not counted as done.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import arming
import scenario
from sqlalchemy import Engine

from tracker.campaign import records
from tracker.campaign.profiles import Category, Weapon, WeaponProfile
from tracker.campaign.state import CampaignState
from tracker.errors import Refusal
from tracker.log.store import EventStore
from tracker.service.application import Tracker
from tracker.service.command_handler import CommandWithDice, RecordResult
from tracker.service.ruling_request import RulingRequest

BOOK = "necromunda_2023"
GANGS = ("skulls", "saints")
CREW: tuple[Category, ...] = ("leader", "champion", "ganger", "ganger")
GUN = Weapon(
    weapon="autogun",
    profiles=(WeaponProfile(strength=4, range_short_inches=8, range_long_inches=24, ammo=4),),
)


def sqlite(file: Path) -> str:
    """The URL of a file."""
    return f"sqlite:///{file}"


def open_tracker(url: str, *, seed: int = 0, actor: str = "arbitrator") -> Tracker:
    """A tracker with seeded dice; its clock and its ids are the machine's own."""
    dice = random.Random(seed)
    return Tracker(url, actor=actor, roller=lambda sides: dice.randint(1, sides))


@contextmanager
def opened(url: str, *, seed: int = 0) -> Iterator[Tracker]:
    """A tracker that is closed again."""
    tracker = open_tracker(url, seed=seed)
    try:
        yield tracker
    finally:
        tracker.close()


def begin(tracker: Tracker, slug: str = "club", *, armed: random.Random | None = None) -> str:
    """Open a campaign with two gangs, `armed` with random skills and weapons; gives its id."""
    campaign = tracker.commands.open_campaign(
        name=slug.capitalize(), slug=slug, book=BOOK, preset=None
    ).campaign
    for gang in GANGS:
        cards = (
            scenario.card(
                f"{gang}-{number}", name=f"{gang.capitalize()} {number}", category=rank, kind="Ganger", cost_credits=50,
                weapons=(GUN,),
            )
            for number, rank in enumerate(CREW)
        )  # fmt: skip
        enlist = scenario.enlist(gang, *cards, house="Club", player=gang, credits=100)
        if armed is not None:
            enlist = arming.arm(enlist, armed)
        tracker.commands.play(campaign, [CommandWithDice(command=enlist)], key=f"gang:{gang}")
    return campaign


def something(
    tracker: Tracker,
    campaign: str,
    dice: random.Random,
    *,
    key: str,
    rulings: bool = True,
    armed: bool = False,
) -> RecordResult | None:
    """One thing that may happen, recorded under this key; None when the rules refuse it today.

    `armed`: the gangs have skills and weapons to attack with.
    A ruling comes as two entries of their own: first the dispute.
    """
    try:
        if rulings and dice.random() < 0.08:
            return _arbitrate(tracker, campaign, dice)
        return tracker.commands.play(
            campaign,
            [CommandWithDice(command=_command(tracker, campaign, dice, armed=armed))],
            key=key,
            roll=True,
        )
    except Refusal as refusal:
        if refusal.exit_code != 1:
            raise
        return None


def _command(tracker: Tracker, campaign: str, dice: random.Random, *, armed: bool = False) -> records.Command:
    state = tracker.repository.state(campaign)
    who = dice.choice(enlisted(state) or list(state.gang_of))
    chance = dice.random()
    if state.under_way is None:
        if chance < 0.5:
            return records.OpenBattle(
                battle=f"b{state.battle_number}-{dice.randrange(10**9)}",
                scenario="Ambush",
                date="2026-11-21",
                crews=dict.fromkeys(GANGS, ()),
            )
        if chance < 0.55:
            return records.RetireFighter(fighter=who, reason="had enough")
        if chance < 0.75:
            return records.RenameFighter(fighter=who, name=f"Name {dice.randrange(1000)}")
        return records.AwardExperience(fighter=who, amount=dice.randint(1, 3), reason="a good evening")
    if chance < 0.12:
        return records.CloseBattle(winner=dice.choice(GANGS))
    both = {gang: crew for gang, crew in state.under_way.crews.items() if len(crew) > 1}
    if armed and len(both) == len(GANGS):
        attack = arming.attack(dice, state, both, f"{state.battle_number}.{dice.randrange(9)}")
        if attack is not None:
            return attack
    crews = [crew for crew in state.under_way.crews.values() if crew]
    if len(crews) < 2:
        return records.CloseBattle(winner=None, drawn=True)
    dice.shuffle(crews)
    attacker, target = (dice.choice(crew) for crew in crews)
    return records.ResolveHit(target=target, attacker=attacker, weapon="gun" if armed else GUN.weapon)


def enlisted(state: CampaignState) -> list[str]:
    """Who is still there."""
    return [
        fighter
        for fighter in state.gang_of
        if (found := state.fighter(fighter)) and found.standing == "enlisted"
    ]


def _arbitrate(tracker: Tracker, campaign: str, dice: random.Random) -> RecordResult | None:
    """Dispute a recent roll and rule on it at once, whichever way it goes."""
    entries = tracker.repository.store.head(campaign).entries
    entry = tracker.repository.log.entry(campaign, dice.randint(max(1, entries - 10), entries))
    rolls = [recorded for recorded in entry if isinstance(recorded.event, records.RollMade)]
    if not rolls:
        return None
    disputed = dice.choice(rolls)
    address = f"{disputed.entry}.{disputed.position}"
    opened = tracker.disputes.open(campaign, address, reason="cocked", raised_by="a player")
    number = str(opened.entries[0][0].entry)
    answer = RulingRequest(verdict="voided" if dice.random() < 0.3 else "confirmed", reason="seen by all")
    try:
        return tracker.rulings.rule(campaign, number, answer, roll=True)
    except Refusal as refusal:
        if refusal.exit_code != 1:
            raise
        return tracker.rulings.rule(
            campaign, number, RulingRequest(verdict="confirmed", reason="left as it was")
        )


def everything_holds(tracker: Tracker, campaign: str) -> None:
    """Chain, drift, boards, snapshots, guards: all as they must be."""
    audit = tracker.audit.verify(campaign)
    assert audit.ok, audit


def verified_size(engine: Engine, campaign: str) -> int | None:
    """How many events the log holds; None when its chain does not hold."""
    store = EventStore(engine)
    report = store.verify(campaign)
    return store.head(campaign).size if report.ok else None
