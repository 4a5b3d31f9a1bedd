"""Rosters, standings, battles, policies and a fighter's page, in every format."""

from __future__ import annotations

import csv
import io
import json
from typing import Any

import msgspec
from report_examples import (
    CARD,
    DISPUTE_ROW,
    HOSTILE,
    HOSTILE_SAFE,
    NAMES,
    entry_57,
    fighter_row,
    gang_row,
    injury,
    recorded,
)
from tables import every

from tracker.campaign import records
from tracker.campaign.fighters import Fighter, InjurySuffered
from tracker.campaign.profiles import Weapon, WeaponProfile
from tracker.campaign.state import Gang, PolicyInForce, Vehicle
from tracker.projections import roster as roster_board
from tracker.projections import standings as standings_board
from tracker.records import replace
from tracker.reports import battle, policy
from tracker.reports.fighter import fighter_page, status_line
from tracker.reports.page import DataTable, Row
from tracker.reports.rendering import render
from tracker.reports.roster import injuries_shown, roster_page
from tracker.reports.standings import standings_page
from tracker.reports.weapons import weapons_table

BATTLE: dict[str, Any] = {
    "battle": "sump-raid", "number": 3, "scenario": "Sabotage", "date": "2026-03-01", "status": "closed",
    "crews": [{"gang": "hawks", "fighters": ["krug"]}, {"gang": "rats", "fighters": ["mags", "vex"]}],
    "winner": "hawks", "drawn": False, "entry": 50, "position": 2, "closed": None,
}  # fmt: skip
HOUSE_RULE: dict[str, Any] = {
    "policy": "one-roll", "version": 1, "title": "One roll", "about": "However many dice said so.", "source": "A&A",
    "tags": [], "patch": {"lasting_injuries.rolls": "once"},
}  # fmt: skip
HELD = PolicyInForce(
    policy="one-roll", version=1, title="One roll", source="A&A", patch={"lasting_injuries.rolls": "once"},
    from_battle=5, reason="club vote",
)  # fmt: skip


# Rosters


def test_a_gangs_roster_is_its_totals_its_cards_its_kit_and_the_open_disputes() -> None:
    text = render(
        roster_page([gang_row()], [fighter_row()], heading="Dust Falls", pending=[DISPUTE_ROW], names=NAMES)
    )
    assert text == (
        "Dust Falls\n"
        "\n"
        "Sump Rats (Cawdor, player Ana)\n"
        "rating 95 credits · stash 40 credits · Reputation 3 · 3 battles: 2 won, 0 drawn, 1 lost · 1 enemy taken out\n"
        "\n"
        'Fighter  Rank      Status       M   WS  BS  S  T  W  I   A  Ld  Cl  Wil  Int  XP  Lasting injuries  Credits\n'
        'Mags     Champion  in Recovery  5"  4+  3+  3  3  1  4+  1  7+  7+  8+   8+    6  Hobbled                95\n'
        "\n"
        "Fighter  Weapon    Rng (S/L)  Acc (S/L)  S  D  Am  Traits\n"
        'Mags     stub gun  6"/12"     +2/-       3  1  4+  Sidearm, Plentiful\n'
        "\n"
        "Fighter  Skills                               Armour          Wargear\n"
        "Mags     Fearsome, enmity against Iron Hawks  flak armour 6+  photo-goggles\n"
        "\n"
        "Dispute 61 is open: Ana disputes 57.2: cocked die\n"
        "Values marked ? depend on an open dispute and may change."
    )  # fmt: skip


def test_a_roster_in_markdown_holds_the_same() -> None:
    bare = fighter_row(
        skills=[], grudges=[], armour=None, weapons=[], wargear=[], injuries=[], status="available"
    )
    assert render(roster_page([gang_row()], [bare], heading="Dust_Falls"), "md") == (
        "# Dust\\_Falls\n"
        "\n"
        "## Sump Rats (Cawdor, player Ana)\n"
        "\n"
        "rating 95 credits · stash 40 credits · Reputation 3 · 3 battles: 2 won, 0 drawn, 1 lost · 1 enemy taken out\n"
        "\n"
        "| Fighter | Rank | Status | M | WS | BS | S | T | W | I | A | Ld | Cl | Wil | Int | XP | Lasting injuries | Credits |\n"
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | ---: | --- | ---: |\n"
        '| Mags | Champion | available | 5" | 4+ | 3+ | 3 | 3 | 1 | 4+ | 1 | 7+ | 7+ | 8+ | 8+ | 6 |  | 95 |'
    )


def test_a_roster_as_a_sheet_is_one_line_per_fighter_with_bare_numbers() -> None:
    assert render(roster_page([gang_row()], [fighter_row()], names=NAMES), "csv") == (
        "gang,gang_name,fighter,name,category,kind,status,movement,weapon_skill,ballistic_skill,strength,toughness,"
        "wounds,initiative,attacks,leadership,cool,willpower,intelligence,experience,injuries,skills,grudges,armour,"
        "field_armour,weapons,wargear,cost_credits,enemies_taken_out,times_out_of_action,battles_fought,mutations,"
        "in_dispute\n"
        "rats,Sump Rats,mags,Mags,champion,Sump Boss,in_recovery,5,4,3,3,3,1,4,1,7,7,8,8,6,Hobbled,Fearsome,"
        "Iron Hawks,flak armour 6+,,stub gun,photo-goggles,95,1,2,3,,"
    )


def test_mutations_stand_in_a_column_of_their_own_where_there_are_any() -> None:
    mutated = fighter_row(mutations=["warped_limbs", "dark_madness"], mutations_to_choose=1)
    shown = "Warped Limbs, Dark Madness, one to choose"
    assert f"| {shown} |" in render(roster_page([gang_row()], [mutated], names=NAMES), "md")
    assert render(roster_page([gang_row()], [mutated], names=NAMES), "csv").endswith(f'95,1,2,3,"{shown}",')
    page = render(roster_page([gang_row(corrupted=True)], [mutated, fighter_row(name="Vex")], names=NAMES))
    assert page.count("Mutations") == page.count(shown) == 1
    assert "1 enemy taken out · corrupted\n" in page
    bare = render(roster_page([gang_row()], [fighter_row()], names=NAMES))
    assert "Mutations" not in bare
    assert "corrupted" not in bare


def test_a_roster_for_programs_is_the_boards_rows() -> None:
    assert json.loads(render(roster_page([gang_row()], [fighter_row()], pending=[DISPUTE_ROW]), "json")) == {
        "schema": "arbitrator/roster/1",
        "heading": "",
        "gangs": [{**gang_row(), "fighters": [fighter_row()]}],
        "pending": [DISPUTE_ROW],
        "resting": [],
    }


def test_a_campaign_without_gangs_says_so() -> None:
    assert render(roster_page([], [])) == "No gangs yet."
    assert render(standings_page([])) == "No gangs yet."


def weapons(*carried: Weapon, **given: Any) -> str:
    """What a roster prints of a fighter who carries these."""
    row = fighter_row(weapons=msgspec.to_builtins(carried), skills=[], grudges=[], armour=None, wargear=[])
    return render(roster_page([gang_row()], [row | given]), "text").split("\n\n", 2)[2]


def test_a_weapon_is_printed_as_its_card_prints_it_a_line_for_each_profile() -> None:
    cannon = Weapon(
        weapon="bore cannon",
        profiles=(
            WeaponProfile(
                name="solid", strength=6, armour_penetration=-2, damage=2, traits=("Knockback",),
                range_short_inches=12, range_long_inches=30, accuracy_long=-1, ammo=5,
            ),
            WeaponProfile(name="gas", strength=0, damage=None, traits=("Template", "Gas"), ammo=5),
        ),
    )  # fmt: skip
    sword = Weapon(weapon="sword", profiles=(WeaponProfile(strength=None, traits=("Melee", "Parry")),))
    maul = Weapon(
        weapon="maul", profiles=(WeaponProfile(strength=None, strength_added=1, traits=("Melee",)),)
    )
    glaive = Weapon(
        weapon="glaive",
        profiles=(WeaponProfile(strength=5, range_long_inches=2, traits=("Melee", "Versatile")),),
    )
    assert weapons(cannon, sword, maul, glaive) == (
        "Fighter  Weapon               Rng (S/L)  Acc (S/L)  S    AP  D  Am  Traits\n"
        'Mags     bore cannon (solid)  12"/30"    -/-1       6    -2  2  5+  Knockback\n'
        "Mags     bore cannon (gas)    -/T        -          -    -   -  5+  Template, Gas\n"
        "Mags     sword                -/E        -          S    -   1  -   Melee, Parry\n"
        "Mags     maul                 -/E        -          S+1  -   1  -   Melee\n"
        'Mags     glaive               E/2"       -          5    -   1  -   Melee, Versatile'
    )


def test_a_card_without_strength_prints_no_strength_of_its_wielder() -> None:
    rifle = Weapon(
        weapon="rifle", profiles=(WeaponProfile(strength=None, damage=None, range_long_inches=24),)
    )
    trench = {"movement": 6, "ranged": 2, "melee": 0, "armour": -1}
    assert weapons(rifle, characteristics=trench) == ('Fighter  Weapon  Rng (S/L)\nMags     rifle   -/24"')


def test_a_weapon_in_dispute_is_marked_and_a_name_without_numbers_is_still_listed() -> None:
    row = fighter_row(weapons=["stub gun"])
    assert render(roster_page([gang_row()], [row]), "md").count("| Mags | stub gun |") == 1
    assert weapons_table([{**row, "pending": ["weapons"]}]) == DataTable(
        ("Fighter", "Weapon"), [["Mags", "stub gun ?"]], keys=2, chat=["\ue002Mags\ue003, stub gun ?"]
    )


@every("standing", ["dead", "retired", "sold"])
def test_fighters_who_are_gone_stand_apart_without_card_or_weapons(standing: str) -> None:
    gone = fighter_row(fighter="vex", name="Vex", standing=standing, status=standing)
    text = render(roster_page([gang_row()], [gone, fighter_row()]), "md")
    head, _, line = text.split("\n\n")[-1].split("\n")
    assert head == "| Fights no more | Rank | Status | XP | Lasting injuries | Credits |"
    assert line == f"| Vex | Champion | {standing} | 6 | Hobbled | 95 |"
    assert text.count("Vex") == 1


def test_convalescence_under_recovery_is_shown() -> None:
    row = fighter_row(status="in_recovery", convalescing=True)
    assert "| Mags | Champion | in Recovery, convalescing |" in render(roster_page([gang_row()], [row]), "md")
    assert status_line(row, [], NAMES) == "in Recovery, convalescing"
    assert status_line(fighter_row(status="convalescing", convalescing=True), [], NAMES) == "convalescing"


def test_a_roster_for_a_chat_has_a_line_for_each_card_weapon_and_kit() -> None:
    gone = fighter_row(fighter="vex", name="Vex", standing="dead", status="dead")
    chat = render(roster_page([gang_row()], [fighter_row(), gone], names=NAMES), "discord")
    assert chat.split("\n\n")[1:] == [
        (
            '**Mags**: Champion · in Recovery · M 5" WS 4+ BS 3+ S 3 T 3 W 1 I 4+ A 1 Ld 7+ Cl 7+ Wil 8+ Int 8+'
            " · 6 XP · Hobbled · 95 credits"
        ),
        '**Mags**, stub gun: Rng 6"/12", Acc +2/-, S 3, D 1, Am 4+; Sidearm, Plentiful',
        "**Mags**: Skills Fearsome, enmity against Iron Hawks; Armour flak armour 6+; Wargear photo-goggles",
        "**Vex**: dead · 6 XP · Hobbled · 95 credits",
    ]


def test_a_fighters_page_is_a_document_and_a_chat_too() -> None:
    page = render(fighter_page(fighter_row(), gang_row(), [], NAMES), "html")
    assert "<title>Mags</title>" in page
    assert '<td class="word">stub gun</td>' in page
    chat = render(fighter_page(fighter_row(), gang_row(), [], NAMES), "discord")
    assert '\nstub gun: Rng 6"/12", Acc +2/-, S 3, D 1, Am 4+; Sidearm, Plentiful\n' in chat


def test_the_same_injury_twice_is_counted_and_a_substituted_one_names_its_row() -> None:
    hobbled = {"injury": "hobbled", "name": "Hobbled", "counted_as": "hobbled"}
    scars = {"injury": "impressive_scars", "name": "Impressive Scars", "counted_as": "out_cold"}
    row = fighter_row(injuries=[hobbled, scars, hobbled])
    assert injuries_shown(row) == "Hobbled × 2, Impressive Scars (as Out Cold)"


def test_hostile_names_are_harmless_in_every_roster() -> None:
    gangs = [gang_row(name=HOSTILE, house=HOSTILE, player=HOSTILE)]
    fighters = [fighter_row(name=HOSTILE, kind=HOSTILE, skills=[HOSTILE], wargear=[HOSTILE])]
    pending = [{**DISPUTE_ROW, "raised_by": HOSTILE, "reason": HOSTILE}]
    text = render(roster_page(gangs, fighters, heading=HOSTILE, pending=pending))
    assert text.count(HOSTILE_SAFE) == 1 + 3 + 2 + 3 + 2
    markdown = render(roster_page(gangs, fighters, heading=HOSTILE, pending=pending), "md")
    assert "\n| \\[2J\\[/bold\\]\\|=cmd\\`\\<b\\> | Champion |" in markdown
    page = render(roster_page(gangs, fighters, heading=HOSTILE, pending=pending), "html")
    assert ">[2J[/bold]|=cmd`&lt;b&gt;</td>" in page
    assert "<b>" not in page
    for written in (text, markdown, page):
        assert all(line.isprintable() for line in written.split("\n"))
    sheet = render(roster_page([gang_row()], [fighter_row(name="=cmd()", kind="@x", wargear=["+1"])]), "csv")
    (line,) = csv.DictReader(io.StringIO(sheet))
    assert (line["name"], line["kind"], line["wargear"]) == ("'=cmd()", "'@x", "'+1")


def test_the_page_loads_nothing_from_elsewhere() -> None:
    page = render(
        roster_page([gang_row()], [fighter_row()], heading="Dust Falls", pending=[DISPUTE_ROW]), "html"
    )
    assert page.startswith("<!doctype html>")
    assert "<h1>Dust Falls</h1>" in page
    assert "<h2><bdi>Sump Rats</bdi> (Cawdor, player <bdi>Ana</bdi>)</h2>" in page
    assert "<li>Dispute 61 is open: Ana disputes 57.2: cocked die</li>" in page
    assert not any(word in page for word in ("https:", "<script", "src=", "href=", "@import", "url("))
    assert "<p>No gangs yet.</p>" in render(roster_page([], []), "html")


def test_the_boards_own_rows_are_read() -> None:
    mags = Fighter(
        fighter="mags", gang="rats", name="Mags", category="champion", kind="Sump Boss", cost_credits=95,
        characteristics=CARD, injuries=(InjurySuffered(injury="hobbled", name="Hobbled", counted_as="hobbled", battle=3),),
        recovering_since=3,
    )  # fmt: skip
    rats = Gang(
        gang="rats",
        name="Sump Rats",
        house="cawdor",
        player="Ana",
        credits=40,
        reputation=3,
        fighters={"mags": mags},
    )
    fighters: list[Row] = [{**roster_board.fighter_row(mags)}]
    gangs: list[Row] = [{**row} for row in standings_board.in_order([standings_board.gang_row(rats)])]
    assert "Mags     Champion  in Recovery" in render(roster_page(gangs, fighters))
    assert '<td class="word">Mags</td>' in render(roster_page(gangs, fighters), "html")
    assert "\nrats,Sump Rats,mags,Mags," in render(roster_page(gangs, fighters), "csv")
    assert "\n    1  Sump Rats  Cawdor  Ana" in render(standings_page(gangs))
    assert render(fighter_page(fighters[0], gangs[0], [], NAMES)).startswith("Mags, Champion of Sump Rats")


# Standings


def test_standings_keep_the_boards_order_and_equals_share_a_place() -> None:
    second = gang_row(gang="hawks", name="Iron Hawks", house="orlock", player="Vic", won=1)
    third = {**second, "gang": "saints", "name": "Saints"}
    assert render(standings_page([gang_row(), second, third], heading="Dust Falls")) == (
        "Dust Falls\n"
        "\n"
        "Place  Gang        House   Player  Battles  Won  Drawn  Lost  Taken out  Reputation  Rating\n"
        "    1  Sump Rats   Cawdor  Ana           3    2      0     1          1           3      95\n"
        "    2  Iron Hawks  Orlock  Vic           3    1      0     1          1           3      95\n"
        "    2  Saints      Orlock  Vic           3    1      0     1          1           3      95\n"
        "\n"
        "By battles won, then drawn, then Reputation, then enemies taken out."
    )
    assert render(standings_page([gang_row(player="=Ana")]), "csv") == (
        "place,gang,name,house,player,battles,won,drawn,lost,enemies_taken_out,reputation,rating_credits,credits,"
        "wealth_credits,in_dispute\n"
        "1,rats,Sump Rats,cawdor,'=Ana,3,2,0,1,1,3,95,40,155,"
    )
    assert json.loads(render(standings_page([gang_row()]), "json"))["gangs"] == [{"place": 1, **gang_row()}]
    assert "| 1 | \\[x\\] |" in render(standings_page([gang_row(name="[x]")]), "md")


# A fighter's page


def history(*events: records.Event) -> list[Any]:
    return [
        recorded(event, seq=100 + place, entry=40 + place, position=2) for place, event in enumerate(events)
    ]


MAGS_ENLISTS = records.FighterEnlisted(
    fighter="mags", gang="rats", name="Mags", category="champion", kind="Sump Boss", cost_credits=95,
    characteristics=CARD, experience=3,
)  # fmt: skip


def test_a_fighters_page_tells_status_injuries_and_experience_with_their_entries() -> None:
    events = history(
        MAGS_ENLISTS,
        records.ExperienceGained(fighter="mags", amount=2, reason="Krug Out of Action", victim="krug"),
        records.ExperienceGained(fighter="krug", amount=9, reason="not hers", victim="mags"),
        records.ExperienceGained(fighter="mags", amount=1, reason="took the loot"),
        injury(),
        records.WentIntoRecovery(fighter="mags", battle=3),
    )
    text = render(fighter_page(fighter_row(), gang_row(), events, NAMES, pending=[DISPUTE_ROW]))
    assert text == (
        "Mags, Champion of Sump Rats (Sump Boss, 95 credits)\n"
        'M 5" WS 4+ BS 3+ S 3 T 3 W 1 I 4+ A 1 Ld 7+ Cl 7+ Wil 8+ Int 8+\n'
        "Status: in Recovery: Mags goes into Recovery and misses the gang's next battle (45.2)\n"
        "3 battles fought, 1 enemy taken out, 2 times Out of Action\n"
        "Skills: Fearsome, enmity against Iron Hawks\n"
        "Armour: flak armour 6+\n"
        "Wargear: photo-goggles\n"
        "\n"
        "Weapon    Rng (S/L)  Acc (S/L)  S  D  Am  Traits\n"
        'stub gun  6"/12"     +2/-       3  1  4+  Sidearm, Plentiful\n'
        "\n"
        "Lasting injuries\n"
        "Mags suffers Hobbled (4-6) from Krug (battle 3, 44.2)\n"
        "\n"
        "Experience\n"
        "  3  on enlisting\n"
        " +2  Krug Out of Action (41.2)\n"
        " +1  took the loot (43.2)\n"
        "  6  XP in all\n"
        "\n"
        "Disputes\n"
        "Dispute 61 is open: Ana disputes 57.2: cocked die\n"
        "Values marked ? depend on an open dispute and may change."
    )
    page = render(fighter_page(fighter_row(name="[M]"), gang_row(), events, NAMES), "md")
    assert page.startswith('# \\[M\\], Champion of Sump Rats (Sump Boss, 95 credits)\n\nM 5" WS 4+')
    assert "**Lasting injuries**\n\n- Mags suffers Hobbled (4-6) from Krug (battle 3, 44.2)" in page
    statement = json.loads(render(fighter_page(fighter_row(), gang_row(), events, NAMES), "json"))[
        "experience"
    ]
    assert statement == {
        "start": 3,
        "gained": [{"address": "41.2", "amount": 2}, {"address": "43.2", "amount": 1}],
        "total": 6,
        "spent": [],
        "board": 6,
    }


def test_a_statement_that_does_not_add_up_is_said_aloud() -> None:
    text = render(fighter_page(fighter_row(experience=7), gang_row(), history(MAGS_ENLISTS), NAMES))
    assert "  3  XP in all\nThe board says 7: see 'arbitrator boards verify'." in text


@every(
    ("status", "events", "expected"),
    [
        ("available", (MAGS_ENLISTS,), "available"),
        (
            "available",
            (MAGS_ENLISTS, records.RecoveryEnded(fighter="mags")),
            "available: Mags is back from Recovery (41.2)",
        ),
        (
            "dead",
            (injury(), records.FighterDied(fighter="mags", why="Memorable Death")),
            "dead: Mags dies (Memorable Death) (41.2)",
        ),
        ("in_recovery", (), "in Recovery"),
    ],
)
def test_a_status_names_the_event_behind_it(
    status: str, events: tuple[records.Event, ...], expected: str
) -> None:
    assert status_line(fighter_row(status=status), history(*events), NAMES) == expected


# Battles


def test_battles_are_listed_with_gangs_and_result() -> None:
    drawn = {**BATTLE, "battle": "b4", "number": 4, "winner": None, "drawn": True}
    under_way = {**BATTLE, "battle": "b5", "number": 5, "winner": None, "status": "under_way"}
    assert render(battle.battles_page([BATTLE, drawn, under_way], NAMES)) == (
        "No.  Battle     Date        Scenario  Gangs                         Result\n"
        "  3  sump-raid  2026-03-01  Sabotage  Iron Hawks against Sump Rats  won by Iron Hawks\n"
        "  4  b4         2026-03-01  Sabotage  Iron Hawks against Sump Rats  a draw\n"
        "  5  b5         2026-03-01  Sabotage  Iron Hawks against Sump Rats  under way"
    )
    assert render(battle.battles_page([], NAMES)) == "No battles yet."
    assert render(battle.battles_page([{**BATTLE, "scenario": "=1"}], NAMES), "csv") == (
        "number,battle,date,scenario,gangs,status,winner,drawn\n"
        "3,sump-raid,2026-03-01,'=1,Iron Hawks against Sump Rats,closed,hawks,no"
    )
    assert json.loads(render(battle.battles_page([BATTLE], NAMES), "json"))["battles"] == [BATTLE]


def test_a_battle_tells_crews_result_and_its_entries() -> None:
    assert render(battle.battle_page(BATTLE, [entry_57()], NAMES)) == (
        "Battle 3 (sump-raid): Sabotage, 2026-03-01\n"
        "Result: won by Iron Hawks\n"
        "Iron Hawks: 1 fighter (Krug)\n"
        "Sump Rats: 2 fighters (Mags, vex)\n"
        "\n"
        "Entry by entry\n"
        "57  2026-03-01 20:14  vic  hit: Krug's autogun on Mags -> Mags is taken Out of Action by Krug:"
        " 1 Lasting Injury roll; Mags suffers Hobbled (4-6) from Krug"
    )
    page = render(battle.battle_page({**BATTLE, "scenario": HOSTILE}, [entry_57()], NAMES), "md")
    assert page.startswith("# Battle 3 (sump-raid): \\[2J\\[/bold\\]\\|=cmd\\`\\<b\\>, 2026-03-01\n\nResult:")
    data = json.loads(render(battle.battle_page(BATTLE, [entry_57()], NAMES), "json"))
    assert (data["battle"], [entry["entry"] for entry in data["entries"]]) == (BATTLE, [57])


# Policies


def test_policies_are_listed_with_the_battles_they_hold_for() -> None:
    older = replace(HELD, version=0, title="Old roll", from_battle=2, until_battle=5)
    assert render(
        policy.policies_page([HOUSE_RULE, {**HOUSE_RULE, "policy": "other", "title": "[x]"}], [older, HELD])
    ) == (
        "Policy      Title     In force          Source\n"
        "one-roll@1  One roll  from battle 5 on  A&A\n"
        "other@1     [x]                         A&A\n"
        "one-roll@0  Old roll  battles 2 to 4    A&A"
    )
    assert render(policy.policies_page([], [])) == "There are no house rules."
    assert render(policy.policies_page([HOUSE_RULE], [])) == (
        "Policy      Title     Source\none-roll@1  One roll  A&A"
    )
    assert (
        json.loads(render(policy.policies_page([HOUSE_RULE], [HELD]), "json"))["held"][0]["from_battle"] == 5
    )


def test_a_policy_tells_every_knob_it_moves_as_printed_and_as_played() -> None:
    printed, about = {"lasting_injuries.rolls": "each_out_of_action"}, {"lasting_injuries.rolls": "How many."}
    assert render(policy.policy_page(HOUSE_RULE, [HELD], printed=printed, about=about)) == (
        "One roll (one-roll@1)\n"
        "However many dice said so.\n"
        "Source: A&A\n"
        "In force: from battle 5 on\n"
        "\n"
        "lasting_injuries.rolls: each_out_of_action -> once\n"
        "    How many."
    )
    assert "\nIn force: no\n\nIt changes no setting." in render(
        policy.policy_page({**HOUSE_RULE, "patch": {}}, [], printed={})
    )
    assert json.loads(render(policy.policy_page(HOUSE_RULE, [HELD], printed=printed), "json"))["knobs"] == [
        {"knob": "lasting_injuries.rolls", "printed": "each_out_of_action", "played": "once"}
    ]


@every(
    ("until", "expected"),
    [(6, "battle 5 only"), (5, "never: adopted from battle 5 on, and ended before that")],
)
def test_a_policy_that_ended_says_how_long_it_held(until: int, expected: str) -> None:
    held = replace(HELD, until_battle=until)
    assert f"\nIn force: {expected}\n" in render(policy.policy_page(HOUSE_RULE, [held], printed={}))


def test_the_history_of_policies_says_who_when_what_and_why() -> None:
    events = history(
        records.PolicyAdopted(
            policy="one-roll",
            version=1,
            title="One roll",
            source="A&A",
            patch={},
            from_battle=5,
            reason=HOSTILE,
        ),
        records.FighterPinned(fighter="mags"),
        records.PolicyRepealed(policy="one-roll", version=1, from_battle=7, reason="too kind"),
    )
    assert render(policy.policy_history_page(events, NAMES)) == (
        "2026-03-01 20:14  40.2  vic adopted One roll (one-roll@1) from battle 5 on."
        f" Reason: {HOSTILE_SAFE}\n"
        "2026-03-01 20:14  42.2  vic repealed one-roll@1 from battle 7 on. Reason: too kind"
    )
    assert (
        render(policy.policy_history_page([], NAMES))
        == "No house rule was ever adopted: the book is played as printed."
    )
    assert [
        change["address"]
        for change in json.loads(render(policy.policy_history_page(events, NAMES), "json"))["history"]
    ] == [
        "40.2",
        "42.2",
    ]


def test_a_gang_with_things_in_its_stash_says_what_it_is_worth_in_all() -> None:
    row = gang_row(stash=[{"name": name, "kind": "wargear", "cost_credits": 5} for name in ("rope", "lamp")])
    assert "stash 40 credits and 2 things, wealth 155" in render(roster_page([row], []))
    assert "stash 40 credits ·" in render(roster_page([gang_row()], []))


def test_the_weapons_on_a_vehicles_own_card_are_printed_with_their_numbers() -> None:
    rig = Vehicle(
        vehicle="rig", gang="rats", name="Rig", kind="Buggy", cost_credits=90, crew="mags", movement=7, toughness_front=5,
        toughness_side=5, toughness_rear=4, hit_points=3, handling=6, save=None, weapons=("bolter", "claw", "flamer"),
        armament=(
            Weapon(weapon="bolter", profiles=(WeaponProfile(strength=5, damage=2, range_long_inches=24, ammo=6),)),
            Weapon(weapon="claw", profiles=(WeaponProfile(strength=None, strength_added=2, traits=("Melee",)),)),
        ),
    )  # fmt: skip
    gang = standings_board.gang_row(
        Gang(
            gang="rats", name="Rats", house="x", player="Ana", credits=0, reputation=0, vehicles={"rig": rig}
        )
    )
    shown = render(roster_page([gang], []))
    assert (
        "Vehicle  Weapon  Rng (S/L)  S    D  Am  Traits\n"
        'Rig      bolter  -/24"      5    2  6+\n'
        "Rig      claw    -/E        S+2  1  -   Melee\n"
    ) in shown.replace("  \n", "\n") + "\n"


def test_a_vehicle_that_nobody_drives_stands_in_the_stash() -> None:
    from tracker.reports.roster import vehicle_lines

    rig = {
        "vehicle": "rig", "name": "Rig", "crew": "", "movement": 7, "toughness": [5, 5, 4], "hit_points": 3, "handling": 6,
        "save": None, "weapons": [], "lasting_damage": [], "in_repair": False, "cost_credits": 90,
    }  # fmt: skip
    assert vehicle_lines(gang_row(vehicles=[rig]), NAMES)[0][1] == "in the stash"
