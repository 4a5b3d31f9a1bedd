"""Random campaigns for laws: two gangs of four, some battles, random reports, every die from one seed.

In an armed one every fighter has random skills, and weapons with random traits, and fights and shoots too. In a
driven one each gang has a vehicle besides.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property
from random import Random

import arming
import wheels
from scenario import BOOK, ORDINARY, as_slots, house_rule, profile

from tracker.campaign import records
from tracker.campaign.profiles import Armour
from tracker.campaign.rulings.redecision import Slot
from tracker.campaign.state import CampaignState
from tracker.campaign.steps import Judgement, decide
from tracker.dice import DiceTray, Die, Roller
from tracker.errors import Refusal
from tracker.rules import loader

GANGS = {"skulls": tuple(f"skull-{n}" for n in range(4)), "saints": tuple(f"saint-{n}" for n in range(4))}
EVERYBODY = (*GANGS["skulls"], *GANGS["saints"])


@dataclass(frozen=True)
class Season:
    """A campaign as it was decided: entry for entry, with the state before each."""

    judgements: tuple[Judgement, ...]
    states: tuple[CampaignState, ...]

    @property
    def state(self) -> CampaignState:
        """The state after everything."""
        return self.states[-1]

    @cached_property
    def slots(self) -> tuple[Slot, ...]:
        """The campaign as a log holds it."""
        return as_slots(tuple(decided.event for decided in judged.events) for judged in self.judgements)

    def slots_of_battle(self, number: int) -> tuple[Slot, ...]:
        """The entries of one battle, its opening and closing included."""
        return tuple(
            slot
            for slot, state in zip(self.slots, self.states[1:], strict=True)
            if (state.under_way is not None and state.under_way.number == number)
            or (isinstance(slot.header.command, records.CloseBattle) and state.battle_number == number + 1)  # type: ignore[union-attr]
        )


def constant_roller(face: int) -> Roller:
    """Every die shows this face, or its highest."""
    return lambda sides: min(face, sides)


@cache
def season(
    seed: int, *, battles: int = 3, hits: int = 6, armed: bool = False, driven: bool = False
) -> Season:
    """The campaign that grows from a seed."""
    chance = Random(seed)
    roller: Roller = lambda sides: chance.randint(1, sides)  # noqa: E731 - a roller is a function of sides
    judgements: list[Judgement] = []
    states = [CampaignState()]

    def ask(command: records.Command, dice: tuple[Die, ...] = ()) -> bool:
        try:
            judged = decide(
                states[-1], command, DiceTray(dice, roller=roller), loader.rulebook, entry=len(judgements) + 1
            )
        except Refusal:
            return False
        judgements.append(judged)
        states.append(judged.state)
        return True

    assert ask(records.OpenCampaign(name="Season", slug="season", book=BOOK, policies=_policies(chance)))
    for gang, names in GANGS.items():
        enlisted = _gang(gang, names, chance)
        enlisted = arming.arm(enlisted, chance) if armed else enlisted
        assert ask(wheels.mount(enlisted, chance) if driven else enlisted)
    for number in range(1, battles + 1):
        ask(_opening(number, chance))
        if states[-1].under_way is None:
            break  # too few are left to fight
        for nth in range(hits):
            activation = f"{number}.{nth // 2}"
            if driven and chance.random() < 0.7:
                ask(wheels.something(chance, states[-1], GANGS, activation))
                continue
            ask(
                _attack(chance, states[-1], activation)
                if armed
                else _something(chance, activation=activation)
            )
        winner = chance.choice([None, *GANGS])
        assert ask(records.CloseBattle(winner=winner, drawn=winner is None))
        if chance.random() < 0.3:
            ask(
                records.AwardExperience(
                    fighter=chance.choice(EVERYBODY), amount=chance.randint(1, 3), reason="won"
                )
            )
    return Season(judgements=tuple(judgements), states=tuple(states))


def _policies(chance: Random):
    knobs = loader.book(BOOK).knobs
    moved = chance.sample(sorted(knobs), k=chance.choice([0, 1, 3]))
    patch = {name: chance.choice(knobs[name].choices) for name in moved}
    return (house_rule(patch),) if patch else ()


def _gang(gang: str, names: tuple[str, ...], chance: Random) -> records.EnlistGang:
    cards = []
    for name, category in zip(names, ("leader", "champion", "ganger", "juve"), strict=True):
        spread = {
            "toughness": chance.randint(1, 5),
            "wounds": chance.randint(1, 3),
            "cool": chance.randint(3, 10),
            "leadership": chance.randint(8, 10),
            "movement": chance.randint(1, 3),
            "ballistic_skill": chance.randint(4, 6),
        }
        cards.append(
            records.FighterCard(
                fighter=name,
                name=name.title(),
                category=category,  # type: ignore[arg-type]
                kind="Fighter",
                cost_credits=chance.randint(20, 200),
                characteristics={**ORDINARY, **spread},
                experience=chance.randint(0, 5),
                skills=tuple(
                    chance.sample(["Fearsome", "Berserker", "Nerves of Steel"], k=chance.randint(0, 1))
                ),
                armour=chance.choice([None, Armour(name="Mesh", save=5)]),
                field_armour=chance.choice([None, None, Armour(name="Field", save=5)]),
            )
        )
    return records.EnlistGang(
        gang=gang, name=gang, house="House", player=gang, credits=0, reputation=1, fighters=tuple(cards)
    )


def armed_season(seed: int) -> Season:
    """The armed campaign that grows from a seed."""
    return season(seed, battles=2, hits=8, armed=True)


def driven_season(seed: int) -> Season:
    """The armed campaign with vehicles that grows from a seed."""
    return season(seed, battles=2, hits=10, armed=True, driven=True)


def _attack(chance: Random, state: CampaignState, activation: str) -> records.Command:
    """A fight, a shot, a reaction, the end of a round, or what any season has."""
    return arming.attack(chance, state, GANGS, activation) or _something(chance, activation=activation)


def _opening(number: int, chance: Random) -> records.OpenBattle:
    crews: dict[str, tuple[str, ...]] = dict.fromkeys(GANGS, ())
    if chance.random() < 0.2:
        crews["skulls"] = tuple(chance.sample(GANGS["skulls"], k=2))
    return records.OpenBattle(battle=f"battle-{number}", scenario="Ambush", date="2026-01-01", crews=crews)


def _something(chance: Random, *, activation: str) -> records.Command:
    target, attacker = chance.sample(EVERYBODY, k=2)
    by = chance.choice([attacker, attacker, None])
    how = {
        "target": target,
        "attacker": by,
        "activation": chance.choice([None, activation]),
        "attack": by is not None and chance.random() < 0.9,
        "grudge_against": chance.choice([None, None, "skulls"]),
    }
    if chance.random() < 0.3:
        return _nerve_or_end_phase(chance, target, attacker, activation)
    kind = chance.randrange(10)
    if kind < 4:
        traits = chance.choice([(), (), ("Gas",), ("Toxin",), ("Web",), ("Power",), ("Seismic",)])
        gun = profile(
            strength=chance.randint(3, 9),
            ap=-chance.randint(0, 3),
            damage=chance.choice([None, 1, 2, 3]),
            traits=traits,
        )
        return records.ResolveHit(profile=gun, hit_roll=chance.choice([None, 3, 6]), **how)  # type: ignore[arg-type]
    if kind < 5:
        return records.RollInjuryDice(injury_dice=chance.randint(1, 3), why="test", **how)  # type: ignore[arg-type]
    if kind < 6:
        return records.ResolveFall(target=target, distance_hundredths=chance.randint(0, 1500))
    outcome = chance.choice(["flesh_wound", "serious_injury", "out_of_action", "out_of_action"])
    return records.StateOutcome(
        outcome=outcome,  # type: ignore[arg-type]
        out_of_action_dice=chance.randint(1, 2),
        coup_de_grace=chance.random() < 0.2,
        **how,  # type: ignore[arg-type]
    )


def _nerve_or_end_phase(chance: Random, fighter: str, second: str, activation: str) -> records.Command:
    """Something that is refused more often than not: who is hurt, Broken or bottled is not looked at."""
    match chance.randrange(5):
        case 0 | 1:
            near = chance.randint(0, 2)
            return records.TakeNerveTest(
                fighter=fighter, because_of=second, friends_near_count=near, activation=activation
            )
        case 2:
            return records.TakeRecoveryTest(fighter=fighter, assisted_by=chance.choice([None, second]))
        case 3:
            return records.TakeRallyTest(fighter=fighter, friends_near=())
        case _:
            gang = chance.choice(list(GANGS))
            if chance.random() < 0.6:
                return records.CheckBottle(gang=gang, home_turf=chance.random() < 0.3)
            leader, *friends = GANGS[gang]
            return records.TakeFleeingTests(gang=gang, fighters=GANGS[gang], near={leader: tuple(friends)})
