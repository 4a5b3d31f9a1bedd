"""Two small gangs, one with a vehicle, for what an exchange between them cannot be."""

from pathlib import Path

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


def exchange_file(entry: str, *before: str) -> str:
    """An exchange file for `judge` and `odds`: one entry, after those before it."""
    gangs = "".join(f"  {gang}:\n{members(gang, '    ')}" for gang in GANGS)
    earlier = "before:\n" + "".join(f"  - {one}\n" for one in before) if before else ""
    return f"format: exchange/1\nrulebook: necromunda_2023\ngangs:\n{gangs}{earlier}exchange:\n  {entry}\n"


def report_file(*entries: str) -> str:
    """A battle report of these entries, each YAML in braces."""
    text = "".join(f"  - {entry}\n" for entry in entries)
    return (
        "format: battle-report/1\nbattle: b1\nscenario: Ambush\ndate: 2026-03-14\n"
        f"gangs: [skulls, saints]\nentries:\n{text}result: {{draw: true}}\n"
    )


def enlist(folder: Path) -> Path:
    """The database of a campaign with both gangs."""
    table = Arbitrator(folder)
    table.done("campaign", "new", "Ash Wastes")
    for gang in GANGS:
        table.done("gang", "add", table.write(sheet(gang)))
    return table.file
