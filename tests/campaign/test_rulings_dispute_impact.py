"""What a dispute might change, and which later events depend on that."""

from rides import RIG, SLED, riding
from scenario import CLOSING, DOT, KRUG, MAGS, SAINTS, SKULLS, given, recorded

from tracker.campaign import records
from tracker.campaign.profiles import Item
from tracker.campaign.rulings.dispute_impact import DisputeImpact
from tracker.campaign.state import CampaignState
from tracker.records import replace


def impact_of(now: CampaignState, other: CampaignState) -> DisputeImpact:
    """Of a dispute that might have led to another state."""
    impact = DisputeImpact(quiet=frozenset())
    impact.seed(now, other)
    return impact


def dependents(impact: DisputeImpact, before: CampaignState, *events: records.Event) -> list[records.Event]:
    """Those of one later entry that depend on it."""
    slot = [recorded(event, seq=seq, entry=9, position=seq) for seq, event in enumerate(events, start=1)]
    found = impact.dependents_in(slot, before)
    return [event.event for event in slot if event.seq in found]


def mags_hurt() -> tuple[CampaignState, CampaignState]:
    """After a battle, with Mags Critically Injured, and without."""
    other = given().when(CLOSING).state
    mags = other.fighter(MAGS)
    assert mags is not None
    return other.with_fighter(replace(mags, critical=True)), other


def test_a_fighter_of_any_gang_whose_card_might_be_another_is_affected() -> None:
    now, other = mags_hurt()
    events = [records.FighterDied(fighter=name, why="") for name in (KRUG, MAGS, DOT)]
    assert dependents(impact_of(now, other), now, *events) == [events[1]]


def test_a_step_that_looks_at_a_whole_gang_depends_on_each_of_its_fighters() -> None:
    now, other = mags_hurt()
    ratings = [
        records.RatingRecorded(gang=gang, before=None, after=200, wealth=300, section="")
        for gang in (SKULLS, SAINTS)
    ]
    assert dependents(impact_of(now, other), now, *ratings) == [ratings[1]]


def test_who_spends_any_credits_of_a_gang_that_might_not_be_enlisted_depends_on_it() -> None:
    now = given(battle=False).state
    without = replace(now, gangs={SKULLS: now.gangs[SKULLS]})
    entry = [
        records.FighterDied(fighter=KRUG, why=""),
        records.CreditsMoved(source=SAINTS, target="@trading_post", amount=1, why="", section=""),
    ]
    assert dependents(impact_of(now, without), now, *entry) == entry
    assert dependents(impact_of(now, now), now, *entry) == []


def test_a_vehicle_whose_condition_might_be_another_is_affected_and_no_other() -> None:
    other = riding().state
    assert other.under_way is not None
    rig = replace(other.under_way.vehicles[RIG], stalled=True)
    now = other.with_combat_vehicle(RIG, rig)
    wrecks = [
        records.VehicleWrecked(vehicle=name, by=None, causes=("roll",), mobile=False, lasting_damage_rolls=1)
        for name in (RIG, SLED)
    ]
    assert dependents(impact_of(now, other), now, *wrecks) == [wrecks[0]]


def test_a_thing_that_somebody_else_might_have_is_reason_enough_to_look_on() -> None:
    state = given().when(CLOSING).state
    impact = impact_of(state, state)
    assert impact.is_empty
    moved = records.ItemMoved(
        item=Item(name="Medicae kit", kind="wargear"), source="@trading_post", target=SKULLS, source_gang=None, target_gang=SKULLS,
        why="", section="",
    )  # fmt: skip
    impact.absorb(moved, state, state)
    assert not impact.is_empty
