"""Nerve and the End phase in a battle report: read, refused, and played on SQLite from the first dice to verify."""

from functools import partial

import document_examples
import jsonschema
import pytest
from document_examples import REPORT_HEAD, play, report_of, section_example
from tables import every

from tracker.campaign import records
from tracker.documents.refusals import DocumentRefused
from tracker.documents.schemas import json_schema
from tracker.documents.yaml_reader import parse_document
from tracker.rules import loader
from tracker.service.application import Tracker

BOOK = "necromunda_2023"
plan = partial(document_examples.plan_of, purposes=loader.book(BOOK).purposes)
command_of = partial(document_examples.command_of, purposes=loader.book(BOOK).purposes)


@every(
    ("entry", "expected"),
    [
        (
            "{nerve: {fighter: vex, because_of: krug, friends_near: [hob, pip]}, activation: mags 1}",
            records.TakeNerveTest(
                fighter="vex", because_of="krug", friends_near=("hob", "pip"), activation="mags 1"
            ),
        ),
        (
            "{nerve: {fighter: vex, because_of: krug, fate: seriously_injured, friends_near: 0}}",
            records.TakeNerveTest(
                fighter="vex", because_of="krug", fate="seriously_injured", friends_near_count=0
            ),
        ),
        (
            "{nerve: {fighter: gus, wreck: the rust wagon, friends_near: 1, mobile: true}}",
            records.TakeNerveTest(fighter="gus", wreck="the rust wagon", friends_near_count=1, mobile=True),
        ),
        (
            "{rally: {fighter: vex, friends_near: [], home_turf: true}}",
            records.TakeRallyTest(fighter="vex", friends_near=(), home_turf=True),
        ),
        (
            "{recovery: {fighter: vex, assisted_by: hob, choose: 2, round: 3, grudge_against: saints}}",
            records.TakeRecoveryTest(
                fighter="vex", assisted_by="hob", picked=2, round=3, grudge_against="saints"
            ),
        ),
        ("{recovery: {fighter: vex}}", records.TakeRecoveryTest(fighter="vex")),
        ("{bottle: {gang: iron-skulls}}", records.CheckBottle(gang="iron-skulls")),
        (
            (
                "{bottle: {gang: a, reinforcements: 3, reinforcements_arrived: 2, others_eligible: 1, vehicles: 2,"
                " vehicles_wrecked: 1, home_turf: true, voluntary: true}}"
            ),
            records.CheckBottle(
                gang="a",
                reinforcements=3,
                reinforcements_arrived=2,
                others_eligible=1,
                vehicles=2,
                vehicles_wrecked=1,
                home_turf=True,
                voluntary=True,
            ),
        ),
        (
            "{flee: {gang: a, fighters: [krug, vex], near: {krug: [vex]}}}",
            records.TakeFleeingTests(gang="a", fighters=("krug", "vex"), near={"krug": ("vex",)}),
        ),
        (
            "{flee: {gang: a, fighters: [krug, vex], voluntarily: true, engaged: [vex]}}",
            records.FleeBattlefield(gang="a", fighters=("krug", "vex"), engaged=("vex",)),
        ),
    ],
)
def test_an_entry_of_nerve_or_the_end_phase_is_the_command_it_says(
    entry: str, expected: records.Command
) -> None:
    assert command_of(entry) == expected


@every(
    ("entry", "text"),
    [
        ("{nerve: {fighter: vex, because_of: krug}}", "friends_near"),
        ("{nerve: {fighter: vex, because_of: krug, friends_near: many}}", "whole number from 0 to 100"),
        ("{nerve: {fighter: vex, because_of: krug, friends_near: -1}}", "whole number from 0 to 100"),
        ("{nerve: {fighter: vex, friends_near: 0}}", "one cause"),
        ("{nerve: {fighter: vex, because_of: krug, wreck: wagon, friends_near: 0}}", "one cause"),
        ("{nerve: {fighter: gus, wreck: wagon, fate: out_of_action, friends_near: 0}}", "fate already"),
        ("{nerve: {fighter: vex, because_of: krug, fate: wrecked, friends_near: 0}}", "out_of_action"),
        ("{rally: {fighter: vex}}", "friends_near"),
        ("{recovery: {fighter: vex, choose: 1}}", "nothing to choose"),
        ("{recovery: {fighter: vex, assisted_by: hob, choose: 3}}", "from 1 to 2"),
        ("{recovery: {fighter: vex, assisted_by: hob, round: 0}}", "from 1 to 99"),
        ("{bottle: {gang: a, vehicles: -1}}", "from 0 to 100"),
        ("{bottle: {}}", "gang"),
        ("{flee: {gang: a, fighters: []}}", "fighters"),
        ("{flee: {gang: a, fighters: [b], near: {b: [c]}, voluntarily: true}}", "takes no Cool test"),
        ("{flee: {gang: a, fighters: [b], engaged: [b]}}", "voluntarily: true"),
        ("{flee: {gang: a, fighters: [b], inspired_by: {b: c, B: d}}}", "'b' and 'B' are both b"),
        ("{nerve: {fighter: vex, because_of: krug, friends_near: 0}, dice: {nerve: [7]}}", "both faces"),
        ("{nerve: {fighter: vex, because_of: krug, friends_near: 0}, dice: {nerve: [3+7]}}", "both faces"),
    ],
)
def test_a_contradictory_entry_of_nerve_or_the_end_phase_is_refused(entry: str, text: str) -> None:
    with pytest.raises(DocumentRefused, match=text.replace("+", r"\+")):
        plan(report_of(entry))


RECOVERS = "{recovery: {fighter: vex, round: 2}}"


@every(
    ("second", "allowed"),
    [
        (RECOVERS, False),
        ("{recovery: {fighter: vex, assisted_by: hob, round: 2}}", False),
        ("{recovery: {fighter: vex, round: 3}}", True),
        ("{recovery: {fighter: pip, round: 2}}", True),
        ("{recovery: {fighter: vex}}", True),
    ],
)
def test_a_fighter_takes_one_recovery_test_in_each_end_phase(second: str, allowed: bool) -> None:
    report = report_of(RECOVERS, "{recovery: {fighter: pip, round: 1}}", second)
    if allowed:
        assert len(plan(report).decisions) == 5
        return
    with pytest.raises(DocumentRefused) as refused:
        plan(report)
    said = refused.value.message()
    assert "entries[3].recovery: 'vex' has taken the Recovery test of round 2 already" in said
    assert "one in each End phase" in said


def test_recovery_tests_without_a_round_are_not_counted() -> None:
    assert len(plan(report_of(*["{recovery: {fighter: vex}}"] * 3)).decisions) == 5


PLAYED = report_of(
    "{seriously_injured: {fighter: lark, by: vex}}",
    "{nerve: {fighter: quill, because_of: lark, friends_near: [lark, ivo]}, dice: {nerve: [1+2]}}",
    "{recovery: {fighter: lark, assisted_by: ivo, round: 1}, dice: {recovery: [serious, flesh]}}",
    "{rally: {fighter: quill, friends_near: 1}, dice: {rally: [[5, 4]]}}",
    "{seriously_injured: {fighter: wren, by: krug}}",
    "{seriously_injured: {fighter: vex, by: mags}}",
    "{recovery: {fighter: wren}, dice: {recovery: [ooa], lasting_injury: [2-1]}}",
    "{bottle: {gang: gilded-cage}, dice: {bottle: [6]}}",
    "{bottle: {gang: iron-skulls, voluntary: true}}",
    "{flee: {gang: iron-skulls, fighters: [krug, vex, hob], near: {krug: [hob]}}, dice: {flee: [6+6, 1+1]}}",
    head=REPORT_HEAD.replace("winner: iron-skulls", "winner: gilded-cage")
    + "wrap_up: {dice: {succumb: [2], lasting_injury: [3-1]}}\n",
)


def test_a_battle_of_nerves_is_played_and_verifies(tracker: Tracker) -> None:
    campaign, events = play(tracker, plan(PLAYED), book=BOOK)
    rolled = [(event.purpose, event.passed) for event in events if isinstance(event, records.RollMade)]
    assert rolled == [
        ("nerve", False),
        ("recovery", None),
        ("recovery", None),
        ("rally", True),
        ("recovery", None),
        ("lasting_injury", None),
        ("bottle", True),
        ("flee", True),
        ("flee", False),
        ("succumb", False),
        ("lasting_injury", None),
    ]
    gained = [
        (event.fighter, event.reason) for event in events if isinstance(event, records.ExperienceGained)
    ]
    assert ("ivo", "assisted Lark's Recovery test") in gained
    assert ("quill", "rallied") in gained
    out = [
        (event.fighter, event.reason) for event in events if isinstance(event, records.FighterWentOutOfAction)
    ]
    assert out == [("wren", "recovery_test"), ("vex", "succumbed")]
    assert tracker.audit.verify(campaign).ok
    state = tracker.repository.state(campaign)
    assert state.under_way is None
    vex = state.fighter("vex")
    assert vex is not None
    assert vex.convalescing


def test_the_nerve_example_in_the_docs_is_read_and_played(tracker: Tracker) -> None:
    text = section_example("## Nerve and the End phase")
    jsonschema.Draft202012Validator(json_schema("battle-report")).validate(
        parse_document(text, file="page.yaml").root.plain()
    )
    campaign, _ = play(tracker, plan(text), book=BOOK)
    assert tracker.audit.verify(campaign).ok
