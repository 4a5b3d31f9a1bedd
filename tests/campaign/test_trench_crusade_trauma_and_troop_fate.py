"""Fates after the battle: the D6 for troops, all 36 cells of the Trauma table in each version, scars and losses."""

from itertools import product

import scenario
from scenario import Table
from tables import every
from trench_scenario import (
    ANSELM,
    CLOSING,
    HERETICS,
    ODO,
    PILGRIMS,
    RAT,
    VEX,
    chart,
    fate,
    given,
    hand,
    injury,
    lessons,
    model,
    opening,
    taken_out,
    trauma,
    troop_fate,
)

from tracker.campaign import records
from tracker.campaign.profiles import Weapon, WeaponProfile
from tracker.rules import loader
from tracker.rules.rulebook import BookHasNo

ARMED = model(
    VEX,
    weapons=(Weapon(weapon="rifle", profiles=(WeaponProfile(strength=None),)),),
    wargear=("Standard Armour", "shovel"),
    ranged=1,
)
CELLS = [f"{tens}{units}" for tens, units in product(range(1, 7), repeat=2)]


def vex_out(*cards: records.FighterCard, version: str = "1.6", by: str | None = ANSELM) -> Table:
    """Vex, ELITE, was taken out by Anselm."""
    knobs = {"trauma.version": version} if version != "1.6" else None
    return taken_out(given(*(cards or (ARMED,)), knobs=knobs), VEX, by=by)


def scar(row: str, means: str, nth: int = 1, *, against: str | None = None) -> records.BattleScarTaken:
    return records.BattleScarTaken(fighter=VEX, scar=row, means=means, scars=nth, slots=2, against=against)


GEAR = "gear"
"""Stands for everything lost, for the reason of the row."""
DEAD = ("dead", records.FighterDied(fighter=VEX, why="Dead"), GEAR)
CAPTURED = ("captured", GEAR, records.HeldForRansom(fighter=VEX, captor=PILGRIMS))
EYE = (
    "lost_eye",
    scar("lost_eye", "-1 DICE on ranged attacks"),
    records.CharacteristicChanged(fighter=VEX, characteristic="ranged", before=1, after=0, why="Lost Eye"),
)
LEG = (
    "leg_wound",
    scar("leg_wound", "-1 DICE on Dash"),
    records.CharacteristicChanged(fighter=VEX, characteristic="movement", before=6, after=4, why="Leg Wound"),
)
MINOR = (
    "minor_wound",
    scar("minor_wound", "misses the next battle"),
    records.WentIntoRecovery(fighter=VEX, battle=1),
)
HEAD = (
    "head_wound",
    scar("head_wound", "no longer ELITE until promoted again"),
    records.RankChanged(fighter=VEX, before="elite", after="troop", why="Head Wound"),
)
HARDENED = (
    "hardened",
    records.SkillGained(fighter=VEX, skill="immune_to_fear", against=None, why="Hardened"),
)
LESSONS = (
    "bitter_lessons",
    records.ExperienceGained(
        fighter=VEX, amount=2, reason="Bitter Lessons", section="Trench Crusade (1.6) · Campaign · Trauma"
    ),
)
ROBBED = ("robbed", GEAR)


def grudge(row: str, name: str) -> tuple[object, ...]:
    return (row, records.SkillGained(fighter=VEX, skill="melee_plus_1_dice", against=PILGRIMS, why=name))


def only_scar(row: str, means: str, *, against: str | None = None) -> tuple[object, ...]:
    return (row, scar(row, means, against=against))


FIRST_HALF: dict[str, tuple[object, ...]] = {
    "11": DEAD,
    "12": CAPTURED,
    "13": only_scar("severe_nerve_damage", "all ACTIONS are RISKY"),
    "14": only_scar("hand_wound", "-1 DICE in melee with that hand"),
    "15": EYE,
    "16": only_scar("chest_wound", "+1 DICE to injury rolls against them"),
    "21": only_scar("insomniac", "deploys first, and never as an Infiltrator"),
    "22": HEAD,
    "23": only_scar("shell_shocked", "before each battle a D6: misses it on 1-2"),
    "24": only_scar("dark_memory", "fears the kind of warband that caused it", against=PILGRIMS),
    "25": only_scar("paranoid", "deploys at least 8 inches from friends"),
    "26": only_scar("lost_arm", "one hand less"),
    "31": LEG,
    "32": only_scar("expensive_treatment", "costs 10 ducats each time they deploy"),
    "33": only_scar("possessed", "must begin each activation with a Dash of 3 inches"),
    "34": only_scar("muscle_damage", "carries no HEAVY weapon"),
    "35": MINOR,
}
RECOVERY: tuple[object, ...] = ("full_recovery",)
TABLES: dict[str, dict[str, tuple[object, ...]]] = {
    "1.6": {
        **FIRST_HALF,
        **{cell: RECOVERY for cell in CELLS if "36" <= cell <= "62"},
        "63": HARDENED,
        "64": LESSONS,
        "65": ROBBED,
        "66": grudge("facial_scar", "Facial Scar"),
    },
    "1.0": {
        **FIRST_HALF,
        "22": only_scar("head_wound", "earns no XP until a promotion die shows a 6"),
        "23": only_scar("shell_shocked", "before each battle a D6: -1 DICE in it on 1-2"),
        "36": ROBBED,
        **{cell: RECOVERY for cell in CELLS if "41" <= cell <= "63"},
        "64": HARDENED,
        "65": LESSONS,
        "66": grudge("prominent_scar", "Prominent Scar"),
    },
}
TABLES["1.0.2"] = {
    **TABLES["1.0"],
    "12": ("captured", records.HeldForRansom(fighter=VEX, captor=PILGRIMS)),
    "14": only_scar("hand_wound", "-1 DICE in melee with the right hand"),
    "24": only_scar(
        "dark_memory", "-1 DICE in melee against models of the warband that caused it", against=PILGRIMS
    ),
}


def test_every_version_holds_36_cells_of_which_15_are_full_recovery() -> None:
    for table in TABLES.values():
        assert sorted(table) == CELLS
        assert sum(row == RECOVERY for row in table.values()) == 15


@every("cell", CELLS)
@every("version", TABLES)
def test_each_cell_of_the_trauma_table(version: str, cell: str) -> None:
    row, *effects = TABLES[version][cell]
    dice = (lessons(2),) if row == "bitter_lessons" else ()
    if (version, row) == ("1.0.2", "hand_wound"):
        dice = (hand(4),)
    table = vex_out(version=version).when(fate(VEX), trauma(cell), *dice)
    decided, suffered, *rest = [
        event for event in table.outcome if getattr(event, "purpose", "") != "which_hand"
    ]
    assert isinstance(decided, records.FateDecided)
    assert isinstance(suffered, records.LastingInjurySuffered)
    assert (suffered.injury, suffered.cell, suffered.by) == (row, cell, ANSELM)
    # The version of the table is written down with the roll.
    assert suffered.table == f"trauma_{version.replace('.', '_')}"
    gear = records.GearForfeited(fighter=VEX, why=suffered.name)
    assert rest == [gear if effect is GEAR else effect for effect in effects]


@every(("face", "side"), [(1, "left"), (2, "left"), (3, "left"), (4, "right"), (5, "right"), (6, "right")])
def test_a_hand_wound_rolls_which_hand_it_is(face: int, side: str) -> None:
    table = vex_out(version="1.0.2").when(fate(VEX), trauma("14"), hand(face))
    assert [(roll.purpose, roll.outcome) for roll in table.rolls] == [
        ("trauma", "Hand Wound"),
        ("which_hand", side),
    ]
    assert table.outcome[-1] == scar("hand_wound", f"-1 DICE in melee with the {side} hand")


def test_trauma_63_and_36_differ_in_the_two_versions() -> None:
    def fate_of(version: str, cell: str) -> str:
        table = vex_out(version=version).when(fate(VEX), trauma(cell))
        return table.fighter(VEX).injuries[-1].injury

    assert (fate_of("1.6", "36"), fate_of("1.6", "63")) == ("full_recovery", "hardened")
    assert (fate_of("1.0", "36"), fate_of("1.0", "63")) == ("robbed", "full_recovery")


# --- troops ----------------------------------------------------------------------------------------------


@every(("face", "dies"), [(1, True), (2, True), (3, False), (4, False), (5, False), (6, False)])
def test_a_troop_dies_on_1_and_2(face: int, dies: bool) -> None:
    odo = model(ODO, wargear=("shovel",))
    table = taken_out(given(odo), ODO, by=VEX).when(fate(ODO), troop_fate(face))
    ends: tuple[records.Event, ...] = (
        (records.FighterDied(fighter=ODO, why="Dead"), records.GearForfeited(fighter=ODO, why="Dead"))
        if dies
        else ()
    )
    assert table.outcome[1:] == ends
    assert (table.fighter(ODO).standing == "dead") is dies
    assert (table.fighter(ODO).wargear == ()) is dies


# --- scars -----------------------------------------------------------------------------------------------


def next_battle(table: Table, number: int, *, first: str, by: str = ANSELM) -> Table:
    """The battle ends, another begins, and `first` is out again."""
    return taken_out(table.when(CLOSING).when(opening(number)), first, by=by)


def with_scars(*cells: str, version: str = "1.6") -> Table:
    """Vex with these traumas, out again in the next battle."""
    table = vex_out(version=version)
    for number, cell in enumerate(cells, start=2):
        table = next_battle(table.when(fate(VEX), trauma(cell)), number, first=VEX)
    return table


def test_a_scar_that_is_borne_already_is_rolled_again_until_another_comes() -> None:
    table = with_scars("13").when(fate(VEX), trauma("13"), trauma("13"), trauma("14"))
    assert [(roll.purpose, roll.outcome) for roll in table.rolls] == [
        ("trauma", "Severe Nerve Damage: rolled again"),
        ("trauma", "Severe Nerve Damage: rolled again"),
        ("trauma", "Hand Wound"),
    ]
    assert table.fighter(VEX).scars == 2
    assert table.fighter(VEX).standing == "enlisted"


def test_a_table_may_roll_a_borne_scar_again_once_only() -> None:
    table = taken_out(given(ARMED, knobs={"tables.rerolls": "once"}), VEX).when(fate(VEX), trauma("13"))
    table = next_battle(table, 2, first=VEX).when(fate(VEX), trauma("13"), trauma("13"))
    assert [injury.injury for injury in table.fighter(VEX).injuries] == ["severe_nerve_damage"] * 2


@every("cell", [cell for cell in CELLS if cell < "36" and cell not in ("11", "12", "15", "22", "35")])
def test_every_other_scar_that_is_borne_is_rolled_again_too(cell: str) -> None:
    table = with_scars(cell).when(fate(VEX), trauma(cell), trauma("41"))
    assert [roll.outcome.endswith("rolled again") for roll in table.rolls] == [True, False]


def test_a_second_lost_eye_is_no_repeat_but_ends_the_career() -> None:
    table = with_scars("15").when(fate(VEX), trauma("15"))
    assert records.FighterRetired(fighter=VEX, reason="Lost Eye") in table.outcome
    assert table.fighter(VEX).standing == "retired"
    assert table.fighter(VEX).characteristics["ranged"] == -1


def test_the_third_scar_kills_and_everything_is_lost() -> None:
    table = with_scars("13", "14").when(fate(VEX), trauma("16"))
    assert table.outcome[-2:] == (
        records.FighterDied(fighter=VEX, why="Battle Scar 3 of 2"),
        records.GearForfeited(fighter=VEX, why="Battle Scar 3 of 2"),
    )


def test_in_the_later_version_the_third_battle_scar_retires_the_model_with_its_gear() -> None:
    table = with_scars("13", "14", version="1.0").when(fate(VEX), trauma("16"))
    assert table.outcome[-1] == records.FighterRetired(fighter=VEX, reason="Battle Scar 3 of 2")
    assert table.fighter(VEX).wargear == ("Standard Armour", "shovel")


def test_as_printed_whom_a_third_scar_retires_leaves_everything_to_the_arsenal() -> None:
    table = with_scars("13", "23", version="1.0.2").when(fate(VEX), trauma("16"))
    assert records.FighterRetired(fighter=VEX, reason="Battle Scar 3 of 2") in table.outcome
    vex = table.fighter(VEX)
    assert (vex.standing, vex.weapons, vex.wargear) == ("retired", (), ())
    assert [item.name for item in table.state.gangs[HERETICS].stash] == ["rifle", "Standard Armour", "shovel"]


def test_a_trauma_that_is_no_scar_fills_no_scar_slot() -> None:
    for cell in ("41", "63", "65", "66"):
        assert vex_out().when(fate(VEX), trauma(cell)).fighter(VEX).scars == 0


def test_a_chest_wound_adds_a_die_to_every_injury_roll_against_its_bearer() -> None:
    table = with_scars("16").when(fate(VEX), trauma("41")).when(CLOSING).when(opening(3))
    table = table.when(injury(VEX), chart(1, 2, 3))
    assert table.outcome[0].dice == (records.Modifier(why="old scars", by=1),)  # type: ignore[union-attr]


def test_a_minor_wound_costs_exactly_the_next_battle() -> None:
    table = vex_out().when(fate(VEX), trauma("35")).when(CLOSING)
    assert table.fighter(VEX).recovering_since == 1
    second = opening(2)
    named = type(second)(
        battle="battle-2", scenario="Crater", date="2026-01-01", crews={PILGRIMS: (), HERETICS: (VEX,)}
    )
    table.when(named).then_refused(records.FighterCannotTakePart)
    table = table.when(second).when(CLOSING)
    assert table.fighter(VEX).recovering_since is None


def test_a_head_wound_makes_a_troop_of_the_elite() -> None:
    table = vex_out().when(fate(VEX), trauma("22"))
    assert table.fighter(VEX).category == "troop"
    table = next_battle(table, 2, first=VEX).when(fate(VEX), troop_fate(3))
    assert [roll.purpose for roll in table.rolls] == ["troop_fate"]


def test_a_trauma_that_brings_a_grudge_needs_somebody_who_caused_it() -> None:
    table = vex_out(by=None).when(fate(VEX), trauma("66"))
    assert table.outcome[-1].counts_as == "full_recovery"  # type: ignore[union-attr]
    named = vex_out(by=None).when(fate(VEX, grudge_against=PILGRIMS), trauma("66"))
    assert named.fighter(VEX).grudges == (PILGRIMS,)


# --- ransom ----------------------------------------------------------------------------------------------


def test_a_captive_is_held_until_the_ransom_is_settled_and_fights_no_more() -> None:
    table = vex_out().when(fate(VEX), trauma("12"))
    assert table.fighter(VEX).capture_pending
    assert table.fighter(VEX).captor == PILGRIMS
    assert (table.fighter(VEX).weapons, table.fighter(VEX).wargear) == ((), ())


def test_a_ransom_paid_at_once_counts_as_full_recovery_but_for_the_gear() -> None:
    table = vex_out().when(fate(VEX, ransom="paid"), trauma("12"))
    _, suffered, *rest = table.outcome
    assert suffered.counts_as == "full_recovery"  # type: ignore[union-attr]
    assert rest == [records.GearForfeited(fighter=VEX, why="Captured")]
    assert not table.fighter(VEX).capture_pending


def test_an_unpaid_ransom_holds_the_captive_and_kills_in_the_later_version() -> None:
    held = vex_out().when(fate(VEX, ransom="unpaid"), trauma("12"))
    assert held.fighter(VEX).capture_pending
    killed = vex_out(version="1.0").when(fate(VEX, ransom="unpaid"), trauma("12"))
    assert killed.outcome[-1] == records.FighterDied(fighter=VEX, why="Captured, ransom unpaid")


def test_as_printed_a_ransom_paid_is_a_full_recovery_with_everything_kept() -> None:
    table = vex_out(version="1.0.2").when(fate(VEX, ransom="paid"), trauma("12"))
    _, suffered, *rest = table.outcome
    assert suffered.counts_as == "full_recovery"  # type: ignore[union-attr]
    assert rest == []
    vex = table.fighter(VEX)
    assert (vex.capture_pending, vex.scars, vex.wargear) == (False, 0, ("Standard Armour", "shovel"))


@every("later", [False, True])
def test_as_printed_a_ransom_unpaid_kills_and_everything_is_lost(later: bool) -> None:
    if later:
        table = vex_out(version="1.0.2").when(fate(VEX), trauma("12")).when(CLOSING)
        assert table.fighter(VEX).wargear == ("Standard Armour", "shovel")
        table = table.when(records.SettleRansom(fighter=VEX, ducats=None))
    else:
        table = vex_out(version="1.0.2").when(fate(VEX, ransom="unpaid"), trauma("12"))
    assert table.outcome[-2:] == (
        records.FighterDied(fighter=VEX, why="Captured, ransom unpaid"),
        records.GearForfeited(fighter=VEX, why="Captured, ransom unpaid"),
    )


def test_the_newest_trauma_policy_is_as_printed_and_the_first_as_it_was() -> None:
    versions = {
        name: loader.policy(name).patch["trauma.version"]
        for name in ("trauma-table-1-0", "trauma-table-1-0@1")
    }
    assert versions == {"trauma-table-1-0": "1.0.2", "trauma-table-1-0@1": "1.0"}


def test_a_ransom_for_whom_nobody_captured_is_refused() -> None:
    vex_out().when(fate(VEX, ransom="paid"), trauma("41")).then_refused(records.NobodyToRansom)
    taken_out(given(), ODO).when(fate(ODO, ransom="paid"), troop_fate(4)).then_refused(records.NobodyToRansom)


# --- when ------------------------------------------------------------------------------------------------


def test_fates_that_no_entry_decided_are_decided_as_the_battle_ends() -> None:
    table = taken_out(taken_out(taken_out(given(), ODO), VEX), RAT)
    table = table.when(fate(RAT), troop_fate(5)).when(CLOSING, trauma("41"), troop_fate(1))
    assert [(roll.purpose, roll.fighter) for roll in table.rolls] == [("trauma", VEX), ("troop_fate", ODO)]
    assert table.fighter(ODO).standing == "dead"
    assert isinstance(table.outcome[-1], records.BattleClosed)


def test_a_fate_is_decided_once_and_only_for_who_went_out_of_action() -> None:
    given().when(fate(VEX), trauma("41")).then_refused(records.FateNotOpen)
    vex_out().when(fate(VEX), trauma("41")).when(fate(VEX), trauma("41")).then_refused(
        records.FateDecidedAlready
    )
    given(battle=False).when(fate(VEX)).then_refused(records.NoBattleUnderWay)


def test_a_model_that_took_no_part_has_no_fate_to_decide() -> None:
    table = given(battle=False).when(
        type(opening(1))(
            battle="b", scenario="Crater", date="2026-01-01", crews={PILGRIMS: (), HERETICS: (RAT,)}
        )
    )
    table.when(fate(VEX), trauma("41")).then_refused(records.FighterNotInBattle)


def test_the_injury_chart_is_not_in_every_book() -> None:
    scenario.given().when(injury(scenario.VEX), chart(1, 1)).then_refused(BookHasNo)
    scenario.given().when(fate(scenario.VEX)).then_refused(BookHasNo)


def test_in_1_0_2_a_sniper_priest_counts_a_lost_eye_as_a_full_recovery() -> None:
    for version, kind, counts_as in (
        ("1.0.2", "Sniper Priest", "full_recovery"),
        ("1.0.2", "Model", None),
        ("1.0", "Sniper Priest", None),
    ):
        table = vex_out(model(VEX, kind=kind), version=version).when(fate(VEX), trauma("15"))
        (eye,) = [event for event in table.outcome if isinstance(event, records.LastingInjurySuffered)]
        assert (eye.injury, eye.counts_as) == ("lost_eye", counts_as)
        assert (table.fighter(VEX).characteristics["ranged"] == 0) == (counts_as is not None)
