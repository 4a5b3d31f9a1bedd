"""What a fight or a shot cannot be: refused alike by `judge` and by `battle record`, and nothing is written."""

from pathlib import Path

import pytest
from cli_arbitrator import Arbitrator

NUMBERS = "{M: 5, WS: 4+, BS: 4+, S: 3, T: 3, W: 1, I: 4+, A: 1, Ld: 7+, Cl: 7+, Wil: 7+, Int: 7+}"
WEAPONS = (
    "{name: autogun, S: 4, AP: 0, D: 1, range: {short: 8, long: 24}, ammo: 4+}",
    "{name: dry gun, S: 4, AP: 0, D: 1, range: {short: 8, long: 24}}",
    "{name: short gun, S: 4, AP: 0, D: 1, ammo: 4+}",
    "{name: knife, S: 3, AP: 0, D: 1, traits: [Melee]}",
    "{name: sword, S: 3, AP: 0, D: 1, traits: [Melee]}",
    '{name: ghost, S: "-", AP: 0, D: "-", range: {short: 8, long: 24}, ammo: 4+}',
    "{name: web gun, S: 4, AP: 0, D: 1, range: {short: 8, long: 24}, ammo: 4+, traits: [Web]}",
    '{name: frag, S: 3, AP: 0, D: 1, range: {short: 6, long: 12}, ammo: 4+, traits: [Blast (3")]}',
)
CAR = "type: Buggy, cost: 50, M: 7, T: {front: 5, side: 4, rear: 3}, HP: 2, Hnd: 7+, Sv: 6+"


def fighter(name: str, rank: str) -> str:
    listed = ", ".join(WEAPONS)
    return (
        f"- {{id: {name.lower()}, name: {name}, category: {rank}, type: Fighter, cost: 50,"
        f" characteristics: {NUMBERS}, weapons: [{listed}]}}"
    )


GANGS = {
    "skulls": ((("Krug", "leader"), ("Vex", "ganger"), ("Joss", "crew")), (("Rig", "joss"),)),
    "saints": ((("Mags", "leader"), ("Dot", "ganger")), ()),
}


def members(gang: str, indent: str) -> str:
    fighters, vehicles = GANGS[gang]
    lines = ["fighters:", *(f"  {fighter(*one)}" for one in fighters)]
    if vehicles:
        lines.append("vehicles:")
        lines += [f"  - {{id: {name.lower()}, name: {name}, {CAR}, crew: {crew}}}" for name, crew in vehicles]
    return "".join(f"{indent}{line}\n" for line in lines)


def sheet(gang: str) -> str:
    head = f"format: gang-sheet/1\ngang: {gang}\nname: {gang.title()}\nhouse: House\nplayer: P\ncredits: 0\n"
    return head + members(gang, "")


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
    "a shooter who is Broken": (BROKEN, SHOT % "autogun, range: short", 1, "Mags is Broken and makes no"),
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
        "makes no attack but Reaction attacks",
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
        "fight: {attacker: mags, weapons: [knife, sword, knife], targets: [krug]}",
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


@pytest.fixture(scope="module")
def enlisted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("enlisted")
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setenv("XDG_DATA_HOME", str(folder / "data"))
        monkeypatch.delenv("TRACKER_CAMPAIGN", raising=False)
        table = Arbitrator(folder)
        table.done("campaign", "new", "Ash Wastes")
        for gang in GANGS:
            table.done("gang", "add", table.write(sheet(gang)))
    return table.file


@pytest.mark.parametrize("name", CASES)
def test_judge_refuses(empty: Arbitrator, name: str) -> None:
    before, entry, code, said = CASES[name]
    gangs = "".join(f"  {gang}:\n{members(gang, '    ')}" for gang in GANGS)
    earlier = "before:\n" + "".join(f"  - {one}\n" for one in before) if before else ""
    text = f"format: exchange/1\nrulebook: necromunda_2023\ngangs:\n{gangs}{earlier}exchange:\n  {entry}\n"
    assert said in empty.refused(code, "judge", empty.write(text))
    assert not empty.file.exists()


@pytest.mark.parametrize("name", CASES)
def test_battle_record_refuses_and_writes_nothing(empty: Arbitrator, enlisted: Path, name: str) -> None:
    before, entry, code, said = CASES[name]
    empty.file.write_bytes(enlisted.read_bytes())
    told = "".join(f"  - {one}\n" for one in (*before, f"{{{entry}}}"))
    text = (
        "format: battle-report/1\nbattle: b1\nscenario: Ambush\ndate: 2026-03-14\n"
        f"gangs: [skulls, saints]\nentries:\n{told}result: {{draw: true}}\n"
    )
    # --roll: it is not for want of a die.
    words = ("--campaign", "ash-wastes", "battle", "record", empty.write(text), "--roll")
    assert said in empty.refused(code, *words)


def test_a_pinned_shooter_is_let_in_and_it_is_said_aloud(empty: Arbitrator) -> None:
    gangs = "".join(f"  {gang}:\n{members(gang, '    ')}" for gang in GANGS)
    text = (
        f"format: exchange/1\nrulebook: necromunda_2023\ngangs:\n{gangs}before:\n  - {PINNED % 'mags'}\n"
        f"exchange:\n  {SHOT % 'autogun, range: short'}\n  dice: {{hit: [1], firepower: [one]}}\n"
    )
    said = empty.done("judge", empty.write(text)).out
    assert "Mags shoots while Pinned, as it was told: an unpin entry before it says who stood up" in said
