"""A battle's exchanges by round: an End phase closes one."""

from typing import Any

from tracker.reports.battle_rounds import rounds


def entry(slot: int, kind: str, *events: dict[str, Any], **command: Any) -> dict[str, Any]:
    header = {"type": "DecisionTaken", "sentence": kind, "data": {"command": {"type": kind, **command}}}
    return {"entry": slot, "slot": slot, "asked": f"asked for {kind}", "events": [header, *events]}


def numbers(*entries: dict[str, Any]) -> list[tuple[int | None, list[int]]]:
    return [(part.number, [one.entry["entry"] for one in part.exchanges]) for part in rounds(entries)]


def test_what_follows_an_end_phase_is_the_next_round() -> None:
    played = (entry(1, "OpenBattle"), entry(2, "ResolveHit"), entry(3, "CheckBottle"), entry(4, "TakeRecoveryTest"),
              entry(5, "ResolveHit"), entry(6, "CloseBattle"))  # fmt: skip
    assert numbers(*played) == [(1, [1, 2, 3, 4]), (2, [5, 6])]


def test_a_stated_round_counts_before_a_counted_one() -> None:
    played = (entry(2, "TakeRecoveryTest", round=3), entry(3, "ResolveHit"))
    assert numbers(*played) == [(3, [2]), (4, [3])]


def test_where_the_ends_of_rounds_are_recorded_they_alone_close_one() -> None:
    """A fleeing test in the middle of a round closes nothing, and a round may pass without any test."""
    played = (entry(1, "OpenBattle"), entry(2, "TakeFleeingTests"), entry(3, "ResolveHit"), entry(4, "EndRound", round=1),
              entry(5, "ResolveHit"), entry(6, "EndRound"), entry(7, "CheckBottle"), entry(8, "CloseBattle"))  # fmt: skip
    assert numbers(*played) == [(1, [1, 2, 3, 4]), (2, [5, 6]), (3, [7, 8])]


def test_a_battle_that_closes_at_the_end_of_a_round_has_no_further_one() -> None:
    played = (entry(1, "ResolveHit"), entry(2, "EndRound", round=4), entry(3, "CloseBattle"))
    assert numbers(*played) == [(4, [1, 2, 3])]


def test_without_an_end_phase_no_round_has_a_number() -> None:
    assert numbers(entry(1, "ResolveHit"), entry(2, "ResolveHit")) == [(None, [1, 2])]


def test_an_exchange_is_summed_up_by_who_went_down_else_by_its_last_roll() -> None:
    roll = {"type": "RollMade", "sentence": "save roll 5: saved", "data": {"outcome": "mesh: saved"}}
    down = {"type": "FighterWentOutOfAction", "sentence": "Mags is taken Out of Action", "data": {}}
    (part,) = rounds([entry(1, "ResolveHit", roll), entry(2, "ResolveHit", roll, down)])
    assert [(one.outcome, one.is_grave) for one in part.exchanges] == [
        ("saved", False),
        ("Mags is taken Out of Action", True),
    ]


def test_an_exchange_is_summed_up_by_what_befell_somebody_who_did_not_go_down() -> None:
    die = {"type": "RollMade", "sentence": "Injury Chart die 4", "data": {"outcome": "die 2 of 2"}}
    handling = {"type": "RollMade", "sentence": "Handling test", "data": {"outcome": "keeps control"}}
    marker = {"type": "BloodMarkersGained", "sentence": "Vex takes 1 Blood Marker", "data": {}}
    down = {"type": "FighterWentDown", "sentence": "Vex is knocked Down", "data": {}}
    damaged = {"type": "VehicleDamaged", "sentence": "Sled takes a glancing hit", "data": {}}
    (part,) = rounds(
        [
            entry(1, "ResolveInjuryChart", die, die, marker, down),
            entry(2, "ResolveInjuryChart", die, die, marker),
            entry(3, "Fight", damaged, handling),
        ]
    )
    assert [one.outcome for one in part.exchanges] == [
        "Vex is knocked Down",
        "Vex takes 1 Blood Marker",
        "Sled takes a glancing hit",
    ]


def test_what_is_only_stated_is_not_said_twice() -> None:
    fire = {"type": "ConditionGained", "sentence": "Vex is on fire", "data": {}}
    stated = {**entry(1, "StateCondition", fire), "asked": "stated: Vex is on fire"}
    (part,) = rounds([stated])
    assert [(one.asked, one.outcome) for one in part.exchanges] == [("Stated: Vex is on fire", "")]


def test_what_a_ruling_wrote_in_an_entrys_place_stands_in_its_round() -> None:
    voided = {
        "entry": 9,
        "slot": 2,
        "asked": "voided",
        "events": [{"type": "SlotVoided", "sentence": "", "data": {}}],
    }
    assert numbers(entry(1, "ResolveHit"), voided, entry(3, "CheckBottle")) == [(1, [1, 9, 3])]
