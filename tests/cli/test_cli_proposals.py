"""Reports that players send in: at the machine, and what is written with the entries."""

import pytest
from cli_arbitrator import ROOT, Arbitrator, begin

SHEETS = [ROOT / "fixtures" / "gangs" / f"{gang}.yaml" for gang in ("iron-skulls", "gilded-cage")]
REPORT = """\
format: battle-report/1
battle: night
scenario: Sump Raid
date: 2025-04-01
gangs: [iron-skulls, gilded-cage]
entries:
  - experience: {fighter: pip, amount: 1, reason: held the bridge}
result: {draw: true}
"""


@pytest.fixture
def table(empty: Arbitrator) -> Arbitrator:
    """Two gangs and no battle yet."""
    begin(empty, sheets=SHEETS)
    return empty


def proposed(table: Arbitrator, report: str = REPORT) -> str:
    return str(table.done("--as", "Zoe", "battle", "propose", "-", "--json", stdin=report).json["proposal"])


def test_a_report_counts_once_it_is_taken_in_and_says_who_stands_behind_it(table: Arbitrator) -> None:
    before = table.head
    report = proposed(table)
    assert table.head == before
    table.done("--as", "Sam", "battle", "confirm", report)
    listed = table.done("battle", "proposals").out
    assert report in listed
    assert "Zoe" in listed
    taken = table.done("battle", "take-in", report).out
    assert "held the bridge" in taken
    entry = table.read("log", "show")["entries"][-1]["entry"]
    assert "Proposed by Zoe, confirmed by Sam" in table.done("log", "entry", str(entry)).out
    assert table.read("battle", "proposals")["proposals"] == []
    assert "is settled: it is taken in" in table.refused(1, "battle", "take-in", report)
    table.done("audit", "verify")


def test_a_report_that_nobody_proposed_says_nothing_of_it(table: Arbitrator) -> None:
    table.done("battle", "record", "-", stdin=REPORT)
    entry = table.read("log", "show")["entries"][-1]["entry"]
    assert "Proposed by" not in table.done("log", "entry", str(entry)).out
    assert b"agreed" not in table.contents()


def test_an_objection_has_words_and_a_later_confirmation_takes_it_back(table: Arbitrator) -> None:
    report = proposed(table)
    shown = table.done("--as", "Sam", "battle", "object", report, "--reason", "Pip was down by then").out
    assert "Sam objected it: Pip was down by then" in shown.replace("objected to it", "objected it")
    assert "objected to" in table.done("battle", "proposals").out
    table.done("--as", "Sam", "battle", "confirm", report)
    assert "objected" not in table.done("battle", "proposals").out


def test_nobody_confirms_their_own_report(table: Arbitrator) -> None:
    report = proposed(table)
    refused = table.refused(1, "--as", "Zoe", "battle", "confirm", report)
    assert "You proposed" in refused
    table.done("--as", "Zoe", "battle", "withdraw", report)
    assert table.read("battle", "proposals")["proposals"] == []


def test_the_same_report_waits_once_and_a_recorded_report_not_at_all(table: Arbitrator) -> None:
    assert proposed(table) == proposed(table)
    table.done("battle", "record", "-", stdin=REPORT)
    assert "is recorded already" in table.refused(1, "--as", "Zoe", "battle", "propose", "-", stdin=REPORT)


def test_a_report_that_the_rules_refuse_is_not_sent_in(table: Arbitrator) -> None:
    wrong = REPORT.replace("fighter: pip", "fighter: nobody")
    table.refused(2, "battle", "propose", "-", stdin=wrong)
    assert "Nothing was proposed" in table.refused(
        2, "battle", "propose", "-", stdin=f"campaign: sump-city\n{REPORT}"
    )


def test_what_was_sent_in_is_there_to_be_read(table: Arbitrator) -> None:
    report = proposed(table)
    assert table.done("battle", "proposal", report, "--document").out.strip() == REPORT.strip()
    assert "has no proposal" in table.refused(2, "battle", "proposal", "p-nothing")


def test_a_report_that_waits_shows_what_would_be_recorded_and_records_nothing(table: Arbitrator) -> None:
    report, before = proposed(table), table.head
    would = table.read("battle", "proposal", report)["would_record"]
    assert would["dry_run"] is True
    assert "held the bridge" in would["entries"][1]["asked"] + str(would["entries"][1]["events"])
    assert table.head == before
    table.done("battle", "take-in", report)
    assert "would_record" not in table.read("battle", "proposal", report), "it waits no more"


def test_a_report_that_the_campaign_has_overtaken_says_why_it_would_be_refused(table: Arbitrator) -> None:
    report = proposed(table)
    table.done("fighter", "retire", "pip", "--reason", "gone home")
    shown = table.read("battle", "proposal", report)
    assert "would_record" not in shown
    assert "Pip" in shown["would_be_refused"] or "pip" in shown["would_be_refused"]
