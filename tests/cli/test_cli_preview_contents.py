"""What a preview tells, against the stories of docs/rulings.md: battles missed before and after, and everything else
that the ruling then makes true."""

from fractions import Fraction
from pathlib import Path

import pytest
from cli_arbitrator import ROOT, Arbitrator

RULINGS: Path = ROOT / "fixtures" / "rulings"


def season(table: Arbitrator, *files: str) -> Arbitrator:
    table.done("campaign", "new", "Rulings", "--slug", "rulings", "--ruleset", "necromunda_2023")
    for file in ("skulls.yaml", "saints.yaml"):
        table.done("gang", "add", str(RULINGS / file))
    for file in files:
        table.done("battle", "post" if ".after." in file else "record", str(RULINGS / file))
    return table


def missed(table: Arbitrator, *words: str) -> dict[str, tuple[list[int], list[int]]]:
    """By fighter the numbers of the battles missed before and after."""
    return {
        one["fighter"]: (
            [each["number"] for each in one["before"]],
            [each["number"] for each in one["after"]],
        )
        for one in table.read(*words)["battles_missed"]
    }


@pytest.mark.usefixtures("wide")
def test_he_who_lives_again_missed_two_battles_and_by_now_none(empty: Arbitrator) -> None:
    season(empty, "first-night-dead.yaml", "quiet-night.yaml", "another-quiet-night.yaml")
    asked = ("dispute", "preview", "5.4", "--faces", "2-1")
    assert missed(empty, *asked) == {"vex": ([2, 3], [])}
    (listed,) = empty.read(*asked)["battles_missed"]
    assert listed["before"] == [
        {"battle": "quiet-night", "number": 2, "why": "dead"},
        {"battle": "another-quiet-night", "number": 3, "why": "dead"},
    ]
    page = empty.done(*asked).out
    assert (
        "  Vex (Iron Skulls): battle 2 (quiet-night): dead; battle 3 (another-quiet-night): dead -> none\n"
        in page
    )


def test_who_only_missed_the_next_battle_misses_one_of_two(empty: Arbitrator) -> None:
    season(empty, "first-night-dead.yaml", "quiet-night.yaml", "another-quiet-night.yaml")
    # Hobbled is Recovery: away for the gang's next battle, and no longer.
    assert missed(empty, "dispute", "preview", "5.4", "--faces", "4-6") == {"vex": ([2, 3], [2])}


def test_who_fought_and_was_dead_misses_the_battle_fought(empty: Arbitrator) -> None:
    season(empty, "first-night.yaml", "second-night.yaml")
    asked = ("dispute", "preview", "5.4", "--faces", "6-6", "--strategy", "keep-later")
    assert missed(empty, *asked) == {"vex": ([], [2])}
    (fact,) = empty.read(*asked)["absences"]
    assert (fact["fighter"], fact["number"], fact["fought"], fact["why"]) == ("vex", 2, True, "dead")


def test_a_ruling_that_moves_nobody_tells_of_no_battle_missed(empty: Arbitrator) -> None:
    season(empty, "first-night.yaml", "second-night.yaml")
    asked = ("dispute", "preview", "5.4", "--faces", "4-2")  # Partially Deafened
    assert missed(empty, *asked) == {}
    assert "Battles missed" not in empty.done(*asked).out


def test_a_battle_that_is_rolled_back_was_missed_by_nobody_and_is_again_when_it_counts_again(
    empty: Arbitrator,
) -> None:
    season(empty, "away.yaml", "quiet-night.yaml")
    assert missed(empty, "rollback", "preview", "--battle", "2") == {"vex": ([2], [])}
    assert "Who fought is a fact" not in empty.done("rollback", "preview", "--battle", "2").out
    empty.done("rollback", "rule", "--battle", "2", "--reason", "no", *empty.seen())
    ruling = str(empty.head["entries"])
    assert missed(empty, "rollback", "preview", "--ruling", ruling) == {"vex": ([], [2])}


def test_a_what_if_tells_battles_missed_too(empty: Arbitrator) -> None:
    season(empty, "away.yaml", "quiet-night.yaml")
    assert missed(empty, "policy", "what-if", "one-lasting-injury-roll@1") == {}


@pytest.mark.parametrize(
    ("files", "about", "answer", "tells"),
    [
        (
            ("away.yaml", "quiet-night.yaml"), "5.4", ("--outcome", "out-cold"),
            {"Movement": ('4"', '5"'), "Hobbled, battle 1": (True, False)},
        ),
        (
            ("first-night-dead.yaml", "quiet-night.yaml"), "5.4", ("--faces", "2-1"),
            {"status": ("dead", "available"), "rating in credits": ("150", "210"), "XP": ("3", "2")},
        ),
    ],
)  # fmt: skip
def test_characteristics_xp_injuries_status_and_ratings_stand_before_and_after(
    empty: Arbitrator,
    files: tuple[str, ...],
    about: str,
    answer: tuple[str, ...],
    tells: dict[str, tuple[object, object]],
) -> None:
    season(empty, *files)
    differences = empty.read("dispute", "preview", about, *answer)["differences"]
    for what, (before, after) in tells.items():
        if isinstance(before, bool):
            (one,) = [
                difference
                for difference in differences
                if what in (difference["before"], difference["after"])
            ]
            assert (one["before"] is not None, one["after"] is not None) == (before, after)
        else:
            assert (before, after) in [
                (difference["before"], difference["after"])
                for difference in differences
                if difference["what"] == what
            ]


def test_a_ruling_that_only_confirms_says_that_nothing_is_decided_again(empty: Arbitrator) -> None:
    season(empty, "first-night.yaml")
    page = empty.done("dispute", "preview", "5.4", "--confirm").out
    assert "None is decided again." in page
    assert "0 entries" not in page


def test_a_battle_that_is_under_way_again_tells_only_what_befell_somebody(empty: Arbitrator) -> None:
    season(empty, "first-night.yaml", "second-night.yaml")
    page = empty.done("rollback", "preview", "--to-entry", "5").out
    assert "Vex (Iron Skulls): gains Out of Action: yes" in page
    assert "Pinned" not in page
    assert "Wounds left" not in page


def test_a_dispute_says_whether_anybody_saw_the_roll(empty: Arbitrator) -> None:
    season(empty, "first-night.yaml")
    empty.done("dispute", "open", "5.4", "--by", "Ayo", "--reason", "a photograph")
    assert (
        "Unwitnessed: nobody confirmed it ('arbitrator log confirm 5.4')."
        in empty.done("dispute", "show", "7").out
    )
    assert empty.read("dispute", "show", "7")["unwitnessed"] is True
    empty.done("log", "confirm", "5.4", "--by", "Robin")
    assert "Confirmed by Robin.\n" in empty.done("dispute", "show", "7").out
    dispute = empty.read("dispute", "show", "7")
    assert (dispute["witnesses"], dispute["unwitnessed"]) == (["Robin"], False)


def test_nobody_is_sent_to_confirm_a_roll_that_was_ruled_on(empty: Arbitrator) -> None:
    season(empty, "first-night.yaml")
    empty.done("dispute", "open", "5.4", "--by", "Ayo", "--reason", "a photograph")
    empty.done("dispute", "rule", "7", "--faces", "4-2", "--reason", "as seen", *empty.seen())
    assert "\nUnwitnessed: nobody confirmed it.\n" in empty.done("dispute", "show", "7").out


def test_a_house_rule_from_a_past_battle_is_looked_at_without_a_reason_and_not_ruled(
    empty: Arbitrator,
) -> None:
    season(empty, "first-night.yaml")
    asked = ("policy", "adopt", "one-lasting-injury-roll@1", "--from-battle", "1")
    assert "Preview: house rules from battle 1 on: adopts" in empty.done(*asked, "--preview").out
    assert "--reason" in empty.refused(2, *asked)
    assert "--reason" in empty.refused(2, "policy", "adopt", "one-lasting-injury-roll@1")


REPORT = """
format: battle-report/1
battle: sump
scenario: The Sump Bridge
date: 2026-03-06
recorded_by: Dana
gangs: [iron-skulls, rust-saints]
entries:
  - hit: {{attacker: pip, weapon: {{name: stub gun, S: 3, AP: 0, D: 1}}, target: dot}}
    dice: {{wound: [{first}]{injury}}}
  - hit: {{attacker: krug, weapon: {{name: autogun, S: 3, AP: 0, D: 1}}, target: dot}}
    dice: {{wound: [{second}]{more}}}
result: {{winner: iron-skulls}}
"""


def two_hits(table: Arbitrator, *, first: int, second: int, injury: str = "", more: str = "") -> Arbitrator:
    season(table)
    table.record(REPORT.format(first=first, second=second, injury=injury, more=more))
    return table


@pytest.mark.usefixtures("wide")
def test_an_entry_that_waits_for_dice_says_why(empty: Arbitrator) -> None:
    """A Flesh Wound takes Toughness 3 to 2: Strength 3 needs 3+ against it, no longer 4+, and a 3 was rolled."""
    two_hits(empty, first=2, second=3)
    asked = ("dispute", "preview", "5.2", "--faces", "4", "--dice", "5:injury=flesh")
    waits = empty.read(*asked)["slots"][1]
    assert waits["because"] == (
        "the recorded wound roll 3 comes out as 'wounds' now, not 'no wound', because Toughness is 2 and it needs 3+"
    )
    assert f"Why: {waits['because']}." in empty.done(*asked).out


@pytest.mark.usefixtures("wide")
def test_who_stands_otherwise_when_an_entry_comes_is_why_it_waits(empty: Arbitrator) -> None:
    """Dot was taken out by the second hit, which is void now: she lies Seriously Injured at the end."""
    two_hits(
        empty, first=4, second=4, injury=", injury: [serious]", more=", injury: [out], lasting_injury: [2-1]"
    )
    page = empty.done("dispute", "preview", "6.2", "--void").out
    assert "a D6 is missing: 'succumb' for Dot (Seriously Injured at the end of the battle, needs 3+)" in page
    assert "Why: before it, Dot (Rust Saints): " in page
    assert "Out of Action yes -> no." in page


def test_what_dice_may_bring_is_set_against_what_was_recorded(empty: Arbitrator) -> None:
    """Dot pulls through as she was recorded, 4 in 6; that the battle counts as fought is no news."""
    two_hits(
        empty, first=4, second=4, injury=", injury: [serious]", more=", injury: [out], lasting_injury: [2-1]"
    )
    (waits,) = [one for one in empty.read("dispute", "preview", "6.2", "--void")["slots"] if one["chances"]]
    likeliest = waits["chances"][0]
    assert (likeliest["numerator"], likeliest["denominator"], likeliest["differences"]) == (2, 3, [])
    assert all("battles" not in change["what"] for end in waits["chances"] for change in end["differences"])
    assert "(66.67 %)  the recorded result\n" in empty.done("dispute", "preview", "6.2", "--void").out


def test_what_happens_anyway_is_said_once_and_no_two_ends_look_alike(empty: Arbitrator) -> None:
    two_hits(empty, first=4, second=1, injury=", injury: [flesh]")
    asked = ("dispute", "preview", "5.4", "--faces", "out")
    (waits,) = [one for one in empty.read(*asked)["slots"] if one["chances"]]
    shown = [str((end["differences"], end["refused"], end["further"])) for end in waits["chances"]]
    assert len(set(shown)) == len(shown)
    assert sum(Fraction(end["numerator"], end["denominator"]) for end in waits["chances"]) == 1
    taken_out = {
        "gang": "iron-skulls",
        "fighter": "pip",
        "what": "enemies taken out",
        "before": "0",
        "after": "1",
    }
    assert taken_out in waits["chances_anyway"]
    assert all(taken_out in end["differences"] for end in waits["chances"])
    assert empty.done(*asked).out.count("enemies taken out 0 -> 1") == 1


def test_all_dice_are_named_at_once_with_whose_they_are_and_what_they_need(empty: Arbitrator) -> None:
    """Pip's hit may leave Dot lying there, which Krug's did not when it was recorded: then she may succumb."""
    two_hits(empty, first=1, second=1)
    preview = empty.read("dispute", "preview", "5.2", "--faces", "4")
    sure = [one for one in preview["dice_needed"] if one["certain"]]
    assert [(one["entry"], one["purpose"], one["fighter"]) for one in sure] == [(5, "injury", "dot")]
    perhaps = {(one["entry"], one["purpose"]) for one in preview["dice_needed"] if not one["certain"]}
    assert {(5, "lasting_injury"), (7, "succumb")} <= perhaps
    page = empty.done("dispute", "preview", "5.2", "--faces", "4").out
    assert "  7:succumb  D6 for Dot: Seriously Injured at the end of the battle, needs 3+\n" in page
    empty.done("dispute", "open", "5.2", "--reason", "cocked")
    said = empty.refused(2, "dispute", "rule", "8", "--faces", "4", "--reason", "so", *empty.seen())
    assert "Dice to roll: entry 5, injury for dot (injury die: Injury die)." in said
    assert "entry 7, succumb for dot (D6: Seriously Injured at the end of the battle, needs 3+)" in said


@pytest.mark.usefixtures("wide")
def test_what_a_ruling_newly_calls_for_is_named_before_it_and_with_its_receipt(empty: Arbitrator) -> None:
    """Dot falls by the ruling: who of her friends stood within 3" must test their nerve, and only they know."""
    two_hits(empty, first=1, second=1)
    answer = (
        "--faces",
        "4",
        "--dice",
        "5:injury=out",
        "--dice",
        "5:lasting_injury=2-1",
        "--strategy",
        "void-later",
    )
    preview = empty.read("dispute", "preview", "5.2", *answer)
    assert preview["owed"] == [
        {
            "what": "nerve",
            "because_of": "dot",
            "entry": 5,
            "late": False,
            "why": 'Dot goes Out of Action: a Nerve test of each friend within 3"',
        }
    ]
    line = 'nerve (in entry 5): Dot goes Out of Action: a Nerve test of each friend within 3"'
    page = " ".join(empty.done("dispute", "preview", "5.2", *answer).out.split())
    assert f"Owed after this ruling; only the table knows who rolls: {line}" in page
    empty.done("dispute", "open", "5.2", "--reason", "cocked")
    ruled = empty.done("dispute", "rule", "8", *answer, "--reason", "so", *empty.seen())
    assert f"Owed: {line}" in " ".join(ruled.out.split())
