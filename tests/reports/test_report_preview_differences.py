"""Whatever a roster, a warband's page or the standings show of somebody, a preview tells when it changes."""

from __future__ import annotations

from typing import Any

from report_examples import CARD
from tables import every

from tracker.campaign import fighters, state
from tracker.campaign.after_battle import Cycle, Territory
from tracker.campaign.holdings import Item
from tracker.campaign.profiles import Armour, Weapon
from tracker.records import names_of_fields, replace
from tracker.reports.differences import differences, differences_lines
from tracker.reports.names import Names

MAGS = state.Fighter(
    fighter="mags", gang="rats", name="Mags", category="champion", kind="Boss", cost_credits=95,
    characteristics=CARD,
)  # fmt: skip
RIG = state.Vehicle(
    vehicle="rig", gang="rats", name="Rig", kind="Buggy", cost_credits=120, movement=7, toughness_front=5,
    toughness_side=4, toughness_rear=3, hit_points=3, handling=7, save=None, crew="mags",
)  # fmt: skip
RATS = state.Gang(gang="rats", name="Rats", house="cawdor", player="Ana", credits=40, reputation=3)

OF_A_FIGHTER: dict[str, Any] = {
    "name": "Maggie",
    "category": "leader",
    "kind": "Queen",
    "cost_credits": 100,
    "characteristics": {**CARD, "movement": 4},
    "skills": ("fearsome",),
    "grudges": ("rats",),
    "armour": Armour(name="flak", save=6),
    "field_armour": Armour(name="halo", save=5),
    "weapons": (Weapon(weapon="axe", profiles=()),),
    "wargear": ("lamp",),
    "experience": 1,
    "injuries": (fighters.InjurySuffered(injury="hobbled", name="Hobbled", counted_as="hobbled", battle=1),),
    "standing": "dead",
    "convalescing": True,
    "recovering_since": 1,
    "critical": True,
    "enemies_taken_out": 1,
    "times_out_of_action": 1,
    "battles_fought": 1,
    "advancements": 1,
    "bionics": ("hobbled",),
    "mutations": ("horns",),
    "mutations_to_choose": 1,
    "capture_pending": True,
    "held_by": "rats",
    "works_at": "pit",
    "absent_since": 1,
    "promoted_from": "Juve",
    "brought_from": "a notebook",
    "flags": ("Frenzy",),
}
NO_NUMBER_OF_A_FIGHTER = {
    "earns_again",  # what only the rules look at: the promotion die that brings it is shown itself
    # Who it is.
    "fighter", "gang",
    # Shown by the status, or by XP and characteristics that moved with it.
    "captor", "rescue", "experience_spent", "times_improved", "scars", "fitted",
    # Bookkeeping that no board shows, or that shows in the rating.
    "basic_profile", "prices", "mounted", "gang_fighter", "off_rating", "daemon", "shock_tested", "painted",
}  # fmt: skip
OF_A_VEHICLE: dict[str, Any] = {
    "name": "Rigg",
    "kind": "Truck",
    "cost_credits": 130,
    "movement": 6,
    "toughness_front": 4,
    "toughness_side": 3,
    "toughness_rear": 2,
    "hit_points": 2,
    "handling": 8,
    "save": 5,
    "crew": "",
    "weapons": ("spike gun",),
    "lasting_damage": (state.LastingDamageOnCard(damage="loss", name="Loss of Power", battle=1),),
    "in_repair": True,
    "times_wrecked": 1,
    "fitted": (Item(name="ram", kind="upgrade", cost_credits=20),),
    "gone": True,
}
NO_NUMBER_OF_A_VEHICLE = {
    "vehicle", "gang",
    # They come with lasting damage, which is reported, and with weapons.
    "rattles", "handling_modifier", "unreliable", "armament", "as_enlisted",
}  # fmt: skip
OF_A_GANG: dict[str, Any] = {
    "name": "Ratz",
    "house": "goliath",
    "player": "Bo",
    "credits": 50,
    "reputation": 4,
    "battles": 1,
    "won": 1,
    "drawn": 1,
    "lost": 1,
    "stash": (Item(name="ram", kind="wargear", cost_credits=20),),
    "corrupted": True,
    "alignment": "outlaw",
    "enemy_vehicles_wrecked": 1,
    "territories": (Territory(territory="pit", kind="pit", name="Pit", holder="rats"),),
    "glory": 1,
    "threshold_ducats": 800,
    "field_strength": 11,
    "allegiance": "the Spire",
    "alliances": ("Water Guild",),
    "patrons": ("Lady Hex",),
    "brought": state.RecordBrought(source="a notebook", battles=2, won=1, drawn=0, lost=1),
}
NO_NUMBER_OF_A_GANG = {
    "gang", "fighters", "vehicles",
    # Shown beside the rating itself; and what only the rules look at.
    "rating_recorded", "alignment_switched", "promotion_failures",
}  # fmt: skip


def state_of(
    gang: state.Gang = RATS, fighter: state.Fighter = MAGS, vehicle: state.Vehicle = RIG, **more: Any
) -> state.CampaignState:
    gang = replace(gang, fighters={"mags": fighter}, vehicles={"rig": vehicle})
    return state.CampaignState(
        name="Dust", book="necromunda_2023", gangs={"rats": gang}, gang_of={"mags": "rats"},
        vehicle_of={"rig": "rats"}, **more,
    )  # fmt: skip


def difference_lines(before: state.CampaignState, after: state.CampaignState) -> list[str]:
    names = Names.of_state(after)
    return differences_lines(differences(before, after, names), names)


@every("changed", OF_A_FIGHTER)
def test_a_preview_tells_every_change_of_a_fighter(changed: str) -> None:
    lines = difference_lines(state_of(), state_of(fighter=replace(MAGS, **{changed: OF_A_FIGHTER[changed]})))
    assert any(line.startswith(("Mags (Rats): ", "Maggie (Rats): ")) for line in lines), lines


@every("changed", OF_A_VEHICLE)
def test_a_preview_tells_every_change_of_a_vehicle(changed: str) -> None:
    lines = difference_lines(state_of(), state_of(vehicle=replace(RIG, **{changed: OF_A_VEHICLE[changed]})))
    assert any(line.startswith(("Rig (Rats): ", "Rigg (Rats): ")) for line in lines), lines


@every("changed", OF_A_GANG)
def test_a_preview_tells_every_change_of_a_gang(changed: str) -> None:
    lines = difference_lines(state_of(), state_of(gang=replace(RATS, **{changed: OF_A_GANG[changed]})))
    assert any(line.startswith(("Rats: ", "Ratz: ")) for line in lines), lines


@every(
    ("record", "changed", "no_number"),
    [
        (state.Fighter, OF_A_FIGHTER, NO_NUMBER_OF_A_FIGHTER),
        (state.Vehicle, OF_A_VEHICLE, NO_NUMBER_OF_A_VEHICLE),
        (state.Gang, OF_A_GANG, NO_NUMBER_OF_A_GANG),
    ],
)
def test_every_field_that_a_report_shows_is_changed_by_these_tests(
    record: type, changed: dict[str, Any], no_number: set[str]
) -> None:
    assert set(names_of_fields(record)) == changed.keys() | no_number
    assert not changed.keys() & no_number


def test_a_preview_tells_every_change_of_the_campaigns_cycle() -> None:
    first, second = (Cycle(number=number, phase="occupation", name="Occupation") for number in (1, 2))
    assert difference_lines(state_of(cycle=first), state_of(cycle=second)) == [
        "cycle 1 (Occupation) -> 2 (Occupation)"
    ]


def test_a_preview_tells_every_change_of_a_vehicle_in_battle() -> None:
    def battle(condition: state.CombatVehicle) -> state.CampaignState:
        return state_of(
            under_way=state.BattleUnderWay(
                battle="raid", number=1, crews={"rats": ("mags",)}, combatants={}, vehicles={"rig": condition}
            )
        )

    whole, wreck = (
        state.CombatVehicle(hit_points_left=3),
        state.CombatVehicle(hit_points_left=0, wrecked=True),
    )
    assert difference_lines(battle(whole), battle(wreck)) == [
        "Rig (Rats): HP left 3 -> 0",
        "Rig (Rats): wrecked no -> yes",
    ]
