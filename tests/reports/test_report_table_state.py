"""How everybody stands in a battle under way, in the words of the table."""

from tables import every

from tracker.campaign.fighters import Fighter
from tracker.campaign.state import (
    BattleUnderWay,
    CampaignState,
    Combatant,
    CombatVehicle,
    Gang,
    LastFight,
    Vehicle,
)
from tracker.records import replace
from tracker.reports.battle import table_state_data, table_state_parts
from tracker.reports.names import Names
from tracker.reports.page import Page
from tracker.reports.rendering import render

FRESH = Combatant(wounds_left=3)
BUGGY = CombatVehicle(hit_points_left=4)
FIGHT = LastFight(
    fighter="krug", may_react=("krug",), count_as_turned=(), charging=False, activation=None, fights=1
)


def state_of(combatant: Combatant = FRESH, vehicle: CombatVehicle = BUGGY) -> CampaignState:
    krug = Fighter(
        fighter="krug", gang="skulls", name="Krug", category="leader", kind="Boss", cost_credits=0,
        characteristics={"wounds": 3},
    )  # fmt: skip
    buggy = Vehicle(
        vehicle="buggy", gang="skulls", name="Dust Buggy", kind="Buggy", cost_credits=0, movement=8,
        toughness_front=4, toughness_side=4, toughness_rear=3, hit_points=4, handling=5, save=None, crew="krug",
    )  # fmt: skip
    gang = Gang(
        gang="skulls", name="Iron Skulls", house="", player="", credits=0, reputation=0,
        fighters={"krug": krug}, vehicles={"buggy": buggy},
    )  # fmt: skip
    battle = BattleUnderWay(
        battle="b1", number=1, crews={"skulls": ("krug",)}, combatants={"krug": combatant}, vehicles={"buggy": vehicle}
    )  # fmt: skip
    return CampaignState(
        gangs={"skulls": gang}, gang_of={"krug": "skulls"}, vehicle_of={"buggy": "skulls"}, under_way=battle
    )


def lines(state: CampaignState, battle: str = "b1") -> list[str]:
    parts = list(table_state_parts(state, battle, Names.of_state(state)))
    page = Page(schema="", data=dict, blocks=lambda: [parts])
    return render(page).split("\n")[1:]


def test_an_unhurt_fighter_is_said_to_be_unhurt() -> None:
    assert lines(state_of()) == ["  Iron Skulls", "    Krug: unhurt", "    Dust Buggy: unharmed"]


@every(
    ("condition", "words"),
    [
        ({"wounds_left": 1}, "1 of 3 Wounds left"),
        ({"wounds_left": 0, "flesh_wounds": 2}, "0 of 3 Wounds left, 2 Flesh Wounds"),
        ({"pinned": True}, "Pinned"),
        ({"seriously_injured": True, "seriously_injured_by": "vex"}, "Seriously Injured"),
        ({"down": True, "blood_markers": 2}, "Down, 2 Blood Markers"),
        ({"blood_markers": 1, "tough_spent": True}, "1 Blood Marker, Tough is spent"),
        ({"webbed": True, "broken": True}, "Webbed, Broken"),
        ({"blaze": True, "blind": True, "hidden": True}, "on fire, Blind, Hidden"),
        ({"insane": True, "lucid": True, "concussed": True, "gunked": True}, "Insane, Concussed, Gunked"),
        ({"out_of_ammo": ("autogun",)}, "autogun out of ammo"),
        ({"out_of_ammo": ("autogun",), "jammed": ("autogun",)}, "autogun jammed"),
        ({"ammo_spent": ("launcher|krak",)}, "launcher: no more krak"),
        ({"ammo_spent": ("autogun|",)}, "autogun: ammo used up"),
        ({"out_of_action": True, "pinned": True, "flesh_wounds": 1}, "Out of Action"),
        ({"fled": True, "broken": True}, "fled"),
    ],
)
def test_a_fighters_condition_in_words(condition: dict[str, object], words: str) -> None:
    state = state_of(replace(FRESH, **condition))  # type: ignore[arg-type]  # each a field
    assert lines(state)[1] == f"    Krug: {words}"


@every(
    ("condition", "words"),
    [
        ({"hit_points_left": 1}, "1 of 4 hit points left"),
        ({"stalled": True, "mobile": False}, "Stalled"),
        ({"mobile": False}, "stationary"),
        ({"shaken": True, "movement_capped": True}, "shaken, movement capped"),
        ({"handling_hindered": 2}, "handling hindered by 2"),
        ({"weapons_destroyed": ("heavy stubber",)}, "heavy stubber destroyed"),
        ({"driver_flesh_wounds": 1, "driver_blacked_out": True}, "driver blacked out, driver: 1 Flesh Wound"),
        ({"wrecked": True, "hit_points_left": 0, "stalled": True}, "Wrecked"),
    ],
)
def test_a_vehicles_condition_in_words(condition: dict[str, object], words: str) -> None:
    state = state_of(vehicle=replace(BUGGY, **condition))  # type: ignore[arg-type]  # each a field
    assert lines(state)[2] == f"    Dust Buggy: {words}"


def test_a_gang_that_has_bottled_out_is_shown_and_who_may_react() -> None:
    state = state_of()
    assert state.under_way is not None
    battle = replace(state.under_way, bottled=("skulls",), forfeit=("skulls",), last_fight=FIGHT)
    state = replace(state, under_way=battle)
    assert lines(state)[0] == "  Iron Skulls (bottled, forfeits the battle)"
    assert lines(state)[-1] == "  May still react to the last fight: Krug"
    data = table_state_data(state, "b1", Names.of_state(state))
    assert data is not None
    assert (data["gangs"]["skulls"]["bottled"], data["gangs"]["skulls"]["forfeit"]) == (True, True)
    assert data["may_react"] == ["krug"]


def test_for_programs_words_and_record_stand_side_by_side() -> None:
    state = state_of(replace(FRESH, pinned=True))
    data = table_state_data(state, "b1", Names.of_state(state))
    assert data is not None
    models = data["gangs"]["skulls"]["models"]
    assert (models["krug"]["name"], models["krug"]["stands"]) == ("Krug", ["Pinned"])
    assert models["krug"]["condition"]["pinned"] is True
    assert models["buggy"]["condition"]["hit_points_left"] == 4


def test_without_that_battle_under_way_nothing_is_shown() -> None:
    over = replace(state_of(), under_way=None)
    for state, battle in ((state_of(), "b2"), (over, "b1")):
        assert lines(state, battle) == []
        assert table_state_data(state, battle, Names.of_state(state)) is None
