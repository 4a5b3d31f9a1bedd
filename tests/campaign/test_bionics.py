"""Bionics: fitted where an injury took something, and what a further injury at the same place does. Source: D6.5."""

from __future__ import annotations

from scenario import CLOSING, VEX, Table, card, lasting, opening, out_of_action
from tables import every
from trading_scenario import HOBBLED, buy, d6, fought, stash

from tracker.campaign import records
from tracker.campaign.profiles import Item
from tracker.records import replace
from tracker.rules import loader

LEG = Item(name="tin leg", kind="wargear", cost_credits=25)


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
    for_strength = replace(FITTED, characteristics=("strength",))
    with_leg().when(for_strength).then_refused(records.BionicDoesNotFit)
    with_leg().when(buy(LEG)).when(FITTED).when(FITTED).then_refused(records.BionicDoesNotFit)


def test_a_bionic_goes_never_past_the_best() -> None:
    table = with_leg()
    vex = table.fighter(VEX)
    fast = replace(vex, characteristics={**vex.characteristics, "movement": 8})
    replace(table, state=table.state.with_fighter(fast)).when(FITTED).then_refused(records.BionicDoesNotFit)


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
