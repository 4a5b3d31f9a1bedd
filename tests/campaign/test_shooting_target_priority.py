"""Target priority, played: the closest enemy, the Cool test, who may be skipped, who hides."""

from scenario import DOT, KRUG, MAGS, OUT_COLD, VEX, out_of_action, seriously_injured
from shots import armed, dice, fired, shot

from tracker.campaign import records
from tracker.dice import DiceLeftOver, DiceNeeded
from tracker.rules import loader

PRIORITY = loader.book("necromunda_2023").sections["target_priority"]


def test_another_target_than_the_closest_takes_a_cool_test_on_two_dice() -> None:
    rest = (*dice(hit=1, firepower=1),)
    for first in range(1, 7):
        for second in range(1, 7):
            passed = first + second >= 7
            table = armed().when(
                shot(closest=False), *dice(priority_cool=f"{first}+{second}"), *(rest if passed else ())
            )
            roll = table.rolls[0]
            assert (roll.purpose, roll.faces, roll.target, roll.passed) == (
                "priority_cool",
                (first, second),
                7,
                passed,
            )
            assert isinstance(table.outcome[0], records.ShotFired if passed else records.RuleNoted)


def test_a_failed_cool_test_leaves_the_shot_unmade() -> None:
    table = armed().when(shot(closest=False), *dice(priority_cool="1+2"))
    assert [type(event) for event in table.outcome] == [records.RuleNoted]
    assert table.state.under_way == table.before.under_way
    armed().when(shot(closest=False), *dice(priority_cool="1+2", hit=6, firepower=1)).then_refused(
        DiceLeftOver
    )


def test_the_closest_is_skipped_freely_when_seriously_injured_wrecked_or_harder_to_hit() -> None:
    rest = dice(hit=1, firepower=1)
    hard = records.NearerEnemy(model=VEX, because="harder_to_hit")
    armed().when(shot(closest=False, nearer=(hard,)), *rest).then(fired("missed"))
    down = armed().when(seriously_injured(VEX))
    down.when(
        shot(closest=False, nearer=(records.NearerEnemy(model=VEX, because="seriously_injured"),)), *rest
    ).then(fired("missed"))
    wreck = records.NearerEnemy(model="rust-buggy", because="wrecked")
    armed().when(shot(closest=False, nearer=(wreck, hard)), *rest).then(fired("missed"))


def test_one_nearer_enemy_who_is_not_free_to_skip_asks_for_the_cool_test() -> None:
    wreck, held = records.NearerEnemy(model="rust-buggy", because="wrecked"), records.NearerEnemy(model=VEX)
    armed().when(shot(closest=False, nearer=(wreck, held))).then_refused(DiceNeeded, purpose="priority_cool")


def test_a_free_skip_in_target_priority_that_the_battle_contradicts_is_refused() -> None:
    for model, because in ((VEX, "seriously_injured"), (VEX, "wrecked")):
        nearer = (records.NearerEnemy(model=model, because=because),)  # type: ignore[arg-type]
        armed().when(shot(closest=False, nearer=nearer)).then_refused(records.SkipNotFree, because=because)
    nobody = (records.NearerEnemy(model="nobody", because="seriously_injured"),)
    armed().when(shot(closest=False, nearer=nobody)).then_refused(records.UnknownFighter)


def test_nearer_enemies_of_target_priority_are_in_play_and_not_the_target() -> None:
    def asked(model: str):
        return shot(closest=False, nearer=(records.NearerEnemy(model=model, because="harder_to_hit"),))

    armed().when(asked(DOT)).then_refused(records.ShootsOwnGang)
    armed().when(asked(KRUG)).then_refused(records.SituationContradicts)
    armed().when(out_of_action(VEX), OUT_COLD).when(asked(VEX)).then_refused(records.FighterOutOfPlay)
    armed().when(shot(nearer=(records.NearerEnemy(model=VEX),))).then_refused(records.SituationContradicts)


def test_target_priority_counts_an_enemy_behind_the_shooter_under_the_house_rule_alone() -> None:
    behind = shot(nearer=(records.NearerEnemy(model=VEX, out_of_arc=True),))
    armed().when(behind, *dice(hit=1, firepower=1)).then(fired("missed"))
    house = armed(knobs={"target_priority.needs_vision_arc": "false"})
    house.when(behind).then_refused(DiceNeeded, purpose="priority_cool")
    house.when(behind, *dice(priority_cool="3+4", hit=1, firepower=1)).then(fired("missed"))
    failed = house.when(behind, *dice(priority_cool="3+3"))
    assert "turned to" in failed.outcome[0].why  # type: ignore[union-attr]


def test_a_skill_may_waive_the_cool_test_of_target_priority() -> None:
    table = armed().when(shot(closest=False, priority_waived="Marksman"), *dice(hit=1, firepower=1))
    table.then(
        records.RuleNoted(fighter=MAGS, why="no Cool test for target priority: Marksman", section=PRIORITY),
        fired("missed"),
    )
    armed().when(shot(priority_waived="Marksman"), *dice(hit=1, firepower=1)).then(fired("missed"))


def test_who_is_prone_and_in_cover_cannot_be_targeted() -> None:
    for cover in ("partial", "full"):
        armed().when(shot(cover=cover, prone=True)).then_refused(records.TargetHides)
        armed().when(seriously_injured(KRUG)).when(shot(cover=cover)).then_refused(records.TargetHides)
        armed().when(shot(cover=cover, prone=False), *dice(hit=1, firepower=1)).then(fired("missed"))
    armed().when(seriously_injured(KRUG)).when(shot(), *dice(hit=1, firepower=1)).then(fired("missed"))
