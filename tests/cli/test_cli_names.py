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
    assert "Reports say: gang shramy; vesk, vesk-2." in add(empty, gang="Шрамы", first="Веск", second="Vesk")
    assert "Reports say: gang kratos; vesk-3, kulou." in add(
        empty, gang="Κράτος", first="Vesk", second="骷髅"
    )
    for names in (
        {"gang": "Шрамы", "first": "Веск", "second": "Vesk"},
        {"gang": "Κράτος", "first": "Vesk", "second": "骷髅"},
    ):
        assert add(empty, **names).startswith("Recorded before")
    assert {"vesk", "vesk-2", "vesk-3", "kulou"} <= empty.roster().keys()
