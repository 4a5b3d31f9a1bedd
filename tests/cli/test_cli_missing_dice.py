"""What is said when dice are missing: all that can be foreseen, at once, with what each needs and how to write it."""

from __future__ import annotations

from typing import Any

from cli_arbitrator import Arbitrator
from cli_reports import ROOT, report

HIT = "hit: {attacker: hob, weapon: autogun, target: wren}"
TORN = "hit: {attacker: hob, weapon: {name: bolter, S: 6, AP: -6, D: 3}, target: wren}"


def refused(table: Arbitrator, *entries: str, more: str = "") -> tuple[dict[str, Any], str]:
    """The object and the words with which a report is refused."""
    file = table.write(report("b1", *entries, more=more))
    ran = table("battle", "record", file, "--json")
    assert (ran.code, table.refused(2, "battle", "record", file)) == (2, ran.err)
    return ran.json, ran.err


def test_a_missing_die_says_kind_purpose_fighter_what_is_needed_and_what_was_rolled(
    arbitrator: Arbitrator,
) -> None:
    # Hob's autogun has Strength 3 against Wren's Toughness 3: a wound on 4+. Quill wears mesh: a save on 5+.
    said, words = refused(
        arbitrator, "hit: {attacker: hob, weapon: autogun, target: quill}\n    dice: {wound: [5]}"
    )
    facts = said["facts"]
    assert (said["code"], said["line"], said["entry"]) == ("dice_needed", 7, 1)
    assert (facts["kind"], facts["purpose"], facts["fighter"], facts["name"], facts["needed"]) == (
        "D6", "save", "quill", "Quill", "5+",
    )  # fmt: skip
    assert [(die["purpose"], die["faces"]) for die in facts["rolled"]] == [("wound", [5])]
    assert facts["paste"] == "dice: {wound: [5], save: [?]}"
    assert facts["perhaps"][0] == "injury"
    assert facts["decided"] == ["Quill: wound roll 5, Strength 3 against Toughness 3 (needs 4+): wounds"]
    assert "a D6 is missing: 'save' for Quill (save roll, mesh, needs 5+)." in words
    assert words.splitlines()[1:] == [
        "  Decided before that die:",
        "    Quill: wound roll 5, Strength 3 against Toughness 3 (needs 4+): wounds",
    ]


def test_dice_that_are_missing_however_the_first_falls_are_named_with_it(arbitrator: Arbitrator) -> None:
    # Damage 3 on a fighter with 1 Wound left: one Injury die for the last Wound and one for each point beyond.
    said, words = refused(arbitrator, f"{TORN}\n    dice: {{wound: [6]}}")
    assert (said["facts"]["purpose"], [die["purpose"] for die in said["facts"]["also"]]) == (
        "injury", ["injury", "injury"],
    )  # fmt: skip
    assert said["facts"]["paste"] == "dice: {wound: [6], injury: [?, ?, ?]}"
    assert "However it falls, these are missing too: 'injury' for Wren (Injury die 2 of 3)" in words


def test_typed_dice_say_how_the_missing_die_fell(arbitrator: Arbitrator) -> None:
    said, _ = refused(arbitrator, f"{TORN.replace('D: 3', 'D: 2')}\n    dice: {{injury: [serious, flesh]}}")
    assert said["facts"]["paste"] == "dice: {injury: [serious_injury, flesh_wound], wound: [?]}"
    assert (said["facts"]["also"], said["facts"]["perhaps"]) == ([], [])


def test_a_test_on_two_dice_says_its_total(arbitrator: Arbitrator) -> None:
    # Pip's Cool is 8+, and one friend within 3" adds 1.
    out = "out_of_action: {fighter: hob, by: wren, lasting_injury: 3-3}"
    said, _ = refused(arbitrator, out, "nerve: {fighter: pip, because_of: hob, friends_near: [krug]}")
    assert (said["facts"]["kind"], said["facts"]["needed"]) == ("2D6", "7+")


def test_dice_of_the_wrap_up_are_written_there(arbitrator: Arbitrator) -> None:
    said, _ = refused(arbitrator, "seriously_injured: {fighter: wren, by: krug}")
    assert said["facts"]["paste"] == "wrap_up: {dice: {succumb: [?]}}"


def test_a_report_lists_every_faulty_entry_and_every_missing_die(
    arbitrator: Arbitrator,
) -> None:
    said, words = refused(
        arbitrator,
        "hit: {attacker: hob, weapon: autogun, target: quill}\n    dice: {wound: [5], save: [2]}",
        HIT,
        "out_of_action: {fighter: tallow, by: sable}",
        "hit: {attacker: krug, weapon: longgun, target: lark}",
        "experience: {fighter: pip, amount: 2, reason: held the bridge}",
        "hit: {attacker: nobody, weapon: autogun, target: noone}",
        f"{HIT}\n    dice: {{wound: [5]}}",
    )
    assert [(one["entry"], one["code"], one["facts"].get("purpose")) for one in said["errors"]] == [
        (1, "dice_needed", "injury"),
        (2, "dice_needed", "wound"),
        (3, "dice_needed", "lasting_injury"),
        (4, "unknown_weapon", None),
        (6, "unknown_fighter", None),
        (6, "unknown_fighter", None),
        (7, "dice_needed", "injury"),
    ]
    assert words.startswith("arbitrator: 6 entries are refused, and nothing of this file was recorded:\n")
    assert "Krug the Anvil carries no weapon 'longgun'" in words


def test_an_entry_that_may_follow_from_a_missing_die_is_passed_over(arbitrator: Arbitrator) -> None:
    said, words = refused(
        arbitrator,
        "out_of_action: {fighter: tallow, by: sable}",
        "hit: {attacker: krug, weapon: longgun, target: lark}",
        "hit: {attacker: hob, weapon: autogun, target: tallow}\n    dice: {wound: [2]}",
    )
    assert [one["entry"] for one in said["errors"]] == [1, 2]
    assert said["facts"]["passed_over"] == 1
    assert "1 more is passed over" in words


def test_more_than_twenty_entries_are_counted_and_all_are_in_the_object(arbitrator: Arbitrator) -> None:
    said, words = refused(arbitrator, *[HIT] * 30)
    assert len(said["errors"]) == 30
    assert "  ... and 10 more\n" in words


def test_nothing_of_a_report_without_its_battle_is_looked_at(season: Arbitrator) -> None:
    file = season.write(report("b1", HIT, "hit: {attacker: krug, weapon: longgun, target: lark}"))
    ran = season("battle", "record", file, "--json")
    assert [one["code"] for one in ran.json["errors"]] == ["battle_fought_already"]


def test_with_roll_what_is_wrong_elsewhere_is_told_too(arbitrator: Arbitrator) -> None:
    file = arbitrator.write(
        report(
            "b1",
            HIT,
            "hit: {attacker: krug, weapon: longgun, target: lark}",
            "hit: {attacker: vex, weapon: longgun, target: quill}",
        )
    )
    ran = arbitrator("battle", "record", file, "--roll", "--json")
    assert [(one["entry"], one["code"]) for one in ran.json["errors"]] == [
        (2, "unknown_weapon"), (3, "unknown_weapon"),
    ]  # fmt: skip


def test_a_command_without_a_file_says_which_option_gives_the_die(arbitrator: Arbitrator) -> None:
    why = ("--reason", "spare")
    arbitrator.done("gang", "credits", "@rewards", "iron-skulls", "400", *why)
    market = ("--armoury", str(ROOT / "fixtures" / "armoury" / "sump-market.yaml"))
    arbitrator.done("gang", "buy", "iron-skulls", "boomer", "--found", "9", *market, *why)
    said = arbitrator("gang", "sell", "iron-skulls", "boomer", *why, "--json")
    assert said.json["facts"]["paste"] == "--dice sale=?"


def test_what_is_pasted_is_taken(arbitrator: Arbitrator) -> None:
    said, _ = refused(arbitrator, f"{TORN.replace('D: 3', 'D: 2')}\n    dice: {{injury: [serious, flesh]}}")
    written = said["facts"]["paste"].replace("?", "6")
    more, _ = refused(arbitrator, f"{TORN.replace('D: 3', 'D: 2')}\n    {written}")
    assert more["facts"]["paste"] == "wrap_up: {dice: {succumb: [?]}}"
