"""Sheets and reports that cannot be taken: said where and what to do, and nothing of them is written."""

import pytest
from cli_arbitrator import Arbitrator
from cli_reports import FIRST, GANG_SHEETS, report, second
from tables import every

SHOT = "hit: {attacker: hob, weapon: autogun, target: quill}\n    dice: {%s}"
ENOUGH = "wound: [5], save: [2], injury: [ooa], lasting_injury: [4-6]"

# What is reported, with which exit code, and words that the message must hold. Entries begin in line 7.
BAD_REPORTS = {
    "an unknown key": (FIRST.replace("scenario:", "senario:"), 2, [":3:1", "senario", "Did you mean 'scenario'?"]),
    "an unknown key in an entry": (
        report("b1", "out_of_action: {figther: wren}"), 2, [":7:", "Did you mean 'fighter'?"]),
    "an unknown exchange": (report("b1", "out_of_akction: {fighter: wren}"), 2, [":7:", "'out_of_action'"]),
    "a number for a name": (FIRST.replace("scenario: Toll at the Bridge", "scenario: 12"), 2, [":3:", "put it in quotes"]),
    "a text for a list": (FIRST.replace("[iron-skulls, gilded-cage]", "everybody"), 2, [":5:", "a map (key: value)"]),
    "a day that is none": (FIRST.replace("2026-03-14", "2026-02-30"), 2, [":4:7", "2026-02-30", "a day of the calendar"]),
    "a missing result": (FIRST.replace("result: {winner: iron-skulls}\n", ""), 2, ["'result' is missing"]),
    "a D66 of 37": (report("b1", "out_of_action: {fighter: wren, lasting_injury: 37}"), 2, [":7:", "37", "a D66", "from 1 to 6"]),
    "a D66 of 0-4": (report("b1", "out_of_action: {fighter: wren, lasting_injury: 0-4}"), 2, [":7:", "'0-4'", "a D66"]),
    "a D6 of 7": (report("b1", SHOT % "wound: [7]"), 2, [":8:", "7 on a D6", "from 1 to 6"]),
    "a symbol that no Injury die has": (
        report("b1", SHOT % "wound: [5], save: [2], injury: [seriuos]"), 2, [":8:", "'seriuos'", "Did you mean 'serious'?"]),
    "dice for an unknown purpose": (report("b1", SHOT % "wuond: [5]"), 2, [":8:", "Did you mean 'wound'?"]),
    "too few dice": (
        report("b1", SHOT % "wound: [5]"), 2, ["entry 1 (hit), line 7", "a D6 is missing", "'save' for Quill", "--roll"]),
    "too few Lasting Injury rolls": (
        report("b1", "out_of_action: {fighter: wren, lasting_injury: 4-6, out_of_action_dice: 2}"),
        2, ["entry 1 (out_of_action), line 7", "a D66 is missing", "roll 2 of 2"]),
    "too many dice": (
        report("b1", SHOT % (ENOUGH + ", lesson_learned: [2]")), 2, ["entry 1 (hit), line 7", "left over", "lesson_learned 2"]),
    "one die too many of one purpose": (
        report("b1", SHOT % "wound: [1, 4]"), 2, ["entry 1 (hit), line 7", "left over", "wound 4"]),
    "a row that no table has": (
        report("b1", "out_of_action: {fighter: wren, lasting_injury: hobled}"), 2, ["line 7", "hobled", "Did you mean 'hobbled'?"]),
    "an unknown fighter": (
        report("b1", "out_of_action: {fighter: wern, lasting_injury: 4-6}"), 2, ["entry 1 (out_of_action), line 7", "'wern'", "Did you mean 'wren'?"]),
    "an unknown gang": (
        report("b1", gangs="[iron-skuls, gilded-cage]"), 2, ["line 2", "'iron-skuls'", "Did you mean 'iron-skulls'?"]),
    "an unknown weapon": (
        report("b1", SHOT.replace("autogun", "autgun") % ENOUGH), 2, ["line 7", "'autgun'", "Did you mean 'autogun'?"]),
    "a winner who was not there": (report("b1", result="winner: rust-saints"), 2, ["wrap-up, line 6", "rust-saints"]),
    "an unknown winner": (report("b1", result="winner: rust-saint"), 2, ["'rust-saint'", "Did you mean 'rust-saints'?"]),
    "one gang alone": (report("b1", gangs="[iron-skulls]"), 2, ["two gangs or more", "names 1"]),
    "a gang twice": (report("b1", gangs="[iron-skulls, iron-skulls]"), 2, [":5:", "stands in this list already"]),
    "a fighter twice in a crew": (
        report("b1", gangs="{iron-skulls: [hob, hob], gilded-cage: all}"), 2, [":5:", "stands in this list already"]),
    "a fighter of another gang in a crew": (
        report("b1", gangs="{iron-skulls: [quill], gilded-cage: all}"), 2, ["line 2", "Quill fights for The Gilded Cage"]),
    "a fighter who hits himself": (
        report("b1", SHOT.replace("quill", "hob") % ENOUGH), 2, ["line 7", "both attacker and target"]),
    "a fighter who is not in the crew": (
        report("b1", "out_of_action: {fighter: wren, lasting_injury: 4-6}", gangs="{iron-skulls: all, gilded-cage: [mags]}"),
        1, ["line 7", "Wren takes no part in battle 'b1'"]),
    "a fighter who is out of play": (
        report("b1", "out_of_action: {fighter: wren, lasting_injury: 2-1}", "flesh_wound: {fighter: wren}"),
        1, ["entry 2 (flesh_wound), line 8", "Wren went Out of Action earlier"]),
    "a report for another campaign": (
        FIRST.replace("battle: b1\n", "battle: b1\ncampaign: sump-city\n"), 2, ["'sump-city'", "'ash-wastes'", "--campaign sump-city"]),
    "a gang sheet": (GANG_SHEETS[0].read_text(), 2, ["gang-sheet/1", "`arbitrator gang add`"]),
    "a YAML alias": (FIRST.replace("winner: iron-skulls", "winner: *skulls"), 2, [":9:", "anchors and aliases"]),
    "a billion laughs": ("a: &a [1,1,1,1,1,1]\nb: &b [*a,*a,*a,*a]\nc: [*b,*b,*b,*b]\n", 2, [":1:4", "anchors and aliases"]),
    "a YAML tag": (FIRST.replace("battle: b1", "battle: !!python/object/apply:os.system [ls]"), 2, [":2:9", "tag"]),
    "a key twice": (FIRST.replace("battle: b1\n", "battle: b1\nbattle: b2\n"), 2, [":3:1", "'battle' is repeated", "line 2"]),
    "two documents": (FIRST + "---\n" + FIRST, 2, ["second document"]),
    "no document": ("# nothing yet\n", 2, ["holds no document"]),
    "no YAML": ("battle: [b1\nscenario: x\n", 2, [":2:", "not YAML"]),
    "no UTF-8": (FIRST.encode().replace(b"Toll", b"T\xf6ll"), 2, [":3:12", "not UTF-8"]),
    "a terminal escape": (FIRST.replace("Toll", "\x1b[2JToll"), 2, [":3:11", "U+001B"]),
    "a bell written as an escape": (FIRST.replace("Toll at the Bridge", '"To\\all"'), 2, [":3:", "U+0007"]),
    "a text that reads backwards": (FIRST.replace("Toll", "\u202eToll"), 2, [":3:11", "U+202E"]),
    "a zero-width space": (FIRST.replace("Toll at", "Toll\u200b at"), 2, [":3:", "U+200B"]),
    "a very long name": (FIRST.replace("Toll at the Bridge", "T" * 81), 2, [":3:", "1 to 80 characters"]),
    "an endless name": (FIRST.replace("Toll at the Bridge", "T" * 300_000), 2, [":3:", "2,000 characters"]),
    "a huge number": (FIRST.replace("amount: 2", "amount: " + "9" * 5_000), 2, [":8:"]),
    "a number beyond all dice": (FIRST.replace("amount: 2", "amount: 999999999999999"), 2, [":8:", "999999999999999"]),
    "no number at all": (FIRST.replace("amount: 2", "amount: .nan"), 2, [":8:", ".nan"]),
    "lists nested 10,000 deep": ("entries: " + "[" * 10_000 + "]" * 10_000, 2, [":1:", "nested deeper than 20"]),
    "maps nested 10,000 deep": ("{a: " * 10_000 + "1" + "}" * 10_000, 2, [":1:", "nested deeper than 20"]),
    "JSON nested 10,000 deep": ('{"a":' * 10_000 + "1" + "}" * 10_000, 2, [":1:", "nested deeper than 20"]),
    "an SQL id": (FIRST.replace("battle: b1", "battle: \"b1'; DROP TABLE events; --\""), 2, [":2:9", "an id"]),
    "an id that is a path": (FIRST.replace("battle: b1", "battle: ../../etc/passwd"), 2, [":2:9", "an id"]),
}  # fmt: skip


@every(("text", "code", "words"), BAD_REPORTS.values(), ids=BAD_REPORTS)
def test_a_report_is_refused_for(
    arbitrator: Arbitrator, text: str | bytes, code: int, words: list[str]
) -> None:
    file = arbitrator.write(text)
    said = arbitrator.refused(code, "battle", "record", file)
    assert "report.yaml" in said or "entry " in said or "line " in said or "battle" in said
    for word in words:
        assert word in said


BAD_SHEETS = {
    "an unknown key": (("player: Dana", "plaier: Dana"), [":6:1", "Did you mean 'player'?"]),
    "a duplicate id": (("id: vex", "id: krug"), [":38:5", "the id 'krug' is fighter 1's already"]),
    "a characteristic out of range": (('{M: 5", WS: 3+, BS: 4+, S: 4, T: 4, W: 2, I: 4+, A: 3', '{M: 5", WS: 0, BS: 4+, S: 4, T: 4, W: 2, I: 4+, A: 3'), ["WS"]),
    "a control character in a name": (("Krug the Anvil", '"Krug\\x1b[2J"'), [":11:", "U+001B"]),
    "a name that reads backwards": (("Krug the Anvil", "Krug \u2066x"), [":11:", "U+2066"]),
    "a negative price": (("cost: 245", "cost: -245"), [":14:"]),
    "a huge price": (("cost: 245", "cost: 99999999999999999999999999"), [":14:"]),
    "a price that is a text": (("cost: 245", 'cost: "dear"'), [":14:", "'dear'"]),
    "an unknown rank": (("category: leader", "category: leadre"), [":12:", "Did you mean 'leader'?"]),
    "an id that is a path": (("id: krug", "id: ../krug"), [":10:", "an id"]),
}  # fmt: skip


@pytest.mark.parametrize(("slip", "words"), BAD_SHEETS.values(), ids=BAD_SHEETS)
def test_a_gang_sheet_is_refused_for(empty: Arbitrator, slip: tuple[str, str], words: list[str]) -> None:
    empty.done("campaign", "new", "Ash Wastes")
    good = GANG_SHEETS[0].read_text()
    assert slip[0] in good
    said = empty.refused(2, "gang", "add", empty.write(good.replace(*slip, 1), name="sheet.yaml"))
    for word in words:
        assert word in said


def test_a_fighter_id_of_another_gang_is_refused(arbitrator: Arbitrator) -> None:
    sheet = GANG_SHEETS[0].read_text().replace("gang: iron-skulls", "gang: steel-skulls")
    said = arbitrator.refused(2, "gang", "add", arbitrator.write(sheet, name="sheet.yaml"))
    assert "'krug' is enlisted already (gang 'iron-skulls')" in said


def test_a_file_of_100_mb_is_refused_unread(arbitrator: Arbitrator) -> None:
    big = arbitrator.folder / "big.yaml"
    with big.open("wb") as file:
        file.truncate(100 * 1024 * 1024)
    for noun in (("battle", "record"), ("gang", "add"), ("fighter", "add")):
        assert "larger than 1,048,576 bytes" in arbitrator.refused(2, *noun, str(big))


def test_standard_input_without_end_is_refused(arbitrator: Arbitrator) -> None:
    said = arbitrator.refused(2, "battle", "record", "-", stdin=b"#" * 2_000_000)
    assert "standard input is larger than" in said


@every("name", ["nowhere.yaml", ".", "no\x1b[2Jwhere.yaml", "x" * 5_000])
def test_a_file_that_cannot_be_read_is_said(arbitrator: Arbitrator, name: str) -> None:
    arbitrator.refused(2, "battle", "record", name)
    arbitrator.refused(2, "gang", "add", name)


def test_a_report_is_taken_whole_or_not_at_all(arbitrator: Arbitrator) -> None:
    good = "experience: {fighter: pip, amount: 1, reason: held}"
    text = report("b1", good, good, good, good, "out_of_action: {fighter: nobody, lasting_injury: 4-6}", good)
    said = arbitrator.refused(2, "battle", "record", arbitrator.write(text))
    assert "entry 5 (out_of_action), line 11" in said
    assert "Nothing of this file was recorded." in said
    assert arbitrator.read("battle", "list")["battles"] == []
    arbitrator.done("audit", "verify")


def test_a_refused_report_can_be_put_right_and_recorded(arbitrator: Arbitrator) -> None:
    arbitrator.refused(2, "battle", "record", arbitrator.write(FIRST.replace("wren", "wern")))
    assert not arbitrator.record(FIRST).out.startswith("Recorded before")


UNAVAILABLE = {
    "dead": ("6-6", "dead"),
    "critically injured": ("6-1", "Critical Injury"),
    "captured": ("5-5", "Captured"),
    "in Recovery": ("4-6", "in Recovery since battle 1"),
}


@pytest.mark.parametrize(("roll", "why"), UNAVAILABLE.values(), ids=UNAVAILABLE)
def test_a_fighter_takes_no_part_who_is(arbitrator: Arbitrator, roll: str, why: str) -> None:
    arbitrator.record(report("b1", f"out_of_action: {{fighter: wren, by: krug, lasting_injury: {roll}}}"))
    crew = report("b2", gangs="{iron-skulls: all, gilded-cage: [mags, wren]}")
    said = arbitrator.refused(1, "battle", "record", arbitrator.write(crew))
    assert f"Wren cannot take part: {why}" in said
    assert "arbitrator fighter show wren" in said
    struck = report("b2", "flesh_wound: {fighter: wren}")
    said = arbitrator.refused(1, "battle", "record", arbitrator.write(struck))
    assert "entry 1 (flesh_wound), line 7" in said


def test_a_retired_fighter_takes_no_part(arbitrator: Arbitrator) -> None:
    arbitrator.done("fighter", "retire", "wren", "--reason", "had enough")
    crew = report("b1", gangs="{iron-skulls: all, gilded-cage: [wren]}")
    assert "Wren cannot take part: retired" in arbitrator.refused(
        1, "battle", "record", arbitrator.write(crew)
    )


def test_a_dead_fighter_earns_and_does_nothing_more(arbitrator: Arbitrator) -> None:
    arbitrator.record(report("b1", "out_of_action: {fighter: wren, lasting_injury: 6-6}"))
    award = report("b2", "experience: {fighter: wren, amount: 1, reason: posthumous}")
    assert "Wren is dead" in arbitrator.refused(1, "battle", "record", arbitrator.write(award))
    assert "dead" in arbitrator.refused(1, "fighter", "retire", "wren", "--reason", "too late")


def test_a_second_report_with_other_dice_is_refused_even_with_roll(season: Arbitrator) -> None:
    changed = season.write(second("hit: {attacker: hob, weapon: autogun, target: quill}"))
    assert "'b2' is recorded already" in season.refused(1, "battle", "record", changed, "--roll")


def test_all_fighters_whom_nobody_knows_are_shown_at_once(arbitrator: Arbitrator) -> None:
    text = report(
        "b1",
        "hit: {attacker: krugg, weapon: autogun, target: quill}\n    dice: {wound: [1]}",
        "fight: {attacker: pip, targets: [wrenn]}\n    dice: {melee_hit: [1]}",
        "out_of_action: {fighter: hob, by: quux, lasting_injury: 2-2}",
    )
    said = arbitrator.refused(2, "battle", "record", arbitrator.write(text))
    assert "3 entries are refused, and nothing of this file was recorded:" in said
    assert "No fighter 'krugg' is enlisted. Did you mean 'krug'?" in said
    assert "No fighter 'wrenn' is enlisted. Did you mean 'wren'?" in said
    assert "No fighter 'quux' is enlisted." in said
