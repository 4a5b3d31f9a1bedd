"""What later play built upon a roll in dispute is marked too: the stories of docs/rulings.md, while they are open."""

import csv
import io
from collections.abc import Iterable

import pytest
from cli_arbitrator import ROOT, Arbitrator

RULINGS = ROOT / "fixtures" / "rulings"


def season(table: Arbitrator, *files: str) -> Arbitrator:
    table.done("campaign", "new", "Rulings", "--slug", "rulings", "--ruleset", "necromunda_2023")
    for file in files:
        verb = ("battle", "post" if ".after." in file else "record")
        noun = ("gang", "add") if file in ("skulls.yaml", "saints.yaml", "cage.yaml") else verb
        table.done(*noun, str(RULINGS / file))
    return table


def marked(table: Arbitrator, *words: str) -> dict[tuple[str, str | None], set[str]]:
    """The numbers that rest on a dispute, by gang and fighter."""
    found: dict[tuple[str, str | None], set[str]] = {}
    for dependent in table.read("roster", "show", *words)["resting"]:
        for moved in dependent["moved"]:
            found.setdefault((moved["gang"], moved["fighter"]), set()).add(moved["number"])
    return found


def entries(table: Arbitrator) -> list[int]:
    roster = (
        int(dependent["event"].partition(".")[0]) for dependent in table.read("roster", "show")["resting"]
    )
    return sorted(set(roster))


def line(page: str, holding: str) -> str:
    return next(one for one in page.split("\n") if holding in one)


def sheet(page: str, name: str, column: str = "fighter") -> dict[str, str]:
    rows: Iterable[dict[str, str]] = csv.DictReader(io.StringIO(page))
    return next(row for row in rows if row[column] == name)


def the_captive_was_sold(table: Arbitrator) -> Arbitrator:
    season(
        table, "skulls.yaml", "saints.yaml", "captured.yaml", "captured.after.yaml", "quiet-night.yaml",
        "captive-sold.after.yaml",
    )  # fmt: skip
    table.done("dispute", "open", "5.4", "--by", "Dana", "--reason", "that was a 2-6")
    return table


def test_with_the_captive_the_credits_of_his_sale_are_marked_and_nobody_elses(empty: Arbitrator) -> None:
    the_captive_was_sold(empty)
    marks = marked(empty)
    assert {"status", "standing", "injuries"} <= marks["iron-skulls", "vex"]
    assert "rating_credits" in marks["iron-skulls", None]
    assert "credits" not in marks["iron-skulls", None]
    assert marks["rust-saints", None] == {"credits", "wealth_credits"}
    assert not any(fighter in ("krug", "pip", "mags", "dot") for _, fighter in marks)
    assert entries(empty) == [5, 7, 10, 11]  # the roll, the escape, no rescue, the sale; no battle
    assert "stash 70 credits ?" in empty.done("gang", "show", "rust-saints").out
    assert "Creditor: Rust Saints, 260 credits of Wealth ?" in empty.done("standings", "show").out


def test_a_sheet_names_the_numbers_that_rest_on_a_dispute(empty: Arbitrator) -> None:
    the_captive_was_sold(empty)
    roster = empty.done("roster", "show", "--format", "csv").out
    assert sheet(roster, "vex")["in_dispute"] == "status, injuries"
    assert sheet(roster, "vex")["status"] == "sold"  # the number itself is bare
    assert sheet(roster, "mags")["in_dispute"] == ""
    standings = empty.done("standings", "show", "--format", "csv").out
    assert sheet(standings, "rust-saints", "gang")["in_dispute"] == "credits, wealth_credits"
    assert sheet(standings, "iron-skulls", "gang")["in_dispute"] == "rating_credits, wealth_credits"
    empty.done("dispute", "withdraw", "12", "--reason", "it lay flat")
    assert {
        row["in_dispute"]
        for row in csv.DictReader(io.StringIO(empty.done("roster", "show", "--format", "csv").out))
    } == {""}


def test_the_ledger_and_the_list_of_captives_are_marked(
    empty: Arbitrator, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tracker.cli.output.Output.width", 200)  # a line for each row
    season(empty, "skulls.yaml", "saints.yaml", "captured.yaml", "captured.after.yaml")
    empty.done("dispute", "open", "5.4", "--by", "Dana", "--reason", "that was a 2-6")
    assert line(empty.done("gang", "captives").out, "Vex").find("Rust Saints ?") > 0
    assert "Dispute 8 is open" in empty.done("gang", "captives").out
    assert empty.read("gang", "captives")["resting"]
    empty.done("battle", "record", str(RULINGS / "quiet-night.yaml"))
    empty.done("battle", "post", str(RULINGS / "captive-sold.after.yaml"))
    ledger = empty.done("gang", "ledger", "rust-saints").out
    assert "sold to the Guilders ?" in ledger
    assert " ?" not in line(ledger, "on enlisting")
    assert "Dispute 8 is open" in ledger
    assert {dependent["event"] for dependent in empty.read("gang", "ledger", "rust-saints")["resting"]} == {
        "12.5"
    }


def test_what_a_man_did_who_may_have_been_dead_is_marked(
    empty: Arbitrator, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tracker.cli.output.Output.width", 200)  # a line for each row
    season(empty, "skulls.yaml", "saints.yaml", "first-night.yaml", "second-night.yaml")
    empty.done("dispute", "open", "5.4", "--by", "Ayo", "--reason", "there is a photograph")
    marks = marked(empty)
    # Out Cold left nothing but a line on his card; the second night he took Dot out for 2 XP.
    assert marks["iron-skulls", "vex"] == {"injuries", "enemies_taken_out", "experience"}
    assert marks["rust-saints", "dot"] == {"times_out_of_action", "injuries"}
    assert ("iron-skulls", "krug") not in marks
    assert ("rust-saints", "mags") not in marks  # hers for taking him out, which nobody disputes
    assert entries(empty) == [5, 8]  # that he stood on the table is a fact
    assert {item for (_, item), numbers in marks.items() if "battles_fought" in numbers} == set()
    assert "2 ?" in line(empty.done("roster", "show").out, "Vex")
    shown = empty.done("battle", "show", "2").out.split("\n")
    assert [one.endswith(" ?") for one in shown if one.startswith("8 ")] == [True]
    # Up to the first battle there was no second.
    assert set(marked(empty, "--as-of-battle", "1")) == {("iron-skulls", "vex")}
    assert marked(empty, "--as-of-entry", "9") == {}


def test_what_was_bought_with_the_credits_in_doubt_is_marked(empty: Arbitrator) -> None:
    season(empty, "skulls.yaml", "saints.yaml", "quiet-night.yaml", "strongbox.after.yaml")
    empty.done("dispute", "open", "6.3", "--by", "Dana", "--reason", "that was a 1")
    marks = marked(empty)
    # 40 and 60 credits paid for a plate of 90: without the 60 it could not have been bought.
    assert {"credits", "stash", "wealth_credits"} <= marks["rust-saints", None]
    assert entries(empty) == [6, 7]
    assert {gang for gang, _ in marks} == {"rust-saints"}


def test_what_there_were_credits_enough_for_is_not(empty: Arbitrator) -> None:
    season(empty, "skulls.yaml", "saints.yaml")
    empty.done("gang", "credits", "@rewards", "iron-skulls", "50", "--reason", "a toll")
    empty.done("gang", "credits", "iron-skulls", "@campaign", "40", "--reason", "a fine")
    empty.done("gang", "credits", "iron-skulls", "@campaign", "1", "--reason", "another fine")
    empty.done("dispute", "open", "4", "--by", "Ayo", "--reason", "there was no toll")
    # 40 were there: the first fine could be paid without the toll, the second one could not.
    assert entries(empty) == [4, 6]


def test_what_the_xp_in_doubt_paid_for_is_marked(empty: Arbitrator) -> None:
    season(empty, "skulls.yaml", "saints.yaml", "two-kills.yaml", "two-kills.after.yaml")
    empty.done("dispute", "open", "6.4", "--by", "Ayo", "--reason", "that was a flesh wound")
    marks = marked(empty)
    assert {"experience", "cool", "cost_credits"} <= marks["iron-skulls", "krug"]
    assert {"rating_credits", "wealth_credits"} <= marks["iron-skulls", None]
    assert entries(empty) == [6, 8]


def test_who_would_have_been_out_already_had_another_kill(empty: Arbitrator) -> None:
    season(empty, "skulls.yaml", "saints.yaml", "cage.yaml", "two-shots.yaml")
    empty.done("dispute", "open", "6.4", "--by", "Dana", "--reason", "that die showed a skull")
    marks = marked(empty)
    # Pip's Injury die on Dot is disputed: had it taken her out, Sable's shot at her would not follow.
    assert "experience" in marks["gilded-cage", "sable"]
    assert "experience" in marks["iron-skulls", "pip"]
    assert 7 in entries(empty)


def test_a_dispute_of_a_ruling_marks_what_came_after_what_it_decided_again(empty: Arbitrator) -> None:
    season(empty, "skulls.yaml", "saints.yaml", "first-night-dead.yaml", "quiet-night.yaml")
    empty.done("dispute", "open", "5.4", "--by", "Dana", "--reason", "that was a 2-1")
    empty.done("dispute", "rule", "9", "--faces", "2-1", "--reason", "seen", *empty.seen())
    empty.done("battle", "record", str(RULINGS / "second-night.yaml"))
    empty.done("dispute", "open", "10", "--by", "Ayo", "--reason", "it was a 6-6 after all")
    marks = marked(empty)
    assert {"experience", "injuries"} <= marks["iron-skulls", "vex"]  # by the ruling he was alive to fight
    assert "injuries" in marks["rust-saints", "dot"]


def test_a_dispute_of_what_is_no_roll_marks_its_whole_entry(empty: Arbitrator) -> None:
    """Only --void answers it, which strikes the entry: Dot Seriously Injured by Pip, not his XP alone."""
    season(empty, "skulls.yaml", "saints.yaml", "cage.yaml", "two-shots.yaml")
    empty.done("dispute", "open", "6.6", "--reason", "no XP for that")
    resting = empty.read("roster", "show")["resting"]
    assert {f"6.{position}" for position in range(1, 7)} <= {dependent["event"] for dependent in resting}
    # Sable finished her only because she lay there.
    assert marked(empty)["gilded-cage", "sable"] == {"experience", "enemies_taken_out"}


def test_a_captive_of_a_battle_that_no_dispute_touches_is_held_without_a_mark(empty: Arbitrator) -> None:
    """Pip's XP of battle 1 is disputed: that moves nothing of Vex, whom the Saints hold since battle 2."""
    season(empty, "skulls.yaml", "saints.yaml", "cage.yaml", "two-shots.yaml")
    season_goes_on = ("captured.yaml", "captured.after.yaml")
    for file in season_goes_on:
        empty.done("battle", "post" if ".after." in file else "record", str(RULINGS / file))
    empty.done("dispute", "open", "6.2", "--reason", "cocked die")
    assert line(empty.done("gang", "captives").out, "Vex").split() == [
        "Vex", "Iron", "Skulls", "Rust", "Saints", "still", "open", "-", "60", "30",
    ]  # fmt: skip
