"""What an entry did and what happened when, with every line addressed as a dispute would name it."""

from __future__ import annotations

import json

from report_examples import (
    HIT,
    HOSTILE,
    HOSTILE_SAFE,
    NAMES,
    WOUND_4,
    entry_57,
    gang_row,
    recorded,
    roll,
)
from tables import every

from tracker.campaign import records
from tracker.campaign.recorded_event import RecordedEvent
from tracker.dice import Die
from tracker.records import replace
from tracker.reports import log
from tracker.reports.names import Names
from tracker.reports.rendering import render

WOUND_2 = Die(purpose="wound", die="D6", faces=(2,), fighter="mags")
SAVE_5 = Die(purpose="save", die="D6", faces=(5,), fighter="mags")


def entry_58() -> tuple[RecordedEvent, ...]:
    gained = records.ExperienceGained(fighter="krug", amount=1, reason="took the loot", section="Experience")
    command = records.AwardExperience(fighter="krug", amount=1, reason="took the loot")
    return (
        recorded(records.DecisionTaken(command=command), seq=206, entry=58, position=1),
        recorded(gained, seq=207, entry=58, position=2, causation=206),
    )


def ruling_62() -> tuple[RecordedEvent, ...]:
    """The wound roll of 57 was a 2: decided again. 58 is voided, 59 kept."""
    events: list[tuple[records.Event, int]] = [
        (records.DecisionTaken(command=records.RuleOnDispute(dispute=61, verdict="corrected", reason="seen by all")), 62),
        (records.RulingMade(dispute=61, verdict="corrected", reason="seen by all", before=WOUND_4, after=WOUND_2), 62),
        (records.DecisionTaken(command=HIT, dice=(WOUND_2,), spare=(SAVE_5,)), 57),
        (roll(faces=(2,), target=4, outcome="no wound"), 57),
        (records.SlotVoided(voided_slot=58, reason="no loot without a win"), 58),
        (records.SlotKept(kept_slot=59, reason="agreed"), 59),
    ]  # fmt: skip
    return tuple(
        recorded(event, seq=220 + place, entry=62, position=place, slot=slot)
        for place, (event, slot) in enumerate(events, start=1)
    )


def test_a_receipt_tells_dice_target_outcome_effect_and_section_under_each_entry() -> None:
    assert render(log.receipt_page([entry_57(), entry_58()], NAMES)) == (
        "57  hit: Krug's autogun on Mags\n"
        "    57.2  wound roll 4, Strength 3 against Toughness 3 (needs 4+): wounds [Resolve Hits · 1]\n"
        "    57.3  Mags is taken Out of Action by Krug: 1 Lasting Injury roll\n"
        "    57.4  Krug gains 2 XP: Mags Out of Action [Experience]\n"
        "    57.5  Mags suffers Hobbled (4-6) from Krug [Lasting Injury Table]\n"
        "58  award: 1 XP for Krug: took the loot\n"
        "    58.2  Krug gains 1 XP: took the loot [Experience]"
    )


def test_a_note_beside_a_decision_is_shown_with_it() -> None:
    header, *_ = entry_58()
    assert isinstance(header.event, records.DecisionTaken)
    noted = replace(header, event=replace(header.event, note=f"agreed {HOSTILE}"))
    assert render(log.receipt_page([(noted,)], NAMES)) == (
        f"58  award: 1 XP for Krug: took the loot\n    note: agreed {HOSTILE_SAFE}"
    )
    assert f"\nNote: agreed {HOSTILE_SAFE}\nDice given: none\n" in render(log.entry_page((noted,), NAMES))


def test_a_roll_about_another_than_the_target_says_about_whom() -> None:
    header, made, *_ = entry_57()
    closing = replace(header, event=records.DecisionTaken(command=records.CloseBattle()))
    assert render(log.receipt_page([(closing, made)], NAMES)) == (
        "57  close the battle: no winner\n"
        "    57.2  Mags: wound roll 4, Strength 3 against Toughness 3 (needs 4+): wounds [Resolve Hits · 1]"
    )


def test_a_receipt_says_what_a_ruling_decided_again_and_which_dice_are_left() -> None:
    assert render(log.receipt_page([ruling_62()], NAMES)) == (
        "62  ruling on dispute 61, corrected: seen by all\n"
        "    62.2  ruling on dispute 61: corrected, wound roll 4 -> 2: seen by all\n"
        "    entry 57, decided again:\n"
        "    62.3  hit: Krug's autogun on Mags\n"
        "    no longer asked for: save roll 5\n"
        "    62.4  wound roll 2 (needs 4+): no wound [Resolve Hits · 1]\n"
        "    62.5  entry 58 no longer counts: no loot without a win\n"
        "    62.6  entry 59 is kept as played: agreed"
    )


def test_a_receipt_says_first_when_nothing_was_written() -> None:
    assert render(log.receipt_page([], NAMES, repeated=True)) == (
        "Recorded before: nothing new was written. This is what was recorded then."
    )
    assert render(log.receipt_page([], NAMES, dry_run=True)) == (
        "Dry run: nothing was written. The numbers are those it would get now."
    )


def test_a_receipt_for_programs_holds_every_event_whole() -> None:
    data = json.loads(render(log.receipt_page([entry_58()], NAMES, dry_run=True), "json"))
    assert data == {
        "schema": "arbitrator/receipt/1",
        "repeated": False,
        "dry_run": True,
        "notes": [],
        "entries": [
            {
                "entry": 58,
                "slot": 58,
                "at": "2026-03-01T20:14:09Z",
                "actor": "vic",
                "actor_name": "vic",
                "policy_version": "printed",
                "policy_digest": "0a1b",
                "asked": "award: 1 XP for Krug: took the loot",
                "events": [
                    {
                        "address": "58.1",
                        "seq": 206,
                        "entry": 58,
                        "slot": 58,
                        "type": "DecisionTaken",
                        "sentence": "award: 1 XP for Krug: took the loot",
                        "section": None,
                        "causation": None,
                        "data": {
                            "command": {
                                "type": "AwardExperience",
                                "fighter": "krug",
                                "amount": 1,
                                "reason": "took the loot",
                            },
                            "dice": [],
                            "spare": [],
                            "note": None,
                            "sent": None,
                        },
                    },
                    {
                        "address": "58.2",
                        "seq": 207,
                        "entry": 58,
                        "slot": 58,
                        "type": "ExperienceGained",
                        "sentence": "Krug gains 1 XP: took the loot",
                        "section": "Experience",
                        "causation": 206,
                        "data": {
                            "fighter": "krug",
                            "amount": 1,
                            "reason": "took the loot",
                            "victim": None,
                            "activation": None,
                            "section": "Experience",
                        },
                    },
                ],
            }
        ],
    }


def test_a_later_ruling_strikes_what_it_decides_again_or_voids_and_not_what_it_keeps() -> None:
    assert log.struck_out([*entry_57(), *entry_58(), *ruling_62()]) == {
        (57, 57): log.StruckContent(ruling=62, treatment="decided_again"),
        (58, 58): log.StruckContent(ruling=62, treatment="voided"),
    }


def test_a_second_ruling_strikes_the_first_ones_content() -> None:
    again = replace(ruling_62()[3], entry=70, seq=300)
    assert log.struck_out([*entry_57(), *ruling_62(), again]) == {
        (57, 57): log.StruckContent(ruling=62, treatment="decided_again"),
        (58, 58): log.StruckContent(ruling=62, treatment="voided"),
        (62, 57): log.StruckContent(ruling=70, treatment="decided_again"),
    }


def test_the_entry_boards_rows_tell_the_same() -> None:
    rows = [
        {"entry": 57, "slot": 57, "kind": "played", "struck_by": 62},
        {"entry": 58, "slot": 58, "kind": "played", "struck_by": 62},
        {"entry": 59, "slot": 59, "kind": "played", "struck_by": 80},
        {"entry": 62, "slot": 57, "kind": "decided_again", "struck_by": None},
        {"entry": 62, "slot": 58, "kind": "slot_voided", "struck_by": None},
    ]
    assert log.struck_out_by_rows(rows) == {
        (57, 57): log.StruckContent(ruling=62, treatment="decided_again"),
        (58, 58): log.StruckContent(ruling=62, treatment="voided"),
        (59, 59): log.StruckContent(ruling=80, treatment=None),
    }


def test_the_log_is_one_line_per_entry_and_shows_what_was_struck_out() -> None:
    entries = [entry_57(), entry_58(), ruling_62()]
    struck = log.struck_out(event for entry in entries for event in entry)
    assert render(log.log_page(entries, NAMES, struck=struck)) == (
        "57  2026-03-01 20:14  vic  struck out by entry 62 (decided again): hit: Krug's autogun on Mags ->"
        " Mags is taken Out of Action by Krug: 1 Lasting Injury roll; Mags suffers Hobbled (4-6) from Krug\n"
        "58  2026-03-01 20:14  vic  struck out by entry 62 (voided): award: 1 XP for Krug: took the loot\n"
        "62  2026-03-01 20:14  vic  ruling on dispute 61: corrected, wound roll 4 -> 2: seen by all;"
        " 1 entry decided again; 1 entry kept as played; 1 entry voided"
    )
    assert render(log.log_page([], NAMES)) == "Nothing is recorded here."


def test_a_hit_without_effect_tells_its_last_roll() -> None:
    header, made, *_ = entry_57()
    missed = replace(made, event=roll(faces=(2,), outcome="no wound"))
    assert log.happened((header, missed), NAMES) == (
        "hit: Krug's autogun on Mags -> wound roll 2 (needs 3+): no wound"
    )


def test_the_end_of_a_battle_tells_its_wrap_up_and_result() -> None:
    events: tuple[records.Event, ...] = (
        records.DecisionTaken(command=records.CloseBattle(winner="hawks")),
        roll(purpose="old_battle_wound", faces=(5,), target=2, outcome="holds"),
        records.BattleClosed(battle="sump-raid", winner="hawks"),
    )
    entry = [
        recorded(event, seq=place, entry=60, position=place) for place, event in enumerate(events, start=1)
    ]
    assert log.happened(entry, NAMES) == (
        "Mags: Old Battle Wound roll 5 (needs 2+): holds; battle 3 (sump-raid) closes: won by Iron Hawks"
    )


def test_a_gang_with_its_fighters_is_one_line() -> None:
    gang = gang_row()
    enlisted = records.GangEnlisted(
        gang="rats", name=gang["name"], house="cawdor", player="Ana", credits=40, reputation=1
    )
    command = records.EnlistGang(
        gang="rats", name="Sump Rats", house="cawdor", player="Ana", credits=40, reputation=1, fighters=()
    )
    entry = (
        recorded(records.DecisionTaken(command=command), seq=1, entry=2, position=1),
        recorded(enlisted, seq=2, entry=2, position=2),
    )
    assert log.happened(entry, NAMES) == (
        "gang Sump Rats (Cawdor, player Ana) enlists: 40 credits, Reputation 1"
    )


def test_a_list_of_events_says_about_whom_each_roll_is() -> None:
    struck = {(57, 57): log.StruckContent(ruling=62, treatment="decided_again")}
    assert render(log.events_page([entry_57()[1]], NAMES, struck=struck)) == (
        "57.2  2026-03-01 20:14  struck out by entry 62 (decided again): Mags: wound roll 4,"
        " Strength 3 against Toughness 3 (needs 4+): wounds [Resolve Hits · 1]"
    )
    data = json.loads(render(log.events_page([entry_57()[1]], NAMES, struck=struck), "json"))["events"]
    assert [(row["address"], row["struck_out"]) for row in data] == [
        ("57.2", {"ruling": 62, "treatment": "decided_again"})
    ]


def test_an_entry_tells_stamp_dice_numbers_and_causes() -> None:
    assert render(
        log.entry_page(entry_57(), NAMES, struck={(57, 57): log.StruckContent(ruling=62, treatment="voided")})
    ) == (
        "Entry 57, 2026-03-01 20:14, by vic\n"
        "Asked: hit: Krug's autogun on Mags\n"
        "Struck out by entry 62 (voided); it stays in the log\n"
        "Dice given: wound roll 4\n"
        "House rules: printed (0a1b)\n"
        "\n"
        "57.1  event 201  hit: Krug's autogun on Mags\n"
        "57.2  event 202  Mags: wound roll 4, Strength 3 against Toughness 3 (needs 4+): wounds"
        " [Resolve Hits · 1] (dice of Iron Hawks) (because of 57.1)\n"
        "57.3  event 203  Mags is taken Out of Action by Krug: 1 Lasting Injury roll (because of 57.2)\n"
        "57.4  event 204  Krug gains 2 XP: Mags Out of Action [Experience] (because of 57.3)\n"
        "57.5  event 205  Mags suffers Hobbled (4-6) from Krug [Lasting Injury Table] (because of 57.4)"
    )


def test_a_rulings_entry_says_in_whose_place_each_event_stands() -> None:
    lines = render(log.entry_page(ruling_62(), NAMES)).split("\n")
    assert lines[-3] == (
        "62.4  event 224  in place of entry 57:  Mags: wound roll 2 (needs 4+): no wound"
        " [Resolve Hits · 1] (dice of Iron Hawks)"
    )


def test_programs_learn_of_struck_out_entries_too() -> None:
    struck = {(58, 58): log.StruckContent(ruling=62, treatment="voided")}
    assert json.loads(render(log.entry_page(entry_58(), NAMES, struck=struck), "json"))["struck_out"] == {
        "ruling": 62,
        "treatment": "voided",
    }
    data = json.loads(render(log.log_page([entry_57(), entry_58()], NAMES, struck=struck), "json"))["entries"]
    assert [row["struck_out"] for row in data] == [None, {"ruling": 62, "treatment": "voided"}]


def test_hostile_text_is_harmless_in_receipts_and_logs() -> None:
    names = Names(fighters={"mags": HOSTILE, "krug": HOSTILE})
    entry = tuple(replace(recorded, actor=HOSTILE, policy_version=HOSTILE) for recorded in entry_57())
    for text in (
        render(log.receipt_page([entry], names)),
        render(log.log_page([entry], names)),
        render(log.entry_page(entry, names)),
    ):
        assert HOSTILE_SAFE in text
        assert all(line.isprintable() for line in text.split("\n"))
    assert json.loads(render(log.receipt_page([entry], names), "json"))["entries"][0]["actor"] == HOSTILE


@every(
    ("reason", "expected"),
    [
        ("took part in the battle", "4 fighters took part in the battle: 1 XP each"),
        ("held the bridge", "4 fighters gain 1 XP each: held the bridge"),
    ],
)
def test_equal_gains_of_several_fighters_are_counted_in_one_line(reason: str, expected: str) -> None:
    gains = [
        records.ExperienceGained(fighter=who, amount=1, reason=reason, section="Experience")
        for who in ("krug", "mags", "vex", "pip")
    ]
    asked = records.DecisionTaken(command=records.AwardTakingPart(gang="rats"))
    entry = [
        recorded(event, seq=9 + place, entry=4, position=1 + place)
        for place, event in enumerate([asked, *gains])
    ]
    assert log.happened(entry, NAMES) == expected
    # Two are named; so is everybody where one gained more.
    assert log.happened(entry[:3], NAMES).count(" gains 1 XP") == 2
    more = replace(gains[0], amount=2)
    larger = recorded(more, seq=20, entry=4, position=6)
    assert log.happened([*entry, larger], NAMES).count(" gains ") == 5
