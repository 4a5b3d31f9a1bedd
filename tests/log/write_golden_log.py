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

import msgspec
from golden_logs import log_file, state_file

from tracker.campaign.commands import (
    AwardExperience,
    CloseBattle,
    Command,
    EnlistFighter,
    EnlistGang,
    FighterCard,
    OpenBattle,
    RenameFighter,
    ResolveFall,
    ResolveHit,
    RetireFighter,
    RollInjuryDice,
    StateOutcome,
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

    def __init__(self, folder: Path, *, slug: str, preset: str | None = None) -> None:
        ids, seconds = count(1), count(1)
        self.tracker = Tracker(
            f"sqlite:///{folder / 'scene.db'}",
            actor="arbitrator",
            clock=lambda: f"2026-11-21T10:00:{next(seconds):02d}Z",
            new_id=lambda: f"0190a000-0000-7000-8000-{next(ids):012x}",
        )
        self.campaign = self.tracker.open_campaign(
            name=slug.title(), slug=slug, book=BOOK, preset=preset
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


def dice(**rolled: object) -> tuple[Die, ...]:
    """Dice by purpose: `wound=4`, `lasting_injury="3-1"`, `injury=["flesh", "ooa"]`."""
    purposes = shelf.book(BOOK).purposes
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
    scene.play(CloseBattle(winner="saints"))
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


SCENES: dict[str, Callable[[Path], Scene]] = {"injuries": injuries, "rulings": rulings}


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
