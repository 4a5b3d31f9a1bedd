"""Every event and every command has its line, reported from itself alone."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from report_examples import HIT, HOSTILE, HOSTILE_SAFE, NAMES, injury, roll
from tables import every

from tracker.campaign import records
from tracker.campaign.profiles import WeaponProfile
from tracker.records import converted, replace
from tracker.reports import cards
from tracker.reports.names import Names
from tracker.reports.sentences import section_of, sentence

SENTENCES = Path(__file__).parents[2] / "fixtures" / "sentences"
WARBANDS = replace(NAMES, game=cards.words_of("trench_crusade"))


def examples(file: str, kinds: dict[str, type]) -> list[tuple[Any, Names, str]]:
    """Each record of a file, by its log name and fields, with its line below it."""
    read = []
    for name in (file, f"{file}-of-warbands"):
        lines = (SENTENCES / f"{name}.txt").read_text(encoding="utf-8").splitlines()
        for record, expected in zip(lines[::2], lines[1::2], strict=True):
            kind, fields = record.split(" ", 1)
            names = NAMES if name == file else WARBANDS
            read.append((converted(json.loads(fields), kinds[kind]), names, expected.strip()))
    return read


HEADER = (records.DecisionTaken(command=HIT), NAMES, "hit: Krug's autogun on Mags")
EVENTS = [HEADER, *examples("events", records.EVENTS)]
IN_TURN = (
    records.PlayInTurn(commands=(HIT, records.RetireFighter(fighter="krug", reason="tired"))),
    NAMES,
    "hit: Krug's autogun on Mags; then retire Krug: tired",
)
COMMANDS = [*examples("commands", records.COMMANDS), IN_TURN]


def kind(example: object) -> str:
    return "" if isinstance(example, (str, Names)) else type(example).__name__


@every(("event", "names", "expected"), EVENTS, ids=kind)
def test_every_event_has_its_sentence(event: records.Event, names: Names, expected: str) -> None:
    assert sentence(event, names) == expected


@every(("command", "names", "expected"), COMMANDS, ids=kind)
def test_every_command_has_its_words(command: records.Command, names: Names, expected: str) -> None:
    assert command.in_words(names) == expected


def test_no_event_and_no_command_is_forgotten_here() -> None:
    assert {type(event) for event, *_ in EVENTS} == set(records.EVENTS.values())
    assert {type(command) for command, *_ in COMMANDS} == set(records.COMMANDS.values())


@every(
    ("made", "expected"),
    [
        (roll(source="generated"), "wound roll 4 (needs 3+), rolled by the tool: wounds"),
        (
            roll(outcome="Strength 3 against Toughness 3: no wound", target=4, faces=(2,)),
            "wound roll 2, Strength 3 against Toughness 3 (needs 4+): no wound",
        ),
        (
            roll(purpose="save", modifiers=(records.Modifier(why="AP", by=-1), records.Modifier(why="cover", by=2)), outcome="saved"),
            "save roll 4, AP -1, cover +2 (needs 3+): saved",
        ),
        (
            roll(purpose="injury", faces=(5,), symbol="serious_injury", target=None, outcome="Serious Injury"),
            "Injury die 5: Serious Injury",
        ),
        (
            roll(purpose="injury", faces=(), symbol="serious_injury", target=None, outcome="Serious Injury"),
            "Injury die: Serious Injury",
        ),
        (
            roll(purpose="multiple_injuries", faces=(1, 5), target=None, outcome="Out Cold: rolled again"),
            "further Lasting Injury roll 1-5, Out Cold: rolled again",
        ),
        (roll(purpose="escape", outcome="escapes"), "escape roll 4 (needs 3+): escapes"),
    ],
)  # fmt: skip
def test_a_roll_tells_raw_face_modifiers_target_and_outcome_apart(
    made: records.RollMade, expected: str
) -> None:
    assert sentence(made, NAMES) == expected


def test_a_roll_names_its_fighter_where_no_heading_does() -> None:
    assert sentence(roll(), NAMES, whose=True) == "Mags: wound roll 4 (needs 3+): wounds"


@every(
    ("suffered", "expected"),
    [
        (injury(counts_as="out_cold", occurrence=2), "Mags suffers Hobbled (4-6) for the 2nd time from Krug, counts as Out Cold"),
        (injury(cell=None, by=None, within="multiple_injuries"), "Mags suffers Hobbled, one of Multiple Injuries"),
    ],
)  # fmt: skip
def test_a_lasting_injury_tells_its_cell_its_count_and_what_it_counts_as(
    suffered: records.LastingInjurySuffered, expected: str
) -> None:
    assert sentence(suffered, NAMES) == expected


def test_the_enemy_is_named_once_in_a_gain_of_experience() -> None:
    gained = records.ExperienceGained(fighter="krug", amount=2, reason="Mags Out of Action", victim="mags")
    assert sentence(gained, NAMES) == "Krug gains 2 XP: Mags Out of Action"


@every(
    ("command", "expected"),
    [
        (records.ResolveHit(target="mags"), "hit on Mags"),
        (records.ResolveHit(target="mags", weapon="frag trap"), "hit: frag trap on Mags"),
        (records.ResolveHit(target="mags", attacker="krug"), "hit: Krug on Mags"),
        (
            records.ResolveHit(target="mags", profile=WeaponProfile(name="blast", strength=3)),
            "hit: blast on Mags",
        ),
        (replace(HIT, profile_name="rapid"), "hit: Krug's autogun (rapid) on Mags"),
        (records.ResolveFall(target="mags", distance_hundredths=300), 'fall: Mags falls 3"'),
        (records.CloseBattle(drawn=True), "close the battle: a draw"),
        (records.CloseBattle(), "close the battle: no winner"),
    ],
)
def test_a_command_says_no_more_than_was_stated(command: records.Command, expected: str) -> None:
    assert command.in_words(NAMES) == expected


def test_a_fight_is_shown_in_its_own_words() -> None:
    fight = records.Fight(
        attacker="krug", targets=(records.FightTarget(model="mags"), records.FightTarget(model="vex"))
    )
    assert fight.in_words(NAMES) == "fight: Krug unarmed on Mags and vex"
    assert replace(fight, reaction=True).in_words(NAMES) == "reaction: Krug unarmed on Mags and vex"
    done = records.FightResolved(
        fighter="mags", reaction=True, attacked=("krug",), may_react=(), count_as_turned=(), charging=False,
        activation=None,
    )  # fmt: skip
    assert sentence(done, NAMES) == "Mags has made the Reaction attacks"
    busy = records.HelpNotCounted(
        fighter="mags", against="krug", interference=True, held_by=("vex",), section="Interference"
    )
    assert sentence(busy, NAMES) == "Mags does not interfere with Krug: also engaged with vex"
    assert section_of(busy) == "Interference"
    assert (
        sentence(records.FighterUnpinned(fighter="mags"), NAMES) == "Mags stands up and is no longer Pinned"
    )


def test_the_section_stands_apart_from_the_sentence() -> None:
    assert section_of(roll()) == "Resolve Hits · 1"
    assert section_of(injury()) == "Lasting Injury Table"
    assert section_of(records.FighterPinned(fighter="mags")) is None
    assert section_of(records.ExperienceGained(fighter="krug", amount=1, reason="loot")) is None


def test_unknown_and_invisible_names_fall_back_to_the_id() -> None:
    names = Names(fighters={"vex": "\u200b\u200b"})
    assert sentence(records.FighterPinned(fighter="vex"), names) == "vex is Prone and Pinned"
    assert sentence(records.FighterPinned(fighter="nobody"), names) == "nobody is Prone and Pinned"


def test_hostile_names_come_out_harmless_in_sentences() -> None:
    names = Names(fighters={"mags": HOSTILE})
    assert sentence(records.FighterPinned(fighter="mags"), names) == f"{HOSTILE_SAFE} is Prone and Pinned"


@every("event", [event for event, *_ in EVENTS], ids=kind)
def test_no_text_of_an_event_reaches_the_line_unclean(event: records.Event) -> None:
    hostile = {name: HOSTILE for name in ("name", "title", "reason", "why", "section", "scenario", "outcome", "after")
               if isinstance(getattr(event, name, None), str)}  # fmt: skip
    line = sentence(replace(event, **hostile), NAMES) + (section_of(replace(event, **hostile)) or "")
    assert line.isprintable()
