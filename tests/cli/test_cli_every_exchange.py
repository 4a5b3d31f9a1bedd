"""Every exchange of the 2023 book put to `judge` and `odds` by hand: with dice, without, rolled, for programs."""

import json
from fractions import Fraction

from cli_arbitrator import Arbitrator
from tables import every

NUMBERS = "{M: 5, WS: 4+, BS: 4+, S: 3, T: 3, W: 1, I: 4+, A: 1, Ld: 7+, Cl: 7+, Wil: 7+, Int: 7+}"
GUN = "{name: autogun, S: 4, AP: 0, D: 1, traits: [Rapid Fire (1)], range: {short: 8, long: 24}, accuracy: {short: 1, long: 0}, ammo: 4+}"
KNIFE = "{name: knife, S: 3, AP: 0, D: 1, traits: [Melee]}"
CAR = "M: 7, T: {front: 5, side: 4, rear: 3}, HP: 2, Hnd: 7+, Sv: 6+"


def fighter(name: str, rank: str = "ganger") -> str:
    return (
        f"      - {{name: {name}, category: {rank}, characteristics: {NUMBERS}, weapons: [{GUN}, {KNIFE}]}}\n"
    )


def vehicle(name: str, crew: str) -> str:
    return f"      - {{name: {name}, type: Buggy, cost: 50, {CAR}, crew: {crew}}}\n"


HEAD = (
    "format: exchange/1\nrulebook: necromunda_2023\ngangs:\n  skulls:\n    fighters:\n"
    + fighter("Krug", "leader")
    + fighter("Vex")
    + fighter("Joss", "crew")
    + fighter("Ron", "crew")
    + "    vehicles:\n"
    + vehicle("Rig", "joss")
    + vehicle("Sled", "ron")
    + "  saints:\n    fighters:\n"
    + fighter("Mags")
    + fighter("Dot")
)
DOWN = "{seriously_injured: {fighter: vex, by: mags}}"
BROKEN = "{nerve: {fighter: krug, because_of: vex, friends_near: 0}, dice: {nerve: [1+1]}}"
BOTTLED = "{bottle: {gang: skulls, voluntary: true}}"
WRECK = (
    "{vehicle_hit: {attacker: mags, weapon: {name: ram, S: 10, AP: -6, D: 2}, vehicle: rig, facing: rear, mobile: false, choose: {location: engine, damage: catastrophic}},"
    " dice: {wound: [2], location: [engine], vehicle_damage: [catastrophic, catastrophic], handling: [6+6], crew_injury: [2-1], lasting_damage: [5]}}"
)

# What came before, the exchange, its dice, and the die that is asked for first (None: there is none).
CASES: dict[str, tuple[tuple[str, ...], str, str, str | None]] = {
    "hit": ((), "hit: {attacker: mags, weapon: autogun, target: vex}", "wound: [1]", "wound"),
    "injury_roll": ((), "injury_roll: {target: vex, why: plants}", "injury: [flesh]", "injury"),
    "fall": ((), "fall: {fighter: vex, inches: 6}", "wound: [1]", "wound"),
    "out_of_action": (
        (),
        "out_of_action: {fighter: vex, by: mags}",
        "lasting_injury: [2-1]",
        "lasting_injury",
    ),
    "seriously_injured": ((), "seriously_injured: {fighter: vex, by: mags}", "", None),
    "flesh_wound": ((), "flesh_wound: {fighter: vex, by: mags}", "", None),
    "experience": ((), "experience: {fighter: vex, amount: 1, reason: held the bridge}", "", None),
    "shoot": (
        (),
        "shoot: {attacker: mags, weapon: autogun, target: vex, range: short}",
        "hit: [3], firepower: [one], wound: [1]",
        "hit",
    ),
    "reload": (
        (
            "{shoot: {attacker: mags, weapon: autogun, target: vex, range: short}, dice: {hit: [1], firepower: [ammo], ammo: [1]}}",
        ),
        "reload: {fighter: mags, weapon: autogun}",
        "ammo: [4]",
        "ammo",
    ),
    "fight": ((), "fight: {attacker: mags, weapons: [knife], targets: [vex]}", "melee_hit: [1]", "melee_hit"),
    "coup_de_grace": (
        (DOWN,),
        "coup_de_grace: {attacker: mags, target: vex}",
        "lasting_injury: [2-1]",
        "lasting_injury",
    ),
    "unpin": (
        ("{fall: {fighter: vex, inches: 3}, dice: {wound: [1]}}",),
        "unpin: {fighter: vex}",
        "",
        None,
    ),
    "nerve": ((DOWN,), "nerve: {fighter: krug, because_of: vex, friends_near: 0}", "nerve: [3+3]", "nerve"),
    "rally": ((DOWN, BROKEN), "rally: {fighter: krug, friends_near: [], round: 1}", "rally: [1+2]", "rally"),
    "recovery": (
        (DOWN,),
        "recovery: {fighter: vex, assisted_by: krug}",
        "recovery: [flesh, ooa]",
        "recovery",
    ),
    "bottle": ((DOWN,), "bottle: {gang: skulls}", "bottle: [6]", "bottle"),
    "a bottle check failed at will": ((DOWN,), "bottle: {gang: skulls, voluntary: true}", "", None),
    "flee": (
        (DOWN, BOTTLED),
        "flee: {gang: skulls, fighters: [krug, ron], near: {krug: [ron]}}",
        "flee: [4+4]",
        "flee",
    ),
    "flee at will": (
        (DOWN, BOTTLED),
        "flee: {gang: skulls, fighters: [krug], voluntarily: true, engaged: [krug]}",
        "flee_engaged: [4]",
        "flee_engaged",
    ),
    "vehicle_hit": (
        (),
        "vehicle_hit: {attacker: mags, weapon: autogun, vehicle: rig, facing: rear, mobile: true}",
        "wound: [1]",
        "wound",
    ),
    "control": ((), "control: {vehicle: rig, mobile: true, why: ice}", "handling: [6+6]", "handling"),
    "thrown_clear": (
        (WRECK,),
        "thrown_clear: {fighter: krug, vehicle: rig, height: 3}",
        "thrown_clear: [6]",
        "thrown_clear",
    ),
    "vehicle_nerve": (
        (WRECK,),
        "vehicle_nerve: {vehicle: sled, wreck: rig, friends_near: 0, mobile: true}",
        "nerve: [6+6]",
        "nerve",
    ),
}


def file(table: Arbitrator, name: str, *, dice: bool) -> str:
    before, listed, rolled, _ = CASES[name]
    lines = "".join(f"  - {one}\n" for one in before)
    text = HEAD + (f"before:\n{lines}" if before else "") + f"exchange:\n  {listed}\n"
    return table.write(text + (f"  dice: {{{rolled}}}\n" if dice and rolled else ""))


@every("name", CASES)
def test_an_exchange_with_its_dice_is_judged(empty: Arbitrator, name: str) -> None:
    said = empty.done("judge", file(empty, name, dice=True))
    assert "\nEnd state\n" in said.out
    judgement = json.loads(empty.done("judge", file(empty, name, dice=True), "--json").out)
    assert {roll["source"] for roll in judgement["rolls"]} <= {"typed"}
    assert judgement["events"]
    assert not empty.file.exists()


@every("name", CASES)
def test_the_first_missing_die_is_asked_for_by_its_purpose(empty: Arbitrator, name: str) -> None:
    wanted = CASES[name][3]
    if wanted is None:
        empty.done("judge", file(empty, name, dice=False))
        return
    said = empty.refused(2, "judge", file(empty, name, dice=False))
    assert f"is missing: '{wanted}'" in said
    assert "--roll" in said


@every("name", CASES)
def test_what_is_missing_is_rolled_on_request(empty: Arbitrator, name: str) -> None:
    judgement = json.loads(empty.done("judge", file(empty, name, dice=False), "--roll", "--json").out)
    assert {roll["source"] for roll in judgement["rolls"]} == ({"generated"} if CASES[name][3] else set())
    assert empty.done("judge", file(empty, name, dice=False), "--roll").out


@every("name", CASES)
def test_the_chances_of_every_exchange_come_to_one(empty: Arbitrator, name: str) -> None:
    odds = empty.read("odds", file(empty, name, dice=False))
    assert sum(Fraction(end["chance"]) for end in odds["together"]) == 1
    for model in odds["models"].values():
        assert sum(Fraction(end["chance"]) for end in model["ends"]) == 1
    assert empty.done("odds", file(empty, name, dice=False)).out
