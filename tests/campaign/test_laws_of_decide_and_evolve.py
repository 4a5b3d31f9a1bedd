"""Laws that hold for every campaign: deciding is folding, nothing rolls by itself, nobody leaves the limits."""

from collections import Counter

import hypothesis
import pytest
from hypothesis import strategies as st
from random_campaigns import EVERYBODY, Season, armed_season, driven_season, season

from tracker.campaign import records
from tracker.campaign.evolve import fold
from tracker.campaign.state import CampaignState
from tracker.campaign.steps import decide, decide_keeping_spare_dice
from tracker.dice import DiceNeeded, DiceTray
from tracker.rules import loader

seeds = st.integers(min_value=0, max_value=10**6)
seasons = st.one_of(seeds.map(season), seeds.map(armed_season), seeds.map(driven_season))
every_season = hypothesis.given(seasons)


def header(judged) -> records.DecisionTaken:
    first = judged.events[0].event
    assert isinstance(first, records.DecisionTaken)
    return first


def all_events(played: Season):
    return [decided.event for judged in played.judgements for decided in judged.events]


@every_season
def test_folding_the_events_gives_the_state_that_was_decided(played: Season) -> None:
    for before, judged in zip(played.states, played.judgements, strict=False):
        assert fold(before, (decided.event for decided in judged.events)) == judged.state
    assert fold(CampaignState(), all_events(played)) == played.state


@every_season
def test_the_same_command_with_the_same_dice_is_decided_the_same(played: Season) -> None:
    for before, judged in zip(played.states, played.judgements, strict=False):
        again = decide(
            before, header(judged).command, DiceTray(header(judged).dice), loader.rulebook, entry=1
        )
        assert again.events == judged.events
        assert again.state == judged.state


@every_season
def test_every_die_used_is_needed(played: Season) -> None:
    for before, judged in zip(played.states, played.judgements, strict=False):
        dice = header(judged).dice
        if not dice:
            continue
        with pytest.raises(DiceNeeded) as refused:
            decide_keeping_spare_dice(
                before, header(judged).command, DiceTray(dice[:-1]), loader.rulebook, entry=1
            )
        needed = refused.value
        assert (needed.purpose, needed.die, needed.fighter) == (
            dice[-1].purpose,
            dice[-1].die,
            dice[-1].fighter,
        )


@every_season
def test_every_roll_points_at_its_die_and_every_die_has_its_roll(played: Season) -> None:
    for judged in played.judgements:
        dice = header(judged).dice
        rolls = [decided.event for decided in judged.events if isinstance(decided.event, records.RollMade)]
        assert [roll.number for roll in rolls] == list(range(len(dice)))
        for roll in rolls:
            die = dice[roll.number]
            assert (roll.purpose, roll.die, roll.faces, roll.symbol, roll.source, roll.fighter) == (
                die.purpose,
                die.die,
                die.faces,
                die.symbol,
                die.source,
                die.fighter,
            )


@every_season
def test_every_event_is_caused_by_an_earlier_one_of_its_entry(played: Season) -> None:
    for judged in played.judgements:
        assert [
            decided for place, decided in enumerate(judged.events) if place and not 0 <= decided.cause < place
        ] == []


@every_season
def test_no_characteristic_leaves_its_limits_and_no_cost_changes(played: Season) -> None:
    book = loader.book(played.state.book)
    enlisted = {
        event.fighter: event for event in all_events(played) if isinstance(event, records.FighterEnlisted)
    }
    for state in played.states[3:]:
        for name in EVERYBODY:
            fighter = state.fighter(name)
            assert fighter is not None
            assert fighter.cost_credits == enlisted[name].cost_credits
            for limits in book.characteristics.values():
                assert limits.allows(fighter.characteristics[limits.characteristic])


@every_season
def test_experience_is_the_sum_of_what_was_gained(played: Season) -> None:
    gained: Counter[str] = Counter()
    for event in all_events(played):
        if isinstance(event, records.FighterEnlisted):
            gained[event.fighter] += event.experience
        if isinstance(event, records.ExperienceGained):
            assert event.amount > 0
            gained[event.fighter] += event.amount
    for name in EVERYBODY:
        fighter = played.state.fighter(name)
        assert fighter is not None
        assert fighter.experience == gained[name]


@every_season
def test_nothing_of_a_battle_outlives_it(played: Season) -> None:
    for judged in played.judgements:
        if isinstance(header(judged).command, records.CloseBattle):
            assert judged.state.under_way is None
        if isinstance(header(judged).command, records.OpenBattle):
            assert judged.state.under_way is not None
            assert not judged.state.under_way.paid
            for name, combatant in judged.state.under_way.combatants.items():
                fighter = judged.state.fighter(name)
                assert fighter is not None
                assert combatant.wounds_left == fighter.characteristics["wounds"]
                assert (combatant.flesh_wounds, combatant.seriously_injured, combatant.out_of_action) == (
                    0,
                    False,
                    False,
                )


@every_season
def test_recovery_costs_exactly_the_next_battle(played: Season) -> None:
    """Both gangs fight every battle here, so the gang's next battle is the campaign's."""
    misses: dict[int, set[str]] = {}
    ends: dict[int, set[str]] = {}
    number, last = (
        0,
        max((e.number for e in all_events(played) if isinstance(e, records.BattleOpened)), default=0),
    )
    for event in all_events(played):
        match event:
            case records.BattleOpened():
                number = event.number
                present = {name for crew in event.crews.values() for name in crew}
                assert not present & misses.get(number, set())
            case records.WentIntoRecovery():
                assert event.battle == number
                assert event.fighter not in misses.get(number + 1, set())
                misses.setdefault(number + 1, set()).add(event.fighter)
            case records.RecoveryEnded():
                ends.setdefault(number, set()).add(event.fighter)
            case records.BattleClosed():
                dead = {name for name in EVERYBODY if _is_dead(played, name)}
                assert ends.get(number, set()) - dead == misses.get(number, set()) - dead
            case _:
                pass
    assert max(misses, default=0) <= last + 1


def _is_dead(played: Season, name: str) -> bool:
    fighter = played.state.fighter(name)
    return fighter is not None and fighter.standing == "dead"


@every_season
def test_a_fighter_goes_out_of_action_once_a_battle_and_meets_the_lasting_injury_table(
    played: Season,
) -> None:
    for judged in played.judgements:
        gone = [
            decided.event
            for decided in judged.events
            if isinstance(decided.event, records.FighterWentOutOfAction)
        ]
        direct = [
            decided.event
            for decided in judged.events
            if isinstance(decided.event, records.LastingInjurySuffered)
            and decided.event.within is None
            and decided.event.table != "webbed_out_of_action"
        ]
        # In the Wrap-up several may succumb, and a collision may wreck both vehicles.
        several = (records.CloseBattle, records.CollideVehicles)
        assert len(gone) <= 1 or isinstance(header(judged).command, several)
        assert len(direct) == sum(event.lasting_injury_rolls for event in gone)
        rolls = judged.rulebook.knob("lasting_injuries.rolls")
        for event in gone:
            for_each_die = max(1, event.out_of_action_dice)
            # Who is Webbed rolls on a table of its own.
            expected = (
                0
                if event.reason == "webbed"
                else {"none": 0, "once": 1, "each_out_of_action": for_each_die}[rolls]
            )
            assert event.lasting_injury_rolls == expected
    per_battle: Counter[tuple[int, str]] = Counter()
    number = 0
    for event in all_events(played):
        if isinstance(event, records.BattleOpened):
            number = event.number
        if isinstance(event, records.FighterWentOutOfAction):
            per_battle[number, event.fighter] += 1
    assert set(per_battle.values()) <= {1}


@every_season
def test_the_dead_stay_dead_and_fight_no_more(played: Season) -> None:
    dead: set[str] = set()
    for event in all_events(played):
        if isinstance(event, records.FighterDied):
            assert event.fighter not in dead
            dead.add(event.fighter)
        if isinstance(event, records.BattleOpened):
            assert not dead & {name for crew in event.crews.values() for name in crew}
    assert {name for name in EVERYBODY if _is_dead(played, name)} == dead


@every_season
def test_what_an_entry_did_not_touch_stays_the_same_object(played: Season) -> None:
    for before, judged in zip(played.states, played.judgements, strict=False):
        touched = {
            name
            for decided in judged.events
            for name in (
                getattr(decided.event, "fighter", None),
                getattr(decided.event, "by", None),
                *(
                    [name for crew in decided.event.crews.values() for name in crew]
                    if isinstance(decided.event, records.BattleOpened)
                    else []
                ),
            )
        }
        for name in EVERYBODY:
            if name not in touched and name in before.gang_of:
                assert judged.state.fighter(name) is before.fighter(name)


def test_random_campaigns_visit_what_the_laws_speak_of() -> None:
    """Else the laws above would hold of nothing."""
    seen: Counter[str] = Counter()
    for seed in range(60):
        seen.update(type(event).__name__ for event in all_events(season(seed)))
    for name in (
        "WentIntoRecovery",
        "RecoveryEnded",
        "WentIntoConvalescence",
        "ConvalescenceEnded",
        "CharacteristicChanged",
        "CharacteristicKept",
        "FighterDied",
        "CapturePending",
        "CriticalInjuryPending",
        "SkillGained",
        "FighterWebbed",
        "FighterPinned",
        "RuleNoted",
    ):
        assert seen[name] >= 5, name


def test_driven_seasons_hold_what_vehicles_do_and_suffer() -> None:
    """Else the laws held of no vehicle."""
    held = {type(event).__name__ for seed in range(12) for event in all_events(driven_season(seed))}
    assert held >= {
        "VehiclesCollided", "VehicleDrove", "VehicleDamaged", "VehicleWrecked", "VehicleLostControl", "FightResolved",
    }  # fmt: skip
