"""Campaigns to measure on: six gangs fight battle after battle until the log is long enough.

Knows the service and how to keep a club playing: who is lost for good retires, and a recruit comes. The same
number of events is the same campaign, byte for byte, but for nothing: clock, ids and dice are all counted.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, count, cycle
from pathlib import Path

from tracker.campaign import records
from tracker.campaign.profiles import Armour, Category, Characteristics, Weapon, WeaponProfile
from tracker.campaign.state import CampaignState
from tracker.campaign.steps import decide_keeping_spare_dice
from tracker.dice import DiceTray, Die, read_die
from tracker.rules import loader
from tracker.service.application import Tracker
from tracker.service.command_handler import CommandWithDice

BOOK = "necromunda_2023"
GANGS = ("skulls", "saints", "rats", "ravens", "furnace", "lanterns")
CREW: tuple[Category, ...] = ("leader", "champion", *["ganger"] * 6)
HITS_IN_A_BATTLE = 24
SEED = 20261121
COPY_IDS_FROM = 10_000_000
"""Where the ids of events appended to a copy begin, behind all that the original holds."""

CARD_NUMBERS = Characteristics(
    movement=5,
    weapon_skill=4,
    ballistic_skill=4,
    strength=3,
    toughness=3,
    wounds=1,
    initiative=4,
    attacks=1,
    leadership=7,
    cool=7,
    willpower=7,
    intelligence=7,
)
GUN = Weapon(
    weapon="autogun",
    profiles=(
        WeaponProfile(
            strength=4, damage=1, range_short_inches=8, range_long_inches=24, traits=("Rapid Fire (1)",)
        ),
    ),
    cost_credits=15,
)


def open_tracker(place: Path | str, *, ids_from: int = 1) -> Tracker:
    """A tracker whose clock, ids and dice are counted, not found. `ids_from` keeps a copy's ids apart.

    `place` is an SQLite file, or the URL of a database.
    """
    ids = count(ids_from)
    dice = random.Random(SEED)
    return Tracker(
        f"sqlite:///{place}" if isinstance(place, Path) else place,
        actor="bench",
        clock=lambda: "2026-11-21T09:50:34Z",
        new_id=lambda: f"0190a000-0000-7000-8000-{next(ids):012x}",
        roller=lambda sides: dice.randint(1, sides),
    )


class GrownCampaign:
    """A campaign as it lies in a database."""

    def __init__(self, tracker: Tracker, campaign: str) -> None:
        self.tracker = tracker
        self.campaign = campaign

    @property
    def events(self) -> int:
        """How long the log is."""
        return self.tracker.repository.store.head(self.campaign).size


class Season(GrownCampaign):
    """One campaign, in a database of its own or among others under another `slug` and with another `seed`."""

    def __init__(
        self, tracker: Tracker, *, slug: str = "bench", seed: int = SEED, gangs: Sequence[str] = GANGS
    ) -> None:
        played = tracker.commands.open_campaign(name=slug.capitalize(), slug=slug, book=BOOK, preset=None)
        super().__init__(tracker, played.campaign)
        self._dice = random.Random(seed)
        self._recruits = count(1)
        self._pairings = cycle(combinations(gangs, 2))
        for gang in gangs:
            cards = tuple(self._card(rank) for rank in CREW)
            enlist = records.EnlistGang(
                gang=gang,
                name=gang.capitalize(),
                house="Bench",
                player=f"player of {gang}",
                credits=100,
                reputation=1,
                fighters=cards,
            )
            tracker.commands.play(self.campaign, [CommandWithDice(command=enlist)])

    def grow(self, events: int, progress: Callable[[int], None] = lambda _: None) -> None:
        """Play battles, each recorded whole as a report is, until the log holds at least so many events."""
        while (now := self.events) < events:
            progress(now)
            self._fight(events - now)

    # --- how a battle goes ---------------------------------------------------------------------------------

    def _fight(self, events_left: int) -> None:
        open_battle(self.tracker, self.campaign, next(self._pairings))
        state = self.tracker.repository.state(self.campaign)
        plans: list[CommandWithDice] = []
        written = 0
        for _ in range(HITS_IN_A_BATTLE):
            hit = self._next_hit(state)
            if hit is None or written > events_left:
                break
            state, written = self._add(plans, state, hit), written + 7
        winner = self._dice.choice(list(state.under_way.crews)) if state.under_way else None
        self._add(plans, state, records.CloseBattle(winner=winner))
        self.tracker.commands.play(self.campaign, plans, roll=True)
        self._replace_the_lost()

    def _next_hit(self, state: CampaignState) -> records.ResolveHit | None:
        assert state.under_way is not None, "hits fall in battles"
        crews = [
            [name for name in crew if not state.under_way.combatants[name].out_of_action]
            for crew in state.under_way.crews.values()
        ]
        self._dice.shuffle(crews)
        attackers = [name for name in crews[0] if not state.under_way.combatants[name].seriously_injured]
        if not attackers or not crews[1]:
            return None
        attacker, target = self._dice.choice(attackers), self._dice.choice(crews[1])
        return records.ResolveHit(target=target, attacker=attacker, weapon=GUN.weapon)

    def _add(
        self, plans: list[CommandWithDice], state: CampaignState, command: records.Command
    ) -> CampaignState:
        """Decide a command ahead, so that the next one can be chosen; played, it falls the same."""
        tray = DiceTray(roller=lambda sides: self._dice.randint(1, sides))
        judgement = decide_keeping_spare_dice(state, command, tray, loader.rulebook, entry=1)
        header = judgement.events[0].event
        assert isinstance(header, records.DecisionTaken), "an entry begins with its header"
        plans.append(CommandWithDice(command=command, dice=header.dice))
        return judgement.state

    def _replace_the_lost(self) -> None:
        """Who died goes; who is captured or critical retires, since his fate is not decided here."""
        state = self.tracker.repository.state(self.campaign)
        for gang in state.gangs.values():
            lost = [
                fighter for fighter in gang.enlisted.values() if fighter.capture_pending or fighter.critical
            ]
            commands: list[records.Command] = [
                records.RetireFighter(fighter=fighter.fighter, reason="never came back") for fighter in lost
            ]
            standing = len(gang.enlisted) - len(lost)
            commands += [
                records.EnlistFighter(gang=gang.gang, card=self._card("ganger"))
                for _ in range(standing, len(CREW))
            ]
            if commands:
                self.tracker.commands.play(
                    self.campaign, [CommandWithDice(command=command) for command in commands]
                )

    def _card(self, category: Category) -> records.FighterCard:
        number = next(self._recruits)
        return records.FighterCard(
            fighter=f"fighter-{number}",
            name=f"Fighter {number}",
            category=category,
            kind="Ganger",
            cost_credits=100,
            characteristics=CARD_NUMBERS,
            armour=Armour(name="mesh", save=5),
            weapons=(GUN,),
        )


def hits_of_ten_events(tracker: Tracker, campaign: str) -> Iterator[CommandWithDice]:
    """Hits that come to ten events each, in a battle under way; when a crew is down, another battle."""
    for pairing in cycle(combinations(GANGS, 2)):
        crews = open_battle(tracker, campaign, pairing)
        attacker = crews[0][0]
        for target in crews[1]:
            hit = records.ResolveHit(target=target, attacker=attacker, weapon=GUN.weapon)
            yield CommandWithDice(command=hit, dice=TEN_EVENTS)
        tracker.commands.play(
            campaign, [CommandWithDice(command=records.CloseBattle(winner=None, drawn=True))], roll=True
        )


def gang_of_ten_events(name: str) -> CommandWithDice:
    """A gang of eight, in ten events: what anybody may add between battles, however many at once."""
    cards = tuple(
        records.FighterCard(
            fighter=f"{name}-{number}",
            name=f"Fighter {number}",
            category=rank,
            kind="Ganger",
            cost_credits=100,
            characteristics=CARD_NUMBERS,
            armour=Armour(name="mesh", save=5),
            weapons=(GUN,),
        )
        for number, rank in enumerate(CREW, start=1)
    )
    gang = records.EnlistGang(
        gang=name, name=name, house="Bench", player="bench", credits=100, reputation=1, fighters=cards
    )
    return CommandWithDice(command=gang)


def open_battle(tracker: Tracker, campaign: str, gangs: tuple[str, str]) -> tuple[tuple[str, ...], ...]:
    """The next battle begins, with everybody of two gangs who is available. Gives the crews."""
    number = tracker.repository.state(campaign).battle_number
    command = records.OpenBattle(
        battle=f"battle-{number}", scenario="Ambush", date="2026-11-21", crews=dict.fromkeys(gangs, ())
    )
    played = tracker.commands.play(campaign, [CommandWithDice(command=command)])
    assert played.state.under_way is not None, "a battle was opened"
    return tuple(played.state.under_way.crews.values())


def _injury(symbol: str) -> Die:
    special = loader.book(BOOK).purposes["injury"]
    return read_die("injury", special.die, symbol, special=special.special)


TEN_EVENTS = (
    read_die("wound", "D6", 6),
    read_die("save", "D6", 1),
    _injury("out_of_action"),
    read_die("lasting_injury", "D66", [3, 1]),
)
"""Wounds, is not saved, takes the target out; he convalesces."""
