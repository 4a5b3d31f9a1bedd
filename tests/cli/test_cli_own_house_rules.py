"""House rules of a table's own, out of a TOML file: adopted, played by, repealed and carried along like the program's."""

from pathlib import Path

import pytest
from cli_arbitrator import Arbitrator, begin
from cli_reports import report

TWO_DICE = "out_of_action: {fighter: %s, by: krug, out_of_action_dice: 2}\n    dice: {lasting_injury: [%s]}"
RULE = """\
format = "house-rule/1"
id = "one-is-enough"
version = 1
title = "One is enough"
about = "One Lasting Injury roll, however many dice said so."

[patch]
"lasting_injuries.rolls" = "once"
"""


@pytest.fixture
def rule(arbitrator: Arbitrator) -> str:
    return arbitrator.write(RULE, name="one-is-enough.toml")


def injuries(table: Arbitrator, fighter: str) -> list[str]:
    return [one["name"] for one in table.roster()[fighter]["injuries"]]


def test_an_own_house_rule_is_played_by_from_its_battle_on(arbitrator: Arbitrator, rule: str) -> None:
    arbitrator.record(report("b1", TWO_DICE % ("wren", "2-1, 4-6")))
    arbitrator.done("policy", "adopt", rule, "--reason", "voted")
    # Two dice said Out of Action: as printed two rolls, under the house rule the first alone.
    arbitrator.record(report("b2", TWO_DICE % ("quill", "2-1")))
    assert (injuries(arbitrator, "wren"), injuries(arbitrator, "quill")) == (
        ["Out Cold", "Hobbled"],
        ["Out Cold"],
    )
    assert "one-is-enough@1" in arbitrator.read("campaign", "show")["rulebook"]
    assert "one-is-enough@1" in arbitrator.done("policy", "list").out
    assert "One is enough (one-is-enough@1)" in arbitrator.done("policy", "show", "one-is-enough").out
    assert arbitrator.done("policy", "repeal", "one-is-enough", "--reason", "enough").out
    arbitrator.done("audit", "verify")


def test_the_log_takes_the_rule_along_without_its_file(arbitrator: Arbitrator, rule: str) -> None:
    arbitrator.done("policy", "adopt", rule, "--reason", "voted")
    Path(rule).unlink()
    arbitrator.record(report("b1", TWO_DICE % ("wren", "2-1")))
    assert injuries(arbitrator, "wren") == ["Out Cold"]
    arbitrator.done("audit", "verify")


def test_it_may_be_tried_looked_at_and_begun_with(arbitrator: Arbitrator, rule: str) -> None:
    arbitrator.record(report("b1", TWO_DICE % ("wren", "2-1, 4-6")))
    shown = arbitrator.done("policy", "show", rule).out
    assert "lasting_injuries.rolls: each_out_of_action -> once" in shown
    assert "Hobbled" in arbitrator.done("policy", "what-if", rule).out
    preview = ("policy", "adopt", rule, "--from-battle", "1", "--preview")
    head = str(arbitrator.read(*preview)["head"])
    arbitrator.done(*preview[:-1], "--reason", "voted", "--expect-head", head)
    assert injuries(arbitrator, "wren") == ["Out Cold"]
    begun = arbitrator.read("campaign", "new", "Second", "--policy", rule)
    assert "one-is-enough" in str(begun)


def test_a_version_that_was_adopted_stays_as_it_is(arbitrator: Arbitrator, rule: str) -> None:
    arbitrator.done("policy", "adopt", rule, "--reason", "voted")
    arbitrator.done("policy", "repeal", "one-is-enough", "--reason", "enough")
    edited = arbitrator.write(RULE.replace('"once"', '"each_out_of_action"'), name="edited.toml")
    said = arbitrator.refused(1, "policy", "adopt", edited, "--reason", "again")
    assert "write the change as version 2" in said


def test_a_rule_of_another_book_is_refused_when_it_is_adopted(arbitrator: Arbitrator) -> None:
    trench = RULE.replace('"lasting_injuries.rolls" = "once"', '"trauma.version" = "1.0"')
    named = arbitrator.write(trench, name="trench.toml")
    assert "one-is-enough@1" in arbitrator.refused(2, "policy", "adopt", named, "--reason", "voted")


def test_a_file_that_is_none_is_refused_and_nothing_written(arbitrator: Arbitrator) -> None:
    named = arbitrator.write(RULE.replace("once", "twice"), name="wrong.toml")
    said = arbitrator.refused(2, "policy", "adopt", named, "--reason", "voted")
    assert "wrong.toml:8:1" in said


@pytest.fixture(autouse=True)
def _begun(arbitrator: Arbitrator) -> None:
    if not arbitrator.file.exists():
        begin(arbitrator)


SKILL = """\
format = "house-rule/1"
id = "lore"
version = 1
title = "Lore"
about = "A skill that is made up."

[[skill]]
name = "Second Breath"
effect = [
    { when = "wounded", bearer = "target", roll = { needs = 5 }, then = { kind = "no_further_effect" } },
]
"""
STRUCK = "hit: {attacker: krug, weapon: {name: rock, S: 4, AP: 0, D: 1}, target: sigh}\n    dice: {%s}"
SIGHING = """\
format: gang-sheet/1
gang: sighers
name: Sighers
house: Nobody's
player: Sam
credits: 10
fighters:
  - id: sigh
    name: Sigh
    category: leader
    type: Boss
    cost: 50
    skills: [Second Breath]
    characteristics: {M: 5, WS: 4+, BS: 4+, S: 3, T: 3, W: 1, I: 4+, A: 1, Ld: 7+, Cl: 7+, Wil: 7+, Int: 7+}
"""


def test_a_ruling_that_changes_the_die_of_an_own_skill_carries_through(arbitrator: Arbitrator) -> None:
    """The log takes the row along: nothing needs the file again, neither a replay nor a ruling."""
    lore = arbitrator.write(SKILL, name="lore.toml")
    arbitrator.done("policy", "adopt", lore, "--reason", "voted")
    Path(lore).unlink()
    arbitrator.done("gang", "add", arbitrator.write(SIGHING))
    struck = STRUCK % "wound: [4], own_rule: [5]"
    said = arbitrator.record(report("b1", struck, gangs="[iron-skulls, sighers]", result="draw: true")).out
    assert "Second Breath (needs 5+): no further effect [House rule lore@1]" in " ".join(said.split())
    shown = arbitrator.done("policy", "show", "lore").out
    assert "wounded, as the target: D6 5+: no_further_effect" in shown
    arbitrator.done("dispute", "open", "8.3", "--reason", "cocked")
    rule = ("dispute", "rule", "10", "--faces", "4", "--reason", "seen", *arbitrator.seen())
    assert "injury" in arbitrator.refused(2, *rule)
    arbitrator.done(*rule, "--dice", "8:injury=serious", "--dice", "9:succumb=6")
    assert "Sigh is Seriously Injured" in " ".join(arbitrator.done("log", "show", "--all").out.split())
    arbitrator.done("audit", "verify")
