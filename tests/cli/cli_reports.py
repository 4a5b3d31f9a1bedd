"""Reports for the command line's tests: a season of six battles between the gangs of fixtures/gangs."""

from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
GANGS = ROOT / "fixtures" / "gangs"
GANG_SHEETS = [GANGS / f"{name}.yaml" for name in ("iron-skulls", "gilded-cage", "rust-saints")]


def report(
    battle: str,
    *entries: str,
    gangs: str = "[iron-skulls, gilded-cage]",
    result: str = "winner: iron-skulls",
    more: str = "",
) -> str:
    """A report; each entry is YAML from its first key on, lines after the first already indented by four."""
    listed = "".join(f"  - {entry}\n" for entry in entries)
    return (
        f"format: battle-report/1\nbattle: {battle}\nscenario: Toll at the Bridge\ndate: 2026-03-14\n"
        f"gangs: {gangs}\n{more}" + (f"entries:\n{listed}" if entries else "") + f"result: {{{result}}}\n"
    )


FIRST_ENTRY_LINE = 7

# Quill's wound roll of 5 in battle 2 is the one that is disputed: with a 2 there is no wound, no injury, no
# experience for Hob, and Quill need not miss battle 3.
DISPUTED = "hit: {attacker: hob, weapon: autogun, target: quill}\n    dice: {wound: [%s], save: [2], injury: [ooa], lasting_injury: [4-6]}"
CORRECTED = "hit: {attacker: hob, weapon: autogun, target: quill}\n    dice: {wound: [2]}"

FIRST = report(
    "b1",
    "out_of_action: {fighter: wren, by: krug, lasting_injury: 3-3}",
    "experience: {fighter: pip, amount: 2, reason: held the bridge}",
)


def second(disputed: str = DISPUTED % 5) -> str:
    return report(
        "b2",
        disputed,
        "out_of_action: {fighter: tallow, by: sable, lasting_injury: 2-1}",
        result="winner: gilded-cage",
    )


LATER = (
    report("b3", "out_of_action: {fighter: ivo, by: vex, lasting_injury: 4-2}", result="draw: true"),
    report(
        "b4",
        "hit: {attacker: quill, weapon: long las, target: hob}\n    dice: {wound: [5], save: [1], injury: [serious]}",
        "out_of_action: {fighter: hob, by: quill, lasting_injury: 3-1}",
    ),
    report(
        "b5",
        "out_of_action: {fighter: rook, by: dross, lasting_injury: 1-2}",
        gangs="[rust-saints, iron-skulls]",
    ),
    report(
        "b6",
        "out_of_action: {fighter: quill, by: krug, lasting_injury: 4-3}",
        "fall: {fighter: pip, inches: 2}",
    ),
)
SEASON = (FIRST, second(), *LATER)
