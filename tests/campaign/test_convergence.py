"""Two courses of a campaign are one where their states are alike, and wherever they differ they are two."""

from collections.abc import Callable

from scenario import KRUG, MAGS, SKULLS, VEX, given
from tables import every

from tracker.campaign.fighters import Fighter
from tracker.campaign.rulings.convergence import StateComparison
from tracker.campaign.state import CampaignState, Gang
from tracker.records import replace

STATE = given().state
VEXES = STATE.gangs[SKULLS].fighters[VEX]


def in_gang(**changes: object) -> CampaignState:
    return STATE.with_gang(replace(STATE.gangs[SKULLS], **changes))  # type: ignore[arg-type]


def backwards(fighter: Fighter) -> dict[str, int]:
    return dict(reversed(fighter.characteristics.items()))


def turned(gang: Gang) -> dict[str, object]:
    return dict(reversed(gang.fighters.items()))


DIFFERENT: dict[str, Callable[[], CampaignState]] = {
    "a fighter": lambda: STATE.with_fighter(replace(VEXES, experience=1)),
    "a gang": lambda: in_gang(credits=1),
    "the campaign": lambda: replace(STATE, battles={"first-night": 1}),
    "who was there first": lambda: replace(STATE, gangs=dict(reversed(STATE.gangs.items()))),
    "who joined first": lambda: in_gang(fighters=turned(STATE.gangs[SKULLS])),
    "who is there": lambda: replace(STATE, gangs={SKULLS: STATE.gangs[SKULLS]}),
    "an order in the campaign": lambda: replace(STATE, gang_of=dict(reversed([*STATE.gang_of.items()]))),
    "an order on a card": lambda: STATE.with_fighter(replace(VEXES, characteristics=backwards(VEXES))),
}
LOOKED_FOR = [what for what in DIFFERENT if not what.startswith("an order")]


def alike() -> CampaignState:
    """The same, and no record of it the same object."""
    return given().state


@every("what", DIFFERENT)
def test_states_that_differ_anywhere_are_two_however_often_they_are_looked_at(what: str) -> None:
    courses = StateComparison()
    assert not any(courses.equal(STATE, DIFFERENT[what]()) for _ in range(3))


def test_states_that_are_alike_are_one() -> None:
    assert StateComparison().equal(STATE, alike())
    assert StateComparison().equal(STATE, STATE)


@every("first", LOOKED_FOR)
def test_two_courses_converge_when_their_last_difference_is_gone_and_no_other_is_there(
    first: str,
) -> None:
    courses = StateComparison()
    assert not courses.equal(STATE, DIFFERENT[first]())
    for what in LOOKED_FOR:
        assert what == first or not courses.equal(STATE, DIFFERENT[what]()), what
    assert courses.equal(STATE, alike())


def test_a_fighter_who_is_there_in_one_course_only_is_a_difference() -> None:
    gang = STATE.gangs[SKULLS]
    without = {name: fighter for name, fighter in gang.fighters.items() if name != KRUG}
    fewer = replace(
        STATE.with_gang(replace(gang, fighters=without)),
        gang_of={name: of for name, of in STATE.gang_of.items() if name != KRUG},
    )
    courses = StateComparison()
    assert not courses.equal(STATE, STATE.with_fighter(replace(gang.fighters[KRUG], experience=1)))
    assert not courses.equal(STATE, fewer)
    assert not courses.equal(fewer, STATE)
    assert STATE.gang_of[MAGS] != SKULLS
