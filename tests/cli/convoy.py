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


FLAIL = "{name: flail, S: 4, AP: 0, D: 1, traits: [Melee, Reckless]}"
POT = "{name: pot, S: 4, AP: 0, D: 1, range: {short: 8, long: 24}, ammo: 2+, traits: [Blast (3)]}"


def with_true_grit(folder: Path) -> list[Path]:
    """The same, but Krug has a Reckless flail and a Blast, and the fighters of the Saints have True Grit."""
    skulls, saints = sheets(folder)
    text = skulls.read_text(encoding="utf-8")
    skulls.write_text(text.replace("weapons: [", f"weapons: [{FLAIL}, {POT}, ", 1), encoding="utf-8")
    text = saints.read_text(encoding="utf-8")
    for name in ("Mags", "Dot"):
        text = text.replace(f"name: {name},", f"name: {name}, skills: [True Grit],", 1)
    saints.write_text(text, encoding="utf-8")
    return [skulls, saints]
