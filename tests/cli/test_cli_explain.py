"""`explain`: from any number on any board to the dice, house rules and rulings behind it."""

from typing import Any

import pytest
from cli_arbitrator import Arbitrator
from tables import every

from tracker.rules import loader


def tree(table: Arbitrator, *words: str) -> list[dict[str, Any]]:
    """The entries behind one number, in the order of play."""
    explanation = table.read("explain", *words)
    assert len(explanation["numbers"]) == 1
    return list(explanation["numbers"][0]["tree"])


def addresses(node: dict[str, Any]) -> list[str]:
    """The events below a node, each after the one that led to it."""
    return [
        address
        for node in node["below"]
        for address in ([node["address"]] if "address" in node else []) + addresses(node)
    ]


def path(node: dict[str, Any]) -> list[str]:
    """From the node down to the event that moved the number."""
    for one in node["below"]:
        if one.get("moved"):
            return [one["type"]]
        below = path(one)
        if below:
            return [one["type"], *below]
    return []


def test_a_characteristic_leads_from_the_card_to_the_dice_that_moved_it(season: Arbitrator) -> None:
    # Entry 10: Hob's wound roll of 5, the save of 2, the Injury die, the Lasting Injury roll of 4-6.
    enlisted, hurt = tree(season, "quill", "movement")
    assert path(enlisted) == ["GangEnlisted", "FighterEnlisted"]
    assert path(hurt) == [
        "RollMade", "WoundsLost", "RollMade", "FighterWentOutOfAction", "RollMade", "LastingInjurySuffered",
        "CharacteristicChanged",
    ]  # fmt: skip
    # The save that failed led to nothing by itself, and is reported all the same; Hob's XP is another number.
    assert addresses(hurt) == ["10.2", "10.3", "10.4", "10.5", "10.6", "10.8", "10.9", "10.11"]


def test_the_text_is_a_tree_with_book_sections_and_what_each_event_moved(season: Arbitrator) -> None:
    said = season.done("explain", "quill", "movement").out
    assert said.startswith('Quill\n\nMovement: 4"\n├─ 3 ')
    assert '└─ 10.11  Quill: Movement 5" -> 4" (Hobbled)  => 5" -> 4"' in said
    assert "[Core Rulebook (2023) · Lasting Injury Table]" in said
    assert "[Core Rulebook (2023) · Resolve Hits · 1. Make Wound Roll]" in said


@every("named", ["movement", "Movement", "M", "m"])
def test_a_number_goes_by_its_name_or_as_it_stands_on_the_card(season: Arbitrator, named: str) -> None:
    assert season.read("explain", "quill", named) == season.read("explain", "Quill", "movement")


@every(
    ("who", "number", "value", "entries"),
    [
        ("hob", "xp", 2, [2, 10]),
        ("pip", "xp", 2, [2, 7]),
        ("wren", "status", "available", [3, 6, 9]),
        ("quill", "status", "in_recovery", [3, 10]),
        ("quill", "injuries", None, [3, 10]),
        ("quill", "cost", 70, [3]),
        ("quill", "rank", "ganger", [3]),
        ("quill", "ballistic-skill", 4, [3]),
        ("quill", "battles", 2, [3, 5, 9]),
        ("krug", "kills", 1, [2, 6]),
        ("krug", "taken out", 1, [2, 6]),
        ("gilded-cage", "won", 1, [3, 12]),
        ("The Gilded Cage", "lost", 1, [3, 8]),
        ("iron-skulls", "credits", 40, [2]),
        ("iron-skulls", "reputation", 2, [2]),
    ],
)
def test_numbers_of_every_board_lead_to_the_entries_that_moved_them(
    season: Arbitrator, who: str, number: str, value: Any, entries: list[int]
) -> None:
    explanation = season.read("explain", who, number)["numbers"][0]
    assert [node["entry"] for node in explanation["tree"]] == entries
    assert value is None or explanation["value"] == value


def test_a_rating_is_the_sum_of_what_was_paid_for_everybody(season: Arbitrator) -> None:
    (enlisting,) = tree(season, "iron-skulls", "rating")[:1]
    joined = [node for node in enlisting["below"][0]["below"] if node["type"] == "FighterEnlisted"]
    assert [node["data"]["cost_credits"] for node in joined] == [245, 190, 95, 65, 55, 35]
    assert joined[-1]["moved"]["after"] == f"{245 + 190 + 95 + 65 + 55 + 35} credits"


def test_without_a_number_all_that_ever_moved_is_shown(season: Arbitrator) -> None:
    explanation = season.read("explain", "quill")
    assert [number["number"] for number in explanation["numbers"]] == [
        "status",
        "experience",
        "injuries",
        "movement",
    ]
    pip = [number["number"] for number in season.read("explain", "pip")["numbers"]]
    assert pip == ["status", "experience"]


@pytest.mark.usefixtures("wide")
def test_what_stands_above_is_not_printed_again(season: Arbitrator) -> None:
    said = season.done("explain", "quill").out
    numbers = season.read("explain", "quill")["numbers"]
    assert [len(number["tree"]) for number in numbers] == [2, 1, 2, 2], "programs read each tree whole"
    for event in ("10.2", "10.4", "10.5", "10.8"):
        assert sum(f"─ {event} " in line for line in said.splitlines()) == 1, event
    first, *later = [line for line in said.splitlines() if "─ 10 " in line]
    assert not first.endswith("(see above)")
    assert len(later) == 2
    assert all(line.endswith("(see above)") for line in later)
    assert '10.11  Quill: Movement 5" -> 4" (Hobbled)  => 5" -> 4"' in said


@pytest.fixture
def ruled(season: Arbitrator) -> Arbitrator:
    """The wound roll was disputed in entry 13 and corrected in entry 14: no wound, no injury, no XP."""
    season.done("dispute", "open", "10.2", "--by", "Robin", "--reason", "cocked die")
    season.done("dispute", "rule", "13", "--faces", "2", "--reason", "it was a 2", *season.seen())
    return season


@pytest.mark.usefixtures("wide")
def test_what_a_ruling_struck_out_stands_where_it_was_played_with_the_ruling(ruled: Arbitrator) -> None:
    enlisted, struck = tree(ruled, "hob", "xp")
    assert (enlisted["struck_by"], struck["struck_by"]) == (None, 14)
    assert struck["below"][0]["ruling"] == 14
    assert struck["below"][0]["data"]["verdict"] == "corrected"
    said = ruled.done("explain", "hob", "xp").out
    assert said.startswith("Hob Nine-Fingers\n\nXP: 0\n")
    assert "└─ struck out by entry 14: 10 " in said
    assert "ruling on dispute 13: corrected, wound roll 5 -> 2: it was a 2" in said


def test_what_a_ruling_decided_again_says_in_whose_place_it_stands(season: Arbitrator) -> None:
    season.done("dispute", "open", "10.8", "--reason", "it was a 4-1")
    season.done("dispute", "rule", "13", "--faces", "4-1", "--reason", "seen", *season.seen())
    said = season.done("explain", "quill", "injuries").out
    first, again = said.index("struck out by entry 14: 10 "), said.index("14  in place of entry 10: ")
    assert first < again
    entries = [(one["entry"], one["slot"], one["struck_by"]) for one in tree(season, "quill", "injuries")]
    assert entries == [(3, 3, None), (10, 10, 14), (14, 10, None)]


@pytest.mark.usefixtures("wide")
def test_an_open_dispute_is_marked_on_the_event_it_is_about(season: Arbitrator) -> None:
    season.done("dispute", "open", "10.2", "--by", "Robin", "--reason", "cocked die")
    said = season.done("explain", "quill", "movement").out
    marked = next(line for line in said.splitlines() if "10.2 " in line)
    assert marked.endswith("(disputed by Robin: cocked die; dispute 13 is open)")


@pytest.mark.usefixtures("wide")
def test_house_rules_behind_an_entry_are_named(empty: Arbitrator) -> None:
    from cli_arbitrator import begin
    from cli_reports import FIRST

    begin(empty, "--preset", "a_and_a")
    empty.record(FIRST)
    rules = " + ".join(policy for policy in loader.preset("a_and_a").policies)
    assert f"(house rules: {rules})" in empty.done("explain", "krug", "xp").out
    assert tree(empty, "krug", "xp")[-1]["policy_version"].startswith("necromunda_2023@1 + ")


@every(
    ("words", "says"),
    [
        (("nobody",), "No fighter and no gang is called 'nobody'"),
        (("krugg",), "Did you mean 'krug'?"),
        (("krug", "charm"), "No board shows 'charm'"),
        (("krug", "xpp"), "Known:"),
        (("iron-skulls", "movement"), "No board shows 'movement'"),
    ],
)
def test_what_cannot_be_explained_is_refused(season: Arbitrator, words: tuple[str, ...], says: str) -> None:
    assert says in season.refused(2, "explain", *words)


def test_a_gangs_credits_lead_to_every_movement_of_its_ledger(season: Arbitrator) -> None:
    season.done("gang", "credits", "@rewards", "iron-skulls", "50", "--reason", "won the toll")
    season.done("gang", "credits", "iron-skulls", "rust-saints", "20", "--reason", "a debt")
    explanation = season.read("explain", "iron-skulls", "credits")["numbers"][0]
    moved = [
        (node["entry"], below["moved"]["after"]) for node in explanation["tree"] for below in node["below"]
    ]
    assert moved == [(2, "40 credits"), (13, "90 credits"), (14, "70 credits")]
    assert season.read("explain", "rust-saints", "credits")["numbers"][0]["value"] == 20
    assert "The whole log had to be read" not in season.done("explain", "iron-skulls").out


def test_both_clocks_are_asked_as_of_every_other_board(ruled: Arbitrator) -> None:
    def xp_of_hob(*words: str) -> tuple[int, list[tuple[int, int | None]]]:
        (number,) = ruled.read("explain", "hob", "xp", *words)["numbers"]
        return number["value"], [(node["entry"], node["struck_by"]) for node in number["tree"]]

    assert xp_of_hob() == (0, [(2, None), (10, 14)])
    assert xp_of_hob("--as-of-battle", "2") == (0, [(2, None), (10, 14)])  # by what counts now
    assert xp_of_hob("--as-of-battle", "1") == (0, [(2, None)])
    assert xp_of_hob("--as-of-entry", "13") == (2, [(2, None), (10, None)])  # as was believed then
    assert xp_of_hob("--as-of-entry", "9") == (0, [(2, None)])
    assert xp_of_hob("--believed-on", "2999-01-01") == xp_of_hob()
    then = ruled.done("explain", "hob", "xp", "--as-of-entry", "13").out
    assert then.startswith("Hob Nine-Fingers, as believed after entry 13\n\nXP: 2\n")
    assert "dispute 13 is open" in then
    assert ruled.read("explain", "hob", "--as-of-battle", "1")["point"] == "battle:1"
    assert "give one" in ruled.refused(2, "explain", "hob", "--as-of-entry", "3", "--as-of-battle", "1")


def test_a_dispute_of_today_is_marked_on_what_counts_up_to_an_earlier_battle(season: Arbitrator) -> None:
    season.done("dispute", "open", "6.2", "--by", "Robin", "--reason", "cocked die")
    assert "dispute 13 is open" in season.done("explain", "wren", "--as-of-battle", "1").out
    assert "dispute 13 is open" not in season.done("explain", "wren", "--as-of-entry", "12").out
