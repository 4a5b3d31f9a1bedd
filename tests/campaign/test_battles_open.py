"""How a battle begins: who comes where nobody is named, and that who came is a fact."""

from __future__ import annotations

import pytest
from rides import RIG, SLED, riding
from scenario import DOT, MAGS, SAINTS, SKULLS, VEX, given

from tracker.campaign import records
from tracker.campaign.command_validation import validate_new_command
from tracker.campaign.state import CampaignState
from tracker.campaign.steps import decide_keeping_spare_dice
from tracker.dice import DiceTray
from tracker.records import replace
from tracker.rules import loader

EVERYBODY = records.OpenBattle(
    battle="b", scenario="Ambush", date="2026-01-01", crews={SKULLS: (), SAINTS: ()}, number=None
)


def with_cards(state: CampaignState, *fighters: str, **changes: object) -> CampaignState:
    for name in fighters:
        card = state.fighter(name)
        assert card is not None, name
        state = state.with_fighter(replace(card, **changes))
    return state


def opened(
    state: CampaignState, command: records.OpenBattle
) -> tuple[records.OpenBattle, records.BattleOpened]:
    """The command as the log keeps it, and what it led to."""
    header, happened, *_ = (
        recorded.event
        for recorded in decide_keeping_spare_dice(state, command, DiceTray(), loader.rulebook, entry=1).events
    )
    assert isinstance(header, records.DecisionTaken)
    assert isinstance(header.command, records.OpenBattle)
    assert isinstance(happened, records.BattleOpened)
    return header.command, happened


def test_a_gang_without_a_named_crew_brings_everybody_who_is_available() -> None:
    state = with_cards(given(battle=False).state, VEX, recovering_since=1)
    _, battle = opened(state, EVERYBODY)
    assert battle.crews == {SAINTS: (MAGS, DOT), SKULLS: ("krug",)}


def test_a_gang_that_brought_nobody_brings_nobody_when_its_battle_is_decided_again() -> None:
    well = given(battle=False).state
    settled, battle = opened(with_cards(well, MAGS, DOT, recovering_since=1), EVERYBODY)
    assert battle.crews[SAINTS] == ()
    again, battle_again = opened(well, settled)  # by a ruling neither Mags nor Dot was ever hurt
    assert (again, battle_again) == (settled, battle)


def test_vehicles_that_did_not_come_do_not_come_when_the_battle_is_decided_again() -> None:
    whole = riding(battle=False).state
    wrecks = whole
    for name in (RIG, SLED):
        vehicle = whole.vehicle(name)
        assert vehicle is not None
        wrecks = wrecks.with_vehicle(replace(vehicle, in_repair=True))
    assert opened(whole, EVERYBODY)[1].vehicles == (SLED, RIG)
    settled, battle = opened(wrecks, EVERYBODY)
    assert battle.vehicles == ()
    assert opened(whole, settled) == (settled, battle)


def test_nobody_opens_a_battle_with_a_gang_that_has_nobody_to_bring() -> None:
    well = given(battle=False).state
    validate_new_command(with_cards(well, MAGS, recovering_since=1), EVERYBODY, loader.rulebook)
    with pytest.raises(records.NobodyComes) as refused:
        validate_new_command(
            with_cards(with_cards(well, MAGS, recovering_since=1), DOT, standing="retired"),
            EVERYBODY,
            loader.rulebook,
        )
    assert refused.value.message() == (
        "Saints have nobody who can take part: Mags: in Recovery since battle 1, which costs the gang's next"
        " battle. A battle needs somebody of every gang: hire first, or leave the gang out of this battle."
    )
    assert refused.value.exit_code == 1
