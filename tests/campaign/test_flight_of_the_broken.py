"""How the Broken flee by the archived rules: the retreat, the inches, half the Movement, Smoke."""

from itertools import product

import pytest
from rides import RIG, now, riding, vehicle
from scenario import (
    DOT,
    KRUG,
    MAGS,
    OUT_COLD,
    VEX,
    Table,
    card,
    enlist,
    given,
    injury,
    older,
    opening,
    seriously_injured,
    wound,
)
from tables import every

from tracker.campaign import records
from tracker.dice import Die, read_die
from tracker.records import replace
from tracker.rules import loader
from tracker.rules.necromunda.nerve import passes_on_one_die
from tracker.rules.rulebook import BookHasNo

ARCHIVE = "necromunda_archive"


def d6(purpose: str, *faces: int) -> tuple[Die, ...]:
    return tuple(read_die(purpose, "D6", face) for face in faces)


def run(total: str) -> Die:
    return read_die("running_for_cover", "2D6", total)


def broken(*cards, book: str = ARCHIVE, knobs=None) -> Table:
    """Vex is Broken, because Krug was Seriously Injured."""
    table = given(*cards, book=book, knobs=knobs).when(seriously_injured(KRUG))
    test = records.TakeNerveTest(fighter=VEX, because_of=KRUG, friends_near_count=0)
    return table.when(test, read_die("nerve", "2D6", "1+2"))


def flight(fighter: str = VEX, **more) -> records.TakeFlight:
    return records.TakeFlight(fighter=fighter, **more)


def ran(hundredths: int) -> records.FlightMade:
    return records.FlightMade(fighter=VEX, flight="running_for_cover", up_to_hundredths=hundredths)


def tried(away: bool, *may_react: str, engaged: tuple[str, ...] = (MAGS, DOT)) -> records.RetreatTried:
    return records.RetreatTried(fighter=VEX, engaged=engaged, away=away, may_react=may_react)


# --- the move --------------------------------------------------------------------------------------------


@every(("first", "second"), list(product(range(1, 7), repeat=2)))
def test_an_active_broken_fighter_runs_2d6_inches_for_cover(first: int, second: int) -> None:
    broken().when(flight(), run(f"{first}+{second}")).then(ran((first + second) * 100))


@every(("movement", "hundredths"), [(5, 250), (4, 200), (1, 50)])
def test_a_pinned_or_seriously_injured_broken_fighter_moves_half_the_movement(
    movement: int, hundredths: int
) -> None:
    slow = card(VEX, movement=movement)
    pinned = broken(slow).when(records.ResolveFall(target=VEX, distance_hundredths=300), wound(1))
    pinned.when(flight()).then(ran(hundredths))
    injured = broken(slow).when(seriously_injured(VEX))
    injured.when(flight()).then(ran(hundredths))


def test_only_the_broken_flee() -> None:
    given(book=ARCHIVE).when(flight()).then_refused(records.NothingToFleeFrom)


def test_a_book_that_prints_no_distance_of_flight_refuses_it() -> None:
    broken(book="necromunda_2023").when(flight()).then_refused(BookHasNo)


# --- the retreat -----------------------------------------------------------------------------------------


@every("face", range(1, 7))
def test_an_engaged_broken_fighter_tests_initiative_to_retreat(face: int) -> None:
    engaged = flight(engaged=(MAGS,), reacting=())
    away = face >= 4
    dice = (*d6("retreat", face), *((run("3+4"),) if away else ()))
    expected = (tried(True, engaged=(MAGS,)), ran(700)) if away else (tried(False, engaged=(MAGS,)),)
    broken().when(engaged, *dice).then(*expected)


@every(("mags", "dot"), list(product(range(1, 7), repeat=2)))
def test_every_enemy_engaged_tests_initiative_to_react(mags: int, dot: int) -> None:
    dice = (*d6("retreat", 4), *d6("retreat_reaction", mags, dot))
    react = tuple(name for name, face in ((MAGS, mags), (DOT, dot)) if face >= 4)
    table = broken().when(flight(engaged=(MAGS, DOT)), *dice, *(() if react else (run("1+1"),)))
    table.then(tried(True, *react), *(() if react else (ran(200),)))


def test_enemies_who_may_react_attack_before_the_broken_fighter_moves() -> None:
    table = broken().when(flight(engaged=(MAGS, DOT)), *d6("retreat", 6), *d6("retreat_reaction", 4, 3))
    assert table.combatant(VEX).broken

    def reaction(by: str) -> records.Fight:
        return records.Fight(attacker=by, targets=(records.FightTarget(model=VEX),), reaction=True)

    table.when(reaction(DOT)).then_refused(records.NoReaction)
    missed = table.when(reaction(MAGS), *d6("melee_hit", 1))
    missed.when(reaction(MAGS)).then_refused(records.NoReaction)
    missed.when(flight(), run("2+2")).then(ran(400))
    hurt = table.when(reaction(MAGS), *d6("melee_hit", 6), wound(6), injury("serious"))
    hurt.when(flight()).then(ran(250))
    gone = table.when(reaction(MAGS), *d6("melee_hit", 6), wound(6), injury("ooa"), OUT_COLD)
    assert gone.when(flight()).refusal is not None


def test_an_initiative_test_to_retreat_always_fails_on_a_natural_1() -> None:
    helped = flight(
        engaged=(MAGS,), reacting=(), modifiers=(records.InitiativeModifier(why="Spring Up", by=3),)
    )
    broken(card(VEX, initiative=4)).when(helped, *d6("retreat", 1)).then(tried(False, engaged=(MAGS,)))
    kinder = {"initiative_test.natural_1": "may_pass"}
    broken(card(VEX, initiative=4), knobs=kinder).when(helped, *d6("retreat", 1), run("1+1")).then(
        tried(True, engaged=(MAGS,)), ran(200)
    )


@every("book", [ARCHIVE, "necromunda_2023"])
def test_an_initiative_test_to_retreat_passes_on_the_initiative_or_more(book: str) -> None:
    rulebook = loader.rulebook(book, [])
    for face, modifier, target in product(range(1, 7), range(-3, 4), range(2, 7)):
        passes = face + modifier >= target and not (face == 1 and book == ARCHIVE)
        assert passes_on_one_die(face, modifier=modifier, target=target, rulebook=rulebook) is passes


@every(
    ("command", "refusal"),
    [
        (flight(engaged=(MAGS, MAGS)), records.RetreatUnclear),
        (flight(engaged=(KRUG,)), records.FighterProne),
        (flight(engaged=(MAGS,), reacting=(DOT,)), records.RetreatUnclear),
        (flight(engaged=(MAGS, DOT), reacting=(DOT, DOT)), records.RetreatUnclear),
        (flight(mobile=True), records.MovingOrNot),
    ],
)
def test_contradictory_statements_about_a_flight_are_refused(
    command: records.TakeFlight, refusal: type
) -> None:
    broken().when(command).then_refused(refusal)


def test_no_broken_fighter_retreats_from_a_friend_or_while_prone() -> None:
    table = given(book=ARCHIVE).when(seriously_injured(MAGS))
    test = records.TakeNerveTest(fighter=DOT, because_of=MAGS, friends_near_count=0)
    dot = table.when(test, read_die("nerve", "2D6", "1+2"))
    dot.when(flight(DOT, engaged=(MAGS,))).then_refused(records.FighterProne)
    fallen = dot.when(records.ResolveFall(target=DOT, distance_hundredths=300), wound(1))
    fallen.when(flight(DOT, engaged=(VEX,))).then_refused(records.FighterProne)
    friends = broken().when(flight(engaged=(VEX,)))
    friends.then_refused(records.RetreatUnclear)


# --- vehicles --------------------------------------------------------------------------------------------


def broken_rig() -> Table:
    table = riding(book=ARCHIVE)
    test = records.TakeNerveTest(fighter=VEX, wreck="a mule", friends_near_count=0, mobile=True)
    return table.when(test, read_die("nerve", "2D6", "1+2"))


def test_a_mobile_vehicle_breaks_for_air_by_3d6() -> None:
    table = broken_rig().when(flight(mobile=True), *d6("break_for_air", 6, 1, 3))
    table.then(records.FlightMade(fighter=VEX, flight="break_for_air", up_to_hundredths=1000))


@every("markers", [1, 2, 3])
def test_a_stationary_vehicle_burns_out_with_d3_smoke_markers(markers: int) -> None:
    table = broken_rig().when(flight(mobile=False), read_die("burn_out", "D3", markers))
    assert table.outcome[-1] == records.FlightMade(
        fighter=VEX, flight="burn_out", up_to_hundredths=0, smoke_markers=markers
    )
    assert not now(table).mobile


def test_a_vehicle_is_never_engaged() -> None:
    broken_rig().when(flight(mobile=True, engaged=(MAGS,))).then_refused(records.RetreatUnclear)
    broken_rig().when(flight()).then_refused(records.MovingOrNot)


@every(("book", "helps"), [("necromunda_2023", False), (ARCHIVE, True)])
def test_a_broken_vehicle_helps_another_only_by_the_archived_rules(book: str, helps: bool) -> None:
    """Pip drives a second vehicle of the Skulls, which is Broken."""
    second = card("pip", category="crew")
    mule = replace(vehicle(RIG), vehicle="mule", name="Mule", crew="pip")
    gang = enlist("third", second, replace(second, fighter="gus", name="Gus"), vehicles=(mule, replace(mule, vehicle="cart", name="Cart", crew="gus")))  # fmt: skip
    crews = {"third": ("pip", "gus"), "saints": (MAGS,)}
    table = riding(battle=False, book=book).when(gang).when(opening(1, crews=crews))
    test = records.TakeNerveTest(fighter="pip", wreck="a sled", friends_near_count=0, mobile=True)
    table = table.when(test, read_die("nerve", "2D6", "1+2"))
    near = records.TakeNerveTest(fighter="gus", wreck="a sled", friends_near=("pip",), mobile=True)
    tested = table.when(near, read_die("nerve", "2D6", "2+4"))
    (nerve,) = [event for event in tested.outcome if isinstance(event, records.NerveTested)]
    assert (nerve.friends_near, nerve.passed) == ((1, True) if helps else (0, False))


def test_escape_artist_retreats_at_2_more_and_a_natural_1_fails() -> None:
    nimble = card(VEX, skills=("Escape Artist",))
    needs = card(VEX).characteristics["initiative"]
    retreat = flight(engaged=(MAGS,), reacting=())
    for face in range(1, 7):
        away = face != 1 and face + 2 >= needs
        dice = (*d6("retreat", face), *((run("1+2"),) if away else ()))
        table = broken(nimble).when(retreat, *dice)
        assert tried(away, engaged=(MAGS,)) in table.outcome, face
        assert [(why.why, why.by) for why in table.rolls[0].modifiers] == [("Escape Artist", 2)]


def test_escape_artist_adds_nothing_in_a_battle_recorded_before_it_did() -> None:
    nimble = card(VEX, skills=("Escape Artist",))
    first = replace(opening(1), number=1, whole_book=1)
    table = given(nimble, book=ARCHIVE, battle=False).when(first).when(seriously_injured(KRUG))
    test = records.TakeNerveTest(fighter=VEX, because_of=KRUG, friends_near_count=0)
    table = table.when(test, read_die("nerve", "2D6", "1+2"))
    table = table.when(flight(engaged=(MAGS,), reacting=()), *d6("retreat", 2))
    assert tried(False, engaged=(MAGS,)) in table.outcome
    assert table.rolls[0].modifiers == ()


def test_the_mounted_retreat_at_2_more_by_themselves() -> None:
    rider = card(VEX, mounted=True)
    needs = card(VEX).characteristics["initiative"]
    retreat = flight(engaged=(MAGS,), reacting=())
    for face in range(1, 7):
        away = face + 2 >= needs
        dice = (*d6("retreat", face), *((run("1+2"),) if away else ()))
        table = broken(rider).when(retreat, *dice)
        assert tried(away, engaged=(MAGS,)) in table.outcome, face
        assert [(why.why, why.by) for why in table.rolls[0].modifiers] == [("Mounted", 2)]


def test_an_escape_artist_on_a_mount_has_both() -> None:
    rider = card(VEX, mounted=True, skills=("Escape Artist",), initiative=5)
    table = broken(rider).when(flight(engaged=(MAGS,), reacting=()), *d6("retreat", 1))
    assert tried(False, engaged=(MAGS,)) in table.outcome
    assert [(why.why, why.by) for why in table.rolls[0].modifiers] == [("Escape Artist", 2), ("Mounted", 2)]


@pytest.mark.parametrize("stated", ["Mounted", "mounted"])
def test_what_is_counted_by_itself_is_not_stated_too(stated: str) -> None:
    """Who writes it as the text of older versions asked is told so, and the +2 does not count twice."""
    table = broken(card(VEX, mounted=True))
    retreat = flight(engaged=(MAGS,), reacting=(), modifiers=(records.InitiativeModifier(why=stated, by=2),))
    told = table.when(retreat)
    assert "leave it out of 'modifiers'" in str(told.refusal)
    told.then_refused(records.RetreatUnclear)


def test_in_an_older_battle_the_flight_of_the_mounted_is_as_stated() -> None:
    retreat = flight(
        engaged=(MAGS,), reacting=(), modifiers=(records.InitiativeModifier(why="Mounted", by=1),)
    )
    table = older(broken(card(VEX, mounted=True)), 4).when(retreat, *d6("retreat", 2))
    assert tried(False, engaged=(MAGS,)) in table.outcome
    assert [(why.why, why.by) for why in table.rolls[0].modifiers] == [("Mounted", 1)]
