"""What is marked as resting on an open dispute: where a ruling would be felt, somebody was warned to look."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1]))

from scenario import injury, lasting, wound
from torture import club

from tracker.campaign import records
from tracker.dice import Die
from tracker.records import replace
from tracker.service.application import Tracker
from tracker.service.command_handler import CommandWithDice
from tracker.service.ruling_request import RulingRequest

TARGET = "skulls-0"
HIT = records.ResolveHit(target=TARGET, attacker="saints-0", weapon="autogun")


@pytest.fixture
def tracker(tmp_path: Path) -> Iterator[Tracker]:
    with club.opened(club.sqlite(tmp_path / "club.db")) as tracker:
        yield tracker


@pytest.fixture
def campaign(tracker: Tracker) -> str:
    campaign = club.begin(tracker)
    crews = {gang: tuple(f"{gang}-{number}" for number in range(2)) for gang in ("skulls", "saints")}
    played(
        tracker, campaign, records.OpenBattle(battle="b1", scenario="Ambush", date="2026-11-21", crews=crews)
    )
    return campaign


def played(tracker: Tracker, campaign: str, command: records.Command, *dice: Die) -> int:
    """Play something; its entry."""
    return tracker.commands.play(campaign, [CommandWithDice(command=command, dice=dice)]).entries[0][0].entry


def disputed(tracker: Tracker, campaign: str, address: str) -> int:
    tracker.disputes.open(campaign, address, reason="cocked", raised_by="Vic")
    return max(tracker.repository.state(campaign).disputes)


def marked(tracker: Tracker, campaign: str, dispute: int) -> set[int]:
    return {
        dependent.event.slot
        for dependent in tracker.boards.pending(campaign).dependents
        if dependent.dispute == dispute
    }


def test_who_might_lie_critically_injured_marks_the_end_of_his_gangs_actions_and_no_other_gangs(
    tracker: Tracker, campaign: str
) -> None:
    hit = played(tracker, campaign, HIT, wound(4), *injury("out_of_action"), lasting(6, 6))
    played(tracker, campaign, records.CloseBattle(drawn=True))
    ours = played(tracker, campaign, records.EndActions(gang="skulls"))
    theirs = played(tracker, campaign, records.EndActions(gang="saints"))
    rated = played(tracker, campaign, records.RecordRating(gang="skulls", reason="the evening was long"))
    address = next(
        recorded.address
        for recorded in tracker.repository.log.entry(campaign, hit)
        if getattr(recorded.event, "purpose", None) == "lasting_injury"
    )
    found = marked(tracker, campaign, disputed(tracker, campaign, address))
    assert {ours, rated} <= found  # a 6-3, and nobody took him to the Doc
    assert theirs not in found


def test_a_die_that_a_ruling_changed_marks_what_rests_on_how_it_was_before(
    tracker: Tracker, campaign: str
) -> None:
    hit = played(tracker, campaign, HIT, wound(4), *injury("flesh_wound"))
    later = played(tracker, campaign, HIT, wound(1))
    ruled = tracker.rulings.rule(
        campaign,
        str(disputed(tracker, campaign, f"{hit}.2")),
        RulingRequest(verdict="corrected", reason="a 2", faces="2"),
    ).entries[0]
    header = next(one for one in ruled if one.slot == hit)
    dispute = disputed(tracker, campaign, header.address)
    # Were the ruling wrong, the Flesh Wound would stand, and the second hit have met Toughness 2.
    assert later in marked(tracker, campaign, dispute)


def test_reputation_that_is_doubted_marks_what_counts_on_from_it(tracker: Tracker, campaign: str) -> None:
    played(tracker, campaign, records.CloseBattle(drawn=True))
    first, ours, theirs = (
        played(tracker, campaign, records.ChangeReputation(gang=gang, by=1, why="talk"))
        for gang in ("skulls", "skulls", "saints")
    )
    found = marked(tracker, campaign, disputed(tracker, campaign, str(first)))
    assert ours in found
    assert theirs not in found


def test_reputation_lost_at_the_floor_that_is_doubted_marks_the_gain_that_makes_up_for_it(
    tracker: Tracker, campaign: str
) -> None:
    played(tracker, campaign, records.CloseBattle(drawn=True))
    lost = played(
        tracker, campaign, records.ChangeReputation(gang="skulls", by=-1, why="talk")
    )  # it stays at 1
    gained = played(tracker, campaign, records.ChangeReputation(gang="skulls", by=1, why="talk"))
    assert tracker.repository.state(campaign).gangs["skulls"].reputation == 1
    assert gained in marked(tracker, campaign, disputed(tracker, campaign, f"{lost}.1"))


def test_an_injury_without_effect_that_is_doubted_marks_the_next_of_its_kind_which_counts_on(
    tracker: Tracker, campaign: str
) -> None:
    out_cold = (wound(4), *injury("out_of_action"), lasting(2, 5))
    first = played(tracker, campaign, HIT, *out_cold)
    played(tracker, campaign, records.CloseBattle(drawn=True))
    crews = {gang: tuple(f"{gang}-{number}" for number in range(2)) for gang in ("skulls", "saints")}
    played(
        tracker, campaign, records.OpenBattle(battle="b2", scenario="Ambush", date="2026-11-22", crews=crews)
    )
    theirs = played(tracker, campaign, replace(HIT, target="skulls-1"), *out_cold)
    again = played(tracker, campaign, HIT, *out_cold)
    found = marked(
        tracker, campaign, disputed(tracker, campaign, f"{first}.2")
    )  # had it not wounded, once, not twice
    assert again in found
    assert theirs not in found


def test_an_entry_without_a_die_that_is_doubted_stays_marked_where_another_ruling_decided_it_again(
    tracker: Tracker, campaign: str
) -> None:
    played(tracker, campaign, records.CloseBattle(drawn=True))
    gained = played(tracker, campaign, records.ChangeReputation(gang="skulls", by=1, why="talk"))
    lost = played(tracker, campaign, records.ChangeReputation(gang="skulls", by=-1, why="they ran"))
    dispute = disputed(tracker, campaign, f"{lost}.2")
    other = disputed(tracker, campaign, str(gained))
    ruled = tracker.rulings.rule(
        campaign, str(other), RulingRequest(verdict="voided", reason="nobody saw it")
    ).entries[0]
    assert lost in {one.slot for one in ruled}  # at 1 there is nothing left to lose
    assert lost in marked(tracker, campaign, dispute)
