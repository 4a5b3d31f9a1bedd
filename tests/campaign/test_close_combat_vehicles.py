"""Close combat against vehicles: +1 to hit, no assists, one more Location die; a wreck lets one consolidate."""

from fights import HAMMER, KNIFE, at, fight, hit_rolls, melee_hit, moved
from rides import HOLDS, OUT_COLD, RIG, SLED, damage, lasting_damage, location, now, riding, vehicle
from scenario import KRUG, MAGS, VEX, card, opening, wound
from tables import every

from tracker.campaign import records
from tracker.dice import read_die

ARMED = card(MAGS, weapons=(HAMMER, KNIFE), attacks=1)
STUTTER = (wound(6), location("body", "engine"), damage("glancing", "glancing", "glancing"))


def on(name: str = RIG, *dice: int, mobile: bool = False, **more) -> records.FightTarget:
    """The side of a vehicle that stands still."""
    struck = records.VehicleAttacked(facing="side", mobile=mobile, **more)
    return records.FightTarget(model=name, vehicle=struck, attack_dice=dice)


def test_a_vehicle_is_hit_at_plus_1_and_with_one_more_location_die() -> None:
    table = riding(fighters=(ARMED,)).when(
        fight(MAGS, on(keep_location=("engine",)), using=("hammer",)), melee_hit(3), *STUTTER
    )
    assert moved(table) == {(("against a vehicle", 1),)}
    assert (hit_rolls(table)[0].target, hit_rolls(table)[0].outcome) == (3, "hammer against Rig: hits")
    damaged = next(event for event in table.outcome if isinstance(event, records.VehicleDamaged))
    assert (damaged.location, damaged.by) == ("engine", MAGS)


def test_nobody_assists_against_a_vehicle_but_enemies_interfere() -> None:
    """Krug is engaged with Mags while she strikes at the rig."""
    table = riding(fighters=(ARMED,)).when(
        fight(MAGS, on(), using=("hammer",), engaged=((KRUG, MAGS),)), melee_hit(1)
    )
    assert moved(table) == {(("against a vehicle", 1), ("interference", -1))}
    riding().when(fight(MAGS, on(), engaged=((MAGS, RIG),))).then_refused(records.VehicleNotFighter)


def test_a_vehicle_never_reacts_and_is_never_engaged() -> None:
    table = riding(fighters=(ARMED,)).when(fight(MAGS, on(), using=("hammer",)), melee_hit(1))
    resolved = table.outcome[-1]
    assert isinstance(resolved, records.FightResolved)
    assert (resolved.attacked, resolved.may_react) == ((RIG,), ())


DRIVES_OFF = {"reaction": True, "drives_off": True}


def initiative(face: int):
    return read_die("drive_off", "D6", face)


@every("book", ["necromunda_2023", "necromunda_archive"])
@every("face", range(1, 7))
def test_who_passes_an_initiative_test_reacts_to_a_vehicle_that_drives_off(book: str, face: int) -> None:
    """Initiative 4+."""
    reaction = fight(MAGS, on(mobile=True), using=("hammer",), **DRIVES_OFF)
    dice = (melee_hit(1),) if face >= 4 else ()
    table = riding(fighters=(ARMED,), book=book).when(reaction, initiative(face), *dice)
    assert table.refusal is None
    assert (table.rolls[0].purpose, table.rolls[0].passed) == ("drive_off", face >= 4)
    assert len(table.rolls) == (2 if face >= 4 else 1)


def test_only_a_mobile_vehicle_drives_off_and_attacks_against_it_are_reactions() -> None:
    table = riding(fighters=(ARMED,))
    for said in (
        fight(MAGS, on(mobile=False), using=("hammer",), **DRIVES_OFF),
        fight(MAGS, on(mobile=True), using=("hammer",), drives_off=True),
        fight(MAGS, KRUG, using=("hammer",), **DRIVES_OFF),
    ):
        table.when(said).then_refused(records.ContradictoryStatement)


def test_whoever_wrecks_a_vehicle_may_consolidate() -> None:
    table = riding(vehicle(RIG, hit_points=1), fighters=(ARMED,))
    strike = fight(MAGS, on(), using=("hammer",), consolidate=True)
    wrecked = table.when(
        strike,
        melee_hit(6),
        wound(6),
        location("body", "body"),
        damage("penetrating", "glancing", "glancing"),
        HOLDS,
        OUT_COLD,
        lasting_damage(1),
    )
    assert now(wrecked).wrecked
    assert wrecked.outcome[-1] == records.FighterConsolidated(fighter=MAGS, up_to_inches=2)
    assert isinstance(table.when(strike, melee_hit(1)).outcome[-1], records.RuleNoted)


def test_dice_are_split_between_a_fighter_and_a_vehicle() -> None:
    table = riding(fighters=(card(MAGS, weapons=(KNIFE,), attacks=2),)).when(
        fight(MAGS, at(KRUG, 1), on(RIG, 1), using=("knife",)), melee_hit(1, 1)
    )
    on_krug, on_rig = hit_rolls(table)
    assert on_krug.modifiers == ()
    # Krug is engaged with Mags and with nobody else: he hinders her blow at the rig.
    assert [(modifier.why, modifier.by) for modifier in on_rig.modifiers] == [
        ("against a vehicle", 1),
        ("interference", -1),
    ]


def test_a_fight_is_never_against_crew_a_friendly_vehicle_or_what_is_no_vehicle() -> None:
    table = riding(fighters=(ARMED,))
    table.when(fight(MAGS, on(SLED))).then_refused(records.NoEnemy)
    table.when(fight(MAGS, on("cart"))).then_refused(records.UnknownVehicle)
    table.when(fight(MAGS, on(KRUG))).then_refused(records.FighterNotVehicle)
    table.when(fight(MAGS, VEX)).then_refused(records.CrewNotEngaged)
    table.when(fight(MAGS, KRUG, engaged=((VEX, MAGS),))).then_refused(records.CrewNotEngaged)
    table.when(fight(VEX, MAGS)).then_refused(records.CrewNotEngaged)
    table.when(fight(MAGS, RIG)).then_refused(records.VehicleNotFighter)


def test_an_absent_vehicle_is_not_attacked() -> None:
    table = riding(fighters=(ARMED,), battle=False)
    played = table.when(opening(1, without=(VEX,)))  # the crew stays at home, so the rig does too
    played.when(fight(MAGS, on())).then_refused(records.VehicleNotInBattle)


def test_a_second_hit_meets_the_vehicle_as_the_first_left_it() -> None:
    table = riding(fighters=(card(MAGS, weapons=(HAMMER,), attacks=2),)).when(
        fight(MAGS, on(mobile=True, keep_location=("engine",)), using=("hammer",)),
        melee_hit(6, 6),
        *STUTTER,
        *STUTTER,
    )
    assert (now(table).stalled, now(table).mobile) == (True, False)
