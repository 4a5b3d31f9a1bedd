"""The life of a dispute at the command line: witnesses, whole entries, every verdict, rulings taken back,
strategies, roll backs; and that nobody rules without having looked."""

import json
import re
from types import ModuleType

import pytest
from cli_arbitrator import GANG_SHEETS, Arbitrator
from cli_reports import CORRECTED, report, second
from tables import every

from tracker.campaign.rulings import outcome_distribution
from tracker.service import rulings

WOUND_ROLL = "10.2"
"""Quill's wound roll of 5 in battle 2: the sixth event on is the Lasting Injury roll 10.8."""


def opened(season: Arbitrator, about: str = WOUND_ROLL) -> str:
    season.done("dispute", "open", about, "--reason", "cocked die")
    return str(season.head["entries"])


def rule(season: Arbitrator, dispute: str, *words: str) -> str:
    return season.done("dispute", "rule", dispute, *words, "--reason", "so it was", *season.seen()).out


# --- looking first ---------------------------------------------------------------------------------------


def test_nobody_rules_without_having_looked(season: Arbitrator) -> None:
    dispute = opened(season)
    said = season.refused(2, "dispute", "rule", dispute, "--faces", "2", "--reason", "x")
    assert f"arbitrator dispute preview {dispute} --faces 2" in said
    assert "--expect-head" in said


def test_force_keeps_why_and_still_shows_the_preview(season: Arbitrator) -> None:
    dispute = opened(season)
    said = season.done(
        "dispute", "rule", dispute, "--faces", "2", "--reason", "x", "--force", "last tram"
    ).out
    assert "Preview: dispute 13 about 10.2, ruled corrected: wound 5 -> 2." in said
    assert "note: ruled without a preview: last tram" in said


def test_a_preview_prints_the_command_to_rule_with(season: Arbitrator) -> None:
    dispute = opened(season)
    preview = season.read("dispute", "preview", dispute, "--faces", "2", "--strategy", "void-later")
    assert preview["head"] == season.head["events"]
    (step,) = preview["next_steps"]
    assert step == (
        f"arbitrator dispute rule 13 --faces 2 --strategy void-later --expect-head {preview['head']} --reason TEXT"
    )


# --- what can be disputed --------------------------------------------------------------------------------


def test_a_whole_entry_is_disputed_and_voided(season: Arbitrator) -> None:
    dispute = opened(season, "6")
    assert "about entry 6" in season.done("dispute", "preview", dispute, "--void").out
    rule(season, dispute, "--void")
    assert season.roster()["wren"]["injuries"] == []
    said = season.refused(1, "dispute", "open", "6", "--reason", "x")
    assert "entry 6 is void: entry 14 struck it" in said
    assert "arbitrator dispute open 14" in said


def test_what_a_ruling_struck_names_what_stands_there_now(season: Arbitrator) -> None:
    rule(season, opened(season), "--faces", "2")
    said = season.refused(1, "dispute", "open", WOUND_ROLL, "--reason", "still")
    entry = season.head["entries"]
    ruled = season.done("log", "entry", str(entry)).out
    wound = next(line.split()[0] for line in ruled.split("\n") if "wound roll 2," in line)
    assert f"entry {entry} decided it again. What stands there now is {wound}" in said
    season.done("dispute", "open", wound, "--reason", "still")


def test_what_a_ruling_struck_and_nothing_stands_for_names_the_entry(season: Arbitrator) -> None:
    """No wound, so no Lasting Injury roll: entry 10 as a whole stands there."""
    rule(season, opened(season), "--faces", "2")
    said = season.refused(1, "dispute", "open", "10.8", "--reason", "still")
    assert "What stands there now is 10: name that, as in 'arbitrator dispute open 10'." in said
    season.done("dispute", "open", "10", "--reason", "still")


def test_a_withdrawn_dispute_asks_for_no_ruling(season: Arbitrator) -> None:
    dispute = opened(season)
    before = season.roster()
    season.done("dispute", "withdraw", dispute, "--reason", "it lay flat")
    assert season.roster() == before
    assert season.read("dispute", "list", "--open")["disputes"] == []
    assert "Withdrawn by" in season.done("dispute", "show", dispute).out
    assert "it was withdrawn" in season.refused(1, "dispute", "withdraw", dispute, "--reason", "again")


def test_a_dispute_is_withdrawn_and_not_disputed(season: Arbitrator) -> None:
    dispute = opened(season)
    assert "dispute withdraw" in season.refused(1, "dispute", "open", dispute, "--reason", "x")


# --- the thread ------------------------------------------------------------------------------------------


def test_statements_stand_in_the_thread_in_order_and_change_nothing(season: Arbitrator) -> None:
    dispute = opened(season)
    before, standings = season.roster(), season.read("standings", "show")["gangs"]
    season.done("dispute", "comment", dispute, "--says", "it hit the ruin", "--by", "Ayo")
    season.done("dispute", "comment", WOUND_ROLL, "--says", "and fell flat", "--by", "Mara")
    assert (season.roster(), season.read("standings", "show")["gangs"]) == (before, standings)
    shown = season.read("dispute", "show", dispute)["dispute"]
    said = [(row["by_name"], row["says"]) for row in shown["statements"]]
    assert said == [("Ayo", "it hit the ruin"), ("Mara", "and fell flat")]
    assert shown["status"] == "open"
    text = season.done("dispute", "show", dispute).out
    assert text.index("Ayo (entry 14") < text.index("and fell flat") < text.index("It stays in force")


def test_a_ruling_and_its_taking_back_leave_the_thread_as_it_was(season: Arbitrator) -> None:
    dispute = opened(season)
    season.done("dispute", "comment", dispute, "--says", "it hit the ruin", "--by", "Ayo")
    thread = season.read("dispute", "show", dispute)["dispute"]["statements"]
    rule(season, dispute, "--faces", "2")
    assert season.read("dispute", "show", dispute)["dispute"]["statements"] == thread
    rule(season, opened(season, str(season.head["entries"])), "--reverse")
    shown = season.read("dispute", "show", dispute)["dispute"]
    assert (shown["status"], shown["statements"]) == ("open", thread)
    season.done("boards", "verify")
    season.done("boards", "rebuild")
    assert season.read("dispute", "show", dispute)["dispute"] == shown


def test_nobody_speaks_on_a_dispute_that_has_ended(season: Arbitrator) -> None:
    dispute = opened(season)
    rule(season, dispute, "--confirm")
    said = season.refused(1, "dispute", "comment", dispute, "--says", "but I saw it")
    assert f"no open dispute {dispute}" in said


def test_a_statement_is_a_text_of_people_and_none_is_left_out(season: Arbitrator) -> None:
    dispute = opened(season)
    season.refused(2, "dispute", "comment", dispute)
    season.refused(2, "dispute", "comment", dispute, "--says", "  ")


# --- verdicts --------------------------------------------------------------------------------------------


def test_a_die_rolled_again_keeps_both(season: Arbitrator) -> None:
    dispute = opened(season)
    rule(season, dispute, "--reroll", "--faces", "2")
    ruling = season.read("dispute", "list")["disputes"][0]["ruling"]
    assert (ruling["verdict"], ruling["before"]["faces"], ruling["after"]["faces"]) == ("rerolled", [5], [2])
    assert "ruled: rolled again" in season.done("dispute", "list").out


def test_a_die_that_the_tool_rolls_again_counts_whatever_follows(season: Arbitrator) -> None:
    dispute = opened(season)
    said = season.refused(
        2, "dispute", "rule", dispute, "--reroll", "--roll", "--reason", "x", *season.seen()
    )
    assert "--strategy keep-later or void-later" in said
    season.done(
        "dispute",
        "rule",
        dispute,
        "--reroll",
        "--roll",
        "--strategy",
        "void-later",
        "--reason",
        "x",
        *season.seen(),
    )
    after = season.read("dispute", "list")["disputes"][0]["ruling"]["after"]
    assert after["source"] == "generated"


def test_dice_that_the_tool_rolls_for_a_ruling_are_the_logs_own_when_it_is_made_again(
    season: Arbitrator,
) -> None:
    """A wound roll of 2 was a 6: what follows it was never rolled, and nobody types it."""
    season.record(report("b3", CORRECTED.replace("quill", "ivo")))
    wound = season.read("log", "show", "--type", "RollMade")["events"][-1]
    assert (wound["data"]["purpose"], wound["data"]["faces"]) == ("wound", [2])
    rule(season, opened(season, wound["address"]), "--faces", "6", "--roll", "--strategy", "void-later")
    rolled = [
        event["data"]["purpose"]
        for event in season.read("log", "show", "--type", "RollMade")["events"]
        if event["data"]["source"] == "generated"
    ]
    assert "injury" in rolled
    season.done("audit", "verify")


def test_what_a_die_that_is_rolled_again_may_bring_is_shown_exactly(season: Arbitrator) -> None:
    # Strength 3 against Toughness 3 wounds on 4+, mesh saves on 5+: but the save of 2 and the dice after it lie
    # there already, so the wound roll alone decides, 3 in 6 each way.
    preview = season.read("dispute", "preview", WOUND_ROLL, "--reroll")
    (slot,) = preview["slots"]
    assert (slot["result"], slot["chances_whole"]) == ("needs_dice", True)
    assert [(end["numerator"], end["denominator"]) for end in slot["chances"]] == [(1, 2), (1, 2)]
    assert sorted(bool(end["differences"]) for end in slot["chances"]) == [False, True]


@pytest.mark.parametrize(
    ("module", "limit", "value", "said"),
    [
        (outcome_distribution, "BRANCHES_MAX", 0, "too many outcomes to count"),
        (rulings, "ENTRIES_FOLLOWED", 0, "known once the entries above are settled"),
    ],
)
def test_chances_never_keep_a_preview_waiting_and_what_is_left_out_is_said(
    season: Arbitrator, monkeypatch: pytest.MonkeyPatch, module: ModuleType, limit: str, value: int, said: str
) -> None:
    monkeypatch.setattr(module, limit, value)
    page = season.done("dispute", "preview", WOUND_ROLL, "--reroll").out
    assert f"Chances: {said}." in page
    (slot,) = season.read("dispute", "preview", WOUND_ROLL, "--reroll")["slots"]
    assert (slot["chances"], slot["without_chances"]) == ([], said)


@pytest.mark.parametrize(("outcome", "face"), [("failed", [3]), ("passed", [5])])
def test_a_test_is_set_by_ruling_to_the_nearest_face_that_comes_out_so(
    season: Arbitrator, outcome: str, face: list[int]
) -> None:
    dispute = opened(season)
    rule(season, dispute, "--outcome", outcome)
    after = season.read("dispute", "list")["disputes"][0]["ruling"]["after"]
    assert (after["faces"], after["source"]) == (face, "ruling")


def test_a_row_of_a_table_is_set_by_ruling(season: Arbitrator) -> None:
    dispute = opened(season, "10.8")
    preview = season.read("dispute", "preview", dispute, "--outcome", "Out Cold")
    assert preview["verdict"].startswith("set by ruling as Out Cold: lasting_injury 4-6 -> ")
    said = rule(season, dispute, "--outcome", "Out Cold")
    assert "set by ruling" in said
    assert [injury["injury"] for injury in season.roster()["quill"]["injuries"]] == ["out_cold"]


def test_an_outcome_that_no_face_has_is_refused(season: Arbitrator) -> None:
    said = season.refused(2, "dispute", "preview", WOUND_ROLL, "--outcome", "hobbled")
    assert "No face of this wound roll comes out as 'hobbled'" in said
    assert "passed" in said


# --- taking back -----------------------------------------------------------------------------------------


def test_a_ruling_is_disputed_and_taken_back_and_that_again(season: Arbitrator) -> None:
    before = season.roster()
    rule(season, opened(season), "--faces", "2")
    corrected = season.roster()
    assert corrected != before
    dispute = opened(season, "14")
    rule(season, dispute, "--reverse")
    assert season.roster() == before
    rows = {row["dispute"]: row for row in season.read("dispute", "list")["disputes"]}
    assert (rows[13]["status"], rows[13]["taken_back_by"]) == ("open", 16)
    assert "was taken back already" in season.refused(1, "dispute", "open", "14", "--reason", "x")
    again = opened(season, "16")
    rule(season, again, "--reverse")
    assert season.roster() == corrected
    rows = {row["dispute"]: row for row in season.read("dispute", "list")["disputes"]}
    assert (rows[13]["status"], rows[15]["status"]) == ("corrected", "open")
    season.done("audit", "verify")


def test_only_a_ruling_is_taken_back(season: Arbitrator) -> None:
    assert "is not a ruling" in season.refused(2, "dispute", "preview", WOUND_ROLL, "--reverse")
    assert "is not a ruling" in season.refused(2, "rollback", "preview", "--ruling", "10")
    assert "is not a ruling" in season.refused(2, "rollback", "preview", "--ruling", "99")


def test_what_a_later_ruling_was_built_upon_is_taken_back_after_it(season: Arbitrator) -> None:
    rule(season, opened(season), "--faces", "6")
    rule(season, opened(season, "14.4"), "--faces", "2")
    said = season.refused(1, "rollback", "preview", "--ruling", "14")
    assert "entry 16 ruled on entry 10 after it" in said
    season.done("rollback", "rule", "--ruling", "16", "--reason", "x", *season.seen())
    season.done("rollback", "rule", "--ruling", "14", "--reason", "x", *season.seen())
    season.done("audit", "verify")


# --- what no longer follows ------------------------------------------------------------------------------


@pytest.fixture
def dead_man(season: Arbitrator) -> Arbitrator:
    """Quill fought battles 3 and 4; dispute 19 says that Quill died in battle 2."""
    season.record(report("b3", "out_of_action: {fighter: hob, by: ivo, lasting_injury: 2-1}"))
    season.record(report("b4", "out_of_action: {fighter: hob, by: quill, lasting_injury: 2-2}"))
    season.done("dispute", "open", "10.8", "--reason", "that was a 6-6")
    return season


def results(season: Arbitrator, *words: str) -> dict[int, str]:
    return {slot["slot"]: slot["result"] for slot in season.read("dispute", "preview", *words)["slots"]}


def test_a_strategy_answers_for_every_later_entry(dead_man: Arbitrator) -> None:
    asked = ("19", "--faces", "6-6")
    assert results(dead_man, *asked)[16] == "refused"
    found = results(dead_man, *asked, "--strategy", "keep-later")
    assert (found[10], found[16], found[17]) == ("changed", "kept", "changed")
    found = results(dead_man, *asked, "--strategy", "void-later")
    assert [found[entry] for entry in (16, 17, 18)] == ["voided", "voided", "voided"]


def test_an_entry_is_not_kept_and_changed_as_well(season: Arbitrator) -> None:
    said = season.refused(2, "dispute", "preview", WOUND_ROLL, "--faces", "2", "--keep", "10")
    assert "Entry 10 cannot be kept as played and have its die changed" in said


@pytest.mark.parametrize(("other", "says"), [("--void-entry", "voided"), ("--unkeep", "let go")])
def test_an_entry_is_not_kept_and_the_contrary_as_well(dead_man: Arbitrator, other: str, says: str) -> None:
    said = dead_man.refused(2, "dispute", "preview", "19", "--faces", "6-6", "--keep", "16", other, "16")
    assert f"Entry 16 cannot be kept as played and {says} as well." in said


@pytest.mark.usefixtures("wide")
def test_what_is_open_is_shown_to_count_as_played_and_all_of_it_may_be_answered_at_once(
    dead_man: Arbitrator,
) -> None:
    said = dead_man.done("dispute", "preview", "19", "--faces", "6-6", "--void-entry", "16").out
    assert "Unresolved: 2 entries (17, 18)." in said
    assert "Above, an unresolved entry counts as played, or as void where it cannot be kept." in said
    assert "or for every entry not named: --strategy keep-later, or --strategy void-later" in said


def test_a_preview_says_what_is_rolled_back_or_taken_back(dead_man: Arbitrator) -> None:
    def top(*words: str) -> str:
        return dead_man.done("rollback", "preview", *words).out.split(". ")[0]

    assert top("--battle", "2", "--strategy", "void-later") == "Preview: battle 2 (b2), rolled back"
    assert top("--to-entry", "15") == "Preview: everything played after entry 15, rolled back"
    rule(dead_man, "19", "--faces", "6-6", "--strategy", "void-later")
    assert top("--ruling", "20") == "Preview: ruling 20, taken back"


def test_a_void_entry_that_a_reversal_brings_back_is_shown_by_what_it_is(dead_man: Arbitrator) -> None:
    rule(dead_man, "19", "--faces", "6-6", "--strategy", "void-later")
    said = dead_man.done("rollback", "preview", "--ruling", "20").out
    assert "void already" not in said
    assert said.count("counts again") == 3


def test_the_answer_for_an_entry_comes_before_the_strategy(dead_man: Arbitrator) -> None:
    found = results(dead_man, "19", "--faces", "6-6", "--strategy", "void-later", "--keep", "16")
    assert (found[16], found[17]) == ("kept", "changed")


def test_what_was_kept_stays_kept_until_it_follows_again_or_is_let_go(dead_man: Arbitrator) -> None:
    rule(dead_man, "19", "--faces", "6-6", "--keep", "16")
    # Another ruling passes it and need not speak of it again.
    dispute = opened(dead_man, "6.4")
    said = dead_man.done("dispute", "preview", dispute, "--faces", "2-1").out
    assert "stays kept by an earlier ruling" in said
    found = results(dead_man, dispute, "--faces", "2-1", "--unkeep", "16")
    assert found[16] == "refused"
    rule(dead_man, dispute, "--faces", "2-1")
    dead_man.done("audit", "verify")
    # Quill lives again: entry 16 follows by itself and is no longer kept.
    fatal = next(
        event["address"]
        for event in dead_man.read("log", "show", "--type", "RollMade")["events"]
        if (event["slot"], event["data"]["purpose"], event["data"]["faces"]) == (10, "lasting_injury", [6, 6])
    )
    dispute = opened(dead_man, fatal)
    assert results(dead_man, dispute, "--faces", "2-1")[16] == "freed"


def test_who_fought_though_dead_and_who_was_missing_is_shown(dead_man: Arbitrator) -> None:
    preview = dead_man.read("dispute", "preview", "19", "--faces", "6-6", "--strategy", "keep-later")
    assert [
        (absence["fighter"], absence["battle"], absence["fought"]) for absence in preview["absences"]
    ] == [("quill", "b4", True)]


# --- rolling back ----------------------------------------------------------------------------------------


def test_a_battle_is_rolled_back_and_the_roll_back_taken_back(season: Arbitrator) -> None:
    before = season.roster()
    believed = season.roster("--as-of-battle", "1")
    said = season.done("rollback", "preview", "--battle", "b2").out
    assert "battle 2 (b2), rolled back" in said
    season.done("rollback", "rule", "--battle", "b2", "--reason", "wrong table", *season.seen())
    assert [row["battle"] for row in season.read("battle", "list")["battles"]] == ["b1"]
    assert season.roster() == believed
    season.done("rollback", "rule", "--ruling", "13", "--reason", "the right one", *season.seen())
    assert season.roster() == before
    assert [row["battle"] for row in season.read("battle", "list")["battles"]] == ["b1", "b2"]
    season.done("audit", "verify")


def test_everything_after_an_entry_is_rolled_back(season: Arbitrator) -> None:
    believed = season.roster("--as-of-entry", "8")
    season.done("rollback", "rule", "--to-entry", "8", "--reason", "x", *season.seen())
    assert season.roster() == believed
    assert "nothing to roll back" in season.refused(1, "rollback", "preview", "--to-entry", "8")


@pytest.mark.parametrize("words", [(), ("--battle", "b1", "--to-entry", "3")])
def test_one_thing_is_rolled_back_at_a_time(season: Arbitrator, words: tuple[str, ...]) -> None:
    assert "Say one thing" in season.refused(2, "rollback", "preview", *words)


@pytest.mark.parametrize("words", [("preview",), ("rule", "--reason", "x")])
def test_a_battle_named_without_an_option_is_told_what_to_type(
    season: Arbitrator, words: tuple[str, ...]
) -> None:
    said = season.refused(2, "rollback", *words, "sump-bridge")
    assert f"For a battle type: arbitrator rollback {words[0]} --battle sump-bridge." in " ".join(
        said.split()
    )
    assert "--to-entry ENTRY" in said
    assert "--ruling ENTRY" in said


def test_a_battle_that_was_struck_is_recorded_again_under_its_id(season: Arbitrator) -> None:
    season.done("rollback", "rule", "--battle", "b2", "--reason", "dice lost", *season.seen())
    again = season.write(second(CORRECTED))
    assert json.loads(season.done("battle", "record", again, "--json").out)["repeated"] is False
    assert season.done("battle", "record", again).out.startswith("Recorded before")
    assert [row["battle"] for row in season.read("battle", "list")["battles"]] == ["b1", "b2"]
    said = season.refused(1, "battle", "record", season.write(second()))
    assert "'b2' is recorded already" in said
    season.done("audit", "verify")


# --- witnesses -------------------------------------------------------------------------------------------


def people(season: Arbitrator) -> dict[str, int]:
    return {
        key: sum(fighter[key] for fighter in season.read("audit", "dice")["people"])
        for key in ("dice", "confirmed", "unwitnessed", "struck")
    }


def test_a_second_person_confirms_a_roll(season: Arbitrator) -> None:
    before = people(season)
    assert "Unwitnessed:" in season.done("audit", "dice").out
    assert (
        "Robin confirms wound roll 5 of entry 10"
        in season.done("log", "confirm", WOUND_ROLL, "--by", "Robin").out
    )
    assert season.done("log", "confirm", WOUND_ROLL, "--by", "robin").out.startswith("Recorded before")
    assert people(season) == before | {
        "confirmed": before["confirmed"] + 1, "unwitnessed": before["unwitnessed"] - 1,
    }  # fmt: skip


def test_nobody_confirms_what_they_typed_in_themselves(season: Arbitrator) -> None:
    (who,) = {fighter["typed_in_by"] for fighter in season.read("audit", "dice")["people"]}
    said = season.refused(1, "log", "confirm", WOUND_ROLL, "--by", who)
    assert "nobody confirms their own entry" in said


@every("spelled", ["{upper}", "{wide}", "{greek}", "{cyrillic}"])
def test_nobody_confirms_their_own_roll_under_another_spelling(season: Arbitrator, spelled: str) -> None:
    (who,) = {fighter["typed_in_by"] for fighter in season.read("audit", "dice")["people"]}
    wide = "".join(chr(ord(letter) + 0xFEE0) for letter in who)
    name = spelled.format(
        upper=who.upper(), wide=wide, greek=who.replace("a", "α").replace("o", "ο"),
        cyrillic=who.replace("a", "а").replace("o", "о"),
    )  # fmt: skip
    assert name != who
    said = season.refused(1, "log", "confirm", WOUND_ROLL, "--by", name)
    assert "nobody confirms their own entry" in said


def test_one_witness_under_two_spellings_is_one_witness(season: Arbitrator) -> None:
    season.done("log", "confirm", WOUND_ROLL, "--by", "Robin")
    for name in ("Ｒｏｂｉｎ", "Rоbin", "ROBIN"):
        assert season.done("log", "confirm", WOUND_ROLL, "--by", name).out.startswith("Recorded before")
    (seen,) = [roll for roll in season.read("audit", "dice")["rolls"] if roll["witnesses"]]
    assert seen["witnesses"] == ["Robin"]


def test_a_witness_speaks_for_a_die_wherever_it_is_decided_again(season: Arbitrator) -> None:
    season.done("log", "confirm", "10.3", "--by", "Robin")
    rule(season, opened(season), "--faces", "6")
    rolls = {
        (roll["purpose"], roll["struck_by"]): roll["witnesses"]
        for roll in season.read("audit", "dice")["rolls"]
    }
    assert rolls["save", None] == ["Robin"]
    assert rolls["wound", None] == []


def test_only_a_typed_roll_is_confirmed(season: Arbitrator) -> None:
    assert "is no roll" in season.refused(2, "log", "confirm", "10.4", "--by", "Robin")
    season.record(report("b3", "out_of_action: {fighter: hob, by: ivo}"), "--roll")
    roll = next(
        event["address"]
        for event in season.read("log", "show", "--type", "RollMade")["events"]
        if event["data"]["source"] == "generated"
    )
    assert "rolled by the tool" in season.refused(1, "log", "confirm", roll, "--by", "Robin")


def test_a_gang_that_a_ruling_struck_enlists_again_by_another_sheet_or_by_the_same(
    empty: Arbitrator,
) -> None:
    empty.done("campaign", "new", "Ash Wastes")
    sheet = GANG_SHEETS[0].read_text(encoding="utf-8")
    gang = re.findall(r"(?m)^gang: (\S+)$", sheet)[0]
    for name in ("The First", "The Second", "The Second"):
        text = re.sub(r"(?m)^name: .*$", f"name: {name}", sheet, count=1)
        empty.done("gang", "add", empty.write(text, name="sheet.yaml"))
        again = empty.done("gang", "add", empty.write(text, name="sheet.yaml")).out
        assert again.startswith("Recorded before"), "the same sheet twice is one gang"
        (enlisted,) = empty.read("gang", "list")["gangs"]
        assert (enlisted["gang"], enlisted["name"]) == (gang, name)
        entry = str(empty.head["entries"])
        rule(empty, opened(empty, entry), "--void")
        assert empty.read("gang", "list")["gangs"] == []
