"""Writes one golden log: python tests/log/write_golden_log.py NAME.

A golden log is written once, when a shape ships, and stays: it refuses a name that is taken, and `make golden`
does not know this file. When a shape changes, the old log is the proof that the upcast reads it; write a new log,
by a scene of its own, for the new shape. The scenes are kept to show how the logs came about; today's program may
write the same scene in other bytes.
"""

import sys
import tempfile
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

import msgspec
from golden_logs import log_file, state_file

from tracker.campaign import records
from tracker.campaign.profiles import Armour, Item, Weapon, WeaponProfile
from tracker.dice import Die, read_die
from tracker.records import replace
from tracker.rules import loader
from tracker.service import Answer, Plan, Tracker
from tracker.service.play import adoption

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

    def play(self, command: records.Command, *dice: Die, note: str | None = None) -> str:
        """Record one command with exactly these dice. Gives the entry's number."""
        played = self.tracker.play(self.campaign, [Plan(command=command, dice=dice, note=note)])
        return str(played.entries[0][0].entry)

    def battle(
        self, name: str, *hits: tuple[records.Command, tuple[Die, ...]], crews: dict[str, tuple[str, ...]]
    ) -> None:
        """A battle, up to its end."""
        self.play(records.OpenBattle(battle=name, scenario="Ambush", date="2026-11-21", crews=crews))
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


def card(fighter: str, category: str = "ganger", **numbers: int) -> records.FighterCard:
    """An ordinary fighter but for `numbers`."""
    return records.FighterCard(
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


def gang(name: str, *cards: records.FighterCard) -> records.EnlistGang:
    """A gang of these fighters."""
    return records.EnlistGang(
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
    purposes = loader.book(book).purposes
    return tuple(
        read_die(purpose, purposes[purpose].die, one, special=purposes[purpose].special)
        for purpose, shown in rolled.items()
        for one in (shown if isinstance(shown, list) else [shown])
    )


def shot(target: str, by: str, weapon: str = "autogun", **more: object) -> records.ResolveHit:
    """A hit with a weapon on the card."""
    return records.ResolveHit(target=target, attacker=by, weapon=weapon, **more)  # type: ignore[arg-type]


def out(target: str, by: str | None = None, **more: object) -> records.StateOutcome:
    """The notes say: Out of Action."""
    return records.StateOutcome(target=target, outcome="out_of_action", attacker=by, **more)  # type: ignore[arg-type]


# --- the scenes ------------------------------------------------------------------------------------------


def injuries(folder: Path) -> Scene:
    """Three battles in which fighters suffer whatever can be suffered, with house rules coming and going."""
    scene = Scene(folder, slug="injuries", preset="a_and_a")
    scene.two_gangs()
    scene.play(records.EnlistFighter(gang="skulls", card=card("rat", "juve")))
    scene.play(records.EnlistFighter(gang="saints", card=card("elm")))
    scene.play(records.RenameFighter(fighter="rat", name="Rat the Quick"))
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
        (records.ResolveFall(target="pip", distance_hundredths=520), dice(wound=5, save=6)),
        (records.ResolveFall(target="pip", distance_hundredths=250), ()),
        (
            records.RollInjuryDice(target="pip", injury_dice=1, why="carnivorous plants"),
            dice(injury=["flesh"]),
        ),
        (records.StateOutcome(target="ash", outcome="flesh_wound", attacker="krug"), ()),
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
        (records.AwardExperience(fighter="krug", amount=3, reason="held the bridge"), ()),
        crews=everybody,
    )
    scene.play(records.CloseBattle(winner="skulls"))
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
    scene.play(records.CloseBattle(winner="saints"), *dice(old_battle_wound=1))
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
    scene.play(records.CloseBattle(winner=None, drawn=True), *dice(old_battle_wound=4))
    scene.play(records.RetireFighter(fighter="elm", reason="never came back"))
    return scene


def rulings(folder: Path) -> Scene:
    """Two battles argued about: a die confirmed, one corrected with all that follows, an entry struck."""
    scene = Scene(folder, slug="rulings")
    scene.two_gangs()
    scene.play(
        records.OpenBattle(
            battle="first", scenario="Ambush", date="2026-11-21", crews={"skulls": (), "saints": ()}
        )
    )
    missed = scene.play(shot("mags", "krug"), *dice(wound=1))
    kept = scene.play(shot("vex", "mags"), *dice(wound=5, save=5))
    voided = scene.play(
        shot("pip", "mags"), *dice(wound=5, save=2, injury=["out_of_action"], lasting_injury="5-1")
    )
    scene.play(shot("dot", "vex"), *dice(wound=4, save=1, injury=["serious"]))
    scene.play(records.CloseBattle(winner="saints"), *dice(succumb=4))
    scene.play(
        records.OpenBattle(
            battle="second",
            scenario="Ambush",
            date="2026-11-22",
            crews={"skulls": ("krug", "vex"), "saints": ("mags", "dot", "ash")},
        )
    )
    struck = scene.play(
        shot("ash", "krug"), *dice(wound=6, save=1, injury=["out_of_action"], lasting_injury="3-1")
    )
    scene.play(records.CloseBattle(winner="skulls"))

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
            records.Shoot(
                target="mags",
                profile_name="solid",
                firepower_dice=2,
                hits_on=(records.ModelThere(fighter="mags"), records.ModelThere(fighter="dot", engaged=True)),
                modifiers=(records.ShotModifier(why="aimed", by=1),),
                activation="krug, round 1",
                **far,  # type: ignore[arg-type]
            ),
            dice(hit=4, firepower=["one", "ammo"], ammo=2, wound=[1, 4], save=2, injury=["serious"]),
        ),
        (records.Reload(fighter="krug", weapon="shotgun", profile_name="solid"), dice(ammo=5)),
        (
            records.Shoot(
                target="mags",
                profile_name="hot",
                closest=False,
                nearer=(records.NearerEnemy(model="dot"),),
                at_risk=(records.ModelThere(fighter="vex"),),
                **far,  # type: ignore[arg-type]
            ),
            dice(priority_cool="3+4", hit=1, firepower="ammo", ammo=1, stray=6, wound=1),
        ),
        (records.Reload(fighter="krug", weapon="shotgun", profile_name="solid"), dice(ammo=5)),
        (
            records.Shoot(target="mags", profile_name="solid", firepower_dice=2, **far),  # type: ignore[arg-type]
            dice(hit=1, firepower=["ammo", "ammo"], ammo=[1, 1]),
        ),
        (
            records.Shoot(
                attacker="krug",
                weapon="frag",
                point=True,
                range_band="short",
                under_marker=(records.ModelThere(fighter="dot", cover="full"),),
            ),
            dice(hit=2, firepower="one", scatter="hit", scatter_distance=5, wound=1),
        ),
        crews={"skulls": (), "saints": ()},
    )
    scene.play(records.CloseBattle(winner="skulls"), *dice(succumb=5))
    return scene


def nerve(folder: Path) -> Scene:
    """A battle of nerves: who breaks, rallies, recovers with and without help, bottles, flees and succumbs."""
    scene = Scene(folder, slug="nerve", preset="a_and_a")
    scene.two_gangs()
    down = {"outcome": "serious_injury"}
    scene.battle(
        "sump-bridge",
        (records.StateOutcome(target="ash", attacker="krug", **down), ()),  # type: ignore[arg-type]
        (
            records.TakeNerveTest(
                fighter="dot", because_of="ash", friends_near=("mags", "ash"), activation="krug, round 1"
            ),
            dice(nerve="1+2"),
        ),
        (records.TakeNerveTest(fighter="mags", because_of="ash", friends_near_count=0), dice(nerve="4+4")),
        (
            records.TakeRecoveryTest(fighter="ash", assisted_by="mags", picked=2, round=1),
            dice(recovery=["serious", "flesh"]),
        ),
        (records.TakeRallyTest(fighter="dot", friends_near_count=1, home_turf=True), dice(rally="2+3")),
        (shot("vex", "ash", weapon="web gun"), dice(wound=6)),
        (records.TakeRecoveryTest(fighter="vex"), dice(recovery="flesh")),
        (shot("pip", "ash", weapon="web gun"), dice(wound=6)),
        (records.TakeRecoveryTest(fighter="pip"), dice(recovery="ooa", webbed_out_of_action=2)),
        (records.StateOutcome(target="mags", attacker="krug", **down), ()),  # type: ignore[arg-type]
        (records.CheckBottle(gang="saints", home_turf=True), dice(bottle=[6, 3])),
        (
            records.TakeFleeingTests(gang="saints", fighters=("mags", "dot", "ash"), near={"mags": ("dot",)}),
            dice(flee=["5+5", "1+1"]),
        ),
        (records.CheckBottle(gang="skulls", voluntary=True), ()),
        (records.FleeBattlefield(gang="skulls", fighters=("vex",), engaged=("vex",)), dice(flee_engaged=5)),
        crews={"skulls": (), "saints": ()},
    )
    scene.play(records.CloseBattle(winner="saints"), *dice(succumb=1, lasting_injury="2-1"))
    return scene


SINGLE_SHOT = Weapon(
    weapon="flare",
    profiles=(
        WeaponProfile(
            strength=3, traits=("Single Shot",), range_short_inches=6, range_long_inches=12, ammo=None
        ),
    ),
)


def end_phases(folder: Path) -> Scene:
    """Two End phases of one battle: a Rally test in each, beasts that frighten beasts alone, a Single Shot,
    and a burst of which each bullet hole is a shot."""
    scene = Scene(folder, slug="end-phases")
    for policy in ("bullet-holes-are-shots@1", "a-brute-is-worth-1-xp-more@1", "trick-shot-saves-ammo@1"):
        scene.tracker.adopt_policy(scene.campaign, policy, from_battle=1, reason="club vote")
    scene.play(
        gang(
            "skulls",
            replace(card("krug", "leader"), weapons=(*GUNS, SINGLE_SHOT), skills=("Trick Shot",)),
            card("vex"),
            card("rat", "exotic_beast"),
            card("cat", "exotic_beast"),
        )
    )
    scene.play(gang("saints", card("mags", "champion"), card("dot", "brute")))
    from_krug = {"attacker": "krug", "range_band": "short"}
    scene.battle(
        "sump-bridge",
        (records.StateOutcome(target="rat", attacker="mags", outcome="serious_injury"), ()),
        (records.TakeNerveTest(fighter="cat", because_of="rat", friends_near_count=1), dice(nerve="1+2")),
        (records.StateOutcome(target="vex", attacker="mags", outcome="serious_injury"), ()),
        (records.TakeNerveTest(fighter="krug", because_of="vex", friends_near_count=0), dice(nerve="5+5")),
        (records.TakeRallyTest(fighter="cat", friends_near_count=0, round=1), dice(rally="1+2")),
        (records.Shoot(target="mags", weapon="flare", **from_krug), dice(hit=1, firepower="ammo")),  # type: ignore[arg-type]
        (
            records.Shoot(
                target="mags",
                weapon="shotgun",
                profile_name="solid",
                at_risk=(records.ModelThere(fighter="dot"),),
                **from_krug,  # type: ignore[arg-type]
            ),
            dice(hit=[4, 1], firepower="two_holes", wound=1, stray=5),
        ),
        (out("dot", "krug"), dice(lasting_injury="2-1")),
        (records.CheckBottle(gang="skulls"), dice(bottle=1)),
        (records.TakeRallyTest(fighter="cat", friends_near_count=0, round=2), dice(rally="6+6")),
        crews={"skulls": (), "saints": ()},
    )
    scene.play(records.CloseBattle(winner="skulls"), *dice(succumb=[4, 5]))
    return scene


def trench_model(fighter: str, category: str = "elite", **more: object) -> records.FighterCard:
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


def reported(folder: Path) -> Scene:
    """Dice that a report says the tool rolled, beside typed ones; somebody confirms one."""
    scene = Scene(folder, slug="reported")
    scene.two_gangs()
    rolled = tuple(replace(die, source="reported") for die in dice(injury="out", lasting_injury="4-6"))
    scene.battle(
        "cocked",
        (shot("mags", "krug"), (*dice(wound=5, save=1), *rolled)),
        (records.CloseBattle(winner="skulls"), ()),
        crews={"skulls": (), "saints": ()},
    )
    written = scene.tracker.log.written(scene.campaign)
    made = [
        one for one in written if isinstance(one.event, records.RollMade) and one.event.source == "reported"
    ]
    scene.tracker.confirm_roll(scene.campaign, made[0].address, by="Ayo")
    return scene


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
        (records.RollInjuryChart(**hits, result="down"), ()),  # type: ignore[arg-type]
        (records.StandUp(fighter="anselm"), ()),
        (
            records.RollInjuryChart(
                **hits,  # type: ignore[arg-type]
                plus_dice=("critical hit",),
                minus_dice=("cover",),
                modifiers=(records.StatedModifier(why="heavy weapon", by=1),),
                shield=False,
                spend_markers=1,
            ),
            dice(book=trench, injury_chart=[6, 5, 2]),
        ),
        (records.StandUp(fighter="anselm", risky=True), dice(book=trench, risky_stand=[6, 4, 5])),
        *[(records.RollInjuryChart(**hits, result="minor_hit"), ()) for _ in range(6)],  # type: ignore[arg-type]
        (records.SpendBloodMarkers(fighter="anselm", count=1, use="action"), ()),
        (records.RollInjuryChart(**hits, result="minor_hit"), ()),  # type: ignore[arg-type]
        (records.RollInjuryChart(**hits, bloodbath=True), dice(book=trench, injury_chart=[6, 5, 4])),  # type: ignore[arg-type]
        (records.DecideFate(fighter="anselm"), dice(book=trench, trauma="1-2")),
        (records.RollInjuryChart(target="odo", attacker="mort", result="out_of_action"), ()),
        (records.RollInjuryChart(target="ulf", attacker="una", result="out_of_action"), ()),
        (records.RollInjuryChart(target="mort", attacker="una", result="out_of_action"), ()),
        (records.DecideFate(fighter="ulf"), dice(book=trench, trauma="2-2")),
        crews={"pilgrims": (), "heretics": ()},
    )
    scene.play(records.CloseBattle(winner="pilgrims"), *dice(book=trench, trauma="1-5", troop_fate=1))
    scene.battle(
        "wire",
        (records.RollInjuryChart(target="mort", result="out_of_action"), ()),
        (records.DecideFate(fighter="mort", grudge_against="pilgrims"), dice(book=trench, trauma=["2-4"])),
        crews={"pilgrims": (), "heretics": ()},
    )
    scene.play(records.CloseBattle(drawn=True))
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
        (records.ResolveFall(target="mags", distance_hundredths=300), dice(wound=1)),
        (
            records.Fight(
                attacker="krug",
                targets=(records.FightTarget(model="mags", attack_dice=(4, 1), grudge_against="skulls"),),
                weapons=(records.FightWeapon(weapon="knife"), records.FightWeapon(weapon="stub gun")),
                engaged=(("vex", "mags"), ("vex", "dot")),
                charging=True,
                turn_to_face=True,
                extra=(records.ExtraModifier(why="frenzy", attack_dice=1),),
                activation="krug, round 1",
            ),
            dice(melee_hit=[5, 1, 1, 1, 6], firepower="ammo", ammo=4, wound=[2, 4], save=1, injury="flesh"),
        ),
        (
            records.Fight(attacker="mags", targets=(records.FightTarget(model="krug"),), reaction=True),
            dice(melee_hit=2),
        ),
        (
            records.Fight(
                attacker="vex",
                targets=(records.FightTarget(model="dot"),),
                consolidate=True,
                activation="vex",
            ),
            dice(melee_hit=6, wound=6, save=1, injury="serious"),
        ),
        (records.CoupDeGrace(attacker="vex", target="dot", activation="vex"), dice(lasting_injury="4-6")),
        (records.ResolveFall(target="pip", distance_hundredths=300), dice(wound=1)),
        (records.Unpin(fighter="pip"), ()),
        (
            records.Fight(attacker="pip", targets=(records.FightTarget(model="ash"),), coup_de_grace="ash"),
            dice(melee_hit=6, wound=6, save=1, injury="serious", lasting_injury="1-2"),
        ),
        crews={"skulls": ("krug", "vex", "pip"), "saints": ("mags", "dot", "ash")},
    )
    scene.play(records.CloseBattle(winner="skulls"))
    return scene


def borrowed(folder: Path) -> Scene:
    """What a skill adds to Strength and AP in a fight; a gun on nobody's card runs dry and is reloaded; a marker
    scatters onto others than it was meant for."""
    scene = Scene(folder, slug="borrowed")
    scene.play(gang("skulls", replace(card("krug", "leader"), weapons=BLADES), card("vex")))
    scene.play(gang("saints", card("mags", "champion"), card("dot")))
    lent = WeaponProfile(strength=4, damage=1, range_short_inches=8, range_long_inches=24, ammo=4)
    scene.battle(
        "alley",
        (
            records.Fight(
                attacker="krug",
                targets=(records.FightTarget(model="mags"),),
                weapons=(records.FightWeapon(weapon="knife"),),
                extra=(records.ExtraModifier(why="Backstab", strength=1, armour_penetration=-1),),
                activation="krug",
            ),
            dice(melee_hit=6, wound=2),
        ),
        (
            records.Shoot(attacker="vex", weapon="lent gun", profile=lent, target="dot", range_band="short"),
            dice(hit=1, firepower="ammo", ammo=3),
        ),
        (records.Reload(fighter="vex", weapon="lent gun", profile=lent), dice(ammo=4)),
        (
            records.Shoot(
                attacker="vex",
                weapon="lent bomb",
                profile=replace(lent, traits=('Blast (3")',)),
                target="dot",
                range_band="short",
                under_marker=(records.ModelThere(fighter="dot"),),
                under_scatter=(records.ModelThere(fighter="mags"),),
            ),
            dice(hit=1, firepower="one", scatter="arrow", scatter_distance=3, wound=1),
        ),
        crews={"skulls": ("krug", "vex"), "saints": ("mags", "dot")},
    )
    scene.play(records.CloseBattle(drawn=True))
    return scene


def vehicles(folder: Path) -> Scene:
    """Two vehicles of the Skulls and one of the Saints: hit in every way, wrecked, thrown clear of, tested for."""
    scene = Scene(folder, slug="vehicles")
    skulls = gang("skulls", card("krug", "leader"), card("vex", "crew"), card("pip", "crew"))
    saints = gang("saints", card("mags", "champion"), card("dot", "crew"))
    ride = records.VehicleCard(
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
        special = loader.rulebook(BOOK, []).special_die(purpose)
        return tuple(read_die(purpose, purpose, one, special=special) for one in shown)

    def ram(vehicle: str = "rig", **more: Any) -> records.ResolveVehicleHit:
        gun = WeaponProfile(name="ram", strength=10, armour_penetration=-2, damage=1)
        said: dict[str, Any] = {"facing": "rear", "mobile": True, "attacker": "mags", **more}
        return records.ResolveVehicleHit(vehicle=vehicle, profile=gun, **said)

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
        (records.CheckControl(vehicle="rig", mobile=True, why="rammed a wall", modifier=-1), (holds,)),
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
            records.ThrowClear(fighter="krug", vehicle="mule", height_hundredths=400),
            (read_die("thrown_clear", "D6", 1), read_die("wound", "D6", 2)),
        ),
        (
            records.TakeVehicleNerveTest(vehicle="rig", wreck="mule", friends_near=0, mobile=False),
            (read_die("nerve", "2D6", [2, 2]),),
        ),
        crews={"skulls": (), "saints": ()},
    )
    scene.play(records.CloseBattle(winner="saints"))
    return scene


def vehicles_shoot(folder: Path) -> Scene:
    """Vehicles shoot and are shot at, run dry, start again or not; a driver recovers, another rolls over."""
    scene = Scene(folder, slug="vehicles_shoot")
    cannon = Weapon(
        weapon="cannon",
        profiles=(
            WeaponProfile(
                name="shell",
                strength=6,
                armour_penetration=-1,
                range_short_inches=12,
                range_long_inches=24,
                ammo=4,
            ),
            WeaponProfile(
                name="hot",
                strength=8,
                traits=("Limited",),
                range_short_inches=12,
                range_long_inches=24,
                ammo=5,
            ),
        ),
        cost_credits=60,
    )
    ride = records.VehicleCard(
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
        weapons=("ram", "cannon"),
        armament=(cannon,),
    )
    sled = replace(ride, vehicle="sled", name="Sled", crew="dot", weapons=(), armament=())
    scene.play(replace(gang("skulls", card("krug", "leader"), card("vex", "crew")), vehicles=(ride,)))
    scene.play(replace(gang("saints", card("mags", "champion"), card("dot", "crew")), vehicles=(sled,)))
    seen = records.VehicleAttacked(facing="side", mobile=True)
    fired: dict[str, Any] = {"weapon": "cannon", "from_vehicle": "rig", "range_band": "long"}
    at_rig: dict[str, Any] = {"attacker": "mags", "weapon": "autogun", "target": "rig", "range_band": "short"}
    scene.battle(
        "crossing",
        (
            records.Shoot(
                attacker="vex",
                profile_name="shell",
                target="mags",
                at_risk=(records.ModelThere(fighter="sled", vehicle=seen),),
                **fired,
            ),
            dice(hit=1, firepower="ammo", ammo=1, stray=2, wound=1),
        ),
        (records.Reload(fighter="krug", weapon="cannon", profile_name="shell", on_vehicle="rig"), dice(ammo=6)),
        (
            records.Shoot(
                attacker="krug",
                profile_name="hot",
                target="sled",
                vehicle=replace(seen, keep_damage=("glancing",), kept_by="vehicle"),
                hull_down=True,
                **fired,
            ),
            dice(hit=6, firepower="ammo", ammo=2, wound=6, save=6),
        ),
        (
            records.Shoot(vehicle=replace(seen, cannot_be_hit=("drive",)), **at_rig),
            dice(hit=6, firepower="one", wound=4, save=1, location="crew", vehicle_damage="penetrating"),
        ),
        (
            records.Shoot(vehicle=seen, **at_rig),
            dice(hit=6, firepower="one", wound=4, save=1, location="engine", vehicle_damage="glancing"),
        ),
        (records.CheckDriver(vehicle="rig"), dice(driver=5)),
        (records.RestartVehicle(vehicle="rig", smoke_markers=1), dice(restart="4+4")),
        (
            records.Shoot(vehicle=seen, **at_rig),
            dice(
                hit=6, firepower="one", wound=4, save=1, location="crew", vehicle_damage="catastrophic",
                control="swerve", control_direction=2,
            ),
        ),
        (records.CheckDriver(vehicle="rig"), dice(driver=4)),
        (
            records.CheckControl(vehicle="sled", mobile=True, why="hit a wall"),
            dice(
                handling="1+1", control="roll", control_direction=5, crew_injury="2-1", lasting_damage=3,
            ),
        ),
        (records.MoveRollingVehicle(vehicle="sled"), dice(rolling_scatter="hit", rolling_distance=2)),
        crews={"skulls": (), "saints": ()},
    )  # fmt: skip
    scene.play(records.CloseBattle(winner="saints"))
    scene.play(
        records.OpenBattle(
            battle="second", scenario="Ambush", date="2026-11-22", crews={"skulls": (), "saints": ()}
        ),
        *dice(unreliable=1),
    )
    scene.play(records.CloseBattle(winner="saints"))
    return scene


def archive(folder: Path) -> Scene:
    """Two battles by the archived rules: shots, a brawl, the flight of the Broken, mutations, a Chaos Spawn."""
    archived = "necromunda_archive"
    scene = Scene(folder, slug="archive", book=archived)
    scene.play(
        gang(
            "skulls",
            card("krug", "leader", attacks=2, weapon_skill=2, strength=6),
            card("vex", toughness=2),
            card("pip"),
            card("gus", "crew"),
        )
    )
    scene.play(gang("saints", card("mags", "champion"), card("dot"), card("ash"), card("sal")))
    bomb = WeaponProfile(
        strength=3, traits=('Blast (3")',), range_short_inches=6, range_long_inches=12, ammo=5
    )
    reaction = records.Fight(attacker="mags", targets=(records.FightTarget(model="pip"),), reaction=True)
    fled = dice(book=archived, nerve="1+1")
    scene.battle(
        "rout",
        (records.StateCorruption(gang="skulls", daemons=("pip",)), ()),
        (
            records.Shoot(
                attacker="krug",
                weapon="bomb",
                profile=bomb,
                target="mags",
                range_band="short",
                closest=False,
                nearer=(
                    records.NearerEnemy(model="dot", because="harder_to_hit"),
                    records.NearerEnemy(model="ash"),
                ),
                off_the_table=True,
            ),
            dice(book=archived, hit=1, firepower="one", scatter="arrow", scatter_distance=6),
        ),
        (
            records.Shoot(attacker="krug", weapon="autogun", target="sal", range_band="short"),
            dice(book=archived, hit=2, firepower="ammo", ammo=1),
        ),
        (records.Reload(fighter="krug", weapon="autogun", action="simple"), dice(book=archived, ammo=5)),
        (records.StateOutcome(target="vex", outcome="serious_injury", attacker="mags"), ()),
        (records.TakeNerveTest(fighter="pip", because_of="vex", friends_near_count=0), fled),
        (
            records.TakeFlight(
                fighter="pip",
                engaged=("mags", "dot"),
                modifiers=(records.InitiativeModifier(why="Spring Up", by=1),),
            ),
            dice(book=archived, retreat=3, retreat_reaction=[4, 1]),
        ),
        (reaction, dice(book=archived, melee_hit=1)),
        (records.TakeFlight(fighter="pip"), dice(book=archived, running_for_cover="3+4")),
        (records.TakeNerveTest(fighter="gus", wreck="a mule", friends_near_count=0, mobile=False), fled),
        (records.TakeFlight(fighter="gus", mobile=False), dice(book=archived, burn_out=2)),
        (records.TakeFlight(fighter="gus", mobile=True), dice(book=archived, break_for_air=[6, 1, 3])),
        (
            records.Fight(
                attacker="krug",
                targets=(
                    records.FightTarget(model="dot", attack_dice=(1,)),
                    records.FightTarget(model="ash", attack_dice=(1,), across="barricade"),
                ),
                coup_de_grace="ash",
            ),
            dice(
                book=archived,
                melee_hit=[6, 6],
                wound=[6, 6],
                save=[1, 1],
                injury=["ooa", "serious"],
                lasting_injury=["2-1", "4-6"],
            ),
        ),
        (out("vex", "mags"), dice(book=archived, lasting_injury="4-6", mutation=6)),
        crews={"skulls": (), "saints": ()},
    )
    scene.play(records.CloseBattle(winner="skulls"))
    scene.battle(
        "ashes",
        (out("vex", "mags"), dice(book=archived, lasting_injury="4-6", mutation=5)),
        (out("pip", "mags"), dice(book=archived, lasting_injury="5-4", mutation=4)),
        crews={"skulls": (), "saints": ()},
    )
    scene.play(records.CloseBattle(drawn=True))
    scene.play(records.ChooseMutation(fighter="vex", mutation="warped_limbs"))
    scene.play(records.StateCorruption(gang="skulls", corrupted=False))
    return scene


def holdings(folder: Path) -> Scene:
    """Money, things and people between battles: every movement, every way to advance, a new Leader, a bionic."""
    scene = Scene(folder, slug="holdings", preset="a_and_a")
    scene.two_gangs()
    why = "as told by the table"

    def rides(vehicle: str) -> records.VehicleCard:
        return records.VehicleCard(
            vehicle=vehicle,
            name=vehicle.capitalize(),
            cost_credits=90,
            movement=7,
            toughness_front=5,
            toughness_side=5,
            toughness_rear=4,
            hit_points=3,
            handling=6,
            crew="",
        )

    gun = Item(name="autogun", kind="weapon", cost_credits=10, weapon=WEAPONS[0])
    coat = Item(name="mesh coat", kind="armour", cost_credits=15, armour=Armour(name="mesh coat", save=5))
    field = Item(name="jar", kind="field_armour", cost_credits=60, armour=Armour(name="jar", save=5))
    leg = Item(name="tin leg", kind="wargear", cost_credits=25)
    ram = Item(name="ram", kind="vehicle_upgrade", cost_credits=20)
    fury = records.SkillSet(
        name="Ferocity", skills=("Gnaw", "Howl", "Lunge", "Maul", "Nettle", "Outlast"), access="primary"
    )
    scene.play(records.MoveCredits(source="@campaign", target="skulls", amount=900, reason=why))
    scene.play(records.MoveCredits(source="saints", target="@doc", amount=60, reason=why, overdraw=True))
    for item in (coat, leg):
        scene.play(records.BuyItem(gang="skulls", item=item, market="common", reason=why))
    scene.play(records.BuyItem(gang="skulls", item=field, market="illegal", number=9, found=9, reason=why))
    own: dict[str, Any] = {"gang": "skulls", "market": "own_list", "price": 5}
    scene.play(records.BuyItem(item=gun, fighter="vex", beyond_rules=True, reason=why, **own))
    scene.play(
        records.MoveItem(
            item="mesh coat", source="stash:skulls", target="fighter:vex", replaces="Mesh armour", worth=12
        )
    )
    scene.play(records.MoveItem(item="lamp", source="fighter:vex", target="fighter:pip"))
    scene.play(records.SellItem(gang="skulls", item="jar", worth=70), *dice(sale=4))
    scene.play(records.BuyVehicle(gang="skulls", card=rides("rig")))
    scene.play(records.BuyVehicle(gang="skulls", card=rides("mule"), price=80, reason=why))
    scene.play(records.CrewVehicle(vehicle="rig", fighter="vex"))
    scene.play(records.BuyItem(item=ram, vehicle="rig", **own))
    scene.play(records.RemoveUpgrade(vehicle="rig", upgrade="ram"), *dice(upgrade_removal=2))
    scene.play(records.ScrapVehicle(vehicle="mule", base=77, reason=why, beyond_rules=True))
    hired = replace(card("nib", "juve"), name="Nib", cost_credits=25, mounted=True, gang_fighter=True)
    scene.play(records.HireFighter(gang="skulls", card=hired))
    scene.play(
        records.HireFighter(gang="skulls", card=replace(card("oz", "specialist"), fighter="oz"), price=0)
    )
    for fighter, amount in (("krug", 40), ("pip", 14), ("nib", 20), ("oz", 12)):
        scene.play(records.AwardExperience(fighter=fighter, amount=amount, reason="scenario"))
    scene.play(records.BuyAdvancement(fighter="krug", advancement="initiative"))
    scene.play(records.BuyAdvancement(fighter="krug", advancement="initiative", reason=why))
    scene.play(
        records.BuyAdvancement(
            fighter="krug", advancement="primary_random", skill_set=fury, cannot_take=("Howl",)
        ),
        *dice(skill=[2, 3]),
    )
    scene.play(
        records.BuyAdvancement(fighter="krug", advancement="primary_chosen", skill_set=fury, skill="Maul")
    )
    scene.play(
        records.BuyAdvancement(
            fighter="oz", advancement="champion", skill_set=fury, kind="Boss", basic_profile={"wounds": 2}
        ),
        *dice(skill=6),
    )
    scene.play(
        records.RollAdvancement(fighter="pip", choose=("toughness", "cool"), skill_set=fury),
        *dice(ganger_advancement=["2+3", "6+6"], skill=1),
    )
    for one in ("willpower", "cool", "willpower"):
        scene.play(records.BuyAdvancement(fighter="nib", advancement=one))
    scene.play(
        records.PromoteFighter(fighter="nib", category="specialist", kind="Gunner", basic_profile=NUMBERS)
    )
    hobbled = (out("vex", "mags"), dice(lasting_injury="4-6"))
    scene.battle("crossing", hobbled, crews={"skulls": (), "saints": ()})
    scene.play(out("ash", "krug"), *dice(lasting_injury="6-6"))
    scene.play(records.CloseBattle(winner="skulls"))
    scene.play(
        records.FitBionic(
            fighter="vex", place="hobbled", item="tin leg", characteristics=("movement",), reason=why
        )
    )
    scene.play(records.CleanHouse(gang="saints", saved=True, reason=why))
    scene.play(records.RetireFighter(fighter="krug", reason="lost a wager", gear_to_stash=True))
    scene.play(records.NameLeader(gang="skulls", kind="Boss", basic_profile=NUMBERS, reason=why))
    scene.play(records.RecordRating(gang="skulls", reason=why))
    return scene


def aftermath(folder: Path) -> Scene:
    """Two battles and what came after them: escapes, captives, the Doc, repairs, territories, a cycle of Downtime."""
    scene = Scene(folder, slug="aftermath", preset="a_and_a")
    rig = records.VehicleCard(
        vehicle="rig",
        name="Ash Rig",
        kind="Buggy",
        cost_credits=150,
        movement=7,
        toughness_front=5,
        toughness_side=4,
        toughness_rear=3,
        hit_points=1,
        handling=7,
        save=None,
        crew="wes",
    )
    skulls = gang(
        "skulls", card("krug", "leader"), card("vex"), card("pip"), card("nan"), card("wes", "crew")
    )
    scene.play(replace(skulls, credits=400, vehicles=(rig,)))
    scene.play(
        gang("saints", card("mags", "leader"), card("dot", "champion"), card("ash"), card("cy", "champion"))
    )
    for name, side in (("skulls", "outlaw"), ("saints", "law_abiding")):
        scene.play(records.StateAlignment(gang=name, alignment=side, why="always so"))  # type: ignore[arg-type]
    scene.play(
        records.GainTerritory(gang="saints", territory="mine", kind="mine_workings", why="their share")
    )
    ram = records.ResolveVehicleHit(
        vehicle="rig",
        profile=WeaponProfile(name="ram", strength=10, armour_penetration=-2, damage=1),
        facing="rear",
        mobile=True,
        attacker="mags",
    )
    symbols = loader.rulebook(BOOK, [])
    struck = (
        *dice(wound=4),
        read_die("location", "location", "engine", special=symbols.special_die("location")),
        read_die(
            "vehicle_damage", "vehicle_damage", "penetrating", special=symbols.special_die("vehicle_damage")
        ),
        *dice(handling="6+5", crew_injury="2-1", lasting_damage=4),
    )

    def out(fighter: str, by: str, injury: str) -> tuple[records.Command, tuple[Die, ...]]:
        return records.StateOutcome(target=fighter, outcome="out_of_action", attacker=by), dice(
            lasting_injury=injury
        )

    scene.battle(
        "toll",
        out("vex", "mags", "5-5"),
        out("pip", "mags", "6-1"),
        out("nan", "dot", "5-6"),
        out("ash", "krug", "5-5"),
        (ram, struck),
        crews={"skulls": (), "saints": ()},
    )
    scene.play(records.CloseBattle(winner="saints"))
    scene.play(records.RollEscape(fighter="vex"), *dice(escape=5))
    scene.play(records.RollEscape(fighter="nan", webbed=True), *dice(escape=6))
    scene.play(records.RollEscape(fighter="ash", holder="skulls", result="drawn"), *dice(escape=2))
    scene.play(records.ClaimScrap(gang="saints"), *dice(scrap=3))
    scene.play(
        records.GainTerritory(gang="saints", territory="ruin", kind="old_ruins", why="the stake", staked=True)
    )
    scene.play(records.GainTerritory(gang="skulls", territory="drift", kind="refuse_drift", why="found"))
    scene.play(
        records.GainTerritory(
            gang="skulls", territory="dome", kind="collapsed_dome", name="The Dome", why="found"
        )
    )
    scene.play(records.GainTerritory(gang="saints", territory="hole", kind="drinking_hole", why="bought"))
    scene.play(
        records.TakeReward(gang="saints", why="the toll", dice=6, credits_fixed=5), *dice(reward=[1, 2, 3, 4])
    )
    scene.play(records.ChangeReputation(gang="saints", by=2, why="held the bridge"))
    scene.play(records.ChangeReputation(gang="skulls", by=-5, why="driven off"))
    scene.play(records.TakeIncome(territory="ruin", counted=1), *dice(income_d3=2))
    scene.play(records.PutCaptiveToWork(captive="vex", territory="mine"))
    scene.play(records.TakeIncome(territory="mine", worked_by="cy"), *dice(income=[3, 4]))
    scene.play(records.TakeIncome(territory="drift"), *dice(income=[2, 2], random_fighter=2))
    scene.play(
        records.TakeIncome(territory="dome", dice=3, struck="nan"),
        *dice(income=[2, 5, 2], lasting_injury="4-6"),
    )
    scene.play(
        records.MedicalEscort(patient="pip", by="krug"),
        *dice(doctor_fee="3+4", doctor=3, stabilised=["6-6", "4-4"]),
    )
    scene.play(records.Trade(by="mags"))
    scene.play(records.EndActions(gang="skulls"))
    scene.play(records.SeekRare(gang="saints", extra=1, extra_why="a fixer"), *dice(seek_rare="3+4"))
    scene.play(records.EndRescue(captive="ash", result="failed"))
    scene.play(records.TradeCaptive(captive="ash", to="saints", price=30))
    scene.battle("forge", crews={"skulls": ("krug", "wes"), "saints": ("mags", "dot", "cy")})
    scene.play(records.CloseBattle(drawn=True))
    scene.play(records.NegotiateRepairs(vehicle="rig", by="krug", worth=150), *dice(repairs=2))
    scene.play(records.EndRescue(captive="vex", result="declined"))
    scene.play(records.PutCaptiveToWork(captive="vex", territory=None))
    scene.play(records.SellCaptive(captive="vex", by="mags"))
    scene.battle(
        "spire",
        out("nan", "mags", "5-5"),
        out("pip", "dot", "5-6"),
        out("dot", "krug", "6-1"),
        out("ash", "krug", "5-5"),
        crews={"skulls": (), "saints": ()},
    )
    scene.play(records.CloseBattle(winner="skulls"))
    for fighter in ("nan", "pip", "ash"):
        scene.play(records.RollEscape(fighter=fighter), *dice(escape=1))
    scene.play(records.EndRescue(captive="nan", result="failed"))
    scene.play(records.ClaimBounty(captive="nan", by="mags"))
    scene.play(records.EndRescue(captive="ash", result="failed"))
    scene.play(records.DisposeOfCaptive(captive="ash", by="krug"))
    scene.play(records.MedicalEscort(patient="dot", by="cy", paid=False), *dice(doctor_fee="1+1"))
    scene.play(gang("rats", card("rik", "leader")))
    scene.play(records.TradeCaptive(captive="pip", to="rats"))
    scene.play(records.ReturnCaptive(captive="pip", why="mercy"))
    scene.play(records.LoseTerritory(territory="dome", why="it fell in"))
    scene.play(records.BeginCycle(reason="the season opens"))
    scene.play(records.BeginCycle(reason="half-time", phase="downtime"))
    scene.play(records.BeginCycle(reason="on we go", phase="takeover"))
    return scene


def aftermath_archive(folder: Path) -> Scene:
    """Archived rules after a battle: a capture roll, the Doc's own injury, two searches."""
    archive = "necromunda_archive"
    scene = Scene(folder, slug="aftermath-archive", book=archive)
    scene.play(replace(gang("skulls", card("krug", "leader"), card("vex"), card("pip")), credits=300))
    scene.play(gang("saints", card("mags", "champion"), card("dot")))
    scene.battle(
        "toll",
        (
            records.StateOutcome(target="vex", outcome="out_of_action", attacker="mags"),
            dice(book=archive, lasting_injury="1-2"),
        ),
        (
            records.StateOutcome(target="pip", outcome="out_of_action", attacker="mags"),
            dice(book=archive, lasting_injury="6-1"),
        ),
        crews={"skulls": (), "saints": ()},
    )
    scene.play(records.CloseBattle(winner="saints"))
    scene.play(
        records.RollCapture(gang="saints", bounty_hunters=1, restrained=1), *dice(book=archive, capture="5+4")
    )
    scene.play(records.StateAlignment(gang="skulls", alignment="outlaw", why="always so"))
    scene.play(
        records.MedicalEscort(patient="pip", by="krug"),
        *dice(book=archive, doctor_fee="3+4", doctor=5, doctor_injury=4),
    )
    scene.play(records.StateAlignment(gang="saints", alignment="law_abiding", why="always so"))
    scene.play(records.Trade(by="mags"))
    scene.play(
        records.SeekRare(gang="saints", market="black_market"),
        *dice(book=archive, seek_rare="3+4", seek_illegal="5+6"),
    )
    return scene


def sealed(folder: Path) -> Scene:
    """The same quarrels since headers keep the key and the digest of their command, those decided again too."""
    return quarrels(folder, slug="sealed")


def quarrels(folder: Path, *, slug: str = "quarrels") -> Scene:
    """A dead man fought on: kept by ruling, the ruling taken back, and that taken back too; a roll confirmed, a
    die rolled again, an outcome set by ruling, a battle rolled back, a dispute withdrawn."""
    scene = Scene(folder, slug=slug)
    scene.two_gangs()
    tracker, campaign = scene.tracker, scene.campaign

    def battle(name: str, *told: tuple[records.Command, tuple[Die, ...]]) -> list[int]:
        crews: dict[str, tuple[str, ...]] = {"skulls": (), "saints": ()}
        scene.play(records.OpenBattle(battle=name, scenario="Ambush", date="2026-11-21", crews=crews))
        entries = [int(scene.play(command, *given)) for command, given in told]
        scene.play(records.CloseBattle(winner="skulls"))
        return entries

    (fell,) = battle("first", (out("vex", "mags"), dice(lasting_injury="2-1")))
    shot_at, later = battle(
        "second",
        (shot("krug", "mags"), dice(wound=5, save=5)),
        (out("dot", "vex"), dice(lasting_injury="2-2")),
    )
    tracker.confirm_roll(campaign, f"{shot_at}.2", by="Dana")
    tracker.open_dispute(
        campaign, f"{fell}.4", reason="a photograph", raised_by="Robin", rule="Lasting Injuries"
    )
    tracker.rule(
        campaign,
        f"{fell}.4",
        Answer(verdict="corrected", reason="6-6", faces="6-6", strategy="keep-later", keep=(later,)),
    )
    ruling = tracker.store.head(campaign).entries
    tracker.open_dispute(campaign, str(ruling), reason="of another evening", raised_by="Vic")
    tracker.rule(campaign, f"{ruling}.1", Answer(verdict="reversed", reason="so it is"))
    taken_back = tracker.store.head(campaign).entries
    tracker.rule(campaign, None, Answer(verdict="reversed", reason="it was not", reverses=taken_back))
    scene.dispute(f"{shot_at}.2", Answer(verdict="rerolled", reason="cocked", faces="6"))
    moved = tracker.slot_now(campaign, shot_at).events
    save = next(one for one in moved if getattr(one.event, "purpose", "") == "save")
    scene.dispute(save.address, Answer(verdict="set", reason="it stands", outcome="passed"))
    (third,) = battle("third", (out("krug", "ash"), dice(lasting_injury="2-3")))
    tracker.open_dispute(campaign, str(third), reason="never happened", raised_by="Robin")
    disputed = tracker.store.head(campaign).entries
    tracker.withdraw_dispute(campaign, str(disputed), reason="it did")
    slots = tracker.slots_of_battle(campaign, "third")
    tracker.rule(campaign, None, Answer(verdict="rolled_back", reason="the wrong table", void=slots))
    return scene


def house_rules(folder: Path) -> Scene:
    """Two house rules ordered on purpose; one adopted from a battle already played, repealed there, restored."""
    scene = Scene(folder, slug="house-rules")
    scene.two_gangs()
    once = adoption("one-lasting-injury-roll@1", from_battle=1, reason="club vote")
    printed = records.PolicyText(
        policy="every-roll-counts",
        version=1,
        title="Every roll counts",
        source="The club's own",
        patch={"lasting_injuries.rolls": "each_out_of_action"},
    )
    scene.play(once)
    scene.play(
        records.AdoptPolicy(
            text=printed, from_battle=1, reason="on purpose", overrides=("one-lasting-injury-roll",)
        )
    )
    scene.battle(
        "first",
        (out("pip", "mags", out_of_action_dice=2), dice(lasting_injury=["3-1", "2-2"])),
        (records.CloseBattle(winner="saints"), ()),
        crews={"skulls": (), "saints": ()},
    )
    scene.battle(
        "second",
        (out("ash", "krug", out_of_action_dice=2), dice(lasting_injury=["2-1", "4-6"])),
        (records.CloseBattle(winner="skulls"), ()),
        crews={"skulls": ("krug", "vex"), "saints": ("mags", "dot", "ash")},
    )
    repealed = scene.tracker.adoption_ruling(
        scene.campaign, from_battle=2, repeal=["every-roll-counts"], reason="missed the kindness"
    )
    scene.tracker.rule(
        scene.campaign, None, Answer(verdict="house_rules", reason="second vote", house_rules=repealed)
    )
    adopted = scene.tracker.adoption_ruling(
        scene.campaign, from_battle=2, adopt=["templates-spill@1"], reason="asked for by all"
    )
    scene.tracker.rule(
        scene.campaign, None, Answer(verdict="house_rules", reason="third vote", house_rules=adopted)
    )
    last = scene.tracker.store.head(scene.campaign).entries
    scene.tracker.rule(
        scene.campaign, None, Answer(verdict="reversed", reason="the third vote was void", reverses=last)
    )
    return scene


def warbands(folder: Path) -> Scene:
    """Warbands through every step of two games: XP, skills, promotion, ransom, shell shock, Reinforcements."""
    trench = "trench_crusade"
    scene = Scene(folder, slug="warbands", book=trench)

    def shown(**rolled: object) -> tuple[Die, ...]:
        return dice(book=trench, **rolled)

    scene.play(
        gang("pilgrims", trench_model("anselm"), trench_model("una"), trench_model("odo", "troop")),
    )
    scene.play(gang("heretics", trench_model("mort"), trench_model("rot", "troop")))
    chest = Item(name="chest", kind="wargear", cost_credits=15)
    scene.battle(
        "crater",
        (records.GainBlessingMarkers(fighter="anselm", count=4, why="sermon"), ()),
        (records.GainBlessingMarkers(fighter="anselm", count=3, why="relic"), ()),
        (records.SpendBlessingMarkers(fighter="anselm", count=1), ()),
        (
            records.RollInjuryChart(target="anselm", attacker="mort", in_melee=True, spend_blessings=1),
            shown(injury_chart=[4, 5, 1]),
        ),
        (records.RollInjuryChart(target="anselm", result="down"), ()),
        (records.StandUp(fighter="anselm", risky=True, spend_blessings=1), shown(risky_stand=[4, 5])),
        (records.ResolveFall(target="odo", distance_hundredths=250, voluntary=True), ()),
        (
            records.ResolveFall(target="anselm", distance_hundredths=400, spend_markers=1, spend_blessings=1),
            shown(injury_chart=[1, 2, 1]),
        ),
        (records.RollInjuryChart(target="anselm", attacker="mort", result="out_of_action"), ()),
        (records.RollInjuryChart(target="una", attacker="mort", result="out_of_action"), ()),
        (records.RollInjuryChart(target="rot", result="down"), ()),
        (records.CheckMorale(gang="heretics", turn=2, held=True), ()),
        (
            records.CheckMorale(gang="pilgrims", turn=2, plus_dice=("bell",), shaken_instead=True),
            shown(morale=[1, 2, 3]),
        ),
        (records.CheckMorale(gang="heretics", turn=3, minus_dice=("gas",)), shown(morale=[6, 3, 4])),
        (records.CheckMorale(gang="pilgrims", turn=3, shaken_instead=True), shown(morale=[1, 2])),
        (records.DecideFate(fighter="anselm"), shown(trauma="1-2")),
        (records.DecideFate(fighter="una"), shown(trauma="2-3")),
        crews={"pilgrims": (), "heretics": ()},
    )
    scene.play(records.CloseBattle(winner="heretics"))
    scene.play(records.AwardBattleExperience(gang="pilgrims", deeds=("una",)))
    scene.play(records.AwardBattleExperience(gang="heretics"))
    scene.play(
        records.LearnSkill(
            fighter="una", tables=("melee", "wildcard"), choose="wildcard", patron_skill="Bell"
        ),
        *shown(skill_roll=["3+4", "6+6"]),
    )
    scene.play(
        records.RollPromotions(
            gang="pilgrims",
            dice=(records.PromotionDice(fighter="odo", dice=3),),
            deeds=2,
            deeds_by=("odo",),
        ),
        *shown(promotion=[1, 2, 3]),
    )
    scene.play(
        records.RollPromotions(gang="heretics", dice=(records.PromotionDice(fighter="rot", dice=2),)),
        *shown(promotion=6),
    )
    scene.play(records.SettleRansom(fighter="anselm", ducats=30))
    scene.play(records.RaiseThreshold(gang="pilgrims"))
    scene.play(records.RaiseThreshold(gang="heretics", game=12))
    scene.play(
        records.Explore(
            gang="heretics",
            rerolls=(1, 2),
            more_dice=1,
            more_rerolls=1,
            location="Drowned Chapel",
            location_score=12,
            location_kind="common",
        ),
        *shown(exploration=[1, 1, 3, 4], exploration_reroll=[2, 3]),
    )
    scene.play(records.CallReinforcements(gang="pilgrims", worth=300, less=100))
    scene.play(records.HireFighter(gang="pilgrims", card=trench_model("ned", "troop")))
    scene.play(records.AwardLatecomer(fighter="anselm", missed=2))
    scene.play(records.ChangeGlory(gang="pilgrims", by=2, why="a deed"))
    scene.play(records.ChangeGlory(gang="pilgrims", by=-1, why="a relic"))
    scene.play(records.BuyItem(gang="heretics", item=chest, market="common"))
    scene.play(records.SellItem(gang="heretics", item="chest"))
    scene.play(records.RecordRating(gang="pilgrims"))
    scene.play(records.RollShellShock(fighter="una"), *shown(shell_shock=2))
    scene.battle("wire", crews={"pilgrims": (), "heretics": ()})
    scene.play(records.CloseBattle(drawn=True))
    scene.play(records.RollShellShock(fighter="una"), *shown(shell_shock=3))
    return scene


def boons(folder: Path) -> Scene:
    """XP in bulk and by a die, recruits and equipment of territories, patronage, a bionic ruined, promotions."""
    scene = Scene(folder, slug="boons", preset="a_and_a")
    leg = Item(name="tin leg", kind="wargear", cost_credits=25)
    scene.play(
        replace(
            gang("skulls", card("krug", "leader"), card("vex"), replace(card("pip", "juve"), experience=12)),
            credits=400,
        )
    )
    mags = replace(card("mags", "leader"), cost_credits=700)
    scene.play(gang("saints", mags, card("dot", "champion"), card("ash", "hanger_on")))
    scene.tracker.adopt_policy(scene.campaign, "house-patronage@1", from_battle=1, reason="club vote")
    scene.play(records.RollPraise(fighter="vex", praise="painted"), *dice(painted=2))
    scene.play(records.StateAlignment(gang="skulls", alignment="law_abiding", why="always so"))
    for side in ("outlaw", "law_abiding"):
        # The second word on it is a switch: Ash, a Hanger-on, leaves.
        scene.play(records.StateAlignment(gang="saints", alignment=side, why="as it was"))  # type: ignore[arg-type]
    for kind in ("settlement", "promethium_cache", "rogue_doc_shop", "refuse_drift", "collapsed_dome"):
        scene.play(records.GainTerritory(gang="skulls", territory=kind[:4], kind=kind, why="their share"))
    scene.play(records.TakePatronage(gang="skulls", against="saints", reason="a poor season"))
    hobbled = (out("vex", "mags"), dice(lasting_injury="4-6"))
    crews: dict[str, tuple[str, ...]] = {"skulls": (), "saints": ()}
    scene.battle("first", hobbled, (records.CloseBattle(winner="saints"), ()), crews=crews)
    scene.play(records.AwardTakingPart(gang="skulls", without=("pip",)))
    scene.play(records.AwardTakingPart(gang="saints", amount=2, reason="the Ambush"))
    scene.play(records.AwardSeveral(fighters=("krug", "mags"), amount=1, reason="well told"))
    scene.play(records.RollPraise(fighter="krug", praise="mvp"), *dice(mvp=3))
    scene.play(records.TakeIncome(territory="refu", reading=2), *dice(income=[4, 4], random_fighter=1))
    scene.play(records.TakeIncome(territory="coll", reading=2), *dice(income=[2, 5]))
    joe, gil = (
        replace(card(name, rank), wargear=(), weapons=())
        for name, rank in (("joe", "juve"), ("gil", "ganger"))
    )
    doc = replace(card("doc", "hanger_on"), kind="Rogue Doc")
    scene.play(records.BuyItem(gang="skulls", item=leg, market="common"))
    scene.play(records.TakeRecruit(territory="sett", cards=(joe, gil)), *dice(recruit=[6, 2]))
    scene.play(records.TakeRecruit(territory="rogu", cards=(doc,)))
    charges = Item(name="incendiary charges", kind="wargear", cost_credits=40)
    scene.play(records.TakeEquipment(territory="prom", item=charges))
    scene.play(records.MoveItem(item=charges.name, source="stash:skulls", target="fighter:krug"))
    scene.play(
        records.FitBionic(
            fighter="vex", place="hobbled", item=leg.name, characteristics=("movement",), reading=2
        )
    )
    for _ in range(3):
        scene.play(records.BuyAdvancement(fighter="pip", advancement="willpower"))
    scene.battle(
        "second",
        (records.CloseBattle(drawn=True), ()),
        crews={"skulls": ("pip", "joe"), "saints": ("mags", "dot")},
    )
    again = dice(lasting_injury="4-6", bionic=4, bionic_ruined=1)
    scene.battle("third", (out("vex", "dot"), again), (records.CloseBattle(winner="skulls"), ()), crews=crews)
    scene.play(records.GainTerritory(gang="saints", territory="prom", why="taken"))
    scene.play(records.LoseTerritory(territory="rogu", why="burnt"))
    rising = records.PromoteFighter(fighter="pip", category="ganger", kind="Ganger")
    scene.play(records.BeginCycle(reason="half-time", phase="downtime", promotions=(rising,)))
    return scene


SCENES: dict[str, Callable[[Path], Scene]] = {
    "boons": boons,
    "house_rules": house_rules,
    "quarrels": quarrels,
    "reported": reported,
    "sealed": sealed,
    "injury_chart": injury_chart,
    "injuries": injuries,
    "rulings": rulings,
    "shooting": shooting,
    "borrowed": borrowed,
    "vehicles_shoot": vehicles_shoot,
    "nerve": nerve,
    "fighting": fighting,
    "vehicles": vehicles,
    "end_phases": end_phases,
    "archive": archive,
    "holdings": holdings,
    "aftermath": aftermath,
    "aftermath_archive": aftermath_archive,
    "warbands": warbands,
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
