"""What a ruling keeps as it was played, and what later rulings make of that."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1]))

from torture import club

from tracker.campaign import records
from tracker.dice import read_die
from tracker.records import replace
from tracker.service.application import Tracker
from tracker.service.command_handler import CommandWithDice
from tracker.service.ruling_request import RulingRequest


@pytest.fixture
def tracker(tmp_path: Path) -> Iterator[Tracker]:
    with club.opened(club.sqlite(tmp_path / "club.db")) as tracker:
        yield tracker


def ruled(tracker: Tracker, campaign: str, answer: RulingRequest) -> int:
    return tracker.rulings.rule(campaign, None, answer).entries[0][0].entry


def test_taking_a_ruling_back_keeps_nothing_that_was_struck_since(tracker: Tracker) -> None:
    campaign = club.begin(tracker)
    paid = [
        tracker.commands.play(
            campaign,
            [
                CommandWithDice(
                    command=records.AwardExperience(fighter="saints-0", amount=1, reason="a good evening")
                )
            ],
        )
        .entries[0][0]
        .entry
        for _ in range(2)
    ]
    first, second = paid
    kept = ruled(
        tracker, campaign, RulingRequest(verdict="rolled_back", reason="wrong", void=(first,), keep=(second,))
    )
    assert tracker.repository.state(campaign).kept == {second: True}
    released = ruled(tracker, campaign, RulingRequest(verdict="reversed", reason="no", reverses=kept))
    assert tracker.repository.state(campaign).kept == {}
    ruled(tracker, campaign, RulingRequest(verdict="rolled_back", reason="wrong too", void=(second,)))
    ruled(tracker, campaign, RulingRequest(verdict="reversed", reason="yes", reverses=released))
    assert tracker.repository.state(campaign).kept == {}
    club.everything_holds(tracker, campaign)


def test_taking_back_that_a_dispute_was_settled_again_leaves_it_open_where_it_was(tracker: Tracker) -> None:
    campaign = club.begin(tracker)
    tracker.disputes.open(campaign, "2.1", reason="cocked", raised_by="Vic")
    (dispute,) = tracker.repository.state(campaign).disputes
    confirmed = tracker.rulings.rule(
        campaign, str(dispute), RulingRequest(verdict="confirmed", reason="seen")
    )
    answered = confirmed.entries[0][0].entry
    opened = ruled(tracker, campaign, RulingRequest(verdict="reversed", reason="no", reverses=answered))
    settled = ruled(tracker, campaign, RulingRequest(verdict="reversed", reason="yes", reverses=opened))
    ruled(tracker, campaign, RulingRequest(verdict="reversed", reason="no", reverses=answered))
    assert {*tracker.repository.state(campaign).disputes} == {dispute}
    last = ruled(tracker, campaign, RulingRequest(verdict="reversed", reason="never mind", reverses=settled))
    ruled(tracker, campaign, RulingRequest(verdict="reversed", reason="do mind", reverses=last))
    assert {*tracker.repository.state(campaign).disputes} == {dispute}
    club.everything_holds(tracker, campaign)


def kept_hit(tracker: Tracker, campaign: str) -> tuple[int, str]:
    """A hit that is kept as played, and the address of its wound roll.

    Two hits with Strength 4 on Toughness 3 show a 2 each. By a ruling the first was a 4 and a Flesh Wound, so
    that the second 2 wounds Toughness 2, and wants an Injury die that nobody rolled.
    """
    crews = {gang: tuple(f"{gang}-{number}" for number in range(2)) for gang in ("skulls", "saints")}
    opening = records.OpenBattle(battle="b1", scenario="Ambush", date="2026-11-21", crews=crews)
    tracker.commands.play(campaign, [CommandWithDice(command=opening)])
    hit = records.ResolveHit(target="skulls-0", attacker="saints-0", weapon="autogun")
    first, second = (
        tracker.commands.play(
            campaign, [CommandWithDice(command=hit, dice=(read_die("wound", "D6", 2),))]
        ).entries[0][1]
        for _ in range(2)
    )
    tracker.rulings.rule(
        campaign,
        disputed(tracker, campaign, first.address),
        RulingRequest(
            verdict="corrected",
            reason="a 4",
            faces="4",
            supplied={first.slot: [("injury", "flesh")]},
            keep=(second.slot,),
        ),
    )
    assert tracker.repository.state(campaign).kept == {second.slot: False}
    return second.slot, second.address


def disputed(tracker: Tracker, campaign: str, address: str) -> str:
    tracker.disputes.open(campaign, address, reason="cocked", raised_by="Vic")
    return str(max(tracker.repository.state(campaign).disputes))


def test_a_kept_entry_whose_die_is_corrected_is_let_go_and_decided_by_it(tracker: Tracker) -> None:
    campaign = club.begin(tracker)
    slot, address = kept_hit(tracker, campaign)
    tracker.rulings.rule(
        campaign,
        disputed(tracker, campaign, address),
        RulingRequest(verdict="corrected", reason="a 1", faces="1"),
    )
    (roll,) = [
        recorded.event
        for recorded in tracker.repository.log.slot(campaign, slot)
        if isinstance(recorded.event, records.RollMade)
    ]
    assert (roll.faces, roll.target, roll.passed) == ((1,), 2, False)
    assert tracker.repository.state(campaign).kept == {}
    club.everything_holds(tracker, campaign)


def test_a_corrected_die_that_leads_on_leaves_its_kept_entry_open_not_kept(tracker: Tracker) -> None:
    campaign = club.begin(tracker)
    slot, address = kept_hit(tracker, campaign)
    answer = RulingRequest(verdict="corrected", reason="a 6", faces="6")
    dispute = disputed(tracker, campaign, address)
    with pytest.raises(records.RulingIncomplete, match=f"{slot}"):
        tracker.rulings.rule(campaign, dispute, answer)


def test_a_kept_entry_that_gets_the_dice_it_lacked_is_decided_by_them(tracker: Tracker) -> None:
    campaign = club.begin(tracker)
    slot, _ = kept_hit(tracker, campaign)
    more = RulingRequest(verdict="rolled_back", reason="rolled now", supplied={slot: [("injury", "flesh")]})
    ruled(tracker, campaign, more)
    combat = tracker.repository.state(campaign).under_way
    assert combat is not None
    assert combat.combatants["skulls-0"].flesh_wounds == 2
    assert tracker.repository.state(campaign).kept == {}
    club.everything_holds(tracker, campaign)


def test_what_is_let_go_is_decided_though_the_season_is_what_it_was_before_it(tracker: Tracker) -> None:
    campaign = club.begin(tracker)

    def played(command: records.Command, *faces: int) -> int:
        falling = iter(faces)
        tracker.commands.roller = lambda _sides: next(falling)
        return (
            tracker.commands.play(campaign, [CommandWithDice(command=command)], roll=True).entries[0][0].entry
        )

    def opened(battle: str) -> records.OpenBattle:
        crews = dict.fromkeys(club.GANGS, ())
        return records.OpenBattle(battle=battle, scenario="Ambush", date="2026-11-21", crews=crews)

    def shot(target: str, *faces: int) -> int:
        return played(records.ResolveHit(target=target, attacker="skulls-1", weapon="autogun"), *faces)

    played(opened("b1"))
    flesh_wound = shot("saints-1", 6, 1)
    played(records.CloseBattle(drawn=True))
    played(opened("b2"))
    missed, after = shot("saints-2", 1), shot("saints-2", 1)
    played(records.CloseBattle(drawn=True))

    def on(entry: int) -> str:
        return str(
            tracker.disputes.open(campaign, f"{entry}.2", reason="cocked", raised_by="Vic")
            .entries[0][0]
            .entry
        )

    dice = {missed: [("injury", "6"), ("lasting_injury", "2-1")]}
    out = RulingRequest(verdict="corrected", reason="a 6", faces="6", supplied=dice, keep=(after,))
    tracker.rulings.rule(campaign, on(missed), out)
    assert tracker.repository.state(campaign).kept == {after: False}

    # The Flesh Wound matters for the first battle alone, and yet the kept entry of the second is looked at.
    disputed = on(flesh_wound)
    let_go = RulingRequest(verdict="corrected", reason="a 1", faces="1", unkeep=(after,))
    found = tracker.rulings.preview(campaign, disputed, let_go).redecision.slots
    assert [(one.slot.slot, one.result) for one in found] == [(flesh_wound, "changed"), (after, "refused")]
    with pytest.raises(records.RulingIncomplete):
        tracker.rulings.rule(campaign, disputed, let_go)
    tracker.rulings.rule(campaign, disputed, replace(let_go, void=(after,)))
    assert tracker.repository.state(campaign).kept == {}
    club.everything_holds(tracker, campaign)
