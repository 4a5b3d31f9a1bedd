"""Rulings: slots decided again after a die was corrected or an entry voided, and what follows from it."""

from collections import Counter

import hypothesis
from hypothesis import strategies as st
from random_campaigns import Season, constant_roller, driven_season, season
from scenario import (
    CLOSING,
    DOT,
    KRUG,
    MAGS,
    VEX,
    Table,
    given,
    hit,
    how_many,
    injury,
    lasting,
    lesson,
    old_wound,
    old_wound_that_returns,
    opening,
    out_of_action,
    save,
    seriously_injured,
    succumb,
    wound,
)
from tables import every

from tracker.campaign import records
from tracker.campaign.rulings import redecision
from tracker.campaign.state import CampaignState
from tracker.campaign.steps import decide_keeping_spare_dice
from tracker.dice import D66, DiceNeeded, DiceTray, Die, Roller
from tracker.errors import Refusal
from tracker.records import replace
from tracker.rules import loader


def header_of(slot: redecision.Slot) -> records.DecisionTaken:
    assert slot.header is not None
    return slot.header


def judged_again(
    table: Table, instructions: dict[int, redecision.SlotInstruction], roller: Roller | None = None
) -> redecision.Redecision:
    return redecision.redecide(CampaignState(), table.slots(), instructions, loader.rulebook, roller=roller)


def results(found: redecision.Redecision) -> list[tuple[int, str]]:
    return [(redecided.slot.slot, redecided.result) for redecided in found.slots]


SURVIVES = succumb(6)
AWARD = records.AwardExperience(fighter=KRUG, amount=1, reason="won")


def as_rows(found: redecision.Redecision) -> list[tuple[object, ...]]:
    return [
        (
            redecided.slot.slot,
            redecided.result,
            redecided.why,
            redecided.fill,
            redecided.stamp,
            redecided.keepable,
        )
        for redecided in found.slots
    ]


def another(die: Die, *faces: int) -> Die:
    """The same die, showing something else."""
    return replace(die, faces=faces, symbol=None)


def corrected(slot: redecision.Slot, purpose: str, *faces: int) -> dict[int, redecision.SlotInstruction]:
    """The slot's first die of a purpose, showing something else."""
    dice = header_of(slot).dice
    number = next(place for place, die in enumerate(dice) if die.purpose == purpose)
    return {slot.slot: redecision.SlotInstruction(correct=(number, another(dice[number], *faces)))}


# --- nothing to say --------------------------------------------------------------------------------------


@hypothesis.given(st.integers(min_value=0, max_value=10**6).map(season))
def test_without_an_instruction_everything_is_decided_as_it_was(played: Season) -> None:
    found = redecision.redecide(CampaignState(), played.slots, {}, loader.rulebook)
    assert found.slots == ()
    assert found.looked_at == len(played.slots)
    assert found.state == played.state


@hypothesis.given(st.integers(min_value=0, max_value=10**6).map(season), st.data())
def test_deciding_again_may_begin_anywhere(played: Season, data: st.DataObject) -> None:
    first = data.draw(st.integers(min_value=0, max_value=len(played.slots)))
    found = redecision.redecide(played.states[first], played.slots[first:], {}, loader.rulebook)
    assert (found.slots, found.state) == ((), played.state)


def test_live_history_is_gathered_into_slots_in_the_order_of_play() -> None:
    slots = season(1).slots
    assert tuple(redecision.slots_of(event for slot in slots for event in slot.events)) == slots


def test_a_correction_to_what_the_die_showed_anyway_changes_nothing() -> None:
    table = given().when(hit(VEX, by=MAGS), wound(4), injury("ooa"), lasting(4, 6)).when(CLOSING)
    slot = table.slots()[4]
    assert results(judged_again(table, corrected(slot, "wound", 4))) == []


# --- as if it had been so from the start -----------------------------------------------------------------


def played_with(
    played: Season, changed: redecision.Slot, dice: tuple[Die, ...] | None, roller: Roller | None
) -> CampaignState | None:
    """The campaign played with other dice in an entry, or without it; None if it cannot be. Before it nothing differs."""
    first = played.slots.index(changed)
    state = played.states[first]
    for slot in played.slots[first:]:
        header = header_of(slot)
        if slot is changed and dice is None:
            continue
        tray = DiceTray(dice if slot is changed else header.dice, roller=roller)
        try:
            state = decide_keeping_spare_dice(
                state, header.command, tray, loader.rulebook, entry=slot.slot
            ).state
        except (DiceNeeded, Refusal):
            return None
    return state


def corrections(slots: tuple[redecision.Slot, ...]):
    """Every die of some slots, showing each of a few other faces."""
    for slot in slots:
        for number, die in enumerate(header_of(slot).dice):
            others = [(1, 2), (3, 1), (4, 3), (4, 6), (5, 3)] if die.die == D66 else [(1,), (3,), (6,)]
            for faces in others:
                if die.die == "D3" and faces[0] > 3:
                    continue
                if faces != die.faces:
                    yield slot, number, another(die, *faces)


@every("roller", [None, constant_roller(3)], ids=["no more dice", "more dice rolled"])
def test_a_corrected_die_counts_as_if_it_had_fallen_so_from_the_start(roller: Roller | None) -> None:
    seen: Counter[str] = Counter()
    afoot = [season(seed, battles=6, hits=4) for seed in range(20)]
    for played in (*afoot, *map(driven_season, range(4))):
        for slot, number, die in corrections(played.slots_of_battle(2)):
            found = redecision.redecide(
                CampaignState(),
                played.slots,
                {slot.slot: redecision.SlotInstruction(correct=(number, die))},
                loader.rulebook,
                roller=roller,
            )
            dice = header_of(slot).dice
            other_dice = (*dice[:number], die, *dice[number + 1 :])
            from_the_start = played_with(played, slot, other_dice, roller)
            assert bool(found.unsettled) is (from_the_start is None)
            if from_the_start is None:
                seen["unsettled"] += 1
            else:
                assert found.state == from_the_start
                seen["changed" if found.state != played.state else "unchanged"] += 1
    # Else the property held of nothing.
    assert seen["changed"] > 50
    assert seen["unsettled"] > 10


def test_a_voided_entry_counts_as_if_it_had_never_happened() -> None:
    seen: Counter[str] = Counter()
    afoot = [season(seed, battles=5, hits=4) for seed in range(12)]
    for played in (*afoot, *map(driven_season, range(4))):
        for slot in (*played.slots_of_battle(1), *played.slots_of_battle(2)):
            found = redecision.redecide(
                CampaignState(),
                played.slots,
                {slot.slot: redecision.SlotInstruction(void=True)},
                loader.rulebook,
            )
            without = played_with(played, slot, None, None)
            assert bool(found.unsettled) is (without is None)
            assert (slot.slot, "voided") in results(found)
            if without is not None:
                assert found.state == without
                seen["settled"] += 1
            else:
                seen["unsettled"] += 1
    assert seen["settled"] > 50
    assert seen["unsettled"] > 5


def test_a_settled_ruling_is_itself_decided_again_without_a_change() -> None:
    """What a ruling wrote must stand when the next ruling looks at it."""
    checked = 0
    for seed in range(6):
        played = season(seed, battles=4, hits=4)
        for slot, number, die in corrections(played.slots_of_battle(1)):
            found = redecision.redecide(
                CampaignState(),
                played.slots,
                {slot.slot: redecision.SlotInstruction(correct=(number, die))},
                loader.rulebook,
                roller=constant_roller(2),
            )
            if found.unsettled:
                continue
            anew = {
                redecided.slot.slot: tuple(decided.event for decided in redecided.judgement.events)
                for redecided in found.slots
                if redecided.judgement is not None
            }
            ruled = tuple(
                replace(
                    slot,
                    events=tuple(replace(slot.events[0], event=event) for event in anew[slot.slot]),
                )
                if slot.slot in anew
                else slot
                for slot in played.slots
            )
            again = redecision.redecide(CampaignState(), ruled, {}, loader.rulebook)
            assert (again.slots, again.state) == ((), found.state)
            checked += 1
    assert checked > 50


# --- from where nothing differs any more ----------------------------------------------------------------


def test_where_a_season_is_again_what_it_was_it_is_not_decided_on_and_comes_out_the_same() -> None:
    seen: Counter[str] = Counter()
    for seed in range(15):
        played = season(seed, battles=6, hits=4)
        end = redecision.ReplayEnd(entry=len(played.slots), state=played.state)
        for slot, number, die in corrections(played.slots_of_battle(2)):
            instructions = {slot.slot: redecision.SlotInstruction(correct=(number, die))}
            whole = redecision.redecide(CampaignState(), played.slots, instructions, loader.rulebook)
            short = redecision.redecide(CampaignState(), played.slots, instructions, loader.rulebook, end=end)
            assert as_rows(short) == as_rows(whole)
            assert (short.state, short.absences) == (whole.state, whole.absences)
            assert short.looked_at + short.beyond == whole.looked_at
            assert short.unchanged == whole.unchanged
            seen["let be" if short.beyond else "decided to the end"] += 1
            seen["let be, though something changed"] += bool(short.beyond and short.slots)
    assert seen["let be, though something changed"] > 50
    assert seen["decided to the end"] > 50


def test_a_flesh_wound_that_was_none_matters_until_its_battle_is_over() -> None:
    table = given().when(hit(VEX, by=MAGS), wound(4), injury("flesh")).when(CLOSING).when(AWARD).when(AWARD)
    slots = table.slots()
    end = redecision.ReplayEnd(entry=len(slots), state=table.state)
    again = redecision.redecide(
        CampaignState(), slots, corrected(slots[4], "wound", 1), loader.rulebook, end=end
    )
    assert results(again) == [(5, "changed")]
    assert (again.looked_at, again.beyond, again.unchanged) == (6, 2, 7)
    assert again.state is table.state


def test_who_missed_another_battle_than_before_is_followed_to_the_end() -> None:
    table = old_wound_that_returns()
    slots = table.slots()
    end = redecision.ReplayEnd(entry=len(slots), state=table.state)
    second = next(slot for slot in slots if slot.slot == 8)
    again = redecision.redecide(
        CampaignState(), slots, corrected(second, "old_battle_wound", 2), loader.rulebook, end=end
    )
    # By battle 5 the season is what it was, and he misses that one as before.
    assert [
        (absence.number, absence.before is None, absence.after is None) for absence in again.absences
    ] == [
        (3, False, True),
        (5, False, False),
    ]
    assert again.beyond == 0


def test_what_is_treated_later_is_decided_all_the_same() -> None:
    table = given().when(hit(VEX, by=MAGS), wound(4), injury("flesh")).when(CLOSING).when(AWARD)
    slots = table.slots()
    end = redecision.ReplayEnd(entry=len(slots), state=table.state)
    instructions = {**corrected(slots[4], "wound", 1), slots[-1].slot: redecision.SlotInstruction(void=True)}
    again = redecision.redecide(CampaignState(), slots, instructions, loader.rulebook, end=end)
    assert results(again) == [(5, "changed"), (7, "voided")]
    assert again.state == redecision.redecide(CampaignState(), slots, instructions, loader.rulebook).state
    assert again.beyond == 0


# --- more dice, spare dice -------------------------------------------------------------------------------


def test_a_corrected_die_that_needs_more_dice_names_the_first_of_them() -> None:
    table = given().when(hit(VEX, by=MAGS), wound(1)).when(CLOSING)
    found = judged_again(table, corrected(table.slots()[4], "wound", 4))
    assert results(found) == [(5, "needs_dice")]
    (unsettled,) = found.unsettled
    assert unsettled.needed is not None
    assert (unsettled.needed.purpose, unsettled.needed.die, unsettled.needed.fighter) == (
        "injury",
        "injury",
        VEX,
    )


def test_supplied_dice_settle_what_needed_them() -> None:
    table = given().when(hit(VEX, by=MAGS), wound(1)).when(CLOSING)
    slot = table.slots()[4]
    instruction = replace(corrected(slot, "wound", 4)[5], supplied=(*injury("ooa"), lasting(4, 6)))
    found = judged_again(table, {5: instruction})
    assert results(found) == [(5, "changed")]
    vex = found.state.fighter(VEX)
    assert vex is not None
    assert (vex.characteristics["movement"], vex.recovering_since) == (4, 1)
    too_few = replace(instruction, supplied=injury("ooa"))
    (unsettled,) = judged_again(table, {5: too_few}).unsettled
    assert unsettled.needed is not None
    assert unsettled.needed.purpose == "lasting_injury"


def test_dice_no_longer_needed_are_kept_as_spare_and_used_again_when_the_ruling_is_turned() -> None:
    table = given().when(hit(VEX, by=MAGS), wound(4), injury("ooa"), lasting(1, 1), lesson(2)).when(CLOSING)
    found = judged_again(table, corrected(table.slots()[4], "wound", 1))
    (slot,) = found.slots
    assert slot.judgement is not None
    header = slot.judgement.events[0].event
    assert isinstance(header, records.DecisionTaken)
    assert [die.purpose for die in header.dice] == ["wound"]
    assert [(die.purpose, die.shown()) for die in header.spare] == [
        ("injury", "out_of_action"),
        ("lasting_injury", "1-1"),
        ("lesson_learned", "2"),
    ]
    ruled = replace(
        slot.slot, events=tuple(replace(slot.slot.events[0], event=d.event) for d in slot.judgement.events)
    )
    slots = (*table.slots()[:4], ruled, *table.slots()[5:])
    back = redecision.redecide(CampaignState(), slots, corrected(ruled, "wound", 4), loader.rulebook)
    assert not back.unsettled
    assert back.state == table.state


def test_a_corrected_die_keeps_its_purpose_and_its_fighter() -> None:
    table = given().when(hit(VEX, by=MAGS), wound(4), injury("flesh")).when(CLOSING)
    stranger = Die(purpose="save", die="D6", faces=(1,), fighter=DOT)
    found = judged_again(table, {5: redecision.SlotInstruction(correct=(0, stranger))})
    (slot,) = found.slots
    assert slot.judgement is not None
    header = slot.judgement.events[0].event
    assert isinstance(header, records.DecisionTaken)
    assert header.dice == (Die(purpose="wound", die="D6", faces=(1,), fighter=VEX),)


def test_dice_of_one_fighter_never_go_to_another() -> None:
    """Krug and Vex each roll for an Old Battle Wound; Krug's wound is ruled away, Vex keeps Vex's own die."""
    table = (
        given()
        .when(out_of_action(KRUG, by=MAGS), lasting(4, 1))
        .when(out_of_action(VEX, by=MAGS), lasting(4, 1))
        .when(CLOSING)
        .when(opening(2))
        .when(CLOSING, old_wound(1), old_wound(5))
    )
    assert [(roll.fighter, roll.faces) for roll in table.rolls] == [(KRUG, (1,)), (VEX, (5,))]
    found = judged_again(table, corrected(table.slots()[4], "lasting_injury", 2, 1))
    closing = found.slots[-1]
    assert (closing.slot.slot, closing.result) == (9, "changed")
    assert closing.judgement is not None
    events = [decided.event for decided in closing.judgement.events]
    assert [(e.fighter, e.faces) for e in events if isinstance(e, records.RollMade)] == [(VEX, (5,))]
    vex = found.state.fighter(VEX)
    assert vex is not None
    assert not vex.convalescing


@hypothesis.given(st.integers(min_value=0, max_value=300), st.integers(min_value=0, max_value=10**6))
def test_whatever_is_ruled_every_fighter_rolls_their_own_dice_only(seed: int, choice: int) -> None:
    played = season(seed)
    options = list(corrections(played.slots))
    hypothesis.assume(options)
    slot, number, die = options[choice % len(options)]
    found = redecision.redecide(
        CampaignState(),
        played.slots,
        {slot.slot: redecision.SlotInstruction(correct=(number, die))},
        loader.rulebook,
        roller=constant_roller(4),
    )
    for redecided in found.slots:
        if redecided.judgement is None:
            continue
        before = header_of(redecided.slot)
        after = redecided.judgement.events[0].event
        assert isinstance(after, records.DecisionTaken)
        own = Counter((d.purpose, d.fighter) for d in (*before.dice, *before.spare))
        taken = Counter((d.purpose, d.fighter) for d in after.dice if d.source == "typed")
        given_before = Counter((d.purpose, d.fighter) for d in before.dice if d.source == "typed")
        assert taken <= given_before or taken <= own
        # Nothing is lost: every die of before is used or spare.
        kept = Counter((d.purpose, d.die) for d in (*after.dice, *after.spare))
        assert Counter((d.purpose, d.die) for d in (*before.dice, *before.spare)) <= kept


# --- what no longer follows ------------------------------------------------------------------------------

# Slots: 1 to 3 open the campaign, 4 opens battle 1, 5 takes Vex out, 6 closes, 7 opens battle 2, 8 is Vex's
# hit on Dot, 9 closes.
OPEN_1, TAKEN_OUT, OPEN_2, VEX_HITS, CLOSE_2 = 4, 5, 7, 8, 9


def who_fought_on() -> Table:
    return (
        given()
        .when(out_of_action(VEX, by=MAGS), lasting(2, 1))
        .when(CLOSING)
        .when(opening(2))
        .when(seriously_injured(DOT, by=VEX))
        .when(CLOSING, succumb(5))
    )


def death(table: Table) -> dict[int, redecision.SlotInstruction]:
    return corrected(table.slots()[TAKEN_OUT - 1], "lasting_injury", 6, 6)


def test_a_dead_man_who_fought_on_no_longer_follows() -> None:
    table = who_fought_on()
    found = judged_again(table, death(table))
    assert (TAKEN_OUT, "changed") in results(found)
    opened = next(redecided for redecided in found.unsettled if redecided.slot.slot == OPEN_2)
    assert opened.result == "refused"
    assert isinstance(opened.refusal, records.FighterCannotTakePart)
    assert opened.refusal.facts()["fighter"] == "Vex"
    vex = found.state.fighter(VEX)
    assert vex is not None
    assert vex.standing == "dead"


@every("faces", [(5, 5), (6, 1), (4, 6)], ids=["captured", "critical", "recovery"])
def test_nor_does_who_would_have_missed_the_battle(faces: tuple[int, int]) -> None:
    table = who_fought_on()
    found = judged_again(table, corrected(table.slots()[TAKEN_OUT - 1], "lasting_injury", *faces))
    assert [(redecided.slot.slot, redecided.result) for redecided in found.unsettled] == [(OPEN_2, "refused")]


def test_a_battle_that_is_kept_stays_as_it_was_played() -> None:
    table = who_fought_on()
    found = judged_again(
        table,
        {
            **death(table),
            OPEN_2: redecision.SlotInstruction(keep=True),
            VEX_HITS: redecision.SlotInstruction(keep=True),
        },
    )
    assert not found.unsettled
    assert dict(results(found))[OPEN_2] == "kept"
    assert dict(results(found))[VEX_HITS] == "kept"
    vex = found.state.fighter(VEX)
    assert vex is not None
    assert (vex.standing, vex.battles_fought, vex.experience) == ("dead", 2, 1)
    assert found.state.under_way is None


def test_in_a_battle_that_is_kept_the_rest_is_decided_by_the_rules_again() -> None:
    """Only the opening is kept: the dead earn no experience, so Vex's hit comes out changed."""
    table = who_fought_on()
    found = judged_again(table, {**death(table), OPEN_2: redecision.SlotInstruction(keep=True)})
    assert not found.unsettled
    assert dict(results(found))[VEX_HITS] == "changed"
    vex, dot = found.state.fighter(VEX), found.state.fighter(DOT)
    assert vex is not None
    assert dot is not None
    assert vex.experience == 0


def test_what_hangs_on_a_voided_battle_must_be_voided_with_it() -> None:
    table = who_fought_on()
    void = redecision.SlotInstruction(void=True)
    found = judged_again(table, {**death(table), OPEN_2: void})
    assert {redecided.slot.slot for redecided in found.unsettled} == {VEX_HITS, CLOSE_2}
    whole = judged_again(table, {**death(table), OPEN_2: void, VEX_HITS: void, CLOSE_2: void})
    assert not whole.unsettled
    assert whole.state.battles == {"battle-1": 1}
    dot = whole.state.fighter(DOT)
    assert dot is not None
    assert (dot.battles_fought, whole.state.under_way) == (1, None)


def test_a_voided_hit_lets_the_fighter_stand_again() -> None:
    table = (
        given()
        .when(out_of_action(VEX, by=MAGS), lasting(6, 6))
        .when(CLOSING)
        .when(opening(2, without=[VEX]))
        .when(CLOSING)
    )
    found = judged_again(table, {TAKEN_OUT: redecision.SlotInstruction(void=True)})
    assert results(found) == [(TAKEN_OUT, "voided")]
    vex, mags = found.state.fighter(VEX), found.state.fighter(MAGS)
    assert vex is not None
    assert mags is not None
    assert (vex.standing, vex.injuries, mags.experience) == ("enlisted", (), 0)
    assert found.state.battles == {"battle-1": 1, "battle-2": 2}  # who stood there then, stood there


def test_a_later_hit_on_who_now_left_the_battle_earlier_no_longer_follows() -> None:
    table = (
        given()
        .when(hit(VEX, by=MAGS), wound(4), injury("flesh"))
        .when(hit(VEX, by=DOT), wound(6), injury("serious"))
        .when(CLOSING, SURVIVES)
    )
    first = table.slots()[4]
    instruction = {5: replace(corrected(first, "injury", 6)[5], supplied=(lasting(2, 1),))}
    found = judged_again(table, instruction)
    assert [(redecided.slot.slot, type(redecided.refusal)) for redecided in found.unsettled] == [
        (6, records.FighterOutOfPlay)
    ]
    settled = judged_again(table, {**instruction, 6: redecision.SlotInstruction(void=True)})
    assert not settled.unsettled
    dot = settled.state.fighter(DOT)
    assert dot is not None
    assert dot.experience == 0


def test_a_battle_keeps_its_number_when_an_earlier_one_is_voided() -> None:
    table = (
        given()
        .when(CLOSING)
        .when(opening(2))
        .when(out_of_action(VEX, by=MAGS), lasting(4, 6))
        .when(CLOSING)
        .when(opening(3, without=[VEX]))
        .when(CLOSING)
    )
    void = redecision.SlotInstruction(void=True)
    found = judged_again(table, {4: void, 5: void})
    assert not found.unsettled
    assert found.state.battles == {"battle-2": 2, "battle-3": 3}
    vex = found.state.fighter(VEX)
    assert vex is not None
    assert vex.recovering_since is None


def test_a_gangs_enlistment_voided_leaves_its_battles_with_nobody_to_keep() -> None:
    table = given().when(out_of_action(MAGS, by=VEX), lasting(2, 1)).when(CLOSING)
    keep = redecision.SlotInstruction(keep=True)
    found = judged_again(table, {3: redecision.SlotInstruction(void=True), 4: keep, 5: keep, 6: keep})
    assert [redecided for redecided in found.slots if redecided.slot.slot in (4, 5)]
    assert all(redecided.result == "refused" for redecided in found.slots if redecided.slot.slot in (4, 5))


def test_experience_follows_a_corrected_die_through_the_whole_activation() -> None:
    """The Serious Injury is ruled away, so Out of Action in the same activation pays all of its 2."""
    table = (
        given()
        .when(hit(VEX, by=DOT, activation="1"), wound(4), injury("serious"))
        .when(out_of_action(VEX, by=DOT, activation="1"), lasting(2, 1))
        .when(CLOSING)
    )
    found = judged_again(table, corrected(table.slots()[4], "injury", 1))
    assert not found.unsettled
    dot = found.state.fighter(DOT)
    assert dot is not None
    assert dot.experience == 2
    changed = {redecided.slot.slot: redecided.judgement for redecided in found.slots}
    assert changed[6] is not None
    assert [d.event.amount for d in changed[6].events if isinstance(d.event, records.ExperienceGained)] == [2]


def test_a_corrected_flesh_wound_moves_the_wound_rolls_after_it() -> None:
    """At Toughness 2 a Strength 4 hit wounds on 2; had there been no Flesh Wound, the 2 would not have wounded."""
    table = (
        given()
        .when(hit(VEX, by=DOT), wound(3), injury("flesh"))
        .when(hit(VEX, by=DOT), wound(2), injury("serious"))
        .when(CLOSING, SURVIVES)
    )
    found = judged_again(table, corrected(table.slots()[4], "wound", 1))
    assert results(found) == [(5, "changed"), (6, "changed"), (7, "changed")]
    dot = found.state.fighter(DOT)
    assert dot is not None
    assert dot.experience == 0


def test_the_second_of_two_equal_results_becomes_the_first_when_the_first_is_ruled_away() -> None:
    table = (
        given()
        .when(out_of_action(VEX, by=MAGS), lasting(1, 2))
        .when(CLOSING)
        .when(opening(2))
        .when(out_of_action(VEX, by=MAGS), lasting(1, 2))
        .when(CLOSING)
    )
    assert table.fighter(VEX).characteristics["cool"] == 6
    found = judged_again(table, corrected(table.slots()[4], "lasting_injury", 2, 1))
    vex = found.state.fighter(VEX)
    assert vex is not None
    assert vex.characteristics["cool"] == 6
    assert [injury.counted_as for injury in vex.injuries] == ["out_cold", "impressive_scars"]


def test_a_ruling_never_refuses_what_it_only_looks_at() -> None:
    """A correction into Multiple Injuries asks for its dice one after the other, each by name."""
    table = given().when(out_of_action(VEX, by=MAGS), lasting(2, 1)).when(CLOSING)
    slot = table.slots()[4]
    instruction = corrected(slot, "lasting_injury", 5, 4)[5]
    asked = []
    supplied: tuple[Die, ...] = ()
    for answer in (how_many(1), Die(purpose="multiple_injuries", die=D66, faces=(4, 2))):
        (unsettled,) = judged_again(table, {5: replace(instruction, supplied=supplied)}).unsettled
        assert unsettled.needed is not None
        asked.append(unsettled.needed.purpose)
        supplied = (*supplied, answer)
    assert asked == ["multiple_injuries_count", "multiple_injuries"]
    assert not judged_again(table, {5: replace(instruction, supplied=supplied)}).unsettled


def test_a_header_keeps_what_was_asked_and_every_die_in_order() -> None:
    table = given().when(hit(VEX, by=MAGS, save_cover="full"), wound(4), save(1), injury("flesh"))
    header = table.events[0]
    assert isinstance(header, records.DecisionTaken)
    assert isinstance(header.command, records.ResolveHit)
    assert [die.purpose for die in header.dice] == ["wound", "save", "injury"]
    assert {die.fighter for die in header.dice} == {VEX}
    assert header.spare == ()


def test_random_campaigns_hold_all_that_can_be_ruled_on() -> None:
    kinds = {type(header_of(slot).command) for seed in range(10) for slot in season(seed).slots}
    assert {
        records.AwardExperience,
        records.CloseBattle,
        records.OpenBattle,
        records.ResolveHit,
        records.StateOutcome,
    } <= kinds
