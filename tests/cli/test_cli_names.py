"""Names in any script, and two of one name: everybody has an id, and what was enlisted is known again."""

from __future__ import annotations

from cli_arbitrator import Arbitrator

SHEET = """\
format: gang-sheet/1
name: {gang}
house: Forge Clans
player: Dana
fighters:
  - {{name: {first}, category: leader, type: Boss, cost: 100, characteristics: {{M: 5, WS: 4, BS: 4, S: 3, T: 3, W: 1, I: 4, A: 1, Ld: 7, Cl: 7, Wil: 7, Int: 7}}}}
  - {{name: {second}, category: ganger, type: Hand, cost: 50, characteristics: {{M: 5, WS: 4, BS: 4, S: 3, T: 3, W: 1, I: 4, A: 1, Ld: 7, Cl: 7, Wil: 7, Int: 7}}}}
"""


def add(table: Arbitrator, **names: str) -> str:
    return table.done("gang", "add", table.write(SHEET.format(**names), name=f"{names['gang']}.yaml")).out


def test_names_in_any_script_give_ids_and_are_numbered_where_another_gang_has_them(empty: Arbitrator) -> None:
    empty.done("campaign", "new", "Ash Wastes")
    assert "Use these ids in reports: gang shramy; vesk, vesk-2." in add(
        empty, gang="Шрамы", first="Веск", second="Vesk"
    )
    assert "Use these ids in reports: gang kratos; vesk-3, kulou." in add(
        empty, gang="Κράτος", first="Vesk", second="骷髅"
    )
    for names in (
        {"gang": "Шрамы", "first": "Веск", "second": "Vesk"},
        {"gang": "Κράτος", "first": "Vesk", "second": "骷髅"},
    ):
        assert add(empty, **names).startswith("Recorded before")
    assert {"vesk", "vesk-2", "vesk-3", "kulou"} <= empty.roster().keys()


NOBODY_HIT = """\
format: battle-report/1
battle: {battle}
scenario: Toll
date: 2026-03-01
gangs: [{gangs}]
result: {{draw: true}}
entries:
  - flesh_wound: {{fighter: {hurt}, by: {by}}}
"""


def report(table: Arbitrator, **facts: str) -> str:
    text = NOBODY_HIT.format(**{"battle": "b1", "gangs": "Iron Rats, Tin Cats", **facts})
    return table.write(text, name=f"{facts.get('battle', 'b1')}.yaml")


def test_a_file_names_a_fighter_as_the_campaign_knows_them_by_now(empty: Arbitrator) -> None:
    """Renamed, the new name is Mags's; the id stays hers, and so does the old name, which nobody else has."""
    empty.done("campaign", "new", "Ash Wastes")
    add(empty, gang="Iron Rats", first="Krug", second="Vex")
    add(empty, gang="Tin Cats", first="Mags", second="Dot")
    empty.done("fighter", "rename", "mags", "--name", "Mags the Red")
    for battle, written in (("b1", "Mags the Red"), ("b2", "Mags"), ("b3", "mags"), ("b4", "MAGS THE RED")):
        said = empty.done(
            "battle", "record", report(empty, battle=battle, hurt=f'"{written}"', by="Krug")
        ).out
        assert "Mags the Red" in said
    empty.done("fighter", "rename", "dot", "--name", "Krug's Bane")
    after = (
        'format: post-battle/1\nbattle: b4\nentries:\n  - retire: {fighter: "Krug\'s Bane", reason: tired}\n'
    )
    empty.done("battle", "post", empty.write(after, name="after.yaml"))
    assert empty.roster()["dot"]["standing"] == "retired"


def test_a_name_that_two_have_is_refused_with_the_ids_of_both(empty: Arbitrator) -> None:
    empty.done("campaign", "new", "Ash Wastes")
    add(empty, gang="Iron Rats", first="Krug", second="Vex")
    add(empty, gang="Ash Choir", first="Ned", second="Joss")
    before = report(empty, battle="b0", gangs="Iron Rats, Ash Choir", hurt="Vex", by="Ned")
    empty.done("battle", "record", before)
    add(empty, gang="Tin Cats", first="Vex", second="Dot")
    said = " ".join(empty.refused(2, "battle", "record", report(empty, hurt="Vex", by="Krug")).split())
    assert "found 'Vex', expected the id of one of those who are called so: vex or vex-2" in said
    assert "Vex" in empty.done("battle", "record", report(empty, hurt="vex-2", by="Krug")).out
    # What was recorded before there were two stays recorded: the same report twice changes nothing.
    assert empty.done("battle", "record", before).out.startswith("Recorded before")


def test_a_name_goes_to_who_is_still_there_and_to_who_is_written_so(empty: Arbitrator) -> None:
    empty.done("campaign", "new", "Ash Wastes")
    add(empty, gang="Iron Rats", first="Krug", second="Vex")
    add(empty, gang="Tin Cats", first="Vex", second="Векс")
    empty.done("fighter", "retire", "vex", "--reason", "tired")
    assert {"vex", "vex-2", "veks"} <= empty.roster().keys()
    said = empty.done("battle", "record", report(empty, hurt="Vex", by="Krug"), "--json").out
    assert '"fighter": "vex-2"' in said
    said = empty.done("battle", "record", report(empty, battle="b2", hurt="Векс", by="Krug"), "--json").out
    assert '"fighter": "veks"' in said
