"""Money, things and advancement from the command line: the ledger adds up, a ruling carries through, and no more."""

from pathlib import Path

import pytest
from cli_arbitrator import ROOT, Arbitrator, begin
from tables import every

MARKET = ("--armoury", str(ROOT / "fixtures" / "armoury" / "sump-market.yaml"))
WHY = ("--reason", "market day")
BATTLE = """\
format: battle-report/1
battle: sump-bridge
scenario: Ambush
date: 2026-03-01
gangs: [iron-skulls, rust-saints]
entries:
  - experience: {fighter: krug, amount: 8, reason: held the bridge}
result: {winner: iron-skulls}
"""
POST = """\
format: post-battle/1
battle: sump-bridge
entries:
  - clean_house: {gang: iron-skulls}
  - hire: {gang: iron-skulls, type: Forge Hand, name: Nib}
  - buy: {gang: iron-skulls, item: mesh coat, for: tallow}
  - buy: {gang: iron-skulls, item: goggles}
  - hand_over: {gang: iron-skulls, item: goggles, to: nib}
  - advance: {fighter: krug, take: primary_random, set: Ferocity}
    dice: {skill: 4}
  - rating: {gang: iron-skulls}
"""


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Arbitrator:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    table = Arbitrator(tmp_path)
    begin(table)
    table.done("gang", "credits", "@rewards", "iron-skulls", "400", "--reason", "founding grant")
    return table


def adds_up(table: Arbitrator, gang: str = "iron-skulls") -> int:
    """The balance, which the lines of the ledger come to and the gang's row says too."""
    ledger = table.read("gang", "ledger", gang)
    assert sum(line["change"] for line in ledger["lines"]) == ledger["balance"] == ledger["board"]
    assert ledger["board"] == table.read("gang", "stash", gang)["credits"]
    return int(ledger["balance"])


def verifies(table: Arbitrator) -> None:
    table.done("audit", "verify")
    table.done("boards", "verify")


def test_the_ledger_prints_as_a_bank_statement_whose_lines_come_to_the_balance(table: Arbitrator) -> None:
    table.done("gang", "buy", "iron-skulls", "boomer", "--found", "9", *MARKET, *WHY)
    table.done("gang", "sell", "iron-skulls", "boomer", "--dice", "sale=4", *WHY)
    assert adds_up(table) == 40 + 400 - 120 + 80

    output = table.done("gang", "ledger", "iron-skulls").out

    assert "520 in, 120 out: 400 credits now." in output
    assert [line.split()[-1] for line in output.splitlines() if "rewards" in line] == ["440"]
    assert "boomer sold:" in output
    assert max(map(len, output.splitlines())) <= 80
    verifies(table)


def test_the_stash_tells_what_lies_in_it_and_what_the_gang_is_worth(table: Arbitrator) -> None:
    table.done("gang", "buy", "iron-skulls", "goggles", *MARKET, *WHY)
    before = table.read("gang", "stash", "iron-skulls")
    assert [item["name"] for item in before["stash"]] == ["goggles"]
    assert before["wealth_credits"] == before["rating_credits"] + before["credits"] + 20
    assert "goggles" in table.done("gang", "stash", "iron-skulls").out
    table.done("gang", "hand-over", "iron-skulls", "goggles", "--to", "krug", *WHY)
    after = table.read("gang", "stash", "iron-skulls")
    assert (after["stash"], after["wealth_credits"]) == ([], before["wealth_credits"])
    assert after["rating_credits"] == before["rating_credits"] + 20
    assert "nothing else" in table.done("gang", "stash", "iron-skulls").out


@every(
    ("code", "words", "text"),
    [
        (1, ("gang", "credits", "iron-skulls", "@doc", "441", *WHY), "has 440 credits and needs 441"),
        (1, ("gang", "buy", "iron-skulls", "boomer", "--found", "8", *MARKET, *WHY), "Rare (9)"),
        (2, ("gang", "buy", "iron-skulls", "bomer", *MARKET, *WHY), "Did you mean 'boomer'?"),
        (2, ("gang", "buy", "iron-skulls", "boomer", *WHY), "--armoury FILE"),
        (2, ("gang", "buy", "iron-skulls", "boomer", *MARKET), "--reason"),
        (2, ("gang", "buy", "rats", "goggles", *MARKET, *WHY), "rats"),
        (1, ("gang", "sell", "iron-skulls", "goggles", "--dice", "sale=2", *WHY), "goggles"),
        (2, ("gang", "sell", "iron-skulls", "goggles", "--dice", f"sale={'9' * 5000}", *WHY), "of a D6"),
        (2, ("gang", "credits", "iron-skulls", "@dok", "4", *WHY), "Did you mean '@doc'?"),
        (2, ("gang", "credits", "iron-skulls", "@doc", "0", *WHY), "AMOUNT"),
        (2, ("gang", "hand-over", "iron-skulls", "goggles", "--to", "!?", *WHY), "to: expected an id"),
        (2, ("gang", "ledger", "rats"), "rats"),
        (2, ("gang", "stash", "iron-skuls"), "iron-skulls"),
        (1, ("fighter", "advance", "krug", "attacks", *WHY), "has 6 XP and needs 12"),
        (2, ("fighter", "advance", "krug", "charm", *WHY), "charm"),
        (2, ("fighter", "advance", "nobody", "cool", *WHY), "nobody"),
        (2, ("fighter", "advance", "krug", "primary_random", *WHY), "set of skills"),
        (2, ("fighter", "advance", "krug", "cool", "--dice", "sal=4", *WHY), "sale"),
        (2, ("fighter", "advance", "krug", "cool", "--dice", "sale=4", *WHY), "sale"),
        (1, ("fighter", "roll", "krug", *WHY), "no Ganger"),
        (1, ("fighter", "promote", "pip", "champion", "--type", "Boss", *WHY), "needs 3"),
        (2, ("fighter", "promote", "pip", "king", "--type", "Boss", *WHY), "to: expected"),
        (1, ("gang", "leader", "iron-skulls", *WHY), "has a Leader"),
        (2, ("fighter", "hire", "iron-skulls", "Forge King", "Rex", *MARKET, *WHY), "Forge King"),
    ],
)
def test_what_cannot_be_is_refused_and_nothing_is_written(
    code: int, words: tuple[str, ...], text: str, table: Arbitrator
) -> None:
    assert text in table.refused(code, *words)


def test_a_type_of_another_house_is_hired_only_where_the_arbitrator_insists(table: Arbitrator) -> None:
    table.done("gang", "credits", "@rewards", "rust-saints", "100", "--reason", "founding grant")
    hired = ("fighter", "hire", "rust-saints", "Forge Hand", "Ox", *MARKET, *WHY)
    assert "lists 'Forge Hand' for Forge Clans, and this gang is of Sump Pilgrims" in table.refused(2, *hired)
    assert "Ox (Ganger, Forge Hand) joins Rust Saints" in table.done(*hired, "--beyond-rules").out
    table.record(BATTLE)
    entry = "hire: {gang: rust-saints, type: Forge Hand, name: Ax}"
    file = table.write(f"format: post-battle/1\nbattle: sump-bridge\nentries:\n  - {entry}\n")
    message = table.refused(2, "battle", "post", file, *MARKET)
    assert ":4:11 entries[1].hire: Sump Market lists 'Forge Hand' for Forge Clans" in message
    assert "`beyond_rules: true`" in message


def test_fighters_are_added_off_a_sheet_of_the_gangs_own_house(table: Arbitrator) -> None:
    numbers = "{M: 5, WS: 4, BS: 4, S: 3, T: 3, W: 1, I: 4, A: 1, Ld: 7, Cl: 7, Wil: 7, Int: 7}"
    sheet = (
        "format: gang-sheet/1\nname: Iron Skulls\nhouse: Velvet Court\nplayer: Dana\nfighters:\n"
        f"  - {{name: Ox, category: ganger, type: Page, cost: 40, characteristics: {numbers}}}\n"
    )
    message = table.refused(2, "fighter", "add", table.write(sheet, name="other.yaml"))
    assert "`house: Velvet Court`, and Iron Skulls is enlisted as Forge Clans" in message
    assert "Where the table lets them join, write `house: Forge Clans`" in message
    own = table.write(sheet.replace("Velvet Court", "forge clans"), name="own.yaml")
    assert "Ox (Ganger, Page) joins Iron Skulls" in table.done("fighter", "add", own).out


def test_a_post_battle_file_trades_and_advances_in_one_go(table: Arbitrator) -> None:
    table.record(BATTLE)
    file = table.write(POST, name="post.yaml")
    table.done("battle", "post", file, *MARKET, "--dry-run")
    assert adds_up(table) == 440

    table.done("battle", "post", file, *MARKET)

    assert adds_up(table) == 440 - 55 - 15 - 20
    krug = table.read("fighter", "show", "krug")
    assert krug["experience"]["total"] == krug["experience"]["board"] == 6 + 8 - 6
    assert [purchase["amount"] for purchase in krug["experience"]["spent"]] == [6]
    assert "Maul" in krug["fighter"]["skills"]
    assert " 8  XP left of 14" in table.done("fighter", "show", "krug").out
    gang = table.read("gang", "stash", "iron-skulls")
    standing = next(
        gang for gang in table.read("standings", "show")["gangs"] if gang["gang"] == "iron-skulls"
    )
    assert standing["rating_recorded"] == standing["rating_credits"] == gang["rating_credits"]
    assert standing["wealth_credits"] == gang["wealth_credits"]
    verifies(table)


def test_a_step_that_was_passed_does_not_come_again_but_by_the_arbitrators_word(table: Arbitrator) -> None:
    table.record(BATTLE)
    table.done("battle", "post", table.write(POST, name="post.yaml"), *MARKET)
    late = (
        POST.partition("entries:")[0] + "part: late\nentries:\n  - buy: {gang: iron-skulls, item: goggles}\n"
    )
    assert "6F" in table.refused(1, "battle", "post", table.write(late, name="late.yaml"), *MARKET)
    table.done("gang", "buy", "iron-skulls", "goggles", *MARKET, *WHY)
    assert adds_up(table) == 440 - 55 - 15 - 20 - 20


def test_xp_that_a_ruling_takes_away_leaves_unresolved_what_was_bought_with_it(table: Arbitrator) -> None:
    table.record(BATTLE)
    awarded = table.head["entries"] - 1
    table.done("fighter", "advance", "krug", "wounds", *WHY)
    bought = table.head["entries"]
    assert table.roster()["krug"]["experience"] == 2
    event = f"{awarded}.2"
    table.done("dispute", "open", event, "--reason", "another fighter held it")
    number = str(table.read("dispute", "list")["disputes"][-1]["dispute"])

    ruling = ("dispute", "rule", number, "--void", "--reason", "it was Tallow")
    said = table(*ruling, *table.seen())

    assert said.code == 1
    assert str(bought) in said.err
    assert "needs 12" in said.err
    table.done(*ruling, "--void-entry", str(bought), *table.seen())
    krug = table.roster()["krug"]
    assert (krug["experience"], krug["characteristics"]["wounds"], krug["advancements"]) == (6, 2, 0)
    verifies(table)


def test_a_hired_gun_is_paid_the_stated_fee_and_leaves_with_their_gear_after_the_battle(
    table: Arbitrator,
) -> None:
    table.done("gang", "credits", "@rewards", "iron-skulls", "100", "--reason", "founding grant")
    before = table.read("gang", "stash", "iron-skulls")["stash"]
    paid_from = table.read("gang", "show", "iron-skulls")["gangs"][0]["credits"]
    table.done(
        "fighter", "hire", "iron-skulls", "Forge Hand", "Gunn", "--price", "30", *MARKET, "--reason", "fee"
    )
    table.record(BATTLE)
    table.done("fighter", "retire", "gunn", "--takes-gear", "--reason", "hired for one battle")
    after = table.read("gang", "show", "iron-skulls")["gangs"][0]
    assert table.roster()["gunn"]["standing"] == "retired"
    assert table.read("gang", "stash", "iron-skulls")["stash"] == before
    assert after["credits"] == paid_from - 30
    verifies(table)


def test_who_is_hired_under_the_name_of_another_gangs_fighter_gets_a_numbered_id(table: Arbitrator) -> None:
    table.done("gang", "credits", "@rewards", "rust-saints", "100", "--reason", "founding grant")
    hired = ("fighter", "hire", "iron-skulls", "Kettle Boy", "Cinder", *MARKET, *WHY)
    table.done(*hired)
    cinders = {row["gang"]: row["fighter"] for row in fighters(table) if row["name"] == "Cinder"}
    assert cinders == {"rust-saints": "cinder", "iron-skulls": "cinder-2"}

    # The same line again would hire a second one of the gang's own; an id that was written stays as it is.
    assert "A fighter 'cinder-2' is enlisted already (gang 'iron-skulls')" in table.refused(2, *hired)
    assert "A fighter 'cinder' is enlisted already (gang 'rust-saints')" in table.refused(
        2, *hired, "--id", "cinder"
    )
    table.done("fighter", "retire", "cinder-2", *WHY)
    table.done(*hired)
    assert [row["fighter"] for row in fighters(table) if row["gang"] == "iron-skulls"][-1] == "cinder-3"


def fighters(table: Arbitrator) -> list[dict[str, str]]:
    gangs = table.read("roster", "show")["gangs"]
    return [{**row, "gang": gang["gang"]} for gang in gangs for row in gang["fighters"]]
