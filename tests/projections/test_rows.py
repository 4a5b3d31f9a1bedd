"""What the rows of fighters, gangs and battles say."""

from typing import Any

import msgspec
import pytest
from board_history import CARD, HAWKS, KRUG, MAGS, RATS, VEX, History

from tracker.campaign.after_battle import Territory
from tracker.campaign.fighters import Fighter, InjurySuffered
from tracker.campaign.profiles import Armour, Weapon, WeaponProfile
from tracker.campaign.state import Gang
from tracker.projections import queries
from tracker.projections.calendar import Calendar
from tracker.projections.roster import STATUSES, fighter_row, fighter_text, status
from tracker.projections.row_json import FieldCache, as_json
from tracker.projections.standings import gang_row, gang_text, in_order
from tracker.records import replace

FIT = Fighter(
    fighter=KRUG,
    gang=HAWKS,
    name="Krug",
    category="ganger",
    kind="Gunner",
    cost_credits=50,
    characteristics=CARD,
)
EMPTY = Gang(gang=HAWKS, name="Hawks", house="orlock", player="Vic", credits=0, reputation=1)


def test_the_gravest_thing_true_of_a_fighter_is_his_status() -> None:
    everything = replace(
        FIT, convalescing=True, recovering_since=1, capture_pending=True, critical=True, standing="dead"
    )
    assert status(everything) == "dead"
    assert status(replace(everything, standing="retired")) == "retired"
    alive = replace(everything, standing="enlisted")
    assert status(alive) == "critical"
    assert status(replace(alive, critical=False)) == "capture_pending"
    assert status(replace(alive, critical=False, capture_pending=False)) == "in_recovery"
    assert status(replace(FIT, convalescing=True)) == "convalescing"
    assert status(FIT) == "available"


def test_a_fighter_row_is_what_a_reader_of_its_json_gets() -> None:
    armed = replace(
        FIT,
        armour=Armour(name="flak", save=6),
        weapons=(
            Weapon(weapon="autogun", profiles=(WeaponProfile(strength=3, traits=("Rapid Fire (1)",)),)),
        ),
    )
    row = fighter_row(armed)
    assert msgspec.json.decode(msgspec.json.encode(row)) == row
    assert row["armour"] == {"name": "flak", "save": 6}
    assert row["weapons"][0]["profiles"][0]["traits"] == ["Rapid Fire (1)"]


def test_a_board_keeps_a_row_as_the_sorted_json_of_it_whatever_was_kept_of_it_before() -> None:
    hurt = tuple(InjurySuffered(injury=i, name=i, counted_as=i, battle=1) for i in ("scar", "limp", "burn"))
    cards = [
        FIT,
        replace(FIT, experience=2),
        replace(FIT, injuries=hurt[:1], skills=("iron_jaw",)),
        replace(FIT, injuries=hurt, armour=Armour(name="flak", save=6), times_improved={"wounds": 1}),
        replace(FIT, injuries=hurt[1:], wargear=("respirator", "rope")),
        replace(FIT, injuries=(*hurt[1:], hurt[0])),
    ]
    assert [fighter_text(card) for card in cards] == [as_json(fighter_row(card)) for card in cards]
    ruins = Territory(territory="ruins", kind="old_ruins", name="The Ruins", holder=HAWKS)
    gangs = [EMPTY, replace(EMPTY, territories=(ruins,)), replace(EMPTY, patrons=("guild",), credits=5)]
    assert [gang_text(gang) for gang in gangs] == [as_json(gang_row(gang)) for gang in gangs]


def test_cached_fields_are_written_on_at_the_end_and_anew_for_whatever_else_is_another() -> None:
    cache = FieldCache(
        "skills", "wargear", rows={"skills": lambda skills: [skill.upper() for skill in skills]}
    )

    def written(*skills: str) -> bytes:
        return bytes(cache.fields_of(KRUG, replace(FIT, skills=skills))["skills"])

    assert [written(), written("a"), written("a", "b"), written("b"), written("b", "c"), written()] == [
        *(b"[]", b'["A"]', b'["A","B"]', b'["B"]', b'["B","C"]', b"[]")
    ]


def test_a_gangs_rating_is_the_cost_of_its_enlisted_and_living_fighters() -> None:
    fighters = {
        "a": replace(FIT, fighter="a"),
        "b": replace(FIT, fighter="b", standing="dead"),
        "c": replace(FIT, fighter="c", standing="retired"),
        "d": replace(FIT, fighter="d", capture_pending=True, cost_credits=70),
    }
    row = gang_row(replace(EMPTY, fighters=fighters))
    assert row["rating_credits"] == 120
    assert row["fighters_enlisted"] == 2
    assert row["fighters"] == dict.fromkeys(STATUSES, 0) | {
        "available": 1,
        "dead": 1,
        "retired": 1,
        "capture_pending": 1,
    }


@pytest.mark.parametrize(
    ("rank", "is_warband"), [("elite", True), ("troop", True), ("leader", False), ("ganger", False)]
)
@pytest.mark.parametrize("standing", ["enlisted", "dead"])
def test_a_gang_is_a_warband_where_anybody_has_or_had_a_rank_of_one(
    rank: Any, is_warband: bool, standing: Any
) -> None:
    fighter = replace(FIT, category=rank, standing=standing)
    gang = replace(EMPTY, fighters={KRUG: fighter})
    assert gang_row(gang)["warband"] is is_warband


def test_standings_go_by_won_then_drawn_then_reputation_then_enemies_taken_out_then_enlistment() -> None:
    def gang(name: str, **record: int) -> Gang:
        return replace(EMPTY, gang=name, **record)  # type: ignore[arg-type]  # names of fields

    rows = [
        gang_row(gang)
        for gang in (
            gang("last"),
            gang("tied"),
            gang("renowned", reputation=2),
            gang("drawn", drawn=1),
            gang("won", won=1),
        )
    ]
    assert [row["gang"] for row in in_order(rows)] == ["won", "drawn", "renowned", "last", "tied"]


def test_a_battle_holds_its_opening_its_closing_and_what_lies_between() -> None:
    calendar = Calendar()
    calendar.open(4, "b1")
    calendar.close(6, "b1")
    calendar.open(7, "b2")
    assert [calendar.battle_at(slot) for slot in range(3, 9)] == [None, "b1", "b1", "b1", "b2", "b2"]


@pytest.fixture
def season(history: History) -> History:
    history.open_campaign()
    history.enlist(HAWKS, KRUG, VEX)
    history.enlist(RATS, MAGS)
    return history


def test_a_battle_row_names_crews_in_their_order_and_its_result(season: History) -> None:
    season.open_battle("b1", {RATS: (MAGS,), HAWKS: (VEX, KRUG)})
    closing = season.close_battle("b1")
    (row,) = queries.battles(season.connection, season.campaign)
    assert row["crews"] == [{"gang": RATS, "fighters": [MAGS]}, {"gang": HAWKS, "fighters": [VEX, KRUG]}]
    assert (row["status"], row["drawn"], row["winner"], row["closed"]["entry"]) == (
        "closed",
        True,
        None,
        closing,
    )
