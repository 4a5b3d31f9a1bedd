"""What a fight or a shot cannot be: refused alike by `judge` and by `battle record`, and nothing is written."""

from pathlib import Path

import pytest
from ash_wastes import exchange_file, report_file
from cli_arbitrator import Arbitrator
from tables import every

SHOT = "shoot: {attacker: mags, target: krug, weapon: %s}"
DOWN = "{seriously_injured: {fighter: %s, by: %s}}"
WEBBED = "{hit: {attacker: krug, weapon: web gun, target: mags}, dice: {wound: [6]}}"
PINNED = "{fall: {fighter: %s, inches: 3}, dice: {wound: [1]}}"
BROKEN = (
    "{seriously_injured: {fighter: dot, by: krug}}",
    "{nerve: {fighter: mags, because_of: dot, friends_near: 0}, dice: {nerve: [1+1]}}",
)

# What came before, the entry, the exit code, and what is said.
CASES: dict[str, tuple[tuple[str, ...], str, int, str]] = {
    "a shooter who is Seriously Injured": (
        (DOWN % ("mags", "krug"),),
        SHOT % "autogun, range: short",
        1,
        "Mags is Seriously Injured and makes no ranged attack",
    ),
    "a shooter in a web": (
        (WEBBED,),
        SHOT % "autogun, range: short",
        1,
        "Mags is Webbed and makes no ranged attack",
    ),
    "a shooter who is Broken": (BROKEN, SHOT % "autogun, range: short", 1, "Mags is Broken and makes only"),
    "somebody in a web who fights": (
        (WEBBED,),
        "fight: {attacker: mags, targets: [krug]}",
        1,
        "Mags is Prone and Webbed",
    ),
    "somebody Pinned who fights": (
        (PINNED % "mags",),
        "fight: {attacker: mags, targets: [krug]}",
        1,
        "Mags is Prone and Pinned",
    ),
    "somebody Seriously Injured who fights": (
        (DOWN % ("mags", "krug"),),
        "fight: {attacker: mags, targets: [krug]}",
        1,
        "Mags is Prone and Seriously Injured",
    ),
    "a Broken fighter who attacks": (
        BROKEN,
        "fight: {attacker: mags, targets: [krug]}",
        1,
        "makes only Reaction attacks",
    ),
    "a target in hiding": (
        (PINNED % "krug",),
        SHOT % "autogun, range: long, cover: full",
        1,
        "Krug is Prone and in cover and cannot be targeted",
    ),
    "a target Engaged and Prone": (
        (),
        SHOT % "autogun, range: long, engaged: true, prone: true",
        2,
        "'engaged: true' does not go with 'prone: true'",
    ),
    "a target Engaged that lies Pinned by the record": (
        (PINNED % "krug",),
        SHOT % "autogun, range: long, engaged: true",
        2,
        "Krug Standing and Engaged does not go with Krug Prone",
    ),
    "a target Seriously Injured that stands": (
        (DOWN % ("krug", "mags"),),
        SHOT % "autogun, range: long, prone: false",
        1,
        "Krug is Seriously Injured and so Prone",
    ),
    "more Attack dice than the fighter has": (
        (),
        "fight: {attacker: mags, weapons: [knife, sword], targets: [{fighter: krug, dice: [2, 2]}]}",
        1,
        "Mags has 2 Attack dice",
    ),
    "more Firepower dice than Rapid Fire allows": (
        (),
        SHOT % "autogun, range: short, firepower_dice: 2",
        2,
        "autogun rolls 1 to 1 Firepower dice, not 2",
    ),
    "three weapons": (
        (),
        "fight: {attacker: mags, weapons: [knife, sword, {name: axe, S: 4, AP: 0, D: 1, traits: [Melee]}], targets: [krug]}",
        2,
        "two weapons at most",
    ),
    "Short range beyond Long": (
        (),
        SHOT
        % "{name: bent, S: 4, AP: 0, D: 1, range: {short: 24, long: 8}, ammo: 4+}, range: short",
        2,
        'a Short range of 24" does not go with a Long range of 8"',
    ),
    "Short range with a weapon that has none": (
        (),
        SHOT % "{name: far gun, S: 4, AP: 0, D: 1, range: {short: E, long: 8}, ammo: 4+}, range: short",
        2,
        "Short range does not go with far gun",
    ),
    "no range": ((), SHOT % "autogun", 2, "Say how far autogun fires"),
    "a weapon without Ammo": ((), SHOT % "dry gun, range: short", 2, "its profile has no Ammo"),
    "a weapon without range": ((), SHOT % "short gun, range: long", 2, "its profile has no Long range"),
    "a weapon without Strength": ((), SHOT % "ghost, range: short", 2, "ghost"),
    "a ranged weapon in close combat": (
        (),
        "fight: {attacker: mags, weapons: [autogun], targets: [krug]}",
        1,
        "neither the Melee nor the Sidearm trait",
    ),
    "a point without a Blast": (
        (),
        "shoot: {attacker: mags, weapon: autogun, point: true, range: short}",
        2,
        "'point: true' does not go with autogun",
    ),
    "a Blast that goes astray": (
        (),
        SHOT % "frag, range: short, at_risk: [vex]",
        2,
        "'at_risk' does not go with a Blast",
    ),
    "a shot at one's own gang": (
        (),
        "shoot: {attacker: mags, target: dot, weapon: autogun, range: short}",
        1,
        "Mags cannot choose Dot of the same gang",
    ),
    "the target at risk of its own stray": (
        (),
        SHOT % "autogun, range: short, at_risk: [krug]",
        2,
        "Krug at risk of a stray shot does not go with",
    ),
    "cover that saves from a bullet": (
        (),
        "hit: {attacker: mags, weapon: autogun, target: krug, save_cover: full}",
        2,
        "'save_cover: full' does not go with autogun, neither Blast nor Template",
    ),
    "somebody Engaged on one side alone": (
        (),
        SHOT % "frag, range: short, under_marker: [{fighter: krug, engaged: true, engaged_with: [dot]}, dot]",
        2,
        "dot without 'engaged: true' does not go with dot engaged with krug",
    ),
    "a gun that is none of the crew's": (
        (),
        "shoot: {attacker: joss, weapon: autogun, target: mags, range: short}",
        1,
        "Joss is the crew of a vehicle and fires only Sidearms of their own",
    ),
    "a second Recovery test in one round": (
        (DOWN % ("krug", "mags"), "{recovery: {fighter: krug, round: 2}, dice: {recovery: [serious]}}"),
        "recovery: {fighter: krug, round: 2}",
        2,
        "'krug' has taken the Recovery test of round 2 already",
    ),
    "a vehicle that is hit as a fighter": (
        (),
        "hit: {attacker: mags, weapon: autogun, target: rig}",
        2,
        "Rig is a vehicle, and a fighter is needed here. Name one, or its crew: 'joss'",
    ),
    "a vehicle that falls": ((), "fall: {fighter: rig, inches: 4}", 2, "Rig is a vehicle"),
    "a vehicle that recovers": ((), "recovery: {fighter: rig}", 2, "Rig is a vehicle"),
    "a vehicle that rallies": ((), "rally: {fighter: rig, friends_near: 0}", 2, "Rig is a vehicle"),
    "a vehicle that fights": ((), "fight: {attacker: rig, targets: [mags]}", 2, "Rig is a vehicle"),
    "a vehicle under a coup de grace": (
        (),
        "coup_de_grace: {attacker: mags, target: rig}",
        2,
        "Rig is a vehicle",
    ),
    "a fighter where a vehicle is needed": (
        (),
        "vehicle_hit: {attacker: mags, weapon: autogun, vehicle: krug, facing: side, mobile: true}",
        2,
        "Krug is a fighter, and this is about a vehicle",
    ),
}  # fmt: skip


@every(
    ("word", "book"),
    [("judge", "necromunda_2023"), ("odds", "necromunda_2023"), ("judge", "necromunda_archive")],
)
@every("name", CASES)
def test_judge_and_odds_refuse(empty: Arbitrator, name: str, word: str, book: str) -> None:
    before, entry, code, said = CASES[name]
    text = exchange_file(entry, *before).replace("necromunda_2023", book)
    assert said in empty.refused(code, word, empty.write(text))
    assert not empty.file.exists()


@every("name", CASES)
def test_battle_record_refuses_and_writes_nothing(empty: Arbitrator, enlisted: Path, name: str) -> None:
    before, entry, code, said = CASES[name]
    empty.file.write_bytes(enlisted.read_bytes())
    # --roll: it is not for want of a die.
    file = empty.write(report_file(*before, f"{{{entry}}}"))
    assert said in empty.refused(code, "--campaign", "ash-wastes", "battle", "record", file, "--roll")


@pytest.mark.usefixtures("wide")
def test_a_pinned_shooter_is_let_in_and_it_is_said_aloud(empty: Arbitrator) -> None:
    text = exchange_file(
        f"{SHOT % 'autogun, range: short'}\n  dice: {{hit: [1], firepower: [one]}}", PINNED % "mags"
    )
    said = empty.done("judge", empty.write(text)).out
    assert "Mags shoots while Pinned, as stated: an unpin entry before it says who stood up" in said
