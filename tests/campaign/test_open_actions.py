"""What a model may do now, by the rules in force and as it stands."""

import pytest
from nerves import broken, vex_down
from scenario import DOT, KRUG, MAGS, VEX, Table, card, given, lasting, out_of_action
from shots import armed, gun
from tables import every
from trench_scenario import ANSELM, RAT, said
from trench_scenario import given as trench

from tracker.campaign import records
from tracker.documents.wizard.open_actions import NotInThisBattle, open_actions
from tracker.rules import loader


def open_to(table: Table, model: str) -> set[str]:
    return {action.action for action in open_actions(table.state, model) if not action.why_not}


def why_not(table: Table, model: str, action: str) -> str:
    return next(each.why_not for each in open_actions(table.state, model) if each.action == action)


@every("model", (KRUG, VEX, MAGS, DOT))
def test_who_stands_fights_and_has_nothing_to_stand_up_from(model: str) -> None:
    assert open_to(given(), model) == {"fight"}
    assert "is Standing and does not need to stand up" in why_not(given(), model, "unpin")


def test_who_carries_a_gun_shoots_with_it() -> None:
    assert open_to(armed(gun()), MAGS) == {"fight", "shoot"}


def test_the_seriously_injured_make_no_action_and_may_be_given_a_coup_de_grace() -> None:
    assert open_to(vex_down(), VEX) == set()
    assert open_to(vex_down(), MAGS) == {"fight", "coup_de_grace"}


def test_the_broken_neither_fight_nor_shoot_of_their_own() -> None:
    assert open_to(broken(), KRUG) == set()
    assert "makes only Reaction attacks" in why_not(broken(), KRUG, "fight")


def test_who_is_out_of_action_makes_no_action_at_all() -> None:
    fallen = given().when(out_of_action(VEX, by=MAGS), lasting(1, 2))
    assert fallen.combatant(VEX).out_of_action
    assert open_to(fallen, VEX) == set()


def test_a_skill_opens_its_action_and_the_reason_names_the_skill_that_is_lacking() -> None:
    assert "does not have the skill Overseer" in why_not(given(), KRUG, "order")
    assert "order" in open_to(given(card(KRUG, skills=("Overseer",))), KRUG)


def test_every_action_stands_with_the_section_of_the_book_in_force() -> None:
    for table, model, book in ((given(), KRUG, "necromunda_2023"), (trench(), ANSELM, "trench_crusade")):
        sections = set(loader.book(book).sections.values())
        assert {action.section for action in open_actions(table.state, model)} <= sections


def test_a_model_that_is_down_stands_up_and_moves_only_then() -> None:
    down = trench().when(said("down", RAT))
    assert open_to(down, RAT) == {"stand"}
    assert "cannot move by its own ACTIONS" in why_not(down, RAT, "move")
    assert open_to(down.when(records.StandUp(fighter=RAT)), RAT) == {"move"}


def test_nobody_acts_outside_a_battle() -> None:
    for table, model in ((given(battle=False), KRUG), (given(), "nobody")):
        with pytest.raises(NotInThisBattle):
            open_actions(table.state, model)
