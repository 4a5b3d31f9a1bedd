"""Odds of shots at vehicles, against chances counted by hand and against every throw judged by itself."""

from collections import defaultdict
from collections.abc import Iterator
from fractions import Fraction
from itertools import product

import pytest
from rides import RIG, control, damage, location, lurch, ram, riding, seen, shot, vehicle
from scenario import BOOK, MAGS, card
from shots import gun

from tracker.campaign import records
from tracker.campaign.conditions import condition_changes, records_in_play
from tracker.campaign.odds.exchange_odds import Odds, odds_from
from tracker.campaign.state import CampaignState
from tracker.campaign.steps import decide_keeping_spare_dice
from tracker.dice import D6, D66, TWO_D6, DiceNeeded, DiceTray, Die, read_die
from tracker.rules import loader
from tracker.rules.rulebook import Rulebook


def chances(state: CampaignState, **more: object) -> Odds:
    return odds_from(state, [shot(**more)], loader.rulebook)  # type: ignore[arg-type]


def chance_that(found: Odds, model: str, condition: str) -> Fraction:
    """The chance that the condition has changed."""
    (of_model,) = (odds for odds in found.models if odds.model == model)
    return sum(
        (part for changes, part in of_model.ends if any(name == condition for name, _, _ in changes)),
        Fraction(0),
    )


def test_the_chance_that_one_shot_wrecks_a_vehicle_of_three_hull_points() -> None:
    """To hit 2/3, to wound 1/3, no save, no weapon to lose. Only a Roll wrecks it: a sixth of control lost.

    Control is lost: Body catastrophic 1/12 x 5/12, Engine penetrating 1/18 x 5/12 and catastrophic 1/36 x 7/12,
    Crew catastrophic 1/36, Drive glancing 1/12 x 5/12, penetrating 1/18 x 7/12, catastrophic 1/36 x 13/18:
    245/1296 in all.
    """
    state = riding(fighters=(card(MAGS, weapons=(gun(),)),)).state
    found = chances(state)
    assert chance_that(found, RIG, "wrecked") == Fraction(2, 9) * Fraction(245, 1296) / 6
    assert sum(part for _, part in found.together) == 1


def test_the_chance_that_one_shot_wounds_the_driver_or_knocks_it_out() -> None:
    """Crew 1/6: penetrating 1/3, catastrophic 1/6; of those blacked out a sixth roll over and are reported as wrecks."""
    state = riding(fighters=(card(MAGS, weapons=(gun(),)),)).state
    found = chances(state)
    assert chance_that(found, RIG, "driver_flesh_wounds") == Fraction(2, 9) / 18
    assert chance_that(found, RIG, "driver_blacked_out") == Fraction(2, 9) / 36 * Fraction(5, 6)


def test_hull_down_halves_the_chance_to_hit_at_short_range() -> None:
    """3+ becomes 5+."""
    state = riding(fighters=(card(MAGS, weapons=(gun(),)),)).state
    open_to_sight, hidden = chances(state), chances(state, hull_down=True)
    for condition in ("stalled", "shaken", "wrecked"):
        assert 2 * chance_that(hidden, RIG, condition) == chance_that(open_to_sight, RIG, condition)


def test_a_burst_at_a_vehicle_is_exact() -> None:
    """3+ to hit, then 1, 2 or 3 hits (3, 2, 1 faces); each wounds a side of 4 on 3+, and a third is saved.

    Of two Damage dice the gravest counts: a glance 1/4. Only one on the Drive (1/6) leaves no trace, unless control
    is lost (5/12) and the vehicle rolls (1/6).
    """
    burst = gun("gun", "Rapid Fire (1)", damage=2, strength=6)
    state = riding(vehicle(RIG, save=5), fighters=(card(MAGS, weapons=(burst,)),)).state
    found = chances(state, vehicle=seen("side"))
    assert sum(part for _, part in found.together) == 1
    through = Fraction(2, 3) * Fraction(2, 3)
    untouched = 1 - through + through * Fraction(1, 24) * Fraction(67, 72)
    burst_leaves_none = sum(Fraction(faces, 6) * untouched**hits for hits, faces in ((1, 3), (2, 2), (3, 1)))
    assert chance_of_nothing(found) == Fraction(1, 3) + Fraction(2, 3) * burst_leaves_none


def chance_of_nothing(found: Odds) -> Fraction:
    (rig,) = (model for model in found.models if model.model == RIG)
    return sum((part for changes, part in rig.ends if not changes), Fraction(0))


# --- against every die, one by one -----------------------------------------------------------------------


def every_way(state: CampaignState, command: records.Command) -> Iterator[tuple[Fraction, CampaignState]]:
    """Every end by plain enumeration of the die that is asked for next; a special die by its symbols, 2D6 by their sum.

    What is rolled for the crew and the wreck afterwards moves nothing in the battle: one face stands for all.
    """
    book = loader.rulebook(BOOK, ())
    waiting: list[tuple[Fraction, tuple[Die, ...]]] = [(Fraction(1), ())]
    while waiting:
        chance, dice = waiting.pop()
        try:
            yield (
                chance,
                decide_keeping_spare_dice(state, command, DiceTray(dice), loader.rulebook, entry=1).state,
            )
        except DiceNeeded as needed:
            for part, die in _falls(needed, book):
                waiting.append((chance * part, (*dice, die)))


PAIRS_OF_A_SUM = {
    total: [pair for pair in product(range(1, 7), repeat=2) if sum(pair) == total] for total in range(2, 13)
}


def _falls(needed: DiceNeeded, book: Rulebook) -> Iterator[tuple[Fraction, Die]]:
    if needed.purpose in ("crew_injury", "lasting_damage"):
        faces = (2, 1) if needed.die == D66 else (3,)
        yield Fraction(1), Die(purpose=needed.purpose, die=needed.die, faces=faces)
    elif needed.die == TWO_D6:
        for pairs in PAIRS_OF_A_SUM.values():
            yield Fraction(len(pairs), 36), Die(purpose=needed.purpose, die=TWO_D6, faces=pairs[0])
    elif needed.die == D6:
        for face in range(1, 7):
            yield Fraction(1, 6), Die(purpose=needed.purpose, die=D6, faces=(face,))
    else:
        symbols = book.special_die(needed.die).symbols
        for symbol in set(symbols):
            die = Die(purpose=needed.purpose, die=needed.die, symbol=symbol)
            yield Fraction(symbols.count(symbol), len(symbols)), die


def ends_one_by_one(state: CampaignState, command: records.Command) -> dict[str, Fraction]:
    start = records_in_play(state)
    found: defaultdict[str, Fraction] = defaultdict(Fraction)
    for chance, end in every_way(state, command):
        now = records_in_play(end)
        found[repr({name: condition_changes(start[name], now[name]) for name in start})] += chance
    return dict(found)


def ends_walked(state: CampaignState, command: records.Command) -> dict[str, Fraction]:
    found = odds_from(state, (command,), loader.rulebook)
    start = records_in_play(state)
    return {
        repr({name: dict(ends).get(name, ()) for name in start}): chance for ends, chance in found.together
    }


FIVE_TO_ONE = {"strength": 2}  # Toughness 5 is wounded on a 6
SMALL: dict[str, tuple[records.VehicleCard, records.Command]] = {
    "a hit": (vehicle(RIG, save=5), ram(**FIVE_TO_ONE)),
    "Damage 2": (vehicle(RIG), ram(damage=2, **FIVE_TO_ONE)),
    "Damage 2, the vehicle chooses": (vehicle(RIG), ram(damage=2, kept_by="vehicle", **FIVE_TO_ONE)),
    "in close combat": (
        vehicle(RIG),
        ram(in_close_combat=True, keep_location=("crew", "drive", "body", "engine"), **FIVE_TO_ONE),
    ),
    "three weapons, two Hull Points": (
        vehicle(RIG, hit_points=2, weapons=("gun", "ram", "saw")),
        ram(**FIVE_TO_ONE),
    ),
    "Damage '-'": (vehicle(RIG), ram(damage=None)),
    "a Loss of Control test": (vehicle(RIG, handling=9), lurch(modifier=-1)),
    "a Restart test": (vehicle(RIG), records.RestartVehicle(vehicle=RIG)),
}


@pytest.mark.parametrize("name", SMALL)
def test_odds_of_vehicles_are_those_of_every_die_judged(name: str) -> None:
    ride, command = SMALL[name]
    table = riding(ride)
    if name == "a Restart test":
        table = table.when(ram(), (read_die("wound", "D6", 6), *location("engine"), *damage("glancing")))
    one_by_one = ends_one_by_one(table.state, command)
    assert sum(one_by_one.values()) == 1
    assert ends_walked(table.state, command) == one_by_one


@pytest.mark.parametrize("total", PAIRS_OF_A_SUM)
def test_two_dice_that_test_control_count_by_their_sum(total: int) -> None:
    """The enumeration above judges one pair of each sum."""
    state, command = riding(vehicle(RIG, handling=9)).state, lurch(modifier=-1)
    ends = set()
    for pair in PAIRS_OF_A_SUM[total]:
        dice = (read_die("handling", "2D6", [*pair]), *control("swerve"))
        end = decide_keeping_spare_dice(state, command, DiceTray(dice), loader.rulebook, entry=1).state
        ends.add(repr(condition_changes(records_in_play(state)[RIG], records_in_play(end)[RIG])))
    assert len(ends) == 1


# --- dice that are rolled again, and long bursts ---------------------------------------------------------


def test_a_location_that_cannot_be_hit_is_rolled_again_until_another_comes() -> None:
    """Three faces of the Location die are the Body, one is the Crew: one of the three that are left."""
    state = riding(vehicle(RIG)).state
    found = odds_from(state, (ram(cannot_be_hit=("body",)),), loader.rulebook)
    # 2+ wounds; a penetrating hit (2 of 6) on the Crew wounds the driver.
    assert chance_that(found, RIG, "driver_flesh_wounds") == Fraction(5, 6) * Fraction(1, 3) * Fraction(1, 3)


def test_a_die_that_picks_no_weapon_is_rolled_again() -> None:
    """One of four: 5 and 6 are rolled again, so each is lost as often. Body (3 of 6), catastrophic (1 of 6).

    Control is lost in 5/12, and a sixth of those roll over and are reported as wrecks.
    """
    weapons = ("gun", "ram", "saw", "net")
    state = riding(vehicle(RIG, weapons=weapons)).state
    (rig,) = (model for model in odds_from(state, (ram(),), loader.rulebook).models if model.model == RIG)
    for weapon in weapons:
        lost = sum(
            (part for changes, part in rig.ends if ("weapons_destroyed", (), (weapon,)) in changes),
            Fraction(0),
        )
        assert lost == Fraction(5, 6) * Fraction(3, 6) * Fraction(1, 6) / 4 * Fraction(67, 72)


@pytest.mark.slow
def test_the_longest_burst_at_a_vehicle_is_exact() -> None:
    """Rapid Fire (3), Damage 3. Of up to nine hits one at least must come through to leave a trace.

    The bullet holes of three Firepower dice are a sum of (1, 1, 1, 2, 2, 3); each hit comes through in 2/3 x 2/3 of
    cases. Of three Damage dice all glance in 1/8; only that on the Drive (1/6) may leave no trace, unless control is
    lost (5/12) and the vehicle rolls (1/6).
    """
    burst = gun("gun", "Rapid Fire (3)", damage=3, strength=6)
    state = riding(vehicle(RIG, save=5), fighters=(card(MAGS, weapons=(burst,)),)).state
    found = chances(state, vehicle=seen("side"), firepower_dice=3)
    through = Fraction(2, 3) * Fraction(2, 3)
    untouched = 1 - through + through * Fraction(1, 8) * Fraction(1, 6) * Fraction(67, 72)
    holes = (1, 1, 1, 2, 2, 3)
    none = sum(untouched ** sum(shown) for shown in product(holes, repeat=3)) / 216
    assert chance_of_nothing(found) == Fraction(1, 3) + Fraction(2, 3) * none
    assert sum(part for _, part in found.together) == 1
    assert found.ways < 12_000, "hits are walked again for what has become of the ammunition"
