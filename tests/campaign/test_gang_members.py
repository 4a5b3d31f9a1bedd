"""Members of a gang: each is found by id and in order of enlistment, gone or not; and the gone add up."""

import random

from scenario import MAGS, SKULLS, VEX, given
from tables import every

from tracker.campaign.fighters import Fighter, Standing
from tracker.campaign.members import (
    CARDS_IN_PART,
    Archive,
    BattleNumbers,
    Homes,
    LazyPart,
    Members,
    Tally,
    differing,
)
from tracker.campaign.records import FighterEnlisted
from tracker.campaign.state import CampaignState
from tracker.records import replace

CARD = given().state.gangs[SKULLS].fighters[VEX]
STANDINGS: tuple[Standing, ...] = ("enlisted", "retired", "dead", "sold")


def named(number: int, standing: Standing = "enlisted", **more: object) -> Fighter:
    return replace(CARD, fighter=f"f{number}", name=f"F {number}", standing=standing, **more)


def added_up(fighters: list[Fighter]) -> Tally:
    tally = Tally()
    for fighter in fighters:
        tally = tally.changed(fighter, 1)
    return tally


def read_when_asked(part: LazyPart[object], reads: list[str]) -> LazyPart[object]:
    def read() -> dict[str, object]:
        reads.append("read")
        return part.items

    return LazyPart(read=read, size=part.size, name="kept")


@every("seed", range(8))
def test_members_of_a_gang_behave_as_a_dictionary_of_its_fighters(seed: int) -> None:
    dice, plain, members = random.Random(seed), dict[str, Fighter](), Members.nobody()
    for _ in range(300):
        if not plain or dice.random() < 0.3:
            fighter = named(len(plain) + 1)
            members = members.joined_by(fighter)
        else:
            known = plain[dice.choice(list(plain))]
            fighter = replace(known, experience=dice.randint(0, 9), standing=dice.choice(STANDINGS))
            members = members.with_fighter(fighter)
        plain[fighter.fighter] = fighter
        gone = [fighter for fighter in plain.values() if fighter.standing != "enlisted"]
        assert members == plain
        assert list(members) == list(plain)
        assert list(members.enlisted.values()) == [
            fighter for fighter in plain.values() if fighter not in gone
        ]
        assert members.tally == added_up(gone)
        assert [members.place_of(name) for name in plain] == [*range(1, len(plain) + 1)]
        assert all(part.size <= CARDS_IN_PART for part in members.gone.parts)
    assert members == Members.of(plain)


def test_members_who_differ_are_found_without_reading_shared_parts() -> None:
    reads: list[str] = []
    gang = Members.of(
        {f"f{n}": named(n, "dead" if n <= 2 * CARDS_IN_PART else "enlisted") for n in range(1, 70)}
    )
    first, *others = gang.gone.parts
    kept = Archive(CARDS_IN_PART, (read_when_asked(first, reads), *others))  # type: ignore[arg-type]
    before = Members(gang.enlisted, gang.places, kept, gang.tally, gang.count)
    after = before.with_fighter(named(69, "dead")).joined_by(named(70))
    changed = {name: (was, now) for name, was, now in differing(before, after)}
    assert changed == {"f69": ((69, named(69)), (69, named(69, "dead"))), "f70": (None, (70, named(70)))}
    assert before != after
    assert reads == []
    assert before["f1"] == named(1, "dead")
    assert reads == ["read"]


def test_a_state_knows_whose_fighter_everybody_is_when_they_leave_and_come_back() -> None:
    state = given().state
    left = state.with_fighter(replace(CARD, standing="retired"))
    assert dict(left.gang_of) == dict(state.gang_of)
    assert VEX not in left.homes.enlisted
    assert left.fighter(VEX) == replace(CARD, standing="retired")
    assert list(left.gangs[SKULLS].fighters) == list(state.gangs[SKULLS].fighters)
    assert left.with_fighter(CARD) == state
    assert left != state


def test_a_fighter_enlisted_twice_by_a_ruling_is_one_fighter_still() -> None:
    state = given().state.with_fighter(replace(CARD, standing="dead"))
    names = [name for name in FighterEnlisted.__struct_fields__ if hasattr(CARD, name)]
    again = FighterEnlisted(**{name: getattr(CARD, name) for name in names}).apply(state)
    assert list(again.gang_of).count(VEX) == 1
    assert list(again.gangs[SKULLS].fighters) == list(state.gangs[SKULLS].fighters)
    assert again.gangs[SKULLS].enlisted[VEX].standing == "enlisted"
    assert again.gangs[SKULLS].members.tally == Tally()


def test_the_number_of_the_next_battle_is_one_more_than_the_highest_so_far() -> None:
    assert CampaignState(battles_before=4).battle_number == 5
    assert CampaignState(battles={"a": 2, "b": 7, "c": 3}).battle_number == 8
    fought = BattleNumbers.of({"a": 2}).with_battle("b", 7).with_battle("c", 3)
    assert (fought.latest, dict(fought)) == (7, {"a": 2, "b": 7, "c": 3})


def test_members_are_equal_however_they_are_split_into_parts() -> None:
    items = {f"f{n}": n for n in range(20)}
    assert Archive.of(3, items) == Archive.of(7, items) == items
    assert Archive.of(3, items) != Archive.of(3, items | {"f3": 0})
    assert Homes.of({VEX: SKULLS, MAGS: "x"}).with_moved(VEX, SKULLS, is_gone=True) == {
        VEX: SKULLS,
        MAGS: "x",
    }
