"""Exact distributions: every way the dice can fall is decided once, and the ends are counted.

The counts are kept as files to be read; what they must add up to is worked out by hand below.
"""

from collections import Counter
from collections.abc import Callable, Iterable
from fractions import Fraction
from itertools import product

from scenario import (
    MAGS,
    MESH,
    OUT_COLD,
    VEX,
    Table,
    card,
    further,
    given,
    hit,
    how_many,
    injuries,
    injury,
    lasting,
    lesson,
    out_of_action,
    phrases,
    save,
    wound,
)
from tables import every

from tracker.campaign import records
from tracker.campaign.steps import decide_keeping_spare_dice
from tracker.dice import DiceTray, Die
from tracker.rules import loader

Golden = Callable[[str, str], None]
FACES = range(1, 7)


def ending(table: Table, command: object, dice: Iterable[Die]) -> str:
    """What became of Vex, in a few words. Dice that no rule asks for stay unused."""
    judged = decide_keeping_spare_dice(table.state, command, DiceTray(dice), loader.rulebook, entry=1)  # type: ignore[arg-type]
    words = []
    for event in (decided.event for decided in judged.events):
        match event:
            case records.FighterWentOutOfAction():
                rolls = event.lasting_injury_rolls
                by = "by the dice" if event.out_of_action_dice else "by Toughness 0"
                return f"Out of Action {by}, {rolls} Lasting Injury roll{'s' if rolls > 1 else ''}"
            case records.SeriousInjurySuffered():
                words.append("Seriously Injured")
            case records.FleshWoundsSuffered():
                words.append(f"Toughness {event.toughness}")
            case _:
                pass
    return ", ".join(words) or "unharmed"


def page(title: str, *parts: tuple[str, Counter[str]]) -> str:
    """Counts as people read them: the most frequent first, each with its fraction."""
    lines = [title]
    for heading, counts in parts:
        total = counts.total()
        lines += ["", f"{heading}: {total} ways", ""]
        for words, count in sorted(counts.items(), key=lambda item: (-item[1], item[0])):
            fraction = Fraction(count, total)
            lines.append(f"{count:>5}/{total:<5} = {fraction!s:>9}  {float(fraction):8.4%}  {words}")
    return "\n".join(lines) + "\n"


def injury_ends(dice: int, **changes: int) -> Counter[str]:
    """The ends of a fresh fighter under so many Injury dice."""
    table = given(card(VEX, **changes))
    return Counter(
        ending(table, injuries(VEX, dice=dice), (*injury(*faces), *[OUT_COLD] * dice))
        for faces in product(FACES, repeat=dice)
    )


def test_injury_dice_end_as_often_as_counted_by_hand(golden: Golden) -> None:
    """Two faces Flesh Wound, three Serious Injury, one Out of Action; fresh, Toughness 3."""
    one, two, three = injury_ends(1), injury_ends(2), injury_ends(3)
    assert one == {
        "Toughness 2": 2,
        "Seriously Injured": 3,
        "Out of Action by the dice, 1 Lasting Injury roll": 1,
    }
    assert two == {
        "Toughness 1": 2 * 2,  # two Flesh Wounds
        "Seriously Injured, Toughness 2": 2 * 2 * 3 + 3 * 3,  # one of each in either order; two Serious
        "Out of Action by the dice, 1 Lasting Injury roll": 2 * 1 * 5,
        "Out of Action by the dice, 2 Lasting Injury rolls": 1,
    }
    assert three == {
        "Out of Action by Toughness 0, 1 Lasting Injury roll": 2**3,
        # Two Flesh Wounds and a Serious Injury; one and two; three Serious: all cost two Toughness.
        "Seriously Injured, Toughness 1": 3 * 4 * 3 + 3 * 2 * 9 + 27,
        "Out of Action by the dice, 1 Lasting Injury roll": 3 * 1 * 25,
        "Out of Action by the dice, 2 Lasting Injury rolls": 3 * 1 * 5,
        "Out of Action by the dice, 3 Lasting Injury rolls": 1,
    }
    golden(
        "distributions/injury_dice_2023.txt",
        page(
            "Injury dice against a fresh fighter of Toughness 3 (two faces Flesh Wound, three Serious Injury, one Out of Action)",
            ("one die", one),
            ("two dice", two),
            ("three dice", three),
        ),
    )


@every(("dice", "stays"), [(1, 5), (2, 25), (3, 125 - 8)])
def test_a_fighter_of_toughness_3_stays_in_play_as_often_as_no_die_says_otherwise(
    dice: int, stays: int
) -> None:
    counts = injury_ends(dice)
    gone = sum(count for words, count in counts.items() if words.startswith("Out of Action"))
    assert (counts.total() - gone, counts.total()) == (stays, 6**dice)


LASTING_DICE = (lesson(2), how_many(1), further(3, 2))


def test_each_of_36_lasting_injuries_comes_as_often_as_its_row_has_cells(golden: Golden) -> None:
    table = given()
    counts: Counter[str] = Counter()
    for tens, units in product(FACES, repeat=2):
        judged = decide_keeping_spare_dice(
            table.state,
            out_of_action(VEX, by=MAGS),
            DiceTray((lasting(tens, units), *LASTING_DICE)),
            loader.rulebook,
            entry=1,
        )
        row, *effects = [
            words for words in phrases(decided.event for decided in judged.events) if words != "mags +2 XP"
        ]
        counts[f"{row}: {', '.join(effects) or 'nothing'}"] += 1

    def holding(words: str) -> int:
        return sum(count for line, count in counts.items() if words in line.partition(":")[2])

    assert counts.total() == 36
    assert sum(count for line, count in counts.items() if line.startswith("out_cold")) == 8
    assert holding("recovery from battle 1") == 6
    # 11, 31 to 36 and 43; and the one further roll of Multiple Injuries, which here is a Convalescence.
    assert holding("convalescence") == 8 + 1
    # Out Cold, a first Partially Deafened, and an Old Battle Wound, whose die waits for the Wrap-up.
    assert holding("nothing") == 9 + 1
    assert holding("captured") == 2
    assert holding("critical") == 5
    assert holding("dies") == 1
    golden(
        "distributions/lasting_injury_2023.txt",
        page(
            "A first Lasting Injury of an ordinary fighter, taken out by an enemy's attack in battle 1"
            " (Lesson Learned teaches 2; Multiple Injuries is one further roll, Convalescence)",
            ("one D66", counts),
        ),
    )


def whole_hits(**worn: object) -> Counter[str]:
    """Strength 4, AP -1, Damage 1 against Toughness 3 and one Wound: wound, save and Injury die, all faces."""
    table = given(card(VEX, **worn))
    return Counter(
        ending(
            table,
            hit(VEX, by=MAGS, strength=4, ap=-1, damage=1),
            (wound(to_wound), save(to_save), *injury(hurt), OUT_COLD),
        )
        for to_wound, to_save, hurt in product(FACES, repeat=3)
    )


def test_a_whole_hit_ends_as_often_as_multiplied_by_hand(golden: Golden) -> None:
    """4 against 3 wounds on 3+; a 5+ save behind AP -1 needs a 6; without armour there is no save."""
    mesh, bare = whole_hits(armour=MESH), whole_hits()
    wounds, unsaved = Fraction(4, 6), Fraction(5, 6)
    hurts = wounds * unsaved * 216
    assert mesh == {
        "unharmed": 216 - hurts,
        "Toughness 2": hurts * Fraction(2, 6),
        "Seriously Injured": hurts * Fraction(3, 6),
        "Out of Action by the dice, 1 Lasting Injury roll": hurts * Fraction(1, 6),
    }
    assert bare == {
        "unharmed": 72,
        "Toughness 2": 48,
        "Seriously Injured": 72,
        "Out of Action by the dice, 1 Lasting Injury roll": 24,
    }
    golden(
        "distributions/whole_hit_2023.txt",
        page(
            "A hit of Strength 4, AP -1, Damage 1 on a fighter of Toughness 3 with one Wound: wound roll, save, Injury die",
            ("in mesh armour (5+)", mesh),
            ("without armour", bare),
        ),
    )


def test_multiple_injuries_further_rolls_come_as_often_as_their_rows(golden: Golden) -> None:
    """One further roll: 17 of 36 cells are rolled again, so each cell left has one chance in 19."""
    table = given()
    counts: Counter[str] = Counter()
    for tens, units in product(FACES, repeat=2):
        dice = (lasting(5, 4), how_many(1), further(tens, units), lesson(2))
        tray = DiceTray((*dice, further(4, 2)))
        judged = decide_keeping_spare_dice(
            table.state, out_of_action(VEX, by=MAGS), tray, loader.rulebook, entry=1
        )
        again = len([die for die in tray.waiting if die.purpose == "multiple_injuries"]) == 0
        carried = [w for w in phrases(decided.event for decided in judged.events) if w != "mags +2 XP"]
        counts["rolled again" if again else carried[1].removesuffix(" within multiple_injuries")] += 1
    # 8 Out Cold, 2 Captured, 5 Critical Injury, 1 Memorable Death, 1 Multiple Injuries.
    assert counts["rolled again"] == 8 + 2 + 5 + 1 + 1
    assert counts.total() - counts["rolled again"] == 19
    golden(
        "distributions/multiple_injuries_2023.txt",
        page("A further roll of Multiple Injuries for an ordinary fighter", ("one D66", counts)),
    )
