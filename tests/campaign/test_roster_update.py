"""Updating the roster after a battle: the dead, the order of steps, the rating; and bionics. Source: D5.7, D6.5."""

from __future__ import annotations

from affairs import GOGGLES, STUB, STUB_ITEM, buy, d6, two
from scenario import (
    CLOSING,
    DOT,
    KRUG,
    MAGS,
    SAINTS,
    SKULLS,
    VEX,
    Table,
    card,
    given,
    lasting,
    opening,
    out_of_action,
)
from tables import every

from tracker.campaign import records
from tracker.campaign.holdings import rating
from tracker.campaign.profiles import Item
from tracker.records import replace
from tracker.rules import loader

LEG = Item(name="tin leg", kind="wargear", cost_credits=25)
DEATH, HOBBLED = lasting(6, 6), lasting(4, 6)


def fought(*cards: object, dead: tuple[str, ...] = (), hobbled: str | None = None, **more: object) -> Table:
    """A battle in which these died, and all others stayed on the field."""
    table = given(*cards, **more)  # type: ignore[arg-type]
    for fighter in dead:
        table = table.when(out_of_action(fighter), DEATH)
    if hobbled is not None:
        table = table.when(out_of_action(hobbled), HOBBLED)
    return table.when(CLOSING)


def stash(table: Table, gang: str = SKULLS) -> list[str]:
    """What lies in a stash, by name."""
    return [item.name for item in table.state.gangs[gang].stash]


@every(("dead", "kept"), [((VEX,), ["stub gun", "goggles"]), ((VEX, KRUG), [])])
def test_the_gear_of_the_dead_is_saved_by_whoever_remained_on_the_field(
    dead: tuple[str, ...], kept: list[str]
) -> None:
    table = fought(card(VEX, weapons=(STUB,), wargear=("goggles",)), dead=dead)
    table = table.when(records.CleanHouse(gang=SKULLS))
    assert stash(table) == kept
    assert table.fighter(VEX).weapons == ()
    assert stash(table, SAINTS) == []


def test_what_was_saved_can_be_stated_and_a_house_is_clean_only_once() -> None:
    table = fought(card(VEX, weapons=(STUB,)), dead=(VEX, KRUG)).when(
        records.CleanHouse(gang=SKULLS, saved=True)
    )
    assert stash(table) == ["stub gun"]
    table = table.when(records.CleanHouse(gang=SKULLS, saved=True))
    assert stash(table) == ["stub gun"]


def test_the_dead_count_in_no_rating() -> None:
    table = fought(dead=(VEX,))
    assert rating(table.state.gangs[SKULLS]) == 100


def test_the_old_rating_stands_until_the_new_one_is_worked_out() -> None:
    table = fought().when(records.MoveCredits(source="@rewards", target=SKULLS, amount=60, reason="scenario"))
    table = table.when(records.RecordRating(gang=SKULLS, reason="before the season"))
    assert table.state.gangs[SKULLS].rating_recorded == 200
    table = table.when(buy(STUB_ITEM, "own_list", fighter=VEX))
    assert (table.state.gangs[SKULLS].rating_recorded, rating(table.state.gangs[SKULLS])) == (200, 205)
    table = table.when(records.RecordRating(gang=SKULLS))
    recorded = table.outcome[-1]
    assert isinstance(recorded, records.RatingRecorded)
    # 100 and 60 credits less 5 for the gun are 155, and nothing else lies in the stash.
    assert (recorded.before, recorded.after, recorded.wealth) == (200, 205, 205 + 155)


def test_every_ganger_with_6_xp_rolls_before_the_rating_is_worked_out() -> None:
    table = fought(card(VEX, experience=6))
    table.when(records.RecordRating(gang=SKULLS)).then_refused(records.RollsLeft, fighters=("Vex",))
    rolled = records.RollAdvancement(fighter=VEX, choose=("cool",))
    table = table.when(rolled, two(4, 6)).when(records.RecordRating(gang=SKULLS))
    assert table.state.gangs[SKULLS].rating_recorded == 210


@every(
    ("later", "earlier"),
    [
        (records.RecordRating(gang=SKULLS), records.BuyAdvancement(fighter=KRUG, advancement="cool")),
        (records.BuyAdvancement(fighter=KRUG, advancement="cool"), buy(GOGGLES)),
        (records.MoveItem(item="goggles", source=f"stash:{SKULLS}", target=f"fighter:{KRUG}"), buy(GOGGLES)),
        (buy(GOGGLES), records.CleanHouse(gang=SKULLS)),
        (
            records.MoveItem(item="goggles", source=f"stash:{SKULLS}", target=f"fighter:{KRUG}"),
            records.SellItem(gang=SKULLS, item="goggles"),
        ),
        (
            records.RecordRating(gang=SKULLS),
            records.HireFighter(gang=SKULLS, card=replace(card(VEX), fighter="pip", cost_credits=10)),
        ),
    ],
    ids=lambda one: type(one).__name__,
)
def test_the_steps_of_updating_the_roster_come_in_their_order(later: object, earlier: object) -> None:
    table = fought(card(KRUG, experience=8)).when(buy(GOGGLES, reason="in the stash before"))
    table = table.when(buy(GOGGLES, reason="a second one")).when(later)  # type: ignore[arg-type]
    dice = (d6("sale", 1),) if isinstance(earlier, records.SellItem) else ()
    table.when(earlier, *dice).then_refused(records.StepOutOfOrder)  # type: ignore[arg-type]


def test_a_reason_takes_it_out_of_the_order() -> None:
    table = fought().when(records.RecordRating(gang=SKULLS)).when(buy(GOGGLES, reason="forgotten"))
    assert stash(table) == ["goggles"]


def test_the_sequence_of_one_gang_is_not_the_others() -> None:
    table = fought(card(MAGS, experience=4)).when(records.RecordRating(gang=SKULLS))
    assert table.when(records.BuyAdvancement(fighter=MAGS, advancement="cool")).refusal is None


# --- bionics ---------------------------------------------------------------------------------------------


def with_leg(hobbled: str | None = VEX, **numbers: int) -> Table:
    return fought(card(VEX, **numbers), hobbled=hobbled).when(buy(LEG))


FITTED = records.FitBionic(
    fighter=VEX, place="hobbled", item="tin leg", characteristics=("movement",), reading=2
)


def test_a_bionic_gives_back_one_of_what_the_injury_took_and_counts_for_its_price() -> None:
    hurt = with_leg()
    assert hurt.fighter(VEX).characteristics["movement"] == 4
    table = hurt.when(FITTED)
    vex = table.fighter(VEX)
    assert (vex.characteristics["movement"], vex.bionics, vex.wargear) == (5, ("hobbled",), ("tin leg",))
    assert vex.cost_credits == 125
    assert stash(table) == []
    shortly = hurt.when(replace(FITTED, characteristics=("M",)))
    assert shortly.fighter(VEX).characteristics["movement"] == 5
    assert vex.recovering_since == 1  # it does not shorten Recovery


def test_a_bionic_fits_only_an_injury_that_took_something() -> None:
    with_leg(hobbled=None).when(FITTED).then_refused(records.BionicDoesNotFit)
    other = replace(FITTED, characteristics=("strength",))
    with_leg().when(other).then_refused(records.BionicDoesNotFit)
    with_leg().when(buy(LEG)).when(FITTED).when(FITTED).then_refused(records.BionicDoesNotFit)


def test_a_bionic_goes_never_past_the_best() -> None:
    table = with_leg()
    vex = table.fighter(VEX)
    fast = replace(vex, characteristics={**vex.characteristics, "movement": 8})
    replace(table, state=table.state.with_fighter(fast)).when(FITTED).then_refused(records.BionicDoesNotFit)


def test_opening_the_next_battle_ends_the_sequence() -> None:
    table = fought().when(records.RecordRating(gang=SKULLS)).when(opening(2)).when(CLOSING)
    assert table.when(buy(GOGGLES)).refusal is None
    assert table.fighter(DOT).gang == SAINTS


# A further injury at the place of a bionic: 4+ ignores it, then a 1 ruins the bionic and the injury counts.


def fitted(**more: object) -> Table:
    """Vex, once hobbled and with a leg of tin since, in the battle after the one that was missed."""
    table = fought(hobbled=VEX, **more).when(buy(LEG)).when(FITTED)
    return table.when(opening(2, without=(VEX,))).when(CLOSING).when(opening(3))


@every("face", [1, 2, 3])
def test_on_1_to_3_a_further_injury_at_the_place_of_a_bionic_counts(face: int) -> None:
    table = fitted().when(out_of_action(VEX), HOBBLED, d6("bionic", face))
    vex = table.fighter(VEX)
    assert (vex.characteristics["movement"], vex.recovering_since, len(vex.injuries)) == (4, 3, 2)
    assert vex.bionics == ("hobbled",)


@every("face", [4, 5, 6])
@every("again", [2, 3, 4, 5, 6])
def test_on_4_or_more_a_bionic_takes_the_injury_and_holds_but_on_a_1(face: int, again: int) -> None:
    dice = d6("bionic", face), d6("bionic_ruined", again)
    vex = fitted().when(out_of_action(VEX), HOBBLED, dice).fighter(VEX)
    assert (vex.characteristics["movement"], vex.recovering_since, len(vex.injuries)) == (5, None, 1)
    assert (vex.bionics, vex.wargear) == (("hobbled",), ("tin leg",))


def test_a_ruined_bionic_is_gone_with_its_benefit_and_the_injury_counts() -> None:
    table = fitted().when(out_of_action(VEX), HOBBLED, d6("bionic", 4), d6("bionic_ruined", 1))
    vex = table.fighter(VEX)
    # 5, hobbled to 4, tin leg back to 5; the leg is ruined (4) and Vex is hobbled again (3).
    assert (vex.characteristics["movement"], vex.recovering_since, len(vex.injuries)) == (3, 3, 2)
    assert (vex.bionics, vex.fitted, vex.wargear, vex.cost_credits) == ((), (), (), 100)


def test_in_the_archived_rules_a_ruined_bionic_costs_its_benefit_alone() -> None:
    dice = d6("bionic", 4), d6("bionic_ruined", 1)
    table = fitted(knobs={"bionics.ruined": "benefit_lost"})
    vex = table.when(out_of_action(VEX), HOBBLED, dice).fighter(VEX)
    assert (vex.characteristics["movement"], vex.recovering_since, len(vex.injuries)) == (4, None, 1)
    assert vex.bionics == ()
    assert loader.rulebook("necromunda_archive", ()).knob("bionics.ruined") == "benefit_lost"
    assert loader.rulebook("necromunda_2023", ()).knob("bionics.ruined") == "injury_applies"


def test_an_injury_elsewhere_asks_no_bionic() -> None:
    assert fitted().when(out_of_action(VEX), lasting(5, 1)).fighter(VEX).characteristics["strength"] == 2


# --- who leads -------------------------------------------------------------------------------------------


def test_no_rating_is_worked_out_for_a_gang_that_lost_its_leader_until_another_leads() -> None:
    table = (
        fought(dead=(KRUG,))
        .when(records.RecordRating(gang=SKULLS, reading=2))
        .then_refused(records.LeaderLost, leader="Krug")
    )
    assert (
        table.when(records.RecordRating(gang=SKULLS, reason="as agreed")).state.gangs[SKULLS].rating_recorded
        == 100
    )
    led = table.when(records.NameLeader(gang=SKULLS)).when(records.RecordRating(gang=SKULLS))
    assert led.state.gangs[SKULLS].rating_recorded == 100


def test_a_gang_with_nobody_left_to_lead_has_a_rating_all_the_same() -> None:
    dead = fought(dead=(KRUG, VEX)).when(records.RecordRating(gang=SKULLS))
    assert dead.state.gangs[SKULLS].rating_recorded == 0
