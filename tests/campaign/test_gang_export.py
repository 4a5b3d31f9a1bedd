"""Gang export: a gang's own sheet enlists the same gang elsewhere; every fact that it cannot hold is named."""

from collections.abc import Iterator
from pathlib import Path

import msgspec
from random_campaigns import season
from scenario import KRUG, MAGS, SAINTS, SKULLS, VEX, campaign, card, enlist, given
from tables import every

from tracker.campaign import records
from tracker.campaign.fighters import Fighter
from tracker.campaign.state import CampaignState, Gang, Vehicle
from tracker.campaign.steps import decide
from tracker.dice import DiceTray
from tracker.documents.gang_sheet import gang_sheet_command
from tracker.documents.plain_yaml import as_yaml
from tracker.documents.yaml_reader import parse_document
from tracker.exports.gang_sheet import ORIGIN_FIELDS, GangOnSheet, gang_on_sheet
from tracker.records import names_of_fields, replace
from tracker.rules import loader

LOGS = Path(__file__).parents[2] / "fixtures" / "logs"


def golden_state(name: str) -> CampaignState:
    return msgspec.json.decode((LOGS / f"{name}.state.json").read_bytes(), type=CampaignState)


GOLDEN = sorted(file.name.removesuffix(".state.json") for file in LOGS.glob("*.state.json"))


def sheets_of(state: CampaignState) -> dict[str, GangOnSheet]:
    return {gang: gang_on_sheet(state, gang) for gang in state.gangs}


def elsewhere(state: CampaignState, sheets: dict[str, GangOnSheet]) -> CampaignState:
    """All gangs enlisted by their sheets, in the same order, in a campaign that begins where this one stands."""
    book = loader.book(state.book)
    began = records.OpenCampaign(
        name="Elsewhere", slug="elsewhere", book=state.book, after_battle=state.battle_number - 1
    )
    there = decide(CampaignState(), began, DiceTray(()), loader.rulebook, entry=1).state
    for out in sheets.values():
        written = as_yaml(out.sheet)
        command = gang_sheet_command(
            parse_document(written, file="sheet.yaml"), characteristics=book.characteristics, state=there
        )
        there = decide(there, command, DiceTray(()), loader.rulebook, entry=2).state
    return there


def different(here: Gang | Fighter | Vehicle, there: Gang | Fighter | Vehicle) -> Iterator[str]:
    for name in names_of_fields(here):
        # Where things were before is another place for whoever moves.
        if name not in ("fighters", "vehicles", *ORIGIN_FIELDS) and getattr(here, name) != getattr(
            there, name
        ):
            yield name


def all_differences(here: Gang, there: Gang) -> set[tuple[str, str]]:
    found = {(here.gang, fact) for fact in different(here, there)}
    for members, others in ((here.fighters, there.fighters), (here.vehicles, there.vehicles)):
        for name, member in members.items():
            if name not in others:
                found.add((name, "vehicle" if members is here.vehicles else "fighter"))
            else:
                found |= {(name, fact) for fact in different(member, others[name])}
    return found


@every("name", [name for name in GOLDEN if name != "holdings"])
def test_a_gang_enlisted_elsewhere_differs_only_where_that_was_said(name: str) -> None:
    state = golden_state(name)
    sheets = sheets_of(state)
    there = elsewhere(state, sheets)
    for gang, kept in state.gangs.items():
        said = {(fact.about, fact.fact) for fact in sheets[gang].not_held}
        assert all_differences(kept, there.gangs[gang]) <= said


@every("seed", range(4))
def test_so_does_one_of_a_season_of_any_seed(seed: int) -> None:
    state = season(seed).state
    sheets = sheets_of(state)
    there = elsewhere(state, sheets)
    for gang, kept in state.gangs.items():
        said = {(fact.about, fact.fact) for fact in sheets[gang].not_held}
        assert all_differences(kept, there.gangs[gang]) <= said
        for name, fighter in kept.fighters.items():
            moved = there.gangs[gang].fighters[name]
            for fact in ("characteristics", "experience", "weapons", "armour", "cost_credits", "standing"):
                assert getattr(moved, fact) == getattr(fighter, fact)
            assert [injury.injury for injury in moved.injuries] == [
                suffered.injury for suffered in fighter.injuries
            ]


def test_a_gang_that_was_never_played_comes_over_whole_and_nothing_is_said() -> None:
    assert gang_on_sheet(given(battle=False).state, SKULLS).not_held == ()


def test_a_captive_is_named_by_whichever_gang_is_enlisted_second() -> None:
    past = records.FighterSoFar(captive_of=SKULLS)
    table = campaign(enlist(SKULLS, card(KRUG), card(VEX)), enlist(SAINTS, replace(card(MAGS), so_far=past)))
    (mags,) = gang_on_sheet(table.state, SAINTS).sheet["fighters"]
    assert mags["so_far"]["captive_of"] == SKULLS
    assert "captives" not in gang_on_sheet(table.state, SKULLS).sheet.get("so_far", {})
    there = elsewhere(table.state, sheets_of(table.state))
    assert [all_differences(gang, there.gangs[name]) for name, gang in table.state.gangs.items()] == [
        set(),
        set(),
    ]
    assert there.fighter(MAGS).brought_from == f"{table.state.name}, battle 1"


def test_of_a_captive_whose_captor_came_later_the_captors_sheet_tells() -> None:
    holding = records.GangSoFar(captives=(VEX,))
    table = campaign(enlist(SKULLS, card(KRUG), card(VEX)), enlist(SAINTS, card(MAGS), so_far=holding))
    assert gang_on_sheet(table.state, SAINTS).sheet["so_far"]["captives"] == [VEX]
    said = [fact.words for fact in gang_on_sheet(table.state, SKULLS).not_held if fact.fact == "held_by"]
    assert len(said) == 1
    assert "their sheet says so" in said[0]
    assert elsewhere(table.state, sheets_of(table.state)).fighter(VEX) == table.state.fighter(VEX)


def test_debts_are_no_credits_of_a_sheet_and_are_named() -> None:
    state = golden_state("holdings")
    assert state.gangs[SAINTS].credits == -20
    out = gang_on_sheet(state, SAINTS)
    assert out.sheet["credits"] == 0
    assert [fact.words for fact in out.not_held if fact.fact == "credits"] == ["credits (-20)"]


def test_of_more_than_a_hundred_fighters_those_who_are_gone_are_left_out_and_named() -> None:
    cards = [replace(card(VEX), fighter=f"fighter-{number}") for number in range(98)]
    gone = records.FighterSoFar(gone="dead")
    dead = [replace(card(VEX), fighter=f"late-{number}", so_far=gone) for number in range(4)]
    table = campaign(enlist(SKULLS, card(KRUG), *dead, *cards))
    out = gang_on_sheet(table.state, SKULLS)
    assert len(out.sheet["fighters"]) == 100
    assert [fact.about for fact in out.not_held if fact.fact == "fighter"] == ["late-1", "late-2", "late-3"]
