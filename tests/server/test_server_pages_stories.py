"""Pages that tell: a campaign's timeline, and what a ruling changed, where whom it touches will see it."""

from cli_arbitrator import Arbitrator
from served import Club, Served
from test_server_pages import seen

from tracker.campaign import records
from tracker.service.command_handler import CommandWithDice

CAMPAIGN = "/campaigns/ash-wastes"


def ruled(table: Arbitrator) -> int:
    """Quill's Hobbled was a 2-1: the Movement comes back."""
    (roll,) = [
        event["address"]
        for entry in table.read("battle", "show", "b2")["entries"]
        for event in entry["events"]
        if event["type"] == "RollMade" and event["data"]["faces"] == [4, 6]
    ]
    opened = table.done("dispute", "open", roll, "--reason", "it was cocked", "--by", "Robin", "--json")
    number = int(opened.json["entries"][0]["entry"])
    table.done(
        "dispute", "rule", str(number), "--faces", "2-1", "--reason", "all of us saw a 2-1", "--force", "seen"
    )
    return number


def test_a_disputes_page_shows_what_the_ruling_changed_before_and_after(
    served: Served, table: Arbitrator
) -> None:
    number = ruled(table)
    page = seen(served, f"{CAMPAIGN}/disputes/{number}")
    changed = page.partition("What it changed")[2]
    assert "Quill" in changed
    assert "<del>" in changed
    assert "<ins>" in changed
    assert "Movement" in changed


def test_whose_fighter_a_ruling_changed_sees_it_on_the_gangs_page_and_nobody_else(
    served: Served, table: Arbitrator
) -> None:
    number = ruled(table)
    theirs = seen(served, f"{CAMPAIGN}/gangs/gilded-cage")
    assert "A ruling changed" in theirs
    assert "all of us saw a 2-1" in theirs
    assert f'href="{CAMPAIGN}/disputes/{number}">See the ruling' in theirs
    assert "all of us saw a 2-1" not in seen(served, f"{CAMPAIGN}/gangs/iron-skulls")
    assert "A ruling changed" not in seen(served, f"{CAMPAIGN}/gangs/gilded-cage?after=1")


def test_a_ruling_that_confirms_a_roll_changed_nothing(served: Served, table: Arbitrator) -> None:
    opened = table.done("dispute", "open", "10.2", "--reason", "cocked", "--by", "Robin", "--json")
    number = opened.json["entries"][0]["entry"]
    table.done("dispute", "rule", str(number), "--confirm", "--reason", "it lay flat", "--force", "seen")
    assert "What it changed" not in seen(served, f"{CAMPAIGN}/disputes/{number}")
    assert "A ruling changed" not in seen(served, f"{CAMPAIGN}/gangs/gilded-cage")


def test_the_timeline_tells_of_battles_house_rules_and_rulings_under_the_battle_they_followed(
    served: Served, table: Arbitrator
) -> None:
    ruled(table)
    table.done("policy", "adopt", "captives-in-rating@1", "--from-battle", "3", "--reason", "we voted")
    chapters = table.read("campaign", "timeline")["chapters"]
    assert [chapter["battle"] and chapter["battle"]["number"] for chapter in chapters] == [None, 1, 2]
    assert {moment["kind"] for moment in chapters[0]["moments"]} == {"gang"}
    assert [moment["kind"] for moment in chapters[2]["moments"]] == ["ruling", "house rule"]
    page = seen(served, f"{CAMPAIGN}/timeline")
    assert page.index("Battle 2") < page.index("Battle 1") < page.index("Before the first battle")
    assert "we voted" in page
    assert f'href="{CAMPAIGN}/house-rules/captives-in-rating%401"' in page
    assert "captives-in-rating@1" not in page


def test_what_a_ruling_struck_out_is_told_no_more(served: Served, table: Arbitrator) -> None:
    before = table.read("campaign", "timeline")["injuries"]
    assert before.get("Hobbled") == 1
    ruled(table)
    after = table.read("campaign", "timeline")["injuries"]
    assert "Hobbled" not in after
    assert sum(after.values()) == sum(before.values())


def test_a_fighters_page_says_how_they_stand_in_the_battle_under_way(club: Club) -> None:
    commands = (
        records.OpenBattle(
            battle="b9",
            scenario="Toll",
            date="2026-05-01",
            crews={"iron-skulls": ("krug",), "gilded-cage": ("wren",)},
        ),
        records.StateOutcome(target="wren", outcome="flesh_wound", attacker="krug"),
    )
    headers = {"Accept": "text/html", "Authorization": f"Bearer {club.tokens['Mara']}"}
    page = f"{CAMPAIGN}/fighters/wren"
    assert "In the battle under way" not in club.client.get(page, headers=headers).text
    played = [CommandWithDice(command=command) for command in commands]
    club.tracker.commands.play(club.campaign, played, key="open")
    assert "In the battle under way: 1 Flesh Wound." in club.client.get(page, headers=headers).text
