"""Two End phases of one battle, recorded on SQLite: a Rally test in each, and the log verifies afterwards."""

from cli_arbitrator import Arbitrator
from cli_reports import report

FALLEN = "seriously_injured: {fighter: pip, by: quill}"
BREAKS = "nerve: {fighter: hob, because_of: pip, friends_near: 0}\n    dice: {nerve: [1+1]}"
FAILS = "rally: {fighter: hob, friends_near: 0, round: 1}\n    dice: {rally: [1+1]}"
AGAIN = "rally: {fighter: hob, friends_near: 0, round: 1}\n    dice: {rally: [6+6]}"
LATER = "rally: {fighter: hob, friends_near: 0, round: 2}\n    dice: {rally: [6+6]}"
WRAP_UP = "wrap_up: {dice: {succumb: [6]}}\n"


def test_a_second_rally_test_in_one_end_phase_is_refused_and_nothing_is_written(
    arbitrator: Arbitrator,
) -> None:
    text = report("b1", FALLEN, BREAKS, FAILS, AGAIN, result="draw: true", more=WRAP_UP)
    said = arbitrator.refused(1, "battle", "record", arbitrator.write(text))
    assert "has taken the Rally test of round 1 already: there is one in each End phase" in said


def test_in_the_next_round_who_stayed_broken_may_rally_and_the_log_verifies(arbitrator: Arbitrator) -> None:
    text = report("b1", FALLEN, BREAKS, FAILS, LATER, result="draw: true", more=WRAP_UP)
    said = arbitrator.record(text).out
    assert "has taken the Rally test of round 1" in said
    assert "rallies and is no longer Broken" in said
    arbitrator.done("audit", "verify")


def test_a_house_rule_that_players_apply_is_kept_and_shown(arbitrator: Arbitrator) -> None:
    arbitrator.done(
        "policy", "adopt", "headbutt-and-hurl-when-charging", "--from-battle", "1", "--reason", "vote"
    )
    assert "headbutt-and-hurl-when-charging@1" in arbitrator.done("policy", "list").out
    assert (
        "Players apply it themselves; nothing decided here depends on it."
        in arbitrator.done("rules", "show", "headbutt_and_hurl.replace_the_fight").out
    )
    knob = arbitrator.read("rules", "show", "headbutt_and_hurl.replace_the_fight")["knobs"][0]
    assert knob["at_the_table"] is True
