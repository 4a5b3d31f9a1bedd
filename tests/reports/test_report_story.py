"""The story of a battle: what it did to each gang, in every format, from what counts."""

from __future__ import annotations

import json
from functools import partial
from typing import Any

from report_examples import HOSTILE, NAMES, entry_57, injury, recorded

from tracker.campaign import records
from tracker.campaign.recorded_event import RecordedEvent
from tracker.records import replace
from tracker.reports.battle import battle_page
from tracker.reports.battle_story import FighterStory, GangStory, story
from tracker.reports.rendering import render

BATTLE: dict[str, Any] = {
    "battle": "sump-raid", "number": 3, "scenario": "Sabotage", "date": "2026-03-01", "status": "closed",
    "crews": [{"gang": "hawks", "fighters": ["krug"]}, {"gang": "rats", "fighters": ["mags", "vex"]}],
    "winner": "hawks", "drawn": False, "entry": 50, "position": 2, "closed": None,
}  # fmt: skip
MEMBERS = {"krug": "hawks", "mags": "rats", "vex": "rats", "tank": "rats"}
BOTH = frozenset({"hawks", "rats"})


def entry(number: int, *events: records.Event) -> tuple[RecordedEvent, ...]:
    """An entry of these events."""
    return tuple(
        recorded(event, seq=number * 10 + place, entry=number, position=place)
        for place, event in enumerate(events, start=1)
    )


def gained(amount: int, reason: str, *, fighter: str = "krug", victim: str | None = None) -> records.Event:
    return records.ExperienceGained(fighter=fighter, amount=amount, reason=reason, victim=victim)


def moved(source: str, target: str) -> records.CreditsMoved:
    return records.CreditsMoved(source=source, target=target, amount=10, why="a bet", section="s")


def test_the_story_tells_gang_by_gang_who_fell_to_whom_with_what_and_who_gained() -> None:
    battle_story = story(BATTLE, [entry_57()], NAMES, members=MEMBERS)
    assert battle_story == (
        GangStory(
            gang="hawks",
            crew=("krug",),
            casualties=(),
            experience=(FighterStory(fighter="krug", sentence="Krug gains 2 XP: Mags Out of Action"),),
            after=(),
        ),
        GangStory(
            gang="rats",
            crew=("mags", "vex"),
            casualties=(
                FighterStory(
                    fighter="mags", sentence="Mags is taken Out of Action by Krug; suffers Hobbled (4-6)"
                ),
            ),
            experience=(),
            after=(),
        ),
    )


def test_a_fighters_gains_are_added_up_reason_by_reason_whenever_they_came() -> None:
    during = [entry(57, gained(1, "took_part"), gained(2, "out_of_action", victim="mags"))]
    after = [(BOTH, entry(60, gained(3, "took_part"), gained(1, "old_score")))]
    hawks, _ = story(BATTLE, during, NAMES, members=MEMBERS, after=after)
    assert [gain.sentence for gain in hawks.experience] == [
        "Krug gains 7 XP: 4 for took part, 2 for out of action (Mags), 1 for old score"
    ]


def test_an_injury_without_a_fall_names_who_gave_it() -> None:
    _, rats = story(BATTLE, [entry(57, injury())], NAMES, members=MEMBERS)
    assert [casualty.sentence for casualty in rats.casualties] == ["Mags suffers Hobbled (4-6) from Krug"]


def test_a_fate_and_its_injury_of_one_name_are_shown_once() -> None:
    captured = records.FateDecided(fighter="mags", fate="captured", name="Captured", section="s")
    recovers = records.FateDecided(fighter="vex", fate="recovers", name="recovers", section="s")
    _, rats = story(
        BATTLE,
        [entry(57, captured, injury(injury="captured", name="Captured", cell="12")), entry(58, recovers)],
        NAMES,
        members=MEMBERS,
    )
    assert [casualty.sentence for casualty in rats.casualties] == [
        "Mags suffers Captured (1-2)",
        "fate of vex: recovers",
    ]


def test_a_wreck_is_a_casualty_of_the_gang_whose_vehicle_it_was() -> None:
    wreck = records.VehicleWrecked(
        vehicle="tank", by="krug", causes=("hit_points",), mobile=False, lasting_damage_rolls=1
    )
    hawks, rats = story(BATTLE, [entry(57, wreck)], NAMES, members=MEMBERS)
    assert (len(hawks.casualties), [casualty.fighter for casualty in rats.casualties]) == (0, ["tank"])


def test_a_story_shows_no_rolls_and_both_sides_of_every_movement() -> None:
    roll = entry_57()[1].event
    step = records.StepReached(gang="hawks", step="income", name="Income", section="s")
    rose = records.FighterRenamed(fighter="vex", before="vex", after="Vex the Red")
    after = [(BOTH, entry(60, roll, step, moved("hawks", "rats"), rose, moved("@income", "others")))]
    hawks, rats = story(BATTLE, [], NAMES, members=MEMBERS, after=after)
    assert hawks.after == ("10 credits, Iron Hawks -> Sump Rats: a bet",)
    assert rats.after == (
        "10 credits, Iron Hawks -> Sump Rats: a bet",
        "vex is called Vex the Red from now on",
    )


def test_a_story_ends_where_the_gangs_next_battle_begins() -> None:
    after = [
        (BOTH, entry(60, moved("@income", "hawks"), moved("@income", "rats"))),
        (
            frozenset({"rats"}),
            entry(70, moved("@scrap", "hawks"), moved("@scrap", "rats"), gained(5, "late")),
        ),
    ]
    hawks, rats = story(BATTLE, [], NAMES, members=MEMBERS, after=after)
    assert (len(hawks.after), len(rats.after), hawks.experience) == (1, 2, ())


def test_every_format_tells_the_same_story() -> None:
    tell = partial(story, BATTLE, [entry_57()], members=MEMBERS)
    assert render(battle_page(BATTLE, [entry_57()], NAMES, story=tell)).split("\n")[5:14] == [
        "Iron Hawks",
        "  Casualties",
        "    none",
        "  Experience",
        "    Krug gains 2 XP: Mags Out of Action",
        "",
        "Sump Rats",
        "  Casualties",
        "    Mags is taken Out of Action by Krug; suffers Hobbled (4-6)",
    ]
    assert render(battle_page(BATTLE, [], NAMES, story=tell), "discord") == (
        "**Battle 3 (sump-raid): Sabotage, 2026-03-01**\n"
        "Result: won by Iron Hawks\n"
        "- Iron Hawks: 1 fighter (Krug)\n"
        "- Sump Rats: 2 fighters (Mags, vex)\n"
        "\n"
        "**Iron Hawks**: casualties\n"
        "- none\n"
        "\n"
        "**Iron Hawks**: experience\n"
        "- Krug gains 2 XP: Mags Out of Action\n"
        "\n"
        "**Sump Rats**: casualties\n"
        "- Mags is taken Out of Action by Krug; suffers Hobbled (4-6)"
    )
    page = render(battle_page(BATTLE, [entry_57()], NAMES, story=tell), "md")
    assert "\n\n## Sump Rats\n\n### Casualties\n\n- Mags is taken Out of Action by Krug;" in page
    (_, rats) = json.loads(render(battle_page(BATTLE, [entry_57()], NAMES, story=tell), "json"))["story"]
    assert rats["casualties"] == [
        {"fighter": "mags", "sentence": "Mags is taken Out of Action by Krug; suffers Hobbled (4-6)"}
    ]


def test_on_a_page_every_name_keeps_its_direction_to_itself() -> None:
    names = replace(NAMES, fighters={"krug": "קרוג 7", "mags": HOSTILE})
    tell = partial(story, BATTLE, [entry_57()], members=MEMBERS)
    page = render(battle_page(BATTLE, [entry_57()], names, story=tell), "html")
    hostile = "<bdi>[2J[/bold]|=cmd`&lt;b&gt;</bdi>"
    assert f"<li>{hostile} is taken Out of Action by <bdi>קרוג 7</bdi>; suffers Hobbled (4-6)</li>" in page
    assert f"<li><bdi>Sump Rats</bdi>: 2 fighters ({hostile}, <bdi>vex</bdi>)</li>" in page
    assert all(line.isprintable() for line in page.split("\n"))
