"""Writes one golden log: python tests/log/write_golden_log.py NAME.

A golden log is written once, when a shape ships, and stays: it refuses a name that is taken, and `make golden`
does not know this file. When a shape changes, the old log is the proof that the upcast reads it; write a new log,
by a scene of its own, for the new shape. The scenes are kept to show how the logs came about; today's program may
write the same scene in other bytes.
"""

import sys
import tempfile
from collections.abc import Callable
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

import msgspec
from golden_logs import log_file, state_file

from tracker.campaign.commands import (
    AwardExperience,
    CheckBottle,
    CheckControl,
    CloseBattle,
    Command,
    CoupDeGrace,
    DecideFate,
    EnlistFighter,
    EnlistGang,
    ExtraModifier,
    Fight,
    FighterCard,
    FightTarget,
    FightWeapon,
    FleeBattlefield,
    ModelThere,
    NearerEnemy,
    OpenBattle,
    Reload,
    RenameFighter,
    ResolveFall,
    ResolveHit,
    ResolveVehicleHit,
    RetireFighter,
    RollInjuryChart,
    RollInjuryDice,
    Shoot,
    ShotModifier,
    SpendBloodMarkers,
    StandUp,
    StatedModifier,
    StateOutcome,
    TakeFleeingTests,
    TakeNerveTest,
    TakeRallyTest,
    TakeRecoveryTest,
    TakeVehicleNerveTest,
    ThrowClear,
    Unpin,
    VehicleCard,
)
from tracker.campaign.profiles import Armour, Weapon, WeaponProfile
from tracker.dice import Die, read_die
from tracker.rules import shelf
from tracker.service import Answer, Plan, Tracker

BOOK = "necromunda_2023"

NUMBERS = {
    "movement": 5,
    "weapon_skill": 4,
    "ballistic_skill": 4,
    "strength": 3,
    "toughness": 3,
    "wounds": 1,
    "initiative": 4,
    "attacks": 1,
    "leadership": 7,
    "cool": 7,
    "willpower": 7,
    "intelligence": 7,
}
WEAPONS = (
    Weapon(
        weapon="autogun",
        profiles=(
            WeaponProfile(
                strength=4,
                traits=("Rapid Fire (1)",),
                range_short_inches=8,
                range_long_inches=24,
                accuracy_short=1,
                ammo=4,
            ),
        ),
        cost_credits=15,
    ),
    Weapon(weapon="web gun", profiles=(WeaponProfile(strength=4, damage=None, traits=("Web",)),)),
)


class Scene:
    """A campaign played with a counted clock, counted ids and dice told by hand."""

    def __init__(self, folder: Path, *, slug: str, preset: str | None = None, book: str = BOOK) -> None:
        ids, seconds = count(1), count(1)
        self.tracker = Tracker(
            f"sqlite:///{folder / 'scene.db'}",
            actor="arbitrator",
            clock=lambda: f"2026-11-21T10:00:{next(seconds):02d}Z",
            new_id=lambda: f"0190a000-0000-7000-8000-{next(ids):012x}",
        )
        self.campaign = self.tracker.open_campaign(
            name=slug.title(), slug=slug, book=book, preset=preset
        ).campaign

    def play(self, command: Command, *dice: Die, note: str | None = None) -> str:
        """Record one command with exactly these dice. Gives the entry's number."""
        played = self.tracker.play(self.campaign, [Plan(command=command, dice=dice, note=note)])
        return str(played.entries[0][0].entry)

    def battle(
        self, name: str, *hits: tuple[Command, tuple[Die, ...]], crews: dict[str, tuple[str, ...]]
    ) -> None:
        """A battle, up to its end."""
        self.play(OpenBattle(battle=name, scenario="Ambush", date="2026-11-21", crews=crews))
        for command, dice in hits:
            self.play(command, *dice)

    def dispute(self, address: str, answer: Answer) -> None:
        """Doubt an event and rule on it."""
        self.tracker.open_dispute(
            self.campaign, address, reason="cocked die", raised_by="player of saints", rule="Dice"
        )
        self.tracker.rule(self.campaign, address, answer)

    def two_gangs(self) -> None:
        """Krug, Vex and Pip of the Skulls, Mags, Dot and Ash of the Saints."""
        self.play(
            gang("skulls", card("krug", "leader"), card("vex"), card("pip", strength=1)),
            note="As on the sheet of 7 March.",
        )
        self.play(gang("saints", card("mags", "champion"), card("dot"), card("ash")))


def card(fighter: str, category: str = "ganger", **numbers: int) -> FighterCard:
    """An ordinary fighter but for `numbers`."""
    return FighterCard(
        fighter=fighter,
        name=fighter.capitalize(),
        category=category,  # type: ignore[arg-type]
        kind="Fighter",
        cost_credits=100,
        characteristics={**NUMBERS, **numbers},
        skills=("Iron Jaw",) if category == "leader" else (),
        armour=Armour(name="Mesh armour", save=5),
        field_armour=Armour(name="Refractor field", save=5) if category == "champion" else None,
        weapons=WEAPONS,
        wargear=("lamp",),
    )


def gang(name: str, *cards: FighterCard) -> EnlistGang:
    """A gang of these fighters."""
    return EnlistGang(
        gang=name,
        name=f"Die {name.capitalize()} «Ж»",
        house="House",
        player=f"player of {name}",
        credits=40,
        reputation=2,
        fighters=cards,
    )


def dice(*, book: str = BOOK, **rolled: object) -> tuple[Die, ...]:
    """Dice by purpose: `wound=4`, `lasting_injury="3-1"`, `injury=["flesh", "ooa"]`."""
    purposes = shelf.book(book).purposes
    return tuple(
        read_die(purpose, purposes[purpose].die, one, special=purposes[purpose].special)
        for purpose, shown in rolled.items()
        for one in (shown if isinstance(shown, list) else [shown])
    )


def shot(target: str, by: str, weapon: str = "autogun", **more: object) -> ResolveHit:
    """A hit with a weapon on the card."""
    return ResolveHit(target=target, attacker=by, weapon=weapon, **more)  # type: ignore[arg-type]


def out(target: str, by: str | None = None, **more: object) -> StateOutcome:
    """The notes say: Out of Action."""
    return StateOutcome(target=target, outcome="out_of_action", attacker=by, **more)  # type: ignore[arg-type]


# --- the scenes ------------------------------------------------------------------------------------------


def injuries(folder: Path) -> Scene:
    """Three battles in which fighters suffer whatever can be suffered, with house rules coming and going."""
    scene = Scene(folder, slug="injuries", preset="a_and_a")
    scene.two_gangs()
    scene.play(EnlistFighter(gang="skulls", card=card("rat", "juve")))
    scene.play(EnlistFighter(gang="saints", card=card("elm")))
    scene.play(RenameFighter(fighter="rat", name="Rat the Quick"))
    scene.tracker.adopt_policy(
        scene.campaign, "old-battle-wound-at-once@1", from_battle=2, reason="club vote"
    )
    everybody = {"skulls": ("krug", "vex", "pip", "rat"), "saints": ("mags", "dot", "ash", "elm")}
    scene.battle(
        "sump-bridge",
        (shot("dot", "krug", activation="krug, round 1"), dice(wound=1)),
        (shot("mags", "krug", activation="krug, round 1"), dice(wound=5, save=5)),
        (
            shot("dot", "krug", activation="krug, round 1"),
            dice(wound=5, save=2, injury=["out_of_action"], lasting_injury="1-1", lesson_learned=2),
        ),
        (shot("mags", "vex", in_close_combat=True), dice(wound=6, save=1, injury=["serious"])),
        (out("mags", "vex", coup_de_grace=True), dice(lasting_injury="4-1")),
        (shot("vex", "ash", weapon="web gun"), dice(wound=6)),
        (ResolveFall(target="pip", distance_hundredths=520), dice(wound=5, save=6)),
        (ResolveFall(target="pip", distance_hundredths=250), ()),
        (RollInjuryDice(target="pip", injury_dice=1, why="carnivorous plants"), dice(injury=["flesh"])),
        (StateOutcome(target="ash", outcome="flesh_wound", attacker="krug"), ()),
        (out("rat", "ash"), dice(lasting_injury="1-3")),
        (out("vex", "ash"), dice(lasting_injury="4-6")),
        (
            out("ash", "krug"),
            dice(
                lasting_injury="5-4",
                multiple_injuries_count=2,
                multiple_injuries=["6-1", "1-4", "4-3"],
            ),
        ),
        (AwardExperience(fighter="krug", amount=3, reason="held the bridge"), ()),
        crews=everybody,
    )
    scene.play(CloseBattle(winner="skulls"))
    scene.battle(
        "cold-forge",
        (out("pip", "elm"), dice(lasting_injury="5-1")),
        (out("rat", "elm"), dice(lasting_injury="5-5")),
        (out("elm", "krug"), dice(lasting_injury="6-3")),
        (out("dot", "krug"), dice(lasting_injury="6-6")),
        (out("ash", "krug"), dice(lasting_injury="1-2")),
        (out("krug", "mags"), dice(lasting_injury="4-2")),
        crews={"skulls": ("krug", "pip", "rat"), "saints": ("mags", "dot", "ash", "elm")},
    )
    scene.play(CloseBattle(winner="saints"), *dice(old_battle_wound=1))
    scene.tracker.repeal_policy(
        scene.campaign, "one-lasting-injury-roll@1", from_battle=3, reason="tried and disliked"
    )
    scene.battle(
        "ash-chapel",
        (
            shot("mags", "krug", save_with="field_armour", hit_roll=6, activation="krug, round 2"),
            dice(wound=4, save=2, injury=["out_of_action"], lasting_injury="4-2"),
        ),
        (out("ash", "krug", out_of_action_dice=2), dice(lasting_injury=["1-2", "4-4"])),
        (out("krug"), dice(lasting_injury="1-4")),
        crews={"skulls": ("krug", "vex"), "saints": ("mags", "ash")},
    )
    scene.play(CloseBattle(winner=None, drawn=True), *dice(old_battle_wound=4))
    scene.play(RetireFighter(fighter="elm", reason="never came back"))
    return scene


def rulings(folder: Path) -> Scene:
    """Two battles argued about: a die confirmed, one corrected with all that follows, an entry struck."""
    scene = Scene(folder, slug="rulings")
    scene.two_gangs()
    scene.play(
        OpenBattle(battle="first", scenario="Ambush", date="2026-11-21", crews={"skulls": (), "saints": ()})
    )
    missed = scene.play(shot("mags", "krug"), *dice(wound=1))
    kept = scene.play(shot("vex", "mags"), *dice(wound=5, save=5))
    voided = scene.play(
        shot("pip", "mags"), *dice(wound=5, save=2, injury=["out_of_action"], lasting_injury="5-1")
    )
    scene.play(shot("dot", "vex"), *dice(wound=4, save=1, injury=["serious"]))
    scene.play(CloseBattle(winner="saints"), *dice(succumb=4))
    scene.play(
        OpenBattle(
            battle="second",
            scenario="Ambush",
            date="2026-11-22",
            crews={"skulls": ("krug", "vex"), "saints": ("mags", "dot", "ash")},
        )
    )
    struck = scene.play(
        shot("ash", "krug"), *dice(wound=6, save=1, injury=["out_of_action"], lasting_injury="3-1")
    )
    scene.play(CloseBattle(winner="skulls"))

    scene.dispute(f"{kept}.3", Answer(verdict="confirmed", reason="everybody saw it"))
    scene.dispute(
        f"{missed}.2",
        Answer(
            verdict="corrected",
            reason="the die was cocked",
            faces="6",
            supplied={
                int(missed): (
                    ("save", "1"),
                    ("injury", "out_of_action"),
                    ("lasting_injury", "1-6"),
                )
            },
            keep=(int(kept),),
            void=(int(voided),),
        ),
    )
    scene.dispute(f"{struck}.2", Answer(verdict="voided", reason="out of range"))
    scene.tracker.open_dispute(
        scene.campaign, f"{kept}.2", reason="and the wound roll?", raised_by="player of skulls", rule="Dice"
    )
    return scene


GUNS = (
    Weapon(
        weapon="shotgun",
        profiles=(
            WeaponProfile(
                name="solid",
                strength=4,
                traits=("Rapid Fire (2)",),
                range_short_inches=8,
                range_long_inches=18,
                ammo=4,
            ),
            WeaponProfile(
                name="hot",
                strength=5,
                traits=("Limited",),
                range_short_inches=8,
                range_long_inches=18,
                accuracy_long=-1,
                ammo=5,
            ),
        ),
        cost_credits=30,
    ),
    Weapon(
        weapon="frag",
        profiles=(
            WeaponProfile(
                strength=3, traits=('Blast (3")',), range_short_inches=6, range_long_inches=12, ammo=4
            ),
        ),
    ),
)


def shooting(folder: Path) -> Scene:
    """A battle of shots: a burst that hits, a dry gun reloaded, Limited ammunition gone, a marker adrift."""
    scene = Scene(folder, slug="shooting", preset="necrodamus")
    scene.play(gang("skulls", replace(card("krug", "leader"), weapons=GUNS), card("vex")))
    scene.play(gang("saints", card("mags", "champion"), card("dot")))
    far = {"attacker": "krug", "weapon": "shotgun", "range_band": "long"}
    scene.battle(
        "sump-bridge",
        (
            Shoot(
                target="mags",
                profile_name="solid",
                firepower_dice=2,
                hits_on=(ModelThere(fighter="mags"), ModelThere(fighter="dot", engaged=True)),
                modifiers=(ShotModifier(why="aimed", by=1),),
                activation="krug, round 1",
                **far,  # type: ignore[arg-type]
            ),
            dice(hit=4, firepower=["one", "ammo"], ammo=2, wound=[1, 4], save=2, injury=["serious"]),
        ),
        (Reload(fighter="krug", weapon="shotgun", profile_name="solid"), dice(ammo=5)),
        (
            Shoot(
                target="mags",
                profile_name="hot",
                closest=False,
                nearer=(NearerEnemy(model="dot"),),
                at_risk=(ModelThere(fighter="vex"),),
                **far,  # type: ignore[arg-type]
            ),
            dice(priority_cool="3+4", hit=1, firepower="ammo", ammo=1, stray=6, wound=1),
        ),
        (Reload(fighter="krug", weapon="shotgun", profile_name="solid"), dice(ammo=5)),
        (
            Shoot(target="mags", profile_name="solid", firepower_dice=2, **far),  # type: ignore[arg-type]
            dice(hit=1, firepower=["ammo", "ammo"], ammo=[1, 1]),
        ),
        (
            Shoot(
                attacker="krug",
                weapon="frag",
                point=True,
                range_band="short",
                under_marker=(ModelThere(fighter="dot", cover="full"),),
            ),
            dice(hit=2, firepower="one", scatter="hit", scatter_distance=5, wound=1),
        ),
        crews={"skulls": (), "saints": ()},
    )
    scene.play(CloseBattle(winner="skulls"), *dice(succumb=5))
    return scene


def nerve(folder: Path) -> Scene:
    """A battle of nerves: who breaks, rallies, recovers with and without help, bottles, flees and succumbs."""
    scene = Scene(folder, slug="nerve", preset="a_and_a")
    scene.two_gangs()
    down = {"outcome": "serious_injury"}
    scene.battle(
        "sump-bridge",
        (StateOutcome(target="ash", attacker="krug", **down), ()),  # type: ignore[arg-type]
        (
            TakeNerveTest(
                fighter="dot", because_of="ash", friends_near=("mags", "ash"), activation="krug, round 1"
            ),
            dice(nerve="1+2"),
        ),
        (TakeNerveTest(fighter="mags", because_of="ash", friends_near_count=0), dice(nerve="4+4")),
        (
            TakeRecoveryTest(fighter="ash", assisted_by="mags", picked=2, round=1),
            dice(recovery=["serious", "flesh"]),
        ),
        (TakeRallyTest(fighter="dot", friends_near_count=1, home_turf=True), dice(rally="2+3")),
        (shot("vex", "ash", weapon="web gun"), dice(wound=6)),
        (TakeRecoveryTest(fighter="vex"), dice(recovery="flesh")),
        (shot("pip", "ash", weapon="web gun"), dice(wound=6)),
        (TakeRecoveryTest(fighter="pip"), dice(recovery="ooa", webbed_out_of_action=2)),
        (StateOutcome(target="mags", attacker="krug", **down), ()),  # type: ignore[arg-type]
        (CheckBottle(gang="saints", home_turf=True), dice(bottle=[6, 3])),
        (
            TakeFleeingTests(gang="saints", fighters=("mags", "dot", "ash"), near={"mags": ("dot",)}),
            dice(flee=["5+5", "1+1"]),
        ),
        (CheckBottle(gang="skulls", voluntary=True), ()),
        (FleeBattlefield(gang="skulls", fighters=("vex",), engaged=("vex",)), dice(flee_engaged=5)),
        crews={"skulls": (), "saints": ()},
    )
    scene.play(CloseBattle(winner="saints"), *dice(succumb=1, lasting_injury="2-1"))
    return scene


def trench_model(fighter: str, category: str = "elite", **more: object) -> FighterCard:
    """A model of a warband."""
    numbers = {"movement": 6, "ranged": 1, "melee": 0, "armour_modifier": -1}
    return replace(
        card(fighter),
        category=category,  # type: ignore[arg-type]
        characteristics=numbers,
        armour=None,
        weapons=(),
        wargear=("Trench Shield",),
        **more,
    )


def injury_chart(folder: Path) -> Scene:
    """Two battles of the Injury Chart: markers, Down, Tough, Bloodbath, standing up, and what becomes of whom."""
    trench = "trench_crusade"
    scene = Scene(folder, slug="trenches", book=trench)
    pilgrims = (
        trench_model("anselm", skills=("Tough",)),
        trench_model("odo", "troop"),
        trench_model("una"),
    )
    scene.play(gang("pilgrims", *pilgrims))
    scene.play(gang("heretics", trench_model("mort"), trench_model("rot", "troop"), trench_model("ulf")))
    hits = {"target": "anselm", "attacker": "mort"}
    scene.battle(
        "crater",
        (RollInjuryChart(**hits, result="down"), ()),  # type: ignore[arg-type]
        (StandUp(fighter="anselm"), ()),
        (
            RollInjuryChart(
                **hits,  # type: ignore[arg-type]
                plus_dice=("critical hit",),
                minus_dice=("cover",),
                modifiers=(StatedModifier(why="heavy weapon", by=1),),
                shield=False,
                spend_markers=1,
            ),
            dice(book=trench, injury_chart=[6, 5, 2]),
        ),
        (StandUp(fighter="anselm", risky=True), dice(book=trench, risky_stand=[6, 4, 5])),
        *[(RollInjuryChart(**hits, result="minor_hit"), ()) for _ in range(6)],  # type: ignore[arg-type]
        (SpendBloodMarkers(fighter="anselm", count=1, use="action"), ()),
        (RollInjuryChart(**hits, result="minor_hit"), ()),  # type: ignore[arg-type]
        (RollInjuryChart(**hits, bloodbath=True), dice(book=trench, injury_chart=[6, 5, 4])),  # type: ignore[arg-type]
        (DecideFate(fighter="anselm"), dice(book=trench, trauma="1-2")),
        (RollInjuryChart(target="odo", attacker="mort", result="out_of_action"), ()),
        (RollInjuryChart(target="ulf", attacker="una", result="out_of_action"), ()),
        (RollInjuryChart(target="mort", attacker="una", result="out_of_action"), ()),
        (DecideFate(fighter="ulf"), dice(book=trench, trauma="2-2")),
        crews={"pilgrims": (), "heretics": ()},
    )
    scene.play(CloseBattle(winner="pilgrims"), *dice(book=trench, trauma="1-5", troop_fate=1))
    scene.battle(
        "wire",
        (RollInjuryChart(target="mort", result="out_of_action"), ()),
        (DecideFate(fighter="mort", grudge_against="pilgrims"), dice(book=trench, trauma=["2-4"])),
        crews={"pilgrims": (), "heretics": ()},
    )
    scene.play(CloseBattle(drawn=True))
    return scene


BLADES = (
    Weapon(weapon="knife", profiles=(WeaponProfile(strength=None, traits=("Melee",)),)),
    Weapon(weapon="stub gun", profiles=(WeaponProfile(strength=3, ammo=4, traits=("Sidearm",)),)),
)


def fighting(folder: Path) -> Scene:
    """A brawl: a Pinned fighter charged, a reaction, a consolidation, Coups de Grace, somebody who stands up."""
    scene = Scene(folder, slug="fighting", preset="necrodamus")
    scene.play(
        gang("skulls", replace(card("krug", "leader", attacks=2), weapons=BLADES), card("vex"), card("pip"))
    )
    scene.play(gang("saints", card("mags", "champion"), card("dot"), card("ash")))
    scene.battle(
        "cage-match",
        (ResolveFall(target="mags", distance_hundredths=300), dice(wound=1)),
        (
            Fight(
                attacker="krug",
                targets=(FightTarget(model="mags", attack_dice=(4, 1), grudge_against="skulls"),),
                weapons=(FightWeapon(weapon="knife"), FightWeapon(weapon="stub gun")),
                engaged=(("vex", "mags"), ("vex", "dot")),
                charging=True,
                turn_to_face=True,
                extra=(ExtraModifier(why="frenzy", attack_dice=1),),
                activation="krug, round 1",
            ),
            dice(melee_hit=[5, 1, 1, 1, 6], firepower="ammo", ammo=4, wound=[2, 4], save=1, injury="flesh"),
        ),
        (
            Fight(attacker="mags", targets=(FightTarget(model="krug"),), reaction=True),
            dice(melee_hit=2),
        ),
        (
            Fight(attacker="vex", targets=(FightTarget(model="dot"),), consolidate=True, activation="vex"),
            dice(melee_hit=6, wound=6, save=1, injury="serious"),
        ),
        (CoupDeGrace(attacker="vex", target="dot", activation="vex"), dice(lasting_injury="4-6")),
        (ResolveFall(target="pip", distance_hundredths=300), dice(wound=1)),
        (Unpin(fighter="pip"), ()),
        (
            Fight(attacker="pip", targets=(FightTarget(model="ash"),), coup_de_grace="ash"),
            dice(melee_hit=6, wound=6, save=1, injury="serious", lasting_injury="1-2"),
        ),
        crews={"skulls": ("krug", "vex", "pip"), "saints": ("mags", "dot", "ash")},
    )
    scene.play(CloseBattle(winner="skulls"))
    return scene


def vehicles(folder: Path) -> Scene:
    """Two vehicles of the Skulls and one of the Saints: hit in every way, wrecked, thrown clear of, tested for."""
    scene = Scene(folder, slug="vehicles")
    skulls = gang("skulls", card("krug", "leader"), card("vex", "crew"), card("pip", "crew"))
    saints = gang("saints", card("mags", "champion"), card("dot", "crew"))
    ride = VehicleCard(
        vehicle="rig",
        name="Ash Rig",
        kind="Buggy",
        cost_credits=150,
        movement=7,
        toughness_front=5,
        toughness_side=4,
        toughness_rear=3,
        hit_points=4,
        handling=7,
        save=6,
        crew="vex",
        weapons=("ram", "horn"),
    )
    mule = replace(ride, vehicle="mule", name="Mule", crew="pip", hit_points=1, weapons=())
    sled = replace(ride, vehicle="sled", name="Sled", crew="dot")
    scene.play(replace(skulls, vehicles=(ride, mule)))
    scene.play(replace(saints, vehicles=(sled,)))

    def symbols(purpose: str, *shown: str) -> tuple[Die, ...]:
        special = shelf.rulebook(BOOK, []).special_die(purpose)
        return tuple(read_die(purpose, purpose, one, special=special) for one in shown)

    def ram(vehicle: str = "rig", **more: Any) -> ResolveVehicleHit:
        gun = WeaponProfile(name="ram", strength=10, armour_penetration=-2, damage=1)
        said: dict[str, Any] = {"facing": "rear", "mobile": True, "attacker": "mags", **more}
        return ResolveVehicleHit(vehicle=vehicle, profile=gun, **said)

    def struck(location: str, damage: str, *more: Die) -> tuple[Die, ...]:
        wound = read_die("wound", "D6", 4)
        return (wound, *symbols("location", location), *symbols("vehicle_damage", damage), *more)

    holds, skids = read_die("handling", "2D6", [6, 5]), read_die("handling", "2D6", [1, 2])
    left = read_die("control_direction", "D6", 2)
    out_cold = read_die("crew_injury", "D66", "2-1")
    rolled = (skids, *symbols("control", "roll"), left, out_cold)
    scene.battle(
        "crossing",
        (ram(), struck("body", "glancing", skids)),
        (CheckControl(vehicle="rig", mobile=True, why="rammed a wall", modifier=-1), (holds,)),
        (ram(), struck("body", "catastrophic", read_die("weapon_at_random", "D6", 2), holds)),
        (ram(), struck("engine", "penetrating", holds)),
        (ram(), struck("drive", "penetrating", skids, *symbols("control", "swerve"), left)),
        (ram(), struck("crew", "penetrating")),
        (ram(), struck("crew", "catastrophic", *symbols("control", "jackknife"), left)),
        (
            ram("mule"),
            struck(
                "drive",
                "penetrating",
                *rolled,
                read_die("lasting_damage", "D6", 1),
                read_die("lasting_damage", "D6", 5),
            ),
        ),
        (
            ThrowClear(fighter="krug", vehicle="mule", height_hundredths=400),
            (read_die("thrown_clear", "D6", 1), read_die("wound", "D6", 2)),
        ),
        (
            TakeVehicleNerveTest(vehicle="rig", wreck="mule", friends_near=0, mobile=False),
            (read_die("nerve", "2D6", [2, 2]),),
        ),
        crews={"skulls": (), "saints": ()},
    )
    scene.play(CloseBattle(winner="saints"))
    return scene


SCENES: dict[str, Callable[[Path], Scene]] = {
    "injury_chart": injury_chart,
    "injuries": injuries,
    "rulings": rulings,
    "shooting": shooting,
    "nerve": nerve,
    "fighting": fighting,
    "vehicles": vehicles,
}


def write(name: str) -> None:
    """Play the scene and write its log and its state. Refuses a name that is taken."""
    if log_file(name).exists():
        sys.exit(f"{log_file(name).name} is written, and a golden log is never written again.")
    with tempfile.TemporaryDirectory() as folder:
        scene = SCENES[name](Path(folder))
        stored = list(scene.tracker.store.read(scene.campaign))
        state = scene.tracker.state(scene.campaign)
        scene.tracker.close()
    log_file(name).parent.mkdir(parents=True, exist_ok=True)
    log_file(name).write_bytes(b"".join(one.body + b"\n" for one in stored))
    state_file(name).write_bytes(msgspec.json.format(msgspec.json.encode(state), indent=1) + b"\n")
    sys.stdout.write(f"{name}: {len(stored)} events\n")


if __name__ == "__main__":
    if sys.argv[1:] not in [[name] for name in SCENES]:
        sys.exit(f"usage: python tests/log/write_golden_log.py NAME, one of {', '.join(SCENES)}")
    write(sys.argv[1])
