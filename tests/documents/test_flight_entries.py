"""Flight and mutations in a battle report: read, refused, and played on SQLite under the archived rules."""

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

BOOK = "necromunda_archive"
plan = partial(document_examples.plan_of, purposes=loader.book(BOOK).purposes)
command_of = partial(document_examples.command_of, purposes=loader.book(BOOK).purposes)


@every(
    ("entry", "expected"),
    [
        ("{flight: {fighter: vex}}", records.TakeFlight(fighter="vex")),
        ("{flight: {fighter: gus, mobile: true}}", records.TakeFlight(fighter="gus", mobile=True)),
        (
            "{flight: {fighter: vex, engaged: [mags, ivo], reacting: [ivo], modifiers: [{why: Dodge, by: +1}]}}",
            records.TakeFlight(
                fighter="vex",
                engaged=("mags", "ivo"),
                reacting=("ivo",),
                modifiers=(records.InitiativeModifier(why="Dodge", by=1),),
            ),
        ),
        (
            "{flight: {fighter: vex, engaged: [mags], reacting: []}}",
            records.TakeFlight(fighter="vex", engaged=("mags",), reacting=()),
        ),
        ("{corruption: {gang: iron-skulls}}", records.StateCorruption(gang="iron-skulls")),
        (
            "{corruption: {gang: iron-skulls, corrupted: false, daemons: [vex]}}",
            records.StateCorruption(gang="iron-skulls", corrupted=False, daemons=("vex",)),
        ),
        (
            "{mutation: {fighter: vex, choose: Warped Limbs}}",
            records.ChooseMutation(fighter="vex", mutation="warped_limbs"),
        ),
        (
            "{reload: {fighter: vex, weapon: gun, action: double}}",
            records.Reload(fighter="vex", weapon="gun", action="double"),
        ),
        (
            "{shoot: {attacker: vex, weapon: gun, point: true, range: long, off_the_table: true}}",
            records.Shoot(attacker="vex", weapon="gun", point=True, range_band="long", off_the_table=True),
        ),
    ],
)
def test_an_entry_of_flight_or_mutation_is_the_command_it_says(entry: str, expected: records.Command) -> None:
    assert command_of(entry) == expected


@every(
    "entry",
    [
        "{flight: {engaged: [mags]}}",
        "{flight: {fighter: vex, reacting: [mags]}}",
        "{flight: {fighter: vex, modifiers: [{why: Dodge, by: 1}]}}",
        "{flight: {fighter: vex, engaged: [mags], modifiers: [{why: Dodge, by: 10}]}}",
        "{flight: {fighter: vex, inches: 7}}",
        "{corruption: {daemons: [vex]}}",
        "{mutation: {fighter: vex}}",
        "{reload: {fighter: vex, weapon: gun, action: basic}}",
    ],
)
def test_a_wrong_entry_of_flight_or_mutation_is_refused(entry: str) -> None:
    with pytest.raises(DocumentRefused):
        plan(report_of(entry))


def test_the_flight_example_in_the_docs_is_read_and_played(tracker: Tracker) -> None:
    text = section_example("## Flight and mutations")
    jsonschema.Draft202012Validator(json_schema("battle-report")).validate(
        parse_document(text, file="page.yaml").root.plain()
    )
    campaign, events = play(tracker, plan(text), book=BOOK)
    command = [
        event
        for event in events
        if isinstance(event, records.RetreatTried | records.FlightMade | records.MutationGained)
    ]
    assert command == [
        records.RetreatTried(fighter="quill", engaged=("krug", "vex"), away=True, may_react=("krug",)),
        records.FlightMade(fighter="quill", flight="running_for_cover", up_to_hundredths=700),
        records.MutationGained(
            fighter="quill",
            mutation="hungering_pride",
            name="Hungering Pride",
            instead_of="humiliated",
            chosen=False,
            section="Archived rules · Lasting Injuries and Damage · Mutations",
        ),
    ]
    assert tracker.audit.verify(campaign).ok
    state = tracker.repository.state(campaign)
    quill, ivo = state.fighter("quill"), state.fighter("ivo")
    assert quill is not None
    assert ivo is not None
    assert (quill.mutations, quill.injuries, ivo.daemon) == (("hungering_pride",), (), True)


PLAYED = report_of(
    "{shoot: {attacker: krug, weapon: autogun, target: quill, range: short},"
    " dice: {hit: [6], firepower: [ammo], ammo: [1], wound: [6], save: [1], injury: [flesh]}}",
    "{reload: {fighter: krug, weapon: autogun, action: simple}, dice: {ammo: [6]}}",
    "{fight: {attacker: vex, targets: [{fighter: wren, dice: [2], across: barricade}]},"
    " dice: {melee_hit: [6, 1], wound: [6], injury: [ooa], lasting_injury: [2-1]}}",
    head=REPORT_HEAD,
)


def test_a_battle_with_shots_and_fights_is_played_and_verifies(tracker: Tracker) -> None:
    campaign, events = play(tracker, plan(PLAYED), book=BOOK)
    rolls = [event for event in events if isinstance(event, records.RollMade)]
    assert all(roll.section.startswith("Archived rules · ") for roll in rolls)
    hits = [roll for roll in rolls if roll.purpose == "melee_hit"]
    assert [[(why.why, why.by) for why in hit.modifiers] for hit in hits] == [
        [("across a barricade", -1)]
    ] * 2
    assert tracker.audit.verify(campaign).ok
