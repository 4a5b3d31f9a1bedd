"""Two gangs with a car each, its weapons on its own card, for battles of vehicles."""

from pathlib import Path

import ash_wastes

GUNS = (
    "weapons: [{name: cannon, S: 6, AP: -1, D: 2, range: {short: 12, long: 36}, ammo: 5+},"
    " {name: harpoon, S: 5, AP: -3, D: 2, range: {short: 6, long: 18}, ammo: 5+}]"
)
GANGS = {
    "skulls": ((("Krug", "leader"), ("Vex", "ganger"), ("Joss", "crew")), ("Rig", "joss")),
    "saints": ((("Mags", "leader"), ("Dot", "ganger"), ("Ned", "crew")), ("Sled", "ned")),
}


def sheets(folder: Path) -> list[Path]:
    """The sheets of both, written there."""
    made = []
    for gang, (fighters, (car, crew)) in GANGS.items():
        text = (
            f"format: gang-sheet/1\ngang: {gang}\nname: {gang.title()}\nhouse: House\nplayer: P\ncredits: 200\n"
            "fighters:\n"
            + "".join(f"  {ash_wastes.fighter(*one)}\n" for one in fighters)
            + f"vehicles:\n  - {{id: {car.lower()}, name: {car}, {ash_wastes.CAR}, crew: {crew}, {GUNS}}}\n"
        )
        made.append(folder / f"{gang}.yaml")
        made[-1].write_text(text, encoding="utf-8")
    return made
