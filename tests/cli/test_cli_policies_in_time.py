"""House rules in time: versions and order, records of rulings, what-ifs, and adoption from a battle already played."""

import json
from fractions import Fraction
from typing import Any

import pytest
from cli_arbitrator import Arbitrator, begin
from cli_reports import report
from tables import every

from tracker.rules import loader
from tracker.rules.rulebook import Policy

ONCE = "one-lasting-injury-roll@1"
"""One Lasting Injury roll for each fighter taken out, however many dice said so."""

TWO_DICE = "out_of_action: {fighter: %s, by: krug, out_of_action_dice: 2}\n    dice: {lasting_injury: [%s]}"
# Two dice say so: as printed Wren suffers Out Cold and Hobbled, Cinder Partially Deafened and Out Cold.
FIRST = report("b1", TWO_DICE % ("wren", "2-1, 4-6"))
SECOND = report("b2", TWO_DICE % ("cinder", "4-2, 2-2"), gangs="[iron-skulls, rust-saints]")


@pytest.fixture
def played(arbitrator: Arbitrator) -> Arbitrator:
    """Two battles by the book: entries 5 to 7 and 8 to 10."""
    arbitrator.record(FIRST)
    arbitrator.record(SECOND)
    return arbitrator


def injuries(table: Arbitrator, *options: str) -> dict[str, list[str]]:
    rows = table.roster(*options)
    return {name: [injury["name"] for injury in rows[name]["injuries"]] for name in ("wren", "cinder")}


def head_of(table: Arbitrator, *words: str) -> tuple[str, str]:
    return ("--expect-head", str(table.read(*words, "--preview")["head"]))


def adopt(table: Arbitrator, *words: str) -> str:
    """Adopt from a past battle after a look at the preview."""
    said = ("policy", "adopt", *words, "--reason", "club vote")
    return table.done(*said, *head_of(table, *said)).out


@pytest.fixture
def three_house_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another version of the rule, and a second rule that moves the same knob back."""
    known = dict(loader.policies())
    once = known[ONCE]

    def put(policy: str, version: int, patch: dict[str, str]) -> None:
        made = Policy(
            policy=policy, version=version, title=policy, about="", source="Test", tags=("test",), patch=patch
        )
        known[made.id] = made

    put("one-lasting-injury-roll", 2, dict(once.patch))
    put("every-roll-counts", 1, {"lasting_injuries.rolls": "each_out_of_action"})
    monkeypatch.setattr(loader, "policies", lambda: known)


# --- order and versions ----------------------------------------------------------------------------------


@pytest.mark.usefixtures("three_house_rules")
@pytest.mark.usefixtures("wide")
def test_two_policies_that_patch_one_knob_are_refused_unless_ordered_on_purpose(
    arbitrator: Arbitrator,
) -> None:
    arbitrator.done("policy", "adopt", ONCE, "--reason", "voted")
    second = ("policy", "adopt", "every-roll-counts@1", "--reason", "voted again")
    said = arbitrator.refused(1, *second)
    assert "changes the setting lasting_injuries.rolls, which one-lasting-injury-roll changes already" in said
    assert "--after one-lasting-injury-roll" in said
    arbitrator.done(*second, "--after", ONCE)
    # The later one is applied last: both Lasting Injury rolls count, as the book prints it.
    arbitrator.record(FIRST)
    assert injuries(arbitrator)["wren"] == ["Out Cold", "Hobbled"]
    assert "on purpose after one-lasting-injury-roll" in arbitrator.done("policy", "history").out


@pytest.mark.usefixtures("three_house_rules")
def test_an_order_after_what_does_not_hold_is_refused(arbitrator: Arbitrator) -> None:
    said = arbitrator.refused(
        1, "policy", "adopt", "every-roll-counts@1", "--after", "templates-spill", "--reason", "x"
    )
    assert "templates-spill" in said


@pytest.mark.usefixtures("three_house_rules")
def test_a_new_version_takes_over_and_what_was_decided_keeps_its_own(arbitrator: Arbitrator) -> None:
    arbitrator.done("policy", "adopt", ONCE, "--reason", "voted")
    arbitrator.record(report("b1", TWO_DICE % ("wren", "2-1")))
    arbitrator.done("policy", "adopt", "one-lasting-injury-roll@2", "--reason", "clearer words")
    arbitrator.record(report("b2", TWO_DICE % ("cinder", "4-2"), gangs="[iron-skulls, rust-saints]"))
    stamps = {
        number["tree"][-1]["policy_version"].partition(" + ")[2]
        for who in ("wren", "cinder")
        for number in arbitrator.read("explain", who, "injuries")["numbers"]
    }
    assert stamps == {ONCE, "one-lasting-injury-roll@2"}
    assert arbitrator.read("audit", "verify")["ok"] is True


# --- a past battle is a ruling ---------------------------------------------------------------------------


def test_a_policy_from_a_past_battle_is_a_ruling_and_wants_its_preview_seen(played: Arbitrator) -> None:
    said = played.refused(2, "policy", "adopt", ONCE, "--from-battle", "1", "--reason", "club vote")
    assert "Look first, then rule" in said
    assert f"arbitrator policy adopt {ONCE} --from-battle 1 --preview" in said


def test_the_preview_writes_nothing_and_tells_what_the_ruling_then_does(played: Arbitrator) -> None:
    before = played.contents()
    said = played.done("policy", "adopt", ONCE, "--from-battle", "1", "--reason", "vote", "--preview").out
    assert played.contents() == before
    assert f"house rules from battle 1 on: adopts {ONCE}" in said
    changes = [
        'Wren (The Gilded Cage): Movement 4" -> 5"',
        "Wren (The Gilded Cage): loses lasting injury: Hobbled, battle 1",
        "Cinder (Rust Saints): loses lasting injury: Out Cold, battle 2",
    ]
    assert all(change in said for change in changes)
    ruled = adopt(played, ONCE, "--from-battle", "1")
    assert all(change in ruled for change in changes)
    assert injuries(played) == {"wren": ["Out Cold"], "cinder": ["Partially Deafened"]}


def test_from_its_battle_on_it_is_as_if_it_had_been_adopted_in_time(
    played: Arbitrator, tmp_path: Any
) -> None:
    adopt(played, ONCE, "--from-battle", "2")
    assert injuries(played) == {"wren": ["Out Cold", "Hobbled"], "cinder": ["Partially Deafened"]}
    (tmp_path / "in-time").mkdir()
    in_time = Arbitrator(tmp_path / "in-time")
    begin(in_time)
    in_time.record(FIRST)
    in_time.done("policy", "adopt", ONCE, "--reason", "club vote")
    in_time.record(report("b2", TWO_DICE % ("cinder", "4-2"), gangs="[iron-skulls, rust-saints]"))
    assert played.roster() == in_time.roster()
    assert played.read("standings", "show") == in_time.read("standings", "show")
    assert played.read("audit", "verify")["ok"] is True


def test_it_stays_believed_otherwise_in_its_day_and_the_entries_are_struck_not_lost(
    played: Arbitrator,
) -> None:
    adopt(played, ONCE, "--from-battle", "1")
    assert injuries(played, "--as-of-entry", "10")["wren"] == ["Out Cold", "Hobbled"]
    assert injuries(played, "--as-of-battle", "1")["wren"] == ["Out Cold"]
    again = played.read("log", "entry", "11")["events"]
    assert {one["slot"] for one in again} == {5, 6, 9, 11}
    # The die that is no longer asked for is kept beside, should a later ruling ask for it again.
    spare = next(one["data"]["spare"] for one in again if one["slot"] == 6 and one["data"].get("spare"))
    assert [one["faces"] for one in spare] == [[4, 6]]


def test_one_entry_holds_all_of_it_and_taking_it_back_gives_back_the_state_before(played: Arbitrator) -> None:
    before = played.roster()
    entries = played.head["entries"]
    adopt(played, ONCE, "--from-battle", "1")
    assert played.head["entries"] == entries + 1
    assert played.roster() != before
    ruling = str(entries + 1)
    played.done("rollback", "rule", "--ruling", ruling, "--reason", "the vote was void", *played.seen())
    assert played.roster() == before
    assert played.read("policy", "history")["held"] == []
    assert played.read("audit", "verify")["ok"] is True


def test_repealed_from_a_past_battle_the_book_holds_again_from_there(arbitrator: Arbitrator) -> None:
    arbitrator.done("policy", "adopt", ONCE, "--reason", "voted")
    arbitrator.record(report("b1", TWO_DICE % ("wren", "2-1")))
    arbitrator.record(report("b2", TWO_DICE % ("cinder", "4-2"), gangs="[iron-skulls, rust-saints]"))
    repeal = ("policy", "repeal", "one-lasting-injury-roll", "--from-battle", "2", "--reason", "missed it")
    listed = arbitrator.read(*repeal, "--preview")
    # The second Lasting Injury die was never rolled: it has to be rolled, or the entry kept or voided.
    assert [(slot["slot"], slot["result"]) for slot in listed["slots"] if slot["result"] == "needs_dice"] == [
        (10, "needs_dice")
    ]
    ends = next(slot for slot in listed["slots"] if slot["slot"] == 10)["chances"]
    assert sum(Fraction(end["chance"]) for end in ends) == 1
    assert "needs dice that were never rolled" in arbitrator.refused(
        2, *repeal, *head_of(arbitrator, *repeal)
    )
    rolled = ("--dice", "10:lasting_injury=4-6")
    arbitrator.done(*repeal, *rolled, *head_of(arbitrator, *repeal))
    assert injuries(arbitrator) == {"wren": ["Out Cold"], "cinder": ["Partially Deafened", "Hobbled"]}
    assert arbitrator.read("audit", "verify")["ok"] is True


def test_a_battle_that_adopts_it_already_need_not_when_it_holds_from_earlier_on(played: Arbitrator) -> None:
    adopt(played, ONCE, "--from-battle", "2")
    adopt(played, ONCE, "--from-battle", "1")
    held = played.read("policy", "history")["held"]
    assert [(one["policy"], one["from_battle"], one["until_battle"]) for one in held] == [
        ("one-lasting-injury-roll", 1, None)
    ]


def test_a_preview_of_an_older_log_is_stale(played: Arbitrator) -> None:
    said = ("policy", "adopt", ONCE, "--from-battle", "1", "--reason", "club vote")
    seen = head_of(played, *said)
    played.done("fighter", "rename", "pip", "--name", "Big Pip")
    assert "The log moved on" in played.refused(3, *said, *seen)


@every(
    ("words", "code", "says"),
    [
        (("adopt", ONCE, "--from-battle", "3", "--preview", "--reason", "x"), 2, "recorded already"),
        (("adopt", ONCE, "--reason", "x", "--keep", "6"), 2, "recorded already"),
        (("adopt", "no-such-rule@1", "--from-battle", "1", "--preview", "--reason", "x"), 2, "no house rule"),
        (
            ("repeal", "templates-spill", "--from-battle", "1", "--preview", "--reason", "x"),
            1,
            "templates-spill",
        ),
        (("what-if",), 2, "Name a house rule"),
        (("what-if", ONCE, "--from-battle", "9"), 2, "no battle '9'"),
        (("what-if", "--without", "templates-spill"), 1, "holds neither in battle 1 nor later"),
        (("what-if", "no-such-rule@1"), 2, "no house rule"),
    ],
)
def test_what_makes_no_sense_is_refused(
    played: Arbitrator, words: tuple[str, ...], code: int, says: str
) -> None:
    assert says in played.refused(code, "policy", *words)


# --- records of rulings ----------------------------------------------------------------------------------


@pytest.mark.usefixtures("wide")
def test_the_history_reads_like_the_minutes_of_a_meeting(played: Arbitrator) -> None:
    played.done("--as", "Dana", "policy", "adopt", "templates-spill@1", "--reason", "asked for by all")
    adopt(played, ONCE, "--from-battle", "2")
    played.done(
        "--as", "Robin", "policy", "repeal", "templates-spill", "--from-battle", "4", "--reason", "too wild"
    )
    lines = played.done("policy", "history").out.splitlines()
    listed = [line[18:] for line in lines if line[:4].isdecimal()]
    assert listed[0].startswith(
        "11.2  Dana adopted Templates spill onto the engaged (templates-spill@1) from battle 3 on. Reason: asked for by all"
    )
    assert listed[1].endswith("from battle 2 on. Reason: club vote (by ruling, for a battle already played)")
    assert listed[2] == "13.2  Robin repealed templates-spill@1 from battle 4 on. Reason: too wild"
    assert "    lasting_injuries.rolls: each_out_of_action -> once" in lines
    assert lines[-1] == f"Battle 3 is played with: {ONCE}, templates-spill@1"
    assert [change["by_ruling"] for change in played.read("policy", "history")["history"]] == [
        False,
        True,
        False,
    ]


# --- what if ---------------------------------------------------------------------------------------------


def test_a_what_if_tells_the_season_under_another_rule_and_writes_nothing(played: Arbitrator) -> None:
    before = played.contents()
    comparison = played.read("policy", "what-if", ONCE)
    said = played.done("policy", "what-if", ONCE, "--from-battle", "2").out
    assert played.contents() == before
    lost = {
        (difference["fighter"], difference["before"])
        for difference in comparison["differences"]
        if difference["what"] == "lasting injury"
    }
    assert lost == {("wren", "Hobbled, battle 1"), ("cinder", "Out Cold, battle 2")}
    assert [(slot["slot"], slot["result"]) for slot in comparison["slots"]] == [
        (5, "changed"),
        (6, "changed"),
        (9, "changed"),
    ]
    assert "Cinder (Rust Saints): loses lasting injury: Out Cold, battle 2" in said
    assert "Wren" not in said


def test_a_what_if_says_what_an_adoption_in_the_past_then_does(played: Arbitrator) -> None:
    differences = played.read("policy", "what-if", ONCE)["differences"]
    before = played.roster()
    adopt(played, ONCE, "--from-battle", "1")
    now = played.read("roster", "diff", "--from", "entry:10", "--to", "now")["differences"]
    assert [difference for difference in differences if difference["fighter"]] == [
        one for one in now if one["fighter"]
    ]
    assert before != played.roster()


def test_a_what_if_without_a_rule_gives_the_exact_chances_of_dice_nobody_rolled(
    arbitrator: Arbitrator,
) -> None:
    arbitrator.done("policy", "adopt", ONCE, "--reason", "voted")
    arbitrator.record(report("b1", TWO_DICE % ("wren", "2-1")))
    comparison = arbitrator.read("policy", "what-if", "--without", "one-lasting-injury-roll")
    assert [slot["slot"] for slot in comparison["slots"] if slot["result"] == "needs_dice"] == [7]
    (missing,) = comparison["next_dice"]
    assert (missing["slot"], missing["purpose"]) == (7, "lasting_injury")
    chances = {outcome["outcome"]: Fraction(outcome["chance"]) for outcome in missing["outcomes"]}
    # Of the 36 cells of a D66 6-6 alone is Memorable Death, and 1-5 to 2-6, eight of them, are Out Cold.
    table = loader.book("necromunda_2023").lasting_injuries
    assert chances == {row.name: Fraction(len(row.cells), 36) for row in table.rows}
    assert (chances["Memorable Death"], chances["Out Cold"]) == (Fraction(1, 36), Fraction(8, 36))
    assert sum(chances.values()) == 1
    said = arbitrator.done("policy", "what-if", "--without", "one-lasting-injury-roll").out
    assert "Unresolved: 1 entry (7).\nAbove, an unresolved entry counts as played" in said


def test_a_what_if_takes_several_rules_at_once(played: Arbitrator) -> None:
    comparison = played.read("policy", "what-if", ONCE, "templates-spill@1")
    assert comparison["with"] == [ONCE, "templates-spill@1"]
    opened = next(slot for slot in comparison["slots"] if slot["slot"] == 5)
    assert [one["policy"] for one in opened["after"] if "patch" in one] == [
        "one-lasting-injury-roll",
        "templates-spill",
    ]


def test_a_what_if_moves_an_adoption_that_came_later_to_its_own_battle(played: Arbitrator) -> None:
    played.done("policy", "adopt", ONCE, "--reason", "voted")
    comparison = json.dumps(played.read("policy", "what-if", ONCE))
    assert "in force already" not in comparison
    assert "needs_dice" not in comparison


def test_a_what_if_leaves_out_what_a_ruling_brought_into_that_battle(played: Arbitrator) -> None:
    """The battle's own opening adopts it since, and was played without it."""
    adopt(played, ONCE, "--from-battle", "1")
    comparison = played.read("policy", "what-if", "--without", "one-lasting-injury-roll")
    gained = {
        (difference["fighter"], difference["after"])
        for difference in comparison["differences"]
        if difference["what"] == "lasting injury"
    }
    assert gained == {("wren", "Hobbled, battle 1"), ("cinder", "Out Cold, battle 2")}
