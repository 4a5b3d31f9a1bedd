"""Disputes, and every consequence of a ruling before it is made."""

from __future__ import annotations

import json
from typing import get_args

from report_examples import (
    AUTOGUN,
    CARD,
    DISPUTE_ROW,
    FLAK,
    HIT,
    HOSTILE,
    HOSTILE_SAFE,
    NAMES,
    entry_57,
    injury,
    roll,
)
from tables import every

from tracker.campaign import fighters, records, state
from tracker.campaign.rulings.redecision import RedecidedSlot, Result, Slot
from tracker.projections import roster as roster_board
from tracker.records import replace
from tracker.reports.cards import numbers_listed
from tracker.reports.differences import Difference, differences, differences_lines, roster_diff_page
from tracker.reports.disputes import dispute_page, disputes_page
from tracker.reports.preview import SlotConsequence, followed_slot, preview_page
from tracker.reports.rendering import render

HOBBLED = fighters.InjurySuffered(injury="hobbled", name="Hobbled", counted_as="hobbled", battle=3)
SCARS = fighters.InjurySuffered(
    injury="impressive_scars", name="Impressive Scars", counted_as="out_cold", battle=None
)
MAGS = state.Fighter(
    fighter="mags", gang="rats", name="Mags", category="champion", kind="Sump Boss", cost_credits=95,
    characteristics=CARD,
)  # fmt: skip
RATS = state.Gang(gang="rats", name="Sump Rats", house="cawdor", player="Ana", credits=40, reputation=3)


def state_of(
    *fighters: state.Fighter, gang: state.Gang = RATS, under_way: state.BattleUnderWay | None = None
) -> state.CampaignState:
    gang = replace(gang, fighters={fighter.fighter: fighter for fighter in fighters})
    return state.CampaignState(
        name="Dust Falls",
        book="necromunda_2023",
        gangs={"rats": gang},
        gang_of={fighter.fighter: "rats" for fighter in fighters},
        battles={"sump-raid": 3},
        under_way=under_way,
    )


def lines(before: state.CampaignState, after: state.CampaignState) -> list[str]:
    return differences_lines(differences(before, after, NAMES), NAMES)


# Differences


def test_equal_states_differ_in_nothing() -> None:
    assert differences(state_of(MAGS), state_of(MAGS), NAMES) == []
    assert lines(state_of(MAGS), state_of(MAGS)) == ["Nothing changes on any roster."]


def test_a_difference_is_a_plain_row() -> None:
    after = replace(MAGS, characteristics={**CARD, "ballistic_skill": 4}, injuries=(HOBBLED,))
    found = differences(state_of(MAGS), state_of(after), NAMES)
    assert found == [
        Difference(gang="rats", fighter="mags", what="Ballistic Skill", before="3+", after="4+"),
        Difference(
            gang="rats", fighter="mags", what="lasting injury", before=None, after="Hobbled, battle 3"
        ),
    ]
    assert json.loads(
        render(roster_diff_page(found, NAMES, heading="", words=("", ""), points=("battle:1", "now")), "json")
    )["differences"][0] == {
        "gang": "rats",
        "fighter": "mags",
        "what": "Ballistic Skill",
        "before": "3+",
        "after": "4+",
    }


def test_everything_on_a_card_is_compared() -> None:
    before = replace(MAGS, skills=("fearsome",), injuries=(HOBBLED, SCARS))
    after = replace(
        MAGS, name="One-Eye", cost_credits=100, characteristics={**CARD, "movement": 4}, skills=("berserker",),
        grudges=("hawks",), armour=FLAK, weapons=(AUTOGUN,), wargear=("photo-goggles",), experience=3,
        injuries=(HOBBLED, HOBBLED), recovering_since=3, enemies_taken_out=2, times_out_of_action=1, battles_fought=4,
        category="leader", kind="Queen",
    )  # fmt: skip
    assert lines(state_of(before), state_of(after)) == [
        "Sump Rats: rating in credits 95 -> 100",
        "Sump Rats: wealth in credits 135 -> 140",
        "Mags (Sump Rats): name Mags -> One-Eye",
        "Mags (Sump Rats): rank Champion -> Leader",
        "Mags (Sump Rats): kind Sump Boss -> Queen",
        "Mags (Sump Rats): status available -> in Recovery",
        'Mags (Sump Rats): Movement 5" -> 4"',
        "Mags (Sump Rats): XP 0 -> 3",
        "Mags (Sump Rats): cost in credits 95 -> 100",
        "Mags (Sump Rats): enemies taken out 0 -> 2",
        "Mags (Sump Rats): times Out of Action 0 -> 1",
        "Mags (Sump Rats): battles fought 0 -> 4",
        "Mags (Sump Rats): gains Recovery since battle: 3",
        "Mags (Sump Rats): loses lasting injury: Impressive Scars (as Out Cold)",
        "Mags (Sump Rats): gains lasting injury: Hobbled, battle 3",
        "Mags (Sump Rats): loses skill: Fearsome",
        "Mags (Sump Rats): gains skill: Berserker",
        "Mags (Sump Rats): gains enmity against: Iron Hawks",
        "Mags (Sump Rats): gains weapon: autogun",
        "Mags (Sump Rats): gains armour: flak armour 6+",
        "Mags (Sump Rats): gains wargear: photo-goggles",
    ]


def test_fighters_gangs_and_records_that_come_or_go_are_shown() -> None:
    vex = replace(MAGS, fighter="vex", name="Vex", category="juve")
    assert lines(state_of(MAGS), state_of(vex, gang=replace(RATS, won=1, battles=1, credits=0))) == [
        "Sump Rats: stash in credits 40 -> 0",
        "Sump Rats: wealth in credits 135 -> 95",
        "Sump Rats: battles 0 -> 1",
        "Sump Rats: battles won 0 -> 1",
        "Mags (Sump Rats): loses a place on the roster: Champion",
        "vex (Sump Rats): gains a place on the roster: Juve",
    ]
    assert differences(state.CampaignState(), state_of(), NAMES)[0] == Difference(
        gang=None, fighter=None, what="campaign", before=None, after="Dust Falls"
    )


def test_wounds_and_conditions_of_the_battle_under_way_are_compared() -> None:
    def fighting(combatant: state.Combatant) -> state.CampaignState:
        battle = state.BattleUnderWay(
            battle="sump-raid", number=3, crews={"rats": ("mags",)}, combatants={"mags": combatant}
        )
        return state_of(MAGS, under_way=battle)

    hurt = state.Combatant(wounds_left=0, flesh_wounds=1, seriously_injured=True, out_of_action=False)
    assert lines(fighting(state.Combatant(wounds_left=1)), fighting(hurt)) == [
        "Mags (Sump Rats): Wounds left 1 -> 0",
        "Mags (Sump Rats): Flesh Wounds 0 -> 1",
        "Mags (Sump Rats): Seriously Injured no -> yes",
    ]
    in_close_combat = replace(hurt, seriously_injured_in_close_combat=True)
    assert lines(fighting(hurt), fighting(in_close_combat)) == [
        "Mags (Sump Rats): gains Seriously Injured in close combat: yes",
    ]


def test_house_rules_are_compared() -> None:
    rule = state.PolicyInForce(
        policy="one-roll", version=1, title="", source="", patch={}, from_battle=5, reason=""
    )
    before = replace(state_of(), policies=(rule,))
    after = replace(state_of(), policies=(replace(rule, until_battle=7),))
    assert lines(before, after) == ["house rule one-roll@1 from battle 5 in force -> until battle 7"]


def test_an_open_dispute_is_no_difference_on_a_roster() -> None:
    dispute = state.OpenDispute(
        dispute=61,
        target_seq=1,
        target_entry=1,
        target_position=1,
        target_slot=1,
        raised_by="",
        reason="",
        rule=None,
    )
    assert differences(state_of(), replace(state_of(), disputes={61: dispute}), NAMES) == []


@every(
    ("fighter", "status"),
    [
        (MAGS, "available"),
        (replace(MAGS, convalescing=True), "convalescing"),
        (replace(MAGS, convalescing=True, recovering_since=3), "in_recovery"),
        (replace(MAGS, recovering_since=3, capture_pending=True), "capture_pending"),
        (replace(MAGS, capture_pending=True, critical=True), "critical"),
        (replace(MAGS, critical=True, standing="dead"), "dead"),
        (replace(MAGS, standing="retired"), "retired"),
    ],
)
def test_a_status_is_the_gravest_thing_that_is_true(fighter: state.Fighter, status: str) -> None:
    assert roster_board.status(fighter) == status


# Disputes


def test_disputes_are_listed_with_their_status() -> None:
    ruled = {**DISPUTE_ROW, "dispute": 70, "status": "corrected", "reason": HOSTILE}
    assert render(disputes_page([DISPUTE_ROW, ruled])) == (
        "Dispute  About  Raised by  Reason               Status\n"
        "     61  57.2   Ana        cocked die           open\n"
        f"     70  57.2   Ana        {HOSTILE_SAFE}  ruled: corrected"
    )
    assert render(disputes_page([])) == "No disputes."
    assert json.loads(render(disputes_page([DISPUTE_ROW]), "json"))["disputes"] == [
        {**DISPUTE_ROW, "raised_by_name": "Ana", "statements": []}
    ]


def test_an_open_dispute_says_what_is_disputed_and_what_to_do() -> None:
    assert render(dispute_page({**DISPUTE_ROW, "rule": "Dice · Cocked"}, entry_57()[1], NAMES)) == (
        "Dispute 61, 2026-03-08 19:00: open\n"
        "Ana disputes 57.2: cocked die\n"
        "57.2  Mags: wound roll 4, Strength 3 against Toughness 3 (needs 4+): wounds [Resolve Hits · 1]\n"
        "Unwitnessed: nobody confirmed it ('arbitrator log confirm 57.2').\n"
        "Rule cited: Dice · Cocked\n"
        "It stays in force until it is ruled on.\n"
        "Next: arbitrator dispute preview 61"
    )
    assert (
        json.loads(render(dispute_page(DISPUTE_ROW, entry_57()[1], NAMES), "json"))["target"]["address"]
        == "57.2"
    )


def test_a_ruled_dispute_tells_the_ruling() -> None:
    die = {
        "purpose": "wound",
        "die": "D6",
        "faces": [4],
        "symbol": None,
        "fighter": "mags",
        "source": "typed",
    }
    ruling = {
        "entry": 62, "at": "2026-03-08T20:00:00Z", "actor": "vic", "verdict": "corrected", "reason": "seen by all",
        "before": die, "after": {**die, "faces": [2]},
    }  # fmt: skip
    row = {**DISPUTE_ROW, "status": "corrected", "ruling": ruling}
    assert render(dispute_page(row, None, NAMES)) == (
        "Dispute 61, 2026-03-08 19:00: ruled: corrected\n"
        "Ana disputes 57.2: cocked die\n"
        "Ruled by vic (entry 62, 2026-03-08 20:00): corrected: seen by all\n"
        "The die: wound roll 4 -> wound roll 2"
    )


# Previews

CHANGED = SlotConsequence(
    slot=57,
    battle="sump-raid",
    asked="hit: Krug's autogun on Mags",
    result="changed",
    before=(records.DecisionTaken(command=HIT), roll(), injury()),
    after=(records.DecisionTaken(command=HIT), roll(), injury(cell="15", name="Out Cold")),
)
NEEDS_DICE = SlotConsequence(
    slot=60, battle=None, asked="hit on Mags", result="needs_dice", why="a D6 is missing: save"
)
REFUSED = SlotConsequence(
    slot=63, battle=None, asked="award: 1 XP for Mags", result="refused", why="Mags is dead."
)
KEPT = SlotConsequence(slot=64, battle=None, asked="award: 2 XP for Mags", result="kept", why="agreed")
VOIDED = SlotConsequence(slot=65, battle=None, asked="hit on Krug", result="voided", before=(roll(),))


def test_a_preview_tells_cards_then_entries_then_what_to_settle_then_what_to_type() -> None:
    found = differences(state_of(replace(MAGS, injuries=(HOBBLED,))), state_of(MAGS), NAMES)
    text = render(
        preview_page(
            dispute=61,
            target="57.2",
            verdict="corrected",
            followed=[CHANGED, NEEDS_DICE, REFUSED, KEPT, VOIDED],
            changes=found,
            names=NAMES,
            unchanged=14,
            next_steps=['arbitrator dispute rule 61 --faces 2 --reason "..."'],
        )
    )
    assert text == (
        "Preview: dispute 61 about 57.2, ruled corrected. Nothing is written.\n"
        "\n"
        "Changes:\n"
        "  Mags (Sump Rats): loses lasting injury: Hobbled, battle 3\n"
        "\n"
        "Entries, in the order of play:\n"
        "  57  battle 3 (sump-raid), hit: Krug's autogun on Mags\n"
        "      comes out differently\n"
        "      - Mags suffers Hobbled (4-6) from Krug\n"
        "      + Mags suffers Out Cold (1-5) from Krug\n"
        "  60  hit on Mags\n"
        "      needs dice that were never rolled: a D6 is missing: save\n"
        "  63  award: 1 XP for Mags\n"
        "      no longer follows: Mags is dead.\n"
        "  64  award: 2 XP for Mags\n"
        "      kept as played: agreed\n"
        "  65  hit on Krug\n"
        "      voided\n"
        "      - wound roll 4 (needs 3+): wounds\n"
        "  14 entries come out the same.\n"
        "\n"
        "Unresolved: 2 entries (60, 63).\n"
        "For each, give the dice it needs, keep it as played, or void it.\n"
        "Above, an unresolved entry counts as played, or as void where it cannot be kept.\n"
        "\n"
        "Next:\n"
        '  arbitrator dispute rule 61 --faces 2 --reason "..."'
    )


def test_a_preview_without_consequences_says_so() -> None:
    text = render(
        preview_page(
            dispute=61, target="57.2", verdict="confirmed", followed=[], changes=[], names=NAMES, unchanged=1
        )
    )
    assert text == (
        "Preview: dispute 61 about 57.2, ruled confirmed. Nothing is written.\n"
        "\n"
        "Changes:\n"
        "  Nothing changes on any roster.\n"
        "\n"
        "Entries, in the order of play:\n"
        "  1 entry comes out the same."
    )


def test_a_preview_for_programs_says_whether_it_can_be_ruled() -> None:
    data = json.loads(
        render(
            preview_page(
                dispute=61,
                target="57.2",
                verdict="corrected",
                followed=[CHANGED, REFUSED],
                changes=[],
                names=NAMES,
            ),
            "json",
        )
    )
    assert data["can_be_ruled"] is False
    assert [(slot["slot"], slot["result"], slot["why"]) for slot in data["slots"]] == [
        (57, "changed", ""),
        (63, "refused", "Mags is dead."),
    ]
    assert data["slots"][0]["after"][2]["sentence"] == "Mags suffers Out Cold (1-5) from Krug"


@every("result", get_args(Result))
def test_every_result_of_a_slot_has_its_words_and_is_harmless(result: Result) -> None:
    consequence = SlotConsequence(slot=57, battle=None, asked=HOSTILE, result=result, why=HOSTILE)
    text = render(
        preview_page(
            dispute=61,
            target=HOSTILE,
            verdict="corrected",
            followed=[consequence],
            changes=[],
            names=NAMES,
            next_steps=[HOSTILE],
        )
    )
    assert HOSTILE_SAFE in text
    assert all(line.isprintable() for line in text.split("\n"))


def test_a_judged_slot_is_shown_in_its_own_words() -> None:
    slot = Slot(slot=57, entry=57, events=entry_57())
    assert followed_slot(
        RedecidedSlot(slot=slot, result="refused", why="Mags is dead."), NAMES, battle="sump-raid"
    ) == SlotConsequence(
        slot=57,
        battle="sump-raid",
        asked="hit: Krug's autogun on Mags",
        result="refused",
        why="Mags is dead.",
        before=tuple(recorded.event for recorded in entry_57()),
    )


@every(
    ("numbers", "text"),
    [([], ""), ([7], "7"), ([7, 8], "7, 8"), ([3, 5, 6, 7, 9, 10], "3, 5 to 7, 9, 10")],
)
def test_numbers_in_a_row_are_shown_by_their_ends(numbers: list[int], text: str) -> None:
    assert numbers_listed(numbers) == text
