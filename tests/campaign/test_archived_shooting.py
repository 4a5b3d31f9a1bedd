"""Shooting by the archived rules: what differs from the newer book, and that the rest is played alike."""

from itertools import product

from rides import RIG, riding
from scenario import DOT, KRUG, MAGS, OUT_COLD, VEX, Table, card, given, injury, seriously_injured, wound
from shots import dice, gun, shot, there
from tables import every

from tracker.campaign import records
from tracker.rules import loader

ARCHIVE = "necromunda_archive"
FRAG = gun("gun", 'Blast (3")')
HARDER = "harder_to_hit"


def archived(*weapons, knobs=None, others=(), book=ARCHIVE) -> Table:
    return given(card(MAGS, weapons=weapons or (gun(),)), *others, knobs=knobs, book=book)


def fired(table: Table) -> records.ShotFired:
    return next(event for event in table.outcome if isinstance(event, records.ShotFired))


def test_a_shot_goes_from_hit_roll_to_lasting_injury_under_the_archived_sections() -> None:
    table = archived().when(shot(), *dice(hit=3, firepower=1), wound(6), injury("ooa"), OUT_COLD)
    assert [(roll.purpose, roll.section) for roll in table.rolls] == [
        ("hit", "Archived rules · Shooting · Hit Roll"),
        ("firepower", "Archived rules · Shooting · The Firepower Dice"),
        ("wound", "Archived rules · Resolve Hits · 1. Wound Roll"),
        ("injury", "Archived rules · Resolve Hits · Injuries"),
        ("lasting_injury", "Archived rules · Lasting Injuries and Damage · Injury Tables"),
    ]
    assert records.FighterPinned(fighter=KRUG) in table.outcome


# --- target priority -------------------------------------------------------------------------------------


def needs_cool(table: Table, *nearer: records.NearerEnemy, closest: bool = False) -> bool:
    """Whether Mags must test her Cool to shoot Krug over these, nearest first."""
    asked = table.when(shot(KRUG, closest=closest, nearer=nearer), *dice(hit=1, firepower=1))
    if asked.refusal is None:
        return False
    assert "priority_cool" in asked.refusal.message()
    return True


def test_the_closest_is_shot_at_without_a_test_and_another_with_one() -> None:
    assert not needs_cool(archived(), closest=True)
    assert needs_cool(archived())
    assert needs_cool(archived(), records.NearerEnemy(model=VEX))


def test_an_enemy_easier_to_hit_than_the_closest_is_chosen_over_everybody_in_between() -> None:
    between = (records.NearerEnemy(model=VEX, because=HARDER), records.NearerEnemy(model="a sentry gun"))
    assert not needs_cool(archived(), *between)
    assert needs_cool(archived(book="necromunda_2023"), *between)


def test_a_target_chosen_freely_is_easier_to_hit_than_the_closest_of_all() -> None:
    between = (records.NearerEnemy(model="a sentry gun"), records.NearerEnemy(model=VEX, because=HARDER))
    assert needs_cool(archived(), *between)


def test_target_priority_ignores_the_seriously_injured_wherever_they_lie() -> None:
    down = archived().when(seriously_injured(VEX))
    injured = records.NearerEnemy(model=VEX, because="seriously_injured")
    assert not needs_cool(down, injured)
    assert not needs_cool(down, injured, records.NearerEnemy(model="a sentry gun", because=HARDER))
    assert needs_cool(down, injured, records.NearerEnemy(model="a sentry gun"))


def test_by_the_house_rule_target_priority_counts_the_closest_out_of_the_vision_arc() -> None:
    behind = records.NearerEnemy(model=VEX, out_of_arc=True)
    assert not needs_cool(archived(), behind, closest=True)
    house = archived(knobs={"target_priority.needs_vision_arc": "false"})
    assert needs_cool(house, behind, closest=True)
    assert not needs_cool(
        house, records.NearerEnemy(model=VEX, out_of_arc=True, because=HARDER), closest=True
    )


@every(("first", "second"), list(product(range(1, 7), repeat=2)))
def test_the_cool_test_is_passed_on_the_cool_or_more(first: int, second: int) -> None:
    rolls = dice(priority_cool=f"{first}+{second}")
    passes = first + second >= 7
    table = archived().when(shot(closest=False), *rolls, *(dice(hit=1, firepower=1) if passes else ()))
    assert table.refusal is None
    assert any(isinstance(event, records.ShotFired) for event in table.outcome) is passes


# --- Blast -----------------------------------------------------------------------------------------------


def test_a_marker_whose_centre_leaves_the_table_is_removed() -> None:
    table = archived(FRAG).when(
        shot(off_the_table=True), *dice(hit=1, firepower=1, scatter="arrow", scatter_distance=6)
    )
    assert (fired(table).result, fired(table).hits) == ("marker_removed", 0)
    assert not any(isinstance(event, records.FighterPinned) for event in table.outcome)


def test_a_marker_leaves_the_table_only_where_it_scatters() -> None:
    hit = archived(FRAG).when(shot(off_the_table=True), *dice(hit=6, firepower=1), wound(1))
    assert fired(hit).result == "marker_stays"
    wrong = archived(FRAG).when(
        shot(off_the_table=True), *dice(hit=1, firepower=1, scatter="hit", scatter_distance=1, misfire=2)
    )
    assert fired(wrong).result == "dud"


def test_nobody_lies_under_a_marker_that_leaves_the_table() -> None:
    archived(FRAG).when(shot(off_the_table=True, under_marker=(there(KRUG),))).then_refused(
        records.SituationContradicts
    )
    archived().when(shot(off_the_table=True)).then_refused(records.SituationContradicts)


def test_the_2023_book_prints_nothing_of_markers_that_leave_the_table() -> None:
    archived(FRAG, book="necromunda_2023").when(shot(off_the_table=True)).then_refused(records.NotInRulebook)


@every(
    ("unseen", "band", "die"),
    [
        ("darkness", "short", {"scatter_distance": 4}),
        ("darkness", "long", {"scatter_distance_far": "3+4"}),
        ("smoke", "long", {"scatter_distance": 4}),
    ],
)
def test_by_the_house_rule_of_the_archived_pages_blasts_scatter_unseen(
    unseen: str, band: str, die: dict
) -> None:
    house = loader.policy("blasts-scatter-unseen").patch
    table = archived(FRAG, knobs=dict(house)).when(
        shot(unseen=unseen, range_band=band), *dice(firepower=1, scatter="arrow", **die)
    )
    assert fired(table).result == "marker_scatters"
    assert not any(roll.purpose == "hit" for roll in table.rolls)


# --- stray shots, Reload ---------------------------------------------------------------------------------


def test_stray_shots_hit_fighters_on_1_to_3() -> None:
    for face in range(1, 7):
        strikes = face <= 3
        rolls = (*dice(hit=1, firepower=1, stray=face), *((wound(1),) if strikes else ()))
        table = archived().when(shot(at_risk=(there(VEX),)), *rolls)
        assert table.refusal is None
        assert (records.FighterPinned(fighter=VEX) in table.outcome) is strikes


def out_of_ammo(knobs=None) -> Table:
    return archived(knobs=knobs).when(shot(), *dice(hit=1, firepower="ammo", ammo=1))


def test_a_reload_is_a_simple_action_and_by_a_house_rule_a_double_one() -> None:
    for knobs, right, wrong in (
        (None, "simple", "double"),
        (dict(loader.policy("reload-is-double").patch), "double", "simple"),
    ):
        table = out_of_ammo(knobs)
        table.when(records.Reload(fighter=MAGS, weapon="gun", action=wrong)).then_refused(
            records.WrongReloadAction, needed=right
        )
        for said in (right, None):
            again = table.when(records.Reload(fighter=MAGS, weapon="gun", action=said), *dice(ammo=4))
            again.then(records.WeaponReloaded(fighter=MAGS, weapon="gun", slot="gun"))


def test_rapid_fire_and_two_sidearms_are_played_as_in_the_newer_book() -> None:
    burst = gun("gun", "Rapid Fire (2)")
    for book in (ARCHIVE, "necromunda_2023"):
        table = archived(burst, book=book).when(
            shot(firepower_dice=2, hits_on=(there(KRUG), there(VEX), there(VEX))),
            *dice(hit=3, firepower=["two_holes", "one_hole"], wound=[1, 1, 1]),
        )
        assert fired(table).hits == 3
        assert [roll.fighter for roll in table.rolls if roll.purpose == "wound"] == [KRUG, VEX, VEX]


def test_cover_stated_of_one_target_changes_nothing_for_another() -> None:
    table = archived().when(shot(VEX, cover="full"), *dice(hit=4, firepower=1))
    roll = next(event for event in table.events if isinstance(event, records.RollMade))
    assert (roll.target, roll.passed) == (4 + 2 - 1, False)
    assert table.combatant(DOT) == archived().combatant(DOT)


# --- vehicles --------------------------------------------------------------------------------------------


def at_the_rig(**more) -> records.Shoot:
    return records.Shoot(
        attacker=MAGS,
        weapon="gun",
        target=RIG,
        range_band="short",
        vehicle=records.VehicleAttacked(facing="side", mobile=True),
        **more,
    )


def test_a_vehicle_that_is_hull_down_is_at_minus_2() -> None:
    table = riding(fighters=(card(MAGS, weapons=(gun(),)),), book=ARCHIVE)
    shown = table.when(at_the_rig(), *dice(hit=1, firepower=1))
    hidden = table.when(at_the_rig(hull_down=True), *dice(hit=1, firepower=1))
    needed = [shooting.rolls[0].target for shooting in (shown, hidden)]
    assert needed == [4 - 1, 4 - 1 + 2]


def test_archived_stray_shots_hit_fighters_alone() -> None:
    risky = shot(KRUG, at_risk=(there(RIG, vehicle=records.VehicleAttacked(facing="side", mobile=True)),))
    cards = (card(MAGS, weapons=(gun(),)),)
    riding(fighters=cards, book=ARCHIVE).when(risky).then_refused(records.NotInRulebook)
    newer = riding(fighters=cards).when(risky, *dice(hit=1, firepower=1, stray=6))
    assert newer.refusal is None
