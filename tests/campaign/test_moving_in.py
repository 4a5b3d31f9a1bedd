"""Moving in: what a gang brings along counts like what happened here, and says that it did not.

Expectations of later injuries are those of the printed table for a second result of that kind.
"""

import trench_scenario as trench
from lasting_injuries import AGAIN, carried_home, dice_for
from scenario import (
    CLOSING,
    DOT,
    KRUG,
    MAGS,
    SAINTS,
    SKULLS,
    VEX,
    Table,
    campaign,
    card,
    enlist,
    given,
    old_wound,
    opening,
    out_of_action,
)
from tables import every

from tracker.campaign import records
from tracker.campaign.profiles import Bionic, Item
from tracker.campaign.state import CampaignState
from tracker.errors import Refusal
from tracker.records import replace
from tracker.rules import loader

ORIGIN = records.Provenance(source="our spreadsheet", digest="ab" * 32)
ROW_OF = {cell: row.id for row in loader.book("necromunda_2023").lasting_injuries.rows for cell in row.cells}


def with_past(fighter: str, *injuries: records.InjurySoFar, **past: object) -> records.FighterCard:
    return replace(card(fighter), so_far=records.FighterSoFar(injuries=injuries, **past))  # type: ignore[arg-type]


def suffered(injury: str, *, counted: bool | None = False) -> records.InjurySoFar:
    return records.InjurySoFar(injury=injury, counted=counted)


def skulls(*fighters: records.FighterCard, **more: object) -> records.EnlistGang:
    return enlist(SKULLS, *fighters, origin=ORIGIN, **more)


def moved_in(*fighters: records.FighterCard, **more: object) -> Table:
    """The Skulls with their past, the Saints without any."""
    saints = enlist(SAINTS, card(MAGS, category="leader"), card(DOT))
    return campaign(saints, skulls(*fighters, **more))


# --- injuries ---------------------------------------------------------------------------------------------


@every("cell", AGAIN)
def test_an_injury_brought_along_makes_the_next_of_its_kind_a_second_one(cell: str) -> None:
    table = moved_in(card(KRUG), with_past(VEX, suffered(ROW_OF[cell]))).when(opening(1))
    second = table.when(out_of_action(VEX, by=MAGS), *dice_for(cell))
    # Played here, the second comes in battle 3; here it comes in the first.
    expected = tuple(phrase.replace("battle 3", "battle 1") for phrase in AGAIN[cell])
    assert carried_home(second) == expected


@every(
    ("injury", "characteristic", "after"),
    [
        ("humiliated", "cool", 8),
        ("eye_injury", "ballistic_skill", 5),
        ("hand_injury", "weapon_skill", 5),
        ("hobbled", "movement", 4),
        ("spinal_injury", "strength", 2),
        ("enfeebled", "toughness", 2),
        ("head_injury", "willpower", 8),
    ],
)
def test_numbers_are_reduced_only_where_the_card_has_not_counted_the_injury(
    injury: str, characteristic: str, after: int
) -> None:
    applied = moved_in(with_past(VEX, suffered(injury))).fighter(VEX)
    counted = moved_in(with_past(VEX, suffered(injury, counted=True))).fighter(VEX)
    assert applied.characteristics[characteristic] == after
    assert counted.characteristics == card(VEX).characteristics
    assert [known.injury for known in applied.injuries] == [known.injury for known in counted.injuries]


def test_an_injury_brought_along_brings_neither_recovery_nor_xp_nor_death_again() -> None:
    past = [suffered(row) for row in ("lesson_learned", "eye_injury", "memorable_death", "captured")]
    vex = moved_in(with_past(VEX, *past)).fighter(VEX)
    assert (vex.standing, vex.recovering_since, vex.convalescing, vex.experience) == (
        "enlisted",
        None,
        False,
        0,
    )
    assert not vex.capture_pending


def test_an_old_battle_wound_brought_along_is_tested_for_in_the_first_wrap_up() -> None:
    table = moved_in(card(KRUG), with_past(VEX, suffered("old_battle_wound"))).when(opening(1))
    assert table.when(CLOSING, old_wound(1)).fighter(VEX).convalescing


def test_an_injury_brought_along_says_whether_the_numbers_have_it() -> None:
    table = campaign().when(skulls(with_past(VEX, suffered("hobbled", counted=None))))
    table.then_refused(records.CountedNotSaid, fighter="Vex", injury="Hobbled")


def test_an_injury_that_the_book_does_not_print_is_refused_with_the_nearest() -> None:
    table = campaign().when(skulls(with_past(VEX, suffered("hobled"))))
    assert isinstance(table.refusal, records.UnknownInjury)
    assert "Did you mean 'hobbled'?" in table.refusal.message()


# --- records of fighters ------------------------------------------------------------------------------------


def test_the_next_advancement_costs_what_it_would_had_the_first_been_bought_here() -> None:
    here = given(card(KRUG, experience=30), battle=False)
    bought = here.when(records.BuyAdvancement(fighter=KRUG, advancement="weapon_skill"))
    krug = bought.fighter(KRUG)
    brought = replace(
        card(KRUG),
        characteristics=krug.characteristics,
        experience=krug.experience,
        cost_credits=krug.cost_credits,
        so_far=records.FighterSoFar(xp_spent=krug.experience_spent, advances=1, improved=("WS",)),
    )
    moved = moved_in(brought)
    again = records.BuyAdvancement(fighter=KRUG, advancement="weapon_skill")
    for counted in ("experience", "experience_spent", "advancements", "times_improved", "cost_credits"):
        mine, theirs = bought.when(again).fighter(KRUG), moved.when(again).fighter(KRUG)
        assert getattr(mine, counted) == getattr(theirs, counted)


def test_kills_bionics_and_grudges_brought_along_stand_on_the_card() -> None:
    bionic = records.BionicSoFar(place="hobbled", name="iron leg", improves=("movement",))
    vex = moved_in(
        with_past(
            VEX,
            suffered("hobbled", counted=True),
            kills=4,
            out_of_action=2,
            battles=5,
            bionics=(bionic,),
            grudges=(SAINTS,),
        )
    ).fighter(VEX)
    assert (vex.enemies_taken_out, vex.times_out_of_action, vex.battles_fought) == (4, 2, 5)
    assert vex.fitted == (Bionic(place="hobbled", name="iron leg", improves=("movement",)),)
    assert vex.grudges == (SAINTS,)


def test_a_recovery_brought_along_misses_the_first_battle_and_no_other() -> None:
    table = moved_in(card(KRUG), with_past(VEX, in_recovery=True))
    first = table.when(opening(1, without=[VEX])).when(CLOSING)
    assert first.fighter(VEX).recovering_since is None
    table.when(opening(1)).then_refused(records.FighterCannotTakePart, fighter="Vex")


def test_the_dead_brought_along_stay_on_the_roster_and_cost_nothing() -> None:
    table = moved_in(card(KRUG), with_past(VEX, gone="dead", when="week 3"))
    assert table.fighter(VEX).standing == "dead"
    assert records.FighterDied(fighter=VEX, why="week 3") in table.outcome
    table.when(opening(1)).then_refused(records.FighterCannotTakePart, fighter="Vex")


def test_a_captive_is_named_by_whichever_gang_is_enlisted_second() -> None:
    by_their_own = moved_in(card(KRUG), with_past(VEX, captive_of=SAINTS))
    holder = enlist(SAINTS, card(MAGS), so_far=records.GangSoFar(captives=(VEX,)), origin=ORIGIN)
    by_the_holder = campaign(skulls(card(KRUG), card(VEX)), holder)
    for table in (by_their_own, by_the_holder):
        assert table.fighter(VEX).held_by == SAINTS
        assert table.fighter(VEX).off_rating


@every(
    ("past", "refusal"),
    [
        ({"captive_of": SKULLS}, records.CaptiveOfOwnGang),
        ({"captive_of": "nobody"}, records.UnknownGang),
        ({"improved": ("speed",)}, records.UnknownImprovement),
        ({"mutations": ("tail",)}, records.UnknownMutationSoFar),
    ],
)
def test_a_contradictory_past_of_a_fighter_is_refused(
    past: dict[str, object], refusal: type[Refusal]
) -> None:
    saints = campaign(enlist(SAINTS, card(MAGS)))
    saints.when(skulls(with_past(VEX, **past))).then_refused(refusal)


def test_one_more_fighter_may_bring_a_past_along_too() -> None:
    newt = with_past("newt", suffered("hobbled"))
    joined = given(battle=False).when(records.EnlistFighter(gang=SKULLS, card=newt, origin=ORIGIN))
    assert joined.fighter("newt").characteristics["movement"] == 4


# --- records of gangs --------------------------------------------------------------------------------------


def test_a_gangs_record_counts_on() -> None:
    so_far = records.GangSoFar(battles=5, won=3, drawn=1, lost=1, alignment="outlaw")
    table = moved_in(card(KRUG), card(VEX), so_far=so_far)
    gang = table.state.gangs[SKULLS]
    assert (gang.battles, gang.won, gang.drawn, gang.lost, gang.alignment) == (5, 3, 1, 1, "outlaw")
    fought = table.when(opening(1)).when(records.CloseBattle(winner=SKULLS, drawn=False)).state.gangs[SKULLS]
    assert (fought.battles, fought.won) == (6, 4)


def test_results_brought_along_are_part_of_the_battles_brought_along() -> None:
    table = campaign().when(skulls(card(KRUG), so_far=records.GangSoFar(battles=2, won=2, lost=1)))
    table.then_refused(records.MoreResultsThanBattles, results=3, battles=2)


def test_a_territory_brought_along_brings_its_reputation_no_second_time() -> None:
    kind = next(
        kind
        for kind, rules in loader.book("necromunda_2023").territories.items()
        if rules.reputation and not rules.fixed
    )
    held = records.TerritorySoFar(territory="ours", kind=kind)
    table = moved_in(card(KRUG), reputation=6, so_far=records.GangSoFar(territories=(held,)))
    assert table.state.gangs[SKULLS].reputation == 6
    assert [known.territory for known in table.state.gangs[SKULLS].territories] == ["ours"]


def test_two_gangs_cannot_bring_one_territory() -> None:
    held = records.GangSoFar(territories=(records.TerritorySoFar(territory="mill", name="The Mill"),))
    table = campaign(skulls(card(KRUG), so_far=held)).when(enlist(SAINTS, card(MAGS), so_far=held))
    table.then_refused(records.TerritoryBroughtTwice, territory="The Mill")


def test_a_stash_brought_along_counts_as_wealth() -> None:
    mesh = Item(name="spare mesh", kind="armour", cost_credits=15)
    table = moved_in(card(KRUG), stash=(mesh,))
    assert table.state.gangs[SKULLS].stash == (mesh,)


def test_every_fact_brought_along_says_where_it_comes_from() -> None:
    brought = [
        event
        for event in moved_in(with_past(VEX), so_far=records.GangSoFar(battles=1)).outcome
        if isinstance(event, records.FighterBroughtAlong | records.GangBroughtAlong)
    ]
    assert [(event.source, event.digest) for event in brought] == [(ORIGIN.source, ORIGIN.digest)] * 2


# --- the campaign -------------------------------------------------------------------------------------------


def test_battles_are_counted_on_from_those_fought_before() -> None:
    opened = records.OpenCampaign(name="Test", slug="test", book="necromunda_2023", after_battle=4)
    table = Table(state=CampaignState(), before=CampaignState()).when(opened)
    assert table.state.battle_number == 5
    table = table.when(skulls(card(KRUG), with_past(VEX, in_recovery=True))).when(enlist(SAINTS, card(MAGS)))
    table = table.when(opening(1, crews={SKULLS: (KRUG,), SAINTS: (MAGS,)}))
    assert table.state.under_way is not None
    assert table.state.under_way.number == 5
    assert table.when(CLOSING).state.battle_number == 6
    assert table.fighter(VEX).recovering_since == 4


def test_a_campaign_may_begin_in_its_fifth_cycle_and_never_goes_back() -> None:
    begun = given(battle=False).when(records.BeginCycle(reason="moved in", number=5))
    assert begun.state.cycle is not None
    assert begun.state.cycle.number == 5
    begun.when(records.BeginCycle(reason="again", number=5)).then_refused(records.CycleInThePast, now=5)
    following = begun.when(records.BeginCycle(reason="next"))
    assert following.state.cycle is not None
    assert following.state.cycle.number == 6


# --- Trench Crusade ----------------------------------------------------------------------------------------


def test_scars_of_a_warband_are_rolled_again_as_if_they_had_been_suffered_here() -> None:
    table = trench.given(battle=False)
    rows = loader.rulebook("trench_crusade", ()).book.tables["trauma_1_6"].rows
    scar = next(row for row in rows if row.rolled_again_when)
    newcomer = replace(
        trench.model("ida", category="elite"),
        so_far=records.FighterSoFar(injuries=(suffered(scar.id, counted=True),), scars=1),
    )
    joined = table.when(records.EnlistFighter(gang=trench.PILGRIMS, card=newcomer, origin=ORIGIN))
    ida = joined.fighter("ida")
    assert (ida.scars, [known.injury for known in ida.injuries]) == (1, [scar.id])


def test_a_model_held_for_ransom_takes_no_part_until_it_is_settled() -> None:
    table = trench.given(battle=False)
    newcomer = replace(trench.model("ida"), so_far=records.FighterSoFar(captive_of=trench.HERETICS))
    joined = table.when(records.EnlistFighter(gang=trench.PILGRIMS, card=newcomer, origin=ORIGIN))
    assert joined.fighter("ida").captor == trench.HERETICS
    settled = joined.when(records.SettleRansom(fighter="ida", ducats=0, to=trench.HERETICS))
    assert settled.refusal is None
    assert not settled.fighter("ida").capture_pending


def test_glory_and_the_tally_of_promotions_count_on() -> None:
    so_far = records.GangSoFar(glory=3, promotion_failures=2, locations=("Old Mine",))
    warband = enlist(trench.PILGRIMS, trench.model("ida"), so_far=so_far, origin=ORIGIN, reputation=0)
    table = campaign(warband, book="trench_crusade")
    gang = table.state.gangs[trench.PILGRIMS]
    assert (gang.glory, gang.promotion_failures) == (3, 2)
    assert table.state.locations_found == ("Old Mine",)
